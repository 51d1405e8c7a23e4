"""f that is its own multiple a period further out, as exp(-r)(2 + frac(r)) is: one period of radii
stands for all."""

from __future__ import annotations

from fractions import Fraction

from ..reader import Need
from ..rules import Rejected, require, rule
from ..steps import Steps, rational, record
from ..tree import Node
from .charts import Problem
from .definedness import charts, met_on, met_on_charts
from .ends import BOUNDED, INTEGRABLE_TAILS, tail_ratio_bounded
from .hypotheses import PROVED, Proof, before_tail, positive
from .needs import PROVING
from .signs import SIGNS
from .tail import TAILS, Tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

ZERO = Fraction(0)
LONGEST = 7
"""Somewhat more than 2 pi."""


class Period:
    """T, a number where waves are counted in (half) turns, else a multiple of 2 pi; and what nodes
    are at r + T beside what they are at r.  Steps are in units of 1, or of 2 pi."""

    def __init__(self, turns: bool, length: Fraction) -> None:
        self.turns, self.length = turns, length
        self.steps: dict[Node, Fraction | None] = {}
        self.rates: dict[Node, Fraction | None] = {}

    def step(self, node: Node) -> Fraction | None:
        if node not in self.steps:
            self.steps[node] = added(self, node)
        return self.steps[node]

    def rate(self, node: Node) -> Fraction | None:
        if node not in self.rates:
            self.rates[node] = multiplied(self, node)
        return self.rates[node]


@rule("K502")
def added(period: Period, node: Node) -> Fraction | None:
    """s where u(r + T) = u(r) + s, by the form of u; None where it does not tell.

    Lemma.  Of r it is T, of a number 0; steps of sums add up, and a number times u has that number
    times the step.  floor(u) has the step of u if that is a whole number.  A wave has the step 0
    if its argument's is a whole number of turns; and so has whatever is made of parts that have the
    step 0, or of comparisons of such.
    """
    kind, args = node.kind, node.args
    if kind == "r":
        return period.length
    if kind == "add":
        steps = [period.step(a) for a in args]
        return None if None in steps else sum(steps, ZERO)  # type: ignore[type-var]
    if kind == "mul" and len(args) == 2 and args[0].kind == "num":
        step = period.step(args[1])
        return None if step is None else args[0].args[0] * step
    parts = parts_of(args)
    if all(period.step(part) == 0 for part in parts) and (parts or kind in ("num", "pi")):
        return ZERO
    step = period.step(args[0]) if kind in ("floor", "cos", "sin") else None
    if step is None:
        return None
    if kind == "floor":
        return step if period.turns and step.denominator == 1 else None
    turns = step / 2 if period.turns else step
    return ZERO if args[1] is period.turns and turns.denominator == 1 else None


@rule("K503")
def multiplied(period: Period, node: Node) -> Fraction | None:
    """s where u(r + T) = e^s u(r), by the form of u; None where it does not tell.

    Lemma.  It is 0 where u(r + T) = u(r) (K502), of e^u the step of u; of products the s of the
    factors add up, and a power has its exponent times that of its base.  Sums, maxima, and a
    Piecewise that compares with 0 what K502 or this rule tells of, have the s that all their parts
    have.
    """
    kind, args = node.kind, node.args
    if period.step(node) == 0:
        return ZERO
    if kind == "exp":
        return period.step(args[0])
    if kind == "pow":
        rate = period.rate(args[0])
        return None if rate is None else rate * args[1]
    if kind == "mul":
        rates = [period.rate(a) for a in args]
        return None if None in rates else sum(rates, ZERO)  # type: ignore[type-var]
    if kind == "piece":
        signs = all(period.rate(w) is not None for _, c in args for w in parts_of(c))
        args = tuple(value for value, _ in args) if signs else ()
    rates = [period.rate(a) for a in args] if kind in ("add", "max", "piece") else []
    return rates[0] if rates and all(rate == rates[0] for rate in rates) else None


def parts_of(args: Iterable[Any]) -> list[Node]:
    """The nodes that a node, or a condition, is made of."""
    found = []
    for part in args:
        if isinstance(part, Node):
            found.append(part)
        elif isinstance(part, tuple):
            found += parts_of(part)
    return found


class Repeated(Tail):
    """The radii beyond r0 + T, each a whole number of periods beyond one of [r0, r0 + T]: they need
    no models, and what asks for these is refused."""

    def __init__(self, problem: Problem, steps: Steps) -> None:
        step = record(steps.take("period"), "period", {"turns", "length"})
        length = rational(step["length"], "period.length")
        valid = isinstance(step["turns"], bool) and length > 0
        require(valid, "period.turns or period.length is not valid", "format")
        self.problem, self.period = problem, Period(step["turns"], length)
        rate = self.period.rate(problem.tree)
        require(rate is not None, "f is not shown to repeat itself", "K503")
        assert rate is not None
        self.rate = rate
        period = length * (1 if step["turns"] else LONGEST)
        self.reach = max(problem.r0 + period, problem.r1)

    @property
    def cells(self) -> Any:  # type: ignore[override]
        raise Rejected("a tail that repeats itself has no models", "steps")

    peak = cells  # type: ignore[assignment]

    def falls(self, step: Any) -> None:
        require(step is None, "the proof names phases, but no frequency", "steps")

    def at_most(self, step: dict[str, Any], most: Any) -> None:
        require("phases" not in step, "the proof names phases, but no frequency", "steps")

    def limits(self, step: Any) -> Any:
        return self.cells


@rule("K504")
def by_one_period(proof: Proof) -> None:
    """f > 0, and the loss is bounded, where f(r + T) = e^s f(r) (K503).

    Lemma.  The chart at zero and the boxes cover (0, r0 + T], and on each a finite logarithm of f
    is enclosed.  By K503 f is positive beyond, and log f less s r/T is bounded on [r0, oo), so the
    loss is.  phi_h(r + T) = phi_h(r) for all h > 0: a bound of the loss for the radii up to r0 + T
    is one for all radii; and if f falls up to r0 + T, and across it, f falls.  What of needs is
    said of signs holds at r + T where it does at r.
    """
    before_tail(proof)


def repeats(proof: Proof) -> bool:
    return isinstance(proof.tail, Repeated)


def positive_throughout(proof: Proof) -> None:
    (by_one_period if repeats(proof) else positive)(proof)


def ratio_bounded(proof: Proof) -> None:
    (by_one_period if repeats(proof) else tail_ratio_bounded)(proof)


@rule("K505")
def integrable_by_periods(proof: Proof) -> None:
    """f is integrable in the tail, if it is between.

    Lemma.  If f(r + T) = e^s f(r) with s < 0 (K503), the integral of r^(d-1) f(r^2) from r0 + k T
    to r0 + (k + 1) T is at most e^(k s) (1 + k T/r0)^(d-1) times that over the first period, and
    these add up to a finite sum.
    """
    repeated = isinstance(proof.tail, Repeated) and proof.tail.rate < 0
    require(repeated, "f is not shown to fade from period to period")


def needs_by_periods(proof: Proof, needs: list[Need]) -> None:
    if not isinstance(proof.tail, Repeated):
        met_on_charts(proof, needs)
        return
    for need in needs:
        recurs = all(proof.tail.period.rate(w) is not None for w in asked(need))
        same = need.kind in ("branch", *SIGNS) or proof.tail.period.step(need.node) == 0
        require(recurs and same, "an operation of the text is not shown to repeat itself", "K504")
    for evaluation in charts(proof.problem, proof.boxes(), []):
        for need in needs:
            met = met_on(evaluation, need)
            require(met, "an operation of the text is not shown to have a value", "K6")


def asked(need: Need) -> list[Node]:
    """The nodes whose signs decide whether a need is met."""
    node = (need.node,) if isinstance(need.node, Node) else need.node
    return parts_of((*node, *need.guard))


TAILS["period"] = Repeated
PROVED["positive"] = BOUNDED["logs"] = positive_throughout
PROVED["tail_ratio_bounded"] = ratio_bounded
INTEGRABLE_TAILS["period"] = integrable_by_periods
PROVING["charts"] = needs_by_periods

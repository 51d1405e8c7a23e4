"""Radii nearer and nearer to those of one phase of a wave: an integral that diverges there, or a loss without bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from flint import arb, fmpq

from dpverify.asymptotics import CONSTANT, LOG_T, Germ, Model, OnePhase
from dpverify.asymptotics.germ import LINEAR
from dpverify.enclosures import Evaluation, Undecided, exact
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node, as_fraction, walk, waves
from dpverify.language.parser import parse
from dpverify.prover.charts import ORDER, growth, growth_known, integral_converges
from dpverify.prover.problem import Problem

FAR = Fraction(2**40)
RADII = (Fraction(16), Fraction(2**10), Fraction(2**40), Fraction(2**100))
WIDTHS = {
    False: ("r**(-1/2)/8", "1/(8*r)", "r**(-3/2)/8", "log(r)**(-1/2)/8", "r**(-2)/8"),
    True: ("r*log(r)**(-1/2)/8", "r/log(r)/8"),
}
"""How fast the radii come near those of a phase of r, or of log r, where an integral may diverge."""
FAST = ("r**(-4)", "exp(-2*r)", "exp(-r**2)", "exp(-r**4)")
"""The same where the loss may have no bound, however little f hangs on being there."""
CLOSE = {False: "1/10**12", True: "r/10**12"}
"""How close to the radii of a phase it is seen whether anything is open beside it."""
SHIFTS = (Fraction(4, 3), Fraction(8, 3), Fraction(2, 3))
MOST_PHASES = 40


@dataclass(frozen=True)
class Nearby:
    """The radii t + theta w(t), |theta| <= 1, t those of the germ's phase; and a shift to others, whose loss grows."""

    germ: Germ
    width: str
    shift: Fraction | None = None

    @property
    def phase(self) -> OnePhase:
        assert isinstance(self.germ.phase, OnePhase)
        return self.germ.phase

    def models(self) -> tuple[Model, Model]:
        """w, and the radii."""
        t = Model.power_of_t(self.germ, 1)
        width = Evaluation(t).value(_read(self.width))
        return width, t + width * arb(0, 1)


def _nearest(near: Nearby, holds: Callable[[Nearby], bool]) -> Nearby:
    """The same beyond the least radius at which it holds."""
    germs = (Germ(radius, ORDER).at(near.phase) for radius in RADII)
    return next((n for n in (replace(near, germ=germ) for germ in germs) if holds(n)), near)


def diverging_nearby(problem: Problem) -> Nearby | None:
    """Where the integral of f over intervals that narrow is infinite; None where that is not seen."""
    holds = partial(_diverges, problem)
    return next((_nearest(near, holds) for near in _places(problem, WIDTHS) if holds(near)), None)


def unbounded_nearby(problem: Problem) -> Nearby | None:
    """Where f is as much larger or smaller as one likes than a shift away; None where that is not seen."""
    holds = partial(_unbounded, problem)
    for near in _places(problem, {False: FAST}):
        for shift in SHIFTS:
            moved = replace(near, shift=shift / near.phase.frequency)
            if holds(moved):
                return _nearest(moved, holds)
    return None


def _diverges(problem: Problem, near: Nearby) -> bool:
    try:
        width, r = near.models()
        log = _log(problem, r) + width.log()
        return not integral_converges(log, problem.dimension - near.phase.logs)
    except Undecided:
        return False


def _unbounded(problem: Problem, near: Nearby) -> bool:
    assert near.shift is not None
    try:
        _, r = near.models()
        return growth(_log(problem, r) - _log(problem, r + exact(near.shift))) != 0
    except Undecided:
        return False


def _log(problem: Problem, r: Model) -> Model:
    log: Model = problem.positive_log(r)
    return log


@lru_cache(64)
def _read(text: str) -> Node:
    return lower(parse(text))


def _places(problem: Problem, widths: dict[bool, tuple[str, ...]]) -> Iterator[Nearby]:
    if any(part.kind == "floor" for part in walk(problem.node)):
        return
    for phase in problem.remembered("open phases", lambda: _open_phases(problem)):
        for width in widths.get(phase.logs, ()):
            yield Nearby(Germ(RADII[-1], ORDER).at(phase), width)


def _open_phases(problem: Problem) -> list[OnePhase]:
    """The phases beside which log f has no model, or one that leaves open whether the integral converges."""
    return [phase for phase in _phases(problem.node) if _is_open(problem, phase)]


def _is_open(problem: Problem, phase: OnePhase) -> bool:
    try:
        log = _log(problem, Nearby(Germ(RADII[-1], ORDER).at(phase), CLOSE[phase.logs]).models()[1])
        integral_converges(log, problem.dimension)
        return not growth_known(log)
    except Undecided:
        return True


def _phases(node: Node) -> list[OnePhase]:
    """The phases at which one of the waves is 0 or extremal, and those halfway, the frequency being that wave's."""
    found: dict[OnePhase, None] = {}
    for part in waves(node):
        line = _line(part.args[0]) if part.kind != "floor" else None
        if line is None:
            continue
        scale, slope, constant = line
        for halves in (Fraction(k, 4) for k in (0, 2, 4, 6, 1, 3, 5, 7)):
            sign = -1 if slope < 0 else 1
            found[OnePhase(part.args[1], abs(slope), -constant * sign, -constant * sign, halves, scale == LOG_T)] = None
    return list(found)[:MOST_PHASES]


def _line(argument: Node) -> tuple[tuple[object, ...], Fraction, Fraction] | None:
    """The scale, k and c where the argument is k r + c or k log r + c, but for what vanishes; c if it is rational."""
    try:
        model = Evaluation(Model.power_of_t(Germ(FAR, ORDER), 1)).value(argument)
    except Undecided:
        return None
    growing = {m: c for m, c in model.terms.items() if m > CONSTANT}
    constant = model.terms.get(CONSTANT, fmpq(0))
    for scale in (LINEAR, LOG_T):
        slope = growing.get(scale)
        if len(growing) == 1 and isinstance(slope, fmpq) and isinstance(constant, fmpq):
            return scale, as_fraction(slope), as_fraction(constant)
    return None

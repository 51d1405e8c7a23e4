"""What a claim is about; log f and the privacy loss on the three charts that cover (0, oo).

r = sqrt(y), g(r) = -log f(r^2), phi_h(r) = g(r + h) - g(r).  The charts are a model at zero on
(0, r0], boxes between, and a model at infinity on [R, oo); increments.py has how losses are
enclosed.  Single radii carry no probability: suprema are over open boxes, limits over open cells.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ..intervals import Interval, hull, interval
from ..reader import Need, Reader
from ..rules import brought, require
from ..steps import Steps, rational, record, whole
from ..tree import Node, walk
from .evaluation import Evaluation
from .fields import points
from .models import germ
from .slopes import Slope, with_slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .models import Germ, Model

    Box = tuple[Fraction, Fraction]

MAX_ORDER, MAX_WORK, MOST_KEPT = 24, 1_000_000, 1_024
CLAIM = {
    "generator", "parameters", "dimension", "sensitivity", "scale", "verdict", "epsilon",
    "tail_log_ratio", "hypotheses", "theorem", "closed_form"}
RESERVED = {
    "d", "e", "pi", "r", "y", "epsilon", "delta", "Delta", "sigma", "exp", "log", "sqrt", "sinh",
    "cosh", "tanh", "asinh", "sin", "cos", "floor", "Abs", "abs", "Max", "max", "Min", "min",
    "Piecewise", "gamma", "erf", "erfc", "besselk", "log1p", "expm1", "acosh", "sign", "ceil",
    "frac", "atan", "loggamma", "lambertw", "gammainc", "gammaincc", "besseli", "sech", "csch",
    "coth", "round", "Heaviside", "And", "Or", "Not"}
"""Names that mean something else, in the claim or in the language of all sections."""
LEMMAS: dict[str, str] = {}
"""What a kind of node takes on trust; the section that brings the kind says so."""
REWRITINGS: dict[str, Callable[[Node, Any], Node]] = {}
"""Steps that put another tree in the place of f's, equal to it almost everywhere."""
REREADINGS: dict[str, Callable[[Any, Any], Any]] = {}
"""Steps that do so with every tree of the text, those of needs and of conditions too."""


class Subject:
    """What a claim is about: the generator's tree, delta = Delta/sigma, and the closed form."""

    def __init__(self, claim: Any) -> None:
        record(claim, "claim", CLAIM)
        self.dimension = whole(claim["dimension"], "dimension", 1, 10**6)
        sensitivity = rational(claim["sensitivity"], "sensitivity")
        scale = rational(claim["scale"], "scale")
        both = sensitivity > 0 and scale > 0
        require(both, "sensitivity and scale are not positive", "claim")
        self.delta = sensitivity / scale
        names = parameters(claim["parameters"])
        bound = {**names, "d": Fraction(self.dimension)}
        self.reader = Reader(claim["generator"], bound)
        self.tree, self.form = self.reader.tree(), None
        used = self.reader.named
        if claim["closed_form"] is not None:
            form = Reader(claim["closed_form"], {**bound, "delta": self.delta}, radial=False)
            self.form, used = (form, form.tree()), used | form.named
        idle = sorted(set(names) - used)
        require(not idle, f"the parameter {', '.join(idle)[:60]} is not used", "claim")

    def nodes(self) -> list[Node]:
        """The nodes of the generator that the proof may evaluate, those of needs included."""
        return walk(self.reader.roots(self.tree))

    def rewrite(self, steps: Steps) -> None:
        """The tree as the proof has it, equal to what was read almost everywhere."""
        for name in sorted({*REREADINGS, *REWRITINGS}):
            if steps.has(name):
                self.follow(name, steps.take(name))
        self.number()

    def follow(self, name: str, step: Any) -> None:
        """The step of this name, which rewrites f's tree, or every tree of the text."""
        if name in REWRITINGS:
            self.tree = REWRITINGS[name](self.tree, step)
            return
        needs = self.reader.needs
        self.tree, *others = REREADINGS[name](self.reader.roots(self.tree), step)
        self.reader.needs = [Need(need.kind, *other) for need, other in zip(needs, others)]

    def number(self) -> None:
        """Numbers for the nodes that rewriting made, beyond those of the text's, in order."""
        nodes = self.nodes()
        last = max(node.number for node in nodes)
        for number, node in enumerate((n for n in nodes if not n.number), last + 1):
            node.number = number

    def assumptions(self) -> list[str]:
        form = self.form[0].roots(self.form[1]) if self.form else ()
        kinds = {node.kind for node in (*self.nodes(), *walk(form))}
        return [lemma for kind, lemma in LEMMAS.items() if kind in kinds]


def parameters(given: Any) -> dict[str, Fraction]:
    require(isinstance(given, dict), "parameters is not an object", "format")
    permitted = all(k.isascii() and k.isidentifier() and k not in RESERVED for k in given)
    require(permitted, "a parameter's name is not permitted", "claim")
    return {k: rational(v, f"parameter {k[:40]}") for k, v in given.items()}


def said_of(claim: dict[str, Any]) -> str:
    """The generator, its parameters and dimension, and delta, as a claim's one line has them."""
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    return f"f(y) = {claim['generator']}{names}, d = {claim['dimension']}, Delta/sigma = {delta}"


class Problem:
    """One generator with its sensitivity, on the three charts that the proof names: `zero` and
    `infinity` are pairs of a radius and an order."""

    def __init__(self, tree: Node, dimension: int, delta: Fraction, zero: tuple[Fraction, int],
                 infinity: tuple[Fraction, int]) -> None:
        self.tree, self.dimension, self.delta = tree, dimension, delta
        (self.r0, order), (self.r1, far_order) = zero, infinity
        self.zero = germ(1 / self.r0, order)
        self.infinity = germ(self.r1, far_order)
        self.at_zero: Callable[..., Evaluation] = Evaluation
        self.at_box: Callable[..., Evaluation] = Evaluation
        self.at_centre: Callable[..., Evaluation] | None = None
        self.at_infinity: Callable[..., Evaluation] = Evaluation
        self.known: dict[Any, Any] = {}
        self.latest: dict[Any, Any] = {}

    def log_f(self, at: Evaluation) -> Any:
        sign, log = at.log(self.tree)
        require(sign == 1, "the generator is not positive where the proof needs it")
        return log

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def lately(self, key: Any, compute: Callable[[], Any]) -> Any:
        """The same for what boxes and shifts beside each other share: the last few are kept."""
        if key not in self.latest:
            if len(self.latest) >= MOST_KEPT:
                self.latest.clear()
            self.latest[key] = compute()
        return self.latest[key]

    def near_zero(self) -> Slope:
        """log f and its slopes on (0, r0], as models in t = 1/r."""
        at = self.at_zero
        return self.once("zero", lambda: self.log_f(at(with_slope(self.zero.radius(-1)))))

    def far(self, germ: Germ) -> Slope:
        """log f and its slopes on the germ."""
        at = self.at_infinity
        return self.once(("far", germ), lambda: self.log_f(at(with_slope(germ.radius()))))

    def far_shift(self, germ: Germ, h: Fraction | Interval) -> Model:
        """phi_h on the germ."""
        return brought("increments far out")(self, germ, h)

    def far_loss(self, germ: Germ) -> Model:
        """phi_delta on the germ."""
        return self.once(("far loss", germ), lambda: self.far_shift(germ, self.delta))

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on the open box (a, b)."""
        at = (None if a else self.at_centre) or self.at_box
        return self.lately((a, b), lambda: self.log_f(at(radii(a, b), (a, b))))

    def on_panel(self, r: Slope, ends: Box | None, centre: bool) -> Any:
        """log f along a series; `centre` says that it runs through a panel that begins at 0."""
        at = (self.at_centre if centre else None) or self.at_box
        return self.log_f(at(r, ends))

    def at_radius(self, r: Interval) -> Interval:
        """log f at one radius."""
        return self.log_f(self.at_box(r))

    def value_on_box(self, a: Fraction, b: Fraction) -> Interval:
        """f on the open box (a, b), where its sign need not be known."""
        return self.at_box(radii(a, b), (a, b)).value(self.tree).u

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        """phi_h on the open box (a, b), where `above` says that its upper bound alone counts."""
        return brought("increments on a box")(self, a, b, h, above)


def radii(a: Fraction, b: Fraction) -> Slope:
    """The radii of the box [a, b]."""
    return with_slope(hull(interval(a), interval(b)))


def chart(value: Any, name: str) -> tuple[Fraction, int]:
    step = record(value, name, {"radius", "order"})
    radius = rational(step["radius"], f"{name}.radius")
    require(radius > 0, f"{name}.radius is not positive", "format")
    return radius, whole(step["order"], f"{name}.order", 1, MAX_ORDER)


def cover(value: Any, name: str, start: Fraction, end: Fraction) -> list[Box]:
    """The boxes between a list of points that reaches from start to end."""
    marks = points(value, name)
    require(len(marks) >= 2, f"{name} is not a list of points", "format")
    reaches = marks[0] <= start and marks[-1] >= end
    require(reaches, f"{name} does not reach as far as the charts", "steps")
    rising = all(a < b for a, b in pairwise(marks))
    require(rising, f"{name} is not increasing", "steps")
    return list(pairwise(marks))


def open_box(value: Any, name: str) -> Box:
    pair = isinstance(value, list) and len(value) == 2
    require(pair, f"{name} is not a pair of points", "format")
    a, b = (rational(q, name) for q in value)
    require(0 < a < b, f"{name} is not an open box of positive radii", "steps")
    return a, b


EXTENSIONS: dict[str, Callable[[Problem, Steps, Subject], Problem]] = {}
"""Steps that say more of how f is evaluated on the charts, and what takes them."""


def charted(steps: Steps, subject: Subject) -> Problem:
    """The charts that the proof names, and what sections make of them."""
    zero, far = chart(steps.take("zero"), "zero"), chart(steps.take("infinity"), "infinity")
    require(zero[0] < far[0], "the charts at zero and at infinity overlap", "steps")
    size, order = max(subject.tree.size, len(subject.nodes())), max(zero[1], far[1])
    too_large = "the models' order is too large for so large a generator"
    require(size * order**3 <= MAX_WORK, too_large, "limits")
    found = Problem(subject.tree, subject.dimension, subject.delta, zero, far)
    for name in ("ways", "far_boxes", "apart", "series"):  # whichever section was loaded first
        if steps.has(name) and name in EXTENSIONS:
            found = EXTENSIONS[name](found, steps, subject)
    return found

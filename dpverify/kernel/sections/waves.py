"""Waves: sine and cosine, and tails that oscillate, examined by cells of phases.

With x = frequency * r modulo a period every sine, cosine and floor of a multiple of r is a
function of x alone; a statement about the tail is one about every cell of a cover of the period.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import factorial

from ..intervals import D1, NEAR, ONE, SIGNED_UNIT, UP, Interval, hull, interval, meet
from ..reader import FUNCTIONS, Function
from ..rules import require, rule
from ..steps import Steps, rational, record
from ..tree import NEVER_NEGATIVE, SQUARES, Node, add, minus, mul, never_negative, num, power
from .charts import Problem, cover
from .constants import PI
from .evaluation import VALUES, Evaluation
from .increments import Shift
from .models import CONSTANT, LINEAR, Germ, Model
from .phases import Phase, linear, on_phase
from .rings import by_ring
from .shapes import ENTIRE, ROOTS
from .slopes import Slope, with_slope
from .steady import OnPhases
from .tail import TAILS, Tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TINY = Fraction(1, 10**40)
TWO_PI = Fraction("6.2831853072")
"""A little more than 2 pi."""
COS_ERROR = SIGNED_UNIT * Fraction(1, 1 << 180)
QUARTER = PI * Fraction(1, 2)
EXTREMES = [(PI * k, (ONE, -ONE)[k % 2]) for k in range(-3, 4)]
"""Where cos is extremal within [-10, 10], and its value there."""


@by_ring
def cos(x: Any, turns: bool = False) -> Any:
    """cos x over any ring, or cos(pi x) where x is given in (half) turns."""
    raise TypeError


@by_ring
def sin(x: Any, turns: bool = False) -> Any:
    """sin x over any ring, or sin(pi x) where x is given in (half) turns."""
    raise TypeError


@cos.register(Interval)
@rule("K50")
def cos_of_interval(x: Interval, turns: bool = False) -> Interval:
    """The cosine of an interval.

    Lemma.  Between its ends cos is extremal at whole multiples of pi only; at its ends it is
    enclosed by Taylor's series in integers.  In turns, multiples of 1/2 are exact.
    """
    if turns:
        exact = x.lo == x.hi and -40 < x.lo.adjusted() < 40
        quarters = Fraction(x.lo) * 2 if exact else Fraction(1, 2)
        if quarters.denominator == 1:
            return interval((1, 0, -1, 0)[int(quarters) % 4])
        return cos_of_interval(x * PI)
    if not x.finite() or UP.subtract(x.hi, x.lo) > 6 or x.hi.adjusted() > 50:
        return SIGNED_UNIT  # a width of 6, or the digits of pi, would not tell where
    rounds = NEAR.divide(NEAR.add(x.lo, x.hi), NEAR.multiply(Decimal(4), PI.lo))
    x = x - PI * (2 * int(rounds.to_integral_value()))
    result = hull(cos_of_point(x.lo), cos_of_point(x.hi))
    for at, extreme in EXTREMES:
        if x.lo <= at.hi and at.lo <= x.hi:
            result = hull(result, extreme)
    return Interval(max(result.lo, -D1), min(result.hi, D1))


@lru_cache(2**12)  # boxes and cells that meet share an end
def cos_of_point(x: Decimal) -> Interval:
    """cos of a number within [-10, 10], by its Taylor series in integers, in units of 2^-240.

    No term exceeds e^10 < 2^15, and each of the 60 steps errs by 2^16 units at most, which later
    steps enlarge by less than 2^15 each time: an error below 2^-180 in all, the terms left out
    (10^120/120!) included, and an argument below 1e-74 taken for 0.
    """
    start = Fraction(x) if x.adjusted() > -75 else Fraction(0)
    m = (start.numerator << 240) // start.denominator
    square = (m * m) >> 240
    term = total = 1 << 240
    for n in range(1, 60):
        term = -((term * square) >> 240) // (2 * n * (2 * n - 1))
        total += term
    return interval(Fraction(total, 1 << 240)) + COS_ERROR


@sin.register(Interval)
def sin_of_interval(x: Interval, turns: bool = False) -> Interval:
    return cos_of_interval(x - (Fraction(1, 2) if turns else QUARTER), turns)


@cos.register(Model)
def cos_of_model(x: Model, turns: bool = False) -> Model:
    return circular(x, 0, turns)


@sin.register(Model)
def sin_of_model(x: Model, turns: bool = False) -> Model:
    return circular(x, 1, turns)


@rule("K51")
def circular(x: Model, turn: int, turns: bool) -> Model:
    """cos(x - turn * pi/2), or of pi * x, as a model.

    Lemma.  x is its value on the cell of phases (a multiple of the phase, up to whole periods, and
    a constant) plus w that vanishes; cos(c + w) is its Taylor polynomial in w of degree n, plus at
    most |w|^(n+1) / (n+1)!.  Where the growing part is no multiple of the phase it is in [-1, 1].
    """
    n, exact, turned = x.germ.order, CONSTANT not in x.terms, turns
    series: list[Any] = []
    if any(m > CONSTANT for m in x.terms):
        phase, form = x.germ.phase, linear(x, turns, floors=False)
        if phase is None or form is None:
            return x.const(SIGNED_UNIT)
        (centre, turned), exact = phase.angle(*form, turns), False
    else:
        centre = x.limit()
    wave: list[Any] = [1, 0] if exact else [cos(centre, turned), -sin(centre, turned)]
    for k in range(n + 1):  # the k-th derivative of cos(x) is cos(x + k pi/2)
        value = wave[(k - turn) % 2] * (1 if (k - turn) % 4 < 2 else -1)
        series.append(value * Fraction(1, factorial(k)))
    w = x.vanishing() * PI if turns else x.vanishing()
    return w.taylor(series, SIGNED_UNIT * Fraction(1, factorial(n + 1)))


@cos.register(Slope)
def cos_of_slope(x: Slope, turns: bool = False) -> Slope:
    if type(x) is not Slope:
        return waves_along(x, turns)[0]
    return Slope(cos(x.u, turns), -(sin(x.u, turns) * x.du) * (PI if turns else 1))


@sin.register(Slope)
def sin_of_slope(x: Slope, turns: bool = False) -> Slope:
    if type(x) is not Slope:
        return waves_along(x, turns)[1]
    return Slope(sin(x.u, turns), cos(x.u, turns) * x.du * (PI if turns else 1))


def waves_along(x: Any, turns: bool) -> tuple[Any, Any]:
    """cos and sin along a power series (K150)."""
    angle, first = x * PI if turns else x, x.c[0]
    return angle.circular(cos(first, turns), sin(first, turns))  # type: ignore[no-any-return]


@cos.register(Shift)
def cos_of_shift(x: Shift, turns: bool = False) -> Shift:
    half = x.du * Fraction(1, 2)
    return Shift(lambda: cos(x.u, turns), sin(x.u + half, turns) * sin(half, turns) * -2)


@sin.register(Shift)
def sin_of_shift(x: Shift, turns: bool = False) -> Shift:
    half = x.du * Fraction(1, 2)
    return Shift(lambda: sin(x.u, turns), cos(x.u + half, turns) * sin(half, turns) * 2)


@rule("K55")
def read_wave(kind: str, u: Node) -> Node:
    """sin and cos as they are read.

    Lemma.  sin u and cos u are kept as sin(pi v) and cos(pi v), v = u/pi, where u has a multiple of
    pi * r in it, so that its coefficient stays exact; sin^2 u = (1 - cos 2u)/2, cos^2 u =
    (1 + cos 2u)/2.
    """
    terms = u.args if u.kind == "add" else (u,)
    factors = [{a.kind for a in (t.args if t.kind == "mul" else (t,))} for t in terms]
    turns = any(kinds >= {"pi", "r"} for kinds in factors)
    per_pi = power(Node("pi"), Fraction(-1))
    return Node(kind, add(*(mul(per_pi, t) for t in terms)) if turns else u, turns)


def square(node: Node) -> Node:
    """(1 -+ cos 2u)/2, which shows that it is not negative."""
    wave = Node("cos", mul(num(2), node.args[0]), node.args[1])
    return mul(num(Fraction(1, 2)), add(num(1), wave if node.kind == "cos" else minus(wave)))


def beside_wave(factor: Node, kind: str) -> tuple[Fraction, Node] | None:
    """a and w where a factor is |a| + a w, w a wave of that kind."""
    if len(factor.args) != 2:
        return None
    wave, number = factor.args
    size = Fraction(1)
    if wave.kind == "mul" and len(wave.args) == 2 and wave.args[0].kind == "num":
        size, wave = wave.args[0].args[0], wave.args[1]
    fits = wave.kind == kind and number.kind == "num" and number.args[0] == abs(size)
    return (size, wave) if fits else None


def half_angle(factor: Node) -> Node | None:
    """a + a cos w = 2 a cos^2(w/2), and a - a cos w = 2 a sin^2(w/2)."""
    found = beside_wave(factor, "cos")
    if found is None:
        return None
    size, wave = found
    half = mul(num(Fraction(1, 2)), wave.args[0])
    return Node("cos" if size > 0 else "sin", half, wave.args[1])


class Phases(Tail):
    """The tail by cells of phases; boxes then reach out by a period more, since the mean value form
    in the radius goes back by at most half a cell."""

    def __init__(self, problem: Problem, steps: Steps) -> None:
        self.problem, problem.at_infinity = problem, OnPhases(problem)
        step = record(steps.take("phase"), "phase", {"turns", "frequency", "cover", "peak"})
        frequency = rational(step["frequency"], "phase.frequency")
        valid = isinstance(step["turns"], bool) and frequency > 0
        require(valid, "phase.turns or phase.frequency is not valid", "format")
        self.wave = Phase(step["turns"], frequency, Fraction(0), Fraction(0))
        self.reach = problem.r1 + (2 if step["turns"] else 7) / frequency
        self.cells = self.cover("phase.cover", step["cover"])
        peak = rational(step["peak"], "phase.peak")
        self.peak = self.germ(peak, peak + TINY)

    def germ(self, low: Fraction, high: Fraction) -> Germ:
        return on_phase(self.problem.infinity, self.wave.moved(low, high))

    @rule("K52")
    def cover(self, name: str, points: Any) -> list[Germ]:
        """The germs of a list of phases that reaches over one period.

        Lemma.  Every radius has its phase in one of the cells, or at an end of one; radii of single
        phases carry no probability.
        """
        period = Fraction(2) if self.wave.turns else TWO_PI
        return [self.germ(a, b) for a, b in cover(points, name, Fraction(0), period)]

    def falls(self, step: Any) -> None:
        falls_on_phases(self, step)

    def at_most(self, step: dict[str, Any], most: Any) -> None:
        for germ in self.cover("supremum.phases", step.get("phases")):
            high = self.loss(germ, self.problem.delta).hi
            require(high <= most, "the loss is not shown below the bound in the tail", "K53")

    def limits(self, step: Any) -> list[Interval]:
        cells = self.cover("limsup.phases", record(step, "limsup", {"phases"})["phases"])
        return [self.problem.far_loss(germ).limit() for germ in cells]

    @rule("K53")
    def loss(self, germ: Germ, h: Fraction) -> Interval:
        """phi_h on a cell of phases.

        Lemma.  As a model with coefficients that contain those of the whole cell; and by the mean
        value form in the radius, from the radii of the middle phase, which lie at most half a cell
        away, and the slopes of phi_h.
        """
        p, phase, r = self.problem, germ.phase, Model(germ, {LINEAR: 1})
        pair = Shift(with_slope(r), Slope(r.const(h), r.const(0)))
        whole = -p.log_f(p.at_infinity(pair)).du
        reach = whole.du.span() * ((phase.high - phase.low) / 2 / phase.frequency)
        if not reach.finite():
            return whole.u.span()
        middle = (phase.low + phase.high) / 2
        at = p.far_shift(on_phase(germ, phase.moved(middle, middle)), h).span()
        return meet(whole.u.span(), at + hull(reach, -reach))

    def swept(self, germ: Germ, low: Fraction, high: Fraction) -> Germ:
        """The phases of r + h for every r of the germ and low <= h <= high."""
        phase, speed = germ.phase, self.wave.frequency
        return self.germ(phase.low + speed * low, phase.high + speed * high)


@rule("K54")
def falls_on_phases(tail: Phases, step: Any) -> None:
    """f falls in a tail that oscillates.

    Lemma.  It falls on every cell of phases, and across every phase where two of them meet: on a
    cell around it by its slopes, or (as the step says for that phase) since phi_h from just
    before to just after is no less than what g can rise on the way, so that it jumps down.
    """
    p, drops = tail.problem, step
    listed = isinstance(drops, list) and all(isinstance(x, str) for x in drops)
    require(listed and len(set(drops)) == len(drops), "phase_drops is not a list", "format")
    meeting = {str(germ.phase.low) for germ in tail.cells}
    require(set(drops) <= meeting, "a drop is named where no cells meet", "steps")
    for germ in tail.cells:
        require(p.far(germ).du.span().hi <= 0, "f is not shown to fall in the tail")
        x = germ.phase.low
        if str(x) not in drops:
            across = p.far(tail.germ(x - TINY, x + TINY)).du.span()
            require(across.hi <= 0, "f is not shown to fall across a phase")
            continue
        before, after = tail.germ(x - TINY, x), tail.germ(x, x + TINY)
        h = TINY / tail.wave.frequency
        least = min(p.far(before).du.span().lo, p.far(after).du.span().lo)
        falls = (tail.loss(before, h) + Interval(least, least) * h).lo >= 0
        require(falls, "f is not shown to jump down at a phase")


def value_of_wave(at: Evaluation, node: Node) -> Any:
    function = cos if node.kind == "cos" else sin
    return function(at.value(node.args[0]), node.args[1])


def amplitude(node: Node) -> Fraction:
    """b where the node is b times something in [-1, 1], else 0."""
    if node.kind in ("cos", "sin"):
        return Fraction(1)
    pair = node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num"
    return node.args[0].args[0] if pair and node.args[1].kind in ("cos", "sin") else Fraction(0)


def sum_never_negative(node: Node) -> bool:
    waves = sum(abs(amplitude(a)) for a in node.args)
    rest = [a for a in node.args if not amplitude(a)]
    numbers = sum(a.args[0] for a in rest if a.kind == "num")
    return numbers >= waves and all(never_negative(a) for a in rest if a.kind != "num")


for kind in ("cos", "sin"):
    FUNCTIONS[kind] = Function(lambda u, kind=kind: read_wave(kind, u))
    VALUES[kind] = value_of_wave
    SQUARES[kind] = square
ENTIRE.update({"cos", "sin"})
NEVER_NEGATIVE["add"] = sum_never_negative
ROOTS["add"] = half_angle
TAILS["phase"] = Phases

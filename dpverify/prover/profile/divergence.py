"""delta(eps) of one release, between two rationals as near to each other as is asked, relative to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import arb

from dpverify.attempts import Attempts
from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.enclosures.nodes import Node
from dpverify.findings import Reason
from dpverify.prover.breaks import breaks
from dpverify.prover.problem import Problem
from dpverify.prover.profile.brackets import brackets
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.joints import Step, sums
from dpverify.prover.profile.line import Line, Stretch
from dpverify.prover.profile.mass import Mass, Part
from dpverify.prover.profile.panels import Panel
from dpverify.prover.profile.pieces import ball, total
from dpverify.prover.profile.spheres import Spheres

if TYPE_CHECKING:
    from dpverify.prover.profile.atom import Atom
    from dpverify.prover.profile.cut import Cut
    from dpverify.prover.profile.patches import Patches
    from dpverify.prover.profile.shifts import Anchor, Worst

PART, LAST = Fraction(3, 10), Fraction(1, 2)
"""The part of the time left that an enclosure may take while a wider one can follow, and where but a rough one can."""
CANCELLED, UNSEEN, ROUNDS = Fraction(1, 4), 16, 4
"""Where joints leave no more than this part of what the panels add up to, both are to be known more closely; about as
which part of the upper bound the sum is taken where it has no lower; and how often."""
CROWDED = 200
"""From how many panels on half the order does."""
LEAST, MOST = Fraction(1, 2**40), Fraction(2**40)
TINY = -1900
NOTHING = Fraction(1, 10**-TINY)
"""No delta below is told from 0: its digits would be more than a checker reads."""
Tick = Callable[[str], None]


@dataclass(frozen=True)
class Accuracy:
    """How finely to work: the relative tolerance, the order of Taylor polynomials, bits of boundaries and of balls; by
    nodes; or with panels placed anew, to be fewer."""

    tolerance: Fraction
    order: int
    boundary: int
    bits: int
    by_nodes: bool = False
    fewer: bool = False

    @classmethod
    def of(cls, tolerance: Fraction, attempt: int = 0, alone: bool = False, fewer: bool = False) -> Accuracy:
        """For a relative tolerance; what the checker need not replay takes higher orders, and fewer panels."""
        digits = len(str((1 / tolerance).numerator // (1 / tolerance).denominator))
        order = max(12, 2 * ((digits * (9 if alone else 6) + 9) // 10)) + 4 * attempt
        boundary = 20 + 4 * digits + 60 * attempt
        if alone and not attempt:
            return cls(tolerance, order, boundary, 76 + 4 * digits, True)
        return cls(tolerance, order, boundary, 140 + 8 * digits + 150 * attempt, fewer=fewer)


@dataclass(frozen=True)
class Divergence:
    """lower <= delta(eps) <= upper, and the parts of the proof."""

    epsilon: Fraction
    lower: Fraction
    upper: Fraction
    panels: tuple[Panel, ...] = ()
    steps: tuple[Step, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    accuracy: Accuracy | None = None
    normal: bool = False
    worst: Worst | None = None
    rough: Rough | None = None


@dataclass(frozen=True)
class Rough:
    """What bounds delta(eps) roughly: a bound of the pure epsilon, and one shift at which H is enclosed, if any is."""

    pure: Fraction
    anchor: Anchor | None = None


def steepness(node: Node) -> Fraction | None:
    """c where log f = a - c r, exactly: then every loss at the shift s is c s, and needs no arithmetic."""
    if node.kind == "mul":
        rates = [steepness(part) for part in node.args]
        return None if None in rates else sum(filter(None, rates), Fraction(0))
    if node.kind in ("num", "pi"):
        return Fraction(0)
    if node.kind == "exp":
        terms = node.args[0].args if node.args[0].kind == "add" else (node.args[0],)
        rates = [_linear(term) for term in terms]
        return None if None in rates else -sum(filter(None, rates), Fraction(0))
    return None


def _linear(term: Node) -> Fraction | None:
    """k where the term is k r, and 0 where it is a number."""
    if term.kind in ("num", "r"):
        return Fraction(int(term.kind == "r"))
    pair = term.kind == "mul" and [a.kind for a in term.args] == ["num", "r"]
    return Fraction(int(term.args[0].args[0].p), int(term.args[0].args[0].q)) if pair else None


def gaussian_rate(node: Node) -> Fraction | None:
    """k where f is a constant times exp(-k r^2), by its form; None for any other."""
    if node.kind == "mul":
        rates = [gaussian_rate(part) for part in node.args]
        return None if None in rates else sum(filter(None, rates), Fraction(0))
    if node.kind in ("num", "pi") or (node.kind == "pow" and node.args[0].kind in ("num", "pi")):
        return Fraction(0)
    if node.kind != "exp" or node.args[0].kind != "mul" or len(node.args[0].args) != 2:
        return None
    factor, square = node.args[0].args
    right = factor.kind == "num" and square.kind == "pow" and square.args[0].kind == "r" and square.args[1] == 2
    return -Fraction(int(factor.args[0].p), int(factor.args[0].q)) if right else None


class Profile:
    """The profile of a non-increasing generator whose hypotheses are proved, in the dimension and for the shift of
    the problem; `pure` are bounds of the pure epsilon, None where there is none or nothing is known of it.

    With `closed` a Gaussian's profile is taken from its closed form, without panels."""

    theorem = "Theorem B"
    nothing = NOTHING
    """Below which a delta need not be known any closer."""

    def __init__(
        self,
        problem: Problem,
        pure: tuple[Fraction, Fraction] | None,
        tick: Tick = lambda step: None,
        closed: bool = False,
    ) -> None:
        rate = steepness(problem.node)
        self.pure = pure if rate is None else (rate * problem.delta, rate * problem.delta)
        self.problem, self.tick = problem, tick
        self.rate = gaussian_rate(problem.node) if closed else None
        node, s = problem.node, problem.delta
        self.breaks = breaks(node, min(LEAST, s / 2**10), max(MOST, s * 2**10))
        self._masses: dict[Accuracy, tuple[arb, arb]] = {}
        self.parts: dict[Accuracy, list[Part]] = {}
        self.cut: Cut | Patches | None = None
        self.reach = Fraction(0)
        self.only_roughly = self.alone = False
        self.fewer = True
        self._kept: dict[Fraction, tuple[Fraction, Divergence]] = {}
        self._nearly: dict[tuple[Fraction, Fraction], Divergence] = {}

    @cached_property
    def brackets(self) -> list[tuple[Fraction, Fraction]]:
        """About breaks that are not known exactly."""
        return brackets(RadialWeight(self.problem, self.breaks))

    def radial(self, problem: Problem | None = None) -> RadialWeight:
        """w of the problem, or of the same f with another shift."""
        return RadialWeight(problem or self.problem, self.breaks, self.brackets, self.reach)

    def atom(self, tolerance: Fraction) -> Atom | None:
        """How much of the loss is infinite; None where it never is, since f is positive."""
        return None

    def at(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        """delta(eps) with a width of at most `tolerance` of it.  Raises Undecided where that is not reached."""
        known = self._kept.get(epsilon)
        if known is None or known[0] > tolerance:
            known = self._kept[epsilon] = tolerance, self.found(epsilon, tolerance)
        return known[1]

    def about(self, epsilon: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
        """About delta(eps), for a search: a lower bound, and what is next to it if delta is where floats see it."""
        found = self.at(epsilon, tolerance)
        return found.lower, found.upper

    def nearly(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        """The same, or wider where that does not come off, or not in a part of the time.  Raises Undecided."""
        if (epsilon, tolerance) in self._nearly:
            return self._nearly[epsilon, tolerance]
        failure: Undecided | None = None
        if self.only_roughly:
            return self.roughly(epsilon) or self.at(epsilon, tolerance)
        attempts = Attempts[Divergence](tolerance, PART, LAST if self.pure else Fraction(1))
        for width in attempts:
            try:
                found = attempts.tried(lambda _, width=width: self.at(epsilon, width))  # type: ignore[misc]
            except Undecided as error:
                failure = failure or error
                continue
            if found is not None:
                self._nearly[epsilon, tolerance] = found
                return found
        rough = self.roughly(epsilon)
        if rough is None:
            raise failure or Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        self._nearly[epsilon, tolerance] = rough
        return rough

    def as_many(self) -> None:
        """Forget what is known with fewer panels, which a checker does not follow, and place none anew."""
        self.fewer = False
        self._forget()

    def further(self, reach: Fraction) -> None:
        """Forget what is known with tails that begin before a radius, as a checker does not follow these, and let none
        do so."""
        self.reach = reach
        self._masses.clear()
        self.parts.clear()
        self._forget()

    def _forget(self) -> None:
        self._kept.clear()
        self._nearly.clear()

    def roughly(self, epsilon: Fraction) -> Divergence | None:
        """The bound that randomised response attains (Kairouz, Oh and Viswanath 2015), as no loss exceeds the pure
        epsilon; None where that is not known to be finite."""
        if self.pure is None or self.cut is not None or epsilon >= self.pure[0]:
            return None
        with precision(200):
            most, growth = ball(self.pure[1]).exp(), ball(epsilon).exp()
            upper = fraction_above(((most - growth) / (1 + most)).upper())
        return Divergence(epsilon, Fraction(0), min(upper, Fraction(1)), rough=Rough(self.pure[1]))

    def found(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        """The same, anew, though a narrower one may be known."""
        if self.pure is not None and epsilon >= self.pure[1]:
            return Divergence(epsilon, Fraction(0), Fraction(0))
        if self.pure is not None and epsilon >= self.pure[0]:
            return self._beside(epsilon, self.pure[1])
        if self.rate:
            self.tick("delta(eps)")
            return self._normal(epsilon, tolerance, self.rate)
        failure: Undecided | None = None
        for attempt in range(3):
            try:
                return self._at(epsilon, self._accuracy(tolerance, attempt, self.alone))
            except Undecided as error:
                failure = error
        raise failure or Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))

    def _at(self, epsilon: Fraction, accuracy: Accuracy) -> Divergence:
        with precision(accuracy.bits):
            quarter = accuracy.tolerance / 5
            mass = self.mass(accuracy)
            nothing = mass[0].lower() * ball(self.nothing) / 2
            radial = self.radial()
            tick = lambda: self.tick("delta(eps)")  # noqa: E731
            if self.problem.dimension == 1:
                line = Line(radial, epsilon, accuracy.order, tick, accuracy.by_nodes)
                stretches = line.stretches(quarter, nothing)
                low, high = total(stretches)
                low, high = low / 2, high / 2
                proof: dict[str, Any] = {"stretches": tuple(stretches)}
            else:
                spheres = Spheres(radial, epsilon, accuracy.order, accuracy.boundary, tick, accuracy.by_nodes)
                panels, steps = _on_spheres(spheres, quarter, accuracy, nothing)
                low, high = sums(panels, steps)
                proof = {"panels": tuple(panels), "steps": tuple(steps)}
            lower, upper = at_least(low / mass[1]), at_most(high / mass[0])
            if upper > self.nothing and not 0 <= upper - lower <= accuracy.tolerance * lower:
                raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
            return Divergence(epsilon, lower, min(upper, Fraction(1)), **proof, accuracy=accuracy)

    def _accuracy(self, tolerance: Fraction, attempt: int, alone: bool) -> Accuracy:
        """How finely to work: on the line, where jumps alone leave hundreds of panels, these are so short that Taylor
        polynomials of half the order do."""
        found = Accuracy.of(tolerance, attempt, alone, self.fewer)
        if self.problem.dimension > 1 or len(self.breaks) < CROWDED:
            return found
        marks = Mass(self.radial(), found.order, lambda: None).marks(tolerance, Fraction(0))
        return found if len(marks) < CROWDED else replace(found, order=found.order // 4 * 2)

    def _normal(self, epsilon: Fraction, tolerance: Fraction, rate: Fraction) -> Divergence:
        """Balle and Wang (2018), Theorem 8."""
        for bits in (200, 800, 3200):
            with precision(bits):
                t, e = (ball(2 * rate)).sqrt() * ball(self.problem.delta), ball(epsilon)
                near, far = ((e / t + part * t / 2) / arb(2).sqrt() for part in (-1, 1))
                value = (near.erfc() - e.exp() * far.erfc()) / 2
                lower, upper = at_least(value), at_most(value)
                if upper <= NOTHING or (lower > 0 and upper - lower <= tolerance * lower):
                    return Divergence(epsilon, lower, min(upper, Fraction(1)), normal=True)
        raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))

    def usual(self, tolerance: Fraction) -> Accuracy:
        """The accuracy for a tolerance, once the normalisation is enclosed with it."""
        accuracy = self._accuracy(tolerance, 0, False)
        with precision(accuracy.bits):
            self.mass(accuracy)
        return accuracy

    def _beside(self, epsilon: Fraction, pure: Fraction) -> Divergence:
        """Where eps may be the pure epsilon: p - e^eps q is at most the share 1 - e^(eps - pure) of p."""
        return Divergence(epsilon, Fraction(0), pure - epsilon)

    def mass(self, accuracy: Accuracy) -> tuple[arb, arb]:
        """A lower and an upper bound of Z."""
        if accuracy not in self._masses:
            parts = Mass(
                self.radial(), accuracy.order, lambda: self.tick("the normalisation"), accuracy.by_nodes
            ).parts(accuracy.tolerance / 50, accuracy.fewer)
            self.parts[accuracy] = parts
            self._masses[accuracy] = total(parts)
        return self._masses[accuracy]


def at_least(x: arb) -> Fraction:
    """A rational below a ball of a delta: 0 where that is next to nothing."""
    return fraction_below(x) if x.lower() > ball(NOTHING) else Fraction(0)


def at_most(x: arb) -> Fraction:
    """A rational above it, never less than next to nothing."""
    return NOTHING if x.upper() < ball(NOTHING) else fraction_above(x)


def _on_spheres(
    spheres: Spheres, tolerance: Fraction, accuracy: Accuracy, nothing: arb
) -> tuple[list[Panel], list[Step]]:
    """Panels and joints, each known to a part of what they add up to in all; where joints cancel most of the panels,
    that is found in a few rounds."""
    part = Fraction(1)
    for _ in range(ROUNDS):
        panels = spheres.panels(tolerance * part, accuracy.fewer, nothing)
        steps = spheres.joints(panels, _share(panels, tolerance * part))
        (low, high), (whole, _) = sums(panels, steps), total(panels)
        if high <= nothing or high - low <= low * ball(accuracy.tolerance) / 2 or not whole > 0:
            break
        left = (low.max(high / UNSEEN) / whole).lower()
        if not 0 < left < ball(CANCELLED * part):
            break
        part = fraction_below(left)
    return panels, steps


def _share(panels: list[Panel], tolerance: Fraction) -> arb:
    low, _ = total(panels)
    return abs(low).lower() * ball(tolerance)

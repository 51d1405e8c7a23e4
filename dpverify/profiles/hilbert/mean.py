"""Means over V of a function F of t = s/V, the shift in standard deviations that the Gaussian sees.

Atoms are summed; a density is integrated between two ends by Arb, and beyond them its mass is bounded by models.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import acb, arb

from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.integrand import Cases, complex_value, panels, specialised
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node, positive_by_form
from dpverify.findings import Part, Reason
from dpverify.integration import integral
from dpverify.language import Expression
from dpverify.mixtures import Mixing
from dpverify.mixtures.ends import find
from dpverify.mixtures.law import Atoms, Density
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import octaves
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import RadialWeight

Of = Callable[[acb], acb]
"""F, analytic where the real part of t is positive."""
WITHIN = arb(0).union(arb(1))
FURTHEST, NEAREST, FAR = 1_100, 60, Fraction(2**40)


class Law:
    """The law of V, up to a factor, as integrals see it; raises Undecided where no model of an end is found."""

    def __init__(self, mixing: Mixing) -> None:
        self.atoms = mixing.law if isinstance(mixing.law, Atoms) else None
        if isinstance(mixing.law, Density):
            self.node = lower(mixing.law.expression)
            self.near, self.far = find(self.node, True), find(self.node, False)
            reach = max(FAR, self.near.radius), max(FAR, self.far.radius)
            cuts = breaks(self.node, 1 / reach[0], reach[1])
            self.radial = RadialWeight(Problem(self.node, 1, Fraction(1)), cuts)
            self._ends: dict[tuple[bool, Fraction], tuple[Fraction, arb]] = {}
            self._wholes: dict[tuple[Fraction, Fraction], arb] = {}

    def mean(self, s: Fraction, of: Of, tolerance: Fraction, floor: Fraction) -> arb:
        """E[F(s/V)] for a function between 0 and 1: each part to `tolerance` of it, or to `floor`."""
        ball = arb(exact(s))
        if self.atoms is not None:
            pairs = [(number_of(w), number_of(v)) for w, v in self.atoms.pairs]
            over = sum((w * of(acb(ball / v)).real for w, v in pairs), arb(0))
            return over / sum((w for w, _ in pairs), arb(0))
        beyond = self.end(False, floor)[1] + self.end(True, floor)[1]
        over = self._between(tolerance, floor, lambda v: of(acb(ball) / v))
        return (over + beyond * WITHIN) / self._whole(tolerance, floor)

    def mass(self, tolerance: Fraction, floor: Fraction) -> arb:
        """The integral of a density as it is written, each part to `tolerance` of it, or about to `floor`."""
        return self._whole(tolerance, floor) * arb(exact(self.radial.size)).exp()

    def least(self) -> tuple[Fraction, Fraction]:
        """Bounds of where V begins, its essential infimum, for a density: both 0 where that is not 0 near 0.

        It begins no sooner than where the model at zero, and the formulas of all panels up to there, are 0; and no
        later than v, if it is positive on an open set just below v, or where a formula that is positive begins.
        Raises Undecided where neither is seen.
        """
        if self.near.log is not None:
            return Fraction(0), Fraction(0)
        for a, b, settled in self._panels(1 / self.near.radius, max(FAR, self.far.radius)):
            node = specialised(self.node, settled)
            if zero_by_form(node):
                continue
            if positive_by_form(node):
                return a, a
            for k in range(NEAREST, 0, -1):
                near = a + (b - a) / 2**k
                if self.radial.problem.sign_on_box(a + (near - a) / 2, near) == 1:
                    return a, near
            break
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())

    def _whole(self, tolerance: Fraction, floor: Fraction) -> arb:
        """The mass, up to the factor e^-size; one for all functions and levels."""
        if (tolerance, floor) not in self._wholes:
            between = self._between(tolerance, floor, lambda v: acb(1))
            self._wholes[tolerance, floor] = between + self.end(False, floor)[1] + self.end(True, floor)[1]
        return self._wholes[tolerance, floor]

    def _between(self, tolerance: Fraction, floor: Fraction, of: Of) -> arb:
        (a, _), (b, _) = self.end(False, floor), self.end(True, floor)
        goal = arb(exact(tolerance)), arb(exact(floor))
        return sum((self._integral(*panel, goal, of) for panel in self._panels(a, b)), arb(0))

    def _panels(self, a: Fraction, b: Fraction) -> list[tuple[Fraction, Fraction, Cases]]:
        found = []
        for low, high, settled in panels(self.node, octaves(a, b, [x for x in self.radial.breaks if a < x < b])):
            if settled is None:
                raise Undecided(Reason.MIXING_CHANGES())
            found.append((low, high, settled))
        return found

    def end(self, outward: bool, floor: Fraction) -> tuple[Fraction, arb]:
        """Beyond which v there is little mass, and that mass."""
        if (outward, floor) not in self._ends:
            self._ends[outward, floor] = self._found_end(outward, arb(exact(floor)))
        return self._ends[outward, floor]

    def _found_end(self, outward: bool, floor: arb) -> tuple[Fraction, arb]:
        end = self.far if outward else self.near
        if end.log is None:  # no mass at all
            return (end.radius if outward else 1 / end.radius), arb(0)
        for rung in range(1, FURTHEST):
            x = Fraction(2) ** (rung if outward else -rung)
            try:
                mass = self.radial.outer(x) if outward else self.radial.inner(x)
            except Undecided:
                continue
            if mass.upper() < floor:
                return x, mass
        raise Undecided(Reason.MIXING_MASS_AT_END())

    def _integral(self, a: Fraction, b: Fraction, settled: Cases, goal: tuple[arb, arb], of: Of) -> arb:
        size = arb(exact(self.radial.size)).exp()

        def integrand(v: acb, analytic: bool) -> acb:
            if not v.real > 0:
                return acb(arb.nan())
            return complex_value(self.node, v, analytic, settled) / size * of(v)

        value = integral(integrand, arb(exact(a)), arb(exact(b)), rel_tol=goal[0], abs_tol=goal[1])
        if not value.real.is_finite():
            raise Undecided(Reason.NOT_ENCLOSED(what=Part.MEAN_OVER_V))
        return value.real


def zero_by_form(node: Node) -> bool:
    """Whether a formula is 0 wherever its parts have values."""
    if node.kind in ("add", "mul"):
        return (all if node.kind == "add" else any)(map(zero_by_form, node.args))
    return node.kind == "num" and bool(node.args[0] == 0)


def number_of(expression: Expression) -> arb:
    """The value of an atom's weight, or of its place."""
    return complex_value(lower(expression), acb(1), False, {}).real

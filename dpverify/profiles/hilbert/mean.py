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
FURTHEST = 1_100


class Law:
    """The law of V, up to a factor, as integrals see it; raises Undecided where no model of an end is found."""

    def __init__(self, mixing: Mixing) -> None:
        self.atoms = mixing.law if isinstance(mixing.law, Atoms) else None
        if isinstance(mixing.law, Density):
            self.node = lower(mixing.law.expression)
            cuts = breaks(self.node, Fraction(1, 2**40), Fraction(2**40))
            self.radial = RadialWeight(Problem(self.node, 1, Fraction(1)), cuts)
            self._ends: dict[tuple[bool, Fraction], tuple[Fraction, arb]] = {}

    def mean(self, s: Fraction, of: Of, tolerance: Fraction, floor: Fraction) -> arb:
        """E[F(s/V)] for a function between 0 and 1: each part to `tolerance` of it, or to `floor`."""
        ball = arb(exact(s))
        if self.atoms is not None:
            pairs = [(number_of(w), number_of(v)) for w, v in self.atoms.pairs]
            over = sum((w * of(acb(ball / v)).real for w, v in pairs), arb(0))
            return over / sum((w for w, _ in pairs), arb(0))
        (a, inner), (b, outer) = self._end(False, floor), self._end(True, floor)
        goal = arb(exact(tolerance)), arb(exact(floor))
        over = self._sum(a, b, goal, lambda v: of(acb(ball) / v))
        return (over + (inner + outer) * WITHIN) / (self._sum(a, b, goal, lambda v: acb(1)) + inner + outer)

    def mass(self, tolerance: Fraction, floor: Fraction) -> arb:
        """The integral of a density as it is written, each part to `tolerance` of it, or about to `floor`."""
        (a, inner), (b, outer) = self._end(False, floor), self._end(True, floor)
        whole = self._sum(a, b, (arb(exact(tolerance)), arb(exact(floor))), lambda v: acb(1)) + inner + outer
        return whole * arb(exact(self.radial.size)).exp()

    def least(self) -> Fraction | None:
        """Where V begins: 0, or the first v beyond which a density is not 0; None where that is not proved.

        On a panel on which it is analytic and not 0 throughout, a density is positive as near to the panel's end as
        one likes.
        """
        if find(self.node, True).log is not None:
            return Fraction(0)
        for a, b, settled in self._panels(Fraction(1, 2**40), Fraction(2**40)):
            node = specialised(self.node, settled)
            if node.kind == "num" and node.args[0] == 0:
                continue
            return a if (complex_value(node, acb(exact((a + b) / 2)), True, {}).real > 0) else None
        return None

    def _sum(self, a: Fraction, b: Fraction, goal: tuple[arb, arb], of: Of) -> arb:
        return sum((self._integral(*panel, goal, of) for panel in self._panels(a, b)), arb(0))

    def _panels(self, a: Fraction, b: Fraction) -> list[tuple[Fraction, Fraction, Cases]]:
        found = []
        for low, high, settled in panels(self.node, octaves(a, b, [x for x in self.radial.breaks if a < x < b])):
            if settled is None:
                raise Undecided(Reason.MIXING_CHANGES())
            found.append((low, high, settled))
        return found

    def _end(self, outward: bool, floor: Fraction) -> tuple[Fraction, arb]:
        """Beyond which v there is little mass, and that mass."""
        if (outward, floor) not in self._ends:
            self._ends[outward, floor] = self._found_end(outward, arb(exact(floor)))
        return self._ends[outward, floor]

    def _found_end(self, outward: bool, floor: arb) -> tuple[Fraction, arb]:
        end = find(self.node, not outward)
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


def number_of(expression: Expression) -> arb:
    """The value of an atom's weight, or of its place."""
    return complex_value(lower(expression), acb(1), False, {}).real

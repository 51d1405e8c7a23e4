"""From X at scale 1 to the noise in steps of the lattice, and how many bits that takes: nothing here is data.

The precision of a draw is decided before the query is looked at. A pass at level n reads 2^n b bits of every
string, and has done when every coordinate of the noise is known to less than a unit, 2^-guard of a step.
b is so large that the first pass does but for noise some 2^64 times its usual size, and the guard such that
a noise known to a unit leaves two lattice points with a probability of about 2^-64 a coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpverify.sampling.exact.covariance import Factors
from dpverify.sampling.exact.draw import Draw, Real

GUARD = 64
HEADROOM = 64
WORD = 64
EXTRA = 32
"""Bits of working precision beyond those of a string."""


def logarithm(value: Fraction) -> int:
    """The least n with value < 2^n, or one more."""
    return value.numerator.bit_length() - value.denominator.bit_length() + 1


@dataclass(frozen=True, slots=True)
class Schedule:
    """How many bits a string has at each level, and how fine the units are."""

    bits: int
    guard: int

    @classmethod
    def of(cls, scale: Fraction, step: Fraction, factors: Factors | None) -> Schedule:
        """For noise of scale sigma on a lattice: finer units where the lattice is coarser than the noise."""
        least, most = (Fraction(1), Fraction(1)) if factors is None else factors.sizes()
        steps = scale / step
        guard = GUARD + max(0, logarithm(1 / steps) - logarithm(least) // 2 + 1)
        bits = guard + max(0, logarithm(steps) + logarithm(most) // 2 + 1) + HEADROOM
        return cls(-(-bits // WORD) * WORD, guard)

    def level(self, n: int) -> tuple[int, int]:
        """Bits of a string, and the guard in bits, at level n."""
        return self.bits << n, self.guard + n * GUARD


@dataclass(frozen=True, slots=True)
class Spread:
    """x -> sigma A x in units of 2^-guard steps, in the arithmetic of a draw."""

    scale: Real
    rows: tuple[tuple[Real, ...], ...] | None

    @classmethod
    def of(cls, at: Draw, scale: Fraction, step: Fraction, factors: Factors | None, guard: int) -> Spread:
        steps = scale / step * 2**guard
        if factors is None:
            return cls(at.number(steps), None)
        roots = [at.number(steps * steps * pivot).sqrt() for pivot in factors.pivots]
        rows = [
            (*(at.number(x) * root for x, root in zip(row, roots, strict=False)), roots[i])
            for i, row in enumerate(factors.lower)
        ]
        return cls(roots[0], tuple(rows))

    def __call__(self, x: Sequence[Real]) -> list[Real]:
        if self.rows is None:
            return [self.scale * value for value in x]
        found = []
        for row in self.rows:
            total = row[0] * x[0]
            for factor, value in zip(row[1:], x[1:], strict=False):
                total = total + factor * value
            found.append(total)
        return found

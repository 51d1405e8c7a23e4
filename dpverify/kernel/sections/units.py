"""Polynomials whose coefficients are whole multiples of a unit, for means of powers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import comb

from ..intervals import DOWN, SIGNED_UNIT, UP, Interval, meet
from ..rules import require, rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Pair = tuple[Fraction, Fraction]

BITS = 128
"""The unit is 2^-BITS of a power of ten that is about as large as the largest coefficient given."""


@rule("K561")
def mean_of_powers(g: Sequence[Interval], p: Pair, q: Pair, t: Sequence[Interval]
                   ) -> tuple[list[int], int, Interval]:
    """The mean of powers, in whole numbers.

    Lemma.  The mean over t of the sum of g_n (P - Q t)^n for n < N, P = x (p_0 + p_1 x) and Q = q_0
    + q_1 x, where |p_0| + |p_1| + |q_0| + |q_1| <= 1, t lies in [-1, 1] and has no more mass than
    1, is the sum of t_j S_j (-Q)^j, t_j being its moments and S_j the sum of g_n C(n, j) P^(n - j),
    both by Horner's rule: a polynomial in x with an error, both told in units, with the unit.
    Rounded numbers are told by errors e, in units. That of g adds at most their sum; that of p and
    q, each of which is cut to a smaller one, at most 4 n |g_n| for each n, as then |P| + |Q| <= 1
    still; that of t_j, which is sought in [-1, 1] alone, at most the largest e times the sum of all
    |g_n|, since the sum of C(n, j) |P|^(n - j) |Q|^j over j is at most 1; and each coefficient that
    is rounded, of which there are less than 4 N^3, at most 1, since no later factor has
    coefficients whose sum exceeds 1 by more than a unit.
    """
    fits = sum(abs(x) for x in (*p, *q)) <= 1 and len(t) == len(g)
    require(fits and all(x.finite() for x in g), "a polynomial is not one of means")
    size = max((e.adjusted() for x in g for e in (x.lo, x.hi) if e), default=0)
    known, off = wholes([x * power_of_ten(-size) for x in g])
    means, away = wholes([meet(x, SIGNED_UNIT) for x in t])
    (p0, p1), (q0, q1) = (tuple(int(x * 2**BITS) for x in pair) for pair in (p, q))
    count, total = len(known), list[int]()
    for j in reversed(range(count)):
        inner = [0]
        for n in reversed(range(j, count)):
            inner = [0, *times(inner, p0, p1)] if n < count - 1 else inner
            inner[0] += known[n] * comb(n, j)
        total = times(total, -q0, -q1)
        total += [0] * (len(inner) - len(total))
        for k, x in enumerate(inner):
            total[k] += x * means[j] >> BITS
    most = sum(map(abs, known)) // 2**BITS + 1
    error = sum(off) + (4 * count + max(away)) * most + 4 * count**3
    return total, error, power_of_ten(size) * Fraction(1, 2**BITS)


def power_of_ten(k: int) -> Interval:
    x = Decimal((0, (1,), k))
    return Interval(x, x)


def wholes(xs: Sequence[Interval]) -> tuple[list[int], list[int]]:
    """Numbers in units, and by how much at most they are off."""
    unit = Decimal(2**BITS)
    low = [int(DOWN.to_integral_value(DOWN.multiply(x.lo, unit))) for x in xs]
    high = [int(UP.to_integral_value(UP.multiply(x.hi, unit))) for x in xs]
    return low, [b - a for a, b in zip(low, high, strict=True)]


def times(c: list[int], first: int, second: int) -> list[int]:
    """A polynomial times first + second x, rounded down."""
    return [(a * first + b * second) >> BITS for a, b in zip([*c, 0], [0, *c])] if c else []

"""Sums of products of intervals, rounded outward, and what else the coefficients of series take.

Of an interval that does not cross 0 the nearer and the farther end from 0 multiply with those of
another to such ends of the product; so each interval is sorted once, for all products it is in.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import lru_cache
from math import comb

from ..intervals import D0, DOWN, UP, ZERO, Interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    Sorted: TypeAlias = "tuple[Decimal, Decimal, int] | None"

WHOLE = [Decimal(k) for k in range(130)]


def ends(x: Interval) -> Sorted:
    """The nearer and the farther end from 0, and the sign; the lower and the upper end, and 0,
    where 0 is inside; None for 0 itself."""
    a, b = x.lo, x.hi
    if a >= D0:
        return (a, b, 1) if b else None
    return (b, a, -1) if b <= D0 else (a, b, 0)


class Rounded:
    """Such operations, to some digits; an end that is exact within these stays so."""

    def __init__(self, down: Context, up: Context) -> None:
        self.down, self.up = down, up

    def dot(self, xs: Iterable[Sorted], ys: Iterable[Sorted]) -> Interval:
        """The sum of x y, as K1 has it, each product added before it is rounded."""
        low = high = D0
        down, up = self.down.fma, self.up.fma
        for x, y in zip(xs, ys):
            if not (x and y):
                continue
            a, b, s = x
            c, d, t = y
            if s == t != 0:
                low, high = down(a, c, low), up(b, d, high)
            elif s and t:
                low, high = down(b, d, low), up(a, c, high)
            elif s:  # y holds 0, from c to d, and counts with the farther end of x
                down_by, up_by = (c, d) if s > 0 else (d, c)
                low, high = down(b, down_by, low), up(b, up_by, high)
            elif t:
                down_by, up_by = (a, b) if t > 0 else (b, a)
                low, high = down(d, down_by, low), up(d, up_by, high)
            else:
                low = min(down(a, d, low), down(b, c, low))
                high = max(up(a, c, high), up(b, d, high))
        return Interval(low, high)

    def square(self, c: list[Sorted], n: int) -> list[Interval]:
        """The first n coefficients of a series' square: each product of two others counts twice."""
        c = [*c, *[None] * (n - len(c))]
        twice = self.scaled(c, [COUNTS[1]] * n)[::-1]
        return [self.dot([*c[:(k + 1) // 2], *c[k // 2:k // 2 + 1]],
                         [*twice[n - 1 - k:n - 1 - k // 2], c[k // 2]]) if k % 2 == 0 else
                self.dot(c[:(k + 1) // 2], twice[n - 1 - k:]) for k in range(n)]

    def product(self, x: Interval, factor: Interval) -> Interval:
        """The product with a factor: soon, with one of one sign."""
        a, b, c, d = x.lo, x.hi, factor.lo, factor.hi
        down, up = self.down.multiply, self.up.multiply
        if c <= D0 <= d or not (c.is_finite() and d.is_finite()):
            return x * factor
        if c > D0:
            return Interval(down(a, c if a > D0 else d), up(b, d if b > D0 else c))
        return Interval(down(b, c if b > D0 else d), up(a, d if a > D0 else c))

    def times(self, c: Iterable[Interval], factor: Interval) -> list[Interval]:
        """The products with a factor."""
        return [self.product(x, factor) if x.lo or x.hi else ZERO for x in c]

    def scaled(self, xs: Iterable[Sorted], factors: Iterable[Sorted]) -> list[Sorted]:
        """The products of numbers, and of factors of which each has one sign or is 0."""
        down, up, found = self.down.multiply, self.up.multiply, list["Sorted"]()
        for x, y in zip(xs, factors):
            if not (x and y):
                found.append(None)
                continue
            a, b, s = x
            c, d, t = y
            if not s:
                low, high = (a, b) if t > 0 else (b, a)
                found.append((down(low, d), up(high, d), 0))
            elif s == t:
                found.append((down(a, c), up(b, d), 1))
            else:
                found.append((up(a, c), down(b, d), -1))
        return found

    def rates(self, c: Sequence[Interval]) -> list[Sorted]:
        """k c_k for k > 0, without the zeros that they end in."""
        found = self.scaled(map(ends, c[1:]), COUNTS)
        while found and not found[-1]:
            found.pop()
        return found

    def part(self, x: Interval, k: int) -> Interval:
        """x/k."""
        n = WHOLE[k]
        return Interval(self.down.divide(x.lo, n), self.up.divide(x.hi, n))

    def sums(self, xs: Iterable[Interval], ys: Iterable[Interval]) -> list[Interval]:
        """x + y for each."""
        down, up = self.down.add, self.up.add
        return [Interval(down(x.lo, y.lo), up(x.hi, y.hi)) for x, y in zip(xs, ys, strict=True)]

    def differences(self, xs: Iterable[Interval], ys: Iterable[Interval]) -> list[Interval]:
        """x - y for each."""
        down, up = self.down.subtract, self.up.subtract
        return [Interval(down(x.lo, y.hi), up(x.hi, y.lo)) for x, y in zip(xs, ys, strict=True)]

    def about_each_point(self, c: Sequence[Interval], count: int | None = None) -> list[Interval]:
        """The first coefficients of a polynomial about each point of [-1, 1]: sums of C(j, k) c_j
        x^(j - k) for k <= j, x^(j - k) being in [0, 1] or in [-1, 1]."""
        down, up, found = self.down.fma, self.up.fma, list[Interval]()
        above, below = largest(c), least(c)
        for k, x in enumerate(c[:count]):
            low, high, side, after = x.lo, x.hi, k % 2, slice(k + 1, None)
            for n, low_one, most in zip(chosen(k, len(c)), below[side][after], above[side][after]):
                if low_one or most:
                    low, high = down(n, low_one, low), up(n, most, high)
            found.append(Interval(low, high))
        return found


def largest(c: Sequence[Interval]) -> tuple[list[Decimal], list[Decimal]]:
    """The largest value of c_j x^(j - k) for x in [-1, 1], for even k and for odd k."""
    return by_parity([max(x.hi, D0) for x in c], [max(x.hi, x.lo.copy_negate()) for x in c])


def least(c: Sequence[Interval]) -> tuple[list[Decimal], list[Decimal]]:
    """The least value of the same."""
    return by_parity([min(x.lo, D0) for x in c], [min(x.lo, x.hi.copy_negate()) for x in c])


def by_parity(even: list[Decimal], odd: list[Decimal]) -> tuple[list[Decimal], list[Decimal]]:
    """c_j for even k and for odd k, where it is another for even j - k and for odd j - k."""
    first, second = even.copy(), odd.copy()
    first[1::2], second[1::2] = odd[1::2], even[1::2]
    return first, second


@lru_cache(maxsize=1_000)
def chosen(k: int, n: int) -> list[Decimal]:
    """C(j, k) for k < j < n."""
    return [Decimal(comb(j, k)) for j in range(k + 1, n)]


COUNTS = [ends(Interval(n, n)) for n in WHOLE[1:]]
MANY = Rounded(DOWN, UP)
FEW = Rounded(*(Context(prec=38, rounding=x.rounding, Emin=x.Emin, Emax=x.Emax, traps=[])
                for x in (DOWN, UP)))

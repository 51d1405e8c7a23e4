"""Optimal composition of pure epsilons: the exact delta(eps), enclosed by Arb.

Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; for different epsilons Murtagh and Vadhan (2016), Theorem 1.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

from flint import arb

from dpverify.enclosures import exact, fraction_above, fraction_below, precision
from dpverify.errors import InputError

MOST_TERMS = 200_000
BITS = 320


def delta(times: Mapping[Fraction, int], epsilon: Fraction, bits: int = BITS) -> tuple[Fraction, Fraction]:
    """The least delta with which releases that are private with these epsilons, each so many times, are
    (eps, delta)-private together, between two rationals.

    Raises InputError where the epsilons have too many different sums.
    """
    if prod(n + 1 for n in times.values()) > MOST_TERMS:
        raise InputError(f"the epsilons have more than {MOST_TERMS} different sums; round some of them up to one value")
    with precision(bits):
        laws = [_law(e, n, bits) for e, n in times.items()]
        total = arb(0)
        for choice in product(*laws):
            loss = sum((x for x, _ in choice), Fraction(0))
            if loss > epsilon:
                gain = -arb(exact(epsilon - loss)).expm1()
                for _, share in choice:
                    gain = gain * share
                total = total + gain
        return max(Fraction(0), fraction_below(total)), min(Fraction(1), fraction_above(total))


@lru_cache(maxsize=8)
def _law(epsilon: Fraction, n: int, bits: int) -> list[tuple[Fraction, arb]]:
    """The losses of n randomised responses, and their probabilities: each the one before times e^e (n - k)/(k + 1)."""
    with precision(bits):
        odds = arb(exact(epsilon)).exp()
        share, found = (1 + odds) ** -n, []
        for k in range(n + 1):
            found.append((epsilon * (2 * k - n), share))
            share = share * odds * (n - k) / (k + 1)
    return found


def quantile(times: Mapping[Fraction, int], target: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Two eps, as near to each other as `tolerance` of the larger, with delta at least and at most the target."""
    low, high = Fraction(0), sum((e * n for e, n in times.items()), Fraction(0))
    if delta(times, low)[1] <= target:
        return low, low
    while high - low > tolerance * high:
        middle = _short((low + high) / 2)
        least, most = delta(times, middle)
        if most <= target:
            high = middle
        elif least >= target:
            low = middle
        else:
            break
    return low, high


def _short(x: Fraction) -> Fraction:
    bits = 60 - (x.numerator.bit_length() - x.denominator.bit_length())
    return Fraction(round(x * 2**bits), 2**bits) if bits > 0 else x

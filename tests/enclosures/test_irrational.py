"""Balls that know the number in them: what cancels, what is compared, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq

from dpverify.enclosures import Undecided
from dpverify.enclosures.irrational import Irrational, logarithm_of, pi_itself, power_of_e, root

HALF = fmpq(1, 2)


def sqrt(n: Any) -> Any:
    return root(fmpq(n), HALF)


CASES: list[tuple[Callable[[], Any], int]] = [
    (lambda: sqrt(2) * sqrt(2), 2),
    (lambda: sqrt(8) - 2 * sqrt(2), 0),
    (lambda: sqrt(6) - sqrt(2) * sqrt(3), 0),
    (lambda: 2 / sqrt(2) - sqrt(2), 0),
    (lambda: root(fmpq(2, 3), fmpq(-1, 3)) - root(fmpq(3, 2), fmpq(1, 3)), 0),
    (lambda: logarithm_of(fmpq(8)) - 3 * logarithm_of(fmpq(2)), 0),
    (lambda: logarithm_of(fmpq(2, 3)) + logarithm_of(fmpq(3, 2)), 0),
    (lambda: power_of_e(fmpq(2)) * power_of_e(fmpq(-2)), 1),
    (lambda: root(pi_itself(), HALF) * root(pi_itself(), HALF) / pi_itself(), 1),
    (lambda: (sqrt(2) - 1) * (sqrt(2) + Fraction(1)), 1),
]


@pytest.mark.parametrize("k", range(len(CASES)))
def test_what_cancels_is_a_rational(k: int) -> None:
    found, truth = CASES[k][0](), CASES[k][1]
    assert isinstance(found, fmpq) and found == truth


def test_values_are_inside() -> None:
    found = (sqrt(2) + 1) * pi_itself() - logarithm_of(fmpq(20)) / 3
    assert isinstance(found, Irrational)
    assert abs(arb(found) - ((arb(2).sqrt() + 1) * arb.pi() - arb(20).log() / 3)) < arb(10) ** -12
    assert type(sqrt(2) + arb(1)) is arb and type(arb(1) / sqrt(2)) is arb and type(1 / (sqrt(2) + 1)) is arb


def test_nothing_finite_comes_of_a_division_by_zero() -> None:
    for nought in (0, fmpq(0), sqrt(2) - sqrt(2)):
        assert not (sqrt(2) / nought).is_finite()
    assert sqrt(2) + 0 == sqrt(2) and sqrt(2) * 0 == 0


def test_they_are_compared_by_their_values() -> None:
    assert 1 < sqrt(2) < Fraction(3, 2) and sqrt(2) >= sqrt(2) and not sqrt(2) > sqrt(2) and sqrt(2) <= sqrt(3)
    assert sqrt(2) == 2 * sqrt(fmpq(1, 2)) and hash(sqrt(2)) == hash(2 * sqrt(fmpq(1, 2))) and sqrt(2) != 1
    assert sorted([sqrt(3), 2, sqrt(2), Fraction(3, 2)]) == [sqrt(2), Fraction(3, 2), sqrt(3), 2]


def test_the_same_number_written_otherwise_is_not_compared() -> None:
    """37^2 has no factor that is looked for, so that its root is not seen to be 37."""
    for compare in (lambda: sqrt(37**2) > 37, lambda: sqrt(37**2) <= 37):
        with pytest.raises(Undecided):
            compare()

"""What moments of the loss bound beyond the end of a profile, against quadrature and by the laws of its lemmas."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.moments import Bound, Tail

ONE = Bound(Fraction(1, 3), Fraction(3, 2), Fraction(2, 5), Fraction(7), interval(Fraction(5, 4)))
OTHER = Bound(Fraction(2), Fraction(1, 2), Fraction(1, 10), Fraction(9, 2), interval(Fraction(1, 7)))
LAST = Fraction(3, 2)


def number(x: object) -> mpmath.mpf:
    return mpmath.mpf(str(x))


def exact(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


def holds(found: Interval, truth: mpmath.mpf) -> bool:
    """Whether the upper end is the truth, but for the rounding, and no less."""
    return bool(truth * (1 - mpmath.mpf(10) ** -25) <= number(found.hi) <= truth * (1 + mpmath.mpf(10) ** -25))


def log_moment(b: Bound, k: mpmath.mpf) -> mpmath.mpf:
    """m + the largest k (a + c sqrt(G)) - t G over G >= 0, where its slope in sqrt(G) is 0."""
    root = k * exact(b.c) / (2 * exact(b.t))
    return number(b.m.lo) + k * (exact(b.a) + exact(b.c) * root) - exact(b.t) * root**2


@pytest.fixture(autouse=True)
def many_digits() -> object:
    with mpmath.workdps(50):
        yield


@pytest.mark.parametrize("b", [ONE, OTHER])
@pytest.mark.parametrize("k", [Fraction(1, 2), Fraction(1), Fraction(4), Fraction(31, 3)])
def test_the_moment_of_a_loss_below_a_root(b: Bound, k: Fraction) -> None:
    assert holds(b.log_moment(k), log_moment(b, exact(k)))


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(2), Fraction(5), Fraction(12)])
def test_the_divergence_is_the_least_of_the_bounds(order: Fraction) -> None:
    k = exact(order) - 1
    each = [log_moment(b, k) / k for b in (ONE, OTHER)]
    assert holds(Tail([ONE, OTHER], LAST).divergence(order), min(each))
    assert holds(Tail([ONE], LAST).divergence(order), each[0])
    assert Tail([ONE, OTHER], LAST).divergence(order).lo == 0


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(3), Fraction(6)])
def test_a_share_bounds_that_of_every_larger_order(order: Fraction) -> None:
    tail = Tail([ONE, OTHER], LAST)
    share = number(tail.share(order).hi)
    for more in (0, Fraction(1, 100), 1, 7, 100, 10**6):
        larger = order + more
        assert number(tail.divergence(Fraction(larger)).hi) / exact(Fraction(larger)) <= share * (
            1 + mpmath.mpf(10) ** -25
        )
    k = exact(order) - 1
    at_once = [
        number(b.m.lo) / (k * (k + 1)) + exact(b.a) / (k + 1) + exact(b.c) ** 2 / (4 * exact(b.t)) for b in (ONE, OTHER)
    ]
    assert holds(tail.share(order), min(at_once))


def test_a_share_takes_no_profit_of_a_negative_mass() -> None:
    """m/(k (k + 1)) rises with k for m < 0: the bound for all larger orders has 0 in its place."""
    negative = Bound(Fraction(1), Fraction(1), Fraction(1), Fraction(1), interval(Fraction(-5)))
    assert holds(Tail([negative], LAST).share(Fraction(2)), mpmath.mpf(1) / 2 + mpmath.mpf(1) / 4)


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(4)])
def test_the_integral_beyond_the_last_point(order: Fraction) -> None:
    def integral(b: Bound) -> mpmath.mpf:
        size, k, n = mpmath.exp(log_moment(b, exact(b.k))), exact(b.k), exact(order)
        density = lambda x: mpmath.exp(-k * x) * (mpmath.exp((n - 1) * x) + mpmath.exp(-n * x))  # noqa: E731
        return size * mpmath.quad(density, [exact(LAST), 3, 10, 40, mpmath.inf])

    each = [integral(b) for b in (ONE, OTHER)]
    for bounds, truth in (([ONE], each[0]), ([ONE, OTHER], min(each))):
        found = number(Tail(bounds, LAST).moment(order).hi)
        assert abs(found / truth - 1) < mpmath.mpf(10) ** -12


def test_an_order_that_no_bound_reaches_is_refused() -> None:
    """E e^(k l) says nothing of E e^((L - 1) l) for L - 1 >= k."""
    assert Tail([ONE, OTHER], LAST).moment(Fraction(51, 10)).hi > 0
    for order in (Fraction(8), Fraction(9)):
        with pytest.raises(Rejected):
            Tail([ONE, OTHER], LAST).moment(order)

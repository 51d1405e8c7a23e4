"""Gaussian mu where losses have no bound (K279): the tail stays below h_mu, and what does not is refused."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import load_section
from dpverify.kernel.intervals import Interval, hull, interval, outward_arithmetic, outward_functions
from dpverify.kernel.sections.mills import below_gaussian, stays_below
from dpverify.kernel.sections.moments import Bound, Tail
from tests.profiles.test_certified_suprema import LIGHT, bounds, read
from tests.profiles.test_must_fail import refusal

MU, LAST = Fraction(2), Fraction(10)


def bound(a: str = "1", c: str = "1", t: str = "1/2", m: str = "3") -> Bound:
    outward_arithmetic()
    outward_functions()
    return Bound(Fraction(a), Fraction(c), Fraction(t), Fraction(1), interval(Fraction(m)))


def h(mu: mp.mpf, epsilon: mp.mpf) -> mp.mpf:
    """Balle and Wang (2018), Theorem 8."""
    near, far = (mp.erfc((epsilon / mu + part * mu / 2) / mp.sqrt(2)) / 2 for part in (-1, 1))
    return near - mp.exp(epsilon) * far


def test_a_bound_that_stays_below_does_so_at_every_eps_beyond() -> None:
    held = bound()
    assert stays_below(held, MU, LAST)
    with mp.workdps(60):
        for e in map(mp.mpf, (10, 11, 14, 20, 50, 100)):
            steep = mp.mpf(2) * held.t.numerator / held.t.denominator
            assert mp.exp(3 - steep * (e - 1) ** 2 / 2) <= h(mp.mpf(2), e)


@pytest.mark.parametrize("other", [{"m": "60"}, {"c": "3"}, {"a": "10"}, {"a": "9"}, {"t": "1/9"}])
def test_a_bound_that_does_not_stay_below_is_no_proof(other: dict[str, str]) -> None:
    """Too large at eps, falling more slowly than h_mu, or not yet falling fast enough."""
    assert not stays_below(bound(**other), MU, LAST)
    with pytest.raises(Rejected):
        below_gaussian(Tail([bound(**other)], LAST), MU)


def test_an_eps_below_the_middle_is_no_place_to_begin() -> None:
    assert not stays_below(bound(a="0"), MU, MU**2 / 2)


def steep(b: str, a: str, c: str, m: Interval) -> Bound:
    """A bound with b = 2t/c^2."""
    return Bound(Fraction(a), Fraction(c), Fraction(b) * Fraction(c) ** 2 / 2, Fraction(1), m)


def most(mu: Fraction, epsilon: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """The m of the lemma at which the gap of the logarithms is 0 at this eps."""
    with mp.workdps(80):
        x, z, level, b, ahead = (
            mp.mpf(q.numerator) / q.denominator
            for q in (epsilon / mu - mu / 2, epsilon / mu + mu / 2, mu, b, epsilon - a)
        )
        gap = mp.log(mp.npdf(x) * level / (z * z + 3)) + b * ahead**2 / 2
        return Fraction(mp.nstr(gap, 60))


TINY = Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("mu", "epsilon", "a", "b", "c"),
    [("3", "7", "13/2", "187/207", "4/5"), ("1/2", "1", "1/2", "20", "3/2"), ("3", "7", "1", "1/9", "2")],
)
def test_the_gap_at_the_last_point(mu: str, epsilon: str, a: str, b: str, c: str) -> None:
    """By 1e-40 below 0 it is refused, also where m may be larger; the first rises at the rate 0, the last b = 1/mu^2.

    The first has x = 5/6 and eps - a = 1/2, and 187/207 (eps - a) = x/mu + 2/(mu z).
    """
    level, last = Fraction(mu), Fraction(epsilon)
    edge = most(level, last, Fraction(a), Fraction(b))
    below, above = interval(edge - TINY), interval(edge + TINY)
    assert stays_below(steep(b, a, c, below), level, last)
    for m in (above, hull(below, above)):
        assert not stays_below(steep(b, a, c, m), level, last)


@pytest.mark.parametrize(
    ("mu", "epsilon", "a", "b"),
    [
        ("3", "7", "13/2", Fraction(187, 207) - TINY),
        ("3", "7", "1", Fraction(1, 9) - TINY),
        ("3", "9/2", "0", Fraction(1)),
        ("3", "1", "0", Fraction(9)),
        ("3", "7", "7", Fraction(9)),
        ("3", "7", "8", Fraction(9)),
    ],
)
def test_a_tail_that_is_small_but_may_fall_more_slowly(mu: str, epsilon: str, a: str, b: Fraction) -> None:
    """By 1e-40: the slope of the gap is below 0, or b below 1/mu^2; or eps is below mu^2/2 or below a."""
    assert not stays_below(steep(str(b), a, "1", interval(-1000)), Fraction(mu), Fraction(epsilon))


def test_one_bound_that_stays_below_is_enough() -> None:
    below_gaussian(Tail([bound(), bound(m="60")], LAST), MU)


def test_the_mu_claimed_is_large_enough_and_no_larger_than_a_point_needs() -> None:
    """g(r) = r^(5/4), Delta/sigma = 1/2: delta(eps) by incomplete gamma functions, at its points and beyond."""
    low, high = bounds(read(LIGHT), "Gaussian mu")
    with mp.workdps(40):
        least, most = (mp.mpf(x.numerator) / x.denominator for x in (low, high))
        power, half = mp.mpf(5) / 4, mp.mpf(1) / 2
        exceeded = False
        for level in (mp.mpf(k) / 8 for k in range(6, 20)):
            edge = mp.findroot(lambda r, e=level: (r + half) ** power - r**power - e, (0.01, 4000), solver="anderson")
            near, far = (mp.gammainc(1 / power, x**power) for x in (edge, edge + half))
            delta = (near - mp.exp(level) * far) / (2 * mp.gamma(1 / power))
            assert delta <= h(most, level), level
            exceeded = exceeded or delta > h(least, level)
        points = read(LIGHT)["claim"]["points"]
        known = [(Fraction(p["epsilon"]), Fraction(p["delta"]["upper"])) for p in points]
        exceeded = exceeded or any(
            mp.mpf(d.numerator) / d.denominator > h(least, mp.mpf(e.numerator) / e.denominator) for e, d in known
        )
        assert exceeded


@pytest.mark.slow
def test_a_smaller_mu_is_refused() -> None:
    forged = read(LIGHT)
    (value,) = (m["value"] for m in forged["claim"]["measures"] if m["name"] == "Gaussian mu")
    value["upper"] = value["lower"]
    assert refusal(forged) == "K232"


@pytest.mark.slow
def test_without_the_rule_there_is_no_mu() -> None:
    load_section("mills")
    forged = read(LIGHT)
    del forged["rules"]["mills"]
    assert refusal(forged) == "rules"

"""Gaussian mu where losses have no bound (K279): the tail stays below h_mu, and what does not is refused."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import load_section
from dpverify.kernel.intervals import interval, outward_arithmetic, outward_functions
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

"""What is a Gaussian by its form, and its profile and measures to the last digit (K163, K245)."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.gaussians import beyond, of_gaussian
from dpverify.kernel.sections.measures import ERROR
from dpverify.kernel.sections.normal import normal, rate
from tests.kernel.problems import tree
from tests.profiles.panel import number, refused

Q = Fraction

RATES = {
    "exp(-r**2)": "1",
    "3*exp(-2*r**2)": "2",
    "exp(-r**2)*exp(-r**2/3)": "4/3",
    "pi**(-1/2)*exp(-r**2/7)": "1/7",
    "2**(1/2)*pi*exp(-2*y)": "2",
    "exp(2*r**2)": "-2",
    "2**(1/2)": "0",
    "pi": "0",
}
OTHERS = [
    *("r", "r**2", "r*exp(-r**2)", "r**2*exp(-r**2)", "(1+r)**2*exp(-r**2)", "Max(1, r)*exp(-r**2)"),
    *("exp(-r)", "exp(-r**3)", "exp(-2*r**3)", "exp(-2*(1+r)**2)", "exp(-2*exp(r))", "exp(-2*r)"),
    *("exp(r**2-2)", "exp(Max(-2, r**2))", "exp(2**(1/2))", "exp(-pi*r**2)", "exp(pi*r**2)", "exp(-2*pi*r**2)"),
]


def gaussian(text: str, shift: str = "1") -> Any:
    return SimpleNamespace(tree=tree(text), delta=Q(shift))


@pytest.mark.parametrize("text", [*RATES, *OTHERS])
def test_the_rate_of_a_gaussian_by_its_form(text: str) -> None:
    """k of c exp(-k r^2); what is not of that form, or another function, has none."""
    assert rate(tree(text)) == (Q(RATES[text]) if text in RATES else None)


@pytest.mark.parametrize("text", ["exp(-r)", "2", "exp(2*r**2)"])
def test_what_does_not_fall_like_a_gaussian_has_no_closed_forms(text: str) -> None:
    refused(lambda: normal(gaussian(text), interval(1)), "not seen to be a Gaussian")
    refused(lambda: of_gaussian(gaussian(text), [], {"normal": []}), "not seen to be a Gaussian")


@pytest.mark.parametrize("epsilon", ["1/3", "1", "9"])
def test_a_profile_lies_strictly_between_its_ends(epsilon: str) -> None:
    """Theorem 8 of Balle and Wang (2018), t = 3/2: some number of sixty digits is below, another above."""
    low, high = normal(gaussian("exp(-9*r**2/8)"), interval(Q(epsilon)))
    with mp.workdps(120):
        e, t = number(Q(epsilon)), mp.mpf(3) / 2
        near, far = (mp.erfc((e / t + part * t) / mp.sqrt(2)) / 2 for part in (-mp.mpf(1) / 2, mp.mpf(1) / 2))
        exact = near - mp.exp(e) * far
        assert number(low) < exact < number(high) < number(low) + mp.mpf(10) ** -50


def measured(errors: list[tuple[Fraction, Fraction, Fraction]], levels: list[Fraction]) -> None:
    """The type II errors claimed: at which x, and between which bounds; m = 3/2."""
    claimed = [{"name": ERROR, "at": str(x), "value": {"lower": str(a), "upper": str(b)}} for x, a, b in errors]
    of_gaussian(gaussian("exp(-9*r**2/8)"), claimed, {"normal": [str(level) for level in levels]})


def middle(x: Interval) -> Fraction:
    return (Q(x.lo) + Q(x.hi)) / 2


def test_type_ii_errors_lie_between_the_levels_and_as_claimed() -> None:
    """Phi(-z) on either side of x, and Phi(z - m) within the bounds, by more than they are rounded."""
    first, last, x = Q(3, 5), Q(4, 5), Q(1, 4)
    low, high = (beyond(interval(Q(3, 2) - z)) for z in (first, last))
    good = (x, Q(low.lo) / 2, 2 * Q(high.hi))
    measured([good], [first, last])
    measured([good, (Q(1, 5), *good[1:])], [first, last, Q(4, 5), Q(9, 10)])
    measured([(x, Q(low.lo), Q(high.hi))], [first, last])
    at_levels = [(middle(beyond(interval(level))), *good[1:]) for level in (first, last)]
    beyond_ends = [(Q(at), *good[1:]) for at in ("0", "1", "-1/4", "5/4")]
    rounded = [(middle(low), good[2]), (middle(high), good[2]), (good[1], middle(high)), (good[1], middle(low))]
    for errors, levels, why in (
        *((error, [first, last], "either side") for error in at_levels),
        *((error, [Q(-9), Q(9)], "either side") for error in beyond_ends),
        *(((x, *bounds), [first, last], "between its bounds") for bounds in rounded),
    ):
        with pytest.raises(Rejected, match=why):
            measured([errors], levels)

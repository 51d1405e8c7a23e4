"""Rough bounds: the pure epsilon's against sums and closed forms, one set's against narrow ones; forgeries refused."""

from __future__ import annotations

import copy
import math
import random
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.sections.rough import randomised
from dpverify.profiles.randomised import Randomised
from dpverify.profiles.result import Enclosed
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile, nearly
from dpverify.prover.profile.divergence import Divergence
from tests.command import run
from tests.profiles.references import laplace
from tests.profiles.test_must_fail import read, refusal

for section in SECTIONS:
    load_section(section)
HALF = Fraction(1, 2)


class Level:
    """As much of the kernel's noise as the bound looks at."""

    def __init__(self, epsilon: Fraction) -> None:
        from dpverify.kernel.intervals import interval

        self.level, self.growth = epsilon, interval(epsilon).exp()


def bound(pure: Fraction, epsilon: Fraction) -> float:
    return float(randomised(Level(epsilon), pure).hi)  # type: ignore[arg-type]


@pytest.mark.parametrize(("pure", "epsilon"), [("1", "0"), ("1", "1/2"), ("2", "1"), ("1/10", "1/20"), ("3", "3")])
def test_randomised_response_attains_the_bound(pure: str, epsilon: str) -> None:
    """Its laws are (e, 1)/(1 + e) and (1, e)/(1 + e), e = e^e0."""
    e = math.exp(Fraction(pure))
    attained = max(0.0, e - math.exp(Fraction(epsilon))) / (1 + e)
    assert bound(Fraction(pure), Fraction(epsilon)) == pytest.approx(attained, rel=1e-12, abs=1e-15)


def test_no_pair_of_laws_with_such_losses_exceeds_it() -> None:
    rnd = random.Random(1)
    for _ in range(300):
        p = [rnd.random() for _ in range(rnd.randint(2, 6))]
        q = [x * math.exp(rnd.uniform(-1, 1)) for x in p]
        p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
        pure = Fraction(max(abs(math.log(x / y)) for x, y in zip(p, q, strict=True)))
        epsilon = pure * Fraction(rnd.random())
        delta = sum(max(0.0, x - math.exp(epsilon) * y) for x, y in zip(p, q, strict=True))
        assert delta <= bound(pure, epsilon) + 1e-12


def test_an_eps_beyond_the_bound_is_not_its_business() -> None:
    with pytest.raises(Rejected):
        bound(Fraction(1), Fraction(2))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "d"), [("exp(-r)", 1), ("exp(-sqrt(1+y))", 3), ("exp(-Abs(r-2))", 1), ("exp(-Abs(r-2))", 3)]
)
def test_a_rough_enclosure_contains_the_narrow_one(text: str, d: int) -> None:
    rough = dpverify.profile(text, dimension=d, epsilon=HALF, roughly=True, certificate=True)
    narrow = dpverify.profile(text, dimension=d, epsilon=HALF)
    assert rough.verdict == "proved" and rough.certificate is not None
    wide, delta = rough.points[0].delta, narrow.points[0].delta
    assert isinstance(wide, Enclosed) and isinstance(delta, Enclosed)
    assert wide.lower <= delta.lower <= delta.upper <= wide.upper < Fraction(1, 3)


def test_a_quantile_from_the_pure_epsilon() -> None:
    """(e - e^eps)/(1 + e) is 1/10 at eps = log(9 e/10 - 1/10); Laplace's own is 1 + 2 log(9/10)."""
    found = dpverify.profile("exp(-r)", delta="1/10", roughly=True, certificate=True)
    epsilon = found.points[0].epsilon
    assert isinstance(epsilon, Enclosed) and found.certificate is not None
    assert float(epsilon.upper) == pytest.approx(math.log(0.9 * math.e - 0.1), rel=1e-9)
    assert epsilon.lower <= Fraction(1 + 2 * math.log(0.9)) <= epsilon.upper


def test_a_delta_that_is_always_reached() -> None:
    """(e - 1)/(1 + e) = 0.46..., so that eps(1/2) is 0."""
    epsilon = dpverify.profile("exp(-r)", delta="1/2", roughly=True).points[0].epsilon
    assert isinstance(epsilon, Enclosed) and epsilon.upper < Fraction(1, 10**6)


class Blind(Profile):
    """A prover that encloses no integral."""

    def at(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))


def test_where_no_width_comes_off_the_pure_epsilon_remains() -> None:
    problem = Problem(lower(Generator("exp(-sqrt(1+y))", 1).expression), 1, Fraction(1))
    found = Blind(problem, (Fraction(1), Fraction(1))).nearly(HALF, Fraction(1, 10**9))
    assert found.rough is not None and found.lower == 0
    assert float(found.upper) == pytest.approx((math.e - math.exp(0.5)) / (1 + math.e), rel=1e-12)
    ends = nearly(Blind(problem, (Fraction(1), Fraction(1))), Fraction(1, 10), Fraction(1, 10**9))
    assert [x.epsilon < 1 for x in ends] == [True, True] and ends[1].upper <= Fraction(1, 10)


def test_without_a_pure_epsilon_it_stays_open() -> None:
    problem = Problem(lower(Generator("exp(-y)*(1+r)", 1).expression), 1, Fraction(1))
    with pytest.raises(Undecided):
        Blind(problem, None).nearly(HALF, Fraction(1, 10**9))
    with pytest.raises(Undecided):
        nearly(Blind(problem, None), Fraction(1, 10), Fraction(1, 10**9))


def test_on_the_command_line() -> None:
    told = run("profile", "exp(-r)", "--epsilon", "1/2", "--roughly")
    assert told.returncode == 0 and "between 0 and 0.2877" in told.stdout
    assert laplace("1/2") < 0.2877


def test_a_time_limit_has_to_be_one() -> None:
    with pytest.raises(InputError):
        dpverify.profile("exp(-r)", epsilon=1, timeout="-1")


def forged(name: str, change: Any) -> str:
    certificate = copy.deepcopy(read(name))
    change(certificate["claim"], certificate["proof"]["profile"]["points"][0]["rough"])
    return refusal(certificate)


def test_a_smaller_pure_epsilon_is_refused() -> None:
    assert forged("roughly", lambda claim, how: how.update(pure="999/1000"))
    assert forged("roughly", lambda claim, how: how.update(pure="1/3"))


def test_a_smaller_delta_is_refused() -> None:
    assert forged("roughly", lambda claim, how: claim["points"][0]["delta"].update(upper="2876/10000"))
    assert forged("roughly-ring", lambda claim, how: claim["points"][0]["delta"].update(upper="8743/10000"))


def test_a_larger_lower_bound_is_refused() -> None:
    assert forged("roughly-ring", lambda claim, how: claim["points"][0]["delta"].update(lower="4/5"))
    assert forged("roughly", lambda claim, how: claim["points"][0]["delta"].update(lower="1/100"))


def test_a_shift_that_no_neighbours_have_is_refused() -> None:
    assert forged("roughly-ring", lambda claim, how: how["set"].update(shift="7/2"))
    assert forged("roughly-ring", lambda claim, how: how["set"].update(shift="0"))


def test_a_set_of_one_shift_bounds_nothing_from_above() -> None:
    assert forged("roughly-ring", lambda claim, how: how.pop("pure"))


def test_a_bound_that_rests_on_nothing_is_refused() -> None:
    assert forged("roughly", lambda claim, how: how.clear())
    assert forged("roughly", lambda claim, how: how.update(other="1"))


RESPONSE = [math.e / (1 + math.e), 1 / (1 + math.e)]


@pytest.mark.parametrize("order", ["1/2", "1", "3/2", "10"])
def test_divergences_of_randomised_response(order: str) -> None:
    p, q, x = RESPONSE, RESPONSE[::-1], float(Fraction(order))
    if x == 1:
        exact = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    else:
        exact = math.log(sum(a**x * b ** (1 - x) for a, b in zip(p, q, strict=True))) / (x - 1)
    found = Randomised(Fraction(1)).renyi(Fraction(order))
    assert found.lower == 0 and float(found.upper) == pytest.approx(exact, rel=1e-12)
    assert exact / x <= float(Randomised(Fraction(1)).zcdp().upper)


def test_errors_of_tests_of_randomised_response() -> None:
    """The best tests are mixtures of those that reject everything, nothing, or the one answer."""
    corners = [(0.0, 1.0), (RESPONSE[1], RESPONSE[1]), (1.0, 0.0)]
    mu = float(Randomised(Fraction(1)).gdp().upper)
    for k in range(1, 20):
        x = k / 20
        left, right = corners[:2] if x < corners[1][0] else corners[1:]
        exact = left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0])
        found = Randomised(Fraction(1)).tradeoff(Fraction(k, 20))
        assert float(found.lower) == pytest.approx(exact, rel=1e-9) and found.upper == 1 - Fraction(k, 20)
        gaussian = float(mp.ncdf(-mp.sqrt(2) * mp.erfinv(2 * x - 1) - mu))
        assert gaussian <= exact + 1e-12
    touching = float(mp.ncdf(-mp.sqrt(2) * mp.erfinv(2 * RESPONSE[1] - 1) - mu))
    assert touching == pytest.approx(RESPONSE[1], rel=1e-9)


@pytest.mark.slow
def test_measures_of_an_f_that_rises_are_bounded() -> None:
    found = dpverify.profile("exp(-Abs(r-2))", renyi="2", zcdp=True, gdp=True, tradeoff="1/4")
    values = [m.value for m in found.measures]
    assert found.verdict == "proved" and all(isinstance(x, Enclosed) for x in values)
    p, q = RESPONSE, RESPONSE[::-1]
    assert values[0] is not None and float(values[0].upper) == pytest.approx(
        math.log(sum(a * a / b for a, b in zip(p, q, strict=True))), rel=1e-9
    )


def test_a_rough_measure_contains_the_narrow_one() -> None:
    """Kullback's divergence of Laplace noise is 1 - 1 + e^-1."""
    (rough,) = dpverify.profile("exp(-r)", renyi="1", roughly=True).measures
    assert rough.value is not None and rough.value.lower <= Fraction(math.exp(-1)) <= rough.value.upper < Fraction(1, 2)

"""An epsilon that is one number is claimed as that number, and no claim below it is accepted."""

from __future__ import annotations

import copy
from fractions import Fraction

import pytest

from dpverify import calibrate, check, verify
from dpverify.kernel import FORMAT, VERSION
from dpverify.serialise import digest


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize(
    ("generator", "sensitivity", "scale", "epsilon"),
    [
        ("laplace", "1", "1", "1"),
        ("laplace", "3", "4", "3/4"),
        ("exp(-2*r)", "1", "1", "2"),
        ("exp(-sqrt(1+y))", "1", "1", "1"),  # a limit that is not attained
        ("exp(-floor(r))", "1", "1", "1"),
        ("exp(-Max(r,2*r-3))", "1", "1", "2"),
    ],
)
def test_a_level_or_linear_loss_is_claimed_exactly(generator: str, sensitivity: str, scale: str, epsilon: str) -> None:
    found = verify(generator, sensitivity=sensitivity, scale=scale).epsilon
    assert found is not None and found.lower == found.upper == Fraction(epsilon)
    assert found <= Fraction(epsilon) and not found < Fraction(epsilon)


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize(
    ("generator", "dimension", "sensitivity", "scale", "epsilon"),
    [
        ("exp(-Abs(r-2))", 1, "1", "1", "1"),
        ("exp(-Abs(r-2))", 3, "5/3", "1", "5/3"),
        ("exp(-Abs(r-2)/3)", 2, "1", "1", "1/3"),
        ("exp(-Abs(r-2)/3)", 1, "1", "7", "1/21"),
        ("exp(-Abs(r-sqrt(2)))", 1, "1", "1", "1"),
        ("exp(-Max(r, 2-r))", 4, "1", "1", "1"),
        ("exp(-Max(1-r, (r-1)/2))", 1, "1", "1", "1"),  # approached beside the centre, where the slope ends after 1
        ("exp(-Abs(r-1)/2-r/2)", 2, "1", "1", "1"),
        ("exp(-r/3-Abs(r-1)/7)", 1, "1", "1", "10/21"),
        ("exp(-sqrt(1+(r-2)**2)/3)", 1, "1", "1", "1/3"),  # a limit that is not attained
        ("exp(-Piecewise(((r-2)**2/2, Abs(r-2)<1), (Abs(r-2)-1/2, True)))", 2, "1", "1", "1"),
        ("Piecewise((exp(-r**2/2), r<1), (exp(1/2-r), True))", 3, "1", "1", "1"),
        ("exp(-Abs(Abs(r-3)-1))", 1, "1/3", "1", "1/3"),
        ("exp(-Max(6-3*r, r-2))", 2, "1/2", "1", "3/2"),
    ],
)
def test_the_steepest_slope_of_g_kept_up_over_delta_is_claimed_exactly(
    generator: str, dimension: int, sensitivity: str, scale: str, epsilon: str
) -> None:
    """epsilon is that slope times Delta/sigma: no less where it is kept up, no more since none is steeper."""
    result = verify(generator, dimension=dimension, sensitivity=sensitivity, scale=scale)
    assert result.epsilon is not None and check(result.certificate)
    assert result.epsilon.lower == result.epsilon.upper == Fraction(epsilon)


@pytest.mark.parametrize("steep", ["exp(-Abs(r-2)-Max(0, Min(r-3, 1/2)))", "exp(-Abs(r-2))*(1+1/(1+exp(20*(r-3))))"])
def test_a_slope_that_is_not_kept_up_over_delta_is_no_epsilon(steep: str) -> None:
    """g climbs by more than 1 on a short way alone: epsilon lies between 1 and the steepest slope."""
    epsilon = verify(steep).epsilon
    assert epsilon is not None and Fraction("1.4") < epsilon.lower and epsilon.upper < 2


def test_laplace_calibrated_to_1_has_scale_1() -> None:
    found = calibrate("laplace", epsilon=1)
    assert found.upper == 1 and found.lower < 1


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_an_exact_claim_that_is_not_so_is_refused(end: str) -> None:
    certificate = copy.deepcopy(dict(verify("laplace").certificate or {}))
    assert (certificate["format"], certificate["version"]) == (FORMAT, VERSION)
    wrong = Fraction(1) + Fraction(1 if end == "lower" else -1, 10**15)
    certificate["claim"]["epsilon"][end] = str(wrong)
    certificate["digest"] = digest(certificate)
    assert not check(certificate)


def test_increments_near_zero_do_not_hide_a_drop_at_the_centre() -> None:
    """f falls from 3 to 1 just beyond 0: the loss there is log 3 more than the slopes say."""
    found = verify("exp(-r)*(1+2*exp(-1000*r))").epsilon
    assert found is not None
    assert found.lower > 2 and found.upper < Fraction("2.0987")  # 1 + log 3, approached

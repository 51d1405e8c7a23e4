"""Infinite dimension: the mean over V of the Gaussian's profile."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

import dpverify
from dpverify.errors import InputError
from tests.profiles import references
from tests.profiles.test_closed_forms import holds, narrow


def test_one_atom_is_the_gaussian_and_two_are_its_mean() -> None:
    found = dpverify.profile(mixing="1: 1", dimension="infinity").delta
    with pytest.raises(dpverify.DpverifyError):
        found("1")
    one = dpverify.profile(mixing="1: 1", dimension="infinity", epsilon="1").points[0].delta
    two = dpverify.profile(mixing="1/4: 1, 3/4: 2", dimension="infinity", epsilon="1").points[0].delta
    with mp.workdps(60):
        assert holds(one, references.gaussian("1"))
        assert holds(two, references.gaussian("1") / 4 + references.gaussian("1", "0.5") * 3 / 4)


@pytest.mark.slow
@pytest.mark.parametrize("shift", ["1", "3"])
def test_a_density_of_v_by_quadrature(shift: str) -> None:
    """V = Rayleigh, so that X is the Laplace motion: V^2/2 is exponential."""
    found = dpverify.profile(
        mixing="v*exp(-v**2/2)", dimension="infinity", sensitivity=shift, epsilon="1", tolerance="1e-12"
    )
    delta = found.points[0].delta
    with mp.workdps(30):
        mean = lambda v: v * mp.exp(-v * v / 2) * references.gaussian("1", mp.mpf(shift) / v)  # noqa: E731
        exact = mp.quad(mean, [0, 0.1, 0.5, 1, 2, 4, 8, 16])
    assert found.verdict == "proved" and narrow(delta, Fraction(1, 10**12)) and holds(delta, exact, "1e-20")


@pytest.mark.slow
def test_finite_dimensions_lie_below_and_rise() -> None:
    """Student's t with 3 degrees of freedom: V^2 = 3 / chi^2_3, so V has density v^-4 exp(-3/(2 v^2))."""
    limit = dpverify.profile(mixing="v**(-4)*exp(-3/(2*v**2))", dimension="infinity", epsilon="1/2").points[0].delta
    t = {"parameters": {"nu": 3}, "epsilon": "1/2"}
    finite = [dpverify.profile("student_t", dimension=d, **t).points[0].delta for d in (1, 5, 50)]
    assert all(a.upper < b.lower for a, b in zip([*finite], [*finite[1:], limit], strict=True))
    assert (limit.lower - finite[-1].upper) / limit.lower < Fraction(1, 10)


def test_what_it_is_not_for() -> None:
    for arguments in ({"generator": "gaussian"}, {"mixing": "1: 1", "delta": "1e-5"}):
        with pytest.raises(InputError):
            dpverify.profile(dimension="infinity", epsilon="1", **arguments)
    found = dpverify.profile(mixing="1/v", dimension="infinity", epsilon="1")
    assert found.verdict == "invalid" and not found.points

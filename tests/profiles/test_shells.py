"""The largest loss on a shell (K278): what the checker finds of it, where it may be used, and what the prover finds
with it far beyond almost all of the mass."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

import dpverify
from dpverify import kernel
from dpverify.kernel.sections import profiles
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.steps import Steps
from dpverify.profiles import Enclosed
from tests.profiles.test_must_fail import read, refusal

STRETCHED = "lighter-than-exponential"
POWER, SHIFT = mp.mpf(5) / 4, mp.mpf(1) / 2


def noise() -> Noise:
    """Of g(r) = r^(5/4) in one dimension, Delta/sigma = 1/2."""
    certificate = read(STRETCHED)
    for section in certificate["rules"]:
        if section != "core":
            kernel.certificate.load_section(section)
    _, proof, _ = profiles.opened(certificate["claim"], Steps(certificate["proof"]))
    return Noise(proof.problem, 12, Fraction(1))


@pytest.mark.parametrize(("a", "b"), [("0", "1/100"), ("1/1000", "1/10"), ("1/3", "3"), ("7", "8")])
def test_it_is_what_g_rises_by_from_the_inner_to_the_outer_radius_and_a_shift(a: str, b: str) -> None:
    low, high = Fraction(a), Fraction(b)
    found = noise().largest(low, high)
    with mp.workdps(30):
        exact = (mp.mpf(high.numerator) / high.denominator + SHIFT) ** POWER
        exact -= (mp.mpf(low.numerator) / low.denominator) ** POWER
        assert exact <= mp.mpf(str(found.hi)) <= exact + mp.mpf("1e-12")
    assert not found.lo.is_finite()


@pytest.mark.slow
def test_a_proof_that_needs_it_and_does_not_list_it_is_refused() -> None:
    certificate = read(STRETCHED)
    del certificate["rules"]["shells"]
    assert refusal(certificate) == "K161"


def test_a_proof_that_only_used_it_is_replayed_without_it_as_it_was_before() -> None:
    certificate = read("incomplete-gamma")
    assert certificate["rules"].pop("shells") == ["K278"]
    assert refusal(certificate) == ""


def test_a_proof_about_an_f_that_rises_has_no_use_for_it() -> None:
    certificate = read("shell")
    assert certificate["claim"]["theorem"] != "Theorem B"
    certificate["rules"]["shells"] = ["K278"]
    assert refusal(certificate) == "rules"


@pytest.mark.slow
def test_points_inside_that_are_left_out_where_their_loss_exceeds_eps() -> None:
    """The first mark moved out so far that points within it belong to S."""
    certificate = read(STRETCHED)
    step = certificate["proof"]["profile"]["points"][0]
    for side in ("left", "right"):
        kept = [x for x in step[side] if Fraction(x) > Fraction(1, 16)]
        step[side], step[f"{side}_sets"] = ["1/16", *kept], step[f"{side}_sets"][-len(kept) :]
    assert refusal(certificate) == "K161"


@pytest.mark.parametrize("epsilon", ["2", "8"])
def test_delta_far_beyond_almost_all_of_the_mass(epsilon: str) -> None:
    """g(r) = r^(3/2), Delta/sigma = 1: S is {x < -R} with g(R + 1) - g(R) = eps, and delta(8) is below 1e-67."""
    found = dpverify.profile("exp(-y**(3/4))", epsilon=epsilon).points[0].delta
    assert isinstance(found, Enclosed)
    with mp.workdps(30):
        level, power = mp.mpf(epsilon), mp.mpf(3) / 2
        edge = mp.findroot(lambda r: (r + 1) ** power - r**power - level, (mp.mpf(1), mp.mpf(40)), solver="anderson")
        near, far = (mp.gammainc(1 / power, x**power) for x in (edge, edge + 1))
        exact = (near - mp.exp(level) * far) / (2 * mp.gamma(1 / power))
        low, high = (mp.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
        assert low <= exact * (1 + mp.mpf("1e-20")) and exact * (1 - mp.mpf("1e-20")) <= high
        assert high - low <= low * mp.mpf("1e-9")

"""Divergences, errors of tests and mu that a certificate claims: closed forms, and forged ones."""

from __future__ import annotations

import json
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify import kernel
from dpverify.kernel import rules
from dpverify.kernel.steps import Steps
from tests.profiles.test_must_fail import GALLERY, refusal

CODES = {"Renyi divergence": "K230", "type II error": "K231", "Gaussian mu": "K232"}


def read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / "laplace-measures.json").read_text())
    return found


def code(claim: dict[str, Any]) -> str:
    """That with which the kernel refuses what the claim says of measures; "" where it does not."""
    for section in ("profiles", "measures"):
        kernel.certificate.load_section(section)
    try:
        rules.BROUGHT["measures from a profile"](claim, SimpleNamespace(steps=Steps({})))
    except rules.Rejected as error:
        return error.code
    return ""


def exact(name: str, at: str | None) -> mp.mpf:
    """For Laplace noise with Delta/b = 1: Mironov (2017), and Dong, Roth and Su (2022)."""
    if name == "Gaussian mu":
        return mp.findroot(lambda m: mp.erf(m / 2 / mp.sqrt(2)) - 1 + mp.exp(mp.mpf(-1) / 2), 1)
    x = mp.mpf(Fraction(at or "0").numerator) / Fraction(at or "0").denominator
    if name == "type II error":
        return 1 / (4 * mp.e * x)
    return mp.log(x / (2 * x - 1) * mp.exp(x - 1) + (x - 1) / (2 * x - 1) * mp.exp(-x)) / (x - 1)


def test_what_is_claimed_holds_the_closed_forms() -> None:
    measures = read()["claim"]["measures"]
    assert {m["name"] for m in measures} == set(CODES)
    for m in measures:
        low, high = (
            mp.mpf(Fraction(m["value"][end]).numerator) / Fraction(m["value"][end]).denominator for end in m["value"]
        )
        assert low <= exact(m["name"], m["at"]) <= high <= low * mp.mpf("1.01")


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_measure_that_is_better_or_worse_than_what_is_shown(end: str) -> None:
    """Its bound moved inward by one part in 1e9, and beyond the exact value."""
    for k, measure in enumerate(read()["claim"]["measures"]):
        value = Fraction(measure["value"][end])
        sign = 1 if end == "lower" else -1
        moved = [value * (1 + sign * Fraction(1, 10**9))] if measure["name"] != "Gaussian mu" else []
        beyond = Fraction(str(mp.nstr(exact(measure["name"], measure["at"]), 12))) * (1 + sign * Fraction(1, 10**6))
        for other in [*moved, beyond]:
            forged = read()["claim"]
            ends = forged["measures"][k]["value"]
            ends[end] = str(other)
            if Fraction(ends["lower"]) > Fraction(ends["upper"]):
                ends["lower" if end == "upper" else "upper"] = str(other)
            assert code(forged) == CODES[measure["name"]]


def test_an_order_from_elsewhere_or_a_name_or_place_that_is_none() -> None:
    assert not code(read()["claim"])
    for k, change in ((0, {"at": "3"}), (0, {"at": "0"}), (0, {"at": "-1"}), (0, {"at": None}), (2, {"at": "1/5"})):
        forged = read()["claim"]
        forged["measures"][k] |= change
        assert code(forged), change
    for change in ({"name": "zCDP rho"}, {"name": "rho"}, {"at": "1"}, {"more": "1"}):
        forged = read()["claim"]
        forged["measures"][-1] |= change
        assert code(forged), change
    forged = read()["claim"]
    forged["measures"] = []
    assert code(forged) == "format"


def test_a_profile_without_its_beginning_or_its_end() -> None:
    """Without the last point nothing is known beyond, without the first nothing before."""
    for place in (0, -1):
        forged = read()["claim"]
        del forged["points"][place]
        assert code(forged) == "claim"


def test_lines_need_every_point() -> None:
    """A chord across a point that is left out is too high, and so are the measures claimed too narrow."""
    forged = read()["claim"]
    del forged["points"][3]
    assert code(forged) == "K230"


@pytest.mark.slow
def test_the_whole_certificate_with_a_forged_measure() -> None:
    certificate = read()
    certificate["claim"]["measures"][0]["at"] = "3"
    assert refusal(certificate) == "K230"


ALONE = [("exp(-y/2)", 0.5, 1), pytest.param("exp(-r)", 0.36787944117, 201, marks=pytest.mark.campaign)]


@pytest.mark.parametrize(("text", "exact", "points"), ALONE)
def test_a_certificate_of_measures_alone_carries_a_point_of_a_gaussian_or_the_whole_profile(
    text: str, exact: float, points: int
) -> None:
    """rho of a Gaussian is mu^2/2, of Laplace noise 1/e, and the kernel says so."""
    found = dpverify.profile(text, zcdp=True, certificate=True)
    assert found.certificate is not None and len(found.points) == points
    (claimed,) = dpverify.check(found.certificate).claim["measures"]
    low, high = (float(Fraction(claimed["value"][end])) for end in ("lower", "upper"))
    assert low <= exact * (1 + 1e-10) and exact * (1 - 1e-10) <= high <= low * 1.001

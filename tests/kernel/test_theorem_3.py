"""Theorem 3 replayed: the loss is bounded near the centre and on every box, and what does not say so is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.theorem_3 import climb_from_zero, loss_from_centre

GALLERY = Path(__file__).parents[2] / "certificates"
for section in SECTIONS:
    load_section(section)


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / f"{name}.json").read_text())
    return found


def refused(certificate: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        check_bytes(json.dumps({**certificate, "digest": digest(certificate)}).encode())


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        ("exp(-y**2)", lambda r: (1 + r) ** 4 - r**4),
        ("(1+r)**(-7)", lambda r: 7 * mpmath.log((2 + r) / (1 + r))),
        ("exp(-r)*(1+y)", lambda r: 1 - mpmath.log((1 + (1 + r) ** 2) / (1 + r * r))),
    ],
)
@pytest.mark.parametrize("radius", ["1/64", "1/8"])
def test_the_loss_near_the_centre_is_bounded(text: str, loss: Callable[[Any], Any], radius: str) -> None:
    """On (0, r0], and by hardly more than its slopes say."""
    problem = Problem(Reader(text, {}).tree(), 1, Fraction(1), (Fraction(radius), 6), (Fraction(64), 6))
    with mpmath.workdps(40):
        end = mpmath.mpf(Fraction(radius).numerator) / Fraction(radius).denominator
        most = max(loss(end * k / 32) for k in range(33))
        for bound in (climb_from_zero, loss_from_centre):
            found = mpmath.mpf(str(bound(problem)))
            assert most <= found <= most + 60 * end**2 + mpmath.mpf(10) ** -20


@pytest.mark.parametrize("name", ["student-t-nu3-d1", "student-t-nu3-d2"])
def test_a_bound_below_the_loss_on_one_box_is_refused(name: str) -> None:
    """epsilon = (nu + d)/2 log((1 + c^2/nu)/(1 + (c - 1)^2/nu)), c = (1 + sqrt(1 + 4 nu))/2, lies inside of a box: a
    bound that is short by a hundred-thousandth holds near the centre and in the tail, and not there."""
    certificate = read(name)
    d = certificate["claim"]["dimension"]
    with mpmath.workdps(40):
        c = (1 + mpmath.sqrt(13)) / 2
        exact = mpmath.mpf(3 + d) / 2 * mpmath.log((1 + c**2 / 3) / (1 + (c - 1) ** 2 / 3))
        for part, lower in ((-1e-5, -1e-3), (-1e-2, -2e-2)):
            ends = [str(Fraction(int(exact * (1 + x) * 10**12), 10**12)) for x in (lower, part)]
            certificate["claim"]["epsilon"] = dict(zip(("lower", "upper"), ends, strict=True))
            certificate["claim"]["closed_form"] = None
            refused(certificate, "is not shown below .* on")


def test_a_box_on_which_the_loss_is_not_bounded_well_enough_is_refused() -> None:
    """Without its radii of curvature the loss on wide boxes is an interval on both sides of the bound."""
    certificate = read("student-t-nu3-d1")
    del certificate["proof"]["supremum"]["concave"]
    refused(certificate, "is not shown below .* on")


def test_a_bound_below_the_loss_near_the_centre_is_refused() -> None:
    """(1 + r)^-7 loses 7 log 2 there, and less everywhere else."""
    certificate = read("pearson-like")
    certificate["claim"]["closed_form"] = None
    certificate["claim"]["epsilon"] = {"lower": "4", "upper": "97/20"}
    refused(certificate, "near zero")


@pytest.mark.parametrize("change", ["short", "long", "none", "nothing", "text", "object"])
def test_radii_of_curvature_match_the_boxes(change: str) -> None:
    certificate = read("student-t-nu3-d1")
    step = certificate["proof"]["supremum"]
    radii = step["concave"]
    step["concave"] = {
        "short": radii[:-1],
        "long": [*radii, None],
        "none": [None] * len(radii),
        "nothing": None,
        "text": "x" * len(radii),
        "object": {str(k): x for k, x in enumerate(radii)},
    }[change]
    refused(certificate, "does not match its cover")


@pytest.mark.parametrize("status", ["yes", "Proved", "", 1, None, ["proved"], {"proved": 1}])
@pytest.mark.parametrize("name", ["positive", "decreasing"])
def test_a_status_that_is_none_is_refused(name: str, status: Any) -> None:
    certificate = read("laplace-d1")
    certificate["claim"]["hypotheses"][name] = status
    refused(certificate, "status of a hypothesis")


def test_a_claim_about_an_f_that_may_not_be_defined_is_refused() -> None:
    certificate = read("laplace-d1")
    certificate["claim"]["hypotheses"]["defined"] = "undecided"
    refused(certificate, "not claimed to be defined")

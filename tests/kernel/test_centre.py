"""The series at the centre: beside mpmath, on its own boxes, across its end, and where it must be refused."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify import verify
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.sections.centre import NearCentre
from dpverify.kernel.sections.theorem_a import bounds_of_log
from dpverify.kernel.steps import Steps
from tests.kernel.plain import number
from tests.kernel.problems import on_charts, proven
from tests.kernel.test_models import mp
from tests.kernel.test_values import truth

TEXTS = ["(1-exp(-y/2))/y", "(1-(1+y/2)*exp(-y/2))/y**2", "(r-sin(r))/r**3*exp(-r)", "exp(-r)*(1-cos(r/2))/y",
         "log(1+y)/y", "exp(-r)", "(1+y)**(-3/2)"]  # fmt: skip
GALLERY = Path(__file__).parents[2] / "certificates"
BOXES = [("1/1000", "1/900"), ("1/100", "1/8"), ("1/8", "1/4"), ("1/5", "3/5"), ("1/4", "1/2"), ("1/1000", "1")]


def with_series(text: str, reach: str = "1/2", order: int = 14) -> Any:
    return NearCentre(on_charts(text, delta=Fraction(1, 7)), Steps({"series": {"radius": reach, "order": order}}))


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("a", "b"), BOXES)
def test_log_f_its_slopes_and_the_loss(text: str, a: str, b: str) -> None:
    p, low, high = with_series(text), Fraction(a), Fraction(b)
    try:
        found, loss = p.on_box(low, high), p.loss(low, high, Fraction(1, 7))
    except Rejected:
        assert high + Fraction(1, 7) > p.reach  # a wide box beyond the series
        return
    bounds = bounds_of_log(p, low, high)
    with mpmath.workdps(60):
        slack = mpmath.mpf(10) ** -25
        xs = [low + (high - low) * Fraction(k, 16) for k in range(17)]
        logs = [mpmath.log(truth(text, x)) for x in xs]
        ahead = [mpmath.log(truth(text, x + Fraction(1, 7))) for x in xs]
        for v, w in zip(logs, ahead, strict=True):
            assert mp(found.u.lo) - slack <= v <= mp(found.u.hi) + slack
            assert mp(bounds.lo) - slack <= v <= mp(bounds.hi) + slack
            assert mp(loss.lo) - slack <= v - w <= mp(loss.hi) + slack
        for (x, v), (z, w) in pairwise(zip(xs, logs, strict=True)):
            quotient = (w - v) / number(z - x)
            assert mp(found.du.lo) - slack <= quotient <= mp(found.du.hi) + slack


def test_it_is_narrow_where_intervals_are_not() -> None:
    text, a, b = "(1-(1+y/2)*exp(-y/2))/y**2", Fraction(1, 1000), Fraction(1, 900)
    u = with_series(text).on_box(a, b).u
    assert u.hi - u.lo < Fraction(1, 10**5)
    with pytest.raises(Rejected):
        on_charts(text).on_box(a, b)


@pytest.mark.parametrize(
    "text",
    ["exp(-r)*log(1/r)", "Piecewise((exp(-r), r < 1/4), (exp(-2*r), True))", "exp(-r*log(r))", "exp(-1/r)"],
)
def test_what_has_no_series_of_powers_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        with_series(text)


@pytest.mark.parametrize("text", ["exp(-r)*(2-floor(-4*r))", "exp(-r)*(2+floor(2*r))"])
def test_a_jump_where_the_series_ends_is_not_overlooked(text: str) -> None:
    """-floor(-4 r) jumps up just beyond 1/4, 1/2, ...: no slope of a box across 1/2 shows it."""
    with pytest.raises(Rejected):
        with_series(text, "1/2").on_box(Fraction(2, 5), Fraction(3, 5))


@pytest.mark.parametrize("text", ("exp(-r)*(1/3-r)", "(1-cos(r))*0", "-(1-exp(-y))/y"))
def test_what_is_negative_or_0_near_the_centre_has_no_logarithm(text: str) -> None:
    with pytest.raises(Rejected):
        with_series(text).on_box(Fraction(1, 4), Fraction(1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("radius", ["2", "3/4", "0"])
def test_a_forged_series_or_text_is_refused(radius: str) -> None:
    c = copy.deepcopy(dict(verify("(1-exp(-y/2))/y", tolerance="1/4").certificate or {}))
    assert check_bytes(proven(copy.deepcopy(c))).claim["verdict"] == "private"
    for text in ("(1-exp(-y/2))/y**2", "(1-exp(-y))/y+exp(-r)", "(1-exp(y/2))/y", "(9/10-exp(-y/2))/y"):
        forged = copy.deepcopy(c)
        forged["claim"]["generator"] = text
        with pytest.raises(Rejected):
            check_bytes(proven(forged))
    forged = copy.deepcopy(c)
    forged["proof"]["series"] = {"radius": radius, "order": 1}
    with pytest.raises(Rejected):
        check_bytes(proven(forged))


def test_a_series_that_no_box_needs_is_refused() -> None:
    """So whether a proof holds does not hang on which sections other proofs have loaded."""
    for box, needed in ((("1/4", "1"), True), (("1/2", "1"), False)):
        steps = Steps({"series": {"radius": "1/2", "order": 14}})
        NearCentre(on_charts("exp(-r)"), steps).on_box(*map(Fraction, box))
        if needed:
            steps.finish()
        else:
            with pytest.raises(Rejected, match="no box begins near the centre"):
                steps.finish()
    idle = json.loads((GALLERY / "unlike-far-out.json").read_text())
    assert check_bytes(proven(copy.deepcopy(idle)))
    idle["proof"]["series"] = {"radius": "1/2", "order": 18}
    with pytest.raises(Rejected, match="no box begins near the centre"):
        check_bytes(proven(idle))

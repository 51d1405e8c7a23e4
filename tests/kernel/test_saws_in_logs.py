"""The logarithm of a saw far out (K352): beside its true increments, and where the rule does not hold."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction as Q
from pathlib import Path

import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.sections.theorem_a import in_all_of_the_tail
from tests.kernel.problems import on_charts, proven, sealed

GALLERY = Path(__file__).parents[2] / "certificates"


def far(text: str, low: Q, high: Q) -> tuple[float, float]:
    span = in_all_of_the_tail(on_charts(text), low, high)
    return float(span.lo), float(span.hi)


@pytest.mark.parametrize(
    ("text", "height"),
    [
        *(("exp(-r)*(1+frac(r))", 2.0), ("exp(-r)*(3-frac(2*r))", 1.5), ("exp(-r)*(2+frac(r/3))**2", 2.25)),
        *(("exp(-r)*(2+frac(sqrt(2)*r))", 1.5), ("exp(-r)*(2+frac(2*log(1+r)+r/3))", 1.5)),
        ("exp(-r)*(2+frac(r)-frac(sqrt(1+r)))", 3.0),
    ],
)
@pytest.mark.parametrize(("low", "high"), [(Q(0), Q(1)), (Q(1, 2), Q(3, 4)), (Q(5), Q(6))])
def test_a_saw_raises_the_loss_by_its_range_at_most(text: str, height: float, low: Q, high: Q) -> None:
    """|phi_h - h| is at most the log of the saw's greatest height over its least, and comes near it."""
    found = far(text, low, high)
    assert found[0] <= float(low) - math.log(height) + 1e-9
    assert found[1] <= float(high) + math.log(height) + 1e-9
    for k in range(4000):
        r, h = 20 + k / 997, float(low + (high - low) * (k % 37) / 37)
        f = [eval(text.replace("frac", "frac_"), {**vars(math), "frac_": _frac, "r": x}) for x in (r, r + h)]
        assert found[0] <= math.log(f[0] / f[1]) <= found[1]


def _frac(x: float) -> float:
    return x - math.floor(x)


@pytest.mark.parametrize(
    "text",
    [
        *("exp(-r)*(frac(r))", "exp(-r)*(frac(r)-1)", "exp(-r)*(1-frac(r))", "exp(-r)*frac(r/2)**2"),
        *("exp(-r)*(1-frac(sqrt(2)*r))", "exp(-r)*(1+frac(r)-frac(sqrt(3)*r))", "exp(-r)*(2-floor(pi*r)+3*r)"),
    ],
)
def test_a_saw_that_touches_zero_has_no_such_bound(text: str) -> None:
    with pytest.raises(Rejected):
        far(text, Q(0), Q(1))


def test_a_line_that_is_left_is_no_saw() -> None:
    """1 + floor(r) has no greatest height: its increments are those of a line and a step."""
    low, high = far("exp(-r)*(1+floor(r))", Q(0), Q(1))
    assert low <= -math.log(18 / 17) and high <= 1.1


@pytest.mark.parametrize("text", ["exp(-r)*(3+floor(r))", "exp(-r)*(3-frac(r)+sqrt(1+r))"])
def test_what_grows_beside_a_saw_is_not_left_out(text: str) -> None:
    """Over a shift of 400, the loss is less than it by the logarithm of more than any saw's range; or it is refused."""
    try:
        low, high = far(text, Q(400), Q(401))
    except Rejected as error:
        assert "sqrt" in text and "radius is too small" in str(error)
        return
    f = [eval(text.replace("frac", "frac_"), {**vars(math), "frac_": _frac, "r": x}) for x in (20.0, 420.0)]
    assert low <= math.log(f[0] / f[1]) <= high


@pytest.mark.parametrize("upper", ["5/4", "63/50"])
def test_forged_bounds_are_refused(upper: str) -> None:
    certificate = copy.deepcopy(json.loads((GALLERY / "saw-beside-slow-growth.json").read_text()))
    certificate["claim"]["epsilon"] = {"lower": "0", "upper": upper}
    with pytest.raises(Rejected):
        proven(certificate)


def test_the_rule_has_to_be_listed() -> None:
    certificate = copy.deepcopy(json.loads((GALLERY / "saw-beside-slow-growth.json").read_text()))
    rules = {section: numbers for section, numbers in certificate["rules"].items() if section != "saws_in_logs"}
    with pytest.raises(Rejected):
        check_bytes(sealed(certificate, rules))

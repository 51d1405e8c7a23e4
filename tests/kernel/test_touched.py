"""f tends to 0 at a radius by a power of a product (K43), and what a step that names one must not show."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.sections import refutations
from tests.kernel.test_forgeries import CENTRE, forged, proof_of, refused, signs

LARGE = "(1+exp(-log(Abs(r-1))))"  # 1 + 1/|r - 1|
STEEP = "(1+exp(1/(3/2-r)))"  # without a bound at the end of the box
ROOT = f"exp(-r)*{LARGE}*(Abs(r-1)/{LARGE})**(1/2)"  # which is exp(-r) sqrt(1 + |r - 1|)


def step(**changes: Any) -> dict[str, Any]:
    return {"kind": "touches", "box": ["1/2", "3/2"], "positive": ["2", "3"], "factor": 1, "inner": 0, **changes}


def touched(text: str, **changes: Any) -> None:
    assert refutations.touches(proof_of(text), step(**changes)) == "zero"


def test_a_power_of_a_product_touches_zero() -> None:
    touched("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)")
    touched("exp(-r)*((2+cos(r))*Abs(r-1)*(3+sin(r)))**2", inner=1)
    touched("(Abs(1-r)*(2+cos(r)))**(1/3)", factor=0)


@pytest.mark.parametrize("power", ["1/2", "1/3", "3/4"])
def test_what_stands_beside_a_power_and_within_it_is_bounded_each_by_itself(power: str) -> None:
    """Where one is large and the other small the power weighs one of them alone: their product says nothing of f."""
    large = f"{LARGE}**({Fraction(power) / (1 - Fraction(power))})"
    text = f"exp(-r)*{large}*(Abs(r-1)/{large})**({power})"  # which is exp(-r) (1 + |r - 1|)^power
    for factor in range(3):
        for inner in range(2):
            with pytest.raises(Rejected, match=r"no proved sign|no power of a product|not the power of a modulus"):
                touched(text, factor=factor, inner=inner)


def test_a_claim_that_what_is_positive_touches_zero_is_refused() -> None:
    text, hypotheses = f"r**(-9)*{ROOT}", {"integrable": "refuted", "positive": "refuted"}
    proof = {**CENTRE, "defined": [{"at": "5/7"}] * 2}
    assert check_bytes(forged(text, "invalid", {"integrable": "refuted"}, **proof))
    for factor in range(4):
        whole = forged(text, "invalid", hypotheses, **proof, sign=step(factor=factor))
        refused(whole, "K43|format", "no proved sign|no power of a product|not an integer")


@pytest.mark.parametrize(
    ("text", "changes", "why"),
    [
        (f"exp(-r)*{STEEP}*(Abs(r-1)/{STEEP})**(1/2)", {}, "touch zero"),
        (f"exp(-r)*{STEEP}*(Abs(r-1)/{STEEP})**(1/2)", {"factor": 2}, "no power of a product"),
        (f"exp(-r)*{STEEP}**(-1)*(Abs(r-1)*{STEEP})**2", {}, "touch zero"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(-1/2)", {}, "no power of a product"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**0", {}, "no power of a product"),
        ("(Abs(r-1)*(2+cos(r)))**(1/2)*(r-3/2)**(-2)*exp(-r)", {"factor": 0}, "touch zero"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"inner": 1}, "no|touch zero"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"inner": 2}, "not an integer"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"inner": -1}, "not an integer"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"factor": 2}, "not an integer"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"factor": 0}, "no power of a product"),
        ("exp(-r)*Abs(r-1)**(1/2)", {}, "no power of a product"),
        ("exp(-r)*(Abs(r-1)/Abs(r-1)**3*(2+cos(r)))**(1/2)", {}, "touch zero|divides"),
        ("(r-1)**(-2)*exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"factor": 2}, "touch zero|divides"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"box": ["3/2", "2"]}, "touch zero"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"positive": ["1/2", "2"]}, "positive|sign"),
        ("exp(-r)*(Abs(r-1)*(2+cos(r)))**(1/2)", {"more": 1}, "unknown field"),
    ],
)
def test_a_power_of_a_product_that_does_not_touch_zero_is_refused(text: str, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        touched(text, **changes)


@pytest.mark.parametrize("kind", ["negative", "vanishes", "centre", "touches"])
@pytest.mark.parametrize("change", ["more", "less"])
def test_a_step_about_a_sign_has_its_own_fields_and_no_others(kind: str, change: str) -> None:
    text = {"negative": "exp(-r)*(1-r)", "vanishes": "exp(-r)*Max(0,1-r)", "centre": "r*exp(-r)"}.get(
        kind, "exp(-r)*Abs(r-1)"
    )
    for given in signs(text, kind, ("1/2", "3/2") if kind == "touches" else ("2", "3")):
        changed = {**given, "more": "1"} if change == "more" else {k: v for k, v in given.items() if k != "box"}
        if kind == "centre" and change == "less":
            changed = {"kind": kind, "box": ["1", "2"]}
        with pytest.raises(Rejected, match=r"no field|unknown field"):
            refutations.refute_positive(proof_of(text, sign=changed))

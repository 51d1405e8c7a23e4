"""What the campaign in soundness/ found: each certificate must be refused, and by nothing but a refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate import digest

GALLERY = Path(__file__).parents[2] / "certificates"


def refused(certificate: dict[str, Any], why: str) -> None:
    certificate["digest"] = digest(certificate)
    with pytest.raises(kernel.Rejected, match=why):
        kernel.check_bytes(json.dumps(certificate).encode())


@pytest.mark.parametrize("field", ["tail", "boxes"])
@pytest.mark.parametrize("value", [["logs"], {"logs": "logs"}, None, 1])
def test_a_rule_of_integrability_that_is_no_text_is_refused(field: str, value: Any) -> None:
    certificate = json.loads((GALLERY / "laplace-d1.json").read_text())
    certificate["proof"]["integrable"][field] = value
    refused(certificate, "names no rule")


@pytest.mark.parametrize("value", [None, 1, "cover", ["cover"], [["cover"]], [{}]])
def test_bounds_of_the_loss_that_are_no_object_are_refused(value: Any) -> None:
    for name, theorem in (("laplace-d1", "Theorem 3"), ("pearson-like", "Theorem A")):
        certificate = json.loads((GALLERY / f"{name}.json").read_text())
        certificate["claim"]["theorem"] = theorem
        certificate["rules"]["theorem_a"] = ["K74"]
        certificate["proof"]["supremum"] = value
        refused(certificate, "supremum is not an object")


def without_value(text: str, need: int) -> dict[str, Any]:
    """The certificate that the text has no value on a box, with the rules that its replay enters."""
    claim = {
        "generator": text,
        "parameters": {},
        "dimension": 1,
        "sensitivity": "1",
        "scale": "1",
        "verdict": "invalid",
        "epsilon": None,
        "tail_log_ratio": None,
        "theorem": None,
        "closed_form": None,
        "hypotheses": dict.fromkeys(kernel.HYPOTHESES, "undecided") | {"defined": "refuted"},
    }
    rules = {"core": ["K1", "K2", "K4", "K5", "K9", "K16"], "special": ["K92"]}
    return {
        "format": kernel.FORMAT,
        "version": kernel.VERSION,
        "program": {"name": "by hand", "version": "1"},
        "claim": claim,
        "rules": rules,
        "proof": {"undefined": {"need": need, "box": ["1", "2"]}},
        "assumptions": [],
    }


@pytest.mark.parametrize("argument", ["1+r", "r", "pi", "sqrt(4)", "-1/2+0*r"])
def test_gamma_of_what_is_no_number_is_not_without_a_value(argument: str) -> None:
    refused(without_value(f"exp(-r)*gamma({argument})", 0), "not a rational number")


def test_gamma_of_a_pole_is_without_a_value() -> None:
    certificate = without_value("exp(-r)*gamma(-2)", 0)
    certificate["digest"] = digest(certificate)
    assert kernel.check_bytes(json.dumps(certificate).encode()).claim["verdict"] == "invalid"

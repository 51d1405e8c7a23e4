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
@pytest.mark.parametrize(("name", "theorem"), (("laplace-d1", "Theorem 3"), ("pearson-like", "Theorem A")))
def test_bounds_of_the_loss_that_are_no_object_are_refused(value: Any, name: str, theorem: str) -> None:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    certificate["claim"]["theorem"] = theorem
    certificate["rules"]["theorem_a"] = ["K74"]
    certificate["proof"]["supremum"] = value
    refused(certificate, "supremum is not an object")

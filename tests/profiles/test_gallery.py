"""The gallery's profiles are as narrow as certificates promise."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

GALLERY = sorted((Path(__file__).parents[2] / "certificates" / "profiles").glob("*.json"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda p: p.stem)
def test_a_delta_is_known_to_a_billionth_of_it(path: Path) -> None:
    certificate = json.loads(path.read_text())
    for point, how in zip(certificate["claim"]["points"], certificate["proof"]["profile"]["points"], strict=True):
        if isinstance(how, dict) and "rough" in how:  # which test_must_fail compares with its formula
            continue
        low, high = Fraction(point["delta"]["lower"]), Fraction(point["delta"]["upper"])
        assert 0 <= low <= high <= low * (1 + Fraction(1, 10**9))

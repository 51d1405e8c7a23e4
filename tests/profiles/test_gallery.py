"""The gallery's profiles are as narrow as certificates promise."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpverify.profiles.finer import finer

GALLERY = sorted((Path(__file__).parents[2] / "certificates" / "profiles").glob("*.json"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda p: p.stem)
def test_a_delta_is_known_to_a_billionth_of_it(path: Path) -> None:
    certificate = json.loads(path.read_text())
    for point, how in zip(certificate["claim"]["points"], certificate["proof"]["profile"]["points"], strict=True):
        if isinstance(how, dict) and "rough" in how:  # which test_must_fail compares with its formula
            continue
        low, high = Fraction(point["delta"]["lower"]), Fraction(point["delta"]["upper"])
        assert 0 <= low <= high <= low * (1 + Fraction(1, 10**9))


@pytest.mark.slow
def test_a_stretch_on_which_no_loss_is_bounded_is_halved() -> None:
    """Of 1 + |cos(r/3)| the kernel knows no increment on [40, 48], whose parts have its word."""
    whole = json.loads((GALLERY[0].parent / "waves-with-kinks.json").read_text())
    profile = whole["proof"]["profile"]
    how = profile["points"][0]
    assert Fraction(how["left"][-1]) < 40
    longer = {**how, "left": [*how["left"], "40", "48"], "left_sets": how["left_sets"] + "ee"}
    proof = {**whole["proof"], "profile": {**profile, "points": [longer]}}
    (found,) = finer(whole["claim"], proof)["profile"]["points"]
    parts, given = (dict(zip(x["left"], x["left_sets"] + "e", strict=True)) for x in (found, longer))
    assert {x: word for x, word in parts.items() if x in given} == given
    between = [x for x in parts if 40 < Fraction(x) < 48]
    assert between and all(parts[x] == "e" for x in between)
    assert (found["right"], found["right_sets"]) == (how["right"], how["right_sets"])

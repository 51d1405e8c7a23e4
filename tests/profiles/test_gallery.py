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
    for point in json.loads(path.read_text())["claim"]["points"]:
        low, high = Fraction(point["delta"]["lower"]), Fraction(point["delta"]["upper"])
        assert 0 <= low <= high <= low * (1 + Fraction(1, 10**9))


@pytest.mark.slow
def test_a_stretch_on_which_no_loss_is_bounded_is_halved() -> None:
    """Of 1 + |cos(r/3)| the kernel knows no increment on a long stretch; its parts have its word."""
    whole = json.loads((GALLERY[0].parent / "waves-with-kinks.json").read_text())
    profile = whole["proof"]["profile"]
    how = profile["points"][0]
    pairs = list(zip(how["left"], how["left_sets"] + "e", strict=True))
    kept = [(x, word) for x, word in pairs if not 40 < Fraction(x) < 48]
    assert ("40", "e") in kept and "48" in how["left"]
    joined = {**how, "left": [x for x, _ in kept], "left_sets": "".join(word for _, word in kept)[:-1]}
    proof = {**whole["proof"], "profile": {**profile, "points": [joined]}}
    (found,) = finer(whole["claim"], proof)["profile"]["points"]
    parts = dict(zip(found["left"], found["left_sets"] + "e", strict=True))
    assert {x: word for x, word in parts.items() if x in joined["left"]} == dict(kept)
    between = [Fraction(x) for x in parts if 40 < Fraction(x) < 48]
    assert between and all(parts[str(x)] == "e" for x in between)
    assert (found["right"], found["right_sets"]) == (how["right"], how["right_sets"])

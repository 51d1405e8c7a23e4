"""The schema and the kernel ask for the same fields: what the one refuses for its shape, the other does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dpverify.certificate import digest
from dpverify.kernel import SECTIONS, Rejected, check_bytes
from dpverify.kernel.sections.charts import CLAIM
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.kernel.sections.older import ONCE_TOGETHER

GALLERY = Path(__file__).parents[2] / "certificates"
SCHEMA = json.loads(files("dpverify.certificate").joinpath("certificate-2.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
FILES = (
    "laplace-d1",
    "infinite-integral-at-centre",
    "needs-at-a-radius",
    "negative-somewhere",
    "saw",
    "second-ways",
    "stairs-that-rise",
    "touching-zero",
    "undefined-branch",
    "zero-at-centre",
    "zero-beyond-a-ball",
    "compact-support",
    "flat-place",
    "hidden-square",
    "irrational-square",
    "narrow-valley",
    "steps-of-a-wave",
    "infinite-integral-at-a-radius",
    "nothing-near-the-centre",
    "pole-at-a-radius",
    "slash",
    "chirp",
    "chirp-on-a-gaussian",
    "long-shift",
    "far-boxes",
    "softplus",
    "roots-that-cancel",
    "powers-of-logarithms",
    "parts-alike",
    "parts-that-cancel",
    "a-bound-that-never-binds",
    "needs-by-form",
    "touching-sine",
    "touching-root",
    "common-factor",
    "difference-of-exponentials",
    "flat-at-the-centre",
    "zero-by-limits",
    "zero-beside-a-jump",
    "pole-beside-a-jump",
    "touching-saw",
    "zero-throughout",
    "zeros-that-recur-and-no-integral",
    "narrow-peaks-and-no-integral",
    "peaks-under-a-power",
    "negative-at-last",
    "logarithms-that-cancel",
    "angles-that-cancel",
    "vertex",
    "steps-that-decay",
    "steps-that-repeat",
    "steps-that-rise-more-slowly",
    "waves-that-touch-zero-far-out",
)
"""Together they have every step, and every form of each."""
STEPS = SCHEMA["properties"]["proof"]["properties"]
OPTIONAL = {
    *(("proof", step) for step in STEPS),
    *(("rules", section) for section in SECTIONS),
    ("proof", "integrable", "centre"),
    ("proof", "pole", "still"),
    *(("proof", "supremum", name) for name in ("phases", "phase_drops", "phase_shifts", "phase_rules")),
    *(("proof", "supremum", name) for name in ("phase_cuts", "tail_shifts", "windows")),
}
"""Fields that some claims need and others may not have."""
FREE = {"parameters", "ways", "waves"}
"""Objects whose names are not fields."""

Place = tuple[str | int, ...]


def objects(value: Any, path: Place = ()) -> Iterator[Place]:
    if isinstance(value, dict):
        yield path
    if isinstance(value, (dict, list)) and not (path and path[-1] in FREE):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value[:1]):
            yield from objects(part, (*path, key))


def changed(certificate: dict[str, Any], path: Place, change: Callable[[Any], object]) -> dict[str, Any]:
    copy = deepcopy(certificate)
    part: Any = copy
    for key in path:
        part = part[key]
    change(part)
    if "digest" in copy:
        copy["digest"] = digest(copy)
    return copy


def without(field: str) -> Callable[[Any], object]:
    return lambda part: part.pop(field)


def refused(certificate: dict[str, Any]) -> bool:
    try:
        check_bytes(json.dumps(certificate).encode())
    except Rejected:
        return True
    return False


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize("name", FILES)
def test_a_field_too_few_or_too_many_is_refused_by_both(name: str) -> None:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    VALIDATOR.validate(certificate)
    for path in objects(certificate):
        part: Any = certificate
        for key in path:
            part = part[key]
        if path and path[-1] in FREE:
            continue
        more = changed(certificate, path, lambda p: p.update(ornament="1"))
        assert not VALIDATOR.is_valid(more), path
        assert refused(more), path
        for field in part:
            less = changed(certificate, path, without(field))
            spared = field in ("ways", "constant_sums")  # a second way may be a convenience
            assert refused(less) or spared, (path, field)
            assert VALIDATOR.is_valid(less) is (path + (field,) in OPTIONAL), (path, field)


def test_the_files_have_every_step() -> None:
    found = {step for name in FILES for step in json.loads((GALLERY / f"{name}.json").read_text())["proof"]}
    everywhere = {step for path in GALLERY.glob("*.json") for step in json.loads(path.read_text())["proof"]}
    assert found == everywhere == set(STEPS)


def test_the_schema_knows_the_claim_the_hypotheses_and_the_sections_of_the_kernel() -> None:
    claim = SCHEMA["properties"]["claim"]
    assert set(claim["required"]) == set(claim["properties"]) == CLAIM
    hypotheses = claim["properties"]["hypotheses"]
    assert set(hypotheses["required"]) == set(hypotheses["properties"]) == set(HYPOTHESES)
    assert set(SCHEMA["properties"]["rules"]["properties"]) == {"core", *SECTIONS, *ONCE_TOGETHER}

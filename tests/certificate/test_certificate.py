"""The schema describes what is written; the gallery is made anew to the same bytes."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dpverify import InputError, check, verify
from dpverify.certificate import digest, load, serialise
from dpverify.gallery.proofs import ENTRIES, made

GALLERY = Path(__file__).parents[2] / "certificates"
CHARTED = {"series": "centre", "far_boxes": "far_boxes", "apart": "apart"}
"""Steps that a section takes once it is loaded, though none of its rules be used."""
SCHEMA = json.loads(files("dpverify.certificate").joinpath("certificate-2.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.slow
def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.sampled(stay=20)
@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.json")), ids=lambda p: p.stem)
def test_the_gallery_follows_the_schema(path: Path) -> None:
    certificate = load(path)
    VALIDATOR.validate(certificate)
    assert certificate["digest"] == digest(certificate)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.json"))[::6], ids=lambda p: p.stem)
def test_the_gallery_is_accepted(path: Path) -> None:
    """`make gallery-check` has the kernel check all of it."""
    report = check(path)
    assert report.accepted, report.message


SMALL = {path.stem for path in sorted(GALLERY.glob("*.json"), key=lambda path: path.stat().st_size)[:10]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry",
    [pytest.param(e, marks=[pytest.mark.campaign] * (e[0] not in SMALL), id=e[0]) for e in ENTRIES],
)
def test_the_gallery_is_made_anew_to_the_same_bytes(entry: tuple[str, str, int, dict[str, Any]]) -> None:
    """`make gallery-check` makes all of it."""
    assert made(*entry) == (GALLERY / f"{entry[0]}.json").read_bytes()


def test_the_gallery_has_a_file_for_each_entry_and_no_other() -> None:
    names = [entry[0] for entry in ENTRIES]
    assert sorted(names) == sorted(path.stem for path in GALLERY.glob("*.json"))


@pytest.mark.sampled(stay=20)
@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.json")), ids=lambda p: p.stem)
def test_no_proof_of_the_gallery_assumes_anything(path: Path) -> None:
    assert load(path)["assumptions"] == []


@pytest.mark.sampled(stay=20)
@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.json")), ids=lambda p: p.stem)
def test_a_step_that_a_section_takes_once_loaded_has_its_section_listed(path: Path) -> None:
    """A kernel that has checked nothing else loads no other."""
    certificate = load(path)
    assert all(section in certificate["rules"] for step, section in CHARTED.items() if step in certificate["proof"])


@pytest.mark.slow
def test_nothing_is_saved_where_nothing_is_proved(tmp_path: Path) -> None:
    result = verify("exp(-r)*sin(1/r)**2")
    with pytest.raises(InputError, match="no certificate"):
        result.save(tmp_path / "c.json")
    assert not (tmp_path / "c.json").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b"{",
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "b": 2}}',
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 0.5}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}",
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b" " * 20_000_001,
    ],
    ids=lambda content: repr(content[:20]),
)
def test_what_is_no_certificate_cannot_be_loaded(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(InputError):
        load(tmp_path / "c.json")


def test_a_result_in_a_notebook_escapes_what_came_from_outside() -> None:
    result = verify("Piecewise((exp(-r), r < 3), (exp(-r), True))")
    html = result._repr_html_()
    assert "r &lt; 3" in html
    assert "r < 3" not in html


def test_checking_data_in_memory() -> None:
    result = verify("exp(-sqrt(y))")
    assert result.certificate is not None
    assert check(result.certificate)
    assert serialise(result.certificate) == serialise(json.loads(serialise(result.certificate)))

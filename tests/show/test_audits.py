"""An audit is joined to the certificate of the same claim, and to no other."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpverify import InputError
from dpverify.audit import BuiltIn, audit
from dpverify.audit.report import proved_by
from dpverify.sampling import EllipticalNoise
from dpverify.show import examine
from dpverify.show.document import html, markdown
from dpverify.show.reports import report
from tests.show.files import GALLERY
from tests.show.test_reports import HOSTILE, assert_harmless, text_of

CERTIFICATE = GALLERY / "student-t-nu3-d2.json"


@pytest.fixture(scope="module")
def named() -> dict[str, Any]:
    """An audit of what the certificate proves."""
    source = BuiltIn(20_000, EllipticalNoise("student_t", 2, parameters={"nu": 3}), shift=np.array([1.0, 0.0]))
    return audit(source, proved=proved_by(CERTIFICATE)[0], seed=1).to_json()


@pytest.fixture(scope="module")
def unnamed() -> dict[str, Any]:
    """An audit of the same noise at the same distance, that names no certificate."""
    source = BuiltIn(20_000, EllipticalNoise("student_t", 2, parameters={"nu": 3}), shift=np.array([1.0, 0.0]))
    return audit(source, claim="1.43", seed=1).to_json()


def saved(data: Any, tmp_path: Path) -> Path:
    path = tmp_path / "audit.json"
    path.write_text(json.dumps(data))
    return path


@pytest.mark.slow
def test_observed_and_proved_stand_side_by_side(named: dict[str, Any], tmp_path: Path) -> None:
    examined = examine(CERTIFICATE, saved(named, tmp_path))
    assert examined.audited is not None
    assert examined.audited.verdict == named["verdict"] == "consistent"
    text = markdown(report(examined), "plot.png")
    (told,) = set(re.findall(r"\\varepsilon \\leq ([0-9.]+)", text))
    assert 0 <= float(told) - 5 * math.asinh(1 / math.sqrt(12)) < 1e-11  # (nu + d) asinh(delta / (2 sqrt nu))
    assert f"{int(named['epsilon_lower'] * 10**6) / 10**6:.6f}" in text
    assert "99 % confidence" in text
    assert "Consistent" in text_of(html(report(examined)))


@pytest.mark.slow
def test_a_violation_is_told(named: dict[str, Any], tmp_path: Path) -> None:
    examined = examine(CERTIFICATE, saved({**named, "epsilon_lower": 1.4240452501}, tmp_path))
    assert examined.audited is not None
    assert examined.audited.verdict == "violated"
    made = report(examined)
    assert (made.title, made.tone) == ("Private, but the audited sampler violates it", "bad")
    assert "the audited sampler violates it, with ε ≥ 1.424045" in made.lead
    assert "Violated" in text_of(html(made))


@pytest.mark.slow
def test_what_was_seen_of_the_law_of_the_bits_and_of_the_fit_is_told_apart(
    named: dict[str, Any], tmp_path: Path
) -> None:
    def told(**changes: Any) -> tuple[Any, str]:
        made = report(examine(CERTIFICATE, saved({**named, **changes}, tmp_path)))
        return made, " ".join(text_of(html(made)).split())

    assert "The low bits not examined" in told()[1]
    bits = {**named["law"], "epsilon_lower": 6.9}
    made, text = told(bits=bits, bits_examined=True, epsilon_lower=6.9)
    assert made.tone == "bad"
    assert re.search(r"The low bits ε ≥ 6\.9\d* ?more than is proved", text), text
    assert re.search(rf"The law ε ≥ {named['law']['epsilon_lower']:.3f}\d* ?alone", text)
    fit = {"rejected": True, "worst": "P: its radius", "distance": 0.2, "chance": 1e-9}
    made, text = told(fit=fit, warnings=["the samples are dependent"])
    assert (made.title, made.tone) == ("Private, but the audited sampler draws another law", "bad")
    assert "the largest: P: its radius" in text
    assert "the samples are dependent" in text
    made, text = told(fit={**fit, "rejected": False})
    assert made.tone == "good"
    assert "no difference found" in text


def test_an_audit_of_the_same_noise_is_accepted_without_the_digest(unnamed: dict[str, Any], tmp_path: Path) -> None:
    examined = examine(CERTIFICATE, saved(unnamed, tmp_path))
    assert examined.audited is not None
    assert examined.audited.verdict == "consistent"


@pytest.mark.parametrize("other", ["student-t-nu3-d1", "student-t-nu5-d2", "laplace-d3", "gaussian-d2"])
def test_an_audit_of_something_else_is_refused(
    other: str, named: dict[str, Any], unnamed: dict[str, Any], tmp_path: Path
) -> None:
    for data in (named, unnamed):
        with pytest.raises(InputError) as error:
            examine(GALLERY / f"{other}.json", saved(data, tmp_path))
        assert "\n" not in str(error.value)
        assert "audit.json" in str(error.value)


def score(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    event = data["test"]["event"]
    return {**data, "test": {**data["test"], "event": {**event, "score": {**event["score"], **changes}}}}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"shift": [2.0, 0.0]}, "sensitivity"),
        ({"unit": 2.0}, "scale"),
        ({"parameters": [["nu", "4"]]}, "parameters"),
        ({"generator": "exp(-r)"}, "generator"),
        ({"dimension": 3}, "dimension"),
        ({"whitening": [[2.0, 0.0], [0.0, 1.0]]}, "whitening"),
        ({"kind": "norm"}, "of which noise"),
    ],
)
def test_the_noise_and_the_distance_have_to_be_the_same(
    changes: dict[str, Any], why: str, unnamed: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=why):
        examine(CERTIFICATE, saved(score(unnamed, **changes), tmp_path))


def test_an_audit_of_another_claim_is_refused(unnamed: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the certificate proves"):
        examine(CERTIFICATE, saved({**unnamed, "claim": 2.0}, tmp_path))


def test_an_audit_that_misquotes_its_certificate_is_refused(named: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another epsilon"):
        examine(CERTIFICATE, saved({**named, "certificate": {**named["certificate"], "epsilon_upper": "9"}}, tmp_path))


def test_nothing_is_audited_where_there_is_no_mechanism(named: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no mechanism"):
        examine(GALLERY / "negative-somewhere.json", saved(named, tmp_path))


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    "broken",
    [
        {"epsilon_lower": "1"},
        {"epsilon_lower": float("nan")},
        {"epsilon_lower": -1},
        {"epsilon_lower": True},
        {"confidence": 1},
        {"confidence": 7},
        {"samples": -3},
        {"samples": 1.5},
        {"event": None},
        {"seed": "x"},
        {"delta": 2},
        {"bits": 3},
        {"bits": {"epsilon_lower": "6"}},
        {"fit": {"worst": "P"}},
        {"fit": {"rejected": 1.5, "worst": "P"}},
        {"fit": {"rejected": False}},
        {"warnings": "none"},
        {"warnings": [1]},
    ],
)
def test_what_is_no_audit_is_refused(broken: dict[str, Any], named: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        examine(CERTIFICATE, saved({**named, **broken}, tmp_path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"epsilon_lower": 1}', b"[" * 100_000])
def test_other_files_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    path.write_bytes(data)
    with pytest.raises(InputError):
        examine(CERTIFICATE, path)


@pytest.mark.slow
def test_hostile_audits_stay_text(named: dict[str, Any], tmp_path: Path) -> None:
    from markdown_it import MarkdownIt

    hostile = {**named, "event": HOSTILE, "method": HOSTILE, "source": HOSTILE, "warnings": [HOSTILE]}
    hostile["fit"] = {"rejected": True, "worst": HOSTILE}
    page = report(examine(CERTIFICATE, saved(hostile, tmp_path)))
    assert_harmless(html(page))
    assert_harmless(MarkdownIt("commonmark", {"html": True}).render(markdown(page, "plot.png")))

"""What a certificate is before its claim is looked at: bytes, a head, and rules by section."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, certificate, check_bytes
from dpverify.kernel.certificate import Unreadable, check_certificate, load, load_section, read, replay
from dpverify.kernel.rules import Ledger
from dpverify.kernel.sections import older  # noqa: F401  which is loaded but for a list that needs it
from dpverify.kernel.sections.accepted import ACCEPTED, accepted

GALLERY = Path(__file__).parents[2] / "certificates"


def laplace() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / "laplace-d1.json").read_text())
    return found


def changed(**fields: Any) -> dict[str, Any]:
    whole = {**laplace(), **fields}
    return {**whole, "digest": digest(whole)}


def test_a_certificate_says_its_claim_in_a_line() -> None:
    checked = check_bytes(json.dumps(laplace()).encode())
    assert laplace()["claim"]["generator"] in str(checked) and "\n" not in str(checked)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"format": "dpverify"}, "not a dpverify certificate"),
        ({"format": None}, "not a dpverify certificate"),
        ({"version": 2.0}, "version is unknown"),
        ({"version": 3}, "version is unknown"),
        ({"version": True}, "version is unknown"),
        ({"version": 1}, "old version"),
        ({"version": "2"}, "version is unknown"),
        ({"note": ""}, "unknown field"),
        ({"program": {"name": 1, "version": "1"}}, "not described by texts"),
        ({"program": {"name": "dpverify", "version": 1}}, "not described by texts"),
        ({"program": {"name": "dpverify"}}, "no field"),
        ({"rules": []}, "not listed by section"),
        ({"assumptions": ["a lemma"]}, "list of assumptions"),
        ({"assumptions": None}, "list of assumptions"),
    ],
)
def test_another_head_is_refused(fields: dict[str, Any], why: str) -> None:
    check_certificate(changed())
    with pytest.raises(Rejected, match=why):
        check_certificate(changed(**fields))


def test_a_rule_that_is_listed_in_vain_is_refused() -> None:
    with pytest.raises(Rejected, match="the rule K87 is listed, but not used"):
        check_certificate(changed(rules={**laplace()["rules"], "erfc": ["K87"]}))


def test_what_is_accepted_is_known_by_its_own_digest_alone() -> None:
    one, other = laplace(), changed(program={"name": "another", "version": "1"})
    token = ACCEPTED.set({})
    try:
        first, second = accepted(one), accepted(other)
        assert first is accepted(one) and second is accepted(other) and first is not second
        assert ACCEPTED.get() == {one["digest"]: first, other["digest"]: second}
    finally:
        ACCEPTED.reset(token)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sections in the order in which they are asked for."""
    seen: list[str] = []
    monkeypatch.setattr(certificate, "load_section", seen.append)
    return seen


@pytest.mark.parametrize(
    ("rules", "numbers", "sections"),
    [
        ({"core": ["K4"]}, ["K4"], []),
        ({"tail": ["K28"], "core": ["K5", "K4"]}, ["K4", "K5", "K28"], ["tail"]),
        ({"torus": ["K180"], "waves": ["K50", "K55"], "tail": ["K28"]}, ["K28", "K50", "K55", "K180"],
         ["torus", "waves", "tail"]),
    ],
)  # fmt: skip
def test_the_sections_that_are_named_are_loaded_and_no_other(
    rules: dict[str, list[str]], numbers: list[str], sections: list[str], loaded: list[str]
) -> None:
    assert load(rules, {}, {}) == numbers
    assert loaded == sections


@pytest.mark.parametrize(
    ("rules", "numbers", "sections"),
    [
        ({"special": ["K80"]}, ["K80"], ["gamma"]),
        ({"core": ["K3"]}, ["K3"], ["exponentials"]),
        ({"core": ["K4", "K3"]}, ["K3", "K4"], ["exponentials"]),
        ({"core": ["K4"], "gammas": ["K130", "K135"]}, ["K4", "K130", "K135"], ["loggamma", "incomplete_gamma"]),
    ],
)
def test_an_older_list_is_read_by_today_s_sections(
    rules: dict[str, list[str]], numbers: list[str], sections: list[str], loaded: list[str]
) -> None:
    assert load(rules, {}, {}) == numbers
    assert loaded == ["older", *sections]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (["K4"], "not listed by section"),
        ({"core": "K4"}, "not a list"),
        ({"core": []}, "not a list"),
        ({"core": [4]}, "not a list"),
        ({"core": ["K4", 5]}, "not a list"),
        ({"core": ["K4"], "tail": "K28"}, "not a list"),
        ({"core": ["K4"], "no_section": ["K28"]}, "not listed by section"),
        ({"core": ["K4", "K999"]}, "does not have"),
        ({"core": ["K4", "K50"]}, "does not have"),
        ({"tail": ["K50"]}, "does not have"),
        ({"tail": ["K28", "K50"]}, "does not have"),
        ({"tail": ["K4"]}, "does not have"),
        ({"core": ["K4", "K4"]}, "listed twice"),
        ({"core": ["K4"], "tail": ["K28", "K28"]}, "listed twice"),
    ],
)
def test_rules_that_are_not_listed_by_section_are_refused(rules: Any, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        load(rules, {}, {})


def test_a_section_is_a_module_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(certificate, "__import__", seen.append, raising=False)
    load_section("tail")
    assert seen == ["dpverify.kernel.sections.tail"]


def test_a_refusal_outside_of_the_rules_is_one_of_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(claim: Any, steps: Any) -> list[str]:
        raise Rejected("no")

    monkeypatch.setitem(certificate.KINDS, "nothing", (refuse, str))
    with pytest.raises(Rejected) as refused:
        replay({"kind": "nothing"}, {}, Ledger())
    assert refused.value.code == "steps"


@pytest.mark.parametrize(
    "text",
    [
        *("123456789012345678901", "-12345678901234567890", "1.5", "1e5", "-0.5", "NaN", "Infinity", "-Infinity"),
        *('{"a": 1, "a": 1}', "", "{", "'a'", '"\\ud800', "[" * 100_000),
    ],
)
def test_what_is_no_plain_json_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text.encode())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12345678901234567890", 12345678901234567890),
        ("-1234567890123456789", -1234567890123456789),
        ("0", 0),
        ('{"a": [1, "1.5"]}', {"a": [1, "1.5"]}),
    ],
)
def test_plain_json_is_read(text: str, value: Any) -> None:
    assert read(text.encode()) == value


def test_a_file_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MAX_BYTES", 10)
    assert read(b"1" + b" " * 9) == 1
    with pytest.raises(Unreadable, match="larger than"):
        read(b"1" + b" " * 10)

"""The head of a certificate: what it must say before, and after, its proof is replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpverify.kernel import Rejected, certificate
from dpverify.kernel.certificate import check_certificate
from dpverify.kernel.sections.accepted import ACCEPTED, accepted

PATH = Path(__file__).parents[2] / "certificates" / "laplace-d1.json"


def stored() -> dict[str, Any]:
    return dict(json.loads(PATH.read_text()))


def resealed(**changed: Any) -> dict[str, Any]:
    forged = stored() | changed
    return forged | {"digest": certificate.digest(forged)}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"format": "another"}, "not a dpverify certificate"),
        ({"version": 1}, "old version 1; dpverify upgrade"),
        ({"version": 0}, "version is unknown"),
        ({"version": -1}, "version is unknown"),
        ({"version": 3}, "version is unknown"),
        ({"version": 1.0}, "version is unknown"),
        ({"version": 2.0}, "version is unknown"),
        ({"version": True}, "version is unknown"),
        ({"version": "2"}, "version is unknown"),
        ({"more": "0"}, "unknown field more|unknown field 'more'"),
        ({"program": {"name": "x"}}, "program"),
        ({"program": {"name": "x", "version": 1}}, "described by texts"),
        ({"program": {"name": 1, "version": "1"}}, "described by texts"),
        ({"assumptions": ["the sun shines"]}, "not the one that the proof needs"),
        ({"assumptions": None}, "not the one that the proof needs"),
        ({"rules": stored()["rules"] | {"normal": ["K163"]}}, "the rule K163 is listed, but not used"),
    ],
)
def test_a_head_that_is_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        check_certificate(resealed(**changed))


@pytest.mark.parametrize("wrong", [None, [], "text", 2, [["format", "dpverify-certificate"]]])
def test_what_is_no_object_is_no_certificate(wrong: Any) -> None:
    with pytest.raises(Rejected, match="not a dpverify certificate"):
        check_certificate(wrong)


def test_a_digest_of_something_else_is_refused() -> None:
    with pytest.raises(Rejected, match="was altered"):
        check_certificate(stored() | {"digest": "0" * 64})
    with pytest.raises(Rejected, match="was altered"):
        check_certificate(stored() | {"program": {"name": "x", "version": "1"}})


def test_what_is_accepted_is_kept_by_its_digest_and_only_where_one_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another certificate, kept before, stands in for none; one that is kept is not replayed."""
    one, two = stored(), resealed(program={"name": "x", "version": "1"})
    assert ACCEPTED.get() is None and accepted(one).digest == one["digest"]
    kept: dict[str, Any] = {}
    token = ACCEPTED.set(kept)
    try:
        first = accepted(one)
        assert kept == {one["digest"]: first}
        assert accepted(two).digest == two["digest"] and set(kept) == {one["digest"], two["digest"]}
        monkeypatch.setattr(certificate, "replay", None)
        assert accepted(one) is first
        for other in ({**one, "digest": two["digest"]}, {**one, "digest": []}, {**one, "note": ""}, [one], None):
            with pytest.raises(Rejected):
                accepted(other)
    finally:
        ACCEPTED.reset(token)

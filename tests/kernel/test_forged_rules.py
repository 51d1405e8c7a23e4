"""Certificates of the second format that a rule has to refuse, each wrong in one condition alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.falling import may_jump

GALLERY = Path(__file__).parents[2] / "certificates"
for section in SECTIONS:
    load_section(section)


def signed(certificate: dict[str, Any]) -> bytes:
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


@pytest.mark.parametrize(
    ("text", "jumps"),
    [
        ("tanh((r-1)*exp(-2*log(Abs(r-1))))", True),
        ("exp(-1/(r-1))", True),
        ("exp(-log(1+y))", False),
        ("(1+sqrt(y))**(-7)", False),
        ("floor(r)", True),
    ],
)
def test_beside_a_pole_of_a_logarithm_a_function_may_jump(text: str, jumps: bool) -> None:
    """exp(-2 log|r - 1|) is a pole without a negative power, and tanh of it jumps from -1 to 1."""
    assert may_jump(Reader(text, {}).tree()) is jumps


def changed(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return signed(certificate)


def negative_shift(certificate: dict[str, Any]) -> None:
    certificate["proof"]["supremum"]["shifts"][0][0] = "-1/10"


def phases_of_nothing(certificate: dict[str, Any]) -> None:
    supremum = certificate["proof"]["supremum"]
    supremum.update(phases=["0", "7"], phase_shifts=[["0", "1"]], phase_rules=["h"])


def drops_of_nothing(certificate: dict[str, Any]) -> None:
    certificate["proof"]["supremum"]["phase_drops"] = []


@pytest.mark.parametrize(
    ("change", "why"),
    [(negative_shift, "negative shift"), (phases_of_nothing, "no frequency"), (drops_of_nothing, "no frequency")],
)
def test_the_steps_of_theorem_a_fit_its_shifts_and_its_tail(change: Callable[[dict[str, Any]], None], why: str) -> None:
    """Below a germ's radius nothing bounds the slopes that the mean value form in the shift needs."""
    with pytest.raises(Rejected, match=why):
        check_bytes(changed("rising-at-a-jump", change))

"""Needs that a saw meets (K453), beside its values; and those that it does not."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path

import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.reader import Need
from dpverify.kernel.sections.saws import met_by_saw
from tests.kernel.problems import proven, sealed, tree

GALLERY = Path(__file__).parents[2] / "certificates"
KINDS = ("nonnegative", "nonzero", "positive")


def met(text: str) -> list[str]:
    return [kind for kind in KINDS if met_by_saw(Need(kind, tree(text), ()))]


def values(text: str) -> list[float]:
    names = {**vars(math), "frac": lambda x: x - math.floor(x)}
    return [eval(text, {**names, "r": k / 997, "y": (k / 997) ** 2}) for k in range(1, 20_000, 7)]


@pytest.mark.parametrize(
    "text", ["1-frac(r)", "2-frac(r)-frac(sqrt(2)*r)", "1/2+frac(log(1+r))", "frac(r)", "3-3*frac(r/2)+exp(-r)"]
)
def test_what_is_met_holds(text: str) -> None:
    assert met(text) == list(KINDS)
    assert min(values(text)) >= 0 and sum(x == 0 for x in values(text)) < 10


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("frac(sqrt(2)*r)", ["nonnegative"]),  # whether it is 0 on an interval is not told
        ("frac(r)+frac(2*r)", ["nonnegative"]),
        ("1-2*frac(r)", []),
        ("1/2-frac(r)", []),
        ("frac(r)-frac(2*r)", []),
        ("1-frac(r)-exp(-r)", []),
        ("1+r-frac(r)", []),
        ("1-floor(r)", []),
        ("1+exp(-r)", []),  # no saw: other rules meet it
        ("floor(r)-r", []),
    ],
)
def test_what_is_not_shown_is_not_met(text: str, kinds: list[str]) -> None:
    assert met(text) == kinds


def test_of_other_kinds_nothing_is_met() -> None:
    assert not met_by_saw(Need("branch", (), ())) and not met_by_saw(Need("no pole", tree("1-frac(r)"), ()))


@pytest.mark.parametrize("text", ["exp(-r)*sqrt(frac(r)-1/2)", "exp(-r)*sqrt(frac(r)-frac(2*r))"])
def test_a_forged_generator_is_refused(text: str) -> None:
    forged = copy.deepcopy(json.loads((GALLERY / "root-of-a-saw.json").read_text()))
    assert check_bytes(proven(copy.deepcopy(forged))).claim == forged["claim"]
    forged["claim"]["generator"] = text
    with pytest.raises(Rejected, match="not shown to have a value"):
        check_bytes(sealed(forged))

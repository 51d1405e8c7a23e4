"""Compositions of noise whose f rises (Theorem E): beside losses summed on a fine grid, and forged certificates."""

from __future__ import annotations

import copy
import json
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

import dpverify
from dpverify.kernel import Rejected
from dpverify.kernel.sections.releases import known
from dpverify.profiles.result import Enclosed
from tests.composition.references import curve
from tests.kernel.problems import proven

RING, BINS = "exp(-Abs(r - 2))", 4000


def ring(**more: Any) -> dict[str, Any]:
    return copy.deepcopy(curve(RING, step="1/4", **more))


def together(times: int, epsilon: float, shift: float, upward: bool) -> float:
    """delta of so many pairs at a shift, each loss rounded to a grid, up or down."""
    x = np.linspace(-60, 60, 4_800_001)[:-1] + 1.25e-5
    log = -np.abs(np.abs(x) - 2)
    weight = np.exp(log)
    loss = log + np.abs(np.abs(x - shift) - 2)
    width = shift / BINS
    k = (np.ceil if upward else np.floor)(loss / width - (1e-9 if upward else -1e-9)).astype(int) + BINS
    masses = np.bincount(k, weight / weight.sum(), 2 * BINS + 1)
    found = masses
    for _ in range(times - 1):
        size = len(found) + len(masses) - 1
        found = np.fft.irfft(np.fft.rfft(found, 2**17) * np.fft.rfft(masses, 2**17), 2**17)[:size]
    losses = (np.arange(len(found)) - times * BINS) * width
    return float(np.sum(np.maximum(0.0, found) * np.maximum(0.0, 1 - np.exp(epsilon - losses))))


@pytest.mark.slow
@pytest.mark.parametrize(("times", "epsilon"), [(1, "1/2"), (2, "1/2"), (4, "1"), (9, "2")])
def test_the_divergence_of_pairs_lies_between_the_bounds(times: int, epsilon: str) -> None:
    """At the longest shift, which is the worst for every eps, so that the bounds are near each other."""
    composed = dpverify.compose([(ring(), times)], epsilon=epsilon, certificate=True)
    delta = composed.points[0].delta
    assert isinstance(delta, Enclosed) and dpverify.check(composed.certificate)
    low, high = (together(times, float(Q(epsilon)), 1.0, upward) for upward in (False, True))
    assert high - low < 2e-3 * times
    assert float(delta.lower) <= high + 1e-5 and low - 1e-5 <= float(delta.upper)
    assert float(delta.lower) > 0.75 * high


@pytest.mark.slow
def test_one_pair_is_no_worse_than_the_worst_of_all() -> None:
    """The pair's divergence is at most the profile's, and at one point at least it is the profile's."""
    claim = ring()["claim"]
    both = [(Q(low), Q(p["delta"]["lower"])) for low, p in zip(claim["pair"]["lower"], claim["points"], strict=True)]
    assert all(low <= most for low, most in both)
    assert any(0 < low == most for low, most in both)
    assert 0 < Q(claim["pair"]["shift"]) <= 1


def raised(lower: list[str]) -> None:
    lower[1] = str(Q(lower[1]) + Q(1, 10**9))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            lambda c: c["pair"]["lower"].__setitem__(1, str(Q(c["pair"]["lower"][1]) + Q(1, 10**9))),
            "as large as claimed",
        ),
        (lambda c: c["pair"]["lower"].__setitem__(-1, "1/10000000000"), "as large as claimed"),
        (lambda c: c["pair"].update(shift="1/2"), "as large as claimed"),
        (lambda c: c["pair"].update(shift="3/2"), "within the sensitivity"),
        (lambda c: c["pair"].update(shift="0"), "within the sensitivity"),
        (lambda c: c["pair"]["lower"].pop(), "does not match"),
        (lambda c: c["pair"].update(eps="1"), "unknown field"),
    ],
)
def test_a_pair_that_is_claimed_to_tell_more(change: Any, why: str) -> None:
    certificate = ring()
    change(certificate["claim"])
    with pytest.raises(Rejected, match=why):
        proven(certificate)


def test_theorem_b_has_no_need_of_a_pair() -> None:
    certificate = copy.deepcopy(curve("laplace", step="1/2"))
    certificate["claim"]["pair"] = {"shift": "1", "lower": ["0"] * len(certificate["claim"]["points"])}
    with pytest.raises(Rejected, match="one pair for every eps"):
        proven(certificate)


def test_a_supremum_over_shifts_tells_nothing_from_below() -> None:
    """Of a profile of Theorem E without a pair only the upper bounds count; with one, the pair's lower bounds."""
    points = [{"epsilon": "0", "delta": {"lower": "1/2", "upper": "3/5"}}]
    claim: dict[str, Any] = {"kind": "profile", "theorem": "Theorem E", "points": points}
    assert known(claim) == {Q(0): (Q(0), Q(3, 5))}
    assert known({**claim, "pair": {"shift": "1", "lower": ["1/4"]}}) == {Q(0): (Q(1, 4), Q(3, 5))}
    assert known({**claim, "theorem": "Theorem B"}) == {Q(0): (Q(1, 2), Q(3, 5))}


@pytest.mark.slow
def test_without_a_pair_nothing_is_told_from_below() -> None:
    """As of the certificates from before pairs were claimed."""
    certificate = ring()
    del certificate["claim"]["pair"]
    older = json.loads(proven(certificate))
    delta = dpverify.compose([(older, 4)], epsilon="1").points[0].delta
    assert isinstance(delta, Enclosed) and delta.lower == 0 < delta.upper

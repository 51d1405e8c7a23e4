"""Measures of several releases together, in both orders of the pair, and claims of compositions that are refused."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import replay
from dpverify.kernel.rules import Ledger
from dpverify.kernel.sections import releases
from dpverify.kernel.sections.losses import Losses
from dpverify.kernel.sections.releases import Measured, Profile, masses, parts, said
from dpverify.kernel.steps import Steps
from tests.kernel.test_losses import number, of_measure
from tests.profiles.panel import refused

Q = Fraction
PURE = Profile({Q(1): (Q(0), Q(0))})
PART = json.loads((Path(__file__).parents[2] / "certificates" / "laplace-d1.json").read_text())
POISSON, FIXED = ({"kind": kind, "rate": "1/4"} for kind in ("poisson", "fixed"))


def measured(found: list[Any], lower: Any = None, **changed: Any) -> Measured:
    grid = {"step": "1/2", "digits": 10, "most": 8, "reach": [4] * len(found)} | changed
    return Measured(found, Steps({"grid": grid, "lower": [None] * len(found) if lower is None else lower}))


def test_above_are_both_orders_and_below_is_one() -> None:
    """Randomised response with epsilon = 1, as it is and on a sample: neither order of the pair is left out."""
    found = measured([(PURE, 1, None), (PURE, 2, POISSON)], step="1/8", reach=[10, 10], most=40)
    with mp.workdps(40):
        p = [mp.e / (1 + mp.e), 1 / (1 + mp.e)]
        mixed = [(3 * y + x) / 4 for x, y in zip(p, p[::-1], strict=True)]
        for order, w in enumerate(found.above):
            assert w is not None
            above, pairs = of_measure(w, found.grid), [(p, p[::-1]), *[(mixed, p[::-1])] * 2]
            pairs = [(y, x) if order else (x, y) for x, y in pairs]
            for a in (mp.mpf(1) / 2, mp.mpf(1), mp.mpf("1.2"), mp.mpf(2), mp.mpf(4)):
                exact = mp.mpf(0)
                for i in product((0, 1), repeat=3):
                    top, under = (mp.fprod(pairs[k][side][i[k]] for k in range(3)) for side in (0, 1))
                    exact += max(mp.mpf(0), top - a * under)
                assert exact <= above(a) <= exact + mp.mpf("0.02")
        assert len(found.above) == 2


@pytest.mark.parametrize("epsilon", [Q(0), Q(1, 3), Q(1), Q(9, 4)])
def test_delta_is_the_worse_of_both_orders(epsilon: Fraction) -> None:
    found = measured([(PURE, 1, None)])
    first, second = Losses(-1, [10**9, 2 * 10**9, 10**9, 5 * 10**9], 10**8), Losses(1, [4 * 10**9] * 2, 10**9)
    with mp.workdps(90):
        a = mp.exp(number(epsilon))
        for above in ([first, second], [second, first], [second]):
            found.above, found.low = list(above), first
            delta, most = found.delta(epsilon), max(of_measure(w, found.grid)(a) for w in above)
            least = of_measure(first, found.grid)(a)
            assert least - mp.mpf(10) ** -50 <= number(delta.lo) <= least
            assert most <= number(delta.hi) <= most + mp.mpf(10) ** -50


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"step": "1"}, None),
        ({"step": "0"}, "inside"),
        ({"step": "-1/2"}, "inside"),
        ({"step": "3/2"}, "inside"),
        ({"step": "2"}, "inside"),
        ({"digits": 1}, None),
        ({"digits": 0}, "grid.digits"),
        ({"most": 1}, None),
        ({"most": 0}, "grid.most"),
        ({"reach": [1]}, None),
        ({"reach": [0]}, "grid.reach is not an integer"),
        ({"reach": ["4"]}, "grid.reach is not an integer"),
        ({"reach": [4, 4]}, "match the parts"),
        ({"reach": []}, "match the parts"),
        ({"reach": "4"}, "match the parts"),
        ({"reach": {"4": 4}}, "match the parts"),
        ({"lower": []}, "match the parts"),
        ({"lower": [None, None]}, "match the parts"),
        ({"lower": {"4": 4}}, "match the parts"),
        ({"lower": "4"}, "match the parts"),
        ({"lower": 4}, "match the parts"),
    ],
)
def test_a_grid_is_one_for_the_parts(changed: dict[str, Any], why: str | None) -> None:
    if why is None:
        assert measured([(PURE, 1, None)], **changed).delta(Q(1, 2)).lo == 0
        return
    refused(lambda: measured([(PURE, 1, None)], **changed), why)


@pytest.mark.parametrize(
    ("most", "reach", "times", "holds"),
    [
        (5, [5], 7, True),
        (6, [5], 1, False),
        (5, [6], 1, False),
        (5, [5], 8, False),
        (1, [5], 7, True),
        (5, [1], 7, True),
        (2, [2], 15, True),
    ],
)
def test_what_the_measures_may_take(
    most: int, reach: list[int], times: int, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten digits of at most five losses on each side, and six products of them."""
    monkeypatch.setattr(releases, "MOST_WORK", 50)
    monkeypatch.setattr(releases, "MOST_PRODUCTS", 300)
    if holds:
        measured([(PURE, times, None)], most=most, reach=reach)
        return
    refused(lambda: measured([(PURE, times, None)], most=most, reach=reach), "too long, or too many")


def test_so_many_masses_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "MOST_KNOTS", 3)
    assert masses(["1", "2", "3"]) == [1, 2, 3]
    refused(lambda: masses(["1"] * 4), "whole numbers")
    refused(lambda: parts(3, {"one": {}}), "digests")


def part(**changed: Any) -> dict[str, Any]:
    return {"digest": PART["digest"], "times": 1, "sampling": None} | changed


def composed(claim: dict[str, Any], grid: dict[str, Any] | None = None, **more: Any) -> list[str]:
    point = {"epsilon": "1/2", "delta": {"lower": "0", "upper": "1"}}
    whole = {"kind": "releases", "verdict": "releases", "theorem": "composition of profiles"}
    whole |= {"parts": [part()], "points": [point], "quantiles": []} | claim
    n = len(whole["parts"])
    steps = {"parts": {PART["digest"]: PART}, "lower": [None] * n}
    steps["grid"] = {"step": "1/2", "digits": 10, "most": 8, "reach": [4] * n} | (grid or {})
    return replay(whole, steps | more, Ledger())


def point_of(upper: str) -> list[Any]:
    return [{"epsilon": "1/2", "delta": {"lower": "0", "upper": upper}}]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"more": "0"}, "unknown field"),
        ({"verdict": "profile"}, "not that of a composition"),
        ({"theorem": "Theorem B"}, "not that of a composition"),
        ({"verdict": "profile", "theorem": "Theorem B"}, "not that of a composition"),
        ({"parts": [part(sampling=POISSON), part(sampling=FIXED)]}, "sampled in two ways"),
        ({"points": point_of("1/4")}, "not shown between its bounds"),
        ({"quantiles": [{"delta": "1/4", "epsilon": {"lower": "0", "upper": "1/2"}}]}, "no point shows"),
    ],
)
def test_a_claim_of_a_composition_that_is_refused(changed: dict[str, Any], why: str) -> None:
    """One release with epsilon = 1, of which delta(1/2) is (e - e^(1/2))/(1 + e) = 0.287 at worst."""
    assert composed({}) == [] == composed({"parts": [part(sampling=POISSON), part(sampling=POISSON)]})
    assert composed({"points": point_of("3/10")}) == []
    with pytest.raises(Rejected, match=why):
        composed(changed)


def test_a_step_of_a_composition_that_no_claim_needs() -> None:
    refused(lambda: composed({}, cover=["0", "1"]), "no claim needs")


def test_a_composition_in_one_line() -> None:
    claim = {"parts": [part(times=3), part(sampling=POISSON)], "points": point_of("1")}
    assert said(claim) == (
        f"releases: of 3 times {PART['digest'][:12]} and 1 times {PART['digest'][:12]} on a poisson sample of 1/4, "
        "0 <= delta(1/2) <= 1"
    )

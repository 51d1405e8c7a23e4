"""Claims of profiles and their steps that are refused, before any integral; and which bound each point is given by."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import replay
from dpverify.kernel.intervals import interval
from dpverify.kernel.rules import BROUGHT, Ledger
from dpverify.kernel.sections import charts, profiles
from dpverify.kernel.sections.epsilon import THEOREMS
from dpverify.kernel.sections.profiles import bounds, quantiles, rough
from dpverify.kernel.steps import Steps
from tests.profiles.panel import LAPLACE, noise, refused

Q = Fraction
GAUSSIAN = json.loads((Path(__file__).parents[2] / "certificates" / "profiles" / "gaussian-d1.json").read_text())


def replayed(claim: dict[str, Any], proof: dict[str, Any]) -> list[str]:
    return replay(GAUSSIAN["claim"] | claim, GAUSSIAN["proof"] | proof, Ledger())


@pytest.mark.parametrize(
    ("claim", "proof", "why"),
    [
        ({"more": "0"}, {}, "unknown field"),
        ({"verdict": "private"}, {}, "not that of a profile"),
        ({"theorem": "Theorem Z"}, {}, "not that of a profile"),
        ({"theorem": ["Theorem B"]}, {}, "not that of a profile"),
        ({"infinite": None}, {}, "infinite is not a rational"),
        ({"quantiles": {}}, {}, "quantiles is not a list"),
        ({"quantiles": ""}, {}, "quantiles is not a list"),
        ({}, {"profile": {"mass": None, "order": 6, "points": {"normal": "0"}}}, "match the points"),
        ({}, {"measures": {}}, "no claim needs"),
        ({"generator": "exp(-y/2)+0*log(r-1)"}, {}, "no step .defined."),
    ],
)
def test_a_claim_of_a_profile_that_is_refused(claim: dict[str, Any], proof: dict[str, Any], why: str) -> None:
    assert replayed({}, {}) == []
    refused(lambda: replayed(claim, proof), why)


def test_a_step_that_rewrites_f_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(charts.REWRITINGS, "as it is", lambda tree, step: tree)
    assert replayed({}, {"as it is": "0"}) == []


@pytest.mark.parametrize("how", [["rough"], "rough", {"rough": "set"}, {"rough": ["set"]}, {"rough": None}, {}, None])
def test_what_names_no_rough_bounds(how: Any) -> None:
    assert not rough(how) and rough({"rough": {}})


# The bounds of each point, whose integrals, and hypotheses, are taken for granted here: delta lies between 1/4 and 1/2
# by the panels, and between 1/8 and 3/4 by any other way.

PANELS, OTHER = (Decimal("0.25"), Decimal("0.5")), (Decimal("0.125"), Decimal("0.75"))
CUT = SimpleNamespace(lost=interval(0), end=Q(1))


class Granted:
    """Replays the bounds of points at eps = 0, 1, 2, ..., and counts how often the mass is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.masses, self.orders, self.bounds = 0, list[int](), list[Any]()
        for theorem in ("Theorem B", "Theorem E"):
            monkeypatch.setitem(profiles.WAYS, theorem, ((), "a bound", self.at))
        monkeypatch.setitem(THEOREMS, "a bound", (lambda proof, bound: self.bounds.append(bound), None))
        monkeypatch.setattr(profiles, "mass", self.mass)
        for name in ("the profile of a Gaussian", "rough bounds"):
            monkeypatch.setitem(BROUGHT, name, lambda *given: OTHER)
        for name in profiles.CUT.values():
            monkeypatch.setitem(BROUGHT, name, lambda found, *given: (found[0] / 2, found[1] * 2))
        monkeypatch.setitem(BROUGHT, "an atom at infinity", lambda *given: None)

    def mass(self, *given: Any) -> Any:
        self.masses += 1
        return interval(1)

    def at(self, proof: Any, noise: Any, z: Any, how: Any) -> Any:
        self.orders.append(noise.order)
        return PANELS

    def __call__(self, points: Any, claim: Any = None, needs: Any = (), cut: Any = None, **changed: Any) -> Any:
        claim = {"theorem": "Theorem B", **(claim or {})}
        epsilons = range(len(points) if isinstance(points, list | dict) else 1)
        claim.setdefault("points", [{"epsilon": str(e), "delta": None} for e in epsilons])
        step = {"order": 3, "mass": "granted", "points": points} | changed
        proof = SimpleNamespace(problem=noise(LAPLACE, 1).p, steps=Steps({"profile": step, "atom": {}}))
        return bounds(SimpleNamespace(reader=SimpleNamespace(needs=needs)), proof, claim, cut)  # type: ignore[arg-type]


@pytest.fixture
def granted(monkeypatch: pytest.MonkeyPatch) -> Granted:
    return Granted(monkeypatch)


SET: dict[str, Any] = {"left": []}
ROUGH: dict[str, Any] = {"rough": {"set": {}}}
SMALL = {"theorem": "Theorem E"}


def test_the_bound_of_a_point_is_that_of_its_step(granted: Granted) -> None:
    """A Gaussian's formula is for Theorem B, and for an f that is whole; of a cut f all is widened."""
    assert granted([SET, "normal", ROUGH, SET]) == [PANELS, OTHER, OTHER, PANELS]
    assert granted.masses == 1 and granted.orders == [6, 6]
    assert granted([ROUGH, ROUGH, SET]) == [OTHER, OTHER, PANELS] and granted.masses == 2
    assert granted(["normal"], SMALL) == [PANELS]
    wide = (PANELS[0] / 2, PANELS[1] * 2)
    assert granted(["normal", SET], cut=CUT) == [wide, wide] == granted(["normal", SET], SMALL, cut=CUT)
    assert granted(["pure", "pure"]) == [PANELS, PANELS] and granted.bounds == [0]
    assert granted([SET], {"infinite": "1/8"}, cut=CUT) == [wide]
    assert granted(["normal"], mass=None) == [OTHER]


@pytest.mark.parametrize(
    ("points", "given", "why"),
    [
        ([ROUGH], {"cut": CUT}, "no pure epsilon"),
        (["pure"], {"cut": CUT}, "no pure epsilon"),
        ([SET], {"claim": {"infinite": "1/8"}}, "has no atom"),
        (["normal"], {"claim": {"infinite": "1/8"}, "mass": None}, "has no atom"),
        (["normal"], {}, "not asked for"),
        (["normal"], {"mass": None, "bounded": ["1"]}, "not asked for"),
        ([SET], {"bounded": {}}, "bounded is not a list"),
        ([SET], {"bounded": ""}, "bounded is not a list"),
        ([SET], {"order": 0}, "profile.order"),
        ([SET], {"order": 25}, "profile.order"),
        ([SET], {"more": "0"}, "unknown field"),
        ([], {}, "match the points"),
        ([SET], {"claim": {"points": []}}, "match the points"),
        ([], {"claim": {"points": [{"epsilon": "0", "delta": None}]}}, "match the points"),
        ({"pure": "0"}, {}, "match the points"),
        ("p", {}, "match the points"),
        (3, {}, "match the points"),
        ([SET], {"claim": {"points": {"0": "0"}}}, "match the points"),
        ([SET], {"claim": {"points": "0"}}, "match the points"),
        ([SET], {"claim": {"points": 0}}, "match the points"),
    ],
)
def test_steps_of_points_that_are_refused(points: Any, given: dict[str, Any], why: str, granted: Granted) -> None:
    refused(lambda: granted(points, **given), why)


def test_what_the_text_needs_is_asked_for(granted: Granted, monkeypatch: pytest.MonkeyPatch) -> None:
    def unmet(proof: Any, needs: Any) -> None:
        raise Rejected("a need is not met")

    monkeypatch.setitem(BROUGHT, "a way to meet the needs of the text", unmet)
    refused(lambda: granted([SET], needs=["a need"]), "is not met")


def test_work_grows_with_the_order_squared_and_may_grow_with_the_points(
    granted: Granted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of f = exp(-r) in one dimension, with two panels, the mass and one of a point: (size + 20) 36 + 20 each."""
    each = (noise(LAPLACE, 1).p.tree.size + 20) * 36 + 20
    panels = profiles.panels({"order": 3, "mass": "granted", "points": [SET, "pure"]})
    monkeypatch.setattr(profiles, "MORE_WORK", 100)
    for most, holds in ((panels * each - 200, True), (panels * each - 201, False)):
        monkeypatch.setattr(profiles, "MOST_WORK", most)
        if holds:
            granted([SET, "pure"])
        else:
            refused(lambda: granted([SET, "pure"]), "too many")


def test_quantiles_are_a_list() -> None:
    refused(lambda: quantiles({"quantiles": {}, "points": []}), "not a list")

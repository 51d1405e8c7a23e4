"""Which integrals a certificate may bring for its divergences: none of an f that is cut or patched, and none for
another measure at the same place."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import measures, moments
from dpverify.kernel.sections.measures import ERROR, RENYI


def beside(*names: str) -> Any:
    """A proof that has some steps."""
    return SimpleNamespace(steps=SimpleNamespace(has=lambda name: name in names, take=lambda name: {"integrals": []}))


@pytest.mark.parametrize("step", ["cut", "patches"])
def test_of_an_f_that_is_not_the_claims_no_integral_is_taken(step: str) -> None:
    with pytest.raises(Rejected, match="cut f says nothing of f"):
        measures.by_integrals(beside(step), {"integrals": ["2"]}, [{"name": RENYI, "at": "2"}])
    with pytest.raises(Rejected, match="cut f say nothing of f"):
        moments.tail(beside(step), Fraction(1), dict.fromkeys(("top", "marks", "bounds", "masses")))


def test_an_integral_is_of_the_divergence_at_its_place_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an integral shows that the divergence is 1, it does not show that the type II error at 1/2 is, which noise
    with a delta of 1/2 cannot have."""
    monkeypatch.setattr(measures, "by_integrals", lambda *_: {"1/2": interval(1)})
    half = {"lower": "1/2", "upper": "1/2"}
    points = [{"epsilon": str(e), "delta": half} for e in range(3)]

    def claim(*names: str) -> dict[str, Any]:
        one = {"lower": "1", "upper": "1"}
        return {"points": points, "measures": [{"name": name, "at": "1/2", "value": one} for name in names]}

    measures.measures(claim(RENYI), beside("measures"))
    with pytest.raises(Rejected, match="not shown between its bounds"):
        measures.measures(claim(RENYI, ERROR), beside("measures"))


def listed(monkeypatch: pytest.MonkeyPatch, orders: str, claimed: str, *more: str) -> dict[str, Any]:
    """What integrals of these orders give for a claim of those, each of them 1."""
    monkeypatch.setattr(measures, "brought", lambda name: lambda proof, x: (x["at"], interval(1)))
    step = {"integrals": [{"at": order} for order in orders]} | dict.fromkeys(more, "1/4")
    given = [{"name": RENYI, "at": order} for order in claimed] + [{"name": ERROR, "at": "5"}]
    return measures.by_integrals(beside(), step, given)


def test_each_integral_is_of_an_order_that_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(listed(monkeypatch, "23", "32")) == {"2", "3"}
    assert set(listed(monkeypatch, "2", "23")) == {"2"}
    assert set(listed(monkeypatch, "1", "", "beside")) == {"1"}
    assert set(listed(monkeypatch, "12", "2", "beside")) == {"1", "2"}
    for orders, claimed, more in (("22", "2", ()), ("23", "2", ()), ("5", "2", ()), ("1", "2", ()), ("", "2", ())):
        with pytest.raises(Rejected):
            listed(monkeypatch, orders, claimed, *more)
    for orders, claimed in (("2", "2"), ("13", "2"), ("11", ""), ("", "")):
        with pytest.raises(Rejected):
            listed(monkeypatch, orders, claimed, "beside")


def test_a_reach_beside_the_order_1_is_for_rho(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "by_integrals", lambda *_: {"1": interval(1)})
    one = {"lower": "1", "upper": "1"}
    given = {"points": [], "measures": [{"name": RENYI, "at": "1", "value": one}]}
    step = {"integrals": []}
    proof: Any = SimpleNamespace(steps=SimpleNamespace(has=lambda name: name == "measures", take=lambda name: step))
    measures.measures(given, proof)
    step |= {"beside": "1/4"}  # type: ignore[dict-item]
    with pytest.raises(Rejected, match="no claim needs"):
        measures.measures(given, proof)

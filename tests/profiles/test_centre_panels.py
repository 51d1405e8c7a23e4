"""Panels that begin at 0, of generators in which rewriting makes sums with r in them, against mpmath's integrals."""

from __future__ import annotations

import copy
import math
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.certificate.rewriting import rewrite
from dpverify.kernel import Rejected
from dpverify.kernel.sections.charts import CLAIM, Problem, Subject
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.ways import with_ways
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import walk
from dpverify.prover.profile.line import Line
from tests.profiles.panel import FAR, NEAR, holds, integral, number
from tests.profiles.references import on_the_line
from tests.profiles.test_must_fail import refusal

FADING = "exp(-r)*(1-r/sqrt(1+y))"
END = Fraction(1, 128)


def fading(r: Any) -> Any:
    return mp.exp(-r) * (1 - r / mp.sqrt(1 + r * r))


def subject(text: str = FADING) -> Subject:
    about = {"generator": text, "parameters": {}, "dimension": 3, "sensitivity": "1", "scale": "1"}
    return Subject(dict.fromkeys(CLAIM) | about)


def rewritten() -> tuple[Subject, dict[str, Any]]:
    """1 - r/sqrt(1 + y) as 1/((1 + y)(1 + r/sqrt(1 + y)))."""
    found = subject()
    return found, rewrite(found)


def noise(ways: dict[str, Any]) -> Noise:
    found, _ = rewritten()
    problem = Problem(found.tree, 3, Fraction(1), NEAR, FAR)
    if ways:
        with_ways(problem, Steps({"ways": ways}), found)
    return Noise(problem, 12, Fraction(1, 2))


def the_sum() -> str:
    """The number of 1 + r/sqrt(1 + y)."""
    found, _ = rewritten()
    return next(str(n.number) for n in walk(found.tree) if n.kind == "add" and n.exponential)


def test_nodes_that_rewriting_makes_have_numbers_beyond_those_of_the_text() -> None:
    """As many as are needed, and the same for prover and checker."""
    found, steps = rewritten()
    assert steps == {"conjugates": steps["conjugates"]} and steps["conjugates"]
    typed = {n.number: n.kind for n in subject().nodes()}
    assert sorted(typed) == list(range(1, len(typed) + 1))
    nodes = found.nodes()
    numbers = [n.number for n in nodes]
    assert len(set(numbers)) == len(numbers) and 0 not in numbers
    kept = [n for n in nodes if n.number in typed]
    assert kept and all(typed[n.number] == n.kind for n in kept)
    made = sorted(n for n in numbers if n not in typed)
    assert made and made == [max(n.number for n in kept) + 1 + k for k in range(len(made))]
    again = subject()
    again.rewrite(Steps(dict(steps)))
    assert [(n.number, n.kind) for n in again.nodes()] == [(n.number, n.kind) for n in nodes]


def test_a_panel_that_begins_at_0_takes_the_sum_by_its_value_where_that_is_named() -> None:
    with pytest.raises(Rejected, match="no proved sign"):
        noise({}).integral(Fraction(0), END)
    named = noise({"centre": {the_sum(): "value"}})
    with mp.workdps(40):
        for a, b in ((Fraction(0), END), (END, 2 * END)):
            truth = integral(lambda r: r * r * fading(r), a, b)
            holds(named.integral(a, b), truth, 1e-4 * float(truth))
        holds(named.log(named.radius(Fraction(0), END)).span(), mp.log(fading(number(END))), 0.05)


def test_other_panels_and_boxes_are_evaluated_as_before() -> None:
    plain, named = noise({}), noise({"centre": {the_sum(): "value"}})
    box = Fraction(1), Fraction(9, 8)
    both = [(n.integral(*box), n.p.on_box(*box).du) for n in (plain, named)]
    assert [(x.lo, x.hi) for x in both[0]] == [(x.lo, x.hi) for x in both[1]]


def certified(d: int) -> dict[str, Any]:
    found = dpverify.profile(FADING, dimension=d, epsilon="1/2", certificate=True).certificate
    assert found is not None
    return dict(found)


def ends(certificate: dict[str, Any]) -> tuple[Fraction, Fraction]:
    delta = certificate["claim"]["points"][0]["delta"]
    return Fraction(delta["lower"]), Fraction(delta["upper"])


@pytest.mark.campaign
def test_a_certificate_to_a_billionth_and_what_is_forged_in_it() -> None:
    """S ends at one radius below 1/2; f is largest at 0."""
    certificate = certified(1)
    low, high = ends(certificate)
    assert high - low <= low / 10**9
    with mp.workdps(40):
        edge = mp.findroot(lambda r: fading(r) - mp.exp(0.5) * fading(1 - r), 0.4)
        truth = on_the_line(fading, "0.5", "1", (-mp.inf, -10, -2, 0, edge))
        assert number(low) <= truth <= number(high)
    chosen = certificate["proof"]["ways"]["centre"]
    assert set(chosen.values()) == {"value"}
    for ways in ({}, {**chosen, "999": "value"}, {next(iter(chosen)): "logs"}):
        forged = copy.deepcopy(certificate)
        forged["proof"]["ways"]["centre"] = ways
        assert refusal(forged)
    forged = copy.deepcopy(certificate)
    del forged["proof"]["ways"]
    assert refusal(forged) == "K154"
    narrow = copy.deepcopy(certificate)
    narrow["claim"]["points"][0]["delta"]["upper"] = str(low)
    assert refusal(narrow) == "K161"


def test_a_way_at_the_centre_that_no_panel_takes_is_refused() -> None:
    found, steps = rewritten()
    problem = Problem(found.tree, 3, Fraction(1), NEAR, FAR)
    replay = Steps({"ways": {"centre": {the_sum(): "value"}}})
    with_ways(problem, replay, found)
    problem.on_box(Fraction(1), Fraction(2))
    with pytest.raises(Rejected, match="not evaluated"):
        replay.at_end[0]()
    assert steps


def test_where_every_loss_on_the_left_exceeds_eps_there_is_no_edge() -> None:
    """The loss from 0 on; f at 0 itself is not asked for, where floats may have no logarithm."""
    marks = [Fraction(0), *(Fraction(2) ** k for k in range(-7, 6))]

    line: Any = SimpleNamespace(radial=SimpleNamespace(rough=lambda r: -2 * r if r else math.nan), s=1, epsilon=1)
    line._rough_loss = lambda side, r: Line._rough_loss(line, side, r)
    assert Line._edge(line, marks) == []
    line.radial.rough = lambda r: -r * r if r else math.nan
    assert Line._edge(line, marks) == []  # a loss of 2 r + 1 exceeds 1 everywhere
    line.epsilon = 5  # beyond r = 2
    found = Line._edge(line, marks)
    assert all(a != b for a, b in pairwise(sorted(found))) and min(abs(float(x) - 2) for x in found) < 1e-4

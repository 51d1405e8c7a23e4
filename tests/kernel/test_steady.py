"""What has no wave in it is the same on all cells of phases: found once, and never with another cell's waves."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.evaluation import VALUES, Evaluation
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.models import LINEAR, Model
from dpverify.kernel.sections.slopes import with_slope
from dpverify.kernel.sections.steady import OnPhases
from tests.kernel.problems import cell, in_phases

TEXT = "exp(-r-sqrt(1+y)/3)*(1+r)**(-7/3)*(3+cos(r))"
CELLS = [(Fraction(k, 4), Fraction(k + 1, 4)) for k in range(8)]


def g(r: float) -> float:
    return r + math.sqrt(1 + r * r) / 3 + 7 / 3 * math.log(1 + r) - math.log(3 + math.cos(r))


def test_roots_are_found_once_for_all_cells_and_shifts_and_waves_on_each(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, met = in_phases(TEXT, turns=False, radius=64), {"pow": 0, "cos": 0}
    for kind in met:

        def counted(at: Evaluation, node: Any, kind: str = kind, of: Any = VALUES[kind]) -> Any:
            met[kind] += 1
            return of(at, node)

        monkeypatch.setitem(VALUES, kind, counted)
    for low, high in CELLS:
        proof.problem.far(cell(proof, low, high))
    assert met["pow"] <= 2 and met["cos"] == len(CELLS)


@pytest.mark.parametrize("h", [Fraction(1), Fraction(1, 7)])
def test_the_loss_on_each_cell_is_its_own(h: Fraction) -> None:
    proof = in_phases(TEXT, turns=False, radius=64)
    for low, high in CELLS:
        bounds: Any = proof.tail
        found = bounds.loss(cell(proof, low, high), h)
        for part in (0.0, 0.5, 1.0):
            for k in (11, 20, 1000):
                r = float(low + (high - low) * Fraction(part)) + 2 * math.pi * k
                loss = g(r + float(h)) - g(r)
                assert float(found.lo) - 1e-9 <= loss <= float(found.hi) + 1e-9
        assert found.hi - found.lo < 1


def test_a_wave_takes_the_phase_of_its_own_cell_whatever_its_argument_is_made_of() -> None:
    """cos(r - 1/(1+r)): its argument has no wave in it, and is found on all of the end, where r has no phase."""
    proof = in_phases("exp(-2*r)*(3+cos(r-1/(1+r)))", turns=False, radius=4096)
    for low, high in CELLS:
        germ = cell(proof, low, high)
        value = proof.problem.far(germ).u + Model(germ, {LINEAR: 2})
        span = value.span()
        for x in (low, high):
            assert float(span.lo) - 1e-3 <= math.log(3 + math.cos(x)) <= float(span.hi) + 1e-3
        assert span.hi - span.lo < Fraction(1, 4)


def test_what_is_kept_is_of_the_element_that_was_asked_for() -> None:
    """r and 2r are two elements, which the same nodes have two values at."""
    proof = in_phases(TEXT, turns=False, radius=64)
    evaluations = proof.problem.at_infinity
    assert isinstance(evaluations, OnPhases)
    (root,) = (n for n in evaluations.steady if n.kind == "pow" and n.args[1] == Fraction(1, 2))
    germ = cell(proof, Fraction(0), Fraction(1))
    for factor in (1, 2, 1):
        at = evaluations(with_slope(Model(germ, {LINEAR: factor})))
        value = at.value(root)
        assert value.u.germ is germ and value.u.leading()[0] == LINEAR
        assert value.u.leading()[1].lo <= factor <= value.u.leading()[1].hi


def test_what_is_kept_is_of_these_shifts_and_no_others() -> None:
    """sqrt(1 + r^2) rises by nearly h, for shifts that share one end of their interval."""
    proof = in_phases(TEXT, turns=False, radius=64)
    evaluations = proof.problem.at_infinity
    assert isinstance(evaluations, OnPhases)
    (root,) = (n for n in evaluations.steady if n.kind == "pow" and n.args[1] == Fraction(1, 2))
    r = Model(cell(proof, Fraction(0), Fraction(1)), {LINEAR: 1})
    for low, high in ((0, 8), (4, 8), (4, 6), (0, 6), (0, 8)):
        step = Interval(interval(low).lo, interval(high).hi)
        found = evaluations(with_shift(r, r.const(step))).value(root).du.span()
        assert abs(float(found.lo) - low) < 1 and abs(float(found.hi) - high) < 1

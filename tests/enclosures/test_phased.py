"""What has no wave in it is evaluated once for all cells of phases, and waves on each cell of their own."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.germ import LINEAR, Phase
from dpverify.asymptotics.phased import Phased
from dpverify.enclosures import Evaluation, Slope
from dpverify.enclosures.lowering import lower
from dpverify.language import parse

TEXT = "exp(-2*r)*(1+r)**(-7/3)*(3+cos(r-1/(1+r)))"


def germ(low: Fraction, high: Fraction) -> Germ:
    return Germ(Fraction(4096), 8).at(Phase(False, Fraction(1), low, high))


def test_a_cell_has_its_own_waves_and_what_others_found_without() -> None:
    node = lower(parse(TEXT))
    phased, roots = Phased(node), set()
    (root,) = (n for n in phased.steady if n.kind == "pow" and n.args[1] == fmpq(-7, 3))
    for k in range(8):
        low, high = Fraction(k, 4), Fraction(k + 1, 4)
        on = germ(low, high)
        r = Model.power_of_t(on, 1)
        evaluation = phased.evaluation(Slope(r, r.const(1)), on)
        sign, log = evaluation.log(node)
        assert sign == 1 and log.u.germ is on
        span = (log.u + Model(on, {LINEAR: fmpq(2)}) + (r + 1).log() * fmpq(7, 3)).span()
        for x in (low, high):
            height = math.log(3 + math.cos(x))
            assert float(span.low) - 1e-3 <= height <= float(span.high) + 1e-3
        assert float(span.high) - float(span.low) < 0.3
        roots.add(id(evaluation.log(root)[1].u.terms))
    assert len(roots) == 1


@pytest.mark.parametrize("factor", [1, 2])
def test_elements_that_differ_are_not_taken_for_each_other(factor: int) -> None:
    node = lower(parse("sqrt(1+y)"))
    phased, on = Phased(node), germ(Fraction(0), Fraction(1))
    for k in (1, factor):
        value = phased.evaluation(Model(on, {LINEAR: fmpq(k)}), on).value(node)
        plain = Evaluation(Model(on, {LINEAR: fmpq(k)})).value(node)
        assert value.leading()[0] == plain.leading()[0] == LINEAR
        assert value.leading()[1].contains(k) and plain.leading()[1].contains(k)
        assert value.leading()[1].rad() < 1e-9

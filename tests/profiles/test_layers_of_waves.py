"""Layers of an f whose logarithm turns again and again: where two edges begin together, and where panels are cut."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb

from dpverify.enclosures import precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.prover.problem import Problem
from dpverify.prover.profile.extremes import extremes
from dpverify.prover.profile.generator import bisected
from dpverify.prover.profile.layers import Layers
from dpverify.prover.profile.space import RisingInSpace
from dpverify.prover.profile.strips import coarsest, following
from soundness import surveyed

WAVES, HALF = "exp(-r)*(3+2*sin(3*r))", Fraction(1, 2)


def log(r: float) -> float:
    return -r + math.log(3 + 2 * math.sin(3 * r))


def layers(text: str = WAVES, d: int = 3) -> Layers:
    profile = RisingInSpace(Problem(lower(Generator(text, d).expression), d, Fraction(1)), None)
    return Layers(profile.radial(), HALF, 12, 40, lambda: None)


def turns(count: int) -> list[float]:
    """6 cos x = 3 + 2 sin x, x = 3 r: where cos(x + atan(1/3)) = 3/sqrt(40)."""
    found = [
        (sign * math.acos(3 / math.sqrt(40)) - math.atan(1 / 3) + 2 * math.pi * k) / 3
        for k in range(count)
        for sign in (-1, 1)
    ]
    return sorted(x for x in found if x > 0)


def test_where_log_f_turns_is_found_by_floats() -> None:
    found = extremes(layers().radial)
    assert found[:9] == pytest.approx(turns(5)[:9], abs=1e-7)
    assert extremes(layers("exp(-r)").radial) == []


def test_an_island_narrower_than_the_grid_is_seen() -> None:
    """On the sphere on which log f is 1/2 above its least value nearby, and 1e-7, S has what is close to it."""
    least = turns(3)[3]
    rho = bisected(least, least + 0.6, lambda r: log(r) - 0.5 > log(least) + 1e-7)
    assert log(rho) - 0.5 == pytest.approx(log(least) + 1e-7, abs=1e-12)
    bend = (log(least + 1e-3) + log(least - 1e-3) - 2 * log(least)) / 1e-6
    edges = [(edge, sign) for edge, sign, _ in layers().sketches.at(Fraction(rho)).edges if abs(edge - least) < 0.01]
    reach = math.sqrt(2e-7 / bend)
    assert [sign for _, sign in edges] == [1, -1]
    assert [edge for edge, _ in edges] == pytest.approx([least - reach, least + reach], abs=reach / 50)


def test_a_panel_is_cut_wherever_s_changes_its_kind() -> None:
    found = layers()
    found.most = arb("1e-6")
    marks = [Fraction(4), *found._turn(Fraction(4), Fraction(6)), Fraction(6)]
    assert len(marks) == 14 and marks == sorted(marks)
    for k, (a, b) in enumerate(pairwise(marks)):
        ends = found.sketches.at(a + (b - a) / 100), found.sketches.at(b - (b - a) / 100)
        assert ends[0].like(ends[1]) == (k % 2 == 0)
        assert b - a < Fraction(1, 50) or k % 2 == 0


def test_panels_are_finer_on_that_side_of_a_change_on_which_a_hole_is() -> None:
    """There edges are like roots; on the other side, and where in space one begins at an end of a sphere, they are
    not."""
    found = layers()
    found._rooted(Fraction(3), 2)
    found._rooted(Fraction(4), -2)
    found._rooted(Fraction(5), 1)
    assert found.cuts.poles == {Fraction(0), Fraction(3)} and found.cuts.before == {Fraction(4)}
    plane = layers(d=2)
    plane._rooted(Fraction(5), 1)
    assert plane.cuts.poles == {Fraction(0), Fraction(5)} and not plane.cuts.before


def test_strips_of_all_panels_end_at_multiples_of_powers_of_two() -> None:
    assert [coarsest(Fraction(x)) for x in ("1", "3/2", "1/3")] == [1, 1, Fraction(1, 4)]
    assert following(Fraction(1), HALF) == Fraction(3, 2) == following(Fraction(5, 4), HALF)
    with precision(200):
        panel = layers().panel(Fraction(17, 4), Fraction(35, 8))
    ends = [high for _, high, _ in panel.strips[:-1]]
    assert len(panel.edges) == 3 and len(ends) > 6
    assert all(end.denominator <= 1024 for end in ends)


def test_about_an_edge_a_band_is_as_wide_as_log_f_is_monotone() -> None:
    """log f falls from 0.36 to 1.44, its slope being below -1 there on boxes of a quarter."""
    found = layers().edges
    narrow, room = (Fraction(99, 100), Fraction(101, 100)), (HALF, Fraction(3, 2))
    with precision(200):
        wide = found._widened(narrow, room, 1)
        assert wide[0] < narrow[0] and wide[1] > narrow[1] and turns(2)[0] < wide[0] and wide[1] < turns(2)[1]
        assert found._widened(narrow, narrow, 1) == narrow
        assert found._widened(narrow, room, -1) == narrow


@pytest.mark.campaign
def test_waves_in_space_are_enclosed() -> None:
    f = next(f for text, f, _ in surveyed.TABLE if text == WAVES)
    profile = RisingInSpace(Problem(lower(Generator(WAVES, 3).expression), 3, Fraction(1)), None)
    low, high = profile.about(HALF, Fraction(1, 10**3))
    about = surveyed.divergence(f, 3, 0.5, 1.0)
    assert high - low < Fraction(1, 10**3) and float(low) == pytest.approx(about, rel=surveyed.NEAR)

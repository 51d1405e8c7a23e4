"""Marks placed anew: fewer panels for the same sum, and fewer radii for the same shifts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb

import dpverify
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.profiles import replay
from dpverify.prover.problem import Problem
from dpverify.prover.profile import RisingInSpace
from dpverify.prover.profile.even import Evening, uncertain

ORDER = 12


@dataclass(frozen=True)
class Piece:
    """An interval known as well as a Taylor polynomial of x^(1/2) about its middle knows it, beside what floats do."""

    a: Fraction
    b: Fraction | None
    kind: str = "c"
    finest: float = 0.0

    @property
    def value(self) -> arb:
        return arb(0)

    @property
    def cost(self) -> arb:
        if self.b is None or self.a > 2**1000:
            return arb(1e-20)
        half, middle = float(self.b - self.a) / 2, float(self.a + self.b) / 2
        return arb(max(self.finest, half * (half / (middle - half)) ** ORDER))


def evening(remade: Callable[[Fraction, Fraction], Piece] = Piece) -> Evening[Piece]:
    return Evening(remade, lambda x: x.kind if x.b is not None and x.kind == "c" else None, ORDER)


def halved(marks: list[Fraction], depth: int) -> list[Piece]:
    for _ in range(depth):
        marks = sorted({*marks, *((a + b) / 2 for a, b in pairwise(marks))})
    return [Piece(a, b) for a, b in pairwise(marks)]


def test_fewer_pieces_share_alike_what_all_may_be_unknown_by() -> None:
    before = [*halved([Fraction(1), Fraction(2), Fraction(4), Fraction(8)], 4), Piece(Fraction(8), None)]
    after = evening().evened(before, arb(1e-9))
    assert len(after) < len(before) / 2
    assert uncertain(after) <= 1e-9
    assert after[0].a == 1 and after[-1] == before[-1]
    assert all(x.b == y.a for x, y in pairwise(after))
    widths = [float(x.cost) for x in after[:-1]]
    assert max(widths) < 20 * min(widths)


def test_pieces_that_are_not_alike_stay_where_they_are() -> None:
    left, right = halved([Fraction(1), Fraction(2)], 4), halved([Fraction(2), Fraction(3)], 4)
    step = Piece(Fraction(2), Fraction(2) + Fraction(1, 16), "s")
    after = evening().evened([*left, step, *right[1:]], arb(1e-6))
    assert step in after and len(after) < len(left) + len(right)
    assert [x.kind for x in after].count("s") == 1


def test_a_run_is_left_alone_where_no_other_marks_do() -> None:
    before = halved([Fraction(1), Fraction(2)], 3)
    assert evening(lambda a, b: Piece(a, b, "e")).evened(before, arb(1e-3)) == before
    assert evening(lambda a, b: Piece(a, b, "c", 1e-2)).evened(before, arb(1e-3)) == before


@pytest.mark.parametrize("allowed", [arb(0), arb(-1), arb("nan"), arb("1e-300")])
def test_where_nothing_may_be_unknown_nothing_changes(allowed: arb) -> None:
    before = halved([Fraction(1), Fraction(2)], 3)
    assert evening().evened(before, allowed) == before


def test_radii_with_which_floats_cannot_do_are_kept() -> None:
    far = [Piece(Fraction(2) ** k, Fraction(2) ** (k + 1)) for k in (2000, 2001)]
    assert evening().evened(far, arb(1e-3)) == far


@pytest.mark.campaign
def test_many_shifts_take_few_radii() -> None:
    problem = Problem(lower(Generator("y*exp(-r)", 3).expression), 3, Fraction(1))
    found = RisingInSpace(problem, None).at(Fraction(1, 2), Fraction(1, 1000))
    assert found.worst is not None
    grids = {x.rows for x in found.worst.cells if x.rows is not None}
    assert sum(len(x.radii) for x in grids) < 600
    assert found.lower < Fraction("0.00940638801") < found.upper


@pytest.mark.campaign
def test_where_a_checker_does_not_follow_fewer_panels_it_is_given_more(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dpverify.profile("exp(-r)", dimension=2, epsilon="1/2", certificate=True)
    wider, asked = replay._wider, list[bool]()

    def refused_once(*args: object) -> bool:
        asked.append(True)
        return len(asked) == 1 or wider(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(replay, "_wider", refused_once)
    found = dpverify.profile("exp(-r)", dimension=2, epsilon="1/2", certificate=True)
    assert known.certificate is not None and found.certificate is not None
    counts = [len(x.certificate["proof"]["profile"]["points"][0]["sets"]) for x in (known, found)]  # type: ignore[index]
    assert counts[0] < counts[1]
    assert known.points[0].delta.decimal[:9] == found.points[0].delta.decimal[:9]  # type: ignore[union-attr]


@pytest.mark.campaign
@pytest.mark.parametrize("text", ["exp(-r)*(2+cos(r))", "y*exp(-r)"])
def test_edges_of_neighbours_meet(text: str) -> None:
    """A joint is left where the set changes its kind alone."""
    found = dpverify.profile(text, dimension=3, epsilon="1/2", certificate=True)
    assert found.certificate is not None and dpverify.check(found.certificate)
    (point,) = found.certificate["proof"]["profile"]["points"]
    (point,) = point.get("anchors", [point])
    assert len(point["joints"]) < len(point["marks"]) / 3

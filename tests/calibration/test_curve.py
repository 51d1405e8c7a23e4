"""The curve's points hold closed forms, its bands hold what lies between, and work cut short goes on."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings

from dpverify import InputError, Refusal, calibrate, curve
from dpverify.calibration import Compared, curves
from dpverify.calibration.curves import Curve, CurvePoint, grid
from dpverify.calibration.noise import Enclosure, Noise
from dpverify.show.plots.calibration import draw_comparison, draw_curve
from tests.strategies import rationals


def ceiling(delta: Fraction) -> int:
    return -(-delta.numerator // delta.denominator)


@pytest.fixture(scope="module")
def staircase() -> Curve:
    return curve("exp(-floor(r))", start="1/3", stop="17/4", points=23)


@pytest.fixture(scope="module")
def t() -> Curve:
    return curve("student_t", parameters={"nu": 3}, start="1e-3", stop="1e3", points=13, dimension=2)


def student_t(delta: Fraction) -> mpmath.mpf:
    x = mpmath.mpf(delta.numerator) / delta.denominator
    c = (x + mpmath.sqrt(x * x + 12)) / 2
    return mpmath.mpf("2.5") * mpmath.log((1 + c * c / 3) / (1 + (c - x) ** 2 / 3))


@pytest.mark.slow
def test_points_hold_the_closed_form(t: Curve, staircase: Curve) -> None:
    with mpmath.workdps(40):
        for p in t.points:
            assert p.lower is not None and p.upper is not None
            value = student_t(p.delta)
            assert mpmath.mpf(p.lower.numerator) / p.lower.denominator <= value
            assert value <= mpmath.mpf(p.upper.numerator) / p.upper.denominator
            assert p.upper - p.lower <= p.upper / 10**8
    for p in staircase.points:
        assert p.lower is not None and p.upper is not None
        assert p.lower <= ceiling(p.delta) <= p.upper


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(rationals("1/2", "17/4", 999))
def test_bands_hold_what_lies_between(t: Curve, staircase: Curve, delta: Fraction) -> None:
    low, high = staircase.bounds(delta)
    assert high is not None and low <= ceiling(delta) <= high
    low, high = t.bounds(delta)
    with mpmath.workdps(40):
        assert float(low) <= student_t(delta) <= float(high or 0)


@pytest.mark.slow
def test_nothing_is_claimed_beyond_the_grid(t: Curve) -> None:
    assert t.bounds(Fraction(1, 10**6)) == (0, t.points[0].upper)
    assert t.bounds(Fraction(10**6)) == (t.points[-1].lower, None)


@pytest.mark.slow
def test_a_point_that_is_undecided_is_bridged_by_its_neighbours(t: Curve) -> None:
    one, two = CurvePoint(Fraction(1), Fraction(1), Fraction(2)), CurvePoint(Fraction(2), None, None)
    gap = Curve(t.generator, (one, two, CurvePoint(Fraction(3), Fraction(3), Fraction(4))))
    assert gap.bounds(Fraction(2)) == (1, 4)
    assert list(gap.bands()) == [(1, 3, 1, 4)]
    assert two.row() == ["2", "", "", "undecided"]


def test_the_grid_is_even_in_the_logarithm_and_meets_its_ends() -> None:
    found = grid(Fraction(1, 7), Fraction(10**30), 50)
    assert (found[0], found[-1], len(found)) == (Fraction(1, 7), 10**30, 50)
    ratios = [float(b / a) for a, b in pairwise(found)]
    assert max(ratios) / min(ratios) < 1.01


@pytest.mark.slow
def test_the_csv_is_exact(t: Curve) -> None:
    file = io.StringIO()
    t.write_csv(file)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert [(Fraction(r["delta"]), Fraction(r["lower"]), Fraction(r["upper"])) for r in rows] == [
        (p.delta, p.lower, p.upper) for p in t.points
    ]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_pictures_are_the_same_bytes_each_time(tmp_path: Path, suffix: str, staircase: Curve) -> None:
    for name in ("a", "b"):
        draw_curve(staircase, tmp_path / f"{name}{suffix}")
    one, other = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("a", "b"))
    assert one == other and len(one) > 5000


@pytest.mark.slow
def test_text_from_outside_is_not_mathematics(tmp_path: Path, t: Curve) -> None:
    size = Noise(Enclosure(Fraction(1), Fraction(2)), Enclosure(Fraction(1), Fraction(2)))
    row = Compared("costs $5 or $\\frac", t.generator, calibrate("laplace", epsilon=1), size, None)
    draw_comparison([row], "at $1 or $\\frac", tmp_path / "c.svg")
    assert b"costs $5" in (tmp_path / "c.svg").read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": 0},
        {"start": 2, "stop": 1},
        {"start": 1, "stop": 1},
        {"points": 1},
        {"points": 10**6},
        {"stop": "1e2000"},
    ],
)
def test_grids_that_are_none(arguments: dict[str, object]) -> None:
    with pytest.raises(InputError):
        curve("laplace", **arguments)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_family_private_for_no_epsilon_has_no_curve() -> None:
    with pytest.raises(Refusal, match="no epsilon") as refusal:
        curve("gaussian", points=3)
    assert refusal.value.verdict == "not_private"
    with pytest.raises(Refusal) as refusal:
        curve("exp(-r)*gamma(r-1/2)/gamma(r-1/2)", points=3)
    assert refusal.value.verdict == "undecided"


@pytest.mark.slow
def test_work_cut_short_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proved: list[Fraction] = []
    original = curves._point

    def point(generator: object, delta: Fraction, level: object = None) -> CurvePoint:
        if len(proved) == 5:
            raise KeyboardInterrupt
        proved.append(delta)
        return original(generator, delta, level)  # type: ignore[arg-type]

    monkeypatch.setattr(curves, "_point", point)
    file = tmp_path / "c.partial"
    with pytest.raises(KeyboardInterrupt):
        curve("laplace", points=8, partial=file)
    lines = file.read_text().splitlines()
    assert len(lines) == 5
    file.write_text("\n".join([*lines[:-1], lines[-1][:-9]]))  # the last row was cut short
    monkeypatch.setattr(curves, "_point", lambda g, delta, level: proved.append(delta) or original(g, delta, level))
    whole = curve("laplace", points=8, partial=file)
    assert proved == [p.delta for p in whole.points[:5]] + [p.delta for p in whole.points[4:]]
    assert whole == curve("laplace", points=8)
    assert not file.exists()


def test_rows_of_another_question_are_not_used(tmp_path: Path) -> None:
    file = tmp_path / "c.partial"
    file.write_text('{"question": ["another"], "row": ["1/10", "7", "8", "private"]}\n')
    assert curve("laplace", points=2, partial=file) == curve("laplace", points=2)

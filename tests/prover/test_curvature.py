"""Bounds of the loss from above, by curvature around its largest and by slopes elsewhere, beside mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpverify.enclosures import Ball, Slope
from dpverify.enclosures.ball import precision
from dpverify.generators import Generator
from dpverify.prover.curvature import widest_bounded
from dpverify.prover.mean_value import around_middle, from_above
from dpverify.prover.problem import Problem
from dpverify.prover.verify import problem_of

PLACES = 400

T = (lambda r: 2 * mpmath.log(1 + r * r / 3), "(1+y/3)**(-2)")
SUM = (lambda r: -mpmath.log(mpmath.exp(-r) + mpmath.exp(-r * r)), "exp(-r)+exp(-y)")
ERFC = (lambda r: -mpmath.log(mpmath.erfc(r) + mpmath.exp(-r)), "erfc(r)+exp(-r)")


def problem(text: str, delta: Fraction = Fraction(1)) -> Problem:
    return problem_of(Generator(text), delta)


def top(g, a: Fraction, b: Fraction) -> float:
    """The largest g(r + 1) - g(r) of many radii."""
    radii = [mpmath.mpf(float(a)) + (float(b) - float(a)) * k / mpmath.mpf(PLACES) for k in range(PLACES + 1)]
    return float(max(g(r + 1) - g(r) for r in radii))


@pytest.mark.parametrize(("g", "text", "peak"), [(*T, "1.302775637731995"), (*SUM, "0.7"), (*ERFC, "0.463086465578")])
def test_curvature_bounds_the_loss_around_its_largest(g, text: str, peak: str) -> None:
    """The bound is as high as the loss anywhere in the box; and where the radius is the largest, no higher."""
    bounds: list[arb] = []

    def kept(bound: arb) -> bool:
        bounds.append(bound)
        return bool(bound.is_finite())

    with precision(160):
        box = widest_bounded(problem(text), (Fraction(1, 100), Fraction(20)), Fraction(peak), kept)
    assert box is not None and box[0] < Fraction(peak) < box[1]
    highest = top(g, *box)
    assert float(bounds[-1].upper()) >= highest - 1e-14
    if peak == "1.302775637731995":  # (sqrt(13) - 1)/2, where r (r + 1) = 3
        assert float(bounds[-1].upper()) <= highest + 1e-9


@pytest.mark.parametrize("text", ["exp(-Max(r,2*r-3))", "exp(-r-Abs(r-2))", "exp(-floor(r))", "1/(1+lambertw(r))"])
def test_what_may_have_a_kink_has_no_curvature(text: str) -> None:
    with precision(160):
        assert widest_bounded(problem(text), (Fraction(1, 100), Fraction(20)), Fraction(2), lambda bound: True) is None


def test_where_the_loss_is_not_concave_nothing_is_bounded() -> None:
    """Of t noise phi is convex around r = 5: its second derivative is 8/(r^2 + 3) - ... > 0 there."""
    seen: list[bool] = []
    with precision(160):
        widest_bounded(
            problem(T[1]), (Fraction(1), Fraction(20)), Fraction(5), lambda b: bool(seen.append(b.is_finite()))
        )
    assert seen and not any(seen)


@pytest.mark.parametrize(("a", "b"), [("1/2", "3/4"), ("1", "2"), ("2", "3"), ("1/2", "3/2")])
@pytest.mark.parametrize(("g", "text"), [T, SUM])
def test_the_mean_value_form_from_above(g, text: str, a: str, b: str) -> None:
    """No less than the loss on the box, no more than the form around the middle, up to a 64th of what slopes span."""
    p, box = problem(text), (Fraction(a), Fraction(b))
    with precision(160):
        bound, _ = p.loss_from_above(*box, Fraction(1))
        middle = p.loss(*box, Fraction(1)).upper()
    assert float(bound) >= top(g, *box) - 1e-14
    assert float(bound) <= float(middle) * (1 + 1e-12)


def test_from_above_stands_where_the_function_may_jump_and_where_it_is_flat() -> None:
    """With infinite slopes only the whole box speaks; with slopes 0 the value is the same everywhere."""
    a, b = Fraction(1), Fraction(2)
    unknown = Slope(Ball(arb(3, 1)), Ball(arb(0, arb.pos_inf())))
    assert from_above(unknown, a, b, lambda r: arb(2)) == (arb(3, 1).upper(), None)
    flat = Slope(Ball(arb(3, 1)), Ball(arb(0)))
    assert from_above(flat, a, b, lambda r: arb(2)) == (arb(2), arb(2))
    steep = Slope(Ball(arb(3, 100)), Ball(arb(1, "1e-20")))

    def line(r: Ball) -> arb:
        return r.x + 1

    with precision(128):
        bound, at = from_above(steep, a, b, line)
        assert abs(float(bound) - 3) < 1e-15  # r + 1 at r = 2
        assert at is not None and float(at) == pytest.approx(3 - 1 / 64)
        assert float(around_middle(steep, a, b, line)[0].upper()) == pytest.approx(3)

"""What makes the prover quick says the same as the slow way."""

import math
from functools import cache

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpverify.enclosures import Ball, Evaluation, Shift, Slope, precision
from dpverify.enclosures.ball import sine_and_cosine
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.sketch import sketch
from dpverify.enclosures.swept import AtRadius, OnBox, Swept
from dpverify.generators import Generator

TEXTS = (
    "(1+y/3)**(-5/2)",
    "exp(-y)+exp(-sqrt(y))",
    "exp(-r)*(2+cos(3*r))",
    "1/cosh(sqrt(y))",
    "exp(-log(2+y)**2)",
    "erfc(r)*exp(-r)",
    "exp(-Max(r,2*r-3))",
    "Piecewise((exp(-y/2), y < 1), (exp(1/2-r), True))",
    "y**(1/4)*besselk(1/3,r)",
    "exp(-r*atan(r)-lambertw(r))",
    "gammaincc(5/2,r)*gamma(1+1/(1+r))",
    "gammainc(3/2,y/2)/r**3",
    "exp(-2*r)*besseli(1/3,r)",
)


@cache
def lowered(text):
    return lower(Generator(text).expression)


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize("text", TEXTS)
@given(st.fractions(1 / 16, 20, max_denominator=64), st.fractions(0, 1 / 64, max_denominator=4096))
def test_four_balls_enclose_what_the_pairs_enclose(text, middle, half):
    node = lowered(text)
    with precision(120):
        u, h = Ball.between(middle - min(half, middle / 2), middle + half), arb(1)
        pairs = Evaluation(Shift(Slope(u, Ball(arb(1))), Slope(Ball(h), Ball(arb(0))))).log(node)[1].du
        swept = Evaluation(Swept(OnBox.radius(u.x), h, arb(0))).log(node)[1].du
        assert swept.u.x.overlaps(pairs.u.x)
        assert swept.du.x.overlaps(pairs.du.x)
        point = arb(fmpq(middle.numerator, middle.denominator))
        exact = Evaluation(Shift(Ball(point), Ball(h))).log(node)[1].du.x
        assert swept.u.x.overlaps(exact)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("middle", ["1/3", "7/5", "19/4"])
def test_balls_of_a_box_and_of_a_radius_say_what_the_pairs_say(text, middle):
    node, q = lowered(text), fmpq(*map(int, middle.split("/")))
    with precision(120):
        point, h = arb(q), arb(1) / 3
        box = arb(q, "1e-3")
        pair, flat = (Evaluation(r).log(node)[1] for r in (Slope(Ball(box), Ball(arb(1))), OnBox.radius(box)))
        assert flat.u.x.overlaps(pair.u.x) and flat.du.x.overlaps(pair.du.x)
        assert flat.u.x.rad() < 2 * pair.u.x.rad() and flat.du.x.rad() <= 2 * pair.du.x.rad()
        inside = Evaluation(Ball(arb(q + fmpq(1, 3000)))).log(node)[1].x
        assert flat.u.x.contains(inside.mid())
        shift, step = (Evaluation(r).log(node)[1].du.x for r in (Shift(Ball(point), Ball(h)), AtRadius(point, h)))
        here, ahead = (Evaluation(Ball(r)).log(node)[1].x for r in (point, point + h))
        assert step.overlaps(shift) and step.overlaps(ahead - here) and step.rad() <= 2 * shift.rad()


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize("text", TEXTS)
@given(st.fractions(1 / 16, 20, max_denominator=64))
def test_a_sketch_is_near_the_logarithm(text, r):
    node = lowered(text)
    with precision(120):
        log = float(Evaluation(Ball(arb(fmpq(r.numerator, r.denominator)))).log(node)[1].x.mid())
    assert math.isclose(sketch(node)(float(r)), log, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.slow
@given(st.floats(-100, 100), st.floats(0, 2), st.floats(-1, 1), st.booleans())
def test_a_wave_on_a_ball_holds_its_values(middle, radius, where, turns):
    with precision(120):
        ball = arb(middle) + arb(0, radius)
        point = arb(middle) + arb(radius) * arb(where)
        values = point.sin_cos_pi() if turns else point.sin_cos()
        for enclosure, value in zip(sine_and_cosine(ball, turns), values, strict=True):
            assert enclosure.overlaps(value)


def test_a_wave_is_bounded_by_its_slope_at_a_crest():
    with precision(120):
        assert sine_and_cosine(arb(0, 2**-10))[1].rad() < arb(2) ** (-20)

"""What vanishes with a part of it, over floats and along series, beside mpmath."""

import mpmath
import pytest
from flint import arb, arb_series, fmpq

from dpverify.enclosures import Evaluation, precision
from dpverify.enclosures.ball import between
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.sketch import sketch
from dpverify.enclosures.swept import OnBox
from dpverify.enclosures.vanishing import about_zero, vanishing
from dpverify.generators import Generator
from dpverify.prover.profile.series import capped, logarithm

OF = {
    "tanh(exp(-r))": lambda r: mpmath.tanh(mpmath.exp(-r)),
    "asinh(exp(-r))": lambda r: mpmath.asinh(mpmath.exp(-r)),
    "sinh(exp(-r))": lambda r: mpmath.sinh(mpmath.exp(-r)),
    "exp(30*exp(-r))-1": lambda r: mpmath.expm1(30 * mpmath.exp(-r)),
    "1-exp(-exp(-r))": lambda r: -mpmath.expm1(-mpmath.exp(-r)),
    "cosh(exp(-r))-1": lambda r: 2 * mpmath.sinh(mpmath.exp(-r) / 2) ** 2,
    "sqrt(1+exp(-r))-1": lambda r: mpmath.exp(-r) / (1 + mpmath.sqrt(1 + mpmath.exp(-r))),
    "log(1+1/(1+y)**10)": lambda r: mpmath.log1p((1 + r * r) ** -10),
    "atan(1/(1+y)**50)": lambda r: mpmath.atan((1 + r * r) ** -50),
    "sin(pi*exp(-r)/4)": lambda r: mpmath.sin(mpmath.pi * mpmath.exp(-r) / 4),
    "exp(-r)*tanh(exp(-r))**2": lambda r: mpmath.exp(-r) * mpmath.tanh(mpmath.exp(-r)) ** 2,
}
RADII = (1 / 64, 1 / 2, 1.0, 2.5, 3.5, 7.0, 20.0, 37.0, 160.0, 500.0)


def logarithm_of(text, r):
    with mpmath.workdps(500):
        return mpmath.log(OF[text](mpmath.mpf(r)))


@pytest.mark.parametrize("text", OF)
def test_a_sketch_keeps_its_digits_however_small_the_part_is(text):
    seen = sketch(lower(Generator(text).expression))
    for r in RADII:
        assert seen(r) == pytest.approx(float(logarithm_of(text, r)), rel=2e-13, abs=2e-13)


@pytest.mark.parametrize("text", OF)
def test_a_series_about_a_point_keeps_its_digits_however_small_the_part_is(text):
    node = lower(Generator(text).expression)
    with precision(220):
        for r in RADII[-3:]:
            with capped(8):
                found = logarithm(node, arb_series([arb(r), 1]))
            with mpmath.workdps(600):
                known = mpmath.taylor(lambda x: mpmath.log(OF[text](x)), mpmath.mpf(r), 3)
            for k, c in enumerate(known):
                assert abs(found[k] - arb(mpmath.nstr(c, 80))) < arb(2) ** -150
                assert found[k].rad() < arb(2) ** -150


def test_coefficients_about_zero():
    found = vanishing(lower(Generator("tanh(exp(-r))").expression))
    with precision(120):
        known = about_zero(found.function, 8)
        assert all(abs(c) < arb(2) ** -100 for c in known[::2])
        for c, (p, q) in zip(known[1::2], ((1, 1), (-1, 3), (2, 15), (-17, 315)), strict=True):
            assert abs(c - arb(p) / q) < arb(2) ** -100


@pytest.mark.parametrize(
    ("text", "radii"), [("log(1+1/(1+y)**10)", (8, 900)), ("atan(1/(1+y)**50)", (2, 30)), ("tanh(exp(-r))", (30, 90))]
)
def test_a_box_keeps_its_digits_however_small_the_part_is(text, radii):
    node = lower(Generator(text).expression)
    with precision(64):
        for r in map(fmpq, radii):
            ends = r, r * fmpq(65, 64)
            box = Evaluation(OnBox.radius(between(*ends)), Edges(ends, fmpq(0))).log(node)[1]
            wide = float(ends[1] - ends[0])
            for x in ends:
                with mpmath.workdps(600):
                    at = mpmath.mpf(int(x.p)) / int(x.q)
                    value, slope = mpmath.taylor(lambda t: mpmath.log(OF[text](t)), at, 1)
                assert abs(box.u.x - arb(mpmath.nstr(value, 40))).lower() <= 0
                assert abs(box.du.x - arb(mpmath.nstr(slope, 40))).lower() <= 0
                assert box.u.x.rad() < 8 * wide * abs(slope) and box.du.x.rad() < abs(slope)

"""The increment of Lambert's W where its argument grows by more than a small part."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import check, verify
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.inverse import lambert_ahead
from dpverify.kernel.sections.models import CONSTANT, Model
from dpverify.kernel.sections.smooth import either
from tests.kernel.problems import on_charts


def value(model: Model, t: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The least and the greatest value at t of a model without exponentials."""
    low = high = mpmath.mpf(0)
    for m, c in model.terms.items():
        size = mpmath.mpf(t) ** int(m[1]) * mpmath.log(t) ** int(m[2]) * mpmath.log(mpmath.log(t)) ** int(m[3])
        ends = [mpmath.mpf(str(x)) * size for x in (interval(c).lo, interval(c).hi)]
        low, high = low + min(ends), high + max(ends)
    return low, high


@pytest.mark.parametrize("h", [Fraction(1), Fraction(3), Fraction(-2), Fraction(1, 4)])
def test_the_loss_of_an_exponential_contains_the_truth_and_little_more(h: Fraction) -> None:
    """W(e^(t + h)) - W(e^t) is h less about h/t."""
    p = on_charts("exp(-lambertw(exp(r)))", radius=64)
    loss = p.far_shift(p.infinity, h)
    assert all(m[0] == 0 for m in loss.terms)
    with mpmath.workdps(60):
        for t in (64, 200, 5000):
            low, high = value(loss, t)
            w, v = (mpmath.lambertw(mpmath.exp(x)).real for x in (t, t + mpmath.mpf(h.numerator) / h.denominator))
            assert low <= v - w <= high
            assert high - low < 4 * abs(h) * mpmath.log(t) ** 2 / mpmath.mpf(t) ** 2 + mpmath.mpf(10) ** -40
        c = interval(loss.terms[CONSTANT])
        assert abs(float(c.lo) - h) < 1e-30 and abs(float(c.hi) - h) < 1e-30


def test_the_argument_may_grow_by_any_factor() -> None:
    """At u = t and du = (e^t - 1) t the increment is that from W(t) to W(t e^t) = t."""
    p = on_charts("exp(-r)", radius=2**2000)
    t = p.infinity.radius()
    found = lambert_ahead(t, t * t.exp(), t * t.exp() - t)
    with mpmath.workdps(1000):
        for at in (2**2000, 2**3000):
            low, high = value(found, at)
            assert low <= at - mpmath.lambertw(at).real <= high


def test_what_lies_between_two_models_has_the_hulls_of_their_coefficients() -> None:
    p = on_charts("exp(-r)")
    t = p.infinity.radius()
    both: Any = either(t + 1, t + 3)
    assert both.terms[CONSTANT].lo == 1 and both.terms[CONSTANT].hi == 3
    assert all(c == 1 for m, c in both.terms.items() if m != CONSTANT)
    alone: Any = either(t, t.inverse())
    assert sorted((c.lo, c.hi) for c in alone.terms.values()) == [(0, 1), (0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict"),
    [("exp(-lambertw(exp(r)))", "private"), ("exp(-lambertw(exp(y)))", "not_private")],
)
def test_an_exponential_of_w(text: str, verdict: str) -> None:
    result = verify(text, dimension=1, tolerance="1/20")
    assert result.verdict == verdict
    assert result.certificate is not None and check(result.certificate).accepted
    if result.epsilon is not None:
        assert result.epsilon.lower <= 1 <= result.epsilon.upper < Fraction(11, 10)

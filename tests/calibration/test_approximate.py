"""Scales, sizes and curves at an epsilon and a delta, against closed forms of Laplace and Gaussian noise."""

from __future__ import annotations

import io
from fractions import Fraction
from math import log
from pathlib import Path

import mpmath as mp
import pytest

from dpverify import Generator, curve
from dpverify.calibration import compare, of_size
from dpverify.errors import InputError

DELTA = Fraction(1, 100)


def gaussian(epsilon: mp.mpf, shift: mp.mpf) -> mp.mpf:
    """Balle and Wang (2018)."""
    return mp.ncdf(shift / 2 - epsilon / shift) - mp.exp(epsilon) * mp.ncdf(-shift / 2 - epsilon / shift)


@pytest.mark.slow
def test_the_quietest_family_at_an_epsilon_and_a_delta() -> None:
    """Laplace noise: delta = 1 - e^((eps - s)/2), so s = eps - 2 log(1 - delta)."""
    rows = compare([(name, Generator(name, 1)) for name in ("gaussian", "laplace")], epsilon=1, delta=DELTA)
    assert [row.name for row in rows] == ["laplace", "gaussian"]
    scales = [row.calibration.upper for row in rows if row.calibration is not None]
    assert float(scales[0]) == pytest.approx(1 / (1 - 2 * log(0.99)), rel=1e-8)
    near = [gaussian(1, 1 / (mp.mpf(scales[1].numerator) / scales[1].denominator * f)) for f in (1, 1 - 2e-9)]
    assert near[0] <= mp.mpf(1) / 100 <= near[1]


@pytest.mark.slow
def test_noise_of_one_size_by_its_privacy() -> None:
    """The median of Laplace noise is sigma log 2, that of |Z| sigma sqrt(2) erfinv(1/2)."""
    families = [(name, Generator(name, 1)) for name in ("laplace", "gaussian")]
    by_delta = {row.name: row.value for row in of_size(families, median=3, delta="1e-6")}
    exact = log(2) / 3 + 2 * log(1 - 1e-6)
    value = by_delta["laplace"]
    assert value is not None and float(value.lower) == pytest.approx(exact, rel=1e-8)
    first, second = of_size(families, median=3, epsilon="1/10")
    assert (first.name, second.name) == ("gaussian", "laplace")
    shift = mp.sqrt(2) * mp.erfinv(mp.mpf(1) / 2) / 3
    exact = gaussian(mp.mpf(1) / 10, shift)
    assert first.value is not None
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (first.value.lower, first.value.upper))
    assert low <= exact <= high <= low * (1 + mp.mpf("1e-8"))


def test_a_size_is_asked_about_one_thing() -> None:
    for wrong in ({}, {"epsilon": 1, "delta": DELTA}, {"epsilon": 1, "sensitivity": 0}):
        with pytest.raises(InputError):
            of_size([("laplace", Generator("laplace", 1))], median=1, **wrong)
    with pytest.raises(InputError):
        of_size([("laplace", Generator("laplace", 1))], median=0, epsilon=1)


@pytest.mark.slow
def test_a_curve_at_a_delta(tmp_path: Path) -> None:
    """Laplace noise again: eps = s + 2 log(1 - delta), and 0 from there down."""
    found = curve("laplace", start="1/1000", stop=2, points=3, level=DELTA, partial=tmp_path / "kept")
    for point in found.points:
        exact = max(0.0, float(point.delta) + 2 * log(0.99))
        assert point.lower is not None and point.upper is not None
        assert float(point.lower) <= exact + 1e-12 and exact - 1e-12 <= float(point.upper) <= exact * (1 + 1e-8)
    assert found.points[0].upper == 0 and found.to_json()["level"] == "1/100"
    text = io.StringIO()
    found.write_csv(text)
    assert len(text.getvalue().splitlines()) == 4
    with pytest.raises(InputError):
        curve("laplace", points=3, level=2)

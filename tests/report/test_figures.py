"""The poster's figure: its curves against formulas worked out by hand, its file the same each time."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, log, sqrt
from pathlib import Path

import pytest

from dpverify.report.figures import CURVES, log_ratio, poster

BY_HAND = {
    "student_t": lambda c: 3.5 * log((1 + c * c / 5) / (1 + (c - 1) ** 2 / 5)),
    "gaussian": lambda c: c - 0.5,
    "laplace": lambda c: 1.0,
    "multivariate_laplace": lambda c: sqrt(2) + log(c / (c - 1)),
}


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve[1])
@pytest.mark.parametrize("c", ["1.000001", "1.5", "2", "10", "99.5", "100"])
def test_the_curves_are_the_log_ratios(curve: tuple[str, str, int, dict[str, str]], c: str) -> None:
    _, name, dimension, bound = curve
    assert isclose(log_ratio(name, dimension, bound, Fraction(c)), BY_HAND[name](float(c)), rel_tol=1e-9)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_file_each_time(tmp_path: Path, suffix: str) -> None:
    for name in ("one", "two"):
        poster(tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()

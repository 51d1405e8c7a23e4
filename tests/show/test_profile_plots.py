"""The band of a profile's picture holds the exact curve; what is no whole profile has no picture."""

from __future__ import annotations

import csv
from fractions import Fraction
from math import e, exp
from pathlib import Path

import pytest

import dpverify
from dpverify.errors import InputError
from dpverify.profiles import Profile
from dpverify.show.plots.profile import bands, write


@pytest.fixture(scope="module")
def laplace() -> Profile:
    return dpverify.profile("laplace", curve=True, step="1/10", tolerance="1e-6")


@pytest.mark.slow
def test_the_band_holds_the_exact_curve(laplace: Profile, tmp_path: Path) -> None:
    for x, low, high in bands(laplace):
        exact = 1 - exp((float(x) - 1) / 2)
        assert float(low) <= exact + 1e-15 and exact - 1e-15 <= float(high)
    for x, low, high in bands(laplace, "tradeoff"):
        t = float(x)
        exact = 1 - e * t if t < 1 / (2 * e) else 1 / (4 * e * t) if t <= 0.5 else (1 - t) / e
        assert float(low) <= exact + 1e-12 and exact - 1e-12 <= float(high)
    write(laplace, tmp_path / "band.csv", "renyi")
    with (tmp_path / "band.csv").open() as file:
        rows = list(csv.DictReader(file))
    (kullback,) = [r for r in rows if r["x"] == "1"]
    assert Fraction(kullback["lower"]) < exp(-1) < Fraction(kullback["upper"])


@pytest.mark.slow
def test_pictures_are_written(laplace: Profile, tmp_path: Path) -> None:
    for kind in ("profile", "tradeoff", "renyi"):
        for name, start in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
            write(laplace, tmp_path / name, kind)
            assert (tmp_path / name).read_bytes().startswith(start)


def test_points_have_no_picture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="whole profile"):
        write(dpverify.profile("gaussian", epsilon="1"), tmp_path / "a.png")
    whole = dpverify.profile("gaussian", curve=True, step="1/2", until="1e-3")
    with pytest.raises(InputError, match="loss has no bound"):
        write(whole, tmp_path / "a.png", "renyi")

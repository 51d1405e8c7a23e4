"""The band of a profile's picture holds the exact curve; what is no whole profile has no picture."""

from __future__ import annotations

import csv
from fractions import Fraction
from math import e, exp
from pathlib import Path

import pytest

import dpverify
from dpverify.errors import InputError
from dpverify.profiles import Enclosed, Point, Profile
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


def test_divergences_that_do_not_follow_from_the_points_are_asked_for_anew() -> None:
    whole = dpverify.profile("gaussian", scale=2, curve=True, step="1/2", until="1e-3")
    assert all(low == high == order / 8 for order, low, high in bands(whole, "renyi"))


def test_divergences_that_are_infinite_have_no_picture() -> None:
    ball = dpverify.profile("Piecewise((1, r < 1), (0, True))", curve=True, step="1/2")
    with pytest.raises(InputError, match="f is zero beyond some radius"):
        bands(ball, "renyi")


def test_where_f_rises_no_one_pair_has_the_profile_and_no_band_of_errors_is_proved() -> None:
    rising = Profile(
        "proved",
        tuple(Point(Fraction(k), Enclosed(Fraction(0), Fraction(1))) for k in range(3)),
        "",
        "Theorem E",
        (),
        {},
    )
    assert bands(rising)[0] == (0, 0, 1)
    for kind in ("tradeoff", "renyi"):
        with pytest.raises(InputError, match="f rises somewhere"):
            bands(rising, kind)


def test_a_whole_profile_draws_itself(tmp_path: Path) -> None:
    found = dpverify.profile("gaussian", curve=True, step="1/4", until="1e-6")
    assert found.plot(tmp_path / "profile.svg") == tmp_path / "profile.svg"
    assert "<svg" in (tmp_path / "profile.svg").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="whole profile"):
        dpverify.profile("gaussian", epsilon="1").plot()

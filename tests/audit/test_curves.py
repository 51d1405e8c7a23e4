"""One band for a whole curve: its laws, what it says of noise whose curve is known, and what it contradicts."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from dpverify.audit import BuiltIn, CurveReport, Mechanism, audit_curve
from dpverify.audit.curves import Banded, Certified, certified_by
from dpverify.audit.scores import Coordinate
from dpverify.errors import InputError
from dpverify.sampling import EllipticalNoise
from dpverify.show.audits import curve_sheet, draw_trade_off
from tests.audit import mechanisms
from tests.command import run as dpverify

PROFILES = Path(__file__).parents[2] / "certificates" / "profiles"
CENTRES = np.zeros(1), np.ones(1)


def delta_of_gauss(epsilon: float, mu: float = 1.0) -> float:
    """Balle and Wang (2018), Theorem 5."""
    return float(stats.norm.cdf(mu / 2 - epsilon / mu) - exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu))


def known(p: float, q: float) -> CurveReport:
    band = (Banded(">=", 0.0, "P/Q", p, q),)
    return CurveReport(Coordinate(0), band, 0.99, 100, "", 0)


def test_one_event_gives_each_number_by_its_formula() -> None:
    report = known(0.5, 0.1)
    assert report.epsilon(0) == pytest.approx(np.log(5), abs=1e-6)
    assert report.epsilon("1/10") == pytest.approx(np.log(4), abs=1e-6)
    assert report.delta(1) == pytest.approx(0.5 - exp(1) / 10, abs=1e-6)
    assert report.mu == pytest.approx(stats.norm.ppf(0.5) - stats.norm.ppf(0.1), abs=1e-6)
    divergence = stats.entropy([0.5, 0.5], [0.1, 0.9])
    assert divergence * 0.95 < report.rho  # at orders towards 1 Renyi's divergence is Kullback's
    at_two = np.log(0.25 / 0.1 + 0.25 / 0.9) / 2
    assert report.rho >= at_two - 1e-6
    assert report.trade_off == [(0.0, 1.0), (0.1, 0.5), (1.0, 0.0)]


def test_the_trade_off_is_convex_and_below_the_diagonal() -> None:
    report = audit_curve(BuiltIn(20_000, EllipticalNoise("laplace"), CENTRES[1]), seed=1)
    x, y = map(np.array, zip(*report.trade_off, strict=True))
    slopes = np.diff(y) / np.diff(x)
    assert (np.diff(slopes) > -1e-12).all()
    assert (y <= 1 - x + 1e-12).all()
    # no corner below what a pure epsilon of 1 allows, at 99 % for all of them together
    assert (y >= np.maximum(1 - exp(1) * x, (1 - x) / exp(1)) - 1e-9).all()


@pytest.mark.slow
def test_the_curve_of_gaussian_noise_is_below_its_own_and_not_far() -> None:
    """At 99.99 % a seed errs once in 10^4."""
    report = audit_curve(BuiltIn(100_000, EllipticalNoise("gaussian"), CENTRES[1]), seed=2, confidence=0.9999)
    assert 0.9 < report.mu < 1
    assert 0.25 < report.rho < 0.5
    for epsilon in ("0", "1/2", "1", "2"):
        exact = delta_of_gauss(float(Fraction(epsilon)))
        assert 0.75 * exact - 0.003 < report.delta(epsilon) < exact


@pytest.mark.slow
def test_a_certified_profile_is_confirmed_and_a_smaller_one_contradicted() -> None:
    points, claim = certified_by(PROFILES / "gaussian-d1.json")
    assert claim["kind"] == "profile"
    right = audit_curve(Mechanism(50_000, mechanisms.gaussian, CENTRES), seed=1, certified=points, confidence=0.9999)
    assert right.verdict == "consistent"
    wrong = audit_curve(
        Mechanism(50_000, lambda c, n, rng: 0.8 * mechanisms.gaussian(c / 0.8, n, rng), CENTRES),
        seed=1,
        certified=points,
    )
    assert wrong.verdict == "violated"
    assert wrong.violated == points
    assert "VIOLATED" in str([row.plain for row in curve_sheet(wrong).parts[0].rows])


@pytest.mark.campaign
def test_the_whole_band_errs_in_at_most_alpha_of_the_audits() -> None:
    """500 audits at 80 %; the false alarm of this test is below 10^-5."""
    alpha, runs = 0.2, 500
    errs = 0
    for seed in range(runs):
        report = audit_curve(Mechanism(600, mechanisms.gaussian, CENTRES), seed=seed, confidence=1 - alpha)
        errs += report.mu > 1 or any(report.delta(e) > delta_of_gauss(e / 4) for e in range(9) if e % 4 == 0)
    assert errs <= stats.binom.isf(1e-5, runs, alpha)


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.json").write_bytes((PROFILES / "gaussian-d1.json").read_bytes())
    done = dpverify("audit", "--certificate", "c.json", "--curve", "--samples", "5000", "--seed", "1", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert told["verdict"] == "consistent"
    assert (tmp_path / "c.audit.json").exists()
    assert dpverify("audit", "gaussian", "--curve", "--delta", "1/10").returncode == 2
    assert dpverify("audit", "gaussian", "--plot", "x.svg").returncode == 2
    assert "--curve" in dpverify("audit", "--certificate", "c.json").stderr


@pytest.mark.slow
def test_the_trade_off_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    report = known(0.5, 0.1)
    with_points = CurveReport(**{**report.__dict__, "certified": (Certified(Fraction(1), Fraction(1, 8)),)})
    assert draw_trade_off(with_points, tmp_path / "t.svg").read_text().count("<path") > 3


def test_outputs_that_are_no_numbers_are_refused() -> None:
    source = Mechanism(1000, mechanisms.randomised_response, neighbours=(True, False))
    report = audit_curve(source, seed=1, confidence=0.999)
    assert report.epsilon(0) <= np.log(3)
    with pytest.raises(InputError, match="confidence"):
        audit_curve(source, confidence=2)

"""Mixtures without a formula of f: scales, curves and sizes of noise from the law of V alone."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from dpverify import InputError, Mixing, calibrate, check, curve, verify
from dpverify.calibration.law import Law, law_of
from dpverify.calibration.mixed import noise_of_mixture
from dpverify.calibration.noise import Enclosure, noise
from dpverify.calibration.partial import Partial
from dpverify.generators import Generator
from tests.command import run

STUDENT_T = "v**(-4)*exp(-3/(2*v**2))"
NO_FORMULA = "v**3*exp(-v)"


def holds(enclosure: Enclosure, value: float) -> bool:
    """Whether an enclosure of ten digits at least holds the value, to double precision."""
    assert enclosure.upper is not None and (enclosure.digits or 99) >= 10
    return float(enclosure.lower) <= value * (1 + 1e-14) and value * (1 - 1e-14) <= float(enclosure.upper)


@pytest.mark.slow
def test_the_noise_of_a_mixture_is_that_of_its_formula() -> None:
    """Laplace noise in one dimension has median log 2; t noise is measured by its formula, another way."""
    assert holds(noise_of_mixture(Mixing("v*exp(-v**2/2)"), 1).median, math.log(2))
    mixed, direct = noise_of_mixture(Mixing(STUDENT_T), 2), noise(Generator("student_t", 2, {"nu": 3}))
    assert mixed.median.upper is not None and direct.median.upper is not None
    assert mixed.median.lower <= direct.median.upper and direct.median.lower <= mixed.median.upper
    assert holds(mixed.mean_square, 6)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "d"), [(3, 1), (5, 8)])
def test_the_second_moment_is_d_times_that_of_v(k: int, d: int) -> None:
    """V of density v^k exp(-v) has E V^2 = (k+1)(k+2)."""
    found = noise_of_mixture(Mixing(f"v**{k}*exp(-v)"), d)
    assert holds(found.mean_square, d * (k + 1) * (k + 2))
    assert found.median.upper is not None and found.mean_square.upper is not None
    assert found.median.upper**2 <= 2 * found.mean_square.upper  # Markov's inequality


def test_the_second_moment_is_infinite_where_that_of_v_is() -> None:
    assert noise_of_mixture(Mixing("v**(-3)*exp(-1/v)"), 2).mean_square.upper is None


def test_a_mixture_has_no_profile_without_a_formula() -> None:
    with pytest.raises(InputError, match="no formula of f is known"):
        curve(mixing=NO_FORMULA, dimension=3, level="1e-5")
    question = ("--mixing", NO_FORMULA, "--dimension", "3")
    done = run("calibrate", *question, "--epsilon", "1/2", "--delta", "1e-5")
    assert done.returncode == 2 and "no formula of f is known" in done.stderr
    rows = json.loads(run("compare", *question, "--median", "3", "--delta", "1e-5", "--json").stdout)
    assert "no formula of f is known" in rows[0]["refusal"]


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    "asked",
    [
        ("calibrate", "--epsilon", "1", "--dimension", "2"),
        ("calibrate", "--epsilon", "1", "--delta", "1e-3"),
        ("curve", "--points", "2"),
        ("curve", "--points", "2", "--delta", "1e-3"),
        ("compare", "--epsilon", "1"),
        ("compare", "--median", "2", "--epsilon", "1"),
    ],
)
def test_the_lemma_that_gives_f_is_an_assumption_of_what_is_found(asked: tuple[str, ...]) -> None:
    """The formula of f is a lemma's, which no certificate of that formula proves."""
    found = json.loads(run(*asked, "--mixing", STUDENT_T, "--json").stdout)
    row = found[0] if isinstance(found, list) else found
    (assumption,) = row.get("calibration", row)["assumptions"]
    assert assumption.startswith("scale mixture: ")
    told = run(*asked, "--mixing", STUDENT_T).stdout
    assert "assuming" in told and "scale mixture: " in " ".join(told.split())
    alone = (asked[0], "student_t", *asked[1:], "--param", "nu=3", "--json")
    found = json.loads(run(*alone).stdout)
    row = found[0] if isinstance(found, list) else found
    assert row.get("calibration", row)["assumptions"] == []


def test_points_of_another_mixing_law_are_not_used(tmp_path: Path) -> None:
    """Of both f is the same words: what tells them apart is the law of V."""
    one, other = (law_of(mixing=text, dimension=3) for text in (NO_FORMULA, "v**4*exp(-v)"))
    path = tmp_path / "c.partial"
    Partial(path, one).keep(["1", "1/2", "3/4", "private"], ["a lemma"])
    for law, kept in ((one, {Fraction(1): ["a lemma"]}), (other, {})):
        known = Partial(path, law).__enter__()
        assert set(known.rows) == set(kept)
        assert known.assumed == kept


def test_a_law_is_asked_about_in_one_way() -> None:
    for generator, mixing in ((None, None), ("laplace", NO_FORMULA)):
        with pytest.raises(InputError, match="either a generator or a mixing law"):
            law_of(generator, mixing)
    with pytest.raises(InputError, match="its own dimension"):
        law_of(Law(Generator("laplace", 2)), dimension=3)


@pytest.mark.slow
def test_a_mixture_with_a_formula_is_calibrated_as_its_formula_is() -> None:
    mixed = calibrate(mixing=STUDENT_T, dimension=2, epsilon=1)
    direct = calibrate("student_t", dimension=2, parameters={"nu": 3}, epsilon=1)
    assert mixed.lower <= direct.upper and direct.lower <= mixed.upper
    assert any(line.startswith("scale mixture") for line in mixed.assumptions)


@pytest.mark.campaign
def test_a_mixture_without_a_formula_is_calibrated_with_certificates() -> None:
    found = calibrate(mixing=NO_FORMULA, dimension=3, epsilon="1/2")
    assert found.lower < found.upper <= (1 + Fraction(1, 10**9)) * found.lower
    for result, scale in ((found.meets, found.upper), (found.fails, found.lower)):
        report = check(result.certificate or {})
        assert report.accepted and report.claim is not None, report.message
        assert Fraction(report.claim["scale"]) == scale and report.claim["mixing"] == NO_FORMULA
        ends = report.claim["epsilon"]
        met = Fraction(ends["upper"]) <= Fraction(1, 2)
        assert met if result is found.meets else Fraction(ends["lower"]) > Fraction(1, 2)


@pytest.mark.campaign
def test_a_curve_of_a_mixture_holds_what_verify_proves() -> None:
    found = curve(mixing=NO_FORMULA, dimension=3, start="1/2", stop=2, points=2)
    assert not found.assumptions
    lower, upper = found.bounds(Fraction(1))
    epsilon = verify(mixing=NO_FORMULA, dimension=3, replay=False).epsilon
    assert epsilon is not None and upper is not None and lower <= epsilon.lower <= epsilon.upper <= upper

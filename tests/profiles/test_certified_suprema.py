"""rho, a Gaussian's measures, and losses without a bound: closed forms, independent sums, and forged proofs."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import load_section
from dpverify.kernel.intervals import interval, outward_arithmetic, outward_functions
from dpverify.kernel.sections import measures, moments, profiles, suprema
from dpverify.kernel.steps import Steps
from tests.profiles.test_must_fail import GALLERY, refusal

LITTLE = Fraction(1, 10**9)


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / f"{name}.json").read_text())
    return found


def bounds(certificate: dict[str, Any], name: str) -> tuple[Fraction, Fraction]:
    (value,) = (m["value"] for m in certificate["claim"]["measures"] if m["name"] == name)
    return Fraction(value["lower"]), Fraction(value["upper"])


def moved(name: str, measure: str, end: str) -> str:
    """How a certificate is refused whose measure is better at one end by a part in 1e9."""
    forged = read(name)
    (value,) = (m["value"] for m in forged["claim"]["measures"] if m["name"] == measure)
    value[end] = str(Fraction(value[end]) * (1 + (LITTLE if end == "lower" else -LITTLE)))
    if Fraction(value["lower"]) > Fraction(value["upper"]):
        value["lower"] = value["upper"] = value[end]
    return refusal(forged)


def test_a_gaussian_has_its_closed_forms() -> None:
    """m = 3/2: m^2/2, L m^2/2, m, and Phi(Phi^-1(3/4) - 3/2), to twelve digits."""
    whole = read("gaussian-measures")
    assert bounds(whole, "zCDP rho") == (Fraction(9, 8), Fraction(9, 8))
    assert bounds(whole, "Renyi divergence") == (Fraction(9, 4), Fraction(9, 4))
    assert bounds(whole, "Gaussian mu") == (Fraction(3, 2), Fraction(3, 2))
    with mp.workdps(30):
        exact = mp.ncdf(mp.sqrt(2) * mp.erfinv(mp.mpf(1) / 2) - mp.mpf(3) / 2)
        low, high = (mp.mpf(x.numerator) / x.denominator for x in bounds(whole, "type II error"))
        assert low <= exact <= high <= low * (1 + mp.mpf("1e-10"))


def test_forged_measures_of_a_gaussian() -> None:
    assert not refusal(read("gaussian-measures"))
    for measure in ("zCDP rho", "Renyi divergence", "Gaussian mu", "type II error"):
        for end in ("lower", "upper"):
            assert moved("gaussian-measures", measure, end) == "K245", (measure, end)
    levels = read("gaussian-measures")["proof"]["measures"]["normal"]
    for other in (levels[::-1], [levels[0], levels[0]], levels[:1], [], [*levels, *levels]):
        forged = read("gaussian-measures")
        forged["proof"]["measures"]["normal"] = other
        assert refusal(forged), other
    forged = read("gaussian-measures")
    forged["claim"]["generator"] = "exp(-r)"
    assert refusal(forged)


def test_rho_of_laplace_noise() -> None:
    """It is the divergence of order 1, 1/e: the closed form of D_L (Mironov 2017) over L falls from there."""
    low, high = bounds(read("laplace-rho"), "zCDP rho")
    with mp.workdps(30):
        ends = [mp.mpf(x.numerator) / x.denominator for x in (low, high)]
        assert ends[0] <= mp.exp(-1) <= ends[1] <= ends[0] * (1 + mp.mpf("1e-9"))
        for x in map(mp.mpf, ("1.01", "1.5", "3", "20")):
            each = mp.log(x / (2 * x - 1) * mp.exp(x - 1) + (x - 1) / (2 * x - 1) * mp.exp(-x)) / (x - 1)
            assert each / x < mp.exp(-1)


@pytest.mark.slow
def test_forged_orders_of_rho() -> None:
    """Orders left out, in the wrong order, or none: what they show is less than what is claimed."""
    load("suprema")
    claim = read("laplace-rho")["claim"]
    h = measures.Profile(claim["points"])
    step, most = read("laplace-rho")["proof"]["measures"], bounds(read("laplace-rho"), "zCDP rho")[1]
    orders, near = step["orders"], (interval(bounds(read("laplace-rho"), "zCDP rho")[1]), Fraction(step["beside"]))
    assert Fraction(suprema.rho(h, orders, near).hi) <= most * (1 + LITTLE)
    assert Fraction(suprema.rho(h, orders).hi) > most * (1 + LITTLE)
    assert Fraction(suprema.rho(h, [*orders[:2], str(50 * Fraction(orders[-1]))], near).hi) > most * (1 + LITTLE)
    assert Fraction(suprema.rho(h, orders[:-1], near).hi) > most * (1 + LITTLE)
    for other in (orders[1:], orders[::-1], [], ["1"], [*orders, orders[-1]], [orders[0], *orders[2:]]):
        with pytest.raises(Rejected):
            suprema.rho(h, other, near)
    with pytest.raises(Rejected):
        suprema.rho(measures.Profile(claim["points"][:-1]), orders, near)


@pytest.mark.slow
def test_a_forged_rho() -> None:
    for end in ("lower", "upper"):
        assert moved("laplace-rho", "zCDP rho", end) == "K246"


@pytest.mark.slow
def test_a_loss_without_a_bound_has_these_divergences() -> None:
    """D_(3/2) of exp(-|x|^(5/4)) at a distance of 1/2, by mpmath's quadrature."""
    with mp.workdps(20):

        def f(x: mp.mpf) -> mp.mpf:
            return mp.exp(-(abs(x) ** mp.mpf("1.25")))

        places, half = [-60, -10, 0, mp.mpf(1) / 2, 10, 60], mp.mpf(1) / 2
        value = mp.quad(lambda x: f(x) ** mp.mpf("1.5") / mp.sqrt(f(x - half)), places) / mp.quad(
            f, [-60, -10, 0, 10, 60]
        )
        exact = 2 * mp.log(value)
        low, high = (mp.mpf(x.numerator) / x.denominator for x in bounds(read(LIGHT), "Renyi divergence"))
        assert low <= exact <= high
        rho = [mp.mpf(x.numerator) / x.denominator for x in bounds(read(LIGHT), "zCDP rho")]
        assert rho[0] <= rho[1] and rho[1] >= exact / mp.mpf("1.5")


LIGHT = "lighter-than-exponential"


@pytest.mark.sweep
def test_forged_moments() -> None:
    """A top, an a or a c that is too small, marks that stop short, masses of other shares or none: all are refused."""
    load("moments")
    whole = read(LIGHT)
    last = Fraction(whole["claim"]["points"][-1]["epsilon"])
    for section in whole["rules"]:
        load(section)

    def shown(step: dict[str, Any]) -> moments.Tail:
        return moments.tail(profiles.opened(whole["claim"], Steps(whole["proof"]))[1], last, step)

    tail = whole["proof"]["measures"]["tail"]
    assert len(shown(tail).bounds) == len(tail["bounds"])
    changes: list[tuple[str, Any]] = [
        ("top", str(-LITTLE)),
        ("marks", [tail["marks"][0], tail["marks"][-1]]),
        ("masses", tail["masses"][1:]),
        ("bounds", [{**tail["bounds"][0], "t": "1/3"}]),
        ("bounds", [{**tail["bounds"][0], "a": "0"}]),
        ("bounds", [{**tail["bounds"][0], "c": "1/100"}]),
    ]
    for name, value in changes:
        with pytest.raises(Rejected):
            shown({**tail, name: value})
            pytest.fail(f"{name} {value}")
    idle = {**next(mass for mass in tail["masses"] if mass["t"] != "0"), "t": "1/7"}
    with pytest.raises(Rejected, match="no bound uses"):
        shown({**tail, "masses": [*tail["masses"], idle]})


@pytest.mark.campaign
def test_better_measures_than_moments_show() -> None:
    for measure, number in (("Renyi divergence", "K230"), ("zCDP rho", "K246")):
        for end in ("lower", "upper"):
            assert moved(LIGHT, measure, end) == number, (measure, end)


def load(section: str) -> None:
    if section != "core":
        load_section(section)
    outward_arithmetic()
    outward_functions()

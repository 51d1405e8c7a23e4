"""Noise whose density touches 0 again and again however far out: delta against quadrature, what the cut costs, and
forged cuts refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import dpverify
from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.kernel import Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.sections import charts, faint, profiles
from dpverify.kernel.sections.profiles import opened
from dpverify.kernel.steps import Steps
from dpverify.prover.problem import Problem
from dpverify.prover.profile import faint as prover
from dpverify.prover.profile.patches import MOST_PATCHES, patched
from tests.profiles.test_must_fail import read as certificate
from tests.profiles.test_must_fail import refusal

WAVE = "(1+cos(r))*exp(-r)"
CUT = {"radius": "13/2", "power": 6, "height": "1/1000"}
PATCH = {"box": ["1", "2"], "height": "1"}
ABOUT = dict.fromkeys(charts.CLAIM) | {"sensitivity": "1", "scale": "1", "parameters": {}}
ENDS = {"zero": {"radius": "1/8", "order": 6}, "infinity": {"radius": "64", "order": 6}}
OF: dict[str, Callable[[Any], Any]] = {
    WAVE: lambda r: (1 + mp.cos(r)) * mp.exp(-r),
    "exp(-r)*sin(r)**2": lambda r: mp.exp(-r) * mp.sin(r) ** 2,
    "sin(r)**2/r**2*exp(-r)": lambda r: mp.sin(r) ** 2 / r**2 * mp.exp(-r),
    "exp(-r)*(1-sin(r))": lambda r: mp.exp(-r) * (1 - mp.sin(r)),
    "exp(-y)*cos(r)**2": lambda r: mp.exp(-(r**2)) * mp.cos(r) ** 2,
    "(1+cos(r))*exp(-r**2/2)": lambda r: (1 + mp.cos(r)) * mp.exp(-(r**2) / 2),
}


def worst_on_the_line(f: Callable[[Any], Any], epsilon: float) -> float:
    """The largest divergence over a grid of shifts up to 1, each by sums over 800,000 radii."""
    x = np.linspace(-40, 40, 800_001)
    p = f(abs(x))
    return max(float(np.maximum(p - np.exp(epsilon) * f(abs(x - t)), 0).sum() / p.sum()) for t in np.arange(1, 17) / 16)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("text", "f", "epsilon"),
    [
        (WAVE, lambda r: (1 + np.cos(r)) * np.exp(-r), "1/2"),
        (WAVE, lambda r: (1 + np.cos(r)) * np.exp(-r), "1"),
        ("exp(-r)*(1-sin(r))", lambda r: (1 - np.sin(r)) * np.exp(-r), "1/2"),
        ("exp(-y)*cos(r)**2", lambda r: np.cos(r) ** 2 * np.exp(-(r**2)), "1"),
        ("(1+cos(r))*exp(-r**2/2)", lambda r: (1 + np.cos(r)) * np.exp(-(r**2) / 2), "1/2"),
    ],
)
def test_delta_is_the_largest_divergence_over_the_shifts(text: str, f: Any, epsilon: str) -> None:
    found = dpverify.profile(text, epsilon=epsilon, certificate=True)
    (point,) = found.points
    assert found.certificate is not None and found.certificate["rules"]["faint"] == ["K545"]
    assert point.delta.upper - point.delta.lower <= point.delta.lower / 10**9
    about = worst_on_the_line(f, float(Fraction(epsilon)))
    assert float(point.delta.lower) == pytest.approx(about, rel=1e-6)
    assert refusal(found.certificate) == ""


@pytest.mark.sweep
def test_a_zero_at_the_centre_besides() -> None:
    """exp(-r) sin(r)^2 is 0 there and at pi, 2 pi and so on; what is next to it floats do not tell from 0."""
    found = dpverify.profile("exp(-r)*sin(r)**2", epsilon="1/2", tolerance="1e-6").points[0].delta
    about = worst_on_the_line(lambda r: np.exp(-r) * np.sin(r) ** 2, 0.5)
    assert found.upper - found.lower <= found.lower / 10**6
    assert float(found.lower) == pytest.approx(about, rel=1e-5)


def subject(text: str = WAVE, dimension: int = 1) -> charts.Subject:
    for section in ("guards", "waves", "exponentials", "branches"):
        kernel.load_section(section)
    return charts.Subject({**ABOUT, "generator": text, "dimension": dimension})


def cut(about: charts.Subject, **step: Any) -> faint.Faint:
    return faint.faint(about, Steps({**ENDS, "faint": {**CUT, **step}, "patches": []}))


@pytest.mark.parametrize("text", OF)
@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("height", ["1/1000", "3"])
def test_what_is_lost_is_no_less_than_the_integral(text: str, dimension: int, height: str) -> None:
    lost = cut(subject(text, dimension), height=height).lost
    f, c = OF[text], mp.mpf(Fraction(height).numerator) / Fraction(height).denominator
    marks = [mp.mpf("6.5"), *(mp.pi * k / 2 for k in range(5, 30)), mp.mpf(60)]
    exact = mp.quad(lambda r: r ** (dimension - 1) * abs(f(r) - c * mp.exp(-r)), marks)
    largest = mp.mpf("6.5") ** dimension * mp.exp(-6.5) * 2 + c * mp.factorial(dimension - 1)
    assert exact <= float(lost.lo) * 1.0000001 and float(lost.lo) <= float(lost.hi) <= largest


def test_without_a_tail_to_speak_of_all_that_counts_is_the_bound_of_f() -> None:
    """2 e^-R R^p R^(1-p)/(p - 1), where r^p f is largest at R."""
    lost = cut(subject(), height="1/" + "1" + "0" * 40).lost
    assert float(lost.hi) == pytest.approx(float(2 * mp.exp(-6.5) * 6.5 / 5), rel=1e-9)
    assert lost.lo <= lost.hi


def test_h_is_f_up_to_the_radius_and_the_tail_beyond() -> None:
    about = subject()
    cut(about)
    p = charts.Problem(about.tree, 1, Fraction(1), (Fraction(1, 8), 6), (Fraction(64), 6))
    for r in (Fraction(1), Fraction(6), Fraction(7), Fraction(30)):
        exact = OF[WAVE](float(r)) if r < Fraction(13, 2) else mp.exp(-float(r)) / 1000
        found = p.value_on_box(r, r + Fraction(1, 10**12))
        assert float(found.lo) == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize(
    "step",
    [
        {"height": "0"},
        {"height": "-1"},
        {"power": 1},
        {"power": "6"},
        {"radius": "1"},
        {"radius": "0"},
        {"radius": "-7"},
        {"more": "0"},
    ],
)
def test_cuts_that_are_refused(step: dict[str, Any]) -> None:
    assert cut(subject()).lost.lo > 0
    with pytest.raises(Rejected):
        cut(subject(), **step)


def test_the_power_is_no_number_of_too_many_digits() -> None:
    with pytest.raises(Rejected, match=r"integer from 2 to 10000000$"):
        cut(subject(), power=10**7 + 1)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_power_exceeds_the_dimension(dimension: int) -> None:
    assert cut(subject(dimension=dimension), power=dimension + 1).lost.lo > 0
    with pytest.raises(Rejected):
        cut(subject(dimension=dimension), power=dimension)


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("cos(r)*exp(-r)", 6),  # it is negative again and again
        ("(1-2*cos(r))*exp(-r)", 6),
        ("-(1+cos(r))*exp(-r)", 6),
        ("(1+cos(r))/(1+r**4)", 6),  # r^6 f is not bounded
        ("1+cos(r)", 2),
        ("(1+cos(r))*exp(r)", 6),
    ],
)
def test_an_f_that_is_not_bounded_or_negative_far_out_is_not_cut(text: str, power: int) -> None:
    with pytest.raises(Rejected, match="bounded, not negative"):
        cut(subject(text), power=power)


def test_an_f_that_falls_like_a_power_is_cut_where_the_power_is_high_enough() -> None:
    lost = cut(subject("(1+cos(r))/(1+r**4)"), power=4, height="1/1" + "0" * 30).lost
    exact = mp.quad(lambda r: (1 + mp.cos(r)) / (1 + r**4), [6.5, 10, 20, 50, 100, 1000])
    assert exact <= float(lost.hi) <= float(2 * mp.mpf("6.5") ** -3 / 3) * 1.001


def test_what_the_text_needs_its_guards_meet() -> None:
    """A branch that does not hold where f is cut needs its guard all the same."""
    text = "Piecewise((sqrt(2 - r), r < {}), ((1+cos(r))*exp(-r), True))"
    assert cut(subject(text.format(2))).lost.lo > 0
    with pytest.raises(Rejected, match="its guards do not meet"):
        cut(subject(text.format(3)))


def test_a_cut_has_a_radius_a_power_and_a_height() -> None:
    for name in CUT:
        step = {k: v for k, v in CUT.items() if k != name}
        with pytest.raises(Rejected, match=r"^faint has no field"):
            faint.faint(subject(), Steps({**ENDS, "faint": step, "patches": []}))


def test_an_f_that_is_cut_so_is_patched_as_well() -> None:
    with pytest.raises(Rejected, match="and not patched"):
        faint.faint(subject(), Steps({**ENDS, "faint": CUT}))


def claimed(text: str = WAVE, **proof: Any) -> tuple[dict[str, Any], Steps]:
    claim = {"generator": text, "parameters": {}, "dimension": 1, "sensitivity": "1", "scale": "1"}
    return claim, Steps({**ENDS, **proof})


def test_what_the_cut_and_the_patches_change_adds_up() -> None:
    for section in ("guards", "support", "patches", "faint"):
        kernel.load_section(section)
    listed = [{"box": ["3", "7/2"], "height": "1/1000"}]
    alone = cut(subject()).lost, opened(*claimed(patches=listed))[2].lost
    about, _, both = opened(*claimed(faint=CUT, patches=listed))
    assert float(both.lost.hi) == pytest.approx(sum(float(x.hi) for x in alone), rel=1e-15)
    assert both.lost.lo >= max(x.lo for x in alone)
    assert both.end is None and both.radius is None and cut(subject()).end is None
    assert "r < 13/2" in about.reader.text and "(r > 3) & (r < 7/2)" in about.reader.text


def test_f_is_not_cut_twice() -> None:
    for section in ("guards", "support", "patches", "faint"):
        kernel.load_section(section)
    ended = "Piecewise((exp(-r), r < 8), (0, True))"
    short = {"radius": "7", "end": "8", "height": "1/100"}
    with pytest.raises(Rejected, match="f is cut twice"):
        opened(*claimed(ended, cut=short, faint=CUT, patches=[PATCH]))
    with pytest.raises(Rejected, match="f is cut and patched"):
        opened(*claimed(ended, cut=short, patches=[PATCH]))


def test_an_f_that_is_cut_where_little_is_left_has_no_atom(monkeypatch: pytest.MonkeyPatch) -> None:
    for section in ("guards", "faint", "patches", "supports"):
        kernel.load_section(section)
    profile = {"order": 1, "mass": ["1/2", "1", "2", "3", "4", "13/2", "64"], "points": ["any"]}
    listed = [{"box": ["1", "2"], "height": "1/2"}]
    claim, given = claimed("exp(-r)", faint=CUT, patches=listed, profile=profile, atom={"panels": []})
    claim |= {"theorem": "Theorem B", "points": [{"epsilon": "1", "delta": {"lower": "0", "upper": "1"}}]}
    monkeypatch.setitem(profiles.WAYS, "Theorem B", ((), "Theorem 3", lambda *_: (Decimal(0), Decimal(1))))
    about, proof, found = opened(claim, given)
    ((low, high),) = profiles.bounds(about, proof, claim, found)
    assert low == 0 and high > 1  # as what is cut may change it
    with pytest.raises(Rejected, match="has no atom"):
        profiles.bounds(about, proof, claim | {"infinite": "0"}, found)


def read() -> dict[str, Any]:
    return certificate("touched-again-and-again")


def test_the_certificate_holds() -> None:
    assert read()["rules"]["faint"] == ["K545"] and refusal(read()) == ""


@pytest.mark.parametrize(
    "forged",
    [
        lambda c: c["proof"].pop("faint"),
        lambda c: c["proof"].pop("patches"),
        lambda c: c["proof"]["faint"].update(radius="20"),
        lambda c: c["proof"]["faint"].update(height="1"),
        lambda c: c["proof"]["faint"].update(power=1),
        lambda c: c["proof"]["patches"].pop(),
        lambda c: c["rules"].pop("faint"),
        lambda c: c["claim"]["points"][0].update(delta={"lower": "0", "upper": "1/3"}),
        lambda c: c["claim"].update(generator="(1+cos(r))*exp(-r/2)"),
        lambda c: c["claim"].update(generator="(1/2+cos(r))*exp(-r)"),
        lambda c: c["claim"].update(infinite="0"),
    ],
)
def test_forged_ones_are_refused(forged: Callable[[dict[str, Any]], object]) -> None:
    other = copy.deepcopy(read())
    forged(other)
    assert refusal(other)


def problem(text: str, dimension: int = 1) -> Problem:
    return Problem(lower(Generator(text, dimension).expression), dimension, Fraction(1))


@pytest.mark.parametrize("text", OF)
def test_the_prover_cuts_where_little_is_left(text: str) -> None:
    """And not so much further out than where there is."""
    found = prover.faint(problem(text), Fraction(2), -25.0)
    lost = float(found.lost(problem(text)))
    assert mp.quad(OF[text], [float(found.radius), float(found.radius) + 5, 80]) <= lost <= 2 * np.exp(-25)
    assert float(prover.left(problem(text), found.radius / 2, 2)) > np.exp(-25)


def patched_for(text: str) -> Any:
    return patched(Generator(text, 1), problem(text), Fraction(1), Fraction(1, 10**9))


def test_a_zero_is_patched_up_to_the_cut_and_none_where_one_zero_is_all() -> None:
    found = patched_for(WAVE)
    assert found.beyond is not None and patched_for("(r-1)**2*exp(-r)").beyond is None
    zeros = [float(mp.pi) * (2 * k + 1) for k in range(len(found.patches))]
    assert all(p.low < z < p.high for p, z in zip(found.patches, zeros, strict=True))
    assert zeros[-1] < found.beyond.radius <= zeros[-1] + 2 * float(mp.pi)
    radius, height = float(found.beyond.radius), float(found.beyond.height)
    exact = mp.quad(lambda r: abs(OF[WAVE](r) - height * mp.exp(-r)), [radius, 99])
    assert exact <= float(found.lost(problem(WAVE)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(1+cos(20*r))*exp(-r)", Reason.TOO_MANY_ZEROS),
        ("(1+cos(r))/(1+r**4)", Reason.TOO_MANY_ZEROS),
        ("(1+cos(r))/(1+r**(6/5))", Reason.TOO_MUCH_FAR_OUT),
        ("exp(-r)", Reason.NO_PATCHES),
    ],
)
def test_the_reason_where_f_has_too_many_zeros_or_falls_too_slowly(text: str, why: Reason) -> None:
    assert MOST_PATCHES < 100
    with pytest.raises(Undecided) as raised:
        patched_for(text)
    assert raised.value.finding.why is why

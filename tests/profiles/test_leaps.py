"""An f that rises and jumps, in two dimensions and more: against quadrature, and forged certificates refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import dpverify
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import ANY, ONE, UNIT, ZERO, Interval, interval
from dpverify.kernel.sections.leaps import Leaps, cut_in_space, mean_of_shares
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.turning import Means, Turns
from tests.profiles.test_layers import noise
from tests.profiles.test_must_fail import read, refusal

for section in SECTIONS:
    load_section(section)
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
HALF = Fraction(1, 2)
STEP, AWRY = "Piecewise((exp(-r), r < 1), (2*exp(-r), True))", "Piecewise((exp(-r), y < 2), (2*exp(-r), True))"
STAIRS = "exp(-2*y)*(1 + floor(r))"
LOGS: dict[str, tuple[Callable[[Array], Array], list[float], float]] = {
    STEP: (lambda r: -r + np.where(r < 1, 0, math.log(2)), [1.0], 50),
    AWRY: (lambda r: -r + np.where(r * r < 2, 0, math.log(2)), [math.sqrt(2)], 50),
    STAIRS: (lambda r: -2 * r * r + np.log1p(np.floor(r)), [1.0, 2.0, 3.0, 4.0, 5.0], 6),
    "exp(-r)*(1+frac(r))": (lambda r: -r + np.log1p(r - np.floor(r)), [float(k) for k in range(1, 40)], 40),
    "exp(-r)*(2+sin(y))": (lambda r: -r + np.log(2 + np.sin(r * r)), [], 30),
}


def by_spheres(text: str, d: int, epsilon: float, t: float, count: int = 4000) -> tuple[float, float]:
    """H(t), and Z: by Gauss's rule in rho between radii at which f or its image jumps, and midpoints in the angle."""
    log, jumps, end = LOGS[text]
    marks = sorted({0.0, end, *(x for j in jumps for x in (j, abs(j - t), j + t) if x < end)})
    nodes, weights = np.polynomial.legendre.leggauss(8)
    angles = (np.arange(count) + 0.5) * math.pi / count
    c, share = np.cos(angles), np.sin(angles) ** (d - 2)
    share, total, mass = share / share.sum(), 0.0, 0.0
    for a, b in pairwise(marks):
        cuts = np.linspace(a, b, max(1, int((b - a) / 0.05)) + 1)
        for low, high in pairwise(cuts):
            rho = (low + high) / 2 + (high - low) / 2 * nodes
            w = (high - low) / 2 * weights * rho ** (d - 1)
            p = np.exp(log(rho))
            there = np.exp(log(np.sqrt(np.maximum(0, rho[:, None] ** 2 - 2 * rho[:, None] * t * c + t * t))))
            mass += float((w * p).sum())
            total += float((w[:, None] * share * np.maximum(0, p[:, None] - math.exp(epsilon) * there)).sum())
    return total / mass, mass


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("text", "d", "shift"),
    [
        (STEP, 3, "1"),
        pytest.param(AWRY, 3, "1", marks=pytest.mark.campaign),
        (STAIRS, 3, "1"),
        (STEP, 2, "2"),
        pytest.param(AWRY, 7, "1", marks=pytest.mark.campaign),
    ],
)
def test_quadrature_at_many_shifts(text: str, d: int, shift: str) -> None:
    """No shift has a larger divergence, and the worst of them reaches it."""
    found = dpverify.profile(text, dimension=d, sensitivity=shift, epsilon="1/2", tolerance="1e-4")
    assert found.verdict == "proved" and found.theorem == "Theorem E"
    delta = found.points[0].delta
    values = [by_spheres(text, d, 0.5, float(Fraction(shift)) * k / 6)[0] for k in range(1, 7)]
    assert max(values) <= float(delta.upper) * (1 + 1e-4)
    assert float(delta.lower) <= max(values) * (1 + 1e-3)
    assert delta.upper - delta.lower <= delta.lower / 10**3


# The rules, one by one


def leaps(of: Noise, jumps: list[str], patches: list[list[str]] | None = None) -> Leaps:
    return Leaps(of, {"jumps": jumps, "patches": patches or []})


def test_a_jump_counts_by_the_share_of_its_height_that_lies_above() -> None:
    """theta is (F(j+) - T)/(F(j+) - F(j-)) for T = e^eps F(b) between both heights, 1 below and 0 above."""
    found = leaps(noise(STEP, 3), ["1"])
    at = lambda b: interval(Fraction(b)) * -1 + interval(2).log() * (Fraction(b) > 1)  # noqa: E731
    places = [Fraction(1, 4), Fraction(9, 10), Fraction(11, 10), Fraction(3)]
    jump, shares = found.change(Fraction(1), [at(b) for b in places])
    assert abs(float(jump.lo) - math.exp(-1)) < 1e-12
    for b, share in zip(places, shares, strict=True):
        t = math.exp(0.5) * math.exp(-float(b)) * (1 if b < 1 else 2)
        true = min(1.0, max(0.0, (2 * math.exp(-1) - t) / math.exp(-1)))
        assert float(share.lo) - 1e-12 <= true <= float(share.hi) + 1e-12 and share.hi - share.lo < 1e-9
    assert shares[0].hi == 0 and shares[-1].lo == 1
    assert found.change(Fraction(1), [ANY])[1] == [UNIT]


def test_where_heights_are_not_told_apart_any_share_is_possible() -> None:
    found = leaps(noise("exp(-r)", 3), ["1"])
    level = interval(Fraction(-3, 2))  # e^eps F(b) = F(1)
    assert found.change(Fraction(1), [level])[1] == [UNIT]
    below, above = found.change(Fraction(1), [interval(Fraction(-2)), interval(Fraction(-1))])[1]
    assert below.lo == 1 and above.hi == 0


@pytest.mark.parametrize("d", [2, 3, 6])
def test_means_of_shares_against_quadrature(d: int) -> None:
    means, density = Means(d), mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)
    theta = lambda c: (1 + c) / 2  # noqa: E731
    exact = mp.quad(lambda c: c * theta(c) * density * (1 - c * c) ** (mp.mpf(d - 3) / 2), [-1, 0, 1])
    cuts = [Fraction(k, 40) for k in range(-40, 41)]
    runs = [
        (interval(b), interval(a), Interval(interval((1 + a) / 2).lo, interval((1 + b) / 2).hi))
        for a, b in pairwise(cuts)
    ]
    found = mean_of_shares(means, runs)
    assert float(found.lo) <= exact <= float(found.hi) and found.hi - found.lo < 0.05
    whole = mean_of_shares(means, [(ONE, -ONE, UNIT)])
    assert whole.lo < 0 < whole.hi and mean_of_shares(means, [(ONE, -ONE, ZERO)]).hi == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "d", "patch"), [(STEP, 3, None), (STEP, 2, None), (AWRY, 3, ["7071/5000", "14143/10000"])]
)
def test_slopes_enclose_difference_quotients(text: str, d: int, patch: list[str] | None) -> None:
    """H' on a cell of shifts encloses the change of H, with its jump and not without."""
    of = noise(text, d)
    jump = patch[1] if patch else "1"
    inner = {Fraction(k, 24) for k in range(1, 24 * 12)} | {Fraction(x) for x in [*(patch or []), jump]}
    rows = {"rows": [str(x) for x in [Fraction(0), *sorted(inner), Fraction(13)]], "start": "0", "end": "12"}
    rows["rows"].insert(-1, "12")  # type: ignore[attr-defined]
    known = leaps(of, [jump], [patch] if patch else None)
    low, high = Fraction(7, 8), Fraction(9, 10)
    cell = Turns(of, rows, known).on_cell((low, high))
    (first, mass), (last, _) = (by_spheres(text, d, 0.5, float(t), 20_000) for t in (low, high))
    slope = (last - first) / float(high - low) * mass
    assert float(cell.lo) <= slope <= float(cell.hi)
    assert float(cell.hi - cell.lo) < 2.5 * abs(slope)
    if not patch:
        with pytest.raises(Rejected, match="continuous"):
            Turns(of, rows)


def test_a_cut_counts_what_lies_beyond_it_for_both_densities() -> None:
    """(1 + e^eps) times the integral of r^2 e^-r from 10 on."""
    found = cut_in_space(noise("exp(-r)", 3), Fraction(10))
    least = (1 + math.exp(0.5)) * float(mp.gammainc(3, 10))
    assert least <= float(found.hi) <= 2 * least


def test_a_patch_counts_what_is_changed_in_it_twice_for_both_densities() -> None:
    found = leaps(noise(AWRY, 3), ["3/2"], [["1", "3/2"]]).patched()
    changed = mp.quad(lambda r: r * r * abs((1 if r * r < 2 else 2) * mp.exp(-r) - mp.exp(-1)), [1, mp.sqrt(2), 1.5])
    assert 2 * (1 + math.exp(0.5)) * changed <= float(found.hi)


@pytest.mark.parametrize(
    ("jumps", "patches"),
    [
        (["1", "1"], []),
        (["2", "1"], []),
        (["0"], []),
        (["1"], [["1/2", "3/4"]]),  # a patch without its jump
        (["1"], [["1", "1/2"]]),
        (["1/2", "1"], [["1/4", "1"]]),  # another jump within
        (["1"], [["-1", "1"]]),
        (["1", "2"], [["1/2", "1"], ["3/4", "2"]]),
    ],
)
def test_jumps_and_patches_that_are_out_of_order(jumps: list[str], patches: list[list[str]]) -> None:
    with pytest.raises(Rejected):
        leaps(noise(STEP, 3), jumps, patches)


def forged(name: str = "rising-jump-d3") -> tuple[dict[str, Any], dict[str, Any]]:
    certificate = read(name)
    return certificate, certificate["proof"]["profile"]["points"][0]


@pytest.mark.slow
def test_the_jump_left_out_or_put_elsewhere() -> None:
    certificate, point = forged()
    del point["jumps"]
    assert refusal(certificate)
    for jump in ("1/2", "9999/10000", "100"):
        certificate, point = forged()
        point["jumps"] = [jump]
        assert refusal(certificate)


@pytest.mark.slow
def test_a_patch_that_hides_what_f_does() -> None:
    """A patch from 1/2 on leaves out too much of f for the delta that is claimed."""
    certificate, point = forged()
    rows = point["grids"][0]["rows"]
    start = next(x for x in rows if Fraction(x) > HALF)
    point["patches"] = [[start, "1"]]
    for grid in point["grids"]:
        grid.pop("signs", None)
    certificate["rules"]["leaps"].append("K301")
    assert refusal(certificate) in ("K161", "K301", "steps")


@pytest.mark.slow
def test_f_cut_too_near() -> None:
    """Cut where much of f lies beyond, H may change by more than is claimed."""
    certificate, point = forged("stairs-that-rise-d3")
    for grid in point["grids"]:
        kept = [x for x in grid["rows"] if Fraction(x) <= 2]
        grid["rows"], grid["end"] = kept, kept[-1]
    point["end"] = point["grids"][0]["end"]
    point["jumps"] = [x for x in point["jumps"] if Fraction(x) < Fraction(point["end"])]
    assert refusal(certificate)


@pytest.mark.slow
def test_an_end_that_the_rows_do_not_have() -> None:
    certificate, point = forged("stairs-that-rise-d3")
    point["end"] = str(Fraction(point["end"]) + 1)
    assert refusal(certificate) == "steps"


@pytest.mark.slow
def test_a_delta_a_little_too_small() -> None:
    for name in ("rising-jump-d3", "rising-jump-irrational-d3"):
        certificate, _ = forged(name)
        delta = certificate["claim"]["points"][0]["delta"]
        delta["upper"] = str((Fraction(delta["lower"]) + Fraction(delta["upper"])) / 2)
        assert refusal(certificate) == "K161"

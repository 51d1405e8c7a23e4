"""Atoms at infinity, tails by steps, measures of a Gaussian, texts of laws and parts of releases, at their edges."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import atoms, releases
from dpverify.kernel.sections.atoms import atom
from dpverify.kernel.sections.gaussians import of_gaussian
from dpverify.kernel.sections.laws import in_r, subject_of
from dpverify.kernel.sections.losses import Grid
from dpverify.kernel.sections.releases import Profile, below, known, masses, mirrored, parts, sampled, sampling_of, ways
from dpverify.kernel.sections.staircases import falling_by_steps
from tests.profiles.panel import LAPLACE, noise, refused

Q = Fraction


def span(low: Any, high: Any) -> Interval:
    return Interval(interval(Q(low)).lo, interval(Q(high)).hi)


@pytest.mark.parametrize("text", [None, 3, ["v"], "v*r", "y", "d+v", "v-r"])
def test_a_law_is_a_text_in_v_alone(text: Any) -> None:
    with pytest.raises(Rejected):
        in_r(text)
    assert in_r("exp(-v)*v**2+floor(v)") == "exp(-r)*r**2+floor(r)"


def test_no_parameter_of_a_law_is_v() -> None:
    claim = {"parameters": {"v": "1"}, "sensitivity": "1", "scale": "1", "mixing": "exp(-v)"}
    refused(lambda: subject_of(claim, 1), "parameter")
    claim = {**claim, "parameters": {"v": "1"}, "mixing": "v*exp(-v)"}
    refused(lambda: subject_of(claim, 1), "parameter")


# Tails by steps.


@pytest.mark.parametrize(("d", "radius", "h"), [(1, "4", "1"), (3, "4", "1"), (3, "8", "1/2"), (2, "2", "3")])
def test_a_tail_that_falls_by_steps(d: int, radius: str, h: str) -> None:
    n, r, step = noise(LAPLACE, d), float(Q(radius)), float(Q(h))
    found = falling_by_steps(n, Q(radius), Q(h))
    k = (1 + step / r) ** (d - 1) * np.exp(-step)
    most = float(n.bound(Q(radius), Q(radius) + Q(h)).hi) / (1 - k)
    assert found.lo == 0 and most * (1 - 1e-9) <= float(found.hi) <= most * 1.01


@pytest.mark.parametrize(
    ("text", "radius", "h", "why"),
    [
        (LAPLACE, "0", "1", "no steps"),
        (LAPLACE, "-4", "1", "no steps"),
        (LAPLACE, "4", "0", "no steps"),
        (LAPLACE, "4", "-1", "no steps"),
        (LAPLACE, "3/2", "1/64", "fast enough"),
        ("1/r", "4", "1", "fast enough"),
        ("exp(r)", "4", "1", "fast enough"),
        ("exp(r**2)", "4", "1", "by steps in the tail"),
    ],
)
def test_a_tail_that_does_not_fall_by_steps(text: str, radius: str, h: str, why: str) -> None:
    refused(lambda: falling_by_steps(noise(text, 3), Q(radius), Q(h)), why)


# Atoms at infinity: f = 1 on a ball of radius 2, and the shift is 1 or 3.


def ball(d: int, shift: str) -> Any:
    return noise("1+0*r", d, Q(0), shift)


@pytest.mark.parametrize(
    ("d", "shift", "box", "exact"),
    [
        (1, "1", ("1", "3/2"), 0.25),
        (1, "3", ("1/2", "1"), 0.5),
        (1, "3", ("3/2", "2"), 0.25),
        (3, "3", ("1/4", "1/2"), (0.5**3 - 0.25**3) / 3),
        (3, "1", ("5/4", "3/2"), None),
    ],
)
def test_what_lies_beyond_the_ball_of_the_other(d: int, shift: str, box: tuple[str, str], exact: float | None) -> None:
    n, cut = ball(d, shift), SimpleNamespace(end=Q(2), radius=Q(2), lost=interval(0))
    found = atoms.beyond(n, cut, Q(box[0]), Q(box[1]))
    if exact is None:
        rho = np.linspace(float(Q(box[0])), float(Q(box[1])), 100_001)
        cosine = (rho**2 + 1 - 4) / (2 * rho)
        share = (1 + np.clip(cosine, -1, 1)) / 2
        exact = float(np.mean(rho**2 * share)) * (rho[-1] - rho[0])
    assert float(found.lo) - 1e-6 <= exact <= float(found.hi) + 1e-6 and float(found.hi - found.lo) < 1e-4


def claimed(bound: str, panels: Any, shift: str = "3", beyond: Interval | None = None, lost: str = "1") -> None:
    cut = SimpleNamespace(end=Q(2), radius=Q(2), lost=interval(Q(lost)))
    kept, atoms.beyond = atoms.beyond, (lambda *given: beyond) if beyond else atoms.beyond
    try:
        atom(ball(1, shift), cut, span(1, 3), bound, {"panels": panels})  # type: ignore[arg-type]
    finally:
        atoms.beyond = kept


def test_an_atom_is_what_all_panels_show() -> None:
    two, third = [["1/4", "1/2"], ["1/2", "1"]], span("1/3", "1/2")
    claimed("1/8", two, beyond=span("1/4", "1/2"))
    claimed("0", two)
    for bound in ("63/500", "1/4"):
        refused(lambda bound=bound: claimed(bound, two, beyond=span("1/4", "1/2")), "so large")
    refused(lambda: claimed("1/6", two, beyond=third, lost="1"), "so large")
    refused(lambda: claimed("-1/8", two), "so large")


@pytest.mark.parametrize(
    ("panels", "why"),
    [
        ([], "not a list"),
        ({}, "not a list"),
        ("12", "not a list"),
        ([["1/4", "1/2"]] * 5_001, "not a list"),
        ([["1/4", "1/2"], ["3/8", "1"]], "overlap"),
        ([["1/2", "1"], ["1/4", "1/2"]], "overlap"),
        ([["3/2", "5/2"]], "leave the cut"),
        ([["1/2", "3/2"]], "do not cross"),
    ],
)
def test_panels_of_an_atom_that_are_refused(panels: Any, why: str) -> None:
    refused(lambda: claimed("0", panels), why)


# Measures of a Gaussian: f = exp(-y/2), so that mu is the shift, which is 2.


def measured(name: str, at: str | None, low: str, high: str, levels: list[str], text: str = "exp(-r**2/2)") -> None:
    measure = {"name": name, "at": at, "value": {"lower": low, "upper": high}}
    of_gaussian(noise(text, 3, Q(1), "2").p, [measure], {"normal": levels})


@pytest.mark.parametrize(
    ("name", "at", "low", "high", "holds"),
    [
        ("Gaussian mu", None, "2", "2", True),
        ("Gaussian mu", None, "0", "3", True),
        ("Gaussian mu", None, "-1", "3", False),
        ("Gaussian mu", None, "-3", "-2", False),
        ("Gaussian mu", None, "21/10", "3", False),
        ("Gaussian mu", None, "0", "19/10", False),
        ("Renyi divergence", "3", "6", "6", True),
        ("Renyi divergence", "3", "61/10", "7", False),
        ("Renyi divergence", "3", "5", "59/10", False),
        ("Renyi divergence", "0", "0", "0", False),
        ("Renyi divergence", "-1", "-2", "-2", False),
        ("zCDP rho", None, "2", "2", True),
    ],
)
def test_measures_of_a_gaussian(name: str, at: str | None, low: str, high: str, holds: bool) -> None:
    if holds:
        measured(name, at, low, high, [])
        return
    refused(lambda: measured(name, at, low, high, []), "not shown between")


def test_errors_of_tests_of_a_gaussian() -> None:
    """T(x) = Phi(z - mu) where Phi(-z) = x = 1/10."""
    with mp.workdps(30):
        z = -mp.sqrt(2) * mp.erfinv(2 * mp.mpf(1) / 10 - 1)
        exact = Q(int(mp.ncdf(z - 2) * 10**12), 10**12)
        first, last = Q(int(z * 10**9), 10**9), Q(int(z * 10**9) + 1, 10**9)
    unit = Q(1, 10**7)
    at, levels = "1/10", [str(first), str(last)]
    measured("type II error", at, str(exact - unit), str(exact + unit), levels)
    for low, high in ((exact - unit, exact - unit / 5), (exact + unit / 5, exact + unit)):
        refused(lambda low=low, high=high: measured("type II error", at, str(low), str(high), levels), "")
    for wrong in ([str(last), str(last)], [str(first), str(first)]):
        refused(lambda wrong=wrong: measured("type II error", at, "0", "1", wrong), "either side")
    for x in ("0", "1", "-1/10", "11/10"):
        refused(lambda x=x: measured("type II error", x, "0", "1", ["-50", "50"]), "either side")
    for wrong in ([], [*levels, "3"], [*levels, *levels]):
        refused(lambda wrong=wrong: measured("type II error", at, "0", "1", wrong), "do not match")


@pytest.mark.parametrize("text", ["exp(-r)", "exp(r**2)", "1+0*r", "exp(-r**2)+1"])
def test_what_is_no_gaussian(text: str) -> None:
    refused(lambda: measured("Gaussian mu", None, "0", "9", [], text), "not seen to be")


# Releases.


def test_what_a_certificate_says_of_delta() -> None:
    refused(lambda: known({"verdict": "not_private", "epsilon": None}), "neither")
    assert dict(known({"verdict": "private", "epsilon": {"upper": "2"}})) == {Q(2): (0, 0)}
    claim = {"points": [{"epsilon": "1", "delta": {"lower": "1/8", "upper": "1/4"}}], "verdict": "profile"}
    assert dict(known(claim | {"theorem": "Theorem B"})) == {Q(1): (Q(1, 8), Q(1, 4))}
    assert dict(known(claim | {"theorem": "Theorem E"})) == {Q(1): (0, Q(1, 4))}
    assert dict(known(claim | {"theorem": "Theorem B", "infinite": "1/5"})) == {Q(1): (Q(1, 5), Q(1, 4))}
    assert dict(known(claim | {"theorem": "Theorem E", "pair": {"lower": ["1/9"]}})) == {Q(1): (Q(1, 9), Q(1, 4))}
    assert known(claim | {"theorem": "Theorem B", "infinite": "1/5"}).infinite == Q(1, 5)
    assert known(claim | {"theorem": "Theorem B"}).infinite == 0 == Profile().infinite


def h(a: float) -> float:
    """Of two laws on two points: (p - a q)_+ of p = (3/4, 1/4) and q = (1/4, 3/4), alike in both orders."""
    return max(0, 0.75 - a * 0.25) + max(0, 0.25 - a * 0.75)


def test_both_orders_of_a_pair() -> None:
    profile = Profile({Q(0): (Q(1, 2), Q(1, 2)), Q(1, 2): (Q(1, 4), Q(1, 2))})
    found = mirrored(profile)
    assert [e for e, *_ in found] == [Q(-1, 2), 0, Q(1, 2)]
    a = np.exp(-0.5)
    assert abs(float(found[0][2].hi) - (1 - a + a / 4)) < 1e-12 and abs(float(found[0][3].lo) - (1 - a + a / 2)) < 1e-12


@pytest.mark.parametrize("rate", [0.25, 0.5])
def test_bounds_of_a_release_on_a_sample(rate: float) -> None:
    """By the laws of the mixtures themselves: p' = (1 - g) q + g p against q."""
    levels = [Q(k, 4) for k in range(6)]
    values = {e: Q(h(float(np.exp(float(e))))) for e in levels}
    profile = Profile({e: (v, v) for e, v in values.items()})
    p, q = np.array([0.75, 0.25]), np.array([0.25, 0.75])
    mixed = (1 - rate) * q + rate * p
    poisson = sampled(profile, {"kind": "poisson", "rate": str(Q(rate))})
    fixed = sampled(profile, {"kind": "fixed", "rate": str(Q(rate))})
    assert len(poisson) == 2 and len(fixed) == 2 and len(sampled(profile, None)) == 2
    for bounds, (first, second) in zip(poisson, ((mixed, q), (q, mixed)), strict=True):
        for x, u in bounds.points[1:]:
            truth = float(np.maximum(0, first - float(x.lo) * second).sum())
            assert truth - 1e-9 <= float(u.hi) <= truth + 1e-9
    for x, u in fixed[0].points[1:]:
        a, g = float(x.lo), rate
        inner = (a - 1) / g + 1 if a >= 1 else (1 / a - 1) / g + 1
        most = g * h(inner) if a >= 1 else 1 - a + a * g * h(inner)
        assert abs(float(u.hi) - most) < 1e-9
    assert len(fixed[0].points) == 1 + 2 * 5


@pytest.mark.parametrize(
    "given",
    [
        *({"kind": kind, "rate": "1/2"} for kind in ("other", None, ["poisson"], 1)),
        *({"kind": "poisson", "rate": rate} for rate in ("0", "1", "-1/2", "3/2", 1)),
        {"kind": "poisson"},
        "poisson",
    ],
)
def test_a_sampling_that_is_not_known(given: Any) -> None:
    refused(lambda: sampling_of(given), "")
    assert sampling_of(None) is None and sampling_of({"kind": "fixed", "rate": "1/2"})["rate"] == "1/2"


@pytest.mark.parametrize(
    "value",
    ["12", None, [1], ["-1"], ["1.5"], ["\u0661"], ["1", ""], ["1" * 1_001], ["1"] * 400_001, [["1"]], ["1", "x"]],
)
def test_masses_are_whole_numbers(value: Any) -> None:
    refused(lambda: masses(value), "whole numbers")
    assert masses(["0", "12", "9" * 1_000])[:2] == [0, 12]


def test_a_dominated_measure_needs_a_whole_profile_on_the_grid() -> None:
    grid = Grid(Q(1, 2), 4, 8)
    profile = Profile({Q(k, 2): (Q(1, 4) / 2**k, Q(1, 4) / 2**k) for k in range(3)})
    for given, sampling in ((profile, {"kind": "fixed"}), (Profile({Q(1, 4): (Q(0), Q(1))}), None)):
        refused(lambda p=given, s=sampling: below(grid, p, s, ["0"] * 5), "whole profile on the grid")
    none = below(grid, profile, None, None)
    assert (none.first, list(none.masses), none.infinite) == (0, [10**4], 0)
    assert list(below(grid, profile, None, ["0"] * 5).masses) == [0] * 5


def part(**changed: Any) -> dict[str, Any]:
    return {"digest": "one", "times": 1, "sampling": None} | changed


def test_parts_are_the_ones_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = {"verdict": "private", "epsilon": {"upper": "2"}}
    checked = SimpleNamespace(digest="one", claim=claim, assumptions=["a"])
    monkeypatch.setattr(releases, "accepted", lambda given: checked)
    found, assumed = parts([part(), part(times=3)], {"one": {}})
    assert [(dict(x), n, s) for x, n, s in found] == [({Q(2): (0, 0)}, 1, None), ({Q(2): (0, 0)}, 3, None)]
    assert assumed == ["a"]
    for listed, given, why in (
        ([], {"one": {}}, "digests"),
        ({}, {"one": {}}, "digests"),
        (5, {"one": {}}, "digests"),
        ([part()] * 51, {"one": {}}, "digests"),
        ([part()], [], "digests"),
        ([part()], {"two": {}}, "not the one that is named"),
        ([part(digest="two")], {"one": {}}, "not there"),
        ([part(digest=["one"])], {"one": {}}, "not there"),
        ([part(times=0)], {"one": {}}, "times"),
        ([part(more="0")], {"one": {}}, "part"),
    ):
        refused(lambda listed=listed, given=given: parts(listed, given), why)
    assert len(parts([part()] * 50, {"one": {}})[0]) == 50
    monkeypatch.setattr(releases, "accepted", lambda given: SimpleNamespace(**vars(checked) | {"digest": given}))
    refused(lambda: parts([part()], {"one": "one", "two": "two"}), "no part names")


def test_in_which_ways_records_are_sampled() -> None:
    poisson, fixed = ({"kind": kind, "rate": "1/2"} for kind in ("poisson", "fixed"))
    inner = {"claim": {"kind": "releases", "parts": [part(sampling=fixed)]}, "proof": {"parts": {}}}
    assert ways({"kind": "profile"}, {}) == set()
    outer = {"kind": "releases", "parts": [part(sampling=poisson), part()]}
    assert ways(outer, {"parts": {}}) == {"poisson"}
    assert ways(outer, {"parts": {"two": inner}}) == {"poisson", "fixed"}

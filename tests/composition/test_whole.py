"""Composition of whole profiles against closed forms and sums of outcomes; forged certificates refused."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpverify
from dpverify import kernel
from dpverify.certificate import digest
from dpverify.composition import Sampling
from dpverify.errors import InputError
from dpverify.kernel.certificate import load_section
from dpverify.kernel.intervals import ONE, ZERO, interval
from dpverify.profiles import Enclosed
from tests.composition.references import curve, gaussian

load_section("releases")
from dpverify.kernel.sections import losses, releases  # noqa: E402

GAUSSIAN: dict[str, Any] = {"scale": 2, "step": "1/40", "until": "1e-16"}


def holds(value: Enclosed | Fraction, exact: mp.mpf) -> bool:
    assert isinstance(value, Enclosed)
    with mp.workdps(60):
        low, high = (mp.mpf(x.numerator) / x.denominator for x in (value.lower, value.upper))
        return bool(low <= exact <= high)


@pytest.mark.slow
def test_one_release_is_itself() -> None:
    found = dpverify.compose([curve(**GAUSSIAN)], epsilon=["0", "1/2", "1"])
    for point, epsilon in zip(found.points, (0, 0.5, 1), strict=True):
        assert holds(point.delta, gaussian(epsilon, 0.5))
        assert isinstance(point.delta, Enclosed) and point.delta.upper <= point.delta.lower * 101 / 100


@pytest.mark.slow
@pytest.mark.parametrize("times", [2, 5, 16])
def test_gaussians_compose_to_a_gaussian(times: int) -> None:
    """n releases with shift s are one with shift s sqrt(n)."""
    found = dpverify.compose([(curve(**GAUSSIAN), times)], epsilon=["0", "1", "2", "4"])
    for point, epsilon in zip(found.points, (0, 1, 2, 4), strict=True):
        assert holds(point.delta, gaussian(epsilon, mp.sqrt(times) / 2))
        assert isinstance(point.delta, Enclosed) and point.delta.upper <= point.delta.lower * 11 / 10


@pytest.mark.slow
def test_different_gaussians_in_any_order() -> None:
    """Shifts 1/2, 1/4, 1/4: together sqrt(1/4 + 1/16 + 1/16)."""
    wide = curve(scale=4, step="1/40", until="1e-16")
    first = dpverify.compose([curve(**GAUSSIAN), (wide, 2)], epsilon="1").points[0].delta
    second = dpverify.compose([(wide, 2), curve(**GAUSSIAN)], epsilon="1").points[0].delta
    assert isinstance(first, Enclosed) and isinstance(second, Enclosed)
    for found in (first, second):
        assert holds(found, gaussian(1, mp.sqrt(mp.mpf(3) / 8)))
    assert abs(first.upper - second.upper) < first.upper / 10**12
    assert abs(first.lower - second.lower) < first.upper / 10**12


@pytest.mark.slow
def test_eps_of_delta_inverts_delta_of_eps() -> None:
    found = dpverify.compose([(curve(**GAUSSIAN), 4)], delta="1e-5").points[0].epsilon
    with mp.workdps(40):
        exact = mp.findroot(lambda e: gaussian(e, 1) - mp.mpf(10) ** -5, mp.mpf("4.377"))
    assert holds(found, exact)
    assert isinstance(found, Enclosed) and found.upper - found.lower < Fraction(1, 50)


@pytest.mark.sweep
def test_laplace_profiles_against_a_sum_over_cells() -> None:
    """Three releases of Laplace noise: the loss has atoms at both ends and a density between; a fine grid's sums."""
    found = dpverify.compose([(curve("laplace", step="1/40"), 3)], epsilon="1").points[0].delta
    import numpy as np

    n, s = 2000, 1.0
    cells = np.linspace(-s, s, n + 1)
    masses = np.zeros(n + 1)
    masses[1:] = np.diff(np.exp((cells - s) / 2) / 2)  # P(loss <= l) = e^((l - s)/2)/2 for l < s
    masses[0] += np.exp(-s) / 2
    masses[-1] += 0.5
    assert abs(masses.sum() - 1) < 1e-12
    total = np.convolve(np.convolve(masses, masses), masses)
    losses_at = np.linspace(-3 * s, 3 * s, total.size)
    delta = float(np.sum(total * np.maximum(0, 1 - np.exp(1 - losses_at))))
    assert isinstance(found, Enclosed)
    assert float(found.lower) - 2e-3 <= delta <= float(found.upper) + 2e-3
    assert found.upper - found.lower < found.upper / 50


@pytest.mark.slow
def test_points_say_what_they_say_and_no_more() -> None:
    """One point (eps0, delta0), twice: the optimal composition of Kairouz, Oh and Viswanath, by its four outcomes."""
    found = dpverify.profile("gaussian", epsilon="1", certificate=True)
    assert found.certificate is not None
    together = dpverify.compose([(found.certificate, 2)], epsilon="1").points[0].delta
    d, e = float(gaussian(1, 1)), float(mp.e)
    high, low = e / (1 + e), 1 / (1 + e)
    delta = 1 - (1 - d) ** 2 * (1 - high**2 * (1 - e ** (1 - 2)))
    assert low < high and isinstance(together, Enclosed) and together.lower == 0
    assert delta - 1e-12 <= float(together.upper) <= delta * (1 + 1e-3)


@pytest.mark.slow
def test_a_pure_epsilon_with_a_profile() -> None:
    """Randomised response beside Gaussian noise: a mixture of four Gaussian profiles at shifted eps."""
    part = dpverify.verify("laplace", sensitivity="1/2").certificate
    assert part is not None
    found = dpverify.compose([curve(**GAUSSIAN), part], epsilon="1").points[0].delta
    half = mp.exp(0.5)
    exact = half / (1 + half) * gaussian(0.5, 0.5) + 1 / (1 + half) * gaussian(1.5, 0.5)
    assert isinstance(found, Enclosed)
    assert float(found.lower) <= float(gaussian(1, 0.5)) <= float(exact) <= float(found.upper) <= float(exact) * 1.01


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("rate", ["1/10", "1/2"])
def test_poisson_samples_of_gaussian_noise(rate: str) -> None:
    """One release, both orders: the hockey-stick divergences of a mixture from a Gaussian.  The ratio of the densities
    rises with x, so that each is an integral over a half-line."""
    g, s = mp.mpf(Fraction(rate).numerator) / Fraction(rate).denominator, mp.mpf(1) / 2
    found = dpverify.compose([(curve(**GAUSSIAN), 1, Sampling("poisson", Fraction(rate)))], epsilon=["1/20", "1/4"])

    def reaches(ratio: mp.mpf) -> mp.mpf:
        """Where 1 - g + g e^(s x - s^2/2) is this."""
        return (mp.log((ratio - 1 + g) / g) + s * s / 2) / s if ratio > 1 - g else -mp.inf

    for point, text in zip(found.points, ("0.05", "0.25"), strict=True):
        a = mp.exp(mp.mpf(text))
        above, below = reaches(a), reaches(1 / a)
        orders = (
            (1 - g - a) * mp.ncdf(-above) + g * mp.ncdf(s - above),
            (1 - a * (1 - g)) * mp.ncdf(below) - a * g * mp.ncdf(below - s),
        )
        exact = max(orders)
        assert isinstance(point.delta, Enclosed)
        assert exact <= mp.mpf(float(point.delta.upper)) * (1 + mp.mpf("1e-6")) <= exact * mp.mpf("1.02")


@pytest.mark.slow
def test_fixed_samples_amplify_by_their_rate() -> None:
    """Balle, Barthe and Gaboardi (2018): g delta(eps) at log(1 + g (e^eps - 1))."""
    found = dpverify.compose([(curve(**GAUSSIAN), 1, Sampling("fixed", Fraction(1, 10)))], epsilon="1/10").points[0]
    with mp.workdps(30):
        base = mp.log(1 + (mp.exp(mp.mpf(1) / 10) - 1) * 10)
        exact = gaussian(base, mp.mpf(1) / 2) / 10
    assert isinstance(found.delta, Enclosed) and found.delta.lower == 0
    assert float(exact) <= float(found.delta.upper) <= float(exact) * 1.02


def test_a_sample_needs_a_rate_between_0_and_1() -> None:
    for kind, rate in (("poisson", 0), ("poisson", 1), ("fixed", 2), ("every second", Fraction(1, 2))):
        with pytest.raises(InputError):
            Sampling(kind, Fraction(rate))


# The kernel's measures

measures = st.lists(st.integers(0, 10**30), min_size=1, max_size=40).filter(any)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(measures, measures)
def test_the_product_of_long_integers_is_a_convolution(a: list[int], b: list[int]) -> None:
    plain = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            plain[i + j] += x * y
    assert losses.multiply(a, b) == plain


def test_a_truncated_product_dominates_and_is_dominated() -> None:
    """What lies beyond the grid goes to infinity and upward, or is left out and goes downward."""
    grid = losses.Grid(Fraction(1, 10), 30, 4)
    w = losses.Losses(-3, [10**29] * 7, 10**28)
    full = losses.Grid(Fraction(1, 10), 30, 100)
    for epsilon in (Fraction(0), Fraction(1, 10), Fraction(7, 20), Fraction(1)):
        exact = losses.divergence(full, losses.product(full, w, w, True), epsilon)
        above = losses.divergence(grid, losses.product(grid, w, w, True), epsilon)
        finite = losses.Losses(-3, w.masses, 0)
        below = losses.divergence(grid, losses.product(grid, finite, finite, False), epsilon)
        assert below.lo <= exact.lo and exact.hi <= above.hi


# Must fail


def test_masses_rounded_down_do_not_dominate(monkeypatch: pytest.MonkeyPatch) -> None:
    """In units of 1e-6 each mass counts: h_w is at least h of a Gaussian everywhere, and rounded down it is less."""
    grid = losses.Grid(Fraction(1, 8), 6, 100)
    levels = [Fraction(k, 8) for k in range(25)]
    with mp.workdps(40):
        known = {e: interval(Fraction(mp.nstr(gaussian(mp.mpf(e.numerator) / e.denominator, 1), 30))) for e in levels}
    bounds = losses.Bounds([(ZERO, ONE), *((grid.at(int(e * 8)), value) for e, value in known.items())], known)

    def lacking() -> list[Fraction]:
        w = losses.dominating(grid, bounds, 24)
        return [e for e in levels if losses.divergence(grid, w, e).hi < known[e].lo]

    assert lacking() == []
    usual = losses.Grid.units
    monkeypatch.setattr(losses.Grid, "units", lambda grid, x, above: usual(grid, x, False))
    assert len(lacking()) > 5


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    found = dpverify.compose([(curve(**GAUSSIAN), 3)], epsilon="1", delta="1e-4", certificate=True)
    assert found.certificate is not None
    assert dpverify.check(found.certificate).accepted
    return dict(found.certificate)


def refusal(forged: dict[str, Any]) -> str:
    try:
        kernel.check_bytes(json.dumps({**forged, "digest": digest(forged)}).encode())
    except kernel.Rejected as error:
        assert len(str(error).splitlines()) == 1
        return error.code
    return ""


@pytest.mark.slow
def test_delta_lowered_or_its_lower_bound_raised(certificate: dict[str, Any]) -> None:
    for end, factor in (("upper", 1 - Fraction(1, 10**9)), ("lower", 1 + Fraction(1, 10**9))):
        forged = copy.deepcopy(certificate)
        delta = forged["claim"]["points"][0]["delta"]
        delta[end] = str(Fraction(delta[end]) * factor)
        assert refusal(forged) == "K177"


@pytest.mark.slow
def test_more_mass_below_than_the_pair_has(certificate: dict[str, Any]) -> None:
    forged = copy.deepcopy(certificate)
    (masses,) = forged["proof"]["lower"]
    k = len(masses) // 2 + 5
    masses[k] = str(int(masses[k]) * 101 // 100)
    assert refusal(forged) == "K175"
    forged["proof"]["lower"] = [[*masses[:-1], "-1"]]
    assert refusal(forged) == "format"


@pytest.mark.slow
def test_another_part_another_number_another_sample(certificate: dict[str, Any]) -> None:
    name = certificate["claim"]["parts"][0]["digest"]
    for change in ("digest", "times", "sampling", "certificate", "forged part", "left out"):
        forged = copy.deepcopy(certificate)
        part = forged["claim"]["parts"][0]
        if change == "digest":
            part["digest"] = "0" * 64
        elif change == "times":
            part["times"] = 4
        elif change == "sampling":
            part["sampling"] = {"kind": "poisson", "rate": "1/10"}
        elif change == "certificate":
            forged["proof"]["parts"][name] = curve(scale=4, step="1/40", until="1e-16")
        elif change == "forged part":
            forged["proof"]["parts"][name]["claim"]["points"][0]["delta"]["upper"] = "1/100"
        else:
            del forged["proof"]["parts"][name]
        assert refusal(forged), change


@pytest.mark.slow
def test_samples_for_other_neighbours_are_not_composed() -> None:
    """One record more or less for poisson samples, another record for fixed ones: of no neighbours would both speak."""
    first, half = curve(**GAUSSIAN), Fraction(1, 2)
    poisson, fixed = (Sampling(kind, half) for kind in ("poisson", "fixed"))
    inner = dpverify.compose([(first, 2, poisson)], epsilon=["0", "1", "2"], certificate=True).certificate
    for parts in ([(first, 1, poisson), (first, 1, fixed)], [(first, 1, fixed), (inner, 1)], [(inner, 1, fixed)]):
        with pytest.raises(InputError, match="other neighbours"):
            dpverify.compose(parts, epsilon="1")
        alike = [(p[0], p[1], poisson if len(p) == 3 else None) for p in parts]
        forged = json.loads(json.dumps(dpverify.compose(alike, epsilon="1", certificate=True).certificate))
        assert refusal(forged) == ""
        for part, entry in zip(forged["claim"]["parts"], parts, strict=True):
            part["sampling"] = entry[2].to_json() if len(entry) == 3 else None
            forged["claim"]["points"][0]["delta"]["upper"] = "1"
        assert refusal(forged) == "K173"


@pytest.mark.slow
def test_one_order_of_the_pair_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that composed the first order alone would say less: both orders count, and differ."""
    sampling = Sampling("poisson", Fraction(1, 2))
    part = (curve(**GAUSSIAN), 8, sampling)
    both = dpverify.compose([part], epsilon="1").points[0].delta
    whole = releases.sampled

    for order in (0, 1):
        monkeypatch.setattr(releases, "sampled", lambda *given, k=order: [whole(*given)[k]] * 2)
        one = dpverify.compose([part], epsilon="1").points[0].delta
        assert isinstance(one, Enclosed) and isinstance(both, Enclosed)
        if order:
            assert one.upper < both.upper
        else:
            assert one.upper == both.upper


@pytest.mark.slow
def test_grids_that_are_too_long_or_not_there(certificate: dict[str, Any]) -> None:
    wrong = (("most", 10**9), ("digits", 0), ("step", "0"), ("step", "2"), ("reach", [1, 2]), ("reach", [0]))
    for field, value in wrong:
        forged = copy.deepcopy(certificate)
        forged["proof"]["grid"][field] = value
        assert refusal(forged) in {"format", "limits"}
    forged = copy.deepcopy(certificate)
    forged["proof"]["grid"].update(most=400_000, digits=1000)
    assert refusal(forged) == "limits"


def test_what_cannot_be_composed() -> None:
    refuted = dpverify.verify("gaussian").certificate
    assert refuted is not None
    with pytest.raises(InputError, match="profile --curve"):
        dpverify.compose([refuted], epsilon="1")


@pytest.mark.campaign
@pytest.mark.parametrize(("times", "epsilon"), [(64, "15/2"), (100, "9")])
def test_far_out_and_narrow(times: int, epsilon: str) -> None:
    """Gaussians with sigma = 10, far below what a transform in doubles can tell from 0: within a thousandth."""
    found = dpverify.compose([(curve(scale=10), times)], epsilon=epsilon).points[0].delta
    with mp.workdps(60):
        level = mp.mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator
        exact = gaussian(level, mp.sqrt(times) / 10)
    assert holds(found, exact)
    assert isinstance(found, Enclosed) and found.upper - found.lower <= found.lower / 1000

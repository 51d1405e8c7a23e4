"""The atom at infinity of the loss of noise of bounded support: closed forms, compositions, and forged atoms."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify import kernel
from dpverify.kernel.certificate import digest
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import atoms
from dpverify.kernel.sections.supports import Cut
from dpverify.profiles.scale import smallest_scale
from tests.kernel.test_forgeries import sealed
from tests.profiles.panel import noise as panel_noise
from tests.profiles.test_must_fail import GALLERY, refusal
from tests.profiles.test_support import UNIFORM, holds

LITTLE = Fraction(1, 10**9)
THREE = GALLERY.parent / "composition" / "uniform-3-times.json"


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@cache
def uniform() -> dpverify.profiles.Profile:
    return dpverify.profile(
        UNIFORM, sensitivity="1/3", curve=True, certificate=True, renyi="1/2", tradeoff=("1/4", "9/10")
    )


@pytest.mark.slow
def test_what_lies_outside_of_the_other_support() -> None:
    """P(|x - u| > 1), |u| = s = 1/3: of densities on the line by their antiderivatives, of two balls by their lens."""
    x, s = Fraction(2, 3), Fraction(1, 3)
    beyond = Fraction(8, 15) - (x - 2 * x**3 / 3 + x**5 / 5)
    lens = (2 - s) ** 2 * (s * s + 4 * s) / (12 * s) / Fraction(4, 3)
    for text, dimension, exact in (
        ("Piecewise((1 - y, y < 1), (0, True))", 1, Fraction(2, 27)),
        ("Piecewise(((1 - y)**2, y < 1), (0, True))", 1, beyond / Fraction(16, 15)),
        (UNIFORM, 3, 1 - lens),
    ):
        found = dpverify.profile(text, dimension=dimension, sensitivity=s, epsilon="1").infinite
        assert found is not None
        assert exact * (1 - LITTLE) <= found.lower <= exact <= found.upper <= exact * (1 + LITTLE)


@pytest.mark.slow
def test_measures_of_an_interval() -> None:
    """Two intervals that share 5/6: T(x) = 5/6 - x, and exp(-D_(1/2)/2) = 5/6."""
    found = uniform()
    overlap = mp.mpf(5) / 6
    half, first, last = found.measures
    assert half.value is not None and holds(half.value, -2 * mp.log(overlap), 1e-4)
    assert first.value is not None and holds(first.value, overlap - mp.mpf(1) / 4, 0.05)
    assert last.value is not None and last.value.lower == 0 and last.value.upper < LITTLE
    assert all(m.certified for m in found.measures)
    assert bool(dpverify.check(found.certificate))


@pytest.mark.slow
def test_compositions_have_it_from_both_sides() -> None:
    """n intervals: no test tells them apart with probability (5/6)^n, and otherwise surely, at every eps."""
    for times in (1, 3, 7):
        (point,) = dpverify.compose([(uniform().certificate, times)], epsilon="1/2").points
        exact = 1 - Fraction(5, 6) ** times
        assert point.delta.lower <= exact <= point.delta.upper  # type: ignore[union-attr]
        assert point.delta.upper - point.delta.lower < exact * LITTLE  # type: ignore[operator, union-attr]


@pytest.mark.slow
def test_the_scale_of_a_uniform_law() -> None:
    """delta = Delta/(2 sigma) at every eps, so sigma = Delta/(2 delta)."""
    found = smallest_scale(dpverify.Generator(UNIFORM), epsilon="1", delta="1/100")
    assert found.lower <= 50 <= found.upper <= 50 * (1 + LITTLE)


@pytest.mark.slow
def test_a_root_that_vanishes() -> None:
    """The half-disc law on the line: delta(eps) from the root of (1 - x^2) = e^(2 eps) (1 - (x - s)^2)."""
    with mp.workdps(30):
        k, s = mp.exp(1), mp.mpf(1) / 2
        root = (k * s - mp.sqrt(k * k * s * s - (k - 1) * (k * s * s - k + 1))) / (k - 1)

        def below(x: mp.mpf) -> mp.mpf:
            return (x * mp.sqrt(1 - x * x) + mp.asin(x)) / mp.pi + mp.mpf(1) / 2

        exact = below(root) - mp.sqrt(k) * below(root - s)
    text = "Piecewise((sqrt(1 - y), y < 1), (0, True))"
    assert holds(dpverify.profile(text, sensitivity="1/2").delta("1/2"), exact)


@pytest.mark.slow
def test_forged_atoms() -> None:
    """Larger by a part in 1e9; panels that overlap, leave the cut, or reach spheres that do not cross; none; no cut."""
    path = GALLERY / "uniform-on-a-ball.json"
    assert not refusal(read(path))
    forged = read(path)
    forged["claim"]["infinite"] = str(Fraction(forged["claim"]["infinite"]) * (1 + LITTLE))
    assert refusal(forged) == "K244"
    panels = read(path)["proof"]["atom"]["panels"]
    (first, last) = panels[0], panels[-1]
    for other in (
        [*panels, last],
        [[first[0], last[1]], *panels],
        [[str(Fraction(first[0]) - LITTLE), first[1]], *panels[1:]],
        [*panels[:-1], [last[0], "1"]],
        [*panels[:-1], [last[0], "2"]],
        panels[::-1] if len(panels) > 1 else [],
        panels[1:],
        [],
    ):
        forged = read(path)
        forged["proof"]["atom"]["panels"] = other
        assert refusal(forged), other
    forged = read(path)
    del forged["proof"]["atom"]
    assert refusal(forged) == "steps"
    for value in (None, 0, [], "1.5", "-1"):
        forged = read(path)
        forged["claim"]["infinite"] = value
        assert refusal(forged), value
    forged = read(GALLERY / "laplace-d1.json")
    forged["claim"]["infinite"] = "0"
    assert refusal(forged) == "K244"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "at"), [("Renyi divergence", "2"), ("zCDP rho", None), ("Gaussian mu", None)])
def test_moments_of_a_cut_f_are_no_moments_of_f(name: str, at: str | None) -> None:
    """Where q is 0 and p is not the loss is infinite, and so are the divergences; of f's cut they are finite."""
    forged = read(GALLERY / "uniform-on-a-ball.json")
    claim, proof = forged["claim"], forged["proof"]
    claim.pop("infinite"), proof.pop("atom")
    claim["points"] = [{"epsilon": e, "delta": {"lower": "0", "upper": "1"}} for e in ("0", "1/10", "1/2")]
    proof["profile"]["points"] *= 3
    claim["measures"] = [{"name": name, "at": at, "value": {"lower": "0", "upper": "1000000"}}]
    cut = proof["cut"]["radius"]
    marks = ["0", "1/64", "1/16", "1/4", "1/2", cut, "1", "2", "4", "8", "16"]
    proof["measures"] = {
        "tail": {
            "top": "1/1000",
            "marks": ["1/2", str(Fraction(cut) - Fraction(1, 3)), cut, "2", "4", "1000"],
            "bounds": [{"a": "101", "c": "1", "t": "1/2", "k": "9"}],
            "masses": [{"t": t, "order": 3, "marks": marks} for t in ("0", "1/2")],
        }
    }
    if name == "zCDP rho":
        proof["measures"]["orders"] = ["1", "3/2", "2"]
    with_rules = sealed(claim, proof)
    assert refusal(with_rules) == "K247"


def test_a_delta_without_the_atom() -> None:
    """delta(eps) lower by a part in 1e9, so that it is below what is lost in any case."""
    forged = read(GALLERY / "uniform-on-a-ball.json")
    delta = forged["claim"]["points"][0]["delta"]
    delta["lower"], delta["upper"] = "0", str(Fraction(forged["claim"]["infinite"]) * (1 - LITTLE))
    assert refusal(forged) == "K161"


@pytest.mark.slow
def test_forged_compositions() -> None:
    """A part whose atom is left out shows no lower bound; one that claims more, no certificate; and bounds may not be
    better than what is shown by a part in 1e9."""
    whole = read(THREE)
    assert not refusal(whole)
    for end, factor in (("lower", 1 + LITTLE), ("upper", 1 - LITTLE)):
        forged = read(THREE)
        delta = forged["claim"]["points"][0]["delta"]
        delta[end] = str(Fraction(delta[end]) * factor)
        if end == "upper":
            delta["lower"] = "0"
        else:
            delta["upper"] = "1"
        assert refusal(forged) == "K177", end
    (name,) = whole["proof"]["parts"]
    for change in (lambda c: c["claim"].pop("infinite"), lambda c: c["claim"].update(infinite="1/5")):
        forged = read(THREE)
        part = forged["proof"]["parts"].pop(name)
        change(part)
        part["digest"] = digest(part)
        forged["proof"]["parts"][part["digest"]] = part
        forged["claim"]["parts"][0]["digest"] = part["digest"]
        assert refusal(forged), change


def test_a_dominated_measure_keeps_below_the_atom() -> None:
    """More mass than 1 - c leaves, c being the atom, is refused; so is a larger atom, or a mass at a larger loss."""
    kernel.certificate.load_section("releases")
    from dpverify.kernel.intervals import outward_arithmetic, outward_functions
    from dpverify.kernel.sections import losses, releases

    outward_arithmetic()
    outward_functions()
    profile = releases.Profile({Fraction(k, 4): (Fraction(1, 6), Fraction(1, 6)) for k in range(3)})
    grid = losses.Grid(Fraction(1, 4), 12, 10)
    known = [(low, high) for _, _, low, high in releases.mirrored(profile)]
    atom = Fraction(1, 6) - LITTLE
    spare = grid.scale - grid.scale // 6
    exact = [0, spare - 2000, 0, 0, 0]
    found = losses.dominated(grid, known, exact, atom)
    assert found.infinite == int(atom * grid.scale)
    for masses, c in (
        ([0, spare + 2000, 0, 0, 0], atom),
        (exact, atom + 2 * LITTLE),
        ([0, 0, 0, spare - 2000, 0], atom),
    ):
        with pytest.raises(kernel.Rejected):
            losses.dominated(grid, known, masses, c)
    product = losses.product(grid, found, found, False)
    assert Fraction(product.infinite, grid.scale) <= 1 - Fraction(25, 36)
    assert product.infinite + sum(product.masses) <= grid.scale


def test_an_atom_that_is_no_number_is_refused_though_nothing_needs_it() -> None:
    """Null is no bound: it is read like any other, not taken for a claim without an atom."""
    for name in ("uniform-on-a-ball", "gaussian-d1"):
        forged = read(GALLERY / f"{name}.json")
        forged["claim"]["infinite"] = None
        assert refusal(forged)


@pytest.mark.parametrize("dimension", [1, 2])
def test_disjoint_supports_have_an_atom_of_one_from_above_too(dimension: int) -> None:
    """The spheres about the centre count in the upper bound."""
    found = dpverify.profile("Piecewise((1, r < 1), (0, True))", dimension=dimension, sensitivity=3, epsilon=1)
    assert found.infinite is not None and found.infinite.lower <= 1 <= found.infinite.upper


@pytest.mark.slow
def test_a_step_for_measures_that_no_claim_needs() -> None:
    for name in ("laplace-measures", "laplace-rho"):
        forged = read(GALLERY / f"{name}.json")
        step = forged["proof"].setdefault("measures", {})
        if "orders" in step:
            forged["claim"]["measures"] = [m for m in forged["claim"]["measures"] if m["name"] != "zCDP rho"]
        else:
            step["orders"] = ["1", "2"]
        assert refusal(forged)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_what_of_a_panel_lies_beyond_the_other_support(d: int) -> None:
    """A uniform law on |x| < 1, its other at a distance of 1/2: the caps |x - u| > 1 of spheres 3/4 < |x| < 7/8."""
    a, b = Fraction(3, 4), Fraction(7, 8)
    of = panel_noise("Piecewise((1, r < 1), (exp(-r), True))", d, shift="1/2")
    found = atoms.beyond(of, Cut(Fraction(1), Fraction(1), interval(0)), a, b)

    def cap(r: Any) -> Any:
        """The share of a sphere on which r^2 - r c + 1/4 > 1."""
        height = (r * r - mp.mpf(3) / 4) / r
        return {1: mp.mpf(1) / 2, 2: 1 - mp.acos(height) / mp.pi, 3: (1 + height) / 2}[d]

    with mp.workdps(40):
        exact = mp.quad(lambda r: cap(r) * r ** (d - 1), [mp.mpf(3) / 4, mp.mpf(7) / 8])
        assert mp.mpf(str(found.lo)) <= exact <= mp.mpf(str(found.hi)) < mp.mpf(str(found.lo)) * (1 + mp.mpf(10) ** -6)
    whole = atoms.beyond(panel_noise("exp(-r)", d, shift="3"), Cut(Fraction(1), Fraction(1), interval(0)), a, b)
    with mp.workdps(40):
        exact = mp.quad(lambda r: r ** (d - 1) * mp.exp(-r), [mp.mpf(3) / 4, mp.mpf(7) / 8])
        assert mp.mpf(str(whole.lo)) <= exact <= mp.mpf(str(whole.hi)) and whole.lo < whole.hi

"""f with one ridge, in space and in ten dimensions: delta(eps) against quadrature of thirty digits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest
from flint import arb

import dpverify
from dpverify.enclosures import Undecided, precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.prover.problem import Problem
from dpverify.prover.profile import RisingInSpace
from dpverify.prover.profile.layers import Layer, Layers
from dpverify.prover.profile.spheres import Spheres
from dpverify.prover.profile.strips import Edge, Strip

HALF = Fraction(1, 2)
Real = Any
Sides = Callable[[Real], tuple[Real, Real] | None]


def steep(c: Real) -> tuple[Real, Real] | None:
    """Between which radii r + 1/r < c."""
    if c <= 2:
        return None
    root = mp.sqrt(c * c - 4)
    return (c - root) / 2, (c + root) / 2


def vertex(c: Real) -> tuple[Real, Real] | None:
    """Between which radii |r - 1| < c."""
    return None if c <= 0 else (max(1 - c, mp.mpf(0)), 1 + c)


RIDGES: dict[str, tuple[Callable[[Real], Real], Sides]] = {
    "exp(-r-1/r)": (lambda r: r + 1 / r, steep),
    "exp(-Abs(r-1))": (lambda r: abs(r - 1), vertex),
}
"""-log F, which has one minimum, and between which radii it is below a level."""


def divergence(text: str, d: int, t: Real, epsilon: Real, far: int = 90) -> Real:
    """H(t): P of those with |x - u| outside the ridge of the level of |x|, and Q of those with |x| inside it."""
    height, below = RIDGES[text]
    centre = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)

    def share(c: Real) -> Real:
        """The part of a sphere whose first coordinate is below c, less a half."""
        if d == 3:
            return c / 2
        part = mp.betainc(mp.mpf(1) / 2, mp.mpf(d - 1) / 2, 0, min(c * c, mp.mpf(1))) * centre / 2
        return part if c > 0 else -part

    def within(r: Real, level: Real) -> Real:
        """The part of the sphere of radius r about one centre that lies inside the ridge about the other."""
        sides = below(level)
        if sides is None or not r:
            return mp.mpf(0)
        low, high = (min(max(x, abs(r - t)), r + t) for x in sides)
        return share((r * r + t * t - low * low) / (2 * r * t)) - share((r * r + t * t - high * high) / (2 * r * t))

    def kinks(sign: int) -> set[Real]:
        def gap(i: int, side: int, r: Real) -> Real:
            sides = below(height(r) + sign * epsilon)
            return mp.mpf(1) if sides is None else sides[i] - abs(r + side * t)

        found, grid = set(), [mp.mpf(k) / 32 for k in range(1, 32 * 8)]
        tests: list[Callable[[Real], Real]] = [partial(gap, i, side) for i in (0, 1) for side in (-1, 1)]
        tests.append(lambda r: mp.mpf(1) if below(height(r) + sign * epsilon) is None else mp.mpf(-1))
        for test in tests:
            for a, b in pairwise(grid):
                if (test(a) < 0) != (test(b) < 0):
                    for _ in range(100):
                        m = (a + b) / 2
                        a, b = (m, b) if (test(m) < 0) == (test(a) < 0) else (a, m)
                    found.add(a)
        return found

    def total(part: Callable[[Real], Real], cuts: set[Real]) -> Real:
        marks = sorted({mp.mpf(0), *cuts, t, mp.mpf(1), *(mp.mpf(2) ** j for j in range(-5, 7)), mp.mpf(far)})
        weight: Callable[[Real], Real] = lambda r: r ** (d - 1) * mp.exp(-height(r)) if r else mp.mpf(0)  # noqa: E731
        return mp.fsum(mp.quad(lambda r: weight(r) * part(r), [a, b]) for a, b in pairwise(marks))

    outside = total(lambda r: 1 - within(r, height(r) + epsilon) if r else mp.mpf(0), kinks(1))
    inside = total(lambda r: within(r, height(r) - epsilon) if r else mp.mpf(0), kinks(-1))
    return (outside - mp.exp(epsilon) * inside) / total(lambda r: mp.mpf(1), set())


@pytest.mark.campaign
@pytest.mark.parametrize(("text", "d"), [("exp(-r-1/r)", 3), ("exp(-Abs(r-1))", 3), ("exp(-Abs(r-1))", 10)])
def test_a_certificate_as_narrow_as_is_promised(text: str, d: int) -> None:
    """The first rises from its centre faster than any power; of the second w is steep beside the centre of the shifted
    noise in ten dimensions."""
    found = dpverify.profile(text, dimension=d, epsilon=HALF, certificate=True)
    assert found.certificate is not None and dpverify.check(found.certificate)
    delta = found.certificate["claim"]["points"][0]["delta"]
    least, most = Fraction(delta["lower"]), Fraction(delta["upper"])
    assert most - least <= least / 10**9
    with mp.workdps(30):
        exact, shorter = (divergence(text, d, mp.mpf(t), mp.mpf(1) / 2) for t in (1, 0.75))
        assert mp.mpf(least.numerator) / least.denominator <= exact <= mp.mpf(most.numerator) / most.denominator
        assert shorter < exact


def layers(text: str, d: int) -> Layers:
    radial = RisingInSpace(Problem(lower(Generator(text, d).expression), d, Fraction(1)), None).radial()
    return Layers(radial, HALF, 12, 40, lambda: None)


@pytest.mark.parametrize("d", [2, 3, 10])
def test_a_step_from_the_centre_of_the_shifted_noise_has_a_bound(d: int) -> None:
    """At rho = s the cosine is -r/(2 s), for r as small as one likes."""
    with precision(200):
        spheres: Spheres = layers("exp(-Abs(r-1))", d).spheres
        step = spheres.steps.bounded(Fraction(1), Fraction(1, 8), Fraction(0))
        with mp.workdps(30):
            weight: Callable[[Real], Real] = lambda r: r ** (d - 1) * mp.exp(r - 1)  # noqa: E731
            exact = mp.quad(lambda r: weight(r) * (0.5 - mp.asin(r / 2) / mp.pi if d == 2 else 0.5), [0, 0.125])
        assert step.value.is_finite() and step.value.rad() < 0.05
        if d < 3:
            assert step.value.contains(arb(float(exact * mp.exp(0.5))))
        assert float(step.value.upper()) <= float(weight(mp.mpf(1) / 8) * mp.exp(0.5)) / 8 * 1.01


def test_edges_that_cannot_be_integrated_are_left_out_one_by_one() -> None:
    """As many attempts as edges: all subsets would be a million."""
    found, tried = layers("exp(-r)*(2+sin(y))", 2), list[int]()

    def refuses(a: Fraction, b: Fraction, lowest: bool, edges: Any) -> Layer:
        tried.append(len(edges))
        raise Undecided(None)  # type: ignore[arg-type]

    found._written = refuses  # type: ignore[method-assign]
    edges = [(Edge((Fraction(9) + Fraction(k, 20),), (-1) ** k), None) for k in range(20)]
    with precision(200):
        layer = found._best(Fraction(37, 4), Fraction(75, 8), False, edges)
    assert layer.edges == () and tried == list(range(20, -1, -1))


def test_edges_off_the_spheres_are_left_out_at_once() -> None:
    """On 2 < rho < 9/4 radii |x - u| run from 5/4, for all rho, to 3."""
    found, seen = layers("exp(-r)*(2+sin(y))", 2), list[Any]()

    def keeps(a: Fraction, b: Fraction, lowest: bool, edges: Any) -> Any:
        seen.append((lowest, [edge.curve[0] for edge, _ in edges]))
        return Layer(a, b, lowest, (), arb(0), arb(0))

    found._written = keeps  # type: ignore[method-assign]
    edges = [(Edge((Fraction(x, 8),), sign), None) for x, sign in ((9, 1), (12, -1), (16, 1), (25, -1))]
    found._best(Fraction(2), Fraction(9, 4), False, edges)
    assert seen == [(True, [Fraction(12, 8), Fraction(16, 8)])]


def test_strips_reach_from_one_radius_to_the_other() -> None:
    """Each begins where the last ended; what is on the wrong side costs at least its share of w."""
    found = layers("exp(-(r-2)**2)", 3)
    with precision(200):
        height = found.radial.problem.log_bounds(Fraction(2), Fraction(17, 8)) - found.level
        strip = Strip(found.radial, found.level, Fraction(2), Fraction(17, 8), arb(1), height)
        cost = strip.between(Fraction(5, 4), Fraction(3), True)
    assert [a for a, _, _ in strip.found] == [Fraction(5, 4), *(b for _, b, _ in strip.found[:-1])]
    assert strip.found[-1][1] == 3 and len(strip.found) < 40
    with mp.workdps(20):
        rho = mp.mpf(2)
        lacking: Callable[[Real], Real] = lambda r: max(0, -((r - 2) ** 2) + (rho - 2) ** 2 + 0.5)  # noqa: E731
        marks = [1.25, 2 - mp.sqrt(0.5), 2, 2 + mp.sqrt(0.5), 3]
        least = mp.quad(lambda r: (mp.exp(lacking(r)) - 1) * r / (2 * rho), marks)
    assert float(cost.upper()) >= float(least) > 0.1
    assert float(cost.upper()) <= 3 * float(least)

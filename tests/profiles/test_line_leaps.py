"""Jumps of f on the line that are not rational: against sums over the line, and forged patches refused."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import arb, fmpq

import dpverify
from dpverify.enclosures import Ball, Evaluation, Slope, precision
from dpverify.enclosures.conditions import break_polynomials
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.sections.leaps import on_line
from dpverify.kernel.sections.shifts import Slopes
from dpverify.profiles.result import Enclosed
from tests.profiles.test_layers import noise
from tests.profiles.test_must_fail import read, refusal

for section in SECTIONS:
    load_section(section)
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
ROOT = math.sqrt(2)
AWRY = "Piecewise((exp(-r), y < 2), (2*exp(-r), True))"
RADIAL: dict[str, tuple[Callable[[Array], Array], list[float]]] = {
    AWRY: (lambda r: np.exp(-r) * np.where(r * r < 2, 1, 2), [ROOT]),
    "exp(-r)*(1+floor(sqrt(2)*r))": (lambda r: np.exp(-r) * (1 + np.floor(ROOT * r)), [k / ROOT for k in range(1, 60)]),
}


def divergence(text: str, epsilon: float, t: float) -> float:
    """H(t), by Gauss's rule between the points at which f or its image jumps, cut finely."""
    f, jumps = RADIAL[text]
    ends = {0.0, t, *(s * j + c for j in jumps for s in (1, -1) for c in (0.0, t)), -45.0, 45.0}
    marks = sorted(x for x in ends if -45 <= x <= 45)
    nodes, weights = np.polynomial.legendre.leggauss(6)
    total = mass = 0.0
    for a, b in pairwise(marks):
        cuts = np.linspace(a, b, 33)
        middle, half = (cuts[1:] + cuts[:-1]) / 2, (cuts[1:] - cuts[:-1]) / 2
        x = (middle[:, None] + half[:, None] * nodes).ravel()
        w = (half[:, None] * weights).ravel()
        p = f(np.abs(x))
        mass += float(w @ p)
        total += float(w @ np.maximum(0, p - math.exp(epsilon) * f(np.abs(x - t))))
    return total / mass


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(AWRY, marks=pytest.mark.slow),
        *(
            pytest.param(x, marks=[pytest.mark.sweep, pytest.mark.campaign][: 1 + ("sqrt" in x)])
            for x in list(RADIAL)[1:]
        ),
    ],
)
def test_no_shift_has_a_larger_divergence_and_one_has_it(text: str) -> None:
    found = dpverify.profile(text, epsilon="1/2", tolerance="1/1000")
    delta = found.points[0].delta
    assert found.theorem == "Theorem E" and isinstance(delta, Enclosed)
    assert delta.upper - delta.lower <= delta.lower / 900
    values = [divergence(text, 0.5, t) for t in np.linspace(1 / 64, 1, 64)]
    assert float(delta.lower) * 0.97 <= max(values) <= float(delta.upper) * (1 + 1e-4)


def test_a_value_by_hand() -> None:
    """For AWRY at t = 1: losses of 1 - log 2 < 1/2 across the jump, of 1 elsewhere ahead, of 1 - 2 x behind."""
    whole, r = 2 * (1 + math.exp(-ROOT)), math.exp(0.5)
    ahead = (1 - math.exp(-(ROOT - 1)) + 2 * math.exp(-ROOT)) * (1 - r / math.e)
    behind = 1 - math.exp(-0.25) - r * (math.exp(-0.75) - math.exp(-1))
    assert divergence(AWRY, 0.5, 1.0) == pytest.approx((ahead + behind) / whole, rel=1e-4)
    claimed = read("rising-jump-irrational")["claim"]["points"][0]["delta"]
    assert float(Fraction(claimed["lower"])) == pytest.approx((ahead + behind) / whole, rel=1e-9)


@pytest.mark.parametrize("text", [AWRY])
def test_what_patches_change_is_bounded(text: str) -> None:
    """2 Z H of F and of F1, between two shifts, for a patch that is wide."""
    a, j, epsilon = Fraction(13, 10), Fraction(29, 20), 0.5
    _, out = on_line(noise(text, 1, "1/2"), {"jumps": [str(j)], "patches": [[str(a), str(j)]]})
    f, _ = RADIAL[text]

    def patched(r: Array) -> Array:
        return np.where((r > float(a)) & (r <= float(j)), math.exp(-1.3), f(r))

    x = np.linspace(-30, 30, 600_001)
    for t in (0.2, 0.5, 1.0):
        both = [np.maximum(0, g(np.abs(x)) - math.exp(epsilon) * g(np.abs(x - t))).sum() * 1e-4 for g in (f, patched)]
        assert abs(both[0] - both[1]) * 2 <= float(out.hi) * (1 + 1e-3)


def test_a_piece_that_reaches_into_a_patch_has_no_slopes() -> None:
    """F1 jumps where the patch ends, however smooth f is."""
    smooth, j = noise("exp(-r)", 1, "1/2"), Fraction(3, 2)
    patched, _ = on_line(smooth, {"jumps": [str(j)], "patches": [["1", str(j)]]})
    slopes = Slopes(smooth, [j], None, patched)
    assert slopes.change(Fraction(1, 2), Fraction(3, 4)).hi < 0
    with pytest.raises(Rejected, match="continuous on a piece"):
        slopes.change(Fraction(1, 2), Fraction(5, 4))


def test_patches_moved_left_out_or_for_nothing_are_refused() -> None:
    certificate = read("rising-jump-irrational")
    how = certificate["proof"]["profile"]["points"][0]
    (a, j), *others = how["patches"]
    assert not others and Fraction(a) ** 2 < 2 < Fraction(j) ** 2
    changes = [
        {"patches": []},
        {"patches": [[a, str((Fraction(a) + Fraction(j)) / 2)]]},
        {"patches": [[j, a]]},
        {"jumps": []},
        {"jumps": [a]},
        {"patches": [[str(Fraction(j) + 1), str(Fraction(j) + 2)]]},
    ]
    for change in changes:
        forged = copy.deepcopy(certificate)
        forged["proof"]["profile"]["points"][0].update(change)
        assert refusal(forged), change
    forged = copy.deepcopy(certificate)
    del forged["proof"]["profile"]["points"][0]["patches"]
    assert refusal(forged)


def box(a: Fraction, b: Fraction) -> Evaluation:
    ends = fmpq(a.numerator, a.denominator), fmpq(b.numerator, b.denominator)
    return Evaluation(Slope(Ball.between(a, b), Ball(arb(1))), Edges(ends, fmpq(0)))


def test_of_what_jumps_at_an_end_the_value_there_is_not_the_limit() -> None:
    """sqrt(2) (r - floor(r)) rises from 0.14... to 1.41... on (1/10, 1), and is 0 at 1."""
    (node,) = (
        x
        for x in break_polynomials(lower(Generator("exp(-floor(sqrt(2)*frac(r)))", 1).expression))
        if x.kind == "floor"
        and any(part.kind == "add" for part in (x.args[0], *x.args[0].args) if hasattr(part, "kind"))
    )
    with precision(160):
        assert box(Fraction(1, 10), Fraction(1)).value(node).u.x.contains(1)
        assert not box(Fraction(1, 10), Fraction(1)).value(node).u.x.is_exact()


def test_a_wide_box_that_ends_beside_a_jump_has_one_floor() -> None:
    """floor(sqrt(2) r) is 3 on (3/sqrt(2), 4/sqrt(2)), to 2^-80 at both ends, and more than that across them."""
    (node,) = break_polynomials(lower(Generator("exp(-floor(sqrt(2)*r))", 1).expression))
    unit = 2**80
    low, high = (Fraction(math.isqrt(k * k * unit * unit // 2), unit) for k in (3, 4))
    near = Fraction(1, unit)
    with precision(160):
        assert box(low + near, high).value(node).u.x == 3
        for a, b in ((low - near, high), (low + near, high + 2 * near)):
            assert not box(a, b).value(node).u.x.is_exact()

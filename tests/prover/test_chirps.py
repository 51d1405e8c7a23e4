"""Waves that run ever faster, or come to rest, beside closed forms and grids."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from dpverify import verify
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.prover.phases import phases_of
from dpverify.prover.vanishing import _differs
from tests.prover.certified import certified


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    ("text", "dimension", "sensitivity", "truth"),
    [
        ("exp(-r)*(2+sin(y))", 1, Fraction(1), 1 + math.log(3)),
        ("exp(-3*r/2)*(5+2*cos(y/3+r+1))**2", 3, Fraction(2, 3), 1 + 2 * math.log(7 / 3)),
        ("exp(-r)*(2+sin(exp(r)))", 2, Fraction(1), 1 + math.log(3)),
        ("exp(-2*r)*(3+cos(exp(r/2)))", 1, Fraction(1, 3), 2 / 3 + math.log(2)),
        ("exp(-r)*(2+sin(r**(3/2)))", 1, Fraction(1), 1 + math.log(3)),
        ("exp(-r+sin(pi*r**3)/2)", 1, Fraction(1), 2),
        ("exp(-sqrt(1+y))*(2+sin(y))", 1, Fraction(1), 1 + math.log(3)),
        pytest.param("exp(-r)*(3+sin(y)+cos(r**3))", 1, Fraction(1), 1 + math.log(5), marks=pytest.mark.campaign),
    ],
)
def test_a_chirp_loses_all_that_it_can(text: str, dimension: int, sensitivity: Fraction, truth: float) -> None:
    """Its phases here and ahead are free: the shift's loss, and the logarithm of the largest over the least wave."""
    low, high = certified(text, dimension, sensitivity)
    assert low <= truth + 1e-13
    assert truth - 1e-13 <= high


@pytest.mark.sweep
def test_a_chirp_may_lose_most_where_it_has_not_outrun_the_shift_yet() -> None:
    """(3 + cos r^3)/(1 + r)^4: the largest loss lies near the centre, and a grid finds no larger one."""
    low, high = certified("(3+cos(r**3))/(1+r)**4")
    r = np.linspace(0, 6, 40_001)[:, None]
    h = np.linspace(0, 1, 301)[None, :]

    def potential(s: np.ndarray) -> np.ndarray:
        return 4 * np.log1p(s) - np.log(3 + np.cos(s**3))  # type: ignore[no-any-return]

    seen = float(np.max(np.abs(potential(r + h) - potential(r))))
    assert seen <= high + 1e-9
    assert low <= seen + 1e-3


@pytest.mark.slow
def test_a_wave_that_comes_to_rest_has_no_phase_of_its_own() -> None:
    """sin(1/r) is a wave by its form, and no chirp: the loss is found on a grid of radii and shifts."""
    low, high = certified("exp(-r)*(2+sin(r)*sin(1/r))")
    r = np.concatenate([np.geomspace(1e-2, 1, 2000), np.linspace(1, 60, 6000)])
    log = lambda r: -r + np.log(2 + np.sin(r) * np.sin(1 / r))  # noqa: E731
    seen = max(float(np.abs(log(r) - log(r + h)).max()) for h in np.linspace(0, 1, 101)[1:])
    assert seen <= high and low - seen < 1e-4


@pytest.mark.parametrize(
    ("text", "dimension", "verdict"),
    [
        ("(3+cos(y)+sin(r))**3", 3, "invalid"),
        ("(2+cos(y))/(1+r)", 1, "invalid"),
        ("(2+cos(y))*log(2+r)", 1, "invalid"),
        ("(2+cos(y))/(1+r)**(3/2)", 2, "invalid"),
        ("(2+cos(y))/(1+r)**(3/2)", 1, "private"),  # r^(-3/2) is integrable on the line
    ],
)
def test_a_chirp_that_does_not_fade_is_no_density(text: str, dimension: int, verdict: str) -> None:
    """It lies between two positive multiples of a function whose integral is known."""
    result = verify(text, dimension=dimension, tolerance=Fraction(1, 1000))
    assert result.verdict == verdict, result.reason
    assert result.certificate is not None


@pytest.mark.parametrize(
    ("text", "dense"),
    [
        ("exp(-r)*(3+cos(y)+cos(r**3))", True),
        ("exp(-r)*(3+cos(r**r)+cos(exp(y)))", True),
        ("exp(-r)*(3+cos(r**(2**(1/2)))+cos(r**(3**(1/2))))", True),
        ("exp(-r)*(3+cos(y)+cos(y+r))", False),
        ("exp(-r)*(3+cos(r**r)+cos((1+r)**r))", False),
        ("exp(-r)*(3+cos(r**(37**(1/2)))+cos(r**(1369**(1/4))))", False),  # one wave, written in two ways
    ],
)
def test_chirps_are_free_where_one_is_known_to_outgrow_the_other(text: str, dense: bool) -> None:
    found = phases_of(lower(parse(text)))
    assert found is not None and found.torus.chirps == 2 and found.dense is dense


@pytest.mark.parametrize(("shift", "small_again"), [("2", True), ("4", True), ("1", False), ("1/2", False)])
def test_beside_floors_a_wave_comes_back_after_two_half_turns(shift: str, small_again: bool) -> None:
    phases = phases_of(lower(parse("exp(-r)*(1+cos(pi*r))*(2+floor(sqrt(2)*r)-sqrt(2)*r)")))
    assert phases is not None and phases.torus.turns
    (wave,) = (node for node in phases.torus.waves if node.kind == "cos")
    assert _differs(phases, [(fmpq(1), wave)], Fraction(shift)) is not small_again

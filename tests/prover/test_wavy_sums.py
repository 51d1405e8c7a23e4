"""Sums of chirps, lines and decaying waves, beside a plain search over radii and shifts."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from dpverify import verify
from dpverify.enclosures.nodes import Node, add, mul, num, power, same
from dpverify.prover.common import with_common_factors

RADIUS = Node("r")


@pytest.mark.campaign
def test_a_chirp_beside_a_wave_that_decays() -> None:
    """A sum whose logarithm is taken by its value, and whose increment is taken from its two sides."""
    result = verify("exp(-r)*(3+cos(y)+sin(r)/(1+r))", dimension=3)
    assert result.verdict == "private"
    assert result.epsilon is not None
    r = np.linspace(0, 12, 60_001)[1:]

    def potential(r: np.ndarray) -> np.ndarray:
        return r - np.log(3 + np.cos(r * r) + np.sin(r) / (1 + r))

    found = max(float(np.max(np.abs(potential(r + h) - potential(r)))) for h in np.linspace(0.01, 1, 100))
    assert found <= result.epsilon.upper
    assert result.epsilon.lower < found + 0.002


@pytest.mark.slow
def test_what_is_multiplied_by_nothing_is_nothing() -> None:
    """A product with 0 is 0 once its factors are shown to have values."""
    result = verify("exp(-r)*(2+0*log(1+floor(r)))")
    assert result.verdict == "private"
    assert result.epsilon is not None
    assert result.epsilon.lower <= 1 <= result.epsilon.upper
    assert verify("exp(-r)*(2+0*log(floor(r)))").verdict != "private"


def test_a_deep_nest_of_sums_is_read_once() -> None:
    """Each sum is looked at once, not once for every sum around it: of sixty that would never end."""
    node = num(1)
    for _ in range(60):
        node = add(Node("log", add(mul(RADIUS, node), num(2))), num(1))
    assert with_common_factors(node) is node


def test_what_is_shared_is_taken_out_inside_what_is_shared() -> None:
    """e^-r (1/(1+r) + cos(r)/(1+r)) + e^-r: first e^-r, then 1/(1+r)."""
    decay, heavy = Node("exp", mul(num(-1), RADIUS)), power(add(num(1), RADIUS), fmpq(-1))
    inner = add(heavy, mul(heavy, Node("cos", RADIUS, False)))
    found = with_common_factors(add(mul(decay, inner), decay))
    expected = mul(decay, add(mul(heavy, add(num(1), Node("cos", RADIUS, False))), num(1)))
    assert same(found, expected)

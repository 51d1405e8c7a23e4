"""dp_accounting's numbers beside certificates: where they lie, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify.errors import InputError
from dpverify.export.beside import beside

GALLERY = Path(__file__).parents[2] / "certificates"


class Constant:
    """As a PrivacyLossDistribution that says the same everywhere."""

    def __init__(self, delta: float) -> None:
        self.delta = delta

    def get_delta_for_epsilon(self, epsilon: float) -> float:
        return self.delta


@pytest.mark.slow
@pytest.mark.parametrize(("delta", "place"), [(0.126, "below"), (0.1269367375, "below"), (0.127, "above")])
def test_where_a_value_lies(delta: float, place: str) -> None:
    """The exact value is 0.12693673750664394580."""
    (point,) = beside(GALLERY / "profiles" / "gaussian-d1.json", Constant(delta))
    assert point.place == place and point.epsilon == 1 and place in str(point)
    assert beside(GALLERY / "profiles" / "gaussian-d1.json", Constant(0.12693673750664395))[0].place == "inside"


@pytest.mark.slow
def test_an_event_of_dp_accounting() -> None:
    """Sixteen Gaussians with sigma = 2, whose composition the gallery certifies; a grid that is coarser is looser."""
    dp_accounting = pytest.importorskip("dp_accounting")
    event: Any = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(2.0), 16)
    first = beside(GALLERY / "composition" / "gaussians-16-times.json", event)[0]
    assert first.place == "inside" and abs(Fraction(first.theirs) - first.upper) < first.upper


@pytest.mark.slow
def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="of an epsilon"):
        beside(GALLERY / "laplace-d1.json", Constant(0))
    with pytest.raises(InputError, match="does not hold"):
        beside((GALLERY / "laplace-d1.json").read_bytes().replace(b'"1"', b'"2"'), Constant(0))
    pytest.importorskip("dp_accounting")
    with pytest.raises(InputError, match="DpEvent"):
        beside(GALLERY / "profiles" / "gaussian-d1.json", 3)

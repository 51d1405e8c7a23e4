"""dp_accounting's numbers beside certificates: where they lie, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dpverify.cli.app import app
from dpverify.errors import InputError
from dpverify.export.beside import beside, event_of

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
def test_at_the_shell() -> None:
    """A sigma that is a hundredth larger has a smaller delta than is proved, and a smaller one a larger delta."""
    pytest.importorskip("dp_accounting")
    file = str(GALLERY / "profiles" / "gaussian-d1.json")
    for sigma, status, place in (("1.01", 1, "below"), ("0.99", 0, "above")):
        done = CliRunner().invoke(
            app, ["check", file, "--json", "--beside", f"GaussianDpEvent({sigma})"], standalone_mode=False
        )
        assert done.return_value == status
        (point,) = json.loads(done.output)[0]["beside"]
        assert point["place"] == place and point["epsilon"] == "1"
    done = CliRunner().invoke(app, ["check", file, "--beside", "GaussianDpEvent(1.01)"], standalone_mode=False)
    assert done.return_value == 1 and "lies below ours" in " ".join(done.output.split())


def test_events_are_read_and_no_code_is_run() -> None:
    dp_event = pytest.importorskip("dp_accounting").dp_event
    events = (
        dp_event.GaussianDpEvent(2.5),
        dp_event.SelfComposedDpEvent(dp_event.LaplaceDpEvent(1), 3),
        dp_event.ComposedDpEvent([dp_event.GaussianDpEvent(1e3), dp_event.NoOpDpEvent()]),
        dp_event.PoissonSampledDpEvent(0.25, dp_event.GaussianDpEvent(1.0)),
    )
    for event in events:
        assert event_of(str(event)) == event
    refused = (
        "",
        "3",
        "GaussianDpEvent",
        "GaussianDpEvent()",
        "open('x')",
        "GaussianDpEvent(__import__('os'))",
        "attr(1)",
    )
    for text in (
        *refused,
        "dp_event.GaussianDpEvent(1.0)",
        "[GaussianDpEvent(1.0)]",
        "(" * 10_000,
        "GaussianDpEvent(True)",
    ):
        with pytest.raises(InputError, match="writes no DpEvent down"):
            event_of(text)


@pytest.mark.slow
def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="of an epsilon"):
        beside(GALLERY / "laplace-d1.json", Constant(0))
    with pytest.raises(InputError, match="does not hold"):
        beside((GALLERY / "laplace-d1.json").read_bytes().replace(b'"1"', b'"2"'), Constant(0))
    pytest.importorskip("dp_accounting")
    with pytest.raises(InputError, match="DpEvent"):
        beside(GALLERY / "profiles" / "gaussian-d1.json", 3)
    with pytest.raises(InputError, match="no distribution"):
        beside(GALLERY / "profiles" / "gaussian-d1.json", event_of("UnsupportedDpEvent()"))

"""What every mechanism promises: one set of manners, privacy that says what it rests on, nothing read off the data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpverify import mechanisms
from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import IN_FLOATS, Mechanism
from tests.mechanisms.every import EVERY, Instance, instance

READS_DATA = {"EmpiricalMean"}
"""The mechanism of Hall's Section 5.3, whose scale is a sample quantile, as it says."""
NAMES = [pytest.param(name, marks=pytest.mark.slow if each.dear else ()) for name, each in EVERY.items()]


def test_none_is_left_out() -> None:
    classes = {name for name in mechanisms.__all__ if isinstance(getattr(mechanisms, name), type)}
    made = {name for name in classes if issubclass(getattr(mechanisms, name), Mechanism)} - {"Mechanism"}
    assert made == {name.split(",")[0] for name in EVERY}


def flat(value: Any) -> np.ndarray:
    """What was released, as numbers."""
    return np.ravel(np.asarray(value, dtype=float))


class Frame:
    """What NumPy asks of a data frame."""

    def __init__(self, rows: Any) -> None:
        self.rows = np.asarray(rows)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.rows.astype(dtype) if dtype is not None else self.rows


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize("name", NAMES)
def test_a_release_is_one_of_an_array_or_a_frame_and_says_how_it_was_drawn(name: str) -> None:
    mechanism, (data, _) = instance(name), EVERY[name].pair(np.random.default_rng(1))
    once, again = (mechanism.release(data, random_state=7) for _ in range(2))
    assert np.array_equal(flat(once.value), flat(again.value))
    assert np.array_equal(flat(once.value), flat(mechanism.release(Frame(data), random_state=7).value))
    from_generator = mechanism.release(data, random_state=np.random.default_rng(7))
    assert np.array_equal(flat(once.value), flat(from_generator.value))
    assert mechanism.fit(data) is not None
    assert (once.drawn == "in floats") == (IN_FLOATS in once.privacy.assumes)


@pytest.mark.sampled(stay=7)
@pytest.mark.parametrize("name", NAMES)
def test_privacy_says_what_is_proved(name: str) -> None:
    mechanism = instance(name)
    privacy = mechanism.privacy
    assert privacy.epsilon == 1 and privacy.delta == mechanism.delta
    assert (privacy.certificate is not None or privacy.status) and privacy.neighbours and privacy.sensitivity
    if privacy.enclosed is not None:
        assert 0 < privacy.enclosed.lower <= privacy.enclosed.upper <= privacy.delta


def frozen(mechanism: Any) -> str:
    """All that a mechanism has fixed: numbers, arrays and what is made of them."""
    parts = []
    for key, value in sorted(vars(mechanism).items()):
        if isinstance(value, np.ndarray):
            parts.append(f"{key} {value.tobytes().hex()}")
        elif isinstance(value, (int, float, str, tuple, Fraction, list)):
            parts.append(f"{key} {value}")
    return "\n".join([*parts, str(getattr(mechanism, "scale", "")), str(getattr(mechanism, "lattice", ""))])


CUT = (
    "GeometricCount",
    "MinimaxCount",
    "Margins, minimax",
    "Histogram, sparse",
    "Random",
    "Principal",
    "StronglyConvex",
)
"""Where an output is cut off, mixed, or drawn from a density that the data shape, as is said: no noise is added."""


def added(mechanism: Any, data: Any) -> np.ndarray:
    """What a release with one seed adds to what it would be without noise."""
    centre = mechanism.fit(data)
    if callable(centre):
        centre = centre(mechanism.points)
    return flat(mechanism.release(data, random_state=2).value) - flat(centre)


@pytest.mark.sampled(stay=7)
@pytest.mark.parametrize("name", NAMES)
def test_neighbours_never_change_lattice_clip_bandwidth_or_scale(name: str) -> None:
    """Nothing is kept of the data, and one seed adds the same noise to neighbours, but for the lattice."""
    each, rng = EVERY[name], np.random.default_rng(3)
    mechanism = instance(name)
    mechanism.release(each.pair(rng)[0], random_state=1)
    before = frozen(mechanism)
    for _ in range(2):
        one, two = each.pair(rng)
        for data in (one, two):
            assert mechanism.release(data, random_state=2).privacy == mechanism.privacy
            assert frozen(mechanism) == before
        if name.split(",")[0] in READS_DATA:
            assert "read off the data" in mechanism.privacy.sensitivity
        elif not name.startswith(CUT):
            first, second = added(mechanism, one), added(mechanism, two)
            assert np.abs(first - second).max() <= 4e-3 * max(1e-9, np.abs(first).max())


AUDITED = [
    pytest.param(name, marks=pytest.mark.campaign if "plane" in name and "Orbitope" in name else pytest.mark.slow)
    for name in EVERY
]


@pytest.mark.swept(stay=12)
@pytest.mark.parametrize("name", AUDITED)
def test_the_worst_pair_passes_the_audit(name: str) -> None:
    mechanism = instance(name)
    one, two = mechanism.worst_pair()
    size = 200 if EVERY[name].dear else 1000
    source = Audited(samples=size, function=mechanism.samples, neighbours=(one, two))
    report = audit(source, claim=1, delta=mechanism.delta, seed=1)
    assert report.verdict != "violated" and report.epsilon_lower <= 1


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize("name", [name for name in EVERY if name != "PrivateFunction"])  # whose user reads the data
def test_what_cannot_be_used_is_refused_in_one_line(name: str) -> None:
    each: Instance = EVERY[name]
    mechanism = instance(name)
    block = np.zeros((2, 2, 2))
    texts = [["x", "y"], ["z", "w"]], [], [[np.nan] * 3] * each.records, block
    for wrong in (block,) if name.startswith("Histogram") else texts:  # labels may be anything: those of no cell go
        with pytest.raises(InputError) as caught:
            mechanism.release(wrong, random_state=1)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


UTILITY = ("risk", "noise_error", "failure")


def test_each_says_how_good_it_is() -> None:
    for name in EVERY:
        mechanism = instance(name)
        assert any(hasattr(mechanism, word) for word in UTILITY) or name.startswith("PrincipalSubspace"), name

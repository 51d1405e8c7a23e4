"""`assert_private`: what it fails, what it does not, the same way each time; adapters that it takes."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import yaml

from dpverify.audit import Mechanism, audit, testing
from dpverify.audit.adapters import diffprivlib_sampler, each, sampler_of
from dpverify.audit.outcomes import outcomes
from dpverify.audit.testing import assert_private
from dpverify.errors import InputError
from dpverify.pytest_plugin import assert_private_fixture  # noqa: F401
from tests.audit import mechanisms

ACTION = Path(__file__).parents[2] / "docs" / "action" / "action.yml"


def noisy(value: float, size: int, rng: np.random.Generator) -> object:
    return np.round((value + rng.laplace(size=size)) * 2**20) / 2**20


@pytest.mark.slow
def test_a_private_mechanism_passes_and_a_false_claim_fails_the_same_way_each_time() -> None:
    reports = [assert_private(noisy, 1) for _ in range(2)]
    assert reports[0].to_json() == reports[1].to_json()
    assert 0.6 < reports[0].epsilon_lower <= 1
    told = []
    for _ in range(2):
        with pytest.raises(AssertionError, match=r"not \(1/2, 0\)-private: the law") as failed:
            assert_private(noisy, "1/2", seed=3)
        told.append(str(failed.value))
    assert told[0] == told[1]
    assert "1e-06 at most" in told[0]


@pytest.mark.slow
def test_leaks_fail_and_may_be_left_aside() -> None:
    def leaking(value: float, size: int, rng: np.random.Generator) -> object:
        return value + rng.laplace(size=size)

    with pytest.raises(AssertionError, match="the bits"):
        assert_private(leaking, 1)
    assert assert_private(leaking, 1, leaks=False).verdict == "consistent"


@pytest.mark.slow
def test_a_function_of_the_input_alone_is_a_mechanism() -> None:
    chance = random.Random(5)  # with a seed: nothing here hangs on the run

    def answer(truth: bool) -> bool:
        return truth if chance.random() < 0.75 else not truth

    assert assert_private(answer, 1.1, neighbours=(True, False), samples=3000).epsilon_lower > 0.7
    with pytest.raises(AssertionError):
        assert_private(answer, 0.7, neighbours=(True, False))
    with pytest.raises(InputError, match="cannot be called"):
        sampler_of(5)
    assert each(len)([1, 2], 3, np.random.default_rng()) == [2, 2, 2]


class Frame:
    """What pandas and polars have in common."""

    def __init__(self, rows: object) -> None:
        self.rows = rows

    def to_numpy(self) -> object:
        return np.asarray(self.rows)


@pytest.mark.slow
def test_frames_go_in_and_come_out() -> None:
    def totals(frame: Frame, size: int, rng: np.random.Generator) -> list[Frame]:
        exact = np.asarray(frame.rows).sum(axis=0)
        return [Frame(mechanisms.snapped(exact + rng.laplace(size=2))) for _ in range(size)]

    assert outcomes([Frame([[1, 2], [3, 4]])] * 3).dimension == 4
    report = assert_private(totals, 1, neighbours=(Frame([[1, 0]]), Frame([[1, 0], [0, 1]])), samples=3000)
    assert report.verdict == "consistent"
    assert report.epsilon_lower > 0.4


def test_pytest_has_the_fixture(assert_private: object) -> None:
    assert assert_private is testing.assert_private
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'dpverify = "dpverify.pytest_plugin"' in text


def test_the_action_gives_its_inputs_to_the_command_as_data() -> None:
    action = yaml.safe_load(ACTION.read_text())
    assert action["runs"]["using"] == "composite"
    script = action["runs"]["steps"][0]
    assert "${{" not in script["run"], "an input in the text of a script is run as code"
    assert set(script["env"]) == {name.upper() for name in action["inputs"]}


ONE = np.zeros(1), np.ones(1)
SCALAR = [
    ("GaussianDiscrete", {"delta": 0.01}, 0.01),
    ("Geometric", {}, 0),
    ("GeometricFolded", {"lower": 0, "upper": 5}, 0),
    ("GeometricTruncated", {"lower": 0, "upper": 5}, 0),
    ("Snapping", {"lower": -10, "upper": 10}, 0),
]
REAL = [
    ("Gaussian", {"delta": 0.01}, 0.01),
    ("GaussianAnalytic", {"delta": 0.01}, 0.01),
    ("Laplace", {}, 0),
    ("LaplaceBoundedDomain", {"lower": 0, "upper": 3}, 0),
    ("LaplaceBoundedNoise", {"delta": 0.01}, 0.01),
    ("LaplaceFolded", {"lower": 0, "upper": 3}, 0),
    ("LaplaceTruncated", {"lower": 0, "upper": 3}, 0),
    ("Staircase", {}, 0),
]


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "options", "delta"), SCALAR + REAL, ids=lambda v: v if isinstance(v, str) else "")
def test_diffprivlibs_mechanisms_of_numbers_have_the_law_that_they_claim(
    name: str, options: dict[str, object], delta: float
) -> None:
    made = pytest.importorskip("diffprivlib.mechanisms")
    mechanism = getattr(made, name)(epsilon=1, sensitivity=1, **options)
    report = assert_private(mechanism, 1, delta, neighbours=ONE, samples=2000, leaks=False)
    assert report.verdict in ("consistent", "inconclusive")


@pytest.mark.sweep
@pytest.mark.filterwarnings("ignore")
def test_diffprivlibs_other_mechanisms() -> None:
    made = pytest.importorskip("diffprivlib.mechanisms")
    binary = made.Binary(epsilon=1, value0="a", value1="b")
    assert 0.5 < assert_private(binary, 1, neighbours=("a", "b"), samples=2000).epsilon_lower <= 1
    rooms = made.ExponentialHierarchical(epsilon=1, hierarchy=[["a", "b"], ["c", "d"]])
    assert assert_private(rooms, 1, neighbours=("a", "c"), samples=2000).epsilon_lower > 0.3
    pairs = made.ExponentialCategorical(epsilon=1, utility_list=[["a", "b", 1], ["a", "c", 2], ["b", "c", 2]])
    assert_private(pairs, 1, neighbours=("a", "b"), samples=2000)
    turned = made.Bingham(epsilon=1)
    assert_private(turned, 1, neighbours=(np.diag([1.0, 0.0]), np.diag([0.0, 1.0])), samples=200)
    uniform = made.Uniform(delta=0.1, sensitivity=1)
    assert_private(uniform, 0, 0.1, neighbours=ONE, samples=2000, leaks=False)
    vector = made.Vector(epsilon=1, function_sensitivity=1, dimension=2)
    assert_private(vector, 1, neighbours=(lambda x: 0.0, lambda x: 0.0), samples=200)
    for kind in (made.Exponential, made.PermuteAndFlip):
        inputs = tuple(
            lambda utility=utility, kind=kind: kind(
                epsilon=1, sensitivity=1, utility=utility, candidates=["x", "y", "z"]
            )
            for utility in ([0, 1, 2], [1, 0, 1])
        )
        source = Mechanism(20_000, diffprivlib_sampler(), neighbours=inputs)  # its random numbers have no seed
        report = audit(source, claim=1, confidence=1 - 1e-6, seed=0)
        assert report.verdict == "consistent"
        assert 0.2 < report.epsilon_lower <= 1

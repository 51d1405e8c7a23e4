"""Histograms, thresholds and margins: privacy, closed-form risks, and that nothing is chosen by the data."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest

from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import InputError
from dpverify.mechanisms import Histogram, Margins
from dpverify.mechanisms.hall import sparse_bound, sparse_risk, threshold


def test_records_are_counted_and_those_of_no_cell_left_out() -> None:
    cells = [(a, b) for a in "xy" for b in (0, 1)]
    histogram = Histogram(cells, epsilon=1)
    assert histogram.fit([["x", 0], ["y", 1], ["y", 1], ["q", 3]]).tolist() == [1, 0, 0, 2]
    assert Histogram(range(3), epsilon=1).fit(np.array([2, 2, 0, 7])).tolist() == [1, 0, 2]
    assert Histogram("ab", epsilon=1).fit(["a", "b", "b"]).tolist() == [1, 2]


class Frame:
    """What NumPy sees of a data frame."""

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return np.array([["x"], ["y"], ["x"]], dtype=object)


def test_a_data_frame_of_one_column_is_a_column_of_labels() -> None:
    assert Histogram("xy", epsilon=1).fit(Frame()).tolist() == [2, 1]


@pytest.mark.parametrize("given", [None, "sparse", 3])
def test_the_risk_in_closed_form_is_that_of_the_releases(given: object) -> None:
    histogram = Histogram(range(64), epsilon=1, noise="laplace", threshold=given)
    counts = np.repeat([0.0, 1, 3, 20], [42, 12, 6, 4])
    rng = np.random.default_rng(1)
    errors = np.array([np.abs(histogram.noisy(counts, rng) - counts).sum() for _ in range(1500)])
    assert abs(errors.mean() - histogram.risk(counts)) < 5 * errors.std() / 1500**0.5


def test_the_threshold_and_the_bounds_of_the_risk() -> None:
    assert threshold(64, 1) == pytest.approx(2 * log(64))
    histogram = Histogram(range(64), epsilon=1, noise="laplace", threshold="sparse")
    for occupied, count in ((1, 1), (5, 8), (22, 3), (64, 1)):
        counts = np.zeros(64)
        counts[:occupied] = count
        assert histogram.risk(counts) < sparse_risk(64, occupied, 1)
    assert sparse_bound(64, 1, 1.0) == 0 and 0 < sparse_bound(10**6, 10, 0.5) < sparse_risk(10**6, 10, 0.5)


@pytest.mark.slow
def test_geometric_noise_has_less_risk_than_laplace_noise() -> None:
    whole, real = Histogram(range(5), epsilon=1), Histogram(range(5), epsilon=1, noise="laplace")
    errors = [np.abs(whole.noisy(np.zeros(5), s)).sum() for s in range(2000)]
    assert abs(np.mean(errors) - whole.risk(np.zeros(5))) < 5 * np.std(errors) / 2000**0.5
    assert whole.risk(np.zeros(5)) < real.risk(np.zeros(5)) == 10


@pytest.mark.parametrize(
    "mechanism",
    [
        Histogram("abc", epsilon=1),
        Histogram("abc", epsilon=1, noise="laplace"),
        Margins(3, epsilon=1),
        Margins(3, epsilon=1, noise="cube"),
    ],
)
def test_neighbours_get_the_same_noise_on_the_same_lattice(mechanism: Histogram | Margins) -> None:
    one, two = mechanism.worst_pair()
    before = dict(vars(mechanism))
    moved = mechanism.release(one, random_state=3).value - mechanism.release(two, random_state=3).value
    assert np.abs(moved - (mechanism.fit(one) - mechanism.fit(two))).max() < 1e-5
    assert vars(mechanism) == before


def test_the_threshold_does_not_follow_the_data() -> None:
    histogram = Histogram(range(8), epsilon=1, threshold="sparse")
    tau = histogram.threshold
    for data in ([0], [0] * 1000, list(range(8)) * 50):
        histogram.release(data, random_state=1)
        assert histogram.threshold == tau == pytest.approx(2 * log(8))


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism",
    [
        Histogram("abc", epsilon=1),
        Histogram("abc", epsilon=1, noise="laplace", threshold="sparse"),
        Margins(3, epsilon=1),
        Margins(3, epsilon=1, noise="cube"),
        Margins(2, 4, epsilon=1, noise="minimax"),
    ],
)
def test_the_worst_pair_passes_the_audit(mechanism: Histogram | Margins) -> None:
    report = audit(Audited(1500, mechanism.samples, neighbours=mechanism.worst_pair()), claim=1, seed=1)
    assert report.verdict == "consistent" and report.epsilon_lower > 0.2


@pytest.mark.slow
def test_noise_at_epsilon_in_each_cell_is_too_weak() -> None:
    """As if moving a record changed one cell: the loss is 2 epsilon."""
    wrong = Histogram("ab", epsilon=4, noise="laplace")
    found = audit(Audited(4000, wrong.samples, neighbours=wrong.worst_pair()), claim=2, seed=1)
    assert found.verdict == "violated"


def test_the_cube_halves_the_risk_of_the_margins() -> None:
    k = 20
    cube, geometric = Margins(k, epsilon=1, noise="cube"), Margins(k, epsilon=1)
    assert cube.risk == Fraction(k * (k + 1), 2) and float(geometric.risk) == pytest.approx(k**2, rel=1e-2)
    rows = np.zeros((1, k))
    errors = np.abs(cube.samples(rows, 3000, np.random.default_rng(1))).sum(axis=1)
    assert abs(errors.mean() - float(cube.risk)) < 5 * errors.std() / 3000**0.5


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Histogram([], epsilon=1), "cells"),
        (lambda: Histogram("aa", epsilon=1), "twice"),
        (lambda: Histogram("ab", epsilon=1, noise="gaussian"), "noise"),
        (lambda: Histogram("ab", epsilon=1, threshold=-1), "threshold"),
        (lambda: Histogram("ab", epsilon=1, threshold="few"), "threshold"),
        (lambda: Histogram("ab", epsilon=1, threshold=1).risk([0, 0]), "Laplace"),
        (lambda: Margins(0, epsilon=1), "attributes"),
        (lambda: Margins(2, epsilon=1, noise="minimax"), "records"),
        (lambda: Margins(2, 5, epsilon=1), "records"),
        (lambda: Margins(2, epsilon=1, noise="sphere"), "noise"),
        (lambda: Margins(2, epsilon=1).release([[0, 2]]), "neither"),
        (lambda: Margins(2, 3, epsilon=1, noise="minimax").release([[0, 1]]), "records"),
    ],
)
def test_what_cannot_be_released_is_refused_in_one_line(build: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as refusal:
        build()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)

"""Private principal components: what the data may change, what is promised, what an audit sees."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest

from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import InputError
from dpverify.mechanisms import PrincipalSubspace
from dpverify.mechanisms.components.bases import fourier, gaussian_kernel
from dpverify.mechanisms.components.bingham import bingham
from dpverify.mechanisms.components.subspaces import explained, leading, projection, subspace_norm, variance_ratio
from dpverify.mechanisms.mechanism import IN_FLOATS
from dpverify.mechanisms.near import delta_of_a_chain, mixing


def records(n: int = 200, m: int = 6, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, m)) / np.arange(1, m + 1)


def test_a_record_changes_the_objective_by_one_at_most_and_no_other_record_at_all() -> None:
    """Neighbours, one of them far beyond the bound: scale and clip stay as they are."""
    mechanism = PrincipalSubspace(6, 2, epsilon=1, bound=2)
    data = records()
    for length in (0.0, 1.0, 1e6):
        other = data.copy()
        other[0] = length * np.eye(6)[3]
        same = mechanism.bounded(data)[1:] == mechanism.bounded(other)[1:]
        assert same.all()
        difference = mechanism.matrix(data) - mechanism.matrix(other)
        values = np.linalg.eigvalsh(difference)
        highest, lowest = values[-2:].clip(0).sum(), values[:2].clip(max=0).sum()  # over all projections of rank 2
        assert max(highest, -lowest) <= 0.5 * (1 + 1e-12)  # eps/2 times 1
    assert np.linalg.norm(mechanism.bounded(1e9 * data), axis=1) == pytest.approx(1)


def test_scaling_by_the_data_s_own_largest_norm_would_change_it_by_much_more() -> None:
    one = np.tile([1.0, 0.0], (50, 1))
    other = one.copy()
    other[0] = [0.0, 10.0]
    moved = [(rows / np.linalg.norm(rows, axis=1).max())[:, 0] ** 2 for rows in (one, other)]
    assert moved[0].sum() - moved[1].sum() > 49


def test_measures_of_performance() -> None:
    data = records()
    best = leading(data, 2)
    assert variance_ratio(data, best) == pytest.approx(1) == explained(data, best)
    assert subspace_norm(data, best) == pytest.approx(0)
    worst = np.linalg.eigh(data.T @ data)[1][:, :2]
    assert subspace_norm(data, worst) == pytest.approx(2)
    assert variance_ratio(data, worst) == pytest.approx(
        (np.linalg.svd(data)[1][-2:] ** 4).sum() / (np.linalg.svd(data)[1][:2] ** 4).sum()
    )
    # as printed, with the records as columns
    p, q = projection(worst), projection(best)
    printed = np.linalg.norm(data @ p @ data.T) ** 2 / np.linalg.norm(data @ q @ data.T) ** 2
    assert variance_ratio(data, worst) == pytest.approx(printed)


def test_a_release_is_a_subspace_that_a_large_budget_finds() -> None:
    data = records(2000)
    for base in (None, np.arange(1.0, 7) ** -3):
        release = PrincipalSubspace(6, 2, epsilon=1000, base=base, bound=5, sweeps=50).release(data, random_state=1)
        assert release.value.shape == (6, 2) and np.allclose(release.value.T @ release.value, np.eye(2), atol=1e-5)
        assert subspace_norm(np.asarray(data), release.value) < 0.05
        assert release.drawn == "in floats"


def test_privacy_says_what_is_assumed_of_the_chain() -> None:
    exact = PrincipalSubspace(4, 1, epsilon=1)
    assert exact.exact and exact.privacy.assumes == (IN_FLOATS,) and exact.privacy.delta == 0
    chain = PrincipalSubspace(4, 2, epsilon=1, total_variation="1e-6")
    assert chain.privacy.assumes and 0 <= float(chain.privacy.delta) / ((1 + exp(1)) * 1e-6) - 1 < 1e-12
    assert delta_of_a_chain(Fraction(1), Fraction(1)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"components": 4}, "components"),
        ({"components": 1, "bound": 0}, "bound"),
        ({"components": 1, "base": [1.0, 2.0]}, "base"),
        ({"components": 1, "base": [1.0, 1.0, 1.0, -1.0]}, "positive definite"),
        ({"components": 1, "base": [1.0, 1.0, 1.0, 1e-12]}, "fewer functions"),
        ({"components": 1, "sweeps": 0}, "sweeps"),
        ({"components": 1, "total_variation": 2}, "total variation"),
    ],
)
def test_what_is_no_mechanism_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        PrincipalSubspace(4, epsilon=1, **arguments)


def test_bases_are_orthonormal_and_know_no_data() -> None:
    for basis in (fourier(np.arange(100) / 100, 40), gaussian_kernel(np.linspace(1, 18, 31), 5)):
        gram = (basis.values * basis.weights) @ basis.values.T
        assert np.allclose(gram, np.eye(len(gram)), atol=1e-8)
        assert np.allclose(basis.coefficients(basis.curves(np.eye(len(gram)))), np.eye(len(gram)), atol=1e-8)
    assert np.allclose(np.diff(np.sign(basis.eigenvalues)), 0)
    assert 0.99 <= basis.eigenvalues.sum() + 1e-9 <= 1 and basis.eigenvalues[:4].sum() <= 0.99


def test_diagnostics_tell_a_mixed_chain_from_one_that_is_not() -> None:
    pytest.importorskip("arviz_stats")
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(4, 500))
    found = mixing({"mixed": noise, "apart": noise + np.arange(4)[:, None], "walk": noise.cumsum(axis=1)})
    assert found["mixed"]["r_hat"] < 1.01 and 1500 < found["mixed"]["effective"] < 2500
    assert found["apart"]["r_hat"] > 1.5 and found["walk"]["effective"] < 100
    with pytest.raises(InputError, match="chains"):
        mixing({"one": noise[:1]})


@pytest.mark.slow
def test_the_sampler_mixes_within_its_sweeps() -> None:
    pytest.importorskip("arviz_stats")
    mechanism = PrincipalSubspace(6, 2, epsilon=1, base=np.arange(1.0, 7) ** -3, bound=3, sweeps=500)
    for numbers in mechanism.diagnostics(records(), random_state=0).values():
        assert numbers["r_hat"] < 1.05 and numbers["effective"] > 50


def printed_rescaling(data: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Section 6.1 as it reads: the data's own largest norm, and Delta = 1 all the same; epsilon = 1, m = 2, k = 1."""
    rows = np.asarray(data) / np.linalg.norm(data, axis=1).max()
    z = bingham(np.broadcast_to(rows.T @ rows / 2, (size, 2, 2)), rng)
    return z[:, :1] ** 2


@pytest.mark.slow
@pytest.mark.parametrize("base", [None, (1.0, 0.1)])
def test_the_worst_pair_passes_an_audit(base: tuple[float, float] | None) -> None:
    mechanism = PrincipalSubspace(2, 1, epsilon=3, base=base, sweeps=10)
    report = audit(Audited(4000, mechanism.samples, neighbours=mechanism.worst_pair()), claim=3, seed=1)
    assert report.verdict == "consistent" and report.epsilon_lower > 0.8


@pytest.mark.slow
def test_an_audit_catches_the_printed_rescaling() -> None:
    one = np.tile([1.0, 0.0], (20, 1))
    other = one.copy()
    other[0] = [0.0, 10.0]
    report = audit(Audited(4000, printed_rescaling, neighbours=(one, other)), claim=1, seed=1)
    assert report.verdict == "violated"
    mechanism = PrincipalSubspace(2, 1, epsilon=1)
    report = audit(Audited(4000, mechanism.samples, neighbours=(one, other)), claim=1, seed=1)
    assert report.verdict != "violated"

"""The Gibbs sampler and releases on 10,000 records, as ratios to their goals in one run: `make bench-mechanisms`.

Seconds of processor time. An effective draw is ArviZ's, of the functional that mixes slowest among the two that the
measures of performance look at and the one that the base measure does.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from arviz_stats.base import array_stats

from dpverify.mechanisms import PrincipalSubspace, StronglyConvexRisk
from dpverify.mechanisms.components.stiefel import Gibbs
from dpverify.mechanisms.strongly_convex import logistic, mean

M, K, N, CHAINS, SWEEPS, WARM = 100, 3, 500, 4, 250, 50
EFFECTIVE, SECONDS, RELEASE = 1000, 60.0, 2.0


def records(n: int, m: int) -> np.ndarray:
    """Records in the unit ball with a decaying spectrum."""
    rows = np.random.default_rng(0).normal(size=(n, m)) / np.arange(1, m + 1)
    return rows / np.linalg.norm(rows, axis=1).max()


def gibbs(base: np.ndarray | None) -> None:
    """Seconds for 1,000 effective draws at p = 100, k = 3."""
    mechanism = PrincipalSubspace(M, K, epsilon=1, base=base)
    data = records(N, M)
    a, best = mechanism.matrix(data), mechanism.fit(data)
    sampler = Gibbs(a, K, mechanism.inverse, CHAINS, np.random.default_rng(1))
    sampler.run(WARM)
    started = time.process_time()
    kept = np.array(list(sampler.sweeps(SWEEPS)))
    took = time.process_time() - started
    values = {
        "tr V'AV": np.einsum("tcmk,mn,tcnk->ct", kept, a, kept),
        "agreement": ((np.swapaxes(kept, 2, 3) @ best) ** 2).sum(axis=(2, 3)).T,
    }
    if mechanism.inverse is not None:
        values["log det V'C^-1 V"] = np.linalg.slogdet(np.swapaxes(kept, 2, 3) @ mechanism.inverse @ kept)[1].T
    effective = min(float(array_stats.ess(rows, chain_axis=0, draw_axis=1)) for rows in values.values())
    needed = took * EFFECTIVE / effective
    name = "uniform base" if base is None else "base C_ii = i^-3"
    print(f"  Gibbs, p = {M}, k = {K}, {name:<18} {needed:6.1f} s  {SECONDS / needed:5.1f} times the goal", flush=True)


def release(name: str, once: Callable[[], object]) -> None:
    """Seconds of one release."""
    started = time.process_time()
    once()
    took = time.process_time() - started
    print(f"  {name:<44} {took:6.2f} s  {RELEASE / took:5.1f} times the goal", flush=True)


def main() -> None:
    """All of it, in about a minute."""
    gibbs(None)
    gibbs(np.arange(1.0, M + 1) ** -3)
    many, state = records(10_000, 40), 1
    subspace = PrincipalSubspace(40, 1, epsilon=1)
    release("one component, exact, n = 10,000, m = 40", lambda: subspace.release(many, random_state=state))
    chained = PrincipalSubspace(40, 1, epsilon=1, base=np.arange(1.0, 41) ** -3)
    release("one component, 500 sweeps, n = 10,000", lambda: chained.release(many, random_state=state))
    few = many[:, :3]
    centre = StronglyConvexRisk(mean(3), epsilon=1)
    release("mean, n = 10,000, p = 3", lambda: centre.release(few, random_state=state))
    labelled = np.column_stack([few, np.sign(few[:, 0])])
    classifier = StronglyConvexRisk(logistic(3), epsilon=1)
    release("logistic, n = 10,000, p = 3", lambda: classifier.release(labelled, random_state=state))


if __name__ == "__main__":
    main()

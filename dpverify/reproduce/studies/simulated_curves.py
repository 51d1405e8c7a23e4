"""The curves of Section 6.1 of Awan and others (2019), and one repetition of what is done with them."""

from __future__ import annotations

import numpy as np

from dpverify.mechanisms.components.bases import Basis, fourier
from dpverify.mechanisms.components.principal_components import PrincipalSubspace
from dpverify.mechanisms.mechanism import Array

POINTS, TRUE, KEPT = 100, 21, 40
FOURTH = 1.5
"""What is added to the weight 1/16 of the fourth function: "additional weights were placed on the fourth term"."""
BOUND = 1
"""Of the norm of a curve in the 40-dimensional space; public: the mean square there is about 0.76."""
NOTES = (
    (
        "The paper does not print the weight that it adds to the fourth function, the mean function, nor whether 0.1 "
        "is a variance: here the added weight is 3/2, the mean is 0, and 0.1 is the variance."
    ),
    (
        "The paper re-scales each scenario so that all norms are below 1, which looks at the data. Here curves are "
        "clipped to the public norm 1."
    ),
    "The span has the law of Theorem 4.2, with the factor det(V'C^-1 V)^(-m/2), not that of the display in Section 5.",
)


def basis() -> Basis:
    """40 Fourier functions on 100 points of [0, 1), C_ii = i^-3."""
    return fourier(np.arange(POINTS) / POINTS, KEPT)


def weights() -> Array:
    """Of the 21 true components: 1/j^2, and more on the fourth."""
    found = 1 / np.arange(1, TRUE + 1, dtype=np.float64) ** 2
    found[3] += FOURTH
    return found


def curves(n: int, rng: np.random.Generator) -> Array:
    """X_i(t) = sum_j w_j U_ij u_j(t) + noise, n x 100: U_ij from N(0, 1/10), noise from N(0, 1) at each point."""
    scores = rng.normal(0, 0.1**0.5, (n, TRUE)) * weights()
    return scores @ basis().values[:TRUE] + rng.normal(size=(n, POINTS))


def mechanism(epsilon: float, sweeps: int = 400) -> PrincipalSubspace:
    """One private component of such curves."""
    return PrincipalSubspace(KEPT, 1, epsilon=epsilon, bound=BOUND, base=basis().eigenvalues, sweeps=sweeps)

"""Kernel density estimates, released as functions: in the Gaussian kernel's own space, or in a Sobolev space.

f_D(x) = 1/(n (2 pi h^2)^(d/2)) sum exp(-||x - x_i||^2/(2 h^2)). Records may lie anywhere: no bound is needed, since the
kernel is bounded. n, h and gamma are fixed beforehand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.functions.functions import Function, FunctionRelease, whole
from dpverify.mechanisms.functions.kernels import ExponentialKernel, GaussianKernel, Kernel
from dpverify.mechanisms.mechanism import Array, positive, table
from dpverify.mechanisms.sensitivities import density_sensitivity

BLOCK = 1 << 22


class _Density(FunctionRelease):
    """What both have in common: f_D, and a pair of data sets."""

    def __init__(self, kernel: Kernel, bandwidth: Any, records: int, points: Any, about: tuple[str, str], **level: Any):
        self.bandwidth = positive(bandwidth, "bandwidth")
        self.records = whole(records, "records")
        self._bump = GaussianKernel(self.bandwidth)
        super().__init__(kernel, points, *about, **level)

    def fit(self, data: Any) -> Function:
        rows = table(data, "data", self.dimension)
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records; the noise was set for {self.records}")
        height = 1 / (self.records * (2 * np.pi * float(self.bandwidth) ** 2) ** (self.dimension / 2))

        def density(x: Array) -> Array:
            step = max(1, BLOCK // len(rows))
            sums = [self._bump(x[i : i + step], rows).sum(axis=1) for i in range(0, len(x), step)]
            return height * np.concatenate(sums)

        return density

    def _pair(self, moved: Array) -> tuple[Array, Array]:
        data = np.tile(self.points[0], (self.records, 1))
        other = data.copy()
        other[-1] = moved
        return data, other


class KernelDensity(_Density):
    """A Gaussian kernel density estimate in the space of its own kernel (Hall 2012, Section 3.3.1).

    Delta = sqrt(2)/(n (2 pi h^2)^(d/2)), the supremum, approached by records far apart
    (claim hall-2012:section-3.3.1-sensitivity).

    Args:
        bandwidth: h, exact, not from the data.
        records: n, public.
        points: where the batch is evaluated, in any dimension d.
        epsilon, delta: what is promised.

    >>> grid = [0, 1/4, 1/2, 3/4, 1]
    >>> kde = KernelDensity("1/10", 100, grid, epsilon=1, delta="1/10")
    >>> kde.release([0.5] * 100, random_state=1).value.shape
    (5,)
    """

    def __init__(self, bandwidth: Any, records: int, points: Any, *, epsilon: Any, delta: Any) -> None:
        h, n = positive(bandwidth, "bandwidth"), whole(records, "records")
        d = table(points, "points").shape[1]
        about = density_sensitivity(n, h, d), "sqrt(2)/(n (2 pi h^2)^(d/2)) in H(K), the supremum"
        super().__init__(GaussianKernel(h), h, n, points, about, epsilon=epsilon, delta=delta)

    def worst_pair(self) -> tuple[Array, Array]:
        """All records at one point of the grid, and the last at the farthest from it."""
        far = np.argmax(np.linalg.norm(self.points - self.points[0], axis=1))
        return self._pair(self.points[far])


class SobolevDensity(_Density):
    """The same estimate on [0, 1], in H^1 with kernel `exp(-gamma |x - y|)` (Hall 2012, Section 3.3.2).

    The difference g of two bumps has, by (3.7),

    `||g||^2 <= M^2 + (1/(2 gamma)) ((1 + 2 e^(-3/2))/(2 sqrt(pi) h^3) + gamma^2/(sqrt(pi) h))`, M = 1/(h sqrt(2 pi)),

    for `|g| <= M`, and over all of R the integrals of g'^2 and g^2 are largest for bumps sqrt(6) h apart and far apart:
    a bound, and not the supremum. The path of the noise is rough, and the bound larger than in the space of K.

    Args:
        bandwidth: h, exact, not from the data.
        gamma: of the kernel of the noise.
        records: n, public.
        points: in [0, 1].
        epsilon, delta: what is promised.
    """

    claim = "hall-2012:equation-3.7"

    def __init__(self, bandwidth: Any, gamma: Any, records: int, points: Any, *, epsilon: Any, delta: Any) -> None:
        h, g, n = positive(bandwidth, "bandwidth"), positive(gamma, "gamma"), whole(records, "records")
        grid = table(points, "points", 1)
        if not ((grid >= 0) & (grid <= 1)).all():
            raise InputError("points: the norm (3.7) is that of functions on [0, 1]")
        slopes = f"(1 + 2*exp(-3/2))/(2*sqrt(pi)*({h})**3)"
        norm = f"1/(2*pi*({h})**2) + ({slopes} + ({g})**2/(sqrt(pi)*({h})))/(2*({g}))"
        about = f"sqrt({norm})/{n}", "a bound of the difference of two bumps in the norm (3.7), over n"
        super().__init__(ExponentialKernel(g), h, n, grid, about, epsilon=epsilon, delta=delta)

    def worst_pair(self) -> tuple[Array, Array]:
        """Two bumps sqrt(6) bandwidths apart, where their slopes differ most, or as far as the grid goes."""
        away = self.points[0] + np.sqrt(6) * float(self.bandwidth)
        return self._pair(np.minimum(away, self.points.max(axis=0)))

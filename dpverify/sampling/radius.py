"""The law of the radius for any generator: a table of its distribution, inverted by cubic pieces.

The radius has a density proportional to r^(d-1) f(r^2). In s = log r that is h(s) = exp(d s - g(e^s)),
whose tails fall at least exponentially wherever the density exists, so one finite stretch of s holds
all but a share exp(-60) of the mass. Cells of it are halved until two quadratures agree and the cubic
that inverts the distribution function meets it at the middle; keys are logarithms of the mass beyond,
counted from the nearer end, so that both tails keep their relative accuracy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpverify.errors import InputError
from dpverify.sampling.density import Array

FURTHEST = 345.0  # |log r|: beyond, r^2 is no float
STEP = 1 / 16
DEPTH = 60.0  # what lies exp(-60) below the mode is cut off
ACCURACY = 1e-11
NEGLIGIBLE = 1e-15
ROUNDS = 60
MAX_CELLS = 200_000
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True)
class RadialLaw:
    """The law of R = the length of X where X has a density proportional to f(x'x) on R^d.

    `log_normaliser` is the logarithm of the integral of r^(d-1) f(r^2) over r > 0.
    """

    log_normaliser: float
    edges: Array
    """Cells in u, the distribution function: edges[0] = 0, edges[-1] = 1."""
    pieces: Array
    """Six numbers a cell: the two keys, the two values of s, the two slopes ds/dkey times the key's width."""
    split: int
    """Cells before this one are keyed by log u, the others by log(1 - u)."""

    @classmethod
    def of(cls, log_f: Callable[[Array], Array], dimension: int) -> RadialLaw:
        """Tabulate the law; raises InputError where f is no density that floats can hold."""
        return _tabulate(lambda s: dimension * s + log_f(np.exp(2 * s)))

    def quantile(self, u: Array) -> Array:
        """The radius below which lies the share u, for u in (0, 1)."""
        cell = np.clip(np.searchsorted(self.edges, u, side="right") - 1, 0, len(self.pieces) - 1)
        key = np.where(cell < self.split, np.log(u), np.log1p(-u))
        return self._radius(cell, key)

    def rvs(self, size: int, rng: np.random.Generator) -> Array:
        """Independent radii."""
        u = rng.random(size) + 2.0**-54
        return self.quantile(u)

    def _radius(self, cell: NDArray[np.intp], key: Array) -> Array:
        k0, k1, s0, s1, m0, m1 = self.pieces[cell].T
        return np.exp(_hermite(np.clip((key - k0) / (k1 - k0), 0.0, 1.0), s0, s1, m0, m1))


def _hermite(t: Array, s0: Array, s1: Array, m0: Array, m1: Array) -> Array:
    rise = s1 - s0
    return s0 + t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)))


def _tabulate(log_h: Callable[[Array], Array]) -> RadialLaw:
    low, high, mode, top = _support(log_h)

    def h(s: Array) -> Array:
        return np.exp(log_h(s) - top)

    ends = np.unique(np.concatenate([np.linspace(low, high, 65), [mode]]))
    for _ in range(ROUNDS):
        left, right = ends[:-1], ends[1:]
        middle = (left + right) / 2
        whole, halves = _masses(h, left, right), (_masses(h, left, middle), _masses(h, middle, right))
        mass = halves[0] + halves[1]
        total = float(mass.sum())
        rough = np.abs(whole - mass) > ACCURACY * mass + NEGLIGIBLE * total
        law = _assemble(h, ends, mass, top, total)
        rough |= law.misses(middle, halves[0])
        rough &= (mass > NEGLIGIBLE * total) & (middle > left) & (middle < right)
        if not rough.any() or len(ends) > MAX_CELLS:
            return law.finished()
        ends = np.sort(np.concatenate([ends, middle[rough]]))
    return law.finished()


def _masses(h: Callable[[Array], Array], left: Array, right: Array) -> Array:
    half = (right - left) / 2
    nodes = ((left + right) / 2)[:, None] + half[:, None] * NODES
    return np.asarray(h(nodes) @ WEIGHTS * half)


@dataclass(frozen=True)
class _Draft:
    """A table still being refined: cells that carry mass, and the mass from the nearer end to each edge."""

    kept: NDArray[np.bool_]
    below: Array
    above: Array
    density: Array  # h(middle)
    pieces: Array
    split: int
    log_normaliser: float

    def misses(self, middle: Array, first_half: Array) -> NDArray[np.bool_]:
        """Where the inverse, asked for the middle of a cell, lands too far from it."""
        lower = np.arange(len(middle)) < self.split
        whole_half = np.where(lower, first_half, -first_half)
        start = np.where(lower, self.below[:-1], self.above[:-1])
        with np.errstate(all="ignore"):
            beyond = start + whole_half + self.below[-1] * np.exp(-DEPTH)
            k0, k1, s0, s1, m0, m1 = self.pieces.T
            found = _hermite((np.log(beyond / self.below[-1]) - k0) / (k1 - k0), s0, s1, m0, m1)
            return ~(np.abs(found - middle) * self.density <= ACCURACY * beyond)

    def finished(self) -> RadialLaw:
        total = self.below[-1]
        edges = np.append(self.below[:-1][self.kept], total) / total
        split = int(np.count_nonzero(self.kept[: self.split]))
        return RadialLaw(self.log_normaliser, edges, self.pieces[self.kept], split)


def _assemble(h: Callable[[Array], Array], ends: Array, mass: Array, top: float, total: float) -> _Draft:
    below = np.concatenate([[0.0], np.cumsum(mass)])
    above = np.concatenate([np.cumsum(mass[::-1])[::-1], [0.0]])
    split = int(np.searchsorted(below, total / 2))
    lower = np.arange(len(mass)) < split
    tiny = total * np.exp(-DEPTH)
    near, far = (np.where(lower, below[i], above[i]) + tiny for i in (slice(None, -1), slice(1, None)))
    k0, k1 = np.log(near / total), np.log(far / total)
    s0, s1 = ends[:-1], ends[1:]
    at_ends = h(np.stack([s0 + (s1 - s0) * 1e-9, s1 - (s1 - s0) * 1e-9]))
    direction = np.where(lower, 1.0, -1.0)
    with np.errstate(all="ignore"):
        slopes = direction * np.stack([near, far]) / at_ends * (k1 - k0)
    rise = s1 - s0
    # Fritsch and Carlson (1980): slopes from 0 to 3 secants keep a cubic monotone
    slopes = np.clip(np.nan_to_num(slopes, nan=0.0, posinf=np.inf), 0.0, 3 * rise)
    pieces = np.stack([k0, k1, s0, s1, slopes[0], slopes[1]], axis=1)
    return _Draft(
        kept=(mass > 0) & (k1 != k0),
        below=below,
        above=above,
        density=h((s0 + s1) / 2),
        pieces=pieces,
        split=split,
        log_normaliser=float(top + np.log(total)),
    )


def _support(log_h: Callable[[Array], Array]) -> tuple[float, float, float, float]:
    """Where h is not negligible, its mode, and log h there."""
    grid = np.arange(-FURTHEST, FURTHEST + STEP, STEP)
    found = log_h(grid)
    if not np.any(found > -np.inf):
        raise InputError("the generator is zero or undefined at every radius: there is nothing to sample")
    mode = float(grid[np.nanargmax(found)])
    width = STEP
    for _ in range(12):  # a high dimension makes h narrower than the grid
        near = np.linspace(mode - width, mode + width, 65)
        mode, width = float(near[np.nanargmax(log_h(near))]), width / 16
    top = float(log_h(np.array([mode]))[0])
    if not np.isfinite(top):
        raise InputError(f"the generator is infinite at r = {np.exp(mode):.3g}: it cannot be sampled")
    heavy = grid[found > top - DEPTH]
    low, high = (float(min(mode, *heavy, mode)) - STEP, float(max(mode, *heavy, mode)) + STEP)
    for end, edge, where in ((low, -FURTHEST, "at the centre"), (high, FURTHEST, "in the tail")):
        if abs(mode - edge) < 1 or (abs(end - edge) < 2 * STEP and log_h(np.array([edge]))[0] > top - 36):
            raise InputError(f"f(x'x) has no finite integral {where} that floating point can hold: not sampled")
    within = log_h(np.linspace(low, high, 4097))
    if np.isnan(within).any():
        raise InputError("the generator is negative or undefined at some radius: it is no density")
    return low, high, mode, top

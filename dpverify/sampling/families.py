"""Exact samplers of the catalogue's families, each from its own representation.

Two kinds: X = sqrt(W) Z with Z Gaussian (a scale mixture), and X = R U with U uniform on the sphere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.sampling.density import Array

Draw = Callable[[int, np.random.Generator], Array]


@dataclass(frozen=True, slots=True)
class Mixture:
    """X = V Z; `factor` draws V, and None stands for V = 1."""

    factor: Draw | None


@dataclass(frozen=True, slots=True)
class Radial:
    """X = R U; `radius` draws R."""

    radius: Draw


def _positive(generator: Generator, name: str, at_least: float = 0.0) -> float:
    value = float(generator.parameters[name])
    if not value > at_least:
        raise InputError(f"{name} = {value:g} gives no density here: it must be above {at_least:g}")
    return value


def _gaussian(generator: Generator) -> Mixture:
    return Mixture(None)


def _inverse_chi(degrees: float, size: float) -> Mixture:
    """V = sqrt(size / chi^2)."""
    return Mixture(lambda n, rng: np.sqrt(size / (2 * rng.standard_gamma(degrees / 2, n))))


def _student_t(generator: Generator) -> Mixture:
    nu = _positive(generator, "nu")
    return _inverse_chi(nu, nu)


def _pearson_vii(generator: Generator) -> Mixture:
    d = generator.dimension
    return _inverse_chi(2 * _positive(generator, "m", d / 2) - d, 1.0)


def _multivariate_laplace(generator: Generator) -> Mixture:
    return Mixture(lambda n, rng: np.sqrt(rng.standard_exponential(n)))


def _generalised_inverse_gaussian(order: float, psi: float) -> Mixture:
    """W with density w^(order-1) exp(-(1/w + psi w)/2): then f is (1+y)^(p/2) K_p(sqrt(psi (1+y))), p = order - d/2."""
    from scipy import stats

    root = float(np.sqrt(psi))
    return Mixture(lambda n, rng: np.sqrt(stats.geninvgauss.rvs(order, root, size=n, random_state=rng) / root))


def _hyperbolic(generator: Generator) -> Mixture:
    return _generalised_inverse_gaussian((generator.dimension + 1) / 2, _positive(generator, "alpha") ** 2)


def _generalized_hyperbolic(generator: Generator) -> Mixture:
    return _generalised_inverse_gaussian(float(generator.parameters["p"]) + generator.dimension / 2, 1.0)


def _laplace(generator: Generator) -> Radial:
    return Radial(lambda n, rng: rng.standard_gamma(generator.dimension, n))


def _power_exponential(generator: Generator) -> Radial:
    beta = _positive(generator, "beta")
    return Radial(lambda n, rng: rng.standard_gamma(generator.dimension / (2 * beta), n) ** (1 / (2 * beta)))


def _matern(generator: Generator) -> Radial:
    """r^(d-1) (1 + r) exp(-r): Gamma(d) and Gamma(d+1), with weights 1 and d."""
    d = generator.dimension

    def radius(n: int, rng: np.random.Generator) -> Array:
        return rng.standard_gamma(d + (rng.random(n) * (d + 1) < d))

    return Radial(radius)


def _sech(generator: Generator) -> Radial:
    """1/cosh r = 2 exp(-r)/(1 + exp(-2r)): Gamma(d), kept with probability 1/(1 + exp(-2r)) >= 1/2."""
    d = generator.dimension

    def radius(n: int, rng: np.random.Generator) -> Array:
        kept: list[Array] = []
        missing = n
        while missing > 0:
            r = rng.standard_gamma(d, missing + 16)
            r = r[rng.random(len(r)) * (1 + np.exp(-2 * r)) < 1][:missing]
            kept.append(r)
            missing -= len(r)
        return np.concatenate(kept) if kept else np.empty(0)

    return Radial(radius)


SAMPLERS: dict[str, Callable[[Generator], Mixture | Radial]] = {
    "gaussian": _gaussian,
    "student_t": _student_t,
    "cauchy": lambda generator: _inverse_chi(1.0, 1.0),
    "pearson_vii": _pearson_vii,
    "multivariate_laplace": _multivariate_laplace,
    "hyperbolic": _hyperbolic,
    "generalized_hyperbolic": _generalized_hyperbolic,
    "laplace": _laplace,
    "power_exponential": _power_exponential,
    "matern": _matern,
    "sech": _sech,
}


def representation(generator: Generator) -> Mixture | Radial | None:
    """The exact representation of a catalogue family, None for any other generator."""
    make = SAMPLERS.get(generator.family.name) if generator.family is not None else None
    return make(generator) if make is not None else None

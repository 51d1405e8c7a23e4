"""The law of X at scale 1 as a recipe: X = V Z, a scale mixture of normals, or X = R U, U uniform on the sphere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.generators.catalogue import Family, families
from dpverify.sampling.exact.direction import direction, normals
from dpverify.sampling.exact.draw import Draw, Real
from dpverify.sampling.exact.gamma import Gamma, exponential

Number = Callable[[Draw], Real]
MOST = 100_000
"""Gamma variables of a larger shape are left to the envelope."""


class Law(Protocol):
    """A recipe for X in R^d with density proportional to f(x'x)."""

    def sample(self, at: Draw) -> list[Real]: ...


@dataclass(frozen=True, slots=True)
class Mixture:
    """X = V Z with Z normal in R^d, independent of V; None stands for V = 1."""

    dimension: int
    factor: Number | None

    def sample(self, at: Draw) -> list[Real]:
        if self.factor is None:
            return normals(at, self.dimension)
        v = self.factor(at)
        return [v * z for z in normals(at, self.dimension)]


@dataclass(frozen=True, slots=True)
class Radial:
    """X = R U with U uniform on the sphere, independent of R, whose density is proportional to r^(d-1) f(r^2)."""

    dimension: int
    radius: Number

    def sample(self, at: Draw) -> list[Real]:
        r = self.radius(at)
        return [r * u for u in direction(at, self.dimension)]


def _above(generator: Generator, name: str, least: Fraction) -> Fraction:
    value = generator.parameters[name]
    if not value > least:
        raise InputError(f"{name} = {value} gives no density here: it must be above {least}")
    return value


def _inverse_chi(generator: Generator, degrees: Fraction, size: Fraction) -> Law:
    """V^2 = size / chi^2, chi^2 twice a Gamma(degrees / 2): then f is (1 + y/size)^(-(degrees + d)/2)."""

    half, gamma = size / 2, Gamma(degrees / 2)

    def factor(at: Draw) -> Real:
        return (at.number(half) / gamma(at)).sqrt()

    return Mixture(generator.dimension, factor)


def _student_t(generator: Generator) -> Law:
    nu = _above(generator, "nu", Fraction(0))
    return _inverse_chi(generator, nu, nu)


def _cauchy(generator: Generator) -> Law:
    return _inverse_chi(generator, Fraction(1), Fraction(1))


def _pearson_vii(generator: Generator) -> Law:
    d = generator.dimension
    return _inverse_chi(generator, 2 * _above(generator, "m", Fraction(d, 2)) - d, Fraction(1))


def _gaussian(generator: Generator) -> Law:
    return Mixture(generator.dimension, None)


def _multivariate_laplace(generator: Generator) -> Law:
    """V^2 exponential."""
    return Mixture(generator.dimension, lambda at: exponential(at).sqrt())


def _laplace(generator: Generator) -> Law:
    return Radial(generator.dimension, Gamma(Fraction(generator.dimension)))


def _power_exponential(generator: Generator) -> Law:
    """R^(2 beta) is Gamma(d / (2 beta))."""
    d, beta = generator.dimension, _above(generator, "beta", Fraction(0))
    gamma = Gamma(d / (2 * beta))
    return Radial(d, lambda at: at.power(gamma(at), 1 / (2 * beta)))


def _matern(generator: Generator) -> Law:
    """r^(d-1) (1 + r) e^(-r): Gamma(d) and Gamma(d + 1), with weights 1 and d."""
    d = generator.dimension
    fewer, more = Gamma(Fraction(d)), Gamma(Fraction(d + 1))

    def radius(at: Draw) -> Real:
        return more(at) if at.below(at.uniform() * (d + 1), d) else fewer(at)

    return Radial(d, radius)


def _sech(generator: Generator) -> Law:
    """1/cosh r = 2 e^(-r) / (1 + e^(-2r)): Gamma(d), kept with probability 1/(1 + e^(-2r)) >= 1/2."""
    gamma = Gamma(Fraction(generator.dimension))

    def radius(at: Draw) -> Real:
        while True:
            r = gamma(at)
            if at.below(at.uniform() * ((r * -2).exp() + 1), 1):
                return r

    return Radial(generator.dimension, radius)


RECIPES: dict[str, Callable[[Generator], Law]] = {
    "gaussian": _gaussian,
    "student_t": _student_t,
    "cauchy": _cauchy,
    "pearson_vii": _pearson_vii,
    "multivariate_laplace": _multivariate_laplace,
    "laplace": _laplace,
    "power_exponential": _power_exponential,
    "matern": _matern,
    "sech": _sech,
}
"""The families that are drawn by known sums and ratios; any other generator by its envelope."""


def family_of(generator: Generator) -> Family | None:
    """The family whose text this is: a certificate holds a family's text, not its name."""
    if generator.family is not None:
        return generator.family
    return next((f for f in families().values() if f.text == generator.text), None)


def known_law(generator: Generator) -> Law | None:
    """The recipe of a family with known sums or ratios; raises InputError where it is no density."""
    family = family_of(generator)
    if family is None or family.name not in RECIPES:
        return None
    if family.name == "power_exponential" and 0 < generator.parameters["beta"] < Fraction(generator.dimension, MOST):
        return None
    return RECIPES[family.name](generator)

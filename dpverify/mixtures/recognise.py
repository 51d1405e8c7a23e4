"""Closed forms of f_d for mixing laws in normal form, each by a named lemma.

All are the one integral over w of w^(q-1) exp(-a w - B/w), or of w^n exp(-B w), with B = b + y/2:
put w = v^2, or w = 1/v^2, in the integral of v^(k-d) exp(-a v^2 - b/v^2 - y/(2 v^2)) over v. Factors
common to all terms, (2 pi)^(-d/2) among them, are dropped: they change no loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import Expression, text_of
from dpverify.language.expression import Number
from dpverify.language.simplify import make_power, make_product, number
from dpverify.mixtures.canonical import EVERYWHERE, ONE, NotCanonical, Term, canonical
from dpverify.mixtures.constants import sign
from dpverify.mixtures.law import Atoms, Mixing

LARGEST_ORDER = 100
LONGEST_SERIES = 20

DISCRETE = (
    "scale mixture: for V = s_i with probability proportional to w_i, f_d(y) is proportional to the sum of "
    "w_i s_i^(-d) exp(-y/(2 s_i^2)), by the definition of the expectation"
)
STUDENT = (
    "scale mixture: for V^2 inverse gamma, V of density v^(-nu-1) exp(-b/v^2), nu > 0, b > 0, f_d(y) is proportional "
    "to (1 + y/(2b))^(-(nu+d)/2) (the gamma integral DLMF 5.9.1 in 1/v^2; Andrews and Mallows 1974)"
)
BESSEL = (
    "scale mixture: for V of density v^k exp(-a v^2 - b/v^2), a > 0, b >= 0, and y + 2b > 0, f_d(y) is proportional to "
    "(y + 2b)^(q/2) K_q(sqrt(2a (y + 2b))), q = (k+1-d)/2 (DLMF 10.32.10 in v^2; Barndorff-Nielsen 1977)"
)
TRUNCATED = (
    "scale mixture: for V of density v^k exp(-b/v^2) on an interval, f_d(y) is proportional to the integral of "
    "w^n exp(-(b + y/2) w), n = (d-k-3)/2, over w = 1/v^2 (DLMF 8.4.7, 8.4.8)"
)
LINEARITY = "scale mixture: f_d is linear in the mixing density, here a sum of terms with their constants"


@dataclass(frozen=True, slots=True)
class Recognised:
    """The name of a mixing law, f_d as a generator, and the lemmas by which it is one."""

    law: str
    generator: Generator
    lemmas: tuple[str, ...]


def recognise(mixing: Mixing, dimension: int) -> Recognised | None:
    """f_d as a formula of the language, where a lemma gives it; None elsewhere."""
    try:
        if isinstance(mixing.law, Atoms):
            return Recognised("finite discrete", Generator(_gaussians(mixing.law), dimension), (DISCRETE,))
        terms = canonical(mixing.law.expression)
        return _single(terms[0], dimension) if len(terms) == 1 else _several(terms, dimension)
    except (NotCanonical, InputError):
        return None


def _gaussians(atoms: Atoms) -> str:
    terms = []
    for weight, value in atoms.pairs:
        spread = make_product(number(2), make_power(value, number(2)))
        height = "" if value == ONE else f"{text_of(value)}**(-d)*"
        terms.append(f"{_times(weight)}{height}exp(-y/{text_of(spread)})")
    return " + ".join(terms)


def _times(factor: Expression) -> str:
    return "" if factor == ONE else f"{text_of(factor)}*"


def _several(terms: Sequence[Term], dimension: int) -> Recognised | None:
    """The sum of the terms' generators, with their constants."""
    if not terms:
        return None
    parts = [_with_constant(term, dimension) for term in terms]
    lemmas = dict.fromkeys(lemma for _, lemma in parts)
    law = f"sum of {len(terms)} terms v^k exp(-a v^2 - b/v^2)"
    if any(t.interval != EVERYWHERE for t in terms):
        law += " on intervals"
    return Recognised(law, Generator(" + ".join(text for text, _ in parts), dimension), (LINEARITY, *lemmas))


def _single(term: Term, dimension: int) -> Recognised | None:
    """A known family, without its constant: the catalogue's own where the scale is the standard one."""
    if sign(term.factor) != 1:
        raise NotCanonical
    if term.interval != EVERYWHERE:
        text, lemma = _truncated(term, dimension)
        return Recognised("power law on an interval", Generator(text, dimension), (lemma,))
    a, b = _rates(term)
    k = term.power
    order = (k + 1 - dimension) / 2
    if sign(a) == 0:
        nu, twice = -k - 1, make_product(number(2), b)
        if sign(b) != 1 or nu <= 0:
            raise NotCanonical
        law = "inverse gamma V^2 (Student t)"
        if twice == number(nu):
            return Recognised(law, Generator("student_t", dimension, parameters={"nu": nu}), (STUDENT,))
        text = f"(1+y/{text_of(twice)})**(-({nu}+d)/2)"
        return Recognised(law, Generator(text, dimension), (STUDENT,))
    _check_order(order)
    if sign(b) == 0:
        law = "exponential V^2 (multivariate Laplace)" if k == 1 else "gamma V^2 (variance gamma)"
        if k == 1 and a == number(1):
            return Recognised(law, Generator("multivariate_laplace", dimension), (BESSEL,))
        return Recognised(law, Generator(_bessel("y", order, _twice(a)), dimension), (BESSEL,))
    law = "generalised inverse Gaussian V^2 (generalised hyperbolic)"
    if _twice(a) == _twice(b) == "1":
        return Recognised(law, Generator("generalized_hyperbolic", dimension, parameters={"p": order}), (BESSEL,))
    return Recognised(law, Generator(_bessel(f"(y+{_twice(b)})", order, _twice(a)), dimension), (BESSEL,))


def _rates(term: Term) -> tuple[Expression, Expression]:
    """a and b, both proved to be zero or positive."""
    a, b = term.rate(2), term.rate(-2)
    if sign(a) not in (0, 1) or sign(b) not in (0, 1):
        raise NotCanonical
    return a, b


def _check_order(order: Fraction) -> None:
    if abs(order) > LARGEST_ORDER:
        raise NotCanonical


def _twice(rate: Expression) -> str:
    return text_of(make_product(number(2), rate))


def _bessel(u: str, order: Fraction, rate: str) -> str:
    """u^(q/2) K_q(sqrt(rate u)), K being even in its order."""
    front = f"{u}**({order / 2})*" if order else ""
    inside = u if rate == "1" else f"{rate}*{u}"
    return f"{front}besselk({abs(order)}, sqrt({inside}))"


def _with_constant(term: Term, dimension: int) -> tuple[str, str]:
    """The integral of v^(k-d) exp(-a v^2 - B/v^2) over the term's interval, times its factor; and its lemma."""
    if term.interval != EVERYWHERE:
        return _truncated(term, dimension)
    a, b = _rates(term)
    q = (term.power + 1 - dimension) / 2
    shifted = "(y/2)" if sign(b) == 0 else f"(y/2+{text_of(b)})"
    if sign(a) == 0:
        if q >= 0:
            raise NotCanonical
        return f"{_times(term.factor)}gamma({-q})/2*{shifted}**({q})", STUDENT
    _check_order(q)
    scale = make_power(a, number(-q / 2)) if q and a != ONE else ONE
    constant = _times(make_product(term.factor, scale))
    front = f"{shifted}**({q / 2})*" if q else ""
    return f"{constant}{front}besselk({abs(q)}, 2*sqrt({_times(a)}{shifted}))", BESSEL


def _truncated(term: Term, dimension: int) -> tuple[str, str]:
    """Half the integral of w^n exp(-B w) from w = 1/high^2 to 1/low^2, n a whole number, times the factor."""
    a, b = _rates(term)
    n = (dimension - term.power - 3) / 2
    if sign(a) != 0 or n.denominator != 1 or not 0 <= n <= LONGEST_SERIES:
        raise NotCanonical
    low, high = term.interval
    rate = "(y/2)" if sign(b) == 0 else f"(y/2+{text_of(b)})"
    whole = _upper_gamma(int(n), rate, Fraction(0) if high is None else 1 / high**2)
    if low > 0:
        whole = f"({whole} - {_upper_gamma(int(n), rate, 1 / low**2)})"
    return f"{_times(term.factor)}{whole}/2", TRUNCATED


def _upper_gamma(n: int, rate: str, start: Fraction) -> str:
    """The integral of w^n exp(-B w) over w >= start: exp(-B start) times a polynomial in 1/B."""
    if start == 0:
        return f"{factorial(n)}/{rate}**{n + 1}"
    weights = [Fraction(factorial(n), factorial(j)) * start**j for j in range(n + 1)]
    series = " + ".join(f"{text_of(Number(c))}/{rate}**{n + 1 - j}" for j, c in enumerate(weights))
    decay = rate if start == 1 else f"{rate}*{text_of(Number(start))}"
    return f"exp(-{decay})*({series})"

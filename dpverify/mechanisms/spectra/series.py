"""Whether a series of terms a(n) >= 0 converges, decided exactly, and its sum enclosed.

Far out a(t) is a model: monomials e^(sum -k t^p) t^a (log t)^b ... with exact exponents, and a remainder that holds on
all of [N, oo). Where a falls there, the series converges with the integral of a (Cauchy), which the exponents decide;
where a does not fall it diverges. The first N - 1 terms are added in balls, and what follows N lies

- for powers, between Hurwitz zeta functions: sum of n^-s over n >= N is zeta(s, N);
- where -p >= t a'/a >= -q on [N, oo), between a(N) sum (N/n)^q and a(N) sum (N/n)^p;
- for t^-1 (log t)^-b and t^-1 (log t)^-1 (log log t)^-b, b > 1, between integrals that are known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.germ import Exponents, Rate, coefficient
from dpverify.enclosures import Undecided, precision
from dpverify.enclosures.irrational import Irrational
from dpverify.findings import Part, Reason
from dpverify.prover.charts import integral_converges

BITS = 160
ORDER = 8
STARTS = (2, 3, 4, 8, 16, 32, 64, 128, 256, 1024, 4096)
FINER = (32, 256, 2048)
TIGHT = arb("1e-12")
STEEP = fmpq(100)


@dataclass(frozen=True, slots=True)
class Terms:
    """a(n), as the squares of something that may have either sign.

    `at(n)` is a ball; `log(germ)` the Slope of log a, None where a = 0 throughout; `value(germ)` the model of a.
    """

    at: Callable[[int], arb]
    log: Callable[[Germ], Any]
    value: Callable[[Germ], Model]


@dataclass(frozen=True, slots=True)
class Summed:
    """Whether the series converges, its sum where it does, and how its terms behave."""

    converges: bool
    total: arb | None
    like: str


def summed(terms: Terms, enclosed: bool = True) -> Summed:
    """Decide the series and, if asked, enclose its sum; raises Undecided with what was too close to call."""
    with precision(BITS):
        start, log = _decided(terms)
        first = _head(terms, start)  # which refuses terms without a value, also where the rest decides
        if log is None:
            return Summed(True, first, "0")
        rising = log.du.span().low >= 0
        like = _like(terms, start)
        if rising or not integral_converges(log.u, 1):
            return Summed(False, None, like)
        if not enclosed:
            return Summed(True, None, like)
        best: arb | None = None
        for n in (start, *(n for n in FINER if n > start)):
            try:
                total = _head(terms, n) + _tail(terms, n)
            except Undecided:
                continue
            if total.is_finite() and (best is None or total.rad() < best.rad()):
                best = total
            if best is not None and best.rad() <= TIGHT * abs(best.mid()):
                break
        return Summed(True, best, like)


def _decided(terms: Terms) -> tuple[int, Any]:
    """The first N from which on the terms are shown to fall, or never to fall, or to vanish."""
    failure = Undecided(Reason.HAVE_NO_MODEL(what=Part.TERMS))
    for n in STARTS:
        try:
            log = terms.log(Germ(Fraction(n), ORDER))
            if log is None:
                return n, None
            slope = log.du.span()
            if slope.high <= 0:
                integral_converges(log.u, 1)  # Undecided where the borderline is too close
                return n, log
            if slope.low >= 0:
                return n, log
            failure = Undecided(Reason.NOT_SETTLED(what=Part.FALL_OF_TERMS))
        except Undecided as error:
            failure = error
    raise failure


def _head(terms: Terms, n: int) -> arb:
    return sum((terms.at(k) for k in range(1, n)), arb(0))


def _tail(terms: Terms, n: int) -> arb:
    """The sum from n on: the narrowest of the enclosures that apply; raises Undecided where none does."""
    germ = Germ(Fraction(n), ORDER)
    found = [x for x in (_by_zeta(terms, germ, n), _by_slopes(terms, germ, n), _by_integral(terms, germ, n)) if x]
    finite = [x for (x,) in found if x.is_finite()]
    if not finite:
        raise Undecided(Reason.UNBOUNDED(what=Part.WHAT_FOLLOWS))
    return min(finite, key=lambda x: float(x.rad()))


def _value(terms: Terms, germ: Germ) -> Model | None:
    try:
        return terms.value(germ)
    except Undecided:
        return None


def _by_zeta(terms: Terms, germ: Germ, n: int) -> tuple[arb] | None:
    value = _value(terms, germ)
    if value is None or any(m[0] != 0 or m[2:] != (0, 0, 0) or not m[1] < -1 for m in value.terms):
        return None
    return (sum((arb(c) * arb(coefficient(-m[1])).zeta(arb(n)) for m, c in value.terms.items()), arb(0)),)


def _by_slopes(terms: Terms, germ: Germ, n: int) -> tuple[arb] | None:
    """a falls between two powers: log a + p log t and log a + q log t are monotone."""
    try:
        log = terms.log(germ)
        exponent = (log.du * Model.power_of_t(germ, 1)).span()
    except Undecided:
        return None
    p, q = -exponent.high, -exponent.low
    if not p > 1:
        return None
    most = 1 + n / (p - 1)
    least = arb("0.5") + n / (q - 1) if q.is_finite() else arb(1)  # convex: at least the integral and half the first
    if p < STEEP:
        most = most.min((p * arb(n).log()).exp() * p.zeta(arb(n)))
    return (terms.at(n) * least.max(arb(1)).lower().union(most.upper()),)


def _by_integral(terms: Terms, germ: Germ, n: int) -> tuple[arb] | None:
    value = _value(terms, germ)
    if value is None:
        return None
    try:
        monomial, factor = value.bracket()
        first = germ.span(monomial).high
    except Undecided:
        return None
    logs = germ.logs
    rate, power, *rest = monomial
    for k in range(2):  # t^-1, with -1 for each logarithm before the one that decides
        if rate == 0 and power == -1 and rest[:k] == [-1] * k and rest[k] < -1 and not any(rest[k + 1 :]):
            b = -coefficient(rest[k])
            whole = ((1 - b) * logs[k].log()).exp() / (b - 1)
            if not (factor.low > 0 and factor.high.is_finite()):
                return None
            return (factor.x * whole.lower().union((whole + first).upper()),)
    return None


def _like(terms: Terms, start: int) -> str:
    """The monomial that the terms follow, in words; "" where the models do not name it."""
    value = _value(terms, Germ(Fraction(start), ORDER))
    if value is None or not value.terms or not value.leading()[1] > 0:
        return ""
    rate = value.leading()[0][0]
    if isinstance(rate, Rate) and rate.towers:
        return ""
    numbers = [*value.leading()[0][1:], *(x for pair in getattr(rate, "terms", ()) for x in pair)]
    if any(isinstance(x, Irrational) for x in numbers):
        return ""
    return monomial_text(value.leading()[0])


def monomial_text(m: Exponents) -> str:
    """A monomial in n."""
    rate = m[0].terms if not isinstance(m[0], int) else ()
    parts = [f"exp({_times(k)}{_power('n', p)})" for p, k in rate]
    names = ("n", "log(n)", "log(log(n))", "log(log(log(n)))")
    parts += [_power(name, x) for name, x in zip(names, m[1:], strict=True) if x]
    return "*".join(parts) or "1"


def _times(k: Fraction | int) -> str:
    return "" if k == 1 else "-" if k == -1 else f"{k}*"


def _power(name: str, x: Fraction | int) -> str:
    return name if x == 1 else f"{name}**{x}" if x.denominator == 1 else f"{name}**({x})"

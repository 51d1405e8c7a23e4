"""Decisions between balls, and the exact curve of Gaussian noise."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.theorems.claim import Refuted


def ball(value: Fraction | int | str | arb) -> arb:
    """A ball around the exact value; text is a decimal."""
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    return arb(value)


def at_most(a: arb, b: arb, counterexample: str) -> None:
    """Refute unless a <= b is certain; raises Undecided where the balls do not tell."""
    if a <= b:
        return
    if a > b:
        raise Refuted(counterexample)
    raise Undecided(Gap.BALLS_DO_NOT_TELL(a=str(a), b=str(b)))


def normal_tail(x: arb) -> arb:
    """P(Z > x) for standard normal Z."""
    return (x / arb(2).sqrt()).erfc() / 2


def gaussian_delta(epsilon: arb, mu: arb) -> arb:
    """The smallest delta for which N(0, 1) and N(mu, 1) are (epsilon, delta)-close.

    mu is sensitivity over standard deviation. Source: the exact curve of the Gaussian mechanism,
    delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) (Balle and Wang 2018, Theorem 8).
    """
    return normal_tail(epsilon / mu - mu / 2) - epsilon.exp() * normal_tail(epsilon / mu + mu / 2)


def show(x: arb | Fraction | float) -> str:
    """Six digits, for people; no decision rests on them."""
    value = float(x.mid()) if isinstance(x, arb) else float(x)
    return f"{value:.6g}"

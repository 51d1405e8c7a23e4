"""Exact probability on finite spaces; e^alpha is given as a rational, so nothing is rounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product

Law = Sequence[Fraction]


def events(size: int) -> Iterator[tuple[int, ...]]:
    """Every subset of {0, ..., size - 1}."""
    return chain.from_iterable(combinations(range(size), k) for k in range(size + 1))


def mass(law: Law, event: Sequence[int]) -> Fraction:
    """The probability of an event."""
    return sum((law[i] for i in event), Fraction(0))


def excess(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """max over events A of P(A) - ratio * Q(A): the smallest beta for this ordered pair, at e^alpha = ratio."""
    return sum((max(a - ratio * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def both_excess(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """The smallest beta for which the pair is (log ratio, beta)-DP in both directions."""
    return max(excess(p, q, ratio), excess(q, p, ratio))


def laws(size: int, grain: int) -> Iterator[tuple[Fraction, ...]]:
    """Every law on `size` atoms whose masses are multiples of 1/grain."""
    for parts in product(range(grain + 1), repeat=size - 1):
        if sum(parts) <= grain:
            yield (*(Fraction(x, grain) for x in parts), Fraction(grain - sum(parts), grain))


def compose(p: Law, q: Law) -> tuple[Fraction, ...]:
    """The product law."""
    return tuple(a * b for a in p for b in q)


def pushed(p: Law, f: Sequence[int], size: int) -> tuple[Fraction, ...]:
    """The law of f under P, on `size` atoms."""
    return tuple(sum((p[i] for i in range(len(p)) if f[i] == s), Fraction(0)) for s in range(size))


def pairs_text(p: Law, q: Law) -> str:
    """Two laws, for people."""
    one, two = ("(" + ", ".join(str(x) for x in law) + ")" for law in (p, q))
    return f"P = {one}, Q = {two}"

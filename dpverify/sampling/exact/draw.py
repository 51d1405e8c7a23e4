"""What a recipe may ask of a draw.

A recipe (gamma, direction, laws, envelope) is a function of independent uniform numbers, written once. It runs in
Arb's balls to release (`balls`), and in the standard library's decimals to confirm a replay (`replay`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from dpverify.sampling.exact.bits import Ambiguous

Real = Any
"""An enclosure with +, -, *, /, log(), exp(), sqrt() and sin_cos_pi(), of either arithmetic."""


class Draw(Protocol):
    """What a recipe may ask for. Whatever is not decided by the bits at hand raises Ambiguous."""

    def uniform(self) -> Real:
        """The next number, uniform on (0, 1)."""

    def sign(self) -> int:
        """1 or -1, each with probability 1/2."""

    def below(self, a: Real, b: Real | int) -> bool:
        """Whether a < b."""

    def number(self, value: Fraction) -> Real: ...

    def power(self, x: Real, p: Fraction) -> Real:
        """x^p for x > 0."""

    def located(self, edges: Sequence[int]) -> tuple[int, Real]:
        """The cell i of a number T uniform on (0, edges[-1]), edges[i] < T < edges[i + 1], and T - edges[i]."""

    def generator(self, r: Real) -> Real:
        """f(r^2)."""


def located_cell(j: int, bits: int, edges: Sequence[int]) -> int:
    """The cell in which [j, j + 1] / 2^bits times edges[-1] lies as a whole, in integers."""
    low = j * edges[-1]
    cell = bisect_right(edges, low >> bits) - 1
    if low + edges[-1] > edges[cell + 1] << bits:
        raise Ambiguous
    return cell

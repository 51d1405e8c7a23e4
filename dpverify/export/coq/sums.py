"""An integral as a sum of integrals over pieces, each a lemma of its own, joined by a last one."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from dpverify.export.coq.text import number

GUARD = 8
"""Bits of an end beyond its room."""


def below(value: Fraction, room: Fraction) -> Fraction:
    """A short fraction below a number, less than the room away."""
    bits = GUARD + room.denominator.bit_length() - room.numerator.bit_length()
    return Fraction(floor(value * 2**bits), 2**bits)


def above(value: Fraction, room: Fraction) -> Fraction:
    """A short fraction above a number, less than the room away."""
    return -below(-value, room)


class Sum:
    """`name`: bounds of an integral from 0 to an end, by those over pieces, whose ends are in units."""

    def __init__(self, name: str, integral: str, join: str, unit: int, end: str) -> None:
        self.name, self.integral, self.join, self.unit, self.end = name, integral, join, unit, end
        self.lemmas: list[str] = []
        self.low, self.high = Fraction(0), Fraction(0)
        self.last = 0

    def add(self, a: int, b: int, value: Fraction, room: Fraction, proof: str, least: Fraction | None = None) -> None:
        """One more piece, whose integral is about the value, and how that is proved."""
        low, high = (below(value - room, room), above(value + room, room)) if room else (Fraction(0), Fraction(0))
        low = low if least is None else least
        self.low, self.high, self.last = self.low + low, self.high + high, b
        statement = f"{sized(low)} <= {self.integral} ({a} / {self.unit}) ({b} / {self.unit}) <= {sized(high)}"
        self.lemmas.append(f"Lemma {self.name}_{len(self.lemmas)} : {statement}.\nProof. {proof} Qed.")

    def text(self) -> str:
        """The lemmas of the pieces, and that of their sum."""
        *others, whole = [f"{self.name}_{k}" for k in range(len(self.lemmas))]
        for lemma in reversed(others):
            whole = f"({self.join} _ _ _ _ _ _ _ {lemma} {whole})"
        return "\n".join(
            [
                *self.lemmas,
                f"Lemma {self.name} : {number(self.low)} <= {self.integral} 0 ({self.end}) <= {number(self.high)}.",
                "Proof.",
                f"  assert (J := {whole}).",
                f"  assert (A : 0 / {self.unit} = 0) by lra.",
                f"  assert (B : {self.last} / {self.unit} = {self.end}) by (unfold delta; lra).",
                "  rewrite A, B in J. lra.",
                "Qed.",
                "",
            ]
        )


def sized(q: Fraction) -> str:
    """A bound, 0 as such."""
    return number(q) if q else "0"

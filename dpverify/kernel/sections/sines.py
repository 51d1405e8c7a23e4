"""Zeros that a sum of a number and a sine only touches, such as those of 1 + sin r."""

from __future__ import annotations

from fractions import Fraction

from ..rules import rule
from ..tree import Node, add, minus, mul, num
from .shapes import ROOTS
from .waves import beside_wave, half_angle


@rule("K381")
def quarter_turn(w: Node, turns: bool, sign: int) -> Node:
    """1 + sin w or 1 - sin w as a square.

    Lemma.  1 + sin w = (cos(w/2) + sin(w/2))^2 and 1 - sin w = (cos(w/2) - sin(w/2))^2, also where
    w is told in multiples of pi.
    """
    half = mul(num(Fraction(1, 2)), w)
    sine = Node("sin", half, turns)
    return add(Node("cos", half, turns), sine if sign > 0 else minus(sine))


def root_of_sum(factor: Node) -> Node | None:
    found = beside_wave(factor, "sin")
    if found is None:
        return half_angle(factor)
    size, wave = found
    inner, turns = wave.args
    return quarter_turn(inner, turns, 1 if size > 0 else -1)


ROOTS["add"] = root_of_sum

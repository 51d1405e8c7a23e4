"""How answers are judged: numbers exactly, formulas by enclosures of their values, claims by proofs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb

from dpverify.classroom.exercise import Answers, Finding
from dpverify.enclosures import Ball, Evaluation, Undecided, exact, fraction_above, fraction_below, precision
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.language import parameters, parse_rational, read, substitute, text_of

BITS = 160
CLOSE = Fraction(1, 10**9)
"""How near two enclosures have to be to be called equal: proved enclosures of epsilon are narrower by far."""


def number(answers: Answers, name: str, what: str) -> Fraction:
    """An answer that is an exact number; raises InputError."""
    return parse_rational(answers[name], what)


def enclosed(text: str, values: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """The value of a formula in these names, r being the radius, between two rationals; raises InputError."""
    expression = read(text).expression
    bound = {name: value for name, value in values.items() if name != "r"}
    unknown = sorted(parameters(expression) - set(bound))
    if "r" not in values and re.search(r"\br\b", text_of(expression)):
        unknown.append("r")
    if unknown:
        raise InputError(f"{text!r}: the formula is in {', '.join(sorted(values))}, and has a {unknown[0]}")
    try:
        with precision(BITS):
            ball = Evaluation(Ball(arb(exact(values.get("r", 0))))).value(lower(substitute(expression, bound))).x
            return fraction_below(ball), fraction_above(ball)
    except (Undecided, ValueError, OverflowError) as error:
        raise InputError(f"{text!r} has no value that is known at {_said(values)} ({error})") from None


def agrees(
    text: str, what: str, points: list[dict[str, Fraction]], target: Callable[..., tuple[Fraction, Fraction]]
) -> Finding:
    """Whether a formula has the target's value, given as an enclosure, at all of these points."""
    for values in points:
        low, high = enclosed(text, values)
        least, most = target(**values)
        if high < least - CLOSE or low > most + CLOSE:
            near = f"about {float((low + high) / 2):.6g}, and it should be {float((least + most) / 2):.6g}"
            return Finding(False, f"{what}: at {_said(values)} yours is {near}")
    return Finding(True, f"{what}: agrees at {len(points)} points, with rigorous arithmetic")


def _said(values: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sorted(values.items()))

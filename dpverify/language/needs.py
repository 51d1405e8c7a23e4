"""What a text as typed needs for each of its parts to have a value, before anything is rewritten.

Every operation of the language has a value for all real arguments but these: a quotient, a power, a
root, log, gamma, besselk, besseli, what shares its need with one of these, and a Piecewise of which
no branch holds.  The reader notes one `Need` for
each of them, in the order in which it builds: inner before outer, left to right.  What lies in a
Piecewise is needed only where the first branch that holds asks for it, which its guard says: the i-th
condition where those before it fail, the i-th value where the i-th condition also holds.  `and`, `or`
and `not` ask for all their comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from dpverify.language.expression import Condition, Expression
from dpverify.language.simplify import substitute, substitute_condition

Guard = tuple[tuple[Condition, bool], ...]
"""Conditions, each with the truth value that it must have."""
Operation = Literal["quotient", "power", "sqrt", "log", "gamma", "besselk", "besseli", "divisor", "Piecewise"]
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Need:
    """One operation that need not have a value, and where its value is asked for.

    `arguments` are trees: (divisor, -1) of a quotient, base and exponent of a power (and r, if the radius, pi
    or e is written in the exponent, whatever cancels there), the arguments of a function, nothing of a Piecewise,
    whose guard says that all its conditions fail.  `text` is the
    operation and `subject` the argument that decides, both as typed.
    """

    operation: Operation
    arguments: tuple[Expression, ...]
    guard: Guard
    text: str
    subject: str

    def __str__(self) -> str:
        return f"the division by {shown(self.subject)}" if self.operation == "quotient" else shown(self.text)

    def inside(self, place: int, condition: Condition) -> Need:
        """The same need where the condition must hold too, which comes at that place of the guard."""
        return replace(self, guard=(*self.guard[:place], (condition, True), *self.guard[place:]))


def shown(text: str) -> str:
    """The text, shortened for a sentence."""
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def bind(needs: tuple[Need, ...], values: Mapping[str, Fraction]) -> tuple[Need, ...]:
    """The needs with their parameters bound. Raises InputError where a number grows too large."""
    known: dict[int, Condition] = {}  # one condition stands in many guards

    def bound(condition: Condition) -> Condition:
        if id(condition) not in known:
            known[id(condition)] = substitute_condition(condition, values)
        return known[id(condition)]

    return tuple(
        replace(
            need,
            arguments=tuple(substitute(a, values) for a in need.arguments),
            guard=tuple((bound(condition), truth) for condition, truth in need.guard),
        )
        for need in needs
    )

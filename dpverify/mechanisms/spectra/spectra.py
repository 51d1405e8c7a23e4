"""Spectra as text: a sequence in n = 1, 2, 3, ..., such as n**-2, with its values at integers and its model far out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Evaluation, Slope, Undecided
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.errors import InputError
from dpverify.findings import Reason
from dpverify.language import bind, given_by_name, parameters, parse_rational, read, substitute
from dpverify.language.expression import Number

INDEX, RADIUS = re.compile(r"\bn\b"), re.compile(r"\br\b")
FOREIGN = re.compile(r"\b[yrvd]\b")
TAKEN = {"num", "pi", "r", "add", "mul", "pow", "log", "exp", "sin", "cos"}
"""Kinds of nodes whose models hold at every t, and not at almost every one: jumps may sit on integers."""
Condition = Callable[[int | None], bool]
CONDITIONS: dict[str, Condition] = {
    "not be 0": lambda sign: sign in (1, -1),
    "not be negative": lambda sign: sign in (0, 1),
    "be positive": lambda sign: sign == 1,
}


@dataclass(frozen=True, slots=True)
class Demand:
    """A part of the text that must have a sign at every n for the text to have a value."""

    node: Node
    condition: str
    text: str


class Spectrum:
    """A sequence x_1, x_2, ... given by a formula in n: rational powers, exponentials and logarithms of n.

    Raises InputError for text outside the language, for a name that is not bound, and for a part (gamma, Piecewise)
    of which it is not known at which integers it has a value.
    """

    def __init__(self, text: str, name: str = "the sequence", values: Mapping[str, object] | None = None) -> None:
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{name}: write a formula in n, such as n**-2")
        foreign = FOREIGN.search(text)
        if foreign:
            raise InputError(f"{name}: column {foreign.start() + 1}: it is written in n, and may not use {foreign[0]}")
        bound = {key: parse_rational(value, f"parameter {key}") for key, value in given_by_name(values).items()}
        try:
            reading = read(INDEX.sub("r", text))
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        missing = sorted(parameters(reading.expression) - set(bound))
        if missing:
            raise InputError(f"{name}: the name {missing[0]!r} is not bound; give it with --param {missing[0]}=...")
        used = {key: value for key, value in bound.items() if key in parameters(reading.expression)}
        self.text, self.name, self.used = text.strip(), name, frozenset(used)
        try:
            self.node = lower(substitute(reading.expression, used))
            self.demands = [d for need in bind(reading.needs, used) for d in _demands(need, name)]
            strange = sorted({kind for part in (self.node, *(d.node for d in self.demands)) for kind in _kinds(part)})
            if strange:
                raise InputError(f"{name}: {strange[0]} is not taken here; write powers, exp and log of n")
        except Undecided as error:
            raise InputError(f"{name}: {error}") from None

    def at(self, n: int) -> arb:
        """The n-th number, in a ball at the working precision; raises InputError where it has no value, Undecided."""
        evaluation = Evaluation(Ball(arb(n)))
        for demand in self.demands:
            value = evaluation.value(demand.node).x
            sign = 1 if value > 0 else -1 if value < 0 else 0 if value.is_zero() else None
            if not CONDITIONS[demand.condition](sign):
                raise InputError(f"{self.name}: at n = {n}, {demand.text} must {demand.condition}")
        found: arb = evaluation.value(self.node).x
        if not found.is_finite():
            raise Undecided(Reason.NOT_ENCLOSED_AT(sequence=self.name, n=n))
        return found

    def far(self, germ: Germ) -> Far:
        """The sequence as a function of t on [R, oo); raises Undecided where a part is not shown to have a value."""
        t = Model.power_of_t(germ, 1)
        evaluation = Evaluation(Slope(t, t.const(fmpq(1))))
        for demand in self.demands:
            if not CONDITIONS[demand.condition](_sign(evaluation, demand.node)):
                raise Undecided(Reason.DEMAND_OPEN_FAR_OUT(part=demand.text, condition=demand.condition))
        return Far(evaluation, self.node)


@dataclass(frozen=True, slots=True)
class Far:
    """A sequence far out: its value and the logarithm of its absolute value, with their slopes, as models."""

    evaluation: Evaluation
    node: Node

    def value(self) -> Any:
        """The Slope of the value; raises Undecided."""
        return self.evaluation.value(self.node)

    def log(self) -> tuple[int, Any]:
        """The sign and the Slope of log |value|; raises Undecided where it may vanish."""
        return self.evaluation.log(self.node)

    def vanishes(self) -> bool:
        """Whether it is 0 at every t of the germ."""
        try:
            return not self.value().u.terms
        except Undecided:
            return False


def _kinds(node: Node) -> set[str]:
    """The kinds of the tree that are not taken."""
    found = {node.kind} - TAKEN
    for part in node.args:
        if isinstance(part, Node):
            found |= _kinds(part)
    return found


def _sign(evaluation: Evaluation, node: Node) -> int | None:
    try:
        return evaluation.log(node)[0]
    except Undecided:
        try:
            sign: int | None = evaluation.value(node).u.sign()
            return sign
        except Undecided:
            return None


def _demands(need: Any, name: str) -> list[Demand]:
    """What an operation needs at each n, and not almost everywhere, since integers are what counts here."""
    if need.guard or need.operation not in ("quotient", "power", "sqrt", "log"):
        raise InputError(f"{name}: {need.operation} is not taken here; write powers, exp and log of n")
    node, subject = lower(need.arguments[0]), RADIUS.sub("n", need.subject)
    if need.operation == "power":
        exponent = need.arguments[1]
        if isinstance(exponent, Number) and exponent.value.denominator == 1:
            return [Demand(node, "not be 0", subject)] if exponent.value < 0 else []
        return [Demand(node, "be positive", subject)]
    condition = {"quotient": "not be 0", "sqrt": "not be negative", "log": "be positive"}[need.operation]
    return [Demand(node, condition, subject)]

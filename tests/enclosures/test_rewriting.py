"""Rewriting keeps values: where every part of a text has a value, the node made of it encloses that value."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided, exact
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.needs import demands
from dpverify.errors import InputError
from dpverify.language import bind, parse, read
from tests.prover import raw

LEAVES = ["r", "y", "pi", "e", "1", "2", "3", "0", "-1", "1/2", "5/3", "1.25", "(1+r)", "(r-r)", "exp(r)", "exp(-r)"]
POWERS = ["-2", "-1", "0", "1", "2", "3", "1/2", "-1/2", "1/3", "(2/3)", "r", "(pi/pi)", "(1/r)"]
CALLS = ["exp", "log", "sqrt", "sinh", "cosh", "tanh", "asinh", "sin", "cos", "Abs", "floor", "erf", "erfc"]
CALLS += ["log1p", "expm1", "acosh", "sign", "ceil", "frac", "atan", "loggamma", "lambertw"]


def _text(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES)
    kind = rng.choice(["+", "-", "*", "*", "/", "/", "**", "**", "**", "call", "call", "log exp", "Max", "twice", "K"])
    u = _text(rng, depth - 1)
    if kind == "**":
        return f"({u})**({rng.choice(POWERS)})"
    if kind == "call":
        return f"{rng.choice(CALLS)}({u})"
    if kind == "log exp":
        return f"log(exp({u}))"
    if kind == "twice":  # what gathers or cancels
        v = rng.choice([f"1+exp({u})", f"pi+exp({u})", f"({u})**2", f"1+({u})**2"])
        p, q = rng.choice(POWERS), rng.choice(POWERS)
        return f"({v})**({p})*({v})**({q})"
    if kind == "K":
        order = rng.choice(["besselk(1/2", "besselk(-3/2", "besselk(1", "besselk(1/3", "gammainc(2", "gammaincc(1/3"])
        return f"{order},{u})"
    v = _text(rng, depth - 1)
    if kind == "Max":
        w = rng.choice(LEAVES)
        cases = f"Piecewise(({u},{w}<1),({v},True))", f"Piecewise((1,{u}<{v}),(2,True))"
        return rng.choice([f"Max({u},{v})", f"Min({u},{v})", *cases])
    return f"({u}){kind}({v})"


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize("seed", range(12))
def test_a_node_has_the_value_of_its_text_wherever_every_part_has_one(seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    for _ in range(400):
        text, r = _text(rng, rng.randint(1, 4)), Fraction(rng.randint(1, 4000), 997)
        try:
            truth = raw.value(text, r)
            node = lower(parse(text))
            found = Evaluation(Ball(arb(exact(r)))).value(node).x
        except (raw.Nothing, Undecided, InputError, OverflowError):
            continue
        with mpmath.workdps(40):
            value = mpmath.mpf(truth.numerator) / truth.denominator if isinstance(truth, Fraction) else truth
            if not (mpmath.isfinite(value) and found.is_finite() and abs(value) < 10**12):
                continue
            near = arb(mpmath.nstr(value, 40)) + arb(0, 10**-9) * (1 + abs(arb(mpmath.nstr(value, 10))))
        assert found.overlaps(near), (text, r, found, value)
        compared += 1
    assert compared > 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_has_no_value_fails_a_demand(seed: int) -> None:
    """At a radius where the text has no value some demand is not shown to hold: its sign there is wrong or unknown."""
    rng = random.Random(1000 + seed)
    refused = 0
    for _ in range(300):
        text, r = _text(rng, rng.randint(1, 4)), Fraction(rng.randint(1, 4000), 997)
        if raw.has_value(text, r):
            continue
        try:
            wanted = demands(bind(read(text).needs, {}))
        except InputError:
            continue
        assert not all(_holds(demand, r) for demand in wanted), (text, r)
        refused += 1
    assert refused > 20


def _holds(demand: object, r: Fraction) -> bool:
    evaluation = Evaluation(Ball(arb(exact(r))))
    for condition, truth in demand.guard:  # type: ignore[attr-defined]
        try:
            if evaluation.truth(condition) not in (truth, None):
                return True
        except Undecided:
            return False
    kind, node = demand.kind, demand.node  # type: ignore[attr-defined]
    if kind == "no pole":
        return not (node.args[0].q == 1 and node.args[0] <= 0)
    if kind in ("excluded", "unknown"):
        return False
    try:
        sign = evaluation.sign(node)
    except Undecided:
        return False
    return sign in {"nonzero": (1, -1), "nonnegative": (0, 1), "positive": (1,)}[kind]

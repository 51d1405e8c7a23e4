"""From a generator's tree to the Coq library's `expr`, and to Coq's ordinary notation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import MINUS, Node, num
from dpverify.enclosures.nodes import as_fraction as exact
from dpverify.errors import InputError
from dpverify.export.coq.enclosure import Unknown
from dpverify.export.coq.expression import ONE, PI, VAR, ZERO, Expr, combine, has_exp, logarithm, rational
from dpverify.export.coq.model import End
from dpverify.language import parse, substitute

ELEMENTARY = {"num", "pi", "r", "add", "mul", "pow", "exp", "log", "sin", "cos", "max", "floor", "piece"}
FAR = End(2**40, 3)
SHORT_POWER = 64


class NotCovered(Exception):
    """The reason, in one clause, why a certificate has no export."""


def tree(text: str, values: Mapping[str, Fraction]) -> Node:
    """A generator's text as a tree of few kinds of node, its names bound; raises NotCovered."""
    try:
        return lower(substitute(parse(text), values))
    except (InputError, Undecided) as error:
        raise NotCovered(str(error)) from None


def expression(node: Node) -> Expr:
    """The library's expression of a tree; raises NotCovered outside the elementary functions."""
    a = node.args
    if node.kind not in ELEMENTARY:
        raise NotCovered(f"the generator uses {node.kind}, which the Coq library does not have")
    if node.kind == "num":
        return rational(exact(a[0]))
    if node.kind == "pi":
        return PI
    if node.kind == "r":
        return VAR
    if node.kind == "add":
        return total(list(a))
    if node.kind == "mul":
        return product(list(a))
    if node.kind == "pow":
        return power(expression(a[0]), exact(a[1]))
    if node.kind == "piece":
        return piecewise(list(a))
    if node.kind == "max":
        result = expression(a[-1])
        for part in reversed(a[:-1]):
            result = Expr("Max", (expression(part), result))
        return result
    inner = tamed(expression(a[0]))
    if node.kind == "floor":
        return Expr("Floor", (inner,))
    if node.kind in ("sin", "cos"):
        turns = a[1]
        return Expr(node.kind.capitalize(), (Expr("Mul", (PI, inner)) if turns else inner,))
    if node.kind == "exp":
        return Expr("Exp", (inner,))
    one_more = inner.kind == "Add" and inner.args[0] == ONE
    return Expr("Ln1p", (inner.args[1],)) if one_more else Expr("Ln", (inner,))


def piecewise(branches: list[Any]) -> Expr:
    """The first branch whose condition holds, by comparisons of two expressions."""
    *others, (value, condition) = branches
    if condition != ("true",):
        raise NotCovered("the last branch of Piecewise is not for every other radius (True)")
    result = expression(value)
    for value, condition in reversed(others):
        result = either(condition, expression(value), result)
    return result


def either(condition: tuple[Any, ...], a: Expr, b: Expr) -> Expr:
    """a where the condition holds, else b."""
    word, *parts = condition
    if word == "true":
        return a
    if word == "not":
        return either(parts[0], b, a)
    if word == "less":
        margin, weak = parts
        terms = [signed(t) for t in (margin.args if margin.kind == "add" else (margin,))]
        left, right = (sum_of([e for minus, e in terms if minus is side]) for side in (True, False))
        return Expr("Less", (not weak, left, right, a, b))
    if not parts:
        return a if word == "and" else b
    rest = either((word, *parts[1:]), a, b)
    return either(parts[0], rest, b) if word == "and" else either(parts[0], a, rest)


def sum_of(terms: list[Expr]) -> Expr:
    """The sum of the terms, from left to right."""
    result = terms[0] if terms else ZERO
    for term in terms[1:]:
        result = Expr("Add", (result, term))
    return result


def tamed(e: Expr) -> Expr:
    """1/(e^v + w) as e^-v/(1 + w e^-v): what grows like an exponential has no model inside exp and log."""
    e = Expr(e.kind, tuple(tamed(a) if isinstance(a, Expr) else a for a in e.args))
    if e.kind == "Inv" and e.args[0].kind == "Add" and e.args[0].args[0].kind == "Exp":
        (exponent,), rest = e.args[0].args[0].args, e.args[0].args[1]
        small = Expr("Exp", (Expr("Opp", (exponent,)),))
        return Expr(
            "Mul", (small, Expr("Inv", (Expr("Add", (ONE, small if rest == ONE else Expr("Mul", (rest, small)))),)))
        )
    return e


def signed(node: Node) -> tuple[bool, Expr]:
    """Whether a term is subtracted, and the term without its sign."""
    if node.kind == "num" and node.args[0] < 0:
        return True, rational(exact(-node.args[0]))
    first = node.args[0] if node.kind == "mul" else None
    if first is not None and first.kind == "num" and first.args[0] < 0:
        rest = list(node.args[1:])
        front = [] if first.args[0] == -1 else [num(-first.args[0])]
        return True, product(front + rest)
    return False, expression(node)


def total(terms: list[Node]) -> Expr:
    """A sum, its largest positive term as r -> oo first: logarithms are taken over that one."""
    parts = [signed(t) for t in terms]
    ordered = [p for p in parts if p[1].kind in ("Int", "Rat")] + [p for p in parts if p[1].kind not in ("Int", "Rat")]
    best = next((i for i, p in enumerate(ordered) if not p[0]), None)
    if best is None:
        return Expr("Opp", (total([negated(t) for t in terms]),))
    if any(has_exp(p[1]) for p in parts):
        for i, (minus, term) in enumerate(ordered):
            if not minus and i != best and outgrows(term, ordered[best][1]):
                best = i
    ordered.insert(0, ordered.pop(best))
    result = ordered[0][1]
    for minus, term in ordered[1:]:
        result = Expr("Sub" if minus else "Add", (result, term))
    # 1 + u + v is read as 1 + (u + v), so that log(1 + u + v) is known near 0
    if ordered[0][1] == ONE and len(ordered) > 2 and not any(minus for minus, _ in ordered):
        rest = ordered[1][1]
        for _, term in ordered[2:]:
            rest = Expr("Add", (rest, term))
        result = Expr("Add", (ONE, rest))
    return result


def negated(node: Node) -> Node:
    """The node with the other sign, by its number where it has one."""
    if node.kind == "num":
        return num(-node.args[0])
    if node.kind == "mul" and node.args[0].kind == "num":
        return Node("mul", num(-node.args[0].args[0]), *node.args[1:])
    return Node("mul", MINUS, node)


def outgrows(e: Expr, other: Expr) -> bool:
    """Whether e is larger than the other by more than a factor as r -> oo, as far as a model tells."""
    try:
        difference = FAR.infinity(combine(Expr("Sub", (logarithm(True, e), logarithm(True, other)))))
    except Unknown:
        return False
    return FAR.grows(difference)


def product(factors: list[Node]) -> Expr:
    """The product of the factors, from left to right; a leading -1 as a minus."""
    if factors and factors[0].kind == "num" and factors[0].args[0] == -1 and len(factors) > 1:
        return Expr("Opp", (product(factors[1:]),))
    result: Expr | None = None
    for factor in factors:
        part = expression(factor)
        result = part if result is None else Expr("Mul", (result, part))
    return result if result is not None else ONE


def power(base: Expr, p: Fraction) -> Expr:
    """The base to a rational power, in the operations that the library has."""
    if p.denominator == 1 and abs(p) <= SHORT_POWER:
        if p < 0:
            return Expr("Inv", (power(base, -p),))
        if base == VAR and p > 2 and p % 2 == 0:
            return Expr("Nat", (Expr("Nat", (VAR, 2)), int(p) // 2))
        return base if p == 1 else Expr("Nat", (base, int(p)))
    if abs(p) == Fraction(1, 2):
        root = Expr("Sqrt", (base,))
        return root if p > 0 else Expr("Inv", (root,))
    return Expr("Pow", (base, p.numerator, p.denominator))


def constructor(e: Expr) -> str:
    """The expression as a term of the type `expr`."""
    if e.kind == "Nat":
        return f"(Nat {constructor(e.args[0])} {e.args[1]})"
    if not e.args:
        return e.kind
    words = [constructor(a) if isinstance(a, Expr) else plain(a) for a in e.args]
    return f"({e.kind} {' '.join(words)})"


def plain(value: int | bool) -> str:
    """A whole number or a truth value as Coq writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"({value})" if value < 0 else str(value)


CHOICE, SUM, PRODUCT, PREFIX, ATOM = 0, 1, 2, 3, 4


def notation(e: Expr) -> str:
    """The expression in y = r^2, in Coq's own notation for real numbers."""
    return _notation(e, "sqrt y")[0]


def smooth_notation(e: Expr) -> str:
    """The expression in r, powers by exp and ln."""
    return _notation(by_logarithms(e), "r")[0]


def by_logarithms(e: Expr) -> Expr:
    """The expression without Pow."""
    parts = tuple(by_logarithms(a) if isinstance(a, Expr) else a for a in e.args)
    if e.kind != "Pow":
        return Expr(e.kind, parts)
    return Expr("Exp", (Expr("Mul", (Expr("Rat", parts[1:]), Expr("Ln", parts[:1]))),))


def _inside(e: Expr, least: int, var: str) -> str:
    text, binding = _notation(e, var)
    return text if binding >= least else f"({text})"


def _notation(e: Expr, var: str) -> tuple[str, int]:
    a = e.args
    match e.kind:
        case "Var":
            return var, ATOM if var == "r" else PREFIX
        case "Int":
            return (str(a[0]), ATOM) if a[0] >= 0 else (f"({a[0]})", ATOM)
        case "Rat":
            return (f"({a[0]} / {a[1]})", ATOM)
        case "Pi":
            return "PI", ATOM
        case "Add":
            return f"{_inside(a[0], SUM, var)} + {_inside(a[1], PRODUCT, var)}", SUM
        case "Sub":
            return f"{_inside(a[0], SUM, var)} - {_inside(a[1], PRODUCT, var)}", SUM
        case "Mul" if a[1].kind == "Inv":
            return f"{_inside(a[0], PRODUCT, var)} / {_inside(a[1].args[0], ATOM, var)}", PRODUCT
        case "Mul":
            return f"{_inside(a[0], PRODUCT, var)} * {_inside(a[1], PREFIX, var)}", PRODUCT
        case "Opp":
            return f"- {_inside(a[0], PREFIX, var)}", SUM
        case "Inv":
            return f"/ {_inside(a[0], ATOM, var)}", SUM
        case "Nat":
            if a[0] == VAR and a[1] == 2 and var != "r":
                return "y", ATOM
            return f"{_inside(a[0], ATOM, var)} ^ {a[1]}", PREFIX
        case "Pow":
            return f"power {_inside(a[0], ATOM, var)} ({a[1]} / {a[2]})", PREFIX
        case "Sqrt":
            return f"sqrt {_inside(a[0], ATOM, var)}", PREFIX
        case "Exp":
            return f"exp {_inside(a[0], ATOM, var)}", PREFIX
        case "Ln":
            return f"ln {_inside(a[0], ATOM, var)}", PREFIX
        case "Sin" | "Cos":
            return f"{e.kind.lower()} {_inside(a[0], ATOM, var)}", PREFIX
        case "Max":
            return f"Rmax {_inside(a[0], ATOM, var)} {_inside(a[1], ATOM, var)}", PREFIX
        case "Floor":
            return f"IZR (Int_part {_inside(a[0], ATOM, var)})", PREFIX
        case "Less":
            order = "Rlt_dec" if a[0] else "Rle_dec"
            test = f"{order} {_inside(a[1], ATOM, var)} {_inside(a[2], ATOM, var)}"
            return f"if {test} then {_inside(a[3], CHOICE, var)} else {_inside(a[4], CHOICE, var)}", CHOICE
        case "Soft":
            return f"ln (1 + exp {_inside(a[0], ATOM, var)})", PREFIX
        case "Ln1p":
            return f"ln (1 + {_inside(a[0], PRODUCT, var)})", PREFIX
    raise AssertionError(e.kind)

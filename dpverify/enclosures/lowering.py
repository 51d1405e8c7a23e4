"""From the language's tree to the few kinds of node that enclosures know how to evaluate.

Hyperbolic functions become exponentials, half-integer Bessel functions elementary, Abs and Min
become Max, powers of r are gathered: the fewer kinds there are, the fewer rules need a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import factorial
from typing import Any

from flint import fmpq, fmpz

from dpverify.enclosures.ball import Undecided, exact
from dpverify.enclosures.special import LOGARITHMIC
from dpverify.findings import Reason
from dpverify.language import expression as tree

RATIONAL = ("num", "r", "add", "mul", "pow")
EXACT = (*RATIONAL, "max")
CARRYING = ("add", "mul", "max", "pow", "piece")


class Node:
    """One node: `kind` is num, pi, r, add, mul, pow, exp, log, sin, cos, floor, max, piece or a special function.

    `exponential` says whether its value is better known by its logarithm than as a number, `rational` that it is a
    rational function, `exact` that it is made of those and of maxima: rational at rational radii.
    """

    __slots__ = ("args", "exact", "exponential", "kind", "rational")

    def __init__(self, kind: str, *args: Any) -> None:
        self.kind, self.args = kind, args
        parts = [a for a in args if isinstance(a, Node)]
        branches = [a[0] for a in args if isinstance(a, tuple)]
        whole = kind != "pow" or args[1].q == 1
        self.rational: bool = kind in RATIONAL and whole and all(p.rational for p in parts)
        self.exact: bool = self.rational or (kind in EXACT and whole and all(p.exact for p in parts))
        self.exponential: bool = (
            kind in ("exp", "matern", "erfc", *LOGARITHMIC)
            or (kind == "pow" and args[1] < 0)
            or (kind in CARRYING and any(p.exponential for p in parts + branches))
        )


def num(value: fmpq | int) -> Node:
    """A rational number."""
    return Node("num", fmpq(value))


MINUS, ONE, TWO = num(-1), num(1), num(2)
MAX_ORDER = 100  # of a Bessel function; the checker has the same limit
HIGHEST_ORDER = 50  # of besseli and the incomplete gamma functions; the checker has the same limit
MAX_BITS = 10**6  # of a power of numbers
LONG_SUM = 5  # from this half-integer order on K_p is not written out as a sum


def add(*terms: Node) -> Node:
    """The sum, flat, its rationals added up."""
    flat: list[Node] = []
    total = fmpq(0)
    for term in terms:
        for part in term.args if term.kind == "add" else (term,):
            if part.kind == "num":
                total += part.args[0]
            else:
                flat.append(part)
    if total or not flat:
        flat.append(num(total))
    if any(a.kind == "atan" for part in flat for a in factors_of(part)):
        flat = _joined(flat)
    return flat[0] if len(flat) == 1 else Node("add", *flat)


def factors_of(node: Node) -> tuple[Node, ...]:
    """The factors of a product, or the node itself."""
    return node.args if node.kind == "mul" else (node,)


def _joined(parts: list[Node]) -> list[Node]:
    """a pi^j atan u and the term that cancels its limit at oo, or at -oo, as one multiple of acot = pi/2 - atan."""
    numbers = {found[:2]: i for i, part in enumerate(parts) if (found := _multiple_of(part, None)) is not None}
    for i, part in enumerate(parts):
        found = _multiple_of(part, "atan")
        if found is None:
            continue
        a, j, u = found
        assert u is not None
        for sign in (-1, 1):
            k = numbers.get((a * sign / 2, j + 1))
            if k is not None:
                one = Node("acot", u if sign < 0 else mul(MINUS, u))
                turns = [power(Node("pi"), fmpq(j))] if j else []
                rest = [p for n, p in enumerate(parts) if n not in (i, k)]
                return _joined([*rest, mul(num(a * sign), *turns, one)])
    return parts


def _multiple_of(node: Node, kind: str | None) -> tuple[fmpq, fmpq, Node | None] | None:
    """(a, j, u) where the node is a pi^j F(u), F of that kind, or a pi^j for None."""
    a, j, u = fmpq(1), fmpq(0), None
    for part in factors_of(node):
        if part.kind == "num":
            a = a * part.args[0]
        elif part.kind == "pi":
            j = j + 1
        elif part.kind == "pow" and part.args[0].kind == "pi":
            j = j + part.args[1]
        elif part.kind == kind and u is None:
            u = part.args[0]
        else:
            return None
    return (a, j, u) if (u is None) == (kind is None) else None


def mul(*factors: Node) -> Node:
    """The product, flat, its rationals, powers of r and powers of one positive sum collected."""
    flat: list[Node] = []
    total, radial = fmpq(1), fmpq(0)
    for factor in factors:
        for part in factor.args if factor.kind == "mul" else (factor,):
            if part.kind == "num":
                total *= part.args[0]
            elif part.kind == "r":
                radial += 1
            elif part.kind == "pow" and part.args[0].kind == "r":
                radial += part.args[1]
            else:
                flat.append(part)
    if not total:
        return num(0)  # that all parts have values is shown of what was typed
    if radial < 0 and any(part.kind == "lowergamma" for part in flat):
        return mul(num(total), *(_without_pole(part) for part in flat), Node("pow", Node("r"), radial))
    flat = _gathered(flat)
    if radial:
        flat.insert(0, power(Node("r"), radial))
    if len(flat) == 1 and flat[0].kind == "add" and total == -1:
        return add(*(mul(MINUS, term) for term in flat[0].args))
    if total != 1 or not flat:
        flat.insert(0, num(total))
    return flat[0] if len(flat) == 1 else Node("mul", *flat)


def _without_pole(part: Node) -> Node:
    """gammainc(a, x) = x^a G(x)/Gamma(a + 1), so that x^a cancels a negative power of r beside it."""
    if part.kind != "lowergamma":
        return part
    a, x = part.args
    return mul(power(x, a), Node("kummer", a, x), power(Node("gamma", num(a + 1)), fmpq(-1)))


def _gathered(factors: list[Node]) -> list[Node]:
    """Powers of pi, or of one positive sum, become one power, so that what cancels leaves no trace."""
    bases: list[Node] = []
    exponents: list[fmpq] = []
    others: list[Node] = []
    for factor in factors:
        base, p = factor.args if factor.kind == "pow" else (factor, fmpq(1))
        if base.kind not in ("add", "pi") or not _positive(base):
            others.append(factor)
            continue
        known = next((i for i, b in enumerate(bases) if same(b, base)), None)
        if known is None:
            bases.append(base)
            exponents.append(p)
        else:
            exponents[known] += p
    return others + [power(b, p) for b, p in zip(bases, exponents, strict=True) if p != 0]


def same(a: object, b: object) -> bool:
    """Whether two nodes, or two parts of nodes, are the same tree."""
    if isinstance(a, Node) and isinstance(b, Node):
        return a.kind == b.kind and same(a.args, b.args)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def absolute_of(node: Node) -> Node | None:
    """u where the node is |u| = max(u, -u), None for any other."""
    if node.kind != "max" or len(node.args) != 2:
        return None
    u, other = node.args
    return u if same(other, mul(MINUS, u)) else None


def power(base: Node, p: fmpq) -> Node:
    """base^p, p rational, simplified where that is exact."""
    if p == 1:
        return base
    if base.kind == "num" and p.q == 1:
        if base.args[0] == 0 and p < 0:
            raise Undecided(Reason.DIVIDES_BY_ZERO())
        if base.args[0].height_bits() * abs(p) > MAX_BITS:
            raise Undecided(Reason.POWER_TOO_LARGE())
        return num(base.args[0] ** int(p))
    if base.kind == "pow" and (_positive(base.args[0]) or base.args[1].q == p.q == 1):
        return power(base.args[0], base.args[1] * p)
    if base.kind in ("sin", "cos") and p == 2:  # (1 -+ cos 2u)/2, which shows that it is not negative
        wave = Node("cos", mul(TWO, base.args[0]), base.args[1])
        return mul(num(fmpq(1, 2)), add(ONE, wave if base.kind == "cos" else mul(MINUS, wave)))
    if base.kind == "mul" and all(_positive(f) for f in base.args):
        return mul(*(power(f, p) for f in base.args))
    return Node("pow", base, p)


@lru_cache(maxsize=1_000)
def squared(u: Node) -> Node:
    """The square of a node, multiplied out, so that (r/sqrt(2))^2 is r^2/2."""
    terms = u.args if u.kind == "add" else (u,)
    squares = (mul(*(power(f, fmpq(2)) for f in factors_of(t))) for t in terms)
    return add(*squares, *(mul(TWO, a, b) for a, b in combinations(terms, 2)))


def _positive(node: Node) -> bool:
    """Positive at every r > 0 by its form, so that (u v)^p = u^p v^p and (u^p)^q = u^(p q)."""
    if node.kind in ("pow", "add", "mul"):
        return all(_positive(a) for a in node.args if isinstance(a, Node))
    return node.kind in ("r", "pi", "exp") or (node.kind == "num" and node.args[0] > 0)


def _is_reciprocal(node: Node) -> bool:
    """Whether it is made of negative powers of what is positive by its form, and of positive numbers."""
    factors = factors_of(node)
    powers = [f for f in factors if f.kind == "pow" and f.args[1] < 0 and _positive(f.args[0])]
    return bool(powers) and all(f in powers or (f.kind in ("num", "pi") and _positive(f)) for f in factors)


def counts_turns(argument: Node) -> bool:
    """Whether an argument of sin or cos is best read in multiples of pi, so that pi r keeps an exact coefficient."""
    terms = argument.args if argument.kind == "add" else (argument,)
    return any({a.kind for a in (term.args if term.kind == "mul" else (term,))} >= {"pi", "r"} for term in terms)


def half_integer_besselk(order: fmpq, x: Node) -> Node:
    """K_(n+1/2)(x) = sqrt(pi/(2x)) e^-x sum_k (n+k)!/(k! (n-k)!) (2x)^-k (DLMF 10.49.12)."""
    n, two_x = int(abs(order) - fmpq(1, 2)), mul(TWO, x)
    series = [ONE]
    for k in range(1, n + 1):
        weight = fmpq(factorial(n + k), factorial(k) * factorial(n - k))
        series.append(mul(num(weight), power(two_x, fmpq(-k))))
    front = power(mul(Node("pi"), power(two_x, fmpq(-1))), fmpq(1, 2))
    return mul(front, Node("exp", mul(MINUS, x)), add(*series))


def _call(function: str, args: list[Node]) -> Node:
    u = args[0]
    if function == "gamma" and u.kind != "num":
        return Node("exp", Node("loggamma", u))
    if function == "atan" and _is_reciprocal(u):
        return Node("acot", power(u, fmpq(-1)))
    if function in ("exp", "log", "floor", "erfc", "gamma", "atan", "loggamma", "lambertw"):
        return Node(function, u)
    if function in ("gammainc", "gammaincc", "besseli"):
        return _of_order(function, u, args[1])
    if function in ("sin", "cos"):
        turns = counts_turns(u)
        per_pi = power(Node("pi"), fmpq(-1))
        terms = u.args if u.kind == "add" else (u,)
        return Node(function, add(*(mul(per_pi, term) for term in terms)) if turns else u, turns)
    if function in ("sinh", "cosh"):
        other = Node("exp", mul(MINUS, u))
        return mul(
            num(fmpq(1, 2)),
            add(Node("exp", u), other if function == "cosh" else mul(MINUS, other)),
        )
    if function == "tanh":
        return add(ONE, mul(num(-2), power(add(ONE, Node("exp", mul(TWO, u))), fmpq(-1))))
    if function == "erf":
        return add(ONE, mul(MINUS, Node("erfc", u)))
    if function == "asinh":
        return Node("log", add(u, power(add(power(u, fmpq(2)), ONE), fmpq(1, 2))))
    if function == "Abs":
        return u if _positive(u) else Node("max", u, mul(MINUS, u))
    if function == "Max":
        return Node("max", *args)
    if function == "Min":
        return mul(MINUS, Node("max", *(mul(MINUS, a) for a in args)))
    if function == "besselk":
        if u.kind != "num" or abs(u.args[0]) > MAX_ORDER:
            raise Undecided(Reason.ORDER_BEYOND(function=function, low=-MAX_ORDER, high=MAX_ORDER))
        order = abs(u.args[0])
        if order.q == 2 and order < LONG_SUM:
            return half_integer_besselk(order, args[1])
        return mul(power(args[1], -order), Node("matern", order, args[1]))
    raise Undecided(Reason.NO_ENCLOSURE(function=function))


def _of_order(function: str, order: Node, x: Node) -> Node:
    """gammainc(a, x), gammaincc(a, x), and I_p(x) = x^p B(x), with I_-n = I_n."""
    if order.kind != "num":
        raise Undecided(Reason.ORDER_NOT_A_NUMBER(function=function))
    p = order.args[0]
    if function == "besseli":
        p = abs(p) if p.q == 1 else p
        if not 0 <= p <= HIGHEST_ORDER:
            raise Undecided(Reason.ORDER_BEYOND_OR_PART(function=function, low=0, high=HIGHEST_ORDER))
        return mul(power(x, p), Node("besseli", p, x)) if p else Node("besseli", p, x)
    if not 0 < p <= HIGHEST_ORDER:
        raise Undecided(Reason.ORDER_NOT_POSITIVE(function=function, high=HIGHEST_ORDER))
    return Node("uppergamma" if function == "gammaincc" else "lowergamma", p, x)


def lower(expression: tree.Expression) -> Node:
    """The node of an expression whose parameters are all bound.

    Raises Undecided where a function has no enclosure.
    """
    match expression:
        case tree.Number(value=value):
            return num(exact(value))
        case tree.Constant(name="pi"):
            return Node("pi")
        case tree.Constant():
            return Node("exp", ONE)
        case tree.Radius():
            return Node("r")
        case tree.Sum(terms=terms):
            return add(*map(lower, terms))
        case tree.Product(factors=factors):
            return mul(*map(lower, factors))
        case tree.Power(base=base, exponent=exponent):
            return _power(lower(base), lower(exponent))
        case tree.Call(function=function, arguments=arguments):
            return _call(function, [lower(a) for a in arguments])
        case tree.Piecewise(branches=branches):
            return Node("piece", *((lower(v), lower_condition(c)) for v, c in branches))
    raise Undecided(Reason.NO_ENCLOSURE(function=type(expression).__name__))


def _power(base: Node, exponent: Node) -> Node:
    if exponent.kind == "num":
        return power(base, exponent.args[0])
    if base.kind == "exp":
        return Node("exp", mul(base.args[0], exponent))
    return Node("exp", mul(exponent, Node("log", base)))


def lower_condition(condition: tree.Condition) -> tuple:  # type: ignore[type-arg]
    """("less", w, weak) for 0 < w or 0 <= w, and the connectives over such."""
    match condition:
        case tree.Truth(value=value):
            return ("true",) if value else ("not", ("true",))
        case tree.Not(part=part):
            return ("not", lower_condition(part))
        case tree.And(parts=parts):
            return ("and", *map(lower_condition, parts))
        case tree.Or(parts=parts):
            return ("or", *map(lower_condition, parts))
        case tree.Comparison(operator=operator, left=left, right=right):
            low, high = (left, right) if operator in ("<", "<=") else (right, left)
            return ("less", add(lower(high), mul(MINUS, lower(low))), operator in ("<=", ">="))
    raise Undecided(Reason.CONDITION_UNKNOWN())


def _bared(condition: tuple) -> tuple:  # type: ignore[type-arg]
    """The condition without parts that hold at every radius, as 0 < r does, and no "and" or "or" of one part."""
    if condition[0] == "and":
        parts = [_bared(c) for c in condition[1:]]
        kept = [c for c in parts if c not in (("and",), ("true",)) and not (c[0] == "less" and _positive(c[1]))]
        return kept[0] if len(kept) == 1 else ("and", *kept)
    return _bared(condition[1]) if condition[0] == "or" and len(condition) == 2 else condition


def compared(condition: tuple, truth: bool) -> list[tuple[Node, bool]]:  # type: ignore[type-arg]
    """Nodes that are not negative where a lowered condition has that truth value, and whether they are positive."""
    condition = _bared(condition)
    if condition[0] in ("true", "unknown"):
        return []
    if condition[0] == "not":
        return compared(condition[1], not truth)
    if condition[0] == "less":
        w, weak = condition[1:]
        return [(w if truth else mul(MINUS, w), bool(weak) is not truth)]
    if (condition[0] == "and") is truth or len(condition) == 2:  # all parts hold, or all of them fail
        return [pair for part in condition[1:] for pair in compared(part, truth)]
    return []


def comparison(condition: tuple) -> list[tuple[Node, bool]]:  # type: ignore[type-arg]
    """w, and whether 0 < w rather than 0 <= w, where the condition is equivalent to that; else []."""
    condition, truth = _bared(condition), True
    while len(condition) == 2:
        condition, truth = _bared(condition[1]), truth is not (condition[0] == "not")
    return compared(condition, truth) if condition[0] == "less" else []


def exhaustive(conditions: list[tuple]) -> bool:  # type: ignore[type-arg]
    """Whether one of two of the lowered conditions holds at almost every radius: 0 < w and 0 < -w, where w is a
    rational function other than 0, or either allows 0."""
    found = [pair for c in conditions for pair in comparison(c)]
    for i, (w, strict) in enumerate(found):
        for v, other in found[:i]:
            few = not (strict and other) or (w.rational and any(exact_value(w, fmpq(k, 7)) for k in (5, 9, 16)))
            if few and same(v, mul(MINUS, w)):
                return True
    return False


def exact_value(node: Node, r: fmpq) -> fmpq | None:
    """The exact value of an exact node at a rational radius; None at a pole."""
    kind, args = node.kind, node.args
    if kind == "num":
        return args[0]  # type: ignore[no-any-return]
    if kind == "r":
        return r
    values: list[fmpq] = []
    for a in args:
        if isinstance(a, Node):
            value = exact_value(a, r)
            if value is None:
                return None
            values.append(value)
    if kind == "pow":
        return None if values[0] == 0 and args[1] < 0 else values[0] ** int(args[1])
    if kind == "max":
        return max(values)
    result = fmpq(0 if kind == "add" else 1)
    for v in values:
        result = result + v if kind == "add" else result * v
    return result


def power_of_radius(node: Node) -> tuple[fmpq, fmpq] | None:
    """(a, p) where the node is a r^p, a > 0 and p > 0 a short fraction that is not whole."""
    factors = factors_of(node)
    a = factors[0].args[0] if factors[0].kind == "num" else fmpq(1)
    rest = factors[1:] if factors[0].kind == "num" else factors
    if a <= 0 or len(rest) != 1 or rest[0].kind != "pow" or rest[0].args[0].kind != "r":
        return None
    p = rest[0].args[1]
    return (a, p) if p > 0 and 1 < p.q <= 8 and p.p <= 8 else None


def whole_root(a: fmpq, p: fmpq, r: fmpq) -> tuple[int, bool]:
    """floor(a r^p), r >= 0, and whether a r^p is that number."""
    q = int(p.q)
    x = a**q * max(r, fmpq(0)) ** int(p.p)
    n = int(fmpz(x.floor()).root(q))
    return n, n**q == x


def walk(node: Node) -> Iterator[Node]:
    """Every node of a tree, those in conditions included."""
    stack: list[object] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        elif isinstance(part, Node):
            yield part
            stack.extend(part.args)


def kinds(node: Node) -> set[str]:
    """The kinds of node in a tree."""
    return {part.kind for part in walk(node)}


def waves(node: Node) -> list[Node]:
    """Every sine, cosine and floor in a tree."""
    return [part for part in walk(node) if part.kind in ("sin", "cos", "floor")]


def break_polynomials(node: Node) -> list[Node]:
    """The nodes whose zeros (in a condition or a Max) or integer values (in a floor) are breaks."""
    found: list[Node] = []

    def conditions(condition: tuple) -> None:  # type: ignore[type-arg]
        for part in condition[1:]:
            if isinstance(part, Node):
                found.append(part)
                visit(part)
            elif isinstance(part, tuple):
                conditions(part)

    def visit(part: Node) -> None:
        if part.kind == "max":
            for i, a in enumerate(part.args):
                found.extend(add(a, mul(MINUS, b)) for b in part.args[i + 1 :])
        if part.kind == "floor":
            found.append(part)
        for a in part.args:
            if isinstance(a, Node):
                visit(a)
            elif isinstance(a, tuple):
                visit(a[0])
                conditions(a[1])

    visit(node)
    return found


def as_fraction(value: fmpq) -> Fraction:
    """A python-flint rational as Python's."""
    return Fraction(int(value.p), int(value.q))

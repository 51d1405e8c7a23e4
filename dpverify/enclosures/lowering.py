"""From the language's tree to the few kinds of node that enclosures know how to evaluate.

Hyperbolic functions become exponentials, half-integer Bessel functions elementary, Abs and Min
become Max, powers of r are gathered: the fewer kinds there are, the fewer rules need a proof.
"""

from __future__ import annotations

from math import factorial

from flint import fmpq

from dpverify.enclosures.ball import Undecided, exact
from dpverify.enclosures.nodes import MINUS, ONE, TWO, Node, add, factors_of, mul, num, positive_by_form, power
from dpverify.findings import Reason
from dpverify.language import expression as tree

MAX_ORDER = 100  # of a Bessel function; the checker has the same limit
HIGHEST_ORDER = 50  # of besseli and the incomplete gamma functions; the checker has the same limit
LONG_SUM = 5  # from this half-integer order on K_p is not written out as a sum


def is_reciprocal(node: Node) -> bool:
    """Whether it is made of negative powers of what is positive by its form, and of positive numbers."""
    factors = factors_of(node)
    powers = [f for f in factors if f.kind == "pow" and f.args[1] < 0 and positive_by_form(f.args[0])]
    return bool(powers) and all(f in powers or (f.kind in ("num", "pi") and positive_by_form(f)) for f in factors)


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
    if function == "atan" and is_reciprocal(u):
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
        return u if positive_by_form(u) else Node("max", u, mul(MINUS, u))
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

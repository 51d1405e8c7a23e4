"""Constructors that keep trees small by rewriting that changes no value at any r > 0 where what was typed has one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dpverify.errors import InputError
from dpverify.language import limits
from dpverify.language.expression import (
    And,
    Call,
    Comparison,
    Condition,
    Constant,
    Expression,
    Not,
    Number,
    Or,
    Parameter,
    Piecewise,
    Power,
    Product,
    Radius,
    Sum,
)

ONE = Number(Fraction(1))
MINUS_ONE = Number(Fraction(-1))
ZERO = Fraction(0)


def number(value: Fraction | int) -> Number:
    """A rational of bounded size; raises InputError."""
    value = value if isinstance(value, Fraction) else Fraction(value)
    if value.numerator.bit_length() + value.denominator.bit_length() > limits.MAX_BITS:
        raise InputError(f"a number grows beyond {limits.MAX_BITS} bits; write it smaller")
    return Number(value)


def make_sum(*terms: Expression) -> Expression:
    """The sum, with nested sums opened and rationals added up."""
    flat: list[Expression] = []
    total = ZERO
    for term in terms:
        for part in term.terms if isinstance(term, Sum) else (term,):
            if isinstance(part, Number):
                total = total + part.value if total else part.value
            else:
                flat.append(part)
    if total or not flat:
        flat.append(number(total))
    return flat[0] if len(flat) == 1 else Sum(tuple(flat))


def make_product(*factors: Expression) -> Expression:
    """The product, with nested products opened and rationals and powers of r gathered."""
    flat: list[Expression] = []
    total, radial = ONE.value, ZERO
    for factor in factors:
        for part in factor.factors if isinstance(factor, Product) else (factor,):
            power = _radial_power(part)
            if isinstance(part, Number):
                total = part.value if total is ONE.value else total * part.value
            elif power is not None:
                radial = radial + power if radial else power
            else:
                flat.append(part)
    if radial:
        flat.insert(0, make_power(Radius(), number(radial)))
    if total != 1 or not flat:
        flat.insert(0, number(total))
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def _radial_power(part: Expression) -> Fraction | None:
    if isinstance(part, Radius):
        return ONE.value
    if isinstance(part, Power) and isinstance(part.base, Radius) and isinstance(part.exponent, Number):
        return part.exponent.value
    return None


def make_power(base: Expression, exponent: Expression) -> Expression:
    """base ** exponent, folded for rationals, and with sqrt(y) = r. Raises InputError."""
    if isinstance(base, Constant) and base.name == "e":
        return Call("exp", (exponent,))
    if not isinstance(exponent, Number):
        return Power(base, exponent)
    p = exponent.value
    if max(abs(p.numerator), p.denominator) > limits.MAX_RADIAL_EXPONENT:
        raise InputError(f"an exponent is too large (more than {limits.MAX_RADIAL_EXPONENT})")
    if p == 1:
        return base
    if isinstance(base, Number) and p.denominator == 1:
        if base.value == 0 and p <= 0:
            raise InputError("division by zero" if p < 0 else "0**0 has no value")
        bits = base.value.numerator.bit_length() + base.value.denominator.bit_length()
        if abs(p) > limits.MAX_EXPONENT or abs(p) * bits > limits.MAX_BITS:
            raise InputError("a power of numbers is too large; write it smaller")
        return number(base.value ** int(p))
    if isinstance(base, Power) and isinstance(base.base, Radius) and isinstance(base.exponent, Number):
        return make_power(base.base, number(base.exponent.value * p))
    return Power(base, exponent)


def make_call(function: str, *arguments: Expression) -> Expression:
    """A function's value, with exact cancellations: log(exp(u)) = u, |r| = r."""
    u = arguments[0]
    if function == "sqrt":
        return make_power(u, Number(Fraction(1, 2)))
    if function == "log" and isinstance(u, Call) and u.function == "exp":
        return u.arguments[0]
    if function == "Abs" and _radial_power(u) is not None:
        return u
    return Call(function, arguments)


def negative(u: Expression) -> Expression:
    """-u."""
    return make_product(MINUS_ONE, u)


def substitute(tree: Expression, values: Mapping[str, Fraction]) -> Expression:
    """The tree with the named parameters bound. Raises InputError where a number grows too large."""
    match tree:
        case Parameter(name=name) if name in values:
            return number(values[name])
        case Sum(terms=terms):
            return make_sum(*(substitute(t, values) for t in terms))
        case Product(factors=factors):
            return make_product(*(substitute(f, values) for f in factors))
        case Power(base=base, exponent=exponent):
            return make_power(substitute(base, values), substitute(exponent, values))
        case Call(function=function, arguments=arguments):
            return make_call(function, *(substitute(a, values) for a in arguments))
        case Piecewise(branches=branches):
            return Piecewise(tuple((substitute(v, values), substitute_condition(c, values)) for v, c in branches))
    return tree


def substitute_condition(condition: Condition, values: Mapping[str, Fraction]) -> Condition:
    """The condition with the named parameters bound."""
    match condition:
        case Comparison(operator=operator, left=left, right=right):
            return Comparison(operator, substitute(left, values), substitute(right, values))
        case And(parts=parts):
            return And(tuple(substitute_condition(p, values) for p in parts))
        case Or(parts=parts):
            return Or(tuple(substitute_condition(p, values) for p in parts))
        case Not(part=part):
            return Not(substitute_condition(part, values))
    return condition


def parameters(tree: Expression | Condition) -> frozenset[str]:
    """The names that are not bound yet."""
    match tree:
        case Parameter(name=name):
            return frozenset({name})
        case Sum(terms=parts) | Product(factors=parts) | Call(arguments=parts):
            return frozenset().union(*map(parameters, parts))
        case Power(base=base, exponent=exponent):
            return parameters(base) | parameters(exponent)
        case Piecewise(branches=branches):
            return frozenset().union(*(parameters(v) | parameters(c) for v, c in branches))
        case Comparison(left=left, right=right):
            return parameters(left) | parameters(right)
        case And(parts=conditions) | Or(parts=conditions):
            return frozenset().union(*map(parameters, conditions))
        case Not(part=part):
            return parameters(part)
    return frozenset()

"""The expressions of the Coq library, `expr`, and what its functions do to them.

Derivatives, linear combinations and logarithms follow `expressions.v` and `logarithms.v` step by
step, so that what is planned here is what Coq computes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """A term of Coq's type `expr`: a constructor and its arguments (expressions and integers)."""

    kind: str
    args: tuple[Any, ...] = ()
    digest: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", hash((self.kind, self.args)))

    def __hash__(self) -> int:
        return self.digest

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Expr):
            return self is other
        return self.digest == other.digest and self.kind == other.kind and self.args == other.args

    @property
    def parts(self) -> list[Expr]:
        return [a for a in self.args if isinstance(a, Expr)]


VAR, PI = Expr("Var"), Expr("Pi")


def integer(n: int) -> Expr:
    """A whole number."""
    return Expr("Int", (n,))


def rational(q: Fraction) -> Expr:
    """A rational number, a whole one as such."""
    return integer(q.numerator) if q.denominator == 1 else Expr("Rat", (q.numerator, q.denominator))


ZERO, ONE = integer(0), integer(1)


def add(a: Expr, b: Expr) -> Expr:
    """a + b, without a 0."""
    return b if a == ZERO else a if b == ZERO else Expr("Add", (a, b))


def mul(a: Expr, b: Expr) -> Expr:
    """a b, without a 1 and without what 0 takes away."""
    if ZERO in (a, b):
        return ZERO
    return b if a == ONE else a if b == ONE else Expr("Mul", (a, b))


def opp(a: Expr) -> Expr:
    """-a, without a double minus."""
    if a == ZERO:
        return a
    return a.args[0] if a.kind == "Opp" else Expr("Opp", (a,))


@cache
def derivative(e: Expr) -> Expr:
    """`D`: the derivative in the variable."""
    a = e.args
    match e.kind:
        case "Var":
            return ONE
        case "Int" | "Rat" | "Pi":
            return ZERO
        case "Add":
            return add(derivative(a[0]), derivative(a[1]))
        case "Sub":
            return add(derivative(a[0]), opp(derivative(a[1])))
        case "Mul":
            return add(mul(derivative(a[0]), a[1]), mul(a[0], derivative(a[1])))
        case "Opp":
            return opp(derivative(a[0]))
        case "Inv":
            return opp(mul(derivative(a[0]), Expr("Nat", (e, 2))))
        case "Nat":
            power = (ONE, ONE, a[0])[a[1]] if a[1] <= 2 else Expr("Nat", (a[0], a[1] - 1))
            return mul(mul(integer(a[1]), derivative(a[0])), power)
        case "Pow":
            front = mul(Expr("Rat", (a[1], a[2])), derivative(a[0]))
            return mul(front, Expr("Pow", (a[0], a[1] - a[2], a[2])))
        case "Sqrt":
            return mul(derivative(a[0]), Expr("Inv", (Expr("Mul", (integer(2), e)),)))
        case "Exp":
            return mul(derivative(a[0]), e)
        case "Ln":
            return mul(derivative(a[0]), Expr("Inv", (a[0],)))
        case "Ln1p":
            return mul(derivative(a[0]), Expr("Inv", (Expr("Add", (ONE, a[0])),)))
        case "Soft":
            return mul(derivative(a[0]), Expr("Logi", a))
        case "Logi":
            return mul(derivative(a[0]), Expr("Mul", (e, Expr("Logi", (Expr("Opp", a),)))))
        case "Sin":
            return mul(derivative(a[0]), Expr("Cos", a))
        case "Cos":
            return opp(mul(derivative(a[0]), Expr("Sin", a)))
        case "Max" | "Floor" | "Less":
            return ZERO
    raise AssertionError(e.kind)


def substitute(e: Expr, v: Expr) -> Expr:
    """`subst`: v in the place of the variable."""
    known: dict[Expr, Expr] = {VAR: v}

    def of(e: Expr) -> Expr:
        if e not in known:
            known[e] = Expr(e.kind, tuple(of(a) if isinstance(a, Expr) else a for a in e.args))
        return known[e]

    return of(e)


def combine(e: Expr) -> Expr:
    """`lin`: a linear combination with its equal terms gathered, so that what cancels is gone."""
    terms: dict[Expr, Fraction] = {}

    def collect(q: Fraction, e: Expr) -> None:
        if e.kind in ("Add", "Sub"):
            collect(q, e.args[0])
            collect(q if e.kind == "Add" else -q, e.args[1])
        elif e.kind == "Opp":
            collect(-q, e.args[0])
        elif e.kind in ("Int", "Rat"):
            terms[ONE] = terms.get(ONE, Fraction(0)) + q * Fraction(*e.args)
        elif e.kind == "Mul" and e.args[0].kind in ("Int", "Rat"):
            collect(q * Fraction(*e.args[0].args), e.args[1])
        else:
            terms[e] = terms.get(e, Fraction(0)) + q

    collect(Fraction(1), e)
    result = ZERO
    for term, q in reversed(terms.items()):
        if q:
            scaled = term if q == 1 else opp(term) if q == -1 else mul(rational(q), term)
            result = add(scaled, result)
    return result


ARITHMETIC = ("Add", "Sub", "Mul", "Opp", "Inv", "Nat", "Pow", "Sqrt")


@cache
def has_exp(e: Expr) -> bool:
    """Whether an exponential is a term or a factor of it."""
    return any(map(has_exp, e.parts)) if e.kind in ARITHMETIC else e.kind == "Exp"


@cache
def has_growth(e: Expr) -> bool:
    """Whether an exponential in e may grow: no minus stands before its exponent."""
    if e.kind == "Exp":
        inner = e.args[0]
        scaled = inner.kind == "Mul" and inner.args[0].kind in ("Int", "Rat")
        return inner.args[0].args[0] >= 0 if scaled else inner.kind != "Opp"
    return e.kind in ARITHMETIC and any(map(has_growth, e.parts))


def ln(e: Expr) -> Expr:
    """log e."""
    return Expr("Ln", (e,))


def logistic_of(e: Expr) -> Expr | None:
    """v where e is 1 + e^-v."""
    if e.kind == "Add":
        for one, other in (e.args, e.args[::-1]):
            if one == ONE and other.kind == "Exp":
                return opp(other.args[0])
    return None


@cache
def both(split: bool, e: Expr) -> tuple[Expr, Expr]:
    """e and its logarithm, rewritten: products and powers taken apart, and with `split` sums over their first term."""
    parts = [both(split, part) for part in e.parts]
    a = e.args
    grows = split and any(map(has_growth, e.parts))
    match e.kind, parts:
        case "Int", _:
            return e, ZERO if e == ONE else ln(e)
        case (("Add" | "Sub"), [(na, la), (nb, lb)]):
            n = Expr(e.kind, (na, nb))
            if not (split and has_exp(e)):
                return n, ln(n)
            gap = combine(Expr("Sub", (lb, la)))
            over = Expr("Soft", (gap,)) if e.kind == "Add" else Expr("Ln1p", (Expr("Opp", (Expr("Exp", (gap,)),)),))
            return n, Expr("Add", (la, over))
        case "Mul", [(na, la), (nb, lb)]:
            return Expr("Mul", (na, nb)), Expr("Add", (la, lb))
        case "Opp", [(n, _)]:
            return Expr("Opp", (n,)), ln(Expr("Opp", (n,)))
        case "Inv", [(n, log)]:
            opposite, v = Expr("Opp", (log,)), logistic_of(n)
            if v is not None:
                return Expr("Logi", (v,)), opposite
            return Expr("Exp", (opposite,)) if grows else Expr("Inv", (n,)), opposite
        case "Nat", [(n, log)]:
            return Expr("Nat", (n, a[1])), Expr("Mul", (integer(a[1]), log))
        case "Pow", [(n, log)]:
            return Expr("Pow", (n, a[1], a[2])), Expr("Mul", (Expr("Rat", (a[1], a[2])), log))
        case "Sqrt", [(n, log)]:
            return Expr("Sqrt", (n,)), Expr("Mul", (Expr("Rat", (1, 2)), log))
        case "Exp", [(n, _)]:
            return Expr("Exp", (n,)), n
        case "Ln", [(n, log)]:
            result = log if grows else ln(n)
            return result, ln(result)
        case (("Sin" | "Cos"), [(n, _)]):
            result = Expr(e.kind, (n,))
            return result, ln(result)
        case "Ln1p", [(n, log)]:
            result = Expr("Soft", (log,)) if grows else Expr("Ln1p", (n,))
            return result, ln(result)
    return e, ln(e)


def logarithm(split: bool, e: Expr) -> Expr:
    """`lg`: log e, rewritten."""
    return both(split, e)[1]


def sides(split: bool, e: Expr) -> list[Expr]:
    """`sides`: the logarithms whose existence makes `logarithm` right."""
    return list(dict.fromkeys(_needs(split, e)[1]))


@cache
def _needs(split: bool, e: Expr) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """`needs`: for e rewritten, and for its logarithm."""
    parts = [_needs(split, part) for part in e.parts]
    grows = split and any(map(has_growth, e.parts))
    match e.kind, parts:
        case (("Add" | "Sub"), [(ca, da), (cb, db)]):
            return ca + cb, (logarithm(split, e.args[1]), *da, *db) if split and has_exp(e) else ca + cb
        case "Mul", [(ca, da), (cb, db)]:
            return ca + cb, da + db
        case (("Opp" | "Exp" | "Sin" | "Cos"), [(c, _)]):
            return c, c
        case "Inv", [(c, d)]:
            return (logarithm(split, e.args[0]), *d, *c) if grows else c, d
        case (("Nat" | "Pow" | "Sqrt"), [(c, d)]):
            return c, d
        case (("Ln" | "Ln1p"), [(c, d)]):
            needed = (logarithm(split, e.args[0]), *d) if grows else c
            return needed, needed
    return (), ()

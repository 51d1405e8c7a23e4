"""A normal form of generators, by rewriting that is exact: two texts with the same one are the same function.

A form is a sum of rational multiples of monomials, and a monomial a product of rational powers of atoms:
r, primes, pi, exponentials of one monomial, sums that are kept together, and values of functions.  That
two forms differ says nothing: not every identity is known here.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

from flint import fmpq, fmpz, fmpz_poly

from dpverify.enclosures.ball import Undecided
from dpverify.enclosures.nodes import Node, as_fraction
from dpverify.findings import Reason

Atom = tuple[Any, ...]
Monomial = tuple[tuple[Atom, Fraction], ...]
Form = tuple[tuple[Monomial, Fraction], ...]
"""Sorted, so that equal forms are equal tuples."""

ONE: Monomial = ()
R: Atom = ("r",)
MOST_TERMS, MOST_DEGREE, LARGEST = 60, 60, 10**12


class TooLarge(Undecided):
    """The form grows beyond its limits."""


def key(atom: Any) -> str:
    """What atoms are sorted by."""
    return repr(atom)


def monomial(powers: dict[Atom, Fraction]) -> Monomial:
    """The product of the atoms' powers, sorted, without powers of 0."""
    return tuple(sorted(((a, p) for a, p in powers.items() if p), key=key))


def times(m: Monomial, n: Monomial) -> Monomial:
    """m n."""
    powers = dict(m)
    for a, p in n:
        powers[a] = powers.get(a, Fraction(0)) + p
    return monomial(powers)


def form(terms: Iterable[tuple[Monomial, Fraction]]) -> Form:
    """The sum, like terms together, whole powers of primes in the coefficients."""
    total: dict[Monomial, Fraction] = {}
    for m, c in terms:
        powers = dict(m)
        for atom, p in m:
            if atom[0] == "prime" and (whole := p.numerator // p.denominator):
                c *= Fraction(atom[1]) ** whole
                powers[atom] = p - whole
        n = monomial(powers)
        total[n] = total.get(n, Fraction(0)) + c
    if len(total) > MOST_TERMS:
        raise TooLarge(Reason.NORMAL_FORM_TERMS())
    return tuple(sorted(((m, c) for m, c in total.items() if c), key=key))


def number(value: Fraction) -> Form:
    """A rational as a form."""
    return form([(ONE, value)])


def plus(*forms: Form) -> Form:
    """The sum of the forms."""
    return form(term for f in forms for term in f)


def product(f: Form, g: Form) -> Form:
    """f g."""
    return form((times(m, n), a * b) for m, a in f for n, b in g)


def scaled(f: Form, by: Monomial, c: Fraction) -> Form:
    """The form times a monomial and a number."""
    return form((times(m, by), a * c) for m, a in f)


def positive(atom: Atom) -> bool:
    """Positive at every r > 0 by its form."""
    if atom[0] == "sum":
        return all(c > 0 and all(positive(a) for a, _ in m) for m, c in atom[1])
    return atom[0] in ("r", "prime", "pi", "e", "gamma", "matern", "erfc", "kummer", "uppergamma", "besseli")


def of_monomial(m: Monomial, c: Fraction, p: Fraction) -> Form:
    """(c m)^p: for a fractional p only where every factor is positive by its form."""
    if p.denominator == 1:
        return form([(monomial({a: q * p for a, q in m}), Fraction(c ** int(p)))])
    if c > 0 and all(positive(a) for a, _ in m):
        return product(form([(monomial({a: q * p for a, q in m}), Fraction(1))]), root(c, p))
    return form([((((("power", form([(m, c)])), p),)), Fraction(1))])


def root(c: Fraction, p: Fraction) -> Form:
    """c^p for c > 0, as powers of primes."""
    powers: dict[Atom, Fraction] = {}
    for size, sign in ((c.numerator, 1), (c.denominator, -1)):
        if size > LARGEST:
            raise TooLarge(Reason.NORMAL_FORM_NUMBER())
        for prime, k in fmpz(size).factor():
            powers[("prime", int(prime))] = p * k * sign
    return form([(monomial(powers), Fraction(1))])


def power(f: Form, p: Fraction) -> Form:
    """f^p: a single term by term; a sum as an atom, its content taken out and a polynomial in factors."""
    if not f:
        raise TooLarge(Reason.IS_ZERO())
    if len(f) == 1:
        return of_monomial(*f[0], p)
    content, c, parts = factored(f)
    result = of_monomial(content, c, p) if (c > 0 and all(positive(a) for a, _ in content)) else None
    if result is None and p.denominator > 1:
        return form([((((("power", f), p),)), Fraction(1))])
    if result is None:
        result = of_monomial(content, c, p)
    for part, k in parts:
        if p.denominator > 1 and not positive(("sum", part)):
            return form([((((("power", f), p),)), Fraction(1))])
        result = product(result, form([((((("sum", part), p * k),)), Fraction(1))]))
    return result


def factored(f: Form) -> tuple[Monomial, Fraction, list[tuple[Form, int]]]:
    """f as a monomial, a rational and primitive sums, factors of a polynomial where f is one in a single atom."""
    atoms = {a for m, _ in f for a, _ in m}
    least = {a: min(dict(m).get(a, Fraction(0)) for m, _ in f) for a in atoms}
    content = monomial(least)
    rest = scaled(f, monomial({a: -p for a, p in least.items()}), Fraction(1))
    c = rest[0][1] if rest[0][0] == ONE else sorted(rest, key=key)[0][1]
    rest = scaled(rest, ONE, 1 / c)
    atoms = {a for m, _ in rest for a, _ in m}
    if len(atoms) == 1:
        found = _factors(rest, atoms.pop())
        if found is not None:
            size, parts = found
            return content, c * size, parts
    return content, c, [(rest, 1)]


def _factors(f: Form, x: Atom) -> tuple[Fraction, list[tuple[Form, int]]] | None:
    exponents = [dict(m).get(x, Fraction(0)) for m, _ in f]
    step = Fraction(1, reduce(lcm, (e.denominator for e in exponents)))
    degrees = [int(e / step) for e in exponents]
    if min(degrees) < 0 or max(degrees) > MOST_DEGREE:
        return None
    below = reduce(lcm, (c.denominator for _, c in f))
    coefficients = [0] * (max(degrees) + 1)
    for n, (_, c) in zip(degrees, f, strict=True):
        coefficients[n] += int(c * below)
    size, parts = fmpz_poly(coefficients).factor()
    total, found = Fraction(int(size), below), []
    for part, k in parts:
        whole = [int(a) for a in part.coeffs()]
        front = next(a for a in whole if a)
        total *= Fraction(front) ** int(k)
        terms = form((monomial({x: step * n}), Fraction(a, front)) for n, a in enumerate(whole) if a)
        found.append((terms, int(k)))
    return total, sorted(found, key=key)


def exponential(f: Form) -> Form:
    """e^f as a product of rational powers of exponentials of single monomials, e^(c log a) being a^c."""
    return form([(reduce(times, (monomial({_base(m): c}) for m, c in f), ONE), Fraction(1))])


def _base(m: Monomial) -> Atom:
    """e^m, which is a for the logarithm of a positive atom a."""
    if len(m) == 1 and m[0][0][0] == "log" and m[0][1] == 1 and isinstance(m[0][0][1][0], str):
        return m[0][0][1]  # type: ignore[no-any-return]
    return ("e", m)


def logarithm(f: Form) -> Form:
    """log f: of what is positive by its form, the sum over its factors."""
    if not f:
        raise TooLarge(Reason.IS_ZERO())
    if len(f) > 1:
        content, c, parts = factored(f)
    else:
        (content, c), parts = f[0], []
    whole = c > 0 and all(positive(a) for a, _ in content) and all(positive(("sum", part)) for part, _ in parts)
    if not whole:
        return form([((((("log", f), Fraction(1)),)), Fraction(1))])
    total = [number(Fraction(0))]
    if c != 1:
        total += [logarithm_of_atom(a, p) for m, _ in root(c, Fraction(1)) for a, p in m] or _logs_of_number(c)
    total += [logarithm_of_atom(a, p) for a, p in content]
    total += [logarithm_of_atom(("sum", part), Fraction(k)) for part, k in parts]
    return plus(*total)


def _logs_of_number(c: Fraction) -> list[Form]:
    found = []
    for size, sign in ((c.numerator, 1), (c.denominator, -1)):
        if size > LARGEST:
            raise TooLarge(Reason.NORMAL_FORM_NUMBER())
        found += [logarithm_of_atom(("prime", int(q)), Fraction(int(k) * sign)) for q, k in fmpz(size).factor()]
    return found


def logarithm_of_atom(a: Atom, p: Fraction) -> Form:
    """log(a^p): p times the exponent of an exponential, p log a of any other atom."""
    if a[0] == "e":
        return form([(a[1], p)])
    return form([((((("log", a), Fraction(1)),)), p)])


def normal(node: Node) -> Form:
    """The normal form of a lowered node; raises Undecided where it would be too large."""
    kind, args = node.kind, node.args
    if kind == "num":
        return number(as_fraction(args[0]))
    if kind == "pi":
        return form([(monomial({("pi",): Fraction(1)}), Fraction(1))])
    if kind == "r":
        return form([(monomial({R: Fraction(1)}), Fraction(1))])
    if kind == "add":
        return plus(*(expanded(normal(a)) for a in args))
    if kind == "mul":
        return reduce(product, (grouped(normal(a)) for a in args))
    if kind == "pow":
        return power(normal(args[0]), as_fraction(args[1]))
    if kind == "exp":
        return exponential(expanded(normal(args[0])))
    if kind == "log":
        return logarithm(grouped(normal(args[0])))
    if kind == "piece":
        return _pieces(args)
    if kind == "max":
        parts = tuple(sorted({expanded(normal(a)) for a in args}, key=key))
        return form([((((("max", parts), Fraction(1)),)), Fraction(1))])
    inner = tuple(expanded(normal(a)) if isinstance(a, Node) else _plain(a) for a in args)
    return form([(((((kind, *inner), Fraction(1)),)), Fraction(1))])


def _plain(value: Any) -> Any:
    return as_fraction(value) if isinstance(value, fmpq) else value


def grouped(f: Form) -> Form:
    """A sum as one atom, so that it cancels against its own powers."""
    return power(f, Fraction(1)) if len(f) > 1 else f


def expanded(f: Form) -> Form:
    """Whole powers of sums multiplied out, so that like terms meet."""
    total: list[Form] = []
    for m, c in f:
        part = form([(tuple((a, p) for a, p in m if not _opens(a, p)), c)])
        for a, p in m:
            for _ in range(int(p) if _opens(a, p) else 0):
                part = product(part, a[1])
        total.append(part)
    return plus(*total) if total else f


def _opens(a: Atom, p: Fraction) -> bool:
    return a[0] == "sum" and p.denominator == 1 and 0 < p <= 8


def _pieces(args: Any) -> Form:
    """The branches, over the constant factor of the first."""
    values = [grouped(normal(value)) for value, _ in args]
    front, size = constant(values[0])
    inverse = monomial({a: -p for a, p in front})
    parts = tuple(
        (scaled(value, inverse, 1 / size), _condition(condition))
        for value, (_, condition) in zip(values, args, strict=True)
    )
    return form([(times((((("piece", parts), Fraction(1)),)), front), size)])


def _condition(condition: Any) -> Any:
    """A comparison up to a positive factor; whether it is strict does not matter where w has isolated zeros."""
    if condition[0] == "less":
        w = expanded(normal(condition[1]))
        scale = abs(w[0][1]) if w else Fraction(1)
        isolated = w and all(a[0] in ("r", "prime", "pi") for m, _ in w for a, _ in m)
        return ("less", scaled(w, ONE, 1 / scale), None if isolated else condition[2])
    return (condition[0], *(_condition(part) for part in condition[1:]))


def constant(f: Form) -> tuple[Monomial, Fraction]:
    """The positive constant factor of a product; of a sum, 1."""
    if len(f) != 1:
        return ONE, Fraction(1)
    m, c = f[0]
    return tuple((a, p) for a, p in m if _constant(a)), abs(c)


def _constant(a: Atom) -> bool:
    return a[0] in ("prime", "pi", "gamma") or (a[0] == "e" and all(_constant(b) for b, _ in a[1]))


def up_to_factor(node: Node) -> Form:
    """The normal form of a generator without its positive constant factor."""
    f = grouped(normal(node))
    m, c = constant(f)
    return scaled(f, monomial({a: -p for a, p in m}), 1 / c)

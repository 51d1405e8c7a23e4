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

Case = tuple[Form, Any]
Cases = tuple[Case, ...]

ONE: Monomial = ()
TRUE, NEVER = ("true",), ("never",)
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
    if not f and p > 0:
        return f
    if not f:
        raise TooLarge(Reason.IS_ZERO())
    if len(f) == 1:
        return of_monomial(*f[0], p)
    content, c, parts = factored(f)
    if p.denominator == 1:
        result, kept = of_monomial(content, c, p), parts
    elif not all(positive(a) for a, _ in content):
        return form([((((("power", f), p),)), Fraction(1))])
    else:  # what is not positive stays below the root, over a positive number
        result, kept = of_monomial(content, abs(c), p), [(part, k) for part, k in parts if positive(("sum", part))]
        rest = number(Fraction(1 if c > 0 else -1))
        for part, k in (pair for pair in parts if pair not in kept):
            rest = product(rest, form([((((("sum", part), Fraction(k)),)), Fraction(1))]))
        if rest != number(Fraction(1)):
            result = product(result, form([((((("power", expanded(rest)), p),)), Fraction(1))]))
    for part, k in kept:
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
    return _joined(_cases(node))


def _cases(node: Node) -> Cases:
    """The node's forms, each where the condition beside it holds and those before it do not: the last one's always."""
    if node.kind == "piece":
        return _ordered([(normal(value), _condition(condition)) for value, condition in node.args])
    inner = [_cases(a) for a in node.args if isinstance(a, Node)]
    splits = {tuple(condition for _, condition in cases) for cases in inner if len(cases) > 1}
    if len(splits) != 1:
        return _of(node, [_joined(cases) for cases in inner])
    (split,) = splits
    found: list[Case] = []
    for k, condition in enumerate(split):
        parts = _of(node, [cases[k if len(cases) > 1 else 0][0] for cases in inner])
        found.append((_joined(parts), condition))
    return _ordered(found)


def _of(node: Node, forms: list[Form]) -> Cases:
    """The node's form from those of its parts; of a maximum of two the larger of them on either side."""
    kind, args = node.kind, node.args
    if kind == "max" and len(forms) == 2:
        first, second = map(expanded, forms)
        where = _less(plus(first, scaled(second, ONE, Fraction(-1))))
        if where is not None:
            return _ordered([(first, where), (second, TRUE)])
    return ((_whole(kind, args, forms), TRUE),)


def _whole(kind: str, args: tuple[Any, ...], forms: list[Form]) -> Form:
    if kind == "num":
        return number(as_fraction(args[0]))
    if kind == "pi":
        return form([(monomial({("pi",): Fraction(1)}), Fraction(1))])
    if kind == "r":
        return form([(monomial({R: Fraction(1)}), Fraction(1))])
    if kind == "add":
        return plus(*map(expanded, forms))
    if kind == "mul":
        return reduce(product, map(grouped, forms))
    if kind == "pow":
        return power(forms[0], as_fraction(args[1]))
    if kind == "exp":
        return exponential(expanded(forms[0]))
    if kind == "log":
        return logarithm(grouped(forms[0]))
    if kind == "max":
        return _largest({expanded(f) for f in forms})
    if kind in GAMMAS and (found := _elementary(kind, as_fraction(args[0]), forms[-1])) is not None:
        return found
    rest = iter(forms)
    inner = tuple(expanded(next(rest)) if isinstance(a, Node) else _plain(a) for a in args)
    return form([(((((kind, *inner), Fraction(1)),)), Fraction(1))])


def _largest(forms: set[Form]) -> Form:
    """The maximum, the numbers among them first."""
    numbers = {f for f in forms if not f or (len(f) == 1 and f[0][0] == ONE)}
    if numbers:
        forms = (forms - numbers) | {max(numbers, key=lambda f: f[0][1] if f else Fraction(0))}
    if len(forms) == 1:
        return forms.pop()
    return form([((((("max", tuple(sorted(forms, key=key))), Fraction(1)),)), Fraction(1))])


GAMMAS = ("kummer", "uppergamma", "lowergamma")
MOST_ORDER = 20


def _elementary(kind: str, a: Fraction, x: Form) -> Form | None:
    """An incomplete gamma function of a whole order, or half of one, by exponentials and erfc; None of another.

    Q(1, x) = e^-x, Q(1/2, x) = erfc(sqrt(x)) and Q(a+1, x) = Q(a, x) + x^a e^-x / Gamma(a+1), from which P = 1 - Q,
    and gamma(a+1) x^-a P, which is the node kummer.
    """
    if a.denominator > 2 or not 0 < a <= MOST_ORDER:
        return None
    x = expanded(x)
    e = exponential(scaled(x, ONE, Fraction(-1)))
    half = a.denominator == 2
    order = Fraction(1, 2) if half else Fraction(0)
    gamma = power(normal(Node("pi")), Fraction(1, 2)) if half else number(Fraction(1))  # Gamma(order)
    gamma = scaled(gamma, ONE, order) if half else gamma  # Gamma(order + 1)
    upper = number(Fraction(0))
    if half:
        upper = form([((((("erfc", expanded(power(x, order))), Fraction(1)),)), Fraction(1))])
    while order < a:
        upper = plus(upper, product(product(power(x, order), e), power(gamma, Fraction(-1))))
        order += 1
        gamma = scaled(gamma, ONE, order)
    if kind == "uppergamma":
        return upper
    lower = plus(number(Fraction(1)), scaled(upper, ONE, Fraction(-1)))
    return lower if kind == "lowergamma" else product(product(grouped(lower), power(x, -a)), gamma)


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


def _ordered(cases: list[Case]) -> Cases:
    """The cases, without those that are never met; of two, that one first whose condition sorts first."""
    found: list[Case] = []
    for value, condition in cases:
        if condition not in [NEVER, *(c for _, c in found)]:
            found.append((value, condition))
        if condition == TRUE:
            break
    if len(found) == 2 and found[1][1] == TRUE and found[0][1][0] == "less" and found[0][1][2] is None:
        (value, (_, w, _)), (other, _) = found
        opposite = ("less", scaled(w, ONE, Fraction(-1)), None)
        if key(opposite) < key(found[0][1]):
            found = [(other, opposite), (value, TRUE)]
    values = {value for value, _ in found}
    return ((values.pop(), TRUE),) if len(values) == 1 and found[-1][1] == TRUE else tuple(found)


def _joined(cases: Cases) -> Form:
    """The cases as one atom, over the constant factor of the first that is not 0."""
    if len(cases) == 1 and cases[0][1] == TRUE:
        return cases[0][0]
    values = [grouped(value) for value, _ in cases]
    front, size = constant(next((value for value in values if value), ()))
    inverse = monomial({a: -p for a, p in front})
    parts = tuple(
        (scaled(value, inverse, 1 / size), condition) for value, (_, condition) in zip(values, cases, strict=True)
    )
    return form([(times((((("piece", parts), Fraction(1)),)), front), size)])


def _condition(condition: Any) -> Any:
    """A comparison up to a positive factor; whether it is strict does not matter where w has isolated zeros."""
    if condition[0] == "less":
        w = expanded(normal(condition[1]))
        scale = abs(w[0][1]) if w else Fraction(1)
        return _less(w) or ("less", scaled(w, ONE, 1 / scale), condition[2])
    return (condition[0], *(_condition(part) for part in condition[1:]))


def _less(w: Form) -> Any | None:
    """The condition 0 < w, without the factors of w that are positive, where w has isolated zeros; or None."""
    if not w or not all(a[0] in ("r", "prime", "pi") for m, _ in w for a, _ in m):
        return None
    if len(w) == 1:
        return TRUE if w[0][1] > 0 else NEVER
    _, c, parts = factored(w)
    rest = number(Fraction(1 if c > 0 else -1))
    for part, k in parts:
        if k % 2 and not positive(("sum", part)):
            rest = product(rest, part)
    return ("less", rest, None)


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

"""What vanishes exponentially, products of exponentials on boxes, and numerators: beside mpmath and SymPy."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ONE, Interval, hull, interval, product_of
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponentials import FASTEST, Rate, vanishing_exp
from dpverify.kernel.sections.models import CONSTANT, LINEAR, LOG_LOG_T, LOG_T, Germ, Model, power_of_t
from dpverify.kernel.sections.polynomials import MAX_DEGREE, polynomial
from dpverify.kernel.sections.signs import exact_value
from dpverify.kernel.sections.slopes import Slope
from tests.kernel.plain import number
from tests.kernel.problems import tree
from tests.kernel.test_models import mp, value_at
from tests.kernel.test_values import truth

LEADING: dict[Any, Any] = {  # monomials that grow, and their logarithms' values by mpmath
    LINEAR: lambda t: t,
    power_of_t(Fraction(1, 2)): mpmath.sqrt,
    power_of_t(Fraction(1, 7)): lambda t: t ** (mpmath.mpf(1) / 7),
    (0, 1, 1, 0, 0): lambda t: t * mpmath.log(t),
    (0, 1, -1, 0, 0): lambda t: t / mpmath.log(t),
    LOG_T: mpmath.log,
    (0, 0, 2, 0, 0): lambda t: mpmath.log(t) ** 2,
    (0, 0, Fraction(1, 2), 0, 0): lambda t: mpmath.sqrt(mpmath.log(t)),
    (0, 0, 1, 1, 0): lambda t: mpmath.log(t) * mpmath.log(mpmath.log(t)),
    LOG_LOG_T: lambda t: mpmath.log(mpmath.log(t)),
}
COEFFICIENTS = st.fractions(Fraction(1, 20), Fraction(40), max_denominator=20)


@pytest.mark.slow
@given(
    st.sampled_from(sorted(LEADING, key=str)),
    COEFFICIENTS,
    st.fractions(0, 1, max_denominator=10),
    st.sampled_from([3, 16, 64, 1000, 10**9]),
    st.lists(st.fractions(1, 10**6, max_denominator=7), min_size=6, max_size=12),
)
@settings(max_examples=200, deadline=None)
def test_what_vanishes_exponentially_is_below_its_bound(
    lead: Any, c: Fraction, spread: Fraction, radius: int, stretches: list[Fraction]
) -> None:
    """0 <= e^u <= B t^-n (or (log t)^-n) at every t >= R, also with a part that does not matter at infinity."""
    germ = Germ(Fraction(radius), 6)
    size = hull(interval(-c * (1 + spread)), interval(-c))
    u = Model(germ, {lead: size, CONSTANT: Fraction(1, 9), power_of_t(-1): Fraction(-1, 2)})
    try:
        factor = u.bracket()[1]
        bound = vanishing_exp(u)
    except Rejected as refusal:
        assert "too slowly" in str(refusal) or "monotone" in str(refusal) or "sign" in str(refusal)
        return
    with mpmath.workdps(40):
        m, start = LEADING[lead], mpmath.mpf(radius)
        for stretch in [Fraction(1), *stretches]:
            t = radius * stretch
            at = number(t)
            largest = -number(c) * m(at) + mpmath.mpf(1) / 9 - 1 / (2 * at)
            found = value_at(bound, t)
            assert found.lo <= 0 and largest <= mpmath.log(mp(found.hi)) + mpmath.mpf(10) ** -30
        scale = LOG_T if lead < LOG_T else LINEAR
        log = mpmath.log(start) if scale == LINEAR else mpmath.log(mpmath.log(start))
        ((monomial, coefficient),) = bound.terms.items()
        n = -next(x for x in monomial[1:] if x)
        steepest = min(mpmath.mpf(FASTEST), -mp(factor.hi) * m(start) / log)
        assert monomial == tuple(-n * x for x in scale)
        assert -1e-20 <= steepest - number(Fraction(n)) <= mpmath.mpf(1) / 1024 + 1e-20
        assert isinstance(coefficient, Interval)  # and the bound is reached at R
        closeness = mpmath.log(mp(value_at(bound, Fraction(radius)).hi)) + -mp(factor.hi) * m(start)
        assert abs(closeness) <= 1e-20 * (1 + abs(mp(factor.hi)) * m(start))


@pytest.mark.parametrize("lead", [LOG_LOG_T, (0, 0, 0, 2, 0)])
def test_what_vanishes_more_slowly_than_any_power_of_a_logarithm_is_refused(lead: Any) -> None:
    """e^(-c log log t) is a power of log t itself, and e^(-c log log log t) is not below one."""
    germ = Germ(Fraction(10**9), 6)
    bound = vanishing_exp(Model(germ, {lead: Interval(mp_decimal(-3), mp_decimal(-2))}))
    assert next(iter(bound.terms))[2] < 0
    with pytest.raises(Rejected, match="too slowly"):
        vanishing_exp(Model(germ, {(0, 0, 0, 0, 1): Interval(mp_decimal(-3), mp_decimal(-2))}))


def mp_decimal(k: int) -> Any:
    return interval(k).lo


@pytest.mark.parametrize("c", [Fraction(0), Fraction(1)])
def test_an_exponential_that_may_grow_is_refused(c: Fraction) -> None:
    size = hull(interval(c), interval(c - Fraction(1, 10**9)))
    with pytest.raises(Rejected, match="grows"):
        vanishing_exp(Model(Germ(Fraction(16), 6), {LOG_T: size}))


@pytest.mark.parametrize("lead", [LINEAR, LOG_T])
def test_an_exponential_that_hardly_falls_keeps_below_its_value_at_the_start(lead: Any) -> None:
    """With n = 0, c m(R)/l(R) being below 1/1024, e^(-c m) lies between 0 and e^(-c m(R))."""
    c, radius = Fraction(1, 10**9), 16
    bound = vanishing_exp(Model(Germ(Fraction(radius), 6), {lead: interval(-c)}))
    assert list(bound.terms) == [CONSTANT]
    with mpmath.workdps(40):
        top = mpmath.exp(-(mpmath.mpf(10) ** -9) * (radius if lead == LINEAR else mpmath.log(radius)))
        assert mp(bound.span().lo) <= 0
        assert 0 <= mp(bound.span().hi) - top < mpmath.mpf(10) ** -25


STEEP: list[tuple[dict[Any, Any], int]] = [  # the terms of a rate, and the exponent of t beside it
    ({1: 1}, 0),
    ({1: Fraction(5, 2)}, -3),
    ({Fraction(1, 2): 2, Fraction(1, 3): -1}, 1),
    ({2: Fraction(1, 3), 1: 7}, 0),
]


@pytest.mark.parametrize(("rate", "power"), STEEP)
@pytest.mark.parametrize("c", [Fraction(1, 3), Fraction(40)])
def test_what_falls_as_an_exponential_of_an_exponential_is_below_one(rate: Any, power: int, c: Fraction) -> None:
    """0 <= e^(-c m) <= B e^(-n t^p) at every t >= R, nearly reached at R; n is as large as it may be."""
    radius, p = Fraction(4), max(rate)
    monomial = (Rate.of(rate), power, 0, 0, 0)
    ((found, bound),) = vanishing_exp(Model(Germ(radius, 6), {monomial: interval(-c)})).terms.items()
    assert isinstance(found[0], Rate) and found[1:] == (0, 0, 0, 0) and isinstance(bound, Interval) and bound.lo == 0
    ((exponent, n),) = found[0].terms
    with mpmath.workdps(60):

        def exponent_at(t: Any) -> Any:
            return sum(number(Fraction(k)) * t ** number(Fraction(q)) for q, k in rate.items())

        def falls(t: Any) -> Any:
            return -number(c) * mpmath.exp(exponent_at(t)) * t**power

        top, start = mpmath.log(mp(bound.hi)), mpmath.mpf(4)
        most = FASTEST * (1 + int(rate[p]))
        possible = -falls(start) / start ** number(Fraction(p))
        assert exponent == p and 0 <= min(possible, most) + number(Fraction(n)) <= mpmath.mpf(1) / 1024
        for t in (start, start * mpmath.mpf("1.01"), mpmath.mpf(11), mpmath.mpf(30)):
            assert falls(t) <= top + number(Fraction(n)) * t ** number(Fraction(p)) + mpmath.mpf(10) ** -30
        assert abs(top + number(Fraction(n)) * start ** number(Fraction(p)) - falls(start)) <= 1e-25 * abs(falls(start))


@pytest.mark.parametrize("k", [Fraction(1), Fraction(1, 100)])
def test_where_an_exponential_falls_too_slowly_a_power_of_t_does(k: Fraction) -> None:
    """e^(-c e^(k t)), c so small that it is not below e^(-t) at R: the n of t^-n is then c e^(k R)/log R."""
    radius = Fraction(300)
    c = Fraction(int(mpmath.exp(-300 * number(k)) * 10**150 * 299), 10**150)
    ((found, _),) = vanishing_exp(Model(Germ(radius, 6), {(Rate.of({1: k}), 0, 0, 0, 0): interval(-c)})).terms.items()
    assert found[0] == 0 and found[1] == -24
    larger = c * Fraction(302, 299)
    ((found, _),) = vanishing_exp(
        Model(Germ(radius, 6), {(Rate.of({1: k}), 0, 0, 0, 0): interval(-larger)})
    ).terms.items()
    assert isinstance(found[0], Rate) and found[0].terms == ((1, Fraction(-1030, 1024)),)


FACTORS = ("exp(-r)", "exp(r)", "exp(-3*y)", "exp(cos(r))", "(1+exp(-r))", "erfc(r)", "exp(-r)**(1/2)", "exp(-1/r)")
OTHERS = ("(1-exp(r/2))", "(r-1)", "cos(3*r)", "(2+r)", "Max(exp(-r),1/2)", "(exp(-r)-1/2)", "(-2)", "(r-exp(-r))")


@pytest.mark.sampled(stay=10)
@pytest.mark.parametrize("seed", range(40))
def test_products_on_boxes_enclose(seed: int) -> None:
    """Positive exponential factors by their logarithms, others, of either sign, by their values."""
    rnd = random.Random(seed)
    parts = rnd.sample(FACTORS, rnd.randint(1, 3)) + rnd.sample(OTHERS, rnd.randint(0, 2))
    rnd.shuffle(parts)
    node = tree("*".join(parts))
    a = Fraction(rnd.randint(1, 60), 20)
    b = a + Fraction(rnd.randint(1, 40), 20)
    box = hull(interval(a), interval(b))
    plain, pair = Evaluation(box).value(node), Evaluation(Slope(box, ONE)).value(node)
    with mpmath.workdps(40):
        values = [truth("*".join(parts), a + (b - a) * k / 24) for k in range(25)]
        slack = mpmath.mpf(10) ** -30
        for v in values:
            assert mp(plain.lo) - slack <= v <= mp(plain.hi) + slack, parts
            assert mp(pair.u.lo) - slack <= v <= mp(pair.u.hi) + slack, parts
        slopes = [(w - v) / number((b - a) / 24) for v, w in pairwise(values)]
        if pair.du.finite():
            assert all(mp(pair.du.lo) - slack <= s <= mp(pair.du.hi) + slack for s in slopes), parts


def test_a_product_of_exponentials_too_large_for_numbers_is_known_by_its_logarithm() -> None:
    """The first factor alone has no bound among decimals."""
    node, box = tree("exp(10**20*r)*exp(-3*10**20*r)*(1-2*r)"), hull(interval(1), interval(2))
    at = Evaluation(box)
    found, product = at.value(node), product_of(at.value(a) for a in node.args)
    assert not product.finite() and found.finite() and -1 < found.lo < found.hi <= 0


def rational_text(rnd: random.Random, depth: int) -> str:
    if depth == 0 or rnd.random() < 0.15:
        return rnd.choice(("r", "r", "y", "1", "2", "1/3", "5/2"))
    a, b = rational_text(rnd, depth - 1), rational_text(rnd, depth - 1)
    return rnd.choice((f"({a}+{b})", f"({a}-{b})", f"({a}*{b})", f"({a}/{b})", f"({a})**{rnd.choice('0123')}",
                       f"({a})**(-{rnd.choice('12')})"))  # fmt: skip


def quotient(text: str) -> Any:
    r = sympy.Symbol("r")
    exact = sympy.sympify(text.replace("y", "(r**2)"), locals={"r": r}, rational=True)
    return r, sympy.cancel(sympy.together(exact))


@pytest.mark.sampled(stay=15)
@pytest.mark.parametrize("seed", range(60))
def test_numerators_and_denominators_of_rational_nodes(seed: int) -> None:
    """Their quotient is SymPy's, and the exact value wherever the node has one."""
    rnd = random.Random(seed)
    text = rational_text(rnd, 3)
    try:
        node = tree(text)
    except Rejected:
        return
    found = polynomial(node)
    if found is None:
        return
    top, below = found
    r, exact = quotient(text)
    assert bool(top) == (exact != 0), text
    assert below and below[-1] and (not top or top[-1])
    ours = sum(sympy.Rational(c.numerator, c.denominator) * r**k for k, c in enumerate(top))
    under = sum(sympy.Rational(c.numerator, c.denominator) * r**k for k, c in enumerate(below))
    numerator, denominator = sympy.fraction(exact)
    assert sympy.expand(ours * denominator - under * numerator) == 0, text
    for x in (Fraction(1, 3), Fraction(7, 5), Fraction(11)):
        value = exact_value(node, x)
        bottom = sum(c * x**k for k, c in enumerate(below))
        if value is not None and bottom:
            assert value == sum(c * x**k for k, c in enumerate(top)) / bottom


@pytest.mark.parametrize(
    "text",
    ["r-r", "(r+1)**2-1-2*r-y", "1/(r+1)+1/(r-1)-2*r/(y-1)", "0*r", "(r-r)*(r+1)", "(r-r)**2", "(r-1)/(r-1)-1", "0"],
)
def test_the_zero_function_is_known(text: str) -> None:
    assert polynomial(tree(text)) == ([], [Fraction(1)])


@pytest.mark.parametrize("text", ["r", "(r+1)**2-2*r-y", "(r-r)**0", "1/1000000", "(r-1)**0", "1/(r-1)"])
def test_what_is_not_zero_is_not_called_so(text: str) -> None:
    found = polynomial(tree(text))
    assert found is not None and found[0]


@pytest.mark.parametrize("text", ["sqrt(r)", "exp(r)", "pi*r", "1/(r-r)", "(r-r)**(-2)", f"(r-1)**{MAX_DEGREE}"])
def test_what_is_not_rational_or_divides_by_zero_or_is_long_is_no_quotient(text: str) -> None:
    assert polynomial(tree(text)) is None

"""Section 5: the density of V, the law of its span, and the Gibbs sampler's matrix Bingham law."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from flint import acb, arb

from dpverify.mechanisms.components.principal_components import data_factor
from dpverify.mechanisms.components.stiefel import span_power
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "awan-2019:"


def check_lebesgue(formula: Any, effort: Effort) -> str:
    """formula = (x(eps), c(eps)): exp(x tr(X'XP) - c tr(V'C^-1 V)); variances for X = 0, losses for a record."""
    of_data, of_base = formula
    count, worst = 0, arb(0)
    for epsilon, variance in product((Fraction(2), Fraction(1), Fraction(1, 8)), effort.pick((1,), (1, 4))):
        coefficient = ball(Fraction(of_base(epsilon)) / variance)
        end = (60 / coefficient).sqrt()

        def moment(power: int, coefficient: arb = coefficient, end: arb = end) -> arb:
            return acb.integral(lambda v, _: v**power * (-coefficient * v * v).exp(), 0, end).real

        true, found = arb(variance), moment(2) / moment(0)
        if not abs(found / true - 1) < arb("1e-6"):
            raise Refuted(
                f"eps = {epsilon}, m = k = 1, X = 0, C = {variance}: the density has variance {show(found)}, the base "
                f"measure N(0, C) has {variance}."
            )
        # one record e1, m = 2: between the lines of e1 and e2 the exponent of Theorem 4.2 changes by eps/2
        loss = of_data(epsilon)
        if loss != epsilon / 2:
            raise Refuted(
                f"eps = {epsilon}, one record e1: exp(-) changes by {loss} from line e2 to line e1, not eps/2."
            )
        count, worst = count + 1, max(worst, abs(found / true - 1), key=float)
    return f"{count} variances by quadrature (balls), within {show(worst)}, and the data's term against Theorem 4.2"


DENSITY = Claim(
    id=PAPER + "section-5-density",
    place="Section 5",
    statement="The density of V with respect to Lebesgue measure, the base measure being N(0, C).",
    quotation=Quotation(
        "We then draw from the density f(V), with respect to Lebesgue measure on R^(k x m), which is proportional to "
        "exp((eps/2) tr(X^T X V (V^T V)^-1 V^T - V^T C^-1 V))."
    ),
    printed="exp((eps/2) tr(X'X V (V'V)^-1 V' - V' C^-1 V)), the trace of each term in its own size",
    hypotheses="V of full rank",
    check=check_lebesgue,
    formula=(lambda epsilon: epsilon / 2, lambda epsilon: epsilon / 2),
    near=(
        Near((lambda epsilon: epsilon / 2, lambda epsilon: Fraction(1)), "coefficient 1 of the base measure"),
        Near((lambda epsilon: epsilon / 2, lambda epsilon: Fraction(101, 200)), "a coefficient 1 % too large"),
        Near((lambda epsilon: epsilon, lambda epsilon: Fraction(1, 2)), "eps in place of eps/2 for the data"),
    ),
    strength="verified",
    correction=Correction(
        "exp((eps/2) tr(X'X V (V'V)^-1 V') - tr(V' C^-1 V)/2)",
        (data_factor, lambda epsilon: Fraction(1, 2)),
        "None: the printed density has base measure N(0, C/eps), which depends on no data, and the same law of the "
        "span.",
        "Do not multiply the base measure by eps, unless you mean C/eps.",
        "verified",
        "slip",
    ),
)


def _double(n: int) -> int:
    return prod(range(n, 0, -2))


def span_density(q: tuple[Fraction, ...], m: int) -> Fraction:
    """The squared density of the span of N(0, C) over its value at q = 1, by integrating out the k x k factor.

    The columns of V are H A with H orthonormal, and q are the eigenvalues of H' C^-1 H. What is left is the integral of
    |det A|^(m - k) exp(-tr(A' Q A)/2): rows of A scale by q^(-1/2), exactly, by moments of independent normals.
    """
    k = len(q)
    power = m - k
    # E |det A|^power for rows N(0, 1/q_i): each row contributes q_i^(-power/2); the mass of the Gaussian q_i^(-k/2)
    return prod((Fraction(1) / x ** (power + k) for x in q), start=Fraction(1))


def by_moments(q: tuple[Fraction, ...], m: int) -> Fraction | None:
    """The same ratio, squared, for k = 1 by normal moments and k = 2, m = 4 by Wick's formula: an independent way."""
    if len(q) == 1 and m % 2:  # E r^(m - 1) of N(0, 1/q), an even moment, times the mass q^(-1/2)
        moment = Fraction(_double(m - 2)) / q[0] ** ((m - 1) // 2)
        return (moment / _double(m - 2)) ** 2 / q[0]
    if len(q) == 2 and m == 4:  # E (a d - b c)^2 = E a^2 E d^2 + E b^2 E c^2 - 2 E ad bc
        a, b, c, d = 1 / q[0], 1 / q[0], 1 / q[1], 1 / q[1]
        return ((a * d + b * c) / 2 / (q[0] * q[1])) ** 2
    return None


def check_span(density: Any, effort: Effort) -> str:
    """density(q, m, eps) of the span for X = 0, up to a constant, q the eigenvalues of V' C^-1 V."""
    cases = [(m, k) for m in range(2, effort.pick(5, 7)) for k in (1, 2) if k < m]
    count, crossed = 0, 0
    for (m, k), epsilon in product(cases, (Fraction(1), Fraction(2))):
        for q in product((Fraction(1, 4), Fraction(1), Fraction(9)), repeat=k):
            squared = span_density(q, m)
            other = by_moments(q, m)
            if other is not None and other != squared:
                raise Refuted(f"m = {m}, q = {q}: the two computations differ.")
            crossed += other is not None
            one = (Fraction(1),) * k
            claimed = density(q, m, epsilon) / density(one, m, epsilon)
            count += 1
            if not abs(claimed / ball(squared).sqrt() - 1) < arb("1e-9"):
                raise Refuted(
                    f"m = {m}, k = {k}, X = 0, eps = {epsilon}, eigenvalues of V'C^-1 V ({', '.join(map(str, q))}): "
                    f"the span of N(0, C) has density {show(ball(squared).sqrt())} times that at 1, the formula gives "
                    f"{show(claimed)}."
                )
    return (
        f"{count} density ratios for k = 1, 2 and m up to {cases[-1][0]} (balls), {crossed} of them also by moments, "
        "exact"
    )


def _power(exponent: Any) -> Any:
    return lambda q, m, epsilon: (ball(Fraction(exponent(m, len(q)))) * ball(prod(q)).log()).exp()


SPAN = Claim(
    id=PAPER + "section-5-sampler",
    place="Section 5",
    statement="Since only the span of V matters, one may condition on orthonormal columns and sample a Bingham law.",
    quotation=Quotation(
        "Since we only need the span of V, we can condition on the columns of V being orthonormal. The density f(V | "
        "orthonormal), with respect to the uniform measure on the set of orthonormal matrices in R^(m x k), is "
        "proportional to exp((eps/2) tr(V^T (X^T X - C^-1) V))"
    ),
    printed="f(V | orthonormal) ~ exp((eps/2) tr(V'(X'X - C^-1)V)) for the uniform measure, as the law of the span",
    hypotheses="V'V = I",
    check=check_span,
    formula=lambda q, m, epsilon: (-ball(epsilon) / 2 * ball(sum(q))).exp(),
    near=(
        Near(lambda q, m, epsilon: (-ball(sum(q)) / 2).exp(), "the same with coefficient 1/2"),
        Near(_power(lambda m, k: Fraction(-m * k, 2)), "the power -mk/2 of the determinant"),
        Near(_power(lambda m, k: Fraction(-k, 2)), "the power -k/2"),
        Near(_power(lambda m, k: Fraction(-m, 2) - 1), "a power off by one"),
        Near(_power(lambda m, k: Fraction(-101 * m, 200)), "a power off by 1 %"),
    ),
    strength="verified",
    correction=Correction(
        "the span of V has density exp((eps/2) tr(V'X'XV)) det(V' C^-1 V)^(-m/2) for the uniform measure on "
        "orthonormal V: conditioning on V'V = I is not the same as keeping only the span",
        _power(span_power),
        "None: sampled exactly, the printed law is an exponential mechanism too, with another base measure that "
        "depends on no data. It is not the mechanism of Theorems 4.1 and 4.2.",
        "Use the angular central Gaussian factor, or state the Bingham base measure as your own.",
        "verified",
    ),
)


def check_bingham(formula: Any, effort: Effort) -> str:
    """formula(eps) = (b, a): etr(b V' (a (X'X - C^-1)) V) against exp((eps/2) tr(V'(X'X - C^-1)V)), m = 2, k = 1."""
    count = 0
    for epsilon, x, c in product((Fraction(1, 2), Fraction(3)), (0, 1, 5), effort.pick((1,), (1, 3))):
        for v in ((Fraction(3, 5), Fraction(4, 5)), (Fraction(1), Fraction(0))):
            form = x * v[0] ** 2 - v[0] ** 2 / c - v[1] ** 2  # X'X = diag(x, 0), C = diag(c, 1)
            b, a = formula(epsilon)
            count += 1
            if b * a * form != epsilon / 2 * form:
                raise Refuted(f"eps = {epsilon}, X'X = diag({x}, 0), C = diag({c}, 1), V = ({v[0]}, {v[1]}): it is "
                              f"{epsilon / 2 * form}, not {b * a * form}.")  # fmt: skip
    return (
        f"{count} exponents, exact; the matrix Bingham-von Mises-Fisher density is etr(C'V + B V'AV), here with C = 0"
    )


BINGHAM = Claim(
    id=PAPER + "section-5-gibbs",
    place="Section 5, after the second display",
    statement="The printed law is a matrix Bingham law, for which a Gibbs sampler is known.",
    quotation=Quotation(
        "which is an instance of the Matrix-Bingham-Von-Mises distribution, for which an efficient Gibbs sampler is "
        "known"
    ),
    printed="etr(B V'AV) with B = I and A = (eps/2)(X'X - C^-1)",
    hypotheses="the chain is run to its limit; after finitely many steps only section-7-total-variation is left",
    check=check_bingham,
    formula=lambda epsilon: (Fraction(1), epsilon / 2),
    near=(
        Near(lambda epsilon: (Fraction(1), epsilon), "A without the factor 1/2"),
        Near(lambda epsilon: (Fraction(101, 100), epsilon / 2), "a factor off by 1 %"),
        Near(lambda epsilon: (Fraction(1, 2), Fraction(1)), "without epsilon"),
    ),
    strength="proved",
)
CLAIMS = (DENSITY, SPAN, BINGHAM)

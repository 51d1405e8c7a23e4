"""Section 2.2: Fano's inequality, and divergences under differential privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show
from dpverify.theorems.tools.finite import both_excess, laws

FANO_QUOTED = Quotation(
    r"\frac{1}{2} \min_{i \neq j} \ell(i, j) \left( 1 - \frac{\max_{i \neq j} K(P_i, P_j) + \log 2}{\log n} \right), "
    r"\quad (2.2)"
)
DIVERGENCE_QUOTED = Quotation(
    r"K(P_D, P_{D'}) \leq \alpha d_H(D, D').", note="d_H is the number of records that differ"
)


def _divergence(p: Any, q: Any) -> arb:
    return sum((ball(a) * ball(a / b).log() for a, b in zip(p, q, strict=True)), arb(0))


def check_fano(formula: Any, effort: Effort) -> str:
    """formula = (constant, the added log 2 in nats): against the Bayes risk of the best estimator."""
    constant, added = formula
    count = 0
    for n in (2, 3, 100, 2**200):  # equal laws: every estimator errs with probability 1 - 1/n for some index
        bound = ball(constant) * (1 - added / arb(n).log())
        count += 1
        at_most(bound, 1 - 1 / arb(n), f"{show(arb(n))} equal laws, zero-one loss: the bound is {show(bound)}.")
    for family in product([p for p in laws(2, 4) if 0 not in p], repeat=effort.pick(3, 4)):
        n = len(family)
        spread = [_divergence(p, q) for p, q in product(family, repeat=2)]
        divergence = max(spread, key=lambda k: float(k.mid()))
        bound = ball(constant) * (1 - (divergence + added) / arb(n).log())
        for loss in (lambda i, j: abs(i - j), lambda i, j: int(i != j)):
            total = sum(min(sum(p[z] * loss(i, j) for j, p in enumerate(family)) for i in range(n)) for z in range(2))
            count += 1
            at_most(
                bound - arb("1e-20"),
                ball(Fraction(total) / n),
                f"{n} laws {[tuple(map(str, p)) for p in family]}: the bound is {show(bound)}, an estimator has "
                f"{Fraction(total) / n}.",
            )
    return f"{count} families of laws, equal ones up to 2^200 and all on two points (balls)"


def check_divergence(bound: Any, effort: Effort) -> str:
    """bound(alpha, d_H) for all private pairs on a grid, and for d records under randomised response."""
    count, nearest = 0, arb(0)
    for ratio in (Fraction(2), Fraction(9)):
        for p, q in product(laws(3, effort.pick(10, 12)), repeat=2):
            if 0 in p or 0 in q or both_excess(p, q, ratio) > 0:
                continue
            k, allowed = _divergence(p, q), bound(ball(ratio).log(), 1)
            count += 1
            at_most(k - arb("1e-20"), allowed, f"e^alpha = {ratio}, P = {p}, Q = {q}: the divergence is {show(k)}.")
    for ratio, d in product((Fraction(2), Fraction(10**4)), (1, 2, 5, 40)):
        alpha = ball(ratio).log()
        k, allowed = d * ball((ratio - 1) / (ratio + 1)) * alpha, bound(alpha, d)
        count += 1
        at_most(
            k,
            allowed,
            f"e^alpha = {ratio}, {d} records by randomised response: the divergence is {show(k)}, the bound "
            f"{show(allowed)}.",
        )
        nearest = k / allowed if k / allowed > nearest else nearest
    if not nearest > arb("0.999"):
        raise Refuted(f"the divergence stays below {show(nearest)} of the bound.")
    return f"{count} private pairs (balls), the nearest at {show(nearest)} of the bound"


CLAIMS = (
    Claim(
        id="hall-2012:equation-2.2",
        place="(2.2), Fano's inequality",
        quotation=FANO_QUOTED,
        statement="A lower bound on the largest risk of any estimator of the index of one of n laws.",
        printed="inf max R >= (1/2) min l(i, j) (1 - (max K(P_i, P_j) + log 2)/log n)",
        hypotheses="l a metric, the estimate an index",
        check=check_fano,
        formula=(Fraction(1, 2), arb(2).log()),
        near=(
            Near((Fraction(101, 100), arb(2).log()), "1.01 in place of 1/2"),
            Near((Fraction(1), arb(0)), "1 in place of 1/2, without log 2"),
            Near(
                (Fraction(101, 200), arb(2).log()),
                "1/2 1 % larger",
                "for estimates that are indices even the constant 1 serves; 1/2 is for any estimate",
            ),
        ),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-2.2-divergence",
        place="Section 2.2",
        quotation=DIVERGENCE_QUOTED,
        statement="Under alpha-DP the Kullback-Leibler divergence is at most alpha per changed record.",
        printed="K(P_D, P_D') <= alpha d_H(D, D')",
        hypotheses="alpha-DP",
        check=check_divergence,
        formula=lambda alpha, d: alpha * d,
        near=(
            Near(lambda alpha, d: alpha * d * arb("0.99"), "1 % smaller"),
            Near(lambda alpha, d: alpha * d * arb("1.01"), "1 % larger"),
            Near(lambda alpha, d: alpha * arb(d).sqrt(), "the root of the distance"),
        ),
        strength="verified",
        argument="bounds.txt",
    ),
)

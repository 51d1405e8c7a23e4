"""Sections 1.2.3 and 1.2.4: composition and post-processing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import compose, excess, laws, pairs_text, pushed

COMPOSED_QUOTED = Quotation(
    r"satisfies  $\alpha + \alpha'$ -differential privacy.",
    note="after the proof: 'Evidently a similar property holds for approximate differential privacy.' The proof "
    "compares rectangles A x A', which suffice for beta = 0; for beta > 0 all events are needed",
)
PROCESSED_QUOTED = Quotation(
    r"Q_D(B) = P_D(f^{-1}(B)), B \in \mathcal{B}$$ *also achieve the  $(\alpha, \beta)$ -differential privacy.*"
)


def check_composition(formula: Any, effort: Effort) -> str:
    """formula = (ratio of the product, beta of the product), over laws on two points each; it must be attained."""
    ratio_of, beta_of = formula
    pairs = list(product(laws(2, effort.pick(5, 8)), repeat=2))
    attained = 0
    for (p, q), (r, s) in product(pairs, repeat=2):
        for one, two in ((Fraction(2), Fraction(3, 2)), (Fraction(2), Fraction(2))):
            beta = beta_of(excess(p, q, one), excess(r, s, two))
            total = excess(compose(p, r), compose(q, s), ratio_of(one, two))
            attained += beta > 0 and total == beta
            if total > beta:
                raise Refuted(
                    f"first {pairs_text(p, q)}, second {pairs_text(r, s)}, e^alpha = {one}, e^alpha' = {two}: the "
                    f"product exceeds {ratio_of(one, two)} times its neighbour by {total}, and beta = {beta} is "
                    "allowed."
                )
    if not attained:
        raise Refuted(f"over {len(pairs) ** 2} products the bound is never reached.")
    return f"{len(pairs) ** 2} products at two pairs of ratios, all events, exact; {attained} attain beta + beta'"


def check_processing(rule: Any, effort: Effort) -> str:
    """rule(beta) bounds the excess after every map from three points to two; it must be attained."""
    count = attained = 0
    for ratio in (Fraction(2), Fraction(3, 2)):
        for p, q in product(laws(3, effort.pick(4, 6)), repeat=2):
            allowed = rule(excess(p, q, ratio))
            for f in product(range(2), repeat=3):
                after = excess(pushed(p, f, 2), pushed(q, f, 2), ratio)
                count += 1
                attained += after == allowed > 0
                if after > allowed:
                    raise Refuted(f"{pairs_text(p, q)}, f = {f}: the excess after f is {after}, not {allowed}.")
    if not attained:
        raise Refuted(f"over {count} maps the bound is never reached.")
    return f"{count} maps from three points to two, exact; {attained} lose nothing"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.2.4",
        place="Proposition 1.2.4 and the remark after it",
        quotation=COMPOSED_QUOTED,
        statement="Independent releases compose: alpha + alpha', and beta + beta'.",
        printed="alpha + alpha'; a similar property for approximate DP",
        hypotheses="product measure",
        check=check_composition,
        formula=(lambda one, two: one * two, lambda one, two: one + two),
        near=(
            Near((lambda one, two: max(one, two), lambda one, two: one + two), "the larger alpha"),
            Near((lambda one, two: one * two * 99 / 100, lambda one, two: one + two), "e^(alpha + alpha') 1 % smaller"),
            Near((lambda one, two: one * two, lambda one, two: (one + two) * 99 / 100), "beta + beta' 1 % smaller"),
        ),
        strength="verified",
        argument="privacy.txt",
    ),
    Claim(
        id="hall-2012:proposition-1.2.5",
        place="Proposition 1.2.5",
        quotation=PROCESSED_QUOTED,
        statement="A function of the output keeps (alpha, beta)-DP.",
        printed="Q_D(B) = P_D(f^-1(B)) is (alpha, beta)-DP",
        hypotheses="f measurable",
        check=check_processing,
        formula=lambda beta: beta,
        near=(
            Near(lambda beta: beta * 99 / 100, "beta 1 % smaller"),
            Near(lambda beta: beta * 101 / 100, "beta 1 % larger"),
            Near(lambda beta: beta / 2, "with beta/2"),
        ),
        strength="verified",
        argument="privacy.txt",
    ),
)

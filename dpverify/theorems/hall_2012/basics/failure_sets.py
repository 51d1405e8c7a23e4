"""Section 1.2.2: approximate privacy as exact privacy outside a set, and why the converse fails."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import events, excess, laws, mass, pairs_text

SET_QUOTED = Quotation(
    r"P_D(A_{D,D'}^*) \geq 1 - \beta. \quad (1.3)$$ Then the mechanism  $\{P_D\}$  achieves the  $(\alpha, \beta)$ -DP."
)
CONVERSE_QUOTED = Quotation(
    r"there is no non-empty set of the output space in which the ratio of probabilities is bounded by  $e^\alpha$  "
    "on each subset.",
    note="(1.2) bounds P_D by e^alpha P_D', for the ordered pair; here P' and Q' are both named",
)


def check_failure_set(cost: Any, effort: Effort) -> str:
    """Where alpha-DP holds on every subset of A, the pair must be (alpha, cost(P(A)))-DP, and no better in general."""
    count = attained = 0
    for ratio in (Fraction(2), Fraction(3, 2)):
        for p, q in product(laws(3, effort.pick(4, 6)), repeat=2):
            for region in events(3):
                if all(p[i] <= ratio * q[i] for i in region):
                    beta, true = cost(mass(p, region)), excess(p, q, ratio)
                    count += 1
                    attained += true == beta > 0
                    if true > beta:
                        raise Refuted(
                            f"e^alpha = {ratio}, {pairs_text(p, q)}, A = {region}: beta must be {true}, not {beta}."
                        )
    if not attained:
        raise Refuted(f"over {count} pairs a smaller beta always serves.")
    return f"{count} pairs with their failure sets, exact; {attained} of them need all of beta"


def check_converse(formula: Any, effort: Effort) -> str:
    """formula = (step(beta, e^alpha), directions): the perturbed pair, and the sets with bounded ratios in them."""
    step, directions = formula
    count = 0
    for ratio, beta in product(
        (Fraction(2), Fraction(10)), (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))[: effort.pick(2, 3)]
    ):
        high = ratio / (ratio + 1) + step(beta, ratio)
        p, q = (high, 1 - high), (1 - high, high)
        count += 1
        if excess(p, q, ratio) != beta:
            raise Refuted(f"e^alpha = {ratio}, beta = {beta}: the pair needs beta = {excess(p, q, ratio)}.")
        for region in filter(None, events(2)):
            forth = all(p[i] <= ratio * q[i] for i in region)
            back = all(q[i] <= ratio * p[i] for i in region)
            if forth and (back or directions == 1):
                raise Refuted(
                    f"e^alpha = {ratio}, beta = {beta}, {pairs_text(p, q)}: on the set {region} P' is at most e^alpha "
                    f"Q'; its mass {mass(p, region)} is below 1 - beta, so Proposition 1.2.3 does not use it."
                )
            if forth and mass(p, region) >= 1 - beta:
                raise Refuted(f"the set {region} serves in Proposition 1.2.3.")
    return f"{count} pairs, exact: on no non-empty set are both ratios bounded, and none serves in Proposition 1.2.3"


def step(beta: Fraction, ratio: Fraction) -> Fraction:
    """beta / (ratio + 1)."""
    return beta / (ratio + 1)


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.2.3",
        place="Proposition 1.2.3",
        quotation=SET_QUOTED,
        statement="If alpha-DP holds on all subsets of a set of probability 1 - beta, the mechanism is (alpha, "
        "beta)-DP.",
        printed="P_D(A*) >= 1 - beta",
        hypotheses="for every pair of neighbours such a set",
        check=check_failure_set,
        formula=lambda probability: 1 - probability,
        near=(
            Near(lambda probability: (1 - probability) * 99 / 100, "1 % less than the failure probability"),
            Near(lambda probability: (1 - probability) * 101 / 100, "1 % more"),
            Near(lambda probability: (1 - probability) ** 2, "its square"),
        ),
        strength="verified",
        argument="privacy.txt",
    ),
    Claim(
        id="hall-2012:section-1.2.2-converse",
        place="Section 1.2.2, after Proposition 1.2.3",
        quotation=CONVERSE_QUOTED,
        statement="A pair on two points that is (alpha, beta)-DP and has no set on which the ratios are bounded.",
        printed="P'(0) = Q'(1) = (1 + (e^alpha - 1)/(e^alpha + 1))/2 + beta/(e^alpha + 1)",
        hypotheses="0 < beta < 1",
        check=check_converse,
        formula=(step, 1),
        near=(
            Near((lambda beta, ratio: step(beta, ratio) * 101 / 100, 2), "a perturbation 1 % larger"),
            Near((lambda beta, ratio: step(beta, ratio) / 2, 2), "half of the perturbation"),
            Near((lambda beta, ratio: beta / ratio, 2), "beta/e^alpha"),
        ),
        strength="verified",
        correction=Correction(
            "there is no non-empty set on which the ratios are bounded in both directions; in the direction of (1.2) "
            "alone {1} is one, with a mass below 1 - beta, so the converse of Proposition 1.2.3 fails in either "
            "reading",
            (step, 2),
            "None: the conclusion stands.",
            "Nothing.",
            "verified",
            "ambiguous",
        ),
    ),
)

"""Section 1.2: hypothesis tests, failure sets, composition, post-processing, by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Refuted
from dpverify.theorems.tools.finite import compose, events, excess, laws, mass, pushed

RATIOS = (Fraction(2), Fraction(3, 2))


def _text(law: Any) -> str:
    return f"({', '.join(str(x) for x in law)})"


def check_power(bound: Any, effort: Effort) -> str:
    """bound(size, e^alpha, beta) against the power of every rejection region, beta being the smallest that fits."""
    count, attained = 0, False
    for ratio in RATIOS:
        for p, q in product(laws(3, effort.pick(4, 6)), repeat=2):
            beta = excess(q, p, ratio)
            for region in events(3):
                power, allowed = mass(q, region), bound(mass(p, region), ratio, beta)
                count += 1
                attained = attained or power == allowed
                if power > allowed:
                    raise Refuted(
                        f"e^alpha = {ratio}, beta = {beta}, P = {_text(p)}, Q = {_text(q)}, rejection region {region}: "
                        "the power is "
                        f"{power}, the bound {allowed}."
                    )
    if not attained:
        raise Refuted("the bound is never attained on the instances.")
    return f"{count} tests, exact; the bound is attained, so 'smaller' must be read as 'at most'"


def check_failure_set(cost: Any, effort: Effort) -> str:
    """Where alpha-DP holds on every subset of A, the pair must be (alpha, cost(P(A)))-DP."""
    count = 0
    for ratio in RATIOS:
        for p, q in product(laws(3, effort.pick(4, 6)), repeat=2):
            for region in events(3):
                if all(p[i] <= ratio * q[i] for i in region):
                    beta = cost(mass(p, region))
                    count += 1
                    if excess(p, q, ratio) > beta:
                        raise Refuted(
                            f"e^alpha = {ratio}, P = {_text(p)}, Q = {_text(q)}, A = {region}: beta must be "
                            f"{excess(p, q, ratio)}, "
                            f"the bound gives {beta}."
                        )
    return f"{count} pairs with their failure sets, exact"


def check_converse(step: Any, effort: Effort) -> str:
    """The pair perturbed by step(beta, e^alpha): exactly (alpha, beta)-DP, and no set as in Proposition 1.2.3."""
    for ratio in (Fraction(2), Fraction(10)):
        for beta in (Fraction(1, 10), Fraction(1, 2))[: effort.pick(1, 2)]:
            high = ratio / (ratio + 1) + step(beta, ratio)
            p, q = (high, 1 - high), (1 - high, high)
            if excess(p, q, ratio) != beta:
                raise Refuted(f"e^alpha = {ratio}, beta = {beta}: the pair needs beta = {excess(p, q, ratio)}.")
            for region in events(2):
                both = all(p[i] <= ratio * q[i] and q[i] <= ratio * p[i] for i in region)
                one_way = all(p[i] <= ratio * q[i] for i in region)
                if (region and both) or (one_way and mass(p, region) >= 1 - beta):
                    raise Refuted(f"the set {region} serves.")
    return (
        "exact; no set has both ratios bounded; in one direction alone the set {1} has, but its mass is below 1 - "
        "beta, so "
        "the converse of Proposition 1.2.3 fails all the same"
    )


def check_composition(formula: Any, effort: Effort) -> str:
    """formula = (ratio of the product, beta of the product), over laws on two points each."""
    ratio_of, beta_of = formula
    pairs = list(product(laws(2, effort.pick(5, 8)), repeat=2))
    for (p, q), (r, s) in product(pairs, repeat=2):
        for one, two in ((Fraction(2), Fraction(3, 2)), (Fraction(2), Fraction(2))):
            beta = beta_of(excess(p, q, one), excess(r, s, two))
            total = excess(compose(p, r), compose(q, s), ratio_of(one, two))
            if total > beta:
                raise Refuted(
                    f"P = {_text(p)} against {_text(q)}, Q = {_text(r)} against {_text(s)}, e^alpha = {one}, e^alpha' "
                    f"= {two}: the "
                    f"product exceeds e^{{..}} = {ratio_of(one, two)} by {total}, and beta = {beta} is allowed."
                )
    return f"{len(pairs) ** 2} products at two pairs of ratios, all events (hockey-stick divergence), exact"


def check_processing(rule: Any, effort: Effort) -> str:
    """rule(beta) bounds the excess after every map from three points to two."""
    for ratio in RATIOS:
        for p, q in product(laws(3, effort.pick(4, 6)), repeat=2):
            for f in product(range(2), repeat=3):
                after = excess(pushed(p, f, 2), pushed(q, f, 2), ratio)
                if after > rule(excess(p, q, ratio)):
                    raise Refuted(f"P = {_text(p)}, Q = {_text(q)}, f = {f}: the excess after f is {after}.")
    return "all maps from three points to two, all laws on a grid, exact; in general f^-1(B) is an event"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.2.2",
        place="Proposition 1.2.2",
        statement="Any test between neighbouring databases of size gamma has power at most e^alpha gamma + beta.",
        printed="power smaller than e^alpha gamma + beta",
        hypotheses="(alpha, beta)-DP",
        check=check_power,
        formula=lambda size, ratio, beta: ratio * size + beta,
        near=(Near(lambda size, ratio, beta: ratio * size, "without beta"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:proposition-1.2.3",
        place="Proposition 1.2.3",
        statement="If alpha-DP holds on all subsets of a set of probability 1 - beta, the mechanism is (alpha, "
        "beta)-DP.",
        printed="P_D(A*) >= 1 - beta",
        hypotheses="for every pair of neighbours such a set",
        check=check_failure_set,
        formula=lambda probability: 1 - probability,
        near=(Near(lambda probability: (1 - probability) / 2, "half of the failure probability"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-1.2.2-converse",
        place="Section 1.2.2, after Proposition 1.2.3",
        statement="A pair on two points that is (alpha, beta)-DP and has no set on which the ratios are bounded.",
        printed="P'(0) = Q'(1) = (1 + (e^alpha - 1)/(e^alpha + 1))/2 + beta/(e^alpha + 1)",
        hypotheses="0 < beta <= 1",
        check=check_converse,
        formula=lambda beta, ratio: beta / (ratio + 1),
        near=(Near(lambda beta, ratio: beta / 2 / (ratio + 1), "half of the perturbation"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:proposition-1.2.4",
        place="Proposition 1.2.4 and the remark after it",
        statement="Independent releases compose: alpha + alpha', and beta + beta'.",
        printed="alpha + alpha'; a similar property for approximate DP",
        hypotheses="product measure",
        check=check_composition,
        formula=(lambda one, two: one * two, lambda one, two: one + two),
        near=(Near((lambda one, two: max(one, two), lambda one, two: one + two), "the larger alpha"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:proposition-1.2.5",
        place="Proposition 1.2.5",
        statement="A function of the output keeps (alpha, beta)-DP.",
        printed="Q_D(B) = P_D(f^-1(B)) is (alpha, beta)-DP",
        hypotheses="f measurable",
        check=check_processing,
        formula=lambda beta: beta,
        near=(Near(lambda beta: beta / 2, "with beta/2"),),
        strength="proved",
    ),
)

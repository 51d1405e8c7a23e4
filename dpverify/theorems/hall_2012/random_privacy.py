"""Sections 5.1 and 5.2.2: random differential privacy, its composition, and a binary proportion."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

from dpverify.mechanisms.hall import SAFE, share_is_safe
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import compose, excess

# --- Proposition 5.1.2 ---


def _leaky(beta: Fraction, ratio: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Randomised response that reveals the record with probability beta."""
    high, low = (1 - beta) * ratio / (1 + ratio), (1 - beta) / (1 + ratio)
    return [beta, high, low, Fraction(0)], [Fraction(0), low, high, beta]


def check_composition(rule: Any, effort: Effort) -> str:
    """rule(beta, beta') of two mechanisms that reveal all with probability beta, and are alpha-DP otherwise."""
    betas = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 1000)]
    for one, two, ratio in product(betas, betas, (Fraction(2), Fraction(3))):
        (p, q), (r, s) = _leaky(one, ratio), _leaky(two, ratio)
        if excess(p, q, ratio) != one or excess(r, s, ratio) != two:
            raise AssertionError("the components do not have the betas they should")
        total = excess(compose(p, r), compose(q, s), ratio * ratio)
        if total > rule(one, two):
            raise Refuted(
                f"beta = {one}, beta' = {two}, gamma = 0: the pair of outputs needs beta = {total}, and "
                f"{rule(one, two)} is claimed."
            )
    return (
        f"randomised response that leaks with probability beta, {2 * len(betas) ** 2} pairs, exact; the same "
        "events bound the betas by their sum, and a union bound the gammas"
    )


COMPOSITION = Claim(
    id="hall-2012:proposition-5.1.2",
    place="Proposition 5.1.2",
    statement="Releases that are (alpha, beta, gamma)-RDP compose.",
    printed="(alpha + alpha', gamma + gamma')-RDP, for any beta and beta'",
    hypotheses="(alpha, beta, gamma)- and (alpha', beta', gamma')-RDP",
    check=check_composition,
    formula=lambda one, two: Fraction(0),
    near=(
        Near(lambda one, two: max(one, two), "the larger beta"),
        Near(lambda one, two: Fraction(99, 100) * (one + two), "1 % less"),
        Near(lambda one, two: one * two, "their product"),
        Near(lambda one, two: one + two - one * two, "beta + beta' - beta beta'", "exactly that leaks here"),
    ),
    strength="verified",
    correction=Correction(
        "(alpha + alpha', beta + beta', gamma + gamma')-RDP; as printed for beta = beta' = 0, as in the example that "
        "follows it",
        lambda one, two: one + two,
        "Yes: the betas are dropped, and each may be the probability of releasing everything.",
        "Add the betas too.",
        "verified",
    ),
    quotation=Quotation(
        "Suppose P, P' are families of distributions over Z, Z' which are (alpha, beta, gamma)-RDP and (alpha', beta', "
        "gamma')-RDP respectively. The release of outputs of both procedures achieves (alpha + alpha', gamma + "
        "gamma')-RDP."
    ),
)

# --- Section 5.2 ---


def check_difference(formula: Any, effort: Effort) -> str:
    """formula(p) = P(x_n != x_n') for two independent Bernoulli(p)."""
    points = (Fraction(1, 10), Fraction(1, 2), Fraction(5, 7))
    for p in points:
        true = sum(
            ((p if a else 1 - p) * (p if b else 1 - p) for a, b in product((0, 1), repeat=2) if a != b), Fraction(0)
        )
        if formula(p) != true:
            raise Refuted(f"p = {p}: the probability is {true}, not {formula(p)}.")
    return f"enumeration at {len(points)} values of p, exact, and quadratics that agree at three points are the same"


DIFFERENCE = Claim(
    id="hall-2012:section-5.2-probability",
    place="Section 5.2",
    statement="The probability that a fresh binary record differs.",
    printed="P(p^ != p^') = 2p(1 - p)",
    hypotheses="independent Bernoulli(p)",
    check=check_difference,
    formula=lambda p: 2 * p * (1 - p),
    near=(
        Near(lambda p: p * (1 - p), "p(1 - p)"),
        Near(lambda p: Fraction(101, 50) * p * (1 - p), "1 % more"),
        Near(lambda p: 2 * p * (1 - p) ** 2, "2p(1 - p)^2"),
    ),
    strength="proved",
    quotation=Quotation("P(p^ != p^') = P(x_n != x'_n) = 2p(1-p)"),
)

# --- Section 5.2.2 ---


def check_conditional(formula: Any, effort: Effort) -> str:
    """formula(n, s) = P(x_n != x_(n+1)) given s ones among n + 1, over all rearrangements."""
    sizes = range(1, effort.pick(5, 7))
    for n in sizes:
        for s in range(n + 2):
            sample = [1] * s + [0] * (n + 1 - s)
            hits = sum(order[-1] != order[-2] for order in permutations(sample))
            true = Fraction(hits, factorial(n + 1))
            if formula(n, s) != true:
                raise Refuted(
                    f"n = {n}, s = {s}: the fraction of rearrangements is {true}, the formula gives {formula(n, s)}."
                )
            if true > Fraction(2 * s, n):
                raise AssertionError("the bound 2s/n fails")
    return f"all rearrangements of up to {sizes.stop} records, exact; the bound 2s/n that is used holds at each"


CONDITIONAL = Claim(
    id="hall-2012:section-5.2.2-conditional",
    place="Section 5.2.2, before (5.1)",
    statement="The probability that the last two of n + 1 records differ, given s ones.",
    printed="2s(n+1-s)(n-1)!/(n+1)! = 2s/n - s/(n(n+1)) <= 2s/n",
    hypotheses="given the order statistics",
    check=check_conditional,
    formula=lambda n, s: Fraction(2 * s, n) - Fraction(s, n * (n + 1)),
    near=(
        Near(lambda n, s: Fraction(2 * s, n), "2s/n"),
        Near(lambda n, s: Fraction(2 * s * (n + 1 - s), (n + 1) ** 2), "(n + 1)^2 in the denominator"),
        Near(lambda n, s: Fraction(101 * 2 * s * (n + 1 - s), 100 * n * (n + 1)), "1 % more"),
    ),
    strength="verified",
    correction=Correction(
        "2s(n+1-s)/(n(n+1)) = 2s/n - 2s^2/(n(n+1)); the first member and the bound are right",
        lambda n, s: Fraction(2 * s, n) - Fraction(2 * s * s, n * (n + 1)),
        "None: only the bound 2s/n is used.",
        "Nothing.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "P(xi = 1 | x_(1), ..., x_(n+1)) = 2s(n+1-s)(n-1)!/(n+1)! = 2s/n - s/(n(n+1)) <= 2s/n <= 2(p^ + n^{-1})"
    ),
)

# --- Proposition 5.2.1 ---


def exceeded(u: Any, n: Any, probability: Any) -> bool:
    """Whether 2u/n exceeds the probability by a positive multiple of u/(n(n + 1)), identically (SymPy)."""
    import sympy

    rest = sympy.simplify((2 * u / n - probability) * n * (n + 1) / u)
    return bool(rest.is_positive)


def check_proportion(factor: Any, effort: Effort) -> str:
    """Release p^ exactly when factor (p^ + 1/n) <= gamma: the failure probability given s, at the least such gamma."""
    sizes = range(1, effort.pick(130, 250))
    for n in sizes:
        for s in range(1, n + 1):
            probability = Fraction(2 * s * (n + 1 - s), n * (n + 1))  # that x_n and x_(n+1) differ
            gamma = Fraction(factor) * Fraction(s, n)  # the smaller estimate is (s - 1)/n
            if not share_is_safe(s - 1, n, gamma, factor):
                raise AssertionError("the mechanism adds noise here")
            if gamma < 1 and probability > gamma:
                raise Refuted(
                    f"n = {n}, s = {s} ones among n + 1, gamma = {gamma}: privacy fails with probability {probability}."
                )
    import sympy

    s_, n_ = sympy.symbols("s n", positive=True)
    if not exceeded(s_, n_, 2 * s_ * (n_ + 1 - s_) / (n_ * (n_ + 1))):
        raise AssertionError("the probability is not at most 2s/n")
    return (
        f"exact for n < {sizes.stop}, every s and gamma; for all n the probability is 2s/n - 2s^2/(n(n+1)) <= 2s/n <= "
        "gamma (SymPy)"
    )


PROPORTION = Claim(
    id="hall-2012:proposition-5.2.1",
    place="Proposition 5.2.1, technique (5.1)",
    statement="Releasing a small proportion exactly, and a large one with Laplace noise, is (alpha, 0, gamma)-RDP.",
    printed="p~ = p^ if 2(p^ + 1/n) <= gamma, else p^ + L/(n alpha)",
    hypotheses="independent binary records",
    check=check_proportion,
    formula=SAFE,
    near=(
        Near(1, "p^ + 1/n <= gamma"),
        Near(Fraction(198, 100), "1.98 (p^ + 1/n) <= gamma"),
        Near(Fraction(3, 2), "1.5 (p^ + 1/n) <= gamma"),
    ),
    strength="proved",
    quotation=Quotation("The technique of (5.1) achieves (alpha, 0, gamma)-RDP."),
)

CLAIMS = (COMPOSITION, DIFFERENCE, CONDITIONAL, PROPORTION)

"""Section 4.4.2, the rates that the moments lead to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.caratheodory_body import SENSITIVITY
from dpverify.theorems.hall_2012.orders import bandwidth, cutoff, minimax, order

NONE = "None: it concerns accuracy."

# --- the one-dimensional rate ---


def check_one(exponent: Any, effort: Effort) -> str:
    """exponent of n of n^(-4/5) + E r^2 E ||w||^2, r of shape 2m + 1 and scale Delta/alpha, Delta = (m + 1)/n."""

    def noise(n: arb) -> arb:
        m = cutoff(n, 1)
        trace = 3 * m * (5 * m + 3) / (4 * (2 * m + 1) * (m + 1))
        return (2 * m + 1) * (2 * m + 2) * ((m + 1) / n) ** 2 * trace

    added = order(noise)
    total = max(added, minimax(1))
    if total != (exponent, Fraction(0)):
        raise Refuted(f"the noise adds n^({added[0]}) (log n)^{added[1]}, and the whole error is n^({total[0]}).")
    return f"order of the noise with Delta = (m + 1)/n: n^({added[0]}) (log n)^{added[1]} (balls), below n^(-4/5)"


ONE = Claim(
    id="hall-2012:section-4.4.2-rate-line",
    place="Section 4.4.2, the rate in one dimension",
    statement="In one dimension the mechanism keeps the minimax rate, also with the corrected sensitivity.",
    printed="E ||f_X - f~||^2 = O(n^(-4/5)) + O(m^2/n^2) = O(n^(-4/5))",
    hypotheses="m as in (4.12); Delta = (m + 1)/n, not 2/n",
    check=check_one,
    formula=Fraction(-4, 5),
    near=(
        Near(Fraction(-6, 5), "n^(-6/5), the noise alone"),
        Near(Fraction(-3, 5), "n^(-3/5)"),
        Near(Fraction(-101, 125), "an exponent off by 1 %"),
    ),
    strength="verified",
    quotation=Quotation(
        "Therefore in the one dimensional case, the above private density estimator has the convergence rate E ||f_X - "
        "f~^{m,K}_X||^2 = O(n^{-4/5}) + O(m^2/n^2) = O(n^{-4/5})",
        note="With Delta = 2/n the noise is m^2/n^2; with Delta = (m + 1)/n it is m^4/n^2.",
    ),
    rests_on=(SENSITIVITY, "hall-2012:section-4.4.2-trace"),
)

# --- the displayed chain ---


def check_chain(sign: Any, effort: Effort) -> str:
    """The three members of the chain at h = n^(-1/(4+d)), n^(sign 2d/(d+4)) in the middle: one order?"""
    dimensions = range(1, effort.pick(6, 12))
    for d in dimensions:

        def start(n: arb, d: int = d) -> arb:
            return cutoff(n, d) ** (2 * d) / n**2

        first = order(start)
        middle = (sign * Fraction(2 * d, d + 4) - 2, Fraction(2 * d))
        last = (Fraction(-4, d + 4) - Fraction(4, d + 4), Fraction(2 * d))
        if not first == middle == last:
            raise Refuted(f"d = {d}: the members are of orders n^({first[0]}), n^({middle[0]}) and n^({last[0]}).")
    return f"orders for d < {dimensions.stop} (balls): n^(-8/(d+4)) (log n)^(2d)"


CHAIN = Claim(
    id="hall-2012:section-4.4.2-chain",
    place="Section 4.4.2, the rate in d dimensions, the displayed chain",
    statement="Three ways of writing the order m^(2d)/n^2.",
    printed="(log n)^(2d)/(h^(2d) n^2) = (log n)^(2d)/(n^(2d/(d+4)) n^2) = n^(-4/(d+4)) (log n)^(2d)/n^(4/(d+4))",
    hypotheses="h = n^(-1/(4+d))",
    check=check_chain,
    formula=-1,
    near=(Near(0, "without the power of n"), Near(Fraction(101, 100), "the exponent 1 % more"), Near(2, "its double")),
    strength="verified",
    correction=Correction(
        "the middle member is n^(2d/(d+4)) (log n)^(2d)/n^2; the last is right",
        1,
        NONE,
        "Nothing.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "O((log n)^{2d}/(h^{2d} n^2)) = O((log n)^{2d}/(n^{2d/(d+4)} n^2)) = O(n^{-4/(d+4)} (log n)^{2d}/n^{4/(d+4)}) "
        "= "
        "O(n^{-4/(d+4)})"
    ),
)

# --- the conclusion ---


def _least(d: int) -> tuple[Fraction, Fraction]:
    """The order of m^(2d) h^(-d)/n^2."""

    def noise(n: arb) -> arb:
        return (cutoff(n, d) + 1) ** (2 * d) / bandwidth(n, d) ** d / n**2

    return order(noise)


def check_rate(exponents: Any, effort: Effort) -> str:
    """exponents(d) of n and log n of E r^2, r of shape (2m + 1)^d and scale Delta/alpha, Delta = (m + 1)^d/n."""
    dimensions = range(1, effort.pick(6, 12))
    kept = []
    for d in (3, *(d for d in dimensions if d != 3)):  # three is where it shows most plainly

        def noise(n: arb, d: int = d) -> arb:
            wide = (2 * cutoff(n, d) + 1) ** d
            return wide * (wide + 1) * ((cutoff(n, d) + 1) ** d / n) ** 2

        true = order(noise)
        if true < minimax(d):
            kept.append(d)
        if exponents(d) != true:
            verdict = "meets" if true < minimax(d) else "loses"
            raise Refuted(
                f"d = {d}, Delta = (m + 1)^d/n, the least that is private: the noise has order n^({true[0]}) "
                f"(log n)^{true[1]}, not n^({exponents(d)[0]}) (log n)^{exponents(d)[1]}, and {verdict} the rate "
                f"n^({minimax(d)[0]})."
            )
    lost = [d for d in dimensions if _least(d) > minimax(d)]
    return (
        f"whatever the inertia, the least noise (least_noise.md) exceeds the rate for d in {lost}. "
        f"Orders for d < {dimensions.stop} (balls), E ||u||^2 taken as of order one, as in (4.13): below the minimax "
        f"rate "
        f"for d in {kept} only; at d = 2 the exponents agree and the logarithms lose"
    )


RATE = Claim(
    id="hall-2012:section-4.4.2-rate",
    place="Section 4.4.2, the rate in d dimensions, and Section 4.5",
    statement="The mechanism keeps the minimax rate in every dimension.",
    printed="E ||f_X - f~||^2 = O(m^(2d)/n^2) = n^(-8/(d+4)) (log n)^(2d) = O(n^(-4/(d+4)))",
    hypotheses="h and m as in (4.3) and (4.12), E ||u||^2 of order one, as in (4.13)",
    check=check_rate,
    formula=lambda d: (Fraction(-8, 4 + d), 2 * d),
    near=(
        Near(lambda d: (Fraction(3 * d, 4 + d) - 2, 3 * d), "m^(3d)/n^2"),
        Near(lambda d: (Fraction(2 * d - 8, 4 + d), 2 * d), "half the logarithms"),
        Near(lambda d: (Fraction(101 * (2 * d - 8), 100 * (4 + d)), 4 * d), "an exponent off by 1 %"),
    ),
    strength="verified",
    correction=Correction(
        "with Delta = (m + 1)^d/n, and E ||u||^2 of order one, the noise is m^(4d)/n^2 = n^((2d-8)/(d+4)) (log "
        "n)^(4d): "
        "the minimax rate holds for d = 1, is lost by logarithms for d = 2, and outright for d >= 3. Without any "
        "assumption on E ||u||^2 each coefficient gets at least the variance of Laplace noise of scale Delta/alpha, "
        "and "
        "the rate is lost for d >= 4. With the symmetrised body Delta = 2/n stays and the printed order would stand, "
        "if "
        "a uniform point of (K' - K')/2 has bounded E ||u||^2: its inertia, and a sampler for it, are unproved",
        lambda d: (Fraction(2 * d - 8, 4 + d), 4 * d),
        "Indirect: the printed rate is that of noise too small for alpha (see the sensitivity).",
        "Use it for d = 1, or symmetrise the body and bound its inertia first.",
        "verified",
        "error",
        SENSITIVITY,
    ),
    quotation=Quotation(
        "Therefore we find that the method described above maintains the correct convergence rate. In fact ... the "
        "rate at "
        "which the private estimator converges to the non-private one is substantially faster than the convergence of "
        "the "
        "latter to the true density."
    ),
    argument="least_noise.md",
    rests_on=("hall-2012:section-4.4.2-sensitivity-d",),
)

CLAIMS = (CHAIN, RATE)
FIRST = (ONE,)

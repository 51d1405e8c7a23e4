"""Section 4.2: no epsilon in infinite dimension, and what (epsilon, delta) remains."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import ball, gaussian_delta, show


def _t_epsilon(d: int) -> arb:
    """The epsilon of Student t with nu = 3 in R^d at Delta/sigma = 1."""
    best = (1 + arb(13).sqrt()) / 2
    return arb(3 + d) / 2 * ((1 + best**2 / 3) / (1 + (best - 1) ** 2 / 3)).log()


def check_impossibility(claimed: Any, effort: Effort) -> str:
    """claimed(rank, moves) says "private for no epsilon": rank None is infinite, moves that T changes."""
    for moves in (False, True):
        for rank in (None, 1, 2, 10):
            private = not moves or (rank is not None and _t_epsilon(rank).is_finite())
            words = f"rank {rank or 'infinite'}, T {'changes between neighbours' if moves else 'constant'}"
            if claimed(rank, moves) and private:
                size = show(_t_epsilon(rank)) if moves and rank else "0"
                raise Refuted(f"{words}, Student t noise with nu = 3: private with epsilon = {size}.")
            if not claimed(rank, moves) and not private:
                raise Refuted(f"{words}: sections of d dimensions have an epsilon that grows like 0.73 d.")
    for level in effort.pick((10, 1000), (10, 1000, 10**6)):
        if not _t_epsilon(4 * level) > level:
            raise Refuted(f"in {4 * level} dimensions epsilon is still below {level}.")
    return (
        "Student t, nu = 3: epsilon of d-dimensional sections exceeds every level tried (balls), up to 1e6; for other "
        "mixtures V is recovered from the sample as the proof says, and given V the noise is Gaussian"
    )


def check_recovery(limit: Any, effort: Effort) -> str:
    """V_n = (1/n) sum g_i(T + sigma V Z)^2: its mean and variance given V, exact, against the claimed limit."""
    energy = Fraction(4, 3)  # sum of g_i(T)^2 with g_i(T) = 2^-i
    for sigma in (Fraction(1), Fraction(2), Fraction(1, 3)):
        for v in (Fraction(1), Fraction(3, 2)):
            for n in (10**3, effort.pick(10**6, 10**9)):
                noise = sigma * v
                gap = abs(noise**2 - limit(sigma, v))
                variance = 4 * noise**2 * energy / n**2 + 2 * noise**4 / n
                if gap > energy / n and gap**2 > 100 * variance:
                    raise Refuted(
                        f"sigma = {sigma}, V = {v}: V_n has mean within {energy}/n of {noise**2} and variance "
                        f"{show(variance)} "
                        f"at n = {n}, so it does not tend to {limit(sigma, v)}."
                    )
    return "mean and variance of V_n given V, exact, at n up to 1e9: it tends to (sigma V)^2, from which V is known"


def check_calibration(formula: Any, effort: Effort) -> str:
    """formula = (delta(law of V, delta'), largest epsilon): the exact Gaussian curve, averaged over V."""
    delta, largest = formula
    laws = (((Fraction(1, 2), 1),), ((Fraction(1), 1),), ((Fraction(2), 1),), ((Fraction(1, 4), 1), (Fraction(2), 3)))
    count = 0
    for epsilon in (arb("0.1"), arb("0.5"), arb(1), arb(2), arb("2.77"), arb(20)):
        for law, exponent in product(laws, (1, 2, 5, 10, 30)):
            if not epsilon <= largest:
                continue
            total = sum(w for _, w in law)
            inner = (-arb(exponent)).exp()  # delta'
            s = (2 * (2 / inner).log()).sqrt()
            true = sum((gaussian_delta(epsilon, epsilon / (s * ball(v))) * w / total for v, w in law), arb(0))
            claimed = delta(law, inner)
            count += 1
            if true > claimed:
                values = ", ".join(f"{v} (weight {w}/{total})" for v, w in law) if total > 1 else f"{law[0][0]} always"
                raise Refuted(
                    f"V = {values}, delta' = exp(-{exponent}), epsilon = {show(epsilon)}, sigma as small as allowed: "
                    "the "
                    f"formula promises delta = {show(claimed)}, the exact curve gives {show(true)}."
                )
    return (
        f"{count} instances of V, delta' and epsilon against the exact Gaussian curve (balls); proof given V as in "
        "Hall 1.3.3"
    )


def _moment(law: Any, inner: arb, power: int) -> arb:
    """2 E (delta'/2)^(V^power)."""
    total = sum(w for _, w in law)
    return 2 * sum((((inner / 2).log() * ball(v**power)).exp() * w / total for v, w in law), arb(0))


PRINTED_DELTA = (lambda law, inner: _moment(law, inner, 1), arb(10**6))
RIGHT_DELTA = (lambda law, inner: _moment(law, inner, 2), 4 * arb(2).log())
DELTA_FIX = Correction(
    "delta = 2 M_{V^2}(log(delta'/2)), for 0 < eps <= 4 log 2 = 2.77 (and sigma^2 >= 2 log(2/delta') Delta^2/eps^2 "
    "as printed)",
    RIGHT_DELTA,
    "Yes: the noise given V has variance sigma^2 V^2, so a V below 1 gives less protection than M_V says, by orders of "
    "magnitude; and for large epsilon even V = 1 fails.",
    "Use the moment generating function of V^2, and keep epsilon at most 4 log 2, or use the exact Gaussian curve.",
    "verified",
)
VANISHING = Correction(
    "V_n converges to sigma^2 V^2; the cross term is 2 sigma V (1/n) sum g_i(T) g_i(Z), and Parseval bounds sum "
    "g_i(T)^2 by "
    "the square of the Cameron-Martin norm",
    lambda sigma, v: (sigma * v) ** 2,
    "None: sigma is known, so V is still recovered and the conclusion stands.",
    "Divide by sigma^2 to estimate V^2.",
    "verified",
)
CLAIMS = (
    Claim(
        id="reimherr-awan-2019:theorem-4",
        place="Theorem 4",
        statement="In infinite dimension, if T is not constant and C has not finite rank, T + sigma X is epsilon-DP "
        "for no "
        "epsilon and no sigma.",
        printed="X infinite dimensional, T(D) no singleton, C not of finite rank: not eps-DP for any sigma",
        hypotheses="some neighbours have different summaries (which follows from T(D) no singleton under the Hamming "
        "metric)",
        check=check_impossibility,
        formula=lambda rank, moves: rank is None and moves,
        near=(Near(lambda rank, moves: moves, "without the hypothesis on the rank"),),
        strength="verified",
    ),
    Claim(
        id="reimherr-awan-2019:theorem-4-poster",
        place="poster, Theorem (Infinite Dimensional Privacy)",
        statement="In infinite dimension T + sigma X is epsilon-DP for no sigma, whatever T and C are.",
        printed="X infinite dimensional: not eps-DP for any choice of sigma",
        hypotheses="none on T and C",
        check=check_impossibility,
        formula=lambda rank, moves: True,
        near=(Near(lambda rank, moves: rank is None, "without the hypothesis that T changes"),),
        strength="verified",
        correction=Correction(
            "T(D) is no singleton and C has not finite rank, as in the paper's Theorem 4",
            lambda rank, moves: rank is None and moves,
            "None: the slip claims less privacy than there is.",
            "A constant T, or noise of finite rank, can be private in an infinite dimensional space.",
            "verified",
        ),
    ),
    Claim(
        id="reimherr-awan-2019:section-4.2-estimator",
        place="Theorem 4, proof sketch",
        statement="What the average of g_i(T + sigma X)^2 converges to.",
        printed="V_n = (1/n) sum g_i(T_D~)^2 converges to V^2 with probability 1",
        hypotheses="C(g_i, g_j) = 1{i = j}",
        check=check_recovery,
        formula=lambda sigma, v: v**2,
        near=(Near(lambda sigma, v: sigma * v, "sigma V"),),
        strength="verified",
        correction=VANISHING,
    ),
    Claim(
        id="reimherr-awan-2019:theorem-4-supplement",
        place="supplement, proof of Theorem 4",
        statement="The expansion of V_n in the proof, and its limit.",
        printed="V_n = (1/n) sum g_i(T)^2 + 2V (1/n) sum g_i(Z) + V^2 (1/n) sum g_i(Z)^2 -> V^2",
        hypotheses="C(g_i, g_j) = 1{i = j}",
        check=check_recovery,
        formula=lambda sigma, v: v**2,
        near=(Near(lambda sigma, v: sigma**2 * v, "sigma^2 V"),),
        strength="verified",
        correction=VANISHING,
    ),
    *(
        Claim(
            id=f"reimherr-awan-2019:theorem-5{suffix}",
            place=place,
            statement="Elliptical noise of scale sigma is (epsilon, delta)-DP, delta' being what the Gaussian "
            "mechanism has.",
            printed="sigma^2 >= 2 log(2/delta') Delta^2/eps^2, delta = 2 M_V(log(delta'/2)), for any eps > 0",
            hypotheses="X = V Z, sensitivity Delta",
            check=check_calibration,
            formula=PRINTED_DELTA,
            near=(Near((PRINTED_DELTA[0], arb(1)), "M_V, with epsilon at most 1"),),
            strength="verified",
            correction=DELTA_FIX,
        )
        for suffix, place in (
            ("", "Theorem 5"),
            ("-supplement", "supplement, proof of Theorem 5: v log(2/delta') = log((2/delta')^v)"),
            ("-poster", "poster, Theorem (Infinite Dimensional Privacy), second part"),
        )
    ),
)

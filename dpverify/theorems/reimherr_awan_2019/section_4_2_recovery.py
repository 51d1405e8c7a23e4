"""Section 4.2: how V is recovered from the release (proof of Theorem 4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import show

PAPER = "reimherr-awan-2019:"


def check_recovery(limit: Any, effort: Effort) -> str:
    """V_n = (1/n) sum g_i(T + sigma V Z)^2: its mean and variance given V, exact, against the claimed limit."""
    del effort
    energy, n, worst = Fraction(4, 3), 10**9, Fraction(0)  # sum of g_i(T)^2 with g_i(T) = 2^-i
    for sigma, v in product((Fraction(1), Fraction(2), Fraction(1, 3)), (Fraction(1), Fraction(3, 2))):
        noise = sigma * v
        gap = abs(noise**2 - limit(sigma, v))
        variance = 4 * noise**2 * energy / n**2 + 2 * noise**4 / n
        worst = max(worst, variance)
        if gap > energy / n and gap**2 > 100 * variance:
            raise Refuted(
                f"sigma = {sigma}, V = {v}: V_n has mean within {energy}/n of {noise**2} and variance {show(variance)} "
                f"at n = {n}, so it does not tend to {limit(sigma, v)}."
            )
    return f"mean and variance of V_n given V, exact, at n = {n}: the claimed limit, variance at most {show(worst)}"


ESTIMATOR = Claim(
    id=PAPER + "section-4.2-estimator",
    place="Theorem 4, proof sketch",
    statement="What the average of g_i(T + sigma X)^2 converges to.",
    quotation=Quotation(
        "The estimator V_n = (1/n) sum_{i=1}^n g_i(T~_D)^2 converges to V^2 with probability 1 as n -> oo, recovering "
        "V",
        "restored",
        "the sum is displaced; C(g_i, g_j) = delta_ij",
    ),
    printed="V_n = (1/n) sum g_i(T_D~)^2 converges to V^2 with probability 1",
    hypotheses="C(g_i, g_j) = 1{i = j}, T~ = T + sigma X",
    check=check_recovery,
    formula=lambda sigma, v: v**2,
    near=(
        Near(lambda sigma, v: sigma * v, "sigma V"),
        Near(lambda sigma, v: sigma**2 * v, "sigma^2 V"),
        Near(lambda sigma, v: Fraction(101, 100) * (sigma * v) ** 2, "a limit 1 % too large"),
    ),
    strength="verified",
    correction=Correction(
        "V_n converges to sigma^2 V^2; to V^2 if sigma = 1, or if sigma is counted into C, as the supplement does in "
        "the proof of Theorem 3",
        lambda sigma, v: (sigma * v) ** 2,
        "None: sigma is known, so V is still recovered and the conclusion stands.",
        "Divide by sigma^2 to estimate V^2.",
        "verified",
        "ambiguous",
    ),
)


def check_expansion(formula: Any, effort: Effort) -> str:
    """formula(t, z, sigma, v) against (1/n) sum (t_i + sigma v z_i)^2, for t_i = g_i(T) and z_i = g_i(Z)."""
    vectors = list(product((Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(2)), repeat=2))
    scales = [(Fraction(1), Fraction(1)), (Fraction(1), Fraction(3)), (Fraction(2), Fraction(1, 2))]
    count = 0
    for (sigma, v), t, z in product(scales, vectors, vectors[:: effort.pick(3, 1)]):
        true = sum(((a + sigma * v * b) ** 2 for a, b in zip(t, z, strict=True)), Fraction(0)) / 2
        claimed = formula(t, z, sigma, v)
        count += 1
        if claimed != true:
            raise Refuted(
                f"n = 2, sigma = {sigma}, V = {v}, g(T) = ({t[0]}, {t[1]}), g(Z) = ({z[0]}, {z[1]}): V_n = {true}, the "
                f"expansion gives {claimed}."
            )
    return f"{count} values of both sides, exact; the sides are polynomials of degree 2 in each variable"


def expansion(t: Any, z: Any, middle: Any, last: Any) -> Fraction:
    """(|t|^2 + middle + last |z|^2) / n."""
    n = len(t)
    return (sum(a * a for a in t) + middle + last * sum(b * b for b in z)) / Fraction(n)


def dot(t: Any, z: Any) -> Fraction:
    """The inner product of t and z."""
    return sum((a * b for a, b in zip(t, z, strict=True)), Fraction(0))


EXPANSION = Claim(
    id=PAPER + "theorem-4-supplement",
    place="supplement, proof of Theorem 4",
    statement="The expansion of V_n in the proof.",
    quotation=Quotation(
        "V_n = (1/n) sum g_i(T~_D)^2 = (1/n) sum g_i(T_D)^2 + 2V (1/n) sum g_i(Z) + V^2 (1/n) sum T_i(Z)^2",
        note="T_i(Z) is g_i(Z); sigma is taken as 1",
    ),
    printed="V_n = (1/n) sum g_i(T)^2 + 2V (1/n) sum g_i(Z) + V^2 (1/n) sum g_i(Z)^2",
    hypotheses="sigma = 1",
    check=check_expansion,
    formula=lambda t, z, sigma, v: expansion(t, z, 2 * v * sum(z), v**2),
    near=(
        Near(lambda t, z, s, v: expansion(t, z, s * v * dot(t, z), (s * v) ** 2), "the cross term without the 2"),
        Near(lambda t, z, s, v: expansion(t, z, 2 * s * v * dot(t, z), s * v), "V in place of V^2"),
        Near(lambda t, z, s, v: expansion(t, z, Fraction(101, 50) * s * v * dot(t, z), (s * v) ** 2), "2.02 for 2"),
    ),
    strength="proved",
    correction=Correction(
        "the cross term is 2 sigma V (1/n) sum g_i(T) g_i(Z), the last one sigma^2 V^2 (1/n) sum g_i(Z)^2; Parseval "
        "bounds sum g_i(T)^2 by the square of the norm; the cross term vanishes all the same",
        lambda t, z, s, v: expansion(t, z, 2 * s * v * dot(t, z), (s * v) ** 2),
        "None: the limit and the conclusion stand.",
        "Put g_i(T) into the cross term.",
        "proved",
        "slip",
    ),
)
CLAIMS = (ESTIMATOR, EXPANSION)

"""Section 4.2: no epsilon in infinite dimension (Theorem 4, its proof, and a remark of the introduction)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, gaussian_delta, normal_tail, show

PAPER = "reimherr-awan-2019:"


def student_epsilon(d: int, nu: int = 3) -> arb:
    """The epsilon of Student t noise in R^d at Delta/sigma = 1."""
    best = (1 + arb(1 + 4 * nu).sqrt()) / 2
    return arb(nu + d) / 2 * ((1 + best**2 / nu) / (1 + (best - 1) ** 2 / nu)).log()


def two_point_loss(d: int, c: arb) -> arb:
    """The loss at distance c of noise V Z in R^d with V = 1 or 2 evenly, at Delta/sigma = 1."""

    def density(r: arb) -> arb:
        return (-r * r / 2).exp() + (-r * r / 8).exp() / arb(2) ** d

    return (density(c - 1) / density(c)).log()


def check_impossibility(claimed: Any, effort: Effort) -> str:
    """claimed(rank, differs) says "private for no epsilon": rank None is infinite; where T differs."""
    levels = effort.pick((10, 1000), (10, 1000, 10**6))
    tried = []
    for rank, differs in product((None, 1, 2, 10), ("nowhere", "far apart", "between neighbours")):
        private = differs != "between neighbours" or (rank is not None and student_epsilon(rank).is_finite())
        words = f"rank {rank or 'infinite'}, T differs {differs}"
        if claimed(rank, differs) and private:
            size = show(student_epsilon(rank)) if differs == "between neighbours" and rank else "0"
            raise Refuted(f"{words}, Student t noise with nu = 3: private with epsilon = {size}.")
        if not claimed(rank, differs) and not private:
            raise Refuted(f"{words}: sections of d dimensions have an epsilon that grows like 0.73 d for nu = 3.")
    for nu, level in product((1, 3, 30), levels):
        d = next(2**k for k in range(60) if student_epsilon(2**k, nu) > level)
        tried.append(d)
    for level in levels:
        if not two_point_loss(5, arb(8 * level)) > level:
            raise Refuted(f"V = 1 or 2: the loss in R^5 at distance {8 * level} is below {level}.")
    return (
        f"Student t, nu = 1, 3, 30: epsilon of d-dimensional sections exceeds {levels[-1]}, for d up to {max(tried)}; "
        "V = 1 or 2: a loss above every level tried (balls); every other law of V by the proof, written out in "
        "gluing.txt"
    )


THEOREM = Claim(
    id=PAPER + "theorem-4",
    place="Theorem 4",
    statement="In infinite dimension, if T is not constant and C has not finite rank, T + sigma X is epsilon-DP for no "
    "epsilon and no sigma.",
    quotation=Quotation(
        "If X is infinite dimensional, the image T(D) is a not a singleton, and C does not have finite rank, then T~_D "
        "will not achieve eps-DP for any choice of sigma.",
        "restored",
        "epsilon is lost; neighbours are at distance at most 1 in any metric space (Definition 2)",
    ),
    printed="X infinite dimensional, T(D) no singleton, C not of finite rank: not eps-DP for any sigma",
    hypotheses="Definition 2: any metric on databases, neighbours at distance at most 1",
    check=check_impossibility,
    formula=lambda rank, differs: rank is None and differs != "nowhere",
    near=(
        Near(lambda rank, differs: differs == "between neighbours", "without the hypothesis on the rank"),
        Near(lambda rank, differs: rank is None, "without the hypothesis that T changes"),
        Near(lambda rank, differs: (rank is None or rank > 9) and differs == "between neighbours", "from rank 10 on"),
    ),
    strength="argued",
    correction=Correction(
        "some neighbours have different summaries (which follows from T(D) no singleton under the Hamming metric)",
        lambda rank, differs: rank is None and differs == "between neighbours",
        "None: where only databases that are no neighbours differ, epsilon-DP asks nothing.",
        "Under the Hamming metric nothing changes.",
        "argued",
        "slip",
    ),
    rests_on=(PAPER + "section-4.2-gluing",),
    argument="gluing.txt",
)
POSTER = replace(
    THEOREM,
    id=PAPER + "theorem-4-poster",
    place="poster, Theorem (Infinite Dimensional Privacy)",
    statement="Theorem 4 in short: the poster leaves out the hypotheses on T and C.",
    quotation=Quotation("If X is infinite dimensional then T~_D will not achieve eps-DP for any choice of sigma."),
    printed="X infinite dimensional: not eps-DP for any choice of sigma",
    hypotheses="none on T and C",
    formula=lambda rank, differs: True,
    correction=Correction(
        "some neighbours have different summaries and C has not finite rank, as in the paper's Theorem 4",
        lambda rank, differs: rank is None and differs == "between neighbours",
        "None: the short form claims less privacy than there is.",
        "A constant T, or noise of finite rank, can be private in an infinite dimensional space.",
        "argued",
        "slip",
    ),
)


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
        "The estimator V_n = (1/n) sum_{i=1}^n g_i(T~_D)^2 converges to V^2 with probability 1 as n -> oo, "
        "recovering V",
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
        "V_n converges to sigma^2 V^2; to V^2 if sigma = 1, or if sigma is counted into C, as the supplement does "
        "in the proof of Theorem 3",
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
                f"n = 2, sigma = {sigma}, V = {v}, g(T) = ({t[0]}, {t[1]}), g(Z) = ({z[0]}, {z[1]}): V_n = {true}, "
                f"the expansion gives {claimed}."
            )
    return f"{count} values of both sides, exact; the sides are polynomials of degree 2 in each variable"


def expansion(t: Any, z: Any, middle: Any, last: Any) -> Fraction:
    n = len(t)
    return (sum(a * a for a in t) + middle + last * sum(b * b for b in z)) / Fraction(n)


def dot(t: Any, z: Any) -> Fraction:
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


def check_gluing(formula: Any, effort: Effort) -> str:
    """formula(v, epsilon, h): A holds the x with g(x) > formula(V(x), epsilon, h), h = g(T_D) - g(T_D'), sigma = 1."""
    laws: tuple[dict[Fraction, int], ...] = (
        {Fraction(1): 1},
        {Fraction(1): 1, Fraction(2): 3},
        {Fraction(1, 4): 1, Fraction(1): 1, Fraction(5): 2},
        {Fraction(k, 3): k for k in range(1, 9)},
    )
    shifts = (Fraction(1, 2), Fraction(1), Fraction(2))
    count, least = 0, arb(10**6)
    for law, epsilon, h in product(laws, effort.pick((1, 4), (Fraction(1, 10), 1, 4, 20)), shifts):
        epsilon = Fraction(epsilon)
        one = two = arb(0)
        for v, weight in law.items():
            cut = Fraction(formula(v, epsilon, h))
            boundary = (h * cut - h * h / 2) / v**2
            if boundary != epsilon:
                raise Refuted(
                    f"V = {v}, h = {h}, epsilon = {epsilon}: the loss at the boundary of A_v is {boundary}, not "
                    "epsilon."
                )
            one += weight * normal_tail(ball((cut - h) / v))
            two += weight * normal_tail(ball(cut / v))
        excess = (one / two).log() - ball(epsilon)
        count += 1
        if not excess > 0:
            raise Refuted(f"law of V {law}, h = {h}, epsilon = {epsilon}: P_D(A) <= e^epsilon P_D'(A).")
        least = excess if excess < least else least
    return (
        f"{count} laws, shifts and epsilons (balls): log P_D(A)/P_D'(A) exceeds epsilon by at least {show(least)}; "
        "gluing.txt has the proof for every law of V"
    )


def glued(v: Fraction, epsilon: Fraction, h: Fraction) -> Fraction:
    return (epsilon * v * v + h * h / 2) / h


GLUING = Claim(
    id=PAPER + "section-4.2-gluing",
    place="supplement, proof of Theorem 4, last step",
    statement="The events A_v, one for each value of V, make one measurable event that refutes epsilon-DP.",
    quotation=Quotation(
        "we can find a set A_v where P(f~(D) in A_v | V = v) > e^eps P(f~(D') in A_v | V = v). Thus the mechanism is "
        "not "
        "eps-DP.",
        note="the step from the sets A_v to one set is left out; g(x) > (eps V(x)^2 + h^2/2)/h is such a set",
    ),
    printed="P(A_v | V = v) > e^eps P'(A_v | V = v) for all v implies P(A) > e^eps P'(A) for some A",
    hypotheses="C not of finite rank, T_D - T_D' in the Cameron-Martin space and not 0",
    check=check_gluing,
    formula=glued,
    near=(
        Near(lambda v, epsilon, h: (epsilon * v + h * h / 2) / h, "V in place of V^2"),
        Near(lambda v, epsilon, h: (epsilon * v * v - h * h / 2) / h, "the other sign of h^2/2"),
        Near(lambda v, epsilon, h: Fraction(101, 100) * glued(v, epsilon, h), "a threshold off by 1 %"),
    ),
    strength="argued",
    argument="gluing.txt",
)


def check_levelling(claimed: Any, effort: Effort) -> str:
    """claimed(kind): whether the budget for d functionals levels out; increments from d to 2d, Delta_d^2 < 4/3."""
    sizes = effort.pick((1, 2, 4), (1, 2, 4, 8))
    pure = [student_epsilon(2 * d) - student_epsilon(d) for d in sizes]
    curve = [gaussian_delta(arb(1), (4 * (1 - arb(4) ** -d) / 3).sqrt()) for d in (*sizes, 2 * sizes[-1])]
    approximate = [b - a for a, b in pairwise(curve)]
    truth = {
        "epsilon": all(b < a / 2 for a, b in pairwise(pure)),
        "epsilon and delta": all(b < a / 2 for a, b in pairwise(approximate)),
    }
    for kind, levels in truth.items():
        if claimed(kind) != levels:
            shown = pure if kind == "epsilon" else approximate
            raise Refuted(
                f"the increments of {kind} when d doubles from {sizes[0]} on are {', '.join(map(show, shown))}: "
                f"{'they do not level out' if not levels else 'they do'}."
            )
    return (
        f"Student t, nu = 3: epsilon grows by {show(pure[-1])} in the last doubling; Gaussian delta by "
        f"{show(approximate[-1])}"
    )


LEVELLING = Claim(
    id=PAPER + "section-1-levelling",
    place="Introduction",
    statement="The budget spent on many queries levels out to a maximum.",
    quotation=Quotation(
        "the amount spent for each subsequent query decreases dramatically, eventually leveling out to a maximum eps "
        "or "
        "(eps, delta)",
        "restored",
        "epsilon is lost twice",
    ),
    printed="the spending levels out, to a maximum epsilon or to a maximum (epsilon, delta)",
    hypotheses="elliptical noise of infinite rank, any number of queries",
    check=check_levelling,
    formula=lambda kind: True,
    near=(
        Near(lambda kind: False, "neither levels out"),
        Near(lambda kind: kind == "epsilon", "epsilon levels out, (epsilon, delta) does not"),
    ),
    strength="verified",
    correction=Correction(
        "(epsilon, delta) levels out; epsilon alone does not, as Theorem 4 and the remark after Corollary 1 say",
        lambda kind: kind != "epsilon",
        "Possibly: who budgets a maximum epsilon for any number of queries of elliptical noise has none.",
        "For epsilon alone fix the number of functionals in advance, and use Corollary 1.",
        "verified",
        "ambiguous",
    ),
)
CLAIMS = (THEOREM, POSTER, ESTIMATOR, EXPANSION, GLUING, LEVELLING)

"""Section 4.2: no epsilon in infinite dimension (Theorem 4)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import show

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
CLAIMS = (THEOREM, POSTER)

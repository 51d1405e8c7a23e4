"""Section 4.1: d functionals of a summary in any space (Corollary 1)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.reimherr_awan_2019.section_4_1_theorem_3 import (
    MISSES,
    PRINTED,
    RIGHT,
    SHIFT,
    THEOREM,
    check_supremum,
)

PAPER = "reimherr-awan-2019:"


def check_functionals(formula: Any, effort: Effort) -> str:
    """Corollary 1: Theorem 3's formula, when there is a density, and that no section's sensitivity exceeds Delta."""
    *both, regular = formula
    evidence = check_supremum(both, effort)
    grid = [v for v in product(range(-1, 3), repeat=2) if any(v)]
    count = 0
    for g1, g2 in product(grid, repeat=2):
        determinant = (g1[0] * g2[1] - g1[1] * g2[0]) ** 2  # of S = {C(g_i, g_j)} with C the identity of R^2
        count += 1
        if regular(g1, g2) != (determinant != 0):
            raise Refuted(
                f"g1 = {g1}, g2 = {g2}, C the identity: det S = {determinant}, so there is "
                f"{'a' if determinant else 'no'} density."
            )
    for g, u in product(grid, repeat=2):  # one functional: |g(u)|^2 / C(g, g) against ||u||^2
        if (g[0] * u[0] + g[1] * u[1]) ** 2 > (g[0] ** 2 + g[1] ** 2) * (u[0] ** 2 + u[1] ** 2):
            raise Refuted(f"the section by g = {g} has a larger sensitivity than u = {u}.")
    return f"{evidence}; S is regular exactly for independent functionals, {count} pairs, exact"


def distinct(g1: tuple[int, int], g2: tuple[int, int]) -> bool:
    """Whether two directions differ as vectors."""
    return g1 != g2


def independent(g1: tuple[int, int], g2: tuple[int, int]) -> bool:
    """Whether two directions are linearly independent."""
    return g1[0] * g2[1] != g1[1] * g2[0]


COROLLARY = Claim(
    id=PAPER + "corollary-1",
    place="Corollary 1",
    statement="Theorem 3 for d functionals of a summary in any space, uniformly over the functionals.",
    quotation=Quotation(
        "for any distinct g_i in K for i = 1, ..., d, the density of {g_i(T~_D)} is proportional to f(sigma^-2 (x - "
        "mu_D) Sigma^-1 (x - mu_D))",
        "restored",
        "the lines are interleaved; the supremum is that of Theorem 3",
    ),
    printed="distinct g_i; exp(eps) = sup over c >= Delta/sigma of f((c - sigma^-2 Delta)^2)/f(c^2)",
    hypotheses="distinct g_i in K, f(0) < oo, bounded tail ratio",
    check=check_functionals,
    formula=(*PRINTED, distinct),
    near=(
        Near((*RIGHT, distinct), "the right shift, the functionals still only distinct"),
        *(Near((*miss.formula, independent), miss.text, miss.passes) for miss in MISSES),
    ),
    strength="verified",
    correction=replace(
        SHIFT,
        text="the shift is Delta/sigma; and for a density the g_i are linearly independent (g and 2g are distinct; "
        "dependent ones are functions of independent ones, and private with them)",
        formula=(*RIGHT, independent),
        cause=THEOREM.id,
    ),
    rests_on=(THEOREM.id,),
)
CLAIMS = (COROLLARY,)

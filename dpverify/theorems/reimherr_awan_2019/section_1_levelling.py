"""Introduction: does the budget for many queries level out?"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.reimherr_awan_2019.section_4_2_theorem_4 import student_epsilon
from dpverify.theorems.tools.balls import gaussian_delta, show

PAPER = "reimherr-awan-2019:"


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
        "or (eps, delta)",
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
CLAIMS = (LEVELLING,)

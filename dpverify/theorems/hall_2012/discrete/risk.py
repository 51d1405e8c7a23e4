"""Section 2.1.1: the risk of a private estimate, in two parts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import laws

QUOTED = Quotation(
    r"&= R^*(\theta, P) + R(\theta, F). \end{aligned}$$ Where the first inequality is the triangle inequality."
)


def check_decomposition(formula: Any, effort: Effort) -> str:
    """formula = (bound(worst risk, sampling risk), power of the loss |.|), data of two bits, every method on a grid."""
    bound, power = formula
    outputs = (-1, 0, 1, 2)
    count = attained = 0
    for law, (p, q, r) in product(laws(4, 2), product(laws(4, 1), laws(4, 1), laws(4, effort.pick(1, 3)))):
        counts, methods = (0, 1, 1, 2), (p, q, q, r)  # of the databases 00, 01, 10, 11
        for target in (Fraction(0), Fraction(1, 2), Fraction(2)):
            risks = [
                sum(w * abs(z - c) ** power for w, z in zip(m, outputs, strict=True))
                for m, c in zip(methods, counts, strict=True)
            ]
            sampling = sum(f * abs(c - target) ** power for f, c in zip(law, counts, strict=True))
            total = sum(
                f * w * abs(z - target) ** power
                for f, m in zip(law, methods, strict=True)
                for w, z in zip(m, outputs, strict=True)
            )
            allowed = bound(max(risks), sampling)
            count += 1
            attained += total == allowed > 0
            if total > allowed:
                raise Refuted(f"data law {tuple(map(str, law))}, theta(F) = {target}: risk {total} above {allowed}.")
    if not attained:
        raise Refuted(f"over {count} methods the bound is never reached.")
    return f"{count} methods, data laws and targets, exact; {attained} attain the bound"


CLAIMS = (
    Claim(
        id="hall-2012:section-2.1.1-decomposition",
        place="Section 2.1.1",
        quotation=QUOTED,
        statement="The risk of a private estimate is at most its worst risk from privacy plus the sampling risk.",
        printed="R(P, theta, F) <= R*(theta, P) + R(theta, F)",
        hypotheses="the loss is a metric",
        check=check_decomposition,
        formula=(lambda worst, sampling: worst + sampling, 1),
        near=(
            Near((lambda worst, sampling: worst + sampling, 2), "for the squared loss"),
            Near((lambda worst, sampling: max(worst, sampling), 1), "the larger of the two"),
            Near((lambda worst, sampling: worst * 99 / 100 + sampling, 1), "the worst risk 1 % smaller"),
        ),
        strength="verified",
        argument="bounds.txt",
    ),
)

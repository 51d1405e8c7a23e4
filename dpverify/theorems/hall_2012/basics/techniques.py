"""Section 1.5, Table 1.1: which method is measured in which metric, and what it guarantees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

QUOTED = Quotation(
    "Table 1.1: Applicability of the basic techniques of Differential Privacy.",
    "restored",
    "the rows are: Laplace, l1, alpha-DP; Gamma, l2, alpha-DP; Gaussian, l2, (alpha, beta)-DP; K-norm, Minkowski norm, "
    "alpha-DP; exponential, discrete space, arbitrary metric, alpha-DP; the columns are restored",
)
Table = dict[str, tuple[str, bool]]
PRINTED: Table = {"laplace": ("l1", True), "gamma": ("l2", True), "gaussian": ("l2", False), "k-norm": ("sup", True)}


def _norm(kind: str, x: tuple[Fraction, ...]) -> arb:
    if kind == "l2":
        return ball(sum((a * a for a in x), Fraction(0))).sqrt()
    return ball(sum(map(abs, x), Fraction(0)) if kind == "l1" else max(map(abs, x)))


def check_table(table: Any, effort: Effort) -> str:
    """table[method] = (metric of its sensitivity, alpha-DP with beta = 0): losses far out, K being the cube."""
    own = {"laplace": "l1", "gamma": "l2", "gaussian": "l2", "k-norm": "sup"}
    count = 0
    for method, (metric, pure) in table.items():
        power, largest = (2 if method == "gaussian" else 1), arb(0)
        for scale in (1, 10, 1000):
            for theta in ((1, 0, 0), (1, 1, 1), (2, -1, 1)):
                shift = tuple(map(Fraction, theta))
                x = tuple(scale * a for a in shift)
                delta = _norm(metric, shift)
                near = _norm(own[method], tuple(a - b for a, b in zip(x, shift, strict=True)))
                loss = (_norm(own[method], x) / delta) ** power - (near / delta) ** power
                largest = loss if loss > largest else largest
                count += 1
        bounded = largest <= 1 + arb("1e-12")
        if bounded != pure:
            said = "bounds its loss by alpha" if pure else "does not"
            raise Refuted(f"{method}, measured in {metric}, {said}, and the largest loss is {show(largest)} alpha.")
    return f"{count} losses of {len(table)} methods in R^3 (balls): bounded by alpha where the table says alpha-DP"


CLAIMS = (
    Claim(
        id="hall-2012:section-1.5-table",
        place="Table 1.1",
        quotation=QUOTED,
        statement="The metric that each method is measured in, and its guarantee.",
        printed="Laplace l1, Gamma l2, K-norm its own: alpha-DP; Gaussian l2: (alpha, beta)-DP",
        hypotheses="Proposition 1.3.5 has the last row, the exponential mechanism",
        check=check_table,
        formula=PRINTED,
        near=(
            Near({**PRINTED, "gaussian": ("l2", True)}, "the Gaussian mechanism as alpha-DP"),
            Near({**PRINTED, "laplace": ("l2", True)}, "the Laplace mechanism measured in l2"),
            Near({**PRINTED, "gamma": ("sup", True)}, "the Gamma mechanism measured in the sup norm"),
        ),
        strength="verified",
        rests_on=("hall-2012:proposition-1.3.4",),
    ),
)

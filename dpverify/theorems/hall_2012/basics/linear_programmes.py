"""Section 1.3.5: optimal private methods for counts by linear programming."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.discrete.counting_programmes import bayes
from dpverify.theorems.tools.finite import both_excess

RANGE_QUOTED = Quotation(r"consider the counting queries  $\theta(D) \in N = \{1, \dots, n\}$  given by")
INTERIOR_QUOTED = Quotation("the above constraints form a bounded closed convex polyhedron with a non-empty interior.")
PROGRAMME_QUOTED = Quotation(
    r"R(\Lambda) = \sum_{i=1}^n \Lambda(i) \sum_{j=1}^n \ell(i, j) P_i(j).$$ As this function is linear for fixed  "
    r"$\ell$  and  $\Lambda$ , and the above constraints are also linear, determination of the minimizer may be "
    "achieved "
    "via linear programming."
)


def check_range(values: Any, effort: Effort) -> str:
    """values(n) against the counts of all databases of n records."""
    largest = effort.pick(6, 10)
    for n in range(1, largest):
        counts = {sum(x) for x in product((0, 1), repeat=n)}
        if set(values(n)) != counts:
            raise Refuted(f"n = {n}: the counts are {sorted(counts)}, and the programme has {sorted(values(n))}.")
    return f"all databases of up to {largest - 1} records"


def check_interior(dimension: Any, effort: Effort) -> str:
    """dimension(m) of the polytope of methods on m values: unknowns less the rank of the equations."""
    from flint import fmpq_mat

    largest = effort.pick(5, 8)
    for m in range(2, largest):
        table = fmpq_mat(m, m * m, [int(k // m == j) for j in range(m) for k in range(m * m)])
        true = m * m - table.rank()
        if dimension(m) != true:
            raise Refuted(
                f"m = {m}: the polytope spans {true} of {m * m} dimensions, so its interior in R^{m * m} is empty."
            )
    return f"rank of the equations, exact, m < {largest}; the uniform method meets each inequality strictly"


def geometric(n: int, ratio: Fraction, exponent: int = 1) -> Fraction:
    """The Bayes risk of truncated geometric noise, each output replaced by the best guess; uniform prior."""
    a = 1 / ratio**exponent

    def chance(i: int, j: int) -> Fraction:
        return a ** abs(i - j) / (1 + a) if i in (0, n) else (1 - a) / (1 + a) * a ** abs(i - j)

    counts = range(n + 1)
    best = (min(sum((chance(i, j) * abs(z - j) for j in counts), Fraction(0)) for z in counts) for i in counts)
    return sum(best, Fraction(0)) / (n + 1)


def check_bayes(value: Any, effort: Effort) -> str:
    """The optimum of the Bayes programme, certified, against value(n, e^alpha) for a uniform prior."""
    count = 0
    for ratio in (Fraction(2), Fraction(3, 2), Fraction(5)):
        for n in range(1, effort.pick(4, 5)):
            optimum = bayes(n, ratio, [Fraction(1, n + 1)] * (n + 1))
            columns = [[optimum.solution[i * (n + 1) + j] for i in range(n + 1)] for j in range(n + 1)]
            count += 1
            if any(both_excess(columns[j], columns[j + 1], ratio) > 0 for j in range(n)):
                raise Refuted("the optimal method is not private.")
            if optimum.value != value(n, ratio):
                raise Refuted(f"n = {n}, e^alpha = {ratio}: the optimum is {optimum.value}, not {value(n, ratio)}.")
    return f"{count} programmes with rational primal and dual vertices; each optimum is that of geometric noise"


CLAIMS = (
    Claim(
        id="hall-2012:section-1.3.5-range",
        place="Section 1.3.5",
        quotation=RANGE_QUOTED,
        statement="The values that a counting query takes on n records, which index the linear programme.",
        printed="theta(D) in N = {1, ..., n}",
        hypotheses="theta(D) = sum of n indicators",
        check=check_range,
        formula=lambda n: range(1, n + 1),
        near=(Near(lambda n: range(n), "{0, ..., n - 1}"), Near(lambda n: range(n + 2), "{0, ..., n + 1}")),
        strength="verified",
        correction=Correction(
            "N = {0, ..., n}, n + 1 values, as Proposition 2.3.1 has it",
            lambda n: range(n + 1),
            "None: no method for n values can be run on a count of 0.",
            "Index the programme by 0 to n.",
            "verified",
            "slip",
        ),
    ),
    Claim(
        id="hall-2012:section-1.3.5-interior",
        place="Section 1.3.5",
        quotation=INTERIOR_QUOTED,
        statement="The constraints (1.10), (1.11) bound a polyhedron with interior points.",
        printed="a bounded closed convex polyhedron with a non-empty interior, in R^(m^2)",
        hypotheses="m values, alpha > 0",
        check=check_interior,
        formula=lambda m: m * m,
        near=(
            Near(lambda m: m * m - 1, "of codimension 1"),
            Near(lambda m: m * m - m - 1, "one dimension less"),
            Near(lambda m: m * m - m + 1, "one dimension more"),
        ),
        strength="verified",
        correction=Correction(
            "it has a non-empty relative interior, of dimension m^2 - m: each column sums to 1",
            lambda m: m * m - m,
            "None.",
            "A solver that needs interior points must eliminate the equations first.",
            "verified",
            "slip",
        ),
    ),
    Claim(
        id="hall-2012:section-1.3.5-programme",
        place="Section 1.3.5, (1.10) and (1.11)",
        quotation=PROGRAMME_QUOTED,
        statement="Minimising the Bayes risk over these constraints gives an optimal private method.",
        printed="R(Lambda) = sum_i Lambda(i) sum_j l(i, j) P_i(j), linear",
        hypotheses="prior Lambda, loss l; checked for a uniform prior and absolute loss",
        check=check_bayes,
        formula=geometric,
        near=(
            Near(lambda n, ratio: geometric(n, ratio) * 101 / 100, "an optimum 1 % larger"),
            Near(lambda n, ratio: geometric(n, ratio) * 99 / 100, "an optimum 1 % smaller"),
            Near(lambda n, ratio: geometric(n, ratio, 2), "the optimum for 2 alpha"),
        ),
        strength="verified",
    ),
)

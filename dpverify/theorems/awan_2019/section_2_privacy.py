"""Section 2: the Hamming distance, and differential privacy by densities."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import events as all_events
from dpverify.theorems.tools.finite import laws, mass


def check_metric(distance: Any, effort: Effort) -> str:
    """Symmetric, zero on the diagonal alone, and subadditive on all triples of databases."""
    databases = list(product(range(2), repeat=effort.pick(3, 4)))
    for x, y, z in product(databases, repeat=3):
        if distance(x, y) != distance(y, x) or (distance(x, y) == 0) != (x == y):
            raise Refuted(f"the distance of {x} and {y} is not that of a metric.")
        if distance(x, z) > distance(x, y) + distance(y, z):
            raise Refuted(f"the triangle inequality fails at {x}, {y}, {z}.")
    return f"all {len(databases) ** 3} triples of databases; a sum of discrete metrics is one for every n"


METRIC = Claim(
    id="awan-2019:definition-2.1",
    place="Definition 2.1",
    statement="The number of differing records is a metric on databases.",
    quotation=Quotation("delta(X, Y) := #{i | X_i != Y_i} ... It is easy to verify that delta is a metric on X^n."),
    printed="delta(X, Y) = #{i : X_i != Y_i}",
    hypotheses="databases of equal length",
    check=check_metric,
    formula=lambda x, y: sum(a != b for a, b in zip(x, y, strict=True)),
    near=(
        Near(lambda x, y: sum(a != b for a, b in zip(x, y, strict=True)) ** 2, "its square"),
        Near(lambda x, y: sum(a > b for a, b in zip(x, y, strict=True)), "counting in one direction only"),
        Near(lambda x, y: sum(a != b for a, b in zip(x[1:], y[1:], strict=True)), "without the first record"),
    ),
    strength="proved",
)


def check_densities(criterion: Any, effort: Effort) -> str:
    """criterion(p, q, e^eps) against the definition, over every event; base measure (p + q)/2."""
    count = 0
    grain = effort.pick(4, 7)
    for ratio in (Fraction(2), Fraction(3, 2)):
        for p, q in product(laws(3, grain), repeat=2):
            private = all(mass(p, a) <= ratio * mass(q, a) for a in all_events(3))
            count += 1
            if criterion(p, q, ratio) != private:
                raise Refuted(
                    f"P = {[str(x) for x in p]}, Q = {[str(x) for x in q]}, e^eps = {ratio}: by events it is "
                    f"{'private' if private else 'not private'}, by the criterion not so."
                )
    return (
        f"{count} pairs of laws on three points against all events, exact; the general case integrates the inequality"
    )


DENSITIES = Claim(
    id="awan-2019:proposition-2.3",
    place="Proposition 2.3",
    statement="A mechanism is epsilon-DP exactly when densities for a common base measure satisfy the inequality "
    "almost everywhere.",
    quotation=Quotation(
        "M achieves eps-DP if and only if there exists a base measure nu such that mu_X << nu for all X in X^n and the "
        "densities {f_X} of the mu_X (with respect to nu) satisfy f_X(b) <= f_X'(b) exp(eps), nu-almost everywhere"
    ),
    printed="f_X(b) <= f_X'(b) exp(eps), nu-almost everywhere",
    hypotheses="adjacent X, X'; nu dominates all mu_X",
    check=check_densities,
    formula=lambda p, q, ratio: all(a <= ratio * b for a, b in zip(p, q, strict=True)),
    near=(
        Near(lambda p, q, ratio: max(p) <= ratio * max(q), "comparing the largest densities only"),
        Near(
            lambda p, q, ratio: all(a <= Fraction(99, 100) * ratio * b for a, b in zip(p, q, strict=True)), "0.99 e^eps"
        ),
        Near(lambda p, q, ratio: all(a <= ratio**2 * b for a, b in zip(p, q, strict=True)), "e^(2 eps)"),
    ),
    strength="verified",
)
CLAIMS = (METRIC, DENSITIES)

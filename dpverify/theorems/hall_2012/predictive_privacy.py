"""Section 5.4: predictive differential privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import excess


def check_predictive(protected: Any, effort: Effort) -> str:
    """protected(D', new record) on records a, b, P(b) = gamma = 1/10, S^ = {a}, n = 3: how often RDP can fail."""
    leak = {"a": (Fraction(1), Fraction(0)), "b": (Fraction(0), Fraction(1))}
    chance = {"a": Fraction(9, 10), "b": Fraction(1, 10)}

    def output(d: tuple[str, ...]) -> tuple[Fraction, Fraction]:
        """Vague where all records are in S^; elsewhere the last record, unless it is the only one outside."""
        if d == ("a", "a", "a"):
            return Fraction(1, 2), Fraction(1, 2)
        return leak["b" if d[2] == "b" and "b" in d[:2] else "a"]

    possible, failing, admissible = Fraction(0), Fraction(0), True
    for *first, old, new in product("ab", repeat=4):
        weight = chance[first[0]] * chance[first[1]] * chance[old] * chance[new]
        fails = excess(output((*first, old)), output((*first, new)), Fraction(2)) > 0
        if protected((*first, new), new):
            admissible = admissible and not fails
            continue
        possible += weight if old != new else 0
        failing += weight if fails else 0
    if possible <= Fraction(1, 10):
        return f"no mechanism fails outside the unprotected pairs, of probability {possible} <= gamma, exact"
    if admissible and failing > Fraction(1, 10):
        raise Refuted(
            "records a, b, P(b) = gamma = 1/10, S^ = {a}, n = 3, e^alpha = 2: a mechanism that is private wherever D' "
            "is "
            f"protected fails with probability {failing}."
        )
    raise Undecided(Gap.MECHANISM_DOES_NOT_DECIDE())


REST = "it protects enough too: what is left out has a probability below gamma"
PREDICTIVE = Claim(
    id="hall-2012:section-5.4-predictive",
    place="Section 5.4, after Definition 5.4.1",
    statement="Predictive differential privacy implies random differential privacy.",
    printed="D' in S^(D)^n, all records of D' in the prediction region; then RDP",
    hypotheses="P(x in S^(D)) >= 1 - gamma",
    check=check_predictive,
    formula=lambda other, new: all(x == "a" for x in other),
    near=(
        Near(lambda other, new: False, "no neighbour protected"),
        Near(lambda other, new: other[:2] == ("a", "a"), "where the others lie in the region", REST),
        Near(lambda other, new: new == "a" and other[0] == "a", "the new record and the first", REST),
    ),
    strength="verified",
    correction=Correction(
        "require only that the new record lies in S^(D)",
        lambda other, new: new == "a",
        "Yes: databases with one record outside the region are not protected at all, and they are common when n "
        "is large.",
        "Define the neighbours by the record that changes.",
        "verified",
    ),
    quotation=Quotation(
        "P_D(Z in A) <= e^alpha P_{D'}(Z in A) for all A and D ~ D' where D' in S^^n(D) where the latter is a "
        "prediction "
        "interval for x_i based on dataset D, that satisfies P(x in S^(D)) >= 1 - gamma ... this is a strengthening "
        "of RDP "
        "in the sense that techniques which fulfill this definition will also be randomly differentially private.",
        "restored",
        "In (5.8) the extraction has a stray Q after P_D'.",
    ),
)

CLAIMS = (PREDICTIVE,)

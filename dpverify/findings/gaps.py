"""Why the check of a paper's claim decides nothing: what its instances do not reach."""

from __future__ import annotations

from enum import unique

from dpverify.findings.clauses import Clause


@unique
class Gap(Clause):
    """The gaps, each with the clause that is read of it; numbers that are balls come as they are shown."""

    BALLS_DO_NOT_TELL = "the balls {a} and {b} do not tell"
    BOUND_NOT_REACHED = "{instance}: {lower} does not reach {claimed}"
    CONSTANT_OPEN = "{constant} = 1e-{power}"
    DISTANCE_SHORT = "c = {c!s}, alpha = {alpha!s}: distance {k!s} does not reach the bound"
    EXPONENT_OPEN = "as m grows the exponent is log 2 - H = {exponent}"
    MECHANISM_DOES_NOT_DECIDE = "the mechanism tried does not decide"
    NORMS_OPEN = "f = {name}: the norms {norms} neither grow nor settle"
    PAIR_SHORT = "two counts at distance k do not reach the bound at k alpha = {u}"
    TOO_FEW_POINTS = "m = {m}: Gilbert and Varshamov do not give {wanted} points"
    VALUE_OPEN = "u/(1 + e^u) at u = {u}"

    PROGRAMME_CONTRADICTS = "the tight rows of a linear programme contradict each other"
    PROGRAMME_GAP = "the certificates of a linear programme leave a gap: {value!s} and {bound!s}"
    PROGRAMME_NO_SOLUTION = "HiGHS found no solution: {message}"
    PROGRAMME_NOT_FEASIBLE = "the rational vertex of a linear programme is not feasible"

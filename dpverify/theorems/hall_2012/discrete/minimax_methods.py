"""Section 2.3.3: minimax methods for counts, and Figure 2.2."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.discrete.counting_programmes import minimax
from dpverify.theorems.tools.balls import at_most, ball, show

EQUAL_QUOTED = Quotation(
    r"\sum_i \ell(i, j) q_{i,j} = \sum_i \ell(i, 1) q_{i,1}, j \in 2, \dots, n.",
    note="the counts are numbered from 1 here; 0 is one of them",
)
CURVE_QUOTED = Quotation(r"the minimax risk lies underneath the latter curve", note=r"the latter curve is $1/\alpha$")
NEARER_QUOTED = Quotation(
    r"as  $\alpha$  decreases towards zero the two curves are brought closer together.",
    note="Figure 2.2 has n = 70, 'great enough that for all displayed alpha the risk is no longer increasing with n'; "
    "the text does not tell which alpha are displayed",
)


def check_equalizer(constraint: Any, effort: Effort) -> str:
    """The minimax risk with the constraint added to the programme, against the minimax risk."""
    from dpverify.mechanisms.counting.minimax import minimax as shipped

    count = 0
    for ratio in (Fraction(2), Fraction(3, 2), Fraction(6)):
        for n in range(1, effort.pick(3, 5)):
            free, bound = minimax(n, ratio).value, minimax(n, ratio, constraint).value
            count += 1
            found = shipped(n, ratio)
            if not found.exact or found.upper != free:
                raise AssertionError(f"n = {n}, e^alpha = {ratio}: MinimaxCount is not minimax")
            if free != bound:
                raise Refuted(f"n = {n}, e^alpha = {ratio}: the minimax risk is {free}, under the constraint {bound}.")
            if minimax(n, ratio, "laws").value > Fraction(n, 2):
                raise Refuted("the method that ignores its input has risk n/2.")
    return (
        f"{count} pairs of programmes, exact, have equal optima; for larger n nothing ran: the thesis's argument makes "
        "risks equal in the pairs i, n - i only"
    )


def check_curve(bound: Any, effort: Effort) -> str:
    """1/sinh(alpha), the risk of geometric noise, under the curve; it is the minimax risk as n grows."""
    points = effort.pick(40, 400)
    for i in range(1, points):
        alpha = ball(Fraction(5 * i, points))
        at_most(
            1 / alpha.sinh(),
            bound(alpha),
            f"alpha = {show(alpha)}, n large: the minimax risk tends to 1/sinh(alpha) = {show(1 / alpha.sinh())} (by "
            "the optimality of geometric noise, which is cited), and the curve is at "
            f"{show(bound(alpha))}.",
        )
    for ratio in (Fraction(2), Fraction(3, 2)):
        if not ball(minimax(3, ratio).value) <= 1 / ball(ratio).log().sinh():
            raise Refuted("the minimax risk for n = 3 exceeds that of geometric noise.")
    return (
        f"1/sinh(alpha) under the curve at {points - 1} points up to 5 (balls), exact minimax risks for n = 3 below it"
    )


def check_nearer(formula: Any, effort: Effort) -> str:
    """formula = (n or None for the limit, numerator of the curve): the gap as alpha falls to 0."""
    n, numerator = formula
    gaps: list[arb] = []
    for power in range(1, effort.pick(6, 7)):
        alpha = arb(10) ** -power
        risk = 1 / alpha.sinh()
        if n is not None and risk > arb(n) / 2:
            risk = arb(n) / 2  # at most: the constant answer
        gaps.append(abs(numerator / alpha - risk))
        if len(gaps) > 1 and not gaps[-1] < gaps[-2]:
            raise Refuted(
                f"alpha = {show(alpha)}: 1/alpha is {show(1 / alpha)}, and the risk is at most {show(risk)}; at "
                "ten times "
                f"this alpha the curves were {show(gaps[-2])} apart, now {show(gaps[-1])}."
            )
    return f"the gap between 1/alpha and 1/sinh(alpha) falls from {show(gaps[0])} to {show(gaps[-1])} (balls)"


CLAIMS = (
    Claim(
        id="hall-2012:section-2.3.3-equalizer",
        place="Section 2.3.3, Minimax Equalizer Rules",
        quotation=EQUAL_QUOTED,
        statement="For absolute loss the best method of constant risk is minimax, and one of constant risk n/2 exists.",
        printed="add sum_i l(i, j) q_ij = sum_i l(i, 1) q_i1 to the programme",
        hypotheses="absolute loss",
        check=check_equalizer,
        formula=Fraction(1),
        near=(
            Near("laws", "with the same law for every input"),
            Near(Fraction(101, 100), "with a first risk 1 % smaller than the others"),
            Near(Fraction(2), "with a first risk half of the others"),
        ),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-2.3.3-figure-2.2",
        place="Figure 2.2",
        quotation=CURVE_QUOTED,
        statement="The minimax risk of a count lies under the curve 1/alpha.",
        printed="the minimax risk lies underneath 1/alpha",
        hypotheses="n = 70 in the figure; any n",
        check=check_curve,
        formula=lambda alpha: 1 / alpha,
        near=(
            Near(lambda alpha: arb("0.98") / alpha, "under 0.98/alpha"),
            Near(lambda alpha: 1 / (2 * alpha), "under 1/(2 alpha)"),
            Near(lambda alpha: 1 / alpha**2, "under 1/alpha^2"),
        ),
        strength="verified",
        argument="bounds.txt",
    ),
    Claim(
        id="hall-2012:section-2.3.3-n-70",
        place="Section 2.3.3, the text on Figure 2.2",
        quotation=NEARER_QUOTED,
        statement="The minimax risk approaches 1/alpha as alpha falls.",
        printed="n = 70; as alpha decreases towards zero the two curves are brought closer together",
        hypotheses="alpha -> 0",
        check=check_nearer,
        formula=(70, 1),
        near=(
            Near((7000, 1), "n = 7000"),
            Near((None, arb("0.99")), "towards 0.99/alpha"),
            Near((None, 2), "towards 2/alpha"),
        ),
        strength="verified",
        correction=Correction(
            "in the limit n -> oo, where the risk is 1/sinh(alpha); with n = 70 as long as alpha is well above 1/35, "
            "since a constant answer has risk at most 35",
            (None, 1),
            "None.",
            "Let n grow as alpha falls.",
            "cited",
            "ambiguous",
        ),
    ),
)

"""Section 4.2: one event from the events A_v (last step of the proof of Theorem 4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, normal_tail, show

PAPER = "reimherr-awan-2019:"


def check_gluing(formula: Any, effort: Effort) -> str:
    """formula(v, epsilon, h): A holds the x with g(x) > formula(V(x), epsilon, h), h = g(T_D) - g(T_D'), sigma = 1."""
    laws: tuple[dict[Fraction, int], ...] = (
        {Fraction(1): 1},
        {Fraction(1): 1, Fraction(2): 3},
        {Fraction(1, 4): 1, Fraction(1): 1, Fraction(5): 2},
        {Fraction(k, 3): k for k in range(1, 9)},
    )
    shifts = (Fraction(1, 2), Fraction(1), Fraction(2))
    count, least = 0, arb(10**6)
    for law, epsilon, h in product(laws, effort.pick((1, 4), (Fraction(1, 10), 1, 4, 20)), shifts):
        epsilon = Fraction(epsilon)
        one = two = arb(0)
        for v, weight in law.items():
            cut = Fraction(formula(v, epsilon, h))
            boundary = (h * cut - h * h / 2) / v**2
            if boundary != epsilon:
                raise Refuted(
                    f"V = {v}, h = {h}, epsilon = {epsilon}: the loss at the boundary of A_v is {boundary}, not "
                    "epsilon."
                )
            one += weight * normal_tail(ball((cut - h) / v))
            two += weight * normal_tail(ball(cut / v))
        excess = (one / two).log() - ball(epsilon)
        count += 1
        if not excess > 0:
            raise Refuted(f"law of V {law}, h = {h}, epsilon = {epsilon}: P_D(A) <= e^epsilon P_D'(A).")
        least = excess if excess < least else least
    return (
        f"{count} laws, shifts and epsilons (balls): log P_D(A)/P_D'(A) exceeds epsilon by at least {show(least)}; "
        "gluing.txt has the proof for every law of V"
    )


def glued(v: Fraction, epsilon: Fraction, h: Fraction) -> Fraction:
    """(epsilon v^2 + h^2/2) / h."""
    return (epsilon * v * v + h * h / 2) / h


GLUING = Claim(
    id=PAPER + "section-4.2-gluing",
    place="supplement, proof of Theorem 4, last step",
    statement="The events A_v, one for each value of V, make one measurable event that refutes epsilon-DP.",
    quotation=Quotation(
        "we can find a set A_v where P(f~(D) in A_v | V = v) > e^eps P(f~(D') in A_v | V = v). Thus the mechanism is "
        "not eps-DP.",
        note="the step from the sets A_v to one set is left out; g(x) > (eps V(x)^2 + h^2/2)/h is such a set",
    ),
    printed="P(A_v | V = v) > e^eps P'(A_v | V = v) for all v implies P(A) > e^eps P'(A) for some A",
    hypotheses="C not of finite rank, T_D - T_D' in the Cameron-Martin space and not 0",
    check=check_gluing,
    formula=glued,
    near=(
        Near(lambda v, epsilon, h: (epsilon * v + h * h / 2) / h, "V in place of V^2"),
        Near(lambda v, epsilon, h: (epsilon * v * v - h * h / 2) / h, "the other sign of h^2/2"),
        Near(lambda v, epsilon, h: Fraction(101, 100) * glued(v, epsilon, h), "a threshold off by 1 %"),
    ),
    strength="argued",
    argument="gluing.txt",
)
CLAIMS = (GLUING,)

"""A wave that never dies."""

from __future__ import annotations

from fractions import Fraction

from dpverify.api import verify
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade
from dpverify.classroom.judging import number
from dpverify.numerals import short
from dpverify.results import Epsilon

GENERATOR = "exp(-sqrt(y))*(3+sin(r))"
NEARLY, MUCH = Fraction(1, 100), Fraction(69, 100)


def _epsilon(delta: Fraction) -> Epsilon:
    found = verify(GENERATOR, sensitivity=delta, tolerance=Fraction(1, 10**5)).epsilon
    assert found is not None
    return found


def _said(delta: Fraction, epsilon: Epsilon) -> str:
    return f"at Δ = {delta} the proved ε is {epsilon.decimal}, that is Δ + {short((epsilon.upper - delta), 4)}"


def _grade(answers: Answers) -> Grade:
    findings = []
    least, most = number(answers, "least", "the first Δ"), number(answers, "most", "the second Δ")
    if not 5 <= least <= 8:
        findings.append(Finding(False, "the first Δ is to lie between 5 and 8"))
    else:
        epsilon = _epsilon(least)
        findings.append(Finding(epsilon.upper <= least + NEARLY, _said(least, epsilon)))
    if not 0 < most <= 5:
        findings.append(Finding(False, "the second Δ is to lie between 0 and 5"))
    else:
        epsilon = _epsilon(most)
        findings.append(Finding(epsilon.lower >= most + MUCH, _said(most, epsilon)))
    return Grade(tuple(findings))


WAVE = Exercise(
    name="wave",
    title="A wave that never dies",
    text=r"""
$f = e^{-r}\,(3 + \sin(r))$ falls everywhere, but its loss goes up and down for ever:

$$\delta + \log\,\frac{3 + \sin(c - \delta)}{3 + \sin(c)}$$

It has no limit; what counts is its limit superior. Take σ = 1, so δ = Δ.

1. Find a Δ between 5 and 8 at which the waves nearly cancel: ε is at most Δ + 1/100.
2. Find a Δ up to 5 at which they add as badly as they can: ε is at least Δ + 69/100.
""",
    fields=(Field("least", "Δ between 5 and 8", "such as 11/2"), Field("most", "Δ up to 5", "such as 3/2")),
    grader=_grade,
    hint=r"The sine has the period 2π. The fraction is largest where $\sin(c-\delta) = 1$ and $\sin(c) = -1$.",
    solution=r"""
At Δ = 6.28, nearly one period, the fraction is nearly 1. At Δ = 3.14, half a period, it reaches nearly
$(3+1)/(3-1) = 2$, and $\log 2 = 0.693$: for all waves together $\varepsilon \le \Delta + \log 2$.
""",
    right={"least": "6.28", "most": "3.14"},
    links=(("explanation/whether-and-how-much", "Whether, and how much"),),
)

"""Which of these is private?"""

from __future__ import annotations

from dpverify.api import verify
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade

GENERATORS = {
    "root": "exp(-sqrt(y))",
    "gauss": "exp(-y/2)",
    "power": "(1+y)**(-2)",
    "slow": "exp(-sqrt(y)*log(log(16+y)))",
}


def _grade(answers: Answers) -> Grade:
    ticked, findings = set(answers["private"].split()), []
    for key, text in GENERATORS.items():
        result = verify(text)
        private = result.verdict == "private"
        findings.append(Finding((key in ticked) == private, f"{text}: {result.reason}"))
    return Grade(tuple(findings))


WHICH = Exercise(
    name="which-is-private",
    title="Which of these is private?",
    text=r"""
Noise on the line has a density proportional to $f(x^2)$. The mechanism adds it to a query of sensitivity Δ = 1, with
σ = 1. The **privacy loss** at distance c is $g(c) - g(c-1)$ with $g(r) = -\log f(r^2)$: how strongly an output there
speaks for one of two neighbours. If it is bounded, its supremum is ε; if not, no ε will do.

For which of the four is there an ε? Type them into the explorer first, if you like, and draw one of them far out.
""",
    fields=(Field("private", "Private for some ε", choices=tuple(GENERATORS.items())),),
    grader=_grade,
    hint=r"Compute g for each. A potential that grows like a line has a bounded loss; what of one that bends upwards?",
    solution=r"""
`exp(-sqrt(y))`: $g(r) = r$, the loss is 1 everywhere. `exp(-y/2)`: $g(r) = r^2/2$, the loss $c - 1/2$ has no bound.
`(1+y)**(-2)`: $g(r) = 2\log(1+r^2)$, the loss has one hump and falls to 0. The last: $g(r) = r \log\log(16 + r^2)$, and
the loss grows like $\log\log$ of c: below 3.5 at a million, yet without a bound. No plot shows that; a proof does.
""",
    right={"private": "root power"},
    links=(("explanation/gaussian", "The Gaussian fails"), ("explanation/deceptive-plots", "Plots that deceive")),
)

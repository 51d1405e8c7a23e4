"""A pole in two dimensions."""

from __future__ import annotations

from dpverify.api import verify
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade

WANTED = {
    "positive": ("proved", "f is positive"),
    "decreasing": ("proved", "f falls"),
    "integrable": ("proved", "f is integrable in the plane, so there is such noise"),
    "tail_ratio_bounded": ("proved", "the tail ratio is bounded"),
    "finite_at_zero": ("refuted", "f is infinite at its centre"),
}


def _grade(answers: Answers) -> Grade:
    result = verify(answers["generator"], dimension=2)
    hypotheses = dict(result.hypotheses.items())
    findings = [
        Finding(hypotheses[name].status == status, f"wanted: {said}; found: {hypotheses[name].explanation}")
        for name, (status, said) in WANTED.items()
    ]
    return Grade(
        (*findings, Finding(result.verdict == "not_private", f"wanted: private for no ε; found: {result.reason}"))
    )


POLE = Exercise(
    name="pole",
    title="A pole in the plane",
    text=r"""
The tail is not the only place where privacy can end. Write a generator f for noise **in two dimensions** that is
positive, falls, is integrable (in the plane: $\int_0^\infty r\,f(r^2)\,dr$ is finite) and has a bounded tail ratio,
and yet is private for **no** ε.
""",
    fields=(Field("generator", "f in y or r"),),
    grader=_grade,
    hint=r"What if an output may lie exactly at one of the two centres? Mind that $r^{-1}$ is integrable in the plane.",
    solution=r"""
`exp(-r)/r` is one, and so is `exp(-r)*log(1+1/r)`: at its centre f is infinite, however slowly it gets there, so an
output near c = δ speaks for one neighbour without a bound. The factor r of polar coordinates makes both integrable.
The multivariate Laplace in the plane does just that: $f(y) = K_0(\sqrt{2y})$ grows like a logarithm at 0.
""",
    right={"generator": "exp(-r)/r"},
    links=(("explanation/multivariate-laplace", "The multivariate Laplace"),),
)

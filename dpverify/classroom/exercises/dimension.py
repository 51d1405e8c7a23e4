"""The end of privacy with the dimension."""

from __future__ import annotations

from dpverify.api import verify
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade
from dpverify.classroom.judging import number
from dpverify.generators import Generator

GENERATOR = "r**(k-d/2)*besselk(k-d/2, sqrt(2)*r)"
MIXING = "v**3*exp(-v)"
HIGHEST = 50


def _grade(answers: Answers) -> Grade:
    k, stop = number(answers, "k", "k"), number(answers, "stop", "the dimension")
    if not 0 < k <= 20:
        return Grade((Finding(False, "k is to be positive, and at most 20"),))
    findings = []
    for d, wanted in ((3, "private"), (4, "not_private")):
        result = verify(Generator(GENERATOR, d, {"k": k}), tolerance="1/100")
        findings.append(Finding(result.verdict == wanted, f"k = {k} in dimension {d}: {result.reason}"))
    if stop.denominator != 1 or not 1 <= stop <= HIGHEST:
        return Grade((*findings, Finding(False, f"the dimension is an integer up to {HIGHEST}")))
    # the least dimension with an infinite moment, as it is found from there: larger ones refute too, but are not least
    result = verify(mixing=MIXING, dimension=int(stop), tolerance="1/2")
    first = result.mixing is not None and result.mixing.stops_at_dimension == stop
    return Grade((*findings, Finding(result.verdict == "not_private" and first, f"d = {stop}: {result.reason}")))


DIMENSION = Exercise(
    name="dimension",
    title="The end of privacy with the dimension",
    text=r"""
Every elliptical law that exists in all dimensions is $X = V Z$ with Z standard normal and V random, and then

$$f_d(y) = E\left[(2\pi V^2)^{-d/2}\, e^{-y/(2V^2)}\right]$$

1. Let $V^2$ have a gamma law of shape k. Then $f_d$ is proportional to `r**(k-d/2)*besselk(k-d/2, sqrt(2)*r)`. Find a k
   for which the noise is private in dimension 3, and for no ε in dimension 4.
2. Let V have a density proportional to $v^3 e^{-v}$. Which is the first dimension in which the noise is private for
   no ε?
""",
    fields=(Field("k", "k", "an exact number"), Field("stop", "the first dimension", "an integer")),
    grader=_grade,
    hint=r"f is finite at 0 exactly when $E[V^{-d}]$ is. For the gamma law that is $\int_0 w^{k-1-d/2}\,dw$.",
    solution=r"""
$E[V^{-d}]$ is finite exactly for $k > d/2$: so $3/2 < k \le 2$, for instance 2. For the second law it is
$\int_0 v^{3-d}\,dv$, finite for $d < 4$: dimension 4 is the first in which f has a pole, a logarithm at its centre. In
infinitely many dimensions no law with a mass near 0 like a power survives: there is no such noise for functions.
""",
    right={"k": "2", "stop": "4"},
    links=(("explanation/infinite-dimensions", "In infinite dimensions"),),
)

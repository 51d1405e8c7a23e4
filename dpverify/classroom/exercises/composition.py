"""Four releases together."""

from __future__ import annotations

from fractions import Fraction

from dpverify.api import verify
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade
from dpverify.classroom.judging import number
from dpverify.composition import compose
from dpverify.profiles.result import Enclosed, Point

TIMES, WHOLE, DELTA, NEAR = 4, Fraction(2), Fraction(1, 20), Fraction(1, 100)


def _scale(sigma: Fraction) -> Finding:
    found = verify("laplace", scale=sigma)
    assert found.epsilon is not None
    whole = TIMES * found.epsilon.upper
    if whole > WHOLE:
        return Finding(False, f"σ = {sigma}: each release has ε = {found.epsilon.decimal}, four {float(whole):.4g}")
    if sigma > WHOLE + NEAR:
        return Finding(False, f"σ = {sigma} will do, but a smaller one would")
    return Finding(True, f"σ = {sigma}: each release has ε = {found.epsilon.decimal}, four {float(whole):.4g}")


def _delta(point: Point) -> Enclosed:
    assert isinstance(point.delta, Enclosed)  # the epsilons were given
    return point.delta


def _better(epsilon: Fraction) -> Finding:
    if not NEAR <= epsilon < WHOLE:
        return Finding(False, "the smaller ε is to lie below 2, and not below 1/100")
    release = verify("laplace", scale=2).certificate
    assert release is not None
    points = compose([(release, TIMES)], epsilon=[epsilon, epsilon - NEAR]).points
    held, missed = (_delta(point) for point in points)
    if held.upper > DELTA:
        return Finding(False, f"ε = {epsilon} needs δ = {float(held.lower):.5f}, more than 1/20")
    told = f"ε = {epsilon} holds with δ = {float(held.upper):.5f}"
    if missed.lower <= DELTA:
        return Finding(False, f"{told}, but {epsilon - NEAR} still has at most 1/20")
    return Finding(True, f"{told}, and {epsilon - NEAR} has more than 1/20")


def _grade(answers: Answers) -> Grade:
    sigma = number(answers, "sigma", "σ")
    if sigma <= 0:
        return Grade((Finding(False, "σ is positive"),))
    return Grade((_scale(sigma), _better(number(answers, "epsilon", "the smaller ε"))))


COMPOSITION = Exercise(
    name="composition",
    title="Four releases together",
    text=r"""
A statistic of sensitivity Δ = 1 is released four times with fresh Laplace noise, f = `exp(-sqrt(y))`, of scale σ.

1. What is the least σ with which all four together are private with ε = 2, by adding up?
2. With that σ, allow δ = 1/20. Four releases of ε = 1/2 each are then (ε′, 1/20)-private for an ε′ below 2: the worst
   that four such mechanisms can do is randomised response. Find ε′, no more than 1/100 above the best.
""",
    fields=(Field("sigma", "σ"), Field("epsilon", "ε′", "to two decimals, rounded up")),
    grader=_grade,
    hint=r"""For ε′ between 1 and 2 only the case in which all four answers agree counts:
$\delta = (e^2 - e^{\varepsilon'})\,/\,(1 + e^{1/2})^4$.""",
    solution=r"""
Laplace noise has ε = Δ/σ, so σ = 2. Randomised response with ε = 1/2 tells the truth with the odds $e^{1/2}$; four
truthful answers have the probability $e^2/(1+e^{1/2})^4$ under the one neighbour and $1/(1+e^{1/2})^4$ under the
other, so $\delta = (e^2 - e^{\varepsilon'}) / (1+e^{1/2})^4$. With δ = 1/20 that is
$\varepsilon' = \log(e^2 - 49.22/20) = 1.595$.
""",
    right={"sigma": "2", "epsilon": "1.6"},
    links=(("explanation/profiles", "Privacy profiles"),),
)

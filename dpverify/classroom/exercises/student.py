"""Student t: epsilon derived."""

from __future__ import annotations

from fractions import Fraction

from dpverify.api import verify
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade
from dpverify.classroom.judging import CLOSE, agrees, enclosed

Ends = tuple[Fraction, Fraction]
SHIFTED = [{"nu": Fraction(n), "delta": Fraction(t)} for n, t in ((3, 1), (5, "1/2"), ("7/3", 4))]
PAIRS = [{"c": Fraction(c), "r": Fraction(r)} for c, r in ((2, 1), (3, "1/2"), (7, 5))]
LAWS = [
    {"nu": Fraction(n), "d": Fraction(d), "delta": Fraction(t)} for n, d, t in ((3, 2, 1), (5, 1, "1/2"), (2, 4, 3))
]


def _ratio(c: Fraction, r: Fraction) -> Ends:
    value = (1 + c * c / (c * r)) / (1 + r * r / (c * r))
    return value, value


def _proved(nu: Fraction, d: Fraction, delta: Fraction) -> Ends:
    epsilon = verify("student_t", parameters={"nu": nu}, dimension=int(d), sensitivity=delta).epsilon
    assert epsilon is not None
    return epsilon.lower, epsilon.upper


def _stationary(text: str) -> Finding:
    """Whether c is beyond delta and c (c - delta) = nu, that is g'(c) = g'(c - delta)."""
    for values in SHIFTED:
        low, high = enclosed(text, values)
        nu, delta = values["nu"], values["delta"]
        if low <= delta:
            return Finding(False, f"c*: at nu = {nu}, delta = {delta} it is {float(low):.6g}, not beyond delta")
        if low * (low - delta) > nu + CLOSE or high * (high - delta) < nu - CLOSE:
            product = float(low * (low - delta))
            return Finding(False, f"c*: at nu = {nu}, delta = {delta} the slopes differ: c·r is {product:.6g}")
    return Finding(True, "c*: the slopes of g at c* and at c* − δ agree at three points")


def _grade(answers: Answers) -> Grade:
    ratio = agrees(answers["ratio"], "the ratio, where c·r = ν", PAIRS, _ratio)
    size = agrees(answers["epsilon"], "ε, beside what is proved", LAWS, _proved)
    return Grade((_stationary(answers["top"]), ratio, size))


STUDENT = Exercise(
    name="deriving-t",
    title="Student t: derive its ε",
    text=r"""
$f(y) = (1 + y/\nu)^{-(\nu+d)/2}$, so $g(r) = \frac{\nu+d}{2}\log(1 + r^2/\nu)$ and the loss is

$$\frac{\nu+d}{2}\,\log\,\frac{1 + c^2/\nu}{1 + r^2/\nu}, \quad r = c - \delta$$

1. At the top $g'(c) = g'(r)$. Show that this says $c\,r = \nu$, and solve for c.
2. With $\nu = c\,r$ the fraction under the logarithm becomes very short: write it in c and r alone.
3. Put $c = \sqrt{\nu}\,e^{\tau}$ and $r = \sqrt{\nu}\,e^{-\tau}$. What is $c - r$? Find ε in ν, d and δ.
""",
    fields=(
        Field("top", "c* in nu and delta", "(delta + ...)/2"),
        Field("ratio", "the fraction in c and r"),
        Field("epsilon", "ε in nu, d and delta", "with log or asinh"),
    ),
    grader=_grade,
    hint=r"Cross-multiply $c(\nu + r^2) = r(\nu + c^2)$ and divide by $c - r$. Then $1 + c^2/(cr) = (r + c)/r$.",
    solution=r"""
$c\,(\nu + r^2) = r\,(\nu + c^2)$ is $\nu(c - r) = c\,r\,(c - r)$, so $c\,r = \nu$ and
$c^* = \frac{\delta + \sqrt{\delta^2 + 4\nu}}{2}$.

$$\frac{1 + c^2/\nu}{1 + r^2/\nu} = \frac{1 + c/r}{1 + r/c} = \frac{(r + c)/r}{(c + r)/c} = \frac{c}{r}$$

With $c = \sqrt{\nu}\,e^\tau$ and $r = \sqrt{\nu}\,e^{-\tau}$ their difference is $\delta = 2\sqrt{\nu}\sinh\tau$,
their quotient $e^{2\tau}$, hence $\varepsilon = \frac{\nu+d}{2} \cdot 2\tau$,
which is `(nu+d)*asinh(delta/(2*sqrt(nu)))`.
""",
    right={
        "top": "(delta + sqrt(delta**2 + 4*nu))/2",
        "ratio": "c/r",
        "epsilon": "(nu+d)*asinh(delta/(2*sqrt(nu)))",
    },
    links=(("explanation/student-t", "Student t, the stationary point derived"),),
)

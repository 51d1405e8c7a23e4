"""Certificates of mixtures: the kernel's integrals against others, and forgeries that it refuses."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

import dpverify
from dpverify.kernel import certificate as kernel
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import Ledger, Rejected
from dpverify.kernel.sections import laws, tilted
from dpverify.kernel.sections.charts import Problem
from dpverify.serialise import digest

for section in kernel.SECTIONS:
    kernel.load_section(section)
GALLERY = Path(__file__).parents[2] / "certificates" / "mixtures"


def holds(value: Interval, truth: Any, width: float = 1e-12) -> bool:
    """Whether the interval contains a number that mpmath knows to 25 digits, and is narrow."""
    low, high = mpmath.mpf(str(value.lo)), mpmath.mpf(str(value.hi))
    slack = abs(truth) * mpmath.mpf(10) ** -25 + mpmath.mpf(10) ** -30
    return bool(low - slack <= truth <= high + slack and high - low <= width * max(1, abs(truth)))


@pytest.mark.slow
@pytest.mark.parametrize("beta", ["0", "1/1000", "1/3", "7/2", "10", "25", "60"])
def test_moments_are_integrals_against_an_exponential(beta: str) -> None:
    found = tilted.moments(interval(Fraction(beta)), 22)
    with mpmath.workdps(40):
        rate = mpmath.mpf(Fraction(beta).numerator) / Fraction(beta).denominator
        for j, value in enumerate(found):
            truth = mpmath.quad(lambda x, j=j: x**j * mpmath.exp(-rate * (1 + x)), [-1, -0.9, -0.5, 0, 0.5, 1])
            assert holds(value, truth)


def problem(text: str, dimension: int, low: Fraction, high: Fraction) -> Problem:
    tree = Reader(laws.in_r(text), {}).tree()
    return Problem(tree, dimension, Fraction(1), (low, 6), (high, 6))


def law(text: str, dimension: int, marks: list[Fraction]) -> tilted.Law:
    step = {
        "order": 10,
        "marks": [str(m) for m in marks],
        "ends": {"zero": "power", "infinity": "power"},
    }
    return tilted.law(problem(text, dimension, marks[0], marks[-1]), step)


MARKS = [Fraction(2) ** k * j / 8 for k in range(-16, 6) for j in (8, 9, 10, 11, 12, 14)] + [Fraction(2) ** 6]


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    ("text", "density", "dimension"),
    [
        ("v**7*exp(-v)", lambda v: v**7 * mpmath.exp(-v), 2),
        ("v**7*exp(-v)*log(2+v)", lambda v: v**7 * mpmath.exp(-v) * mpmath.log(2 + v), 1),
        ("v**9/(1+v)**13", lambda v: v**9 / (1 + v) ** 13, 3),
    ],
)
def test_integrals_on_panels_are_those_of_another_program(
    text: str, density: Callable[[Any], Any], dimension: int
) -> None:
    found = law(text, dimension, MARKS)
    with mpmath.workdps(30):
        for s in (Fraction(0), Fraction(1, 3), Fraction(2), Fraction(9)):
            y = mpmath.mpf(s.numerator) ** 2 / s.denominator**2
            first = next(i for i, v in enumerate(MARKS) if v >= s / 10)
            for k, value in enumerate(found.at(s, first, len(MARKS) - 1)):

                def integrand(v: Any, y: Any = y, k: int = k) -> Any:
                    power = (2 * v * v) ** -k * v**-dimension
                    return power * mpmath.exp(-y / (2 * v * v)) * density(v) if v else mpmath.mpf(0)

                truth = mpmath.quad(integrand, [0, *(mpmath.mpf(2) ** j for j in range(-16, 7)), mpmath.inf])
                assert holds(value, truth, 1e-6), (s, k)


@pytest.mark.parametrize("power", [0, 1, 4])
def test_what_lies_beyond_the_panels(power: int) -> None:
    """Of v^(power+2) e^(-v): incomplete gamma functions."""
    p = problem(f"v**{power + 2}*exp(-v)", 2, Fraction(1, 1024), Fraction(64))
    with mpmath.workdps(30):
        inner = tilted.beyond(p, Fraction(1, 1024), "zero")[0]
        outer = tilted.beyond(p, Fraction(64), "infinity")[0]
        assert holds(inner, mpmath.gammainc(power + 1, 0, mpmath.mpf(1) / 1024), 1e-6)
        assert holds(outer, mpmath.gammainc(power + 1, 64))


def test_a_moment_that_is_infinite_is_not_bounded() -> None:
    p = problem("v**2*exp(-v)", 3, Fraction(1, 1024), Fraction(64))
    with pytest.raises(Rejected, match="integrable towards zero"):
        tilted.beyond(p, Fraction(1, 1024), "zero")


def gallery(name: str) -> dict[str, Any]:
    return dict(json.loads((GALLERY / f"{name}.json").read_text()))


def change(path: tuple[str, ...], value: Any) -> Callable[[dict[str, Any]], None]:
    def forge(certificate: dict[str, Any]) -> None:
        part = certificate
        for key in path[:-1]:
            part = part[key]
        assert part[path[-1]] != value
        part[path[-1]] = value

    return forge


def first_window(certificate: dict[str, Any]) -> None:
    """Only the first panel at every radius."""
    windows = certificate["proof"]["windows"]
    certificate["proof"]["windows"] = {s: [0, 1] for s in windows}


def without_a_cover(certificate: dict[str, Any]) -> None:
    step = certificate["proof"]["supremum"]
    step["cover"], step["rules"] = [step["cover"][0], step["cover"][-1]], step["rules"][0]


def another_radius(certificate: dict[str, Any]) -> None:
    certificate["proof"]["windows"]["12345"] = [0, 4]


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("gaussian-tail", change(("claim", "epsilon"), {"lower": "2", "upper": "2999/1000"}), "loss is not shown below"),
    ("gaussian-tail", change(("claim", "epsilon"), {"lower": "3001/1000", "upper": "4"}), "lower bound"),
    ("gaussian-tail", change(("claim", "mixing"), "v**7*exp(-v**2/2-v)"), "loss is not shown below"),
    ("gaussian-tail", change(("claim", "mixing"), "v**7*exp(-v**2)"), "loss is not shown below"),
    ("gaussian-tail", change(("claim", "mixing"), "(v-2)*v**7*exp(-v**2/2+v)"), "no proved sign"),
    ("gaussian-tail", change(("claim", "mixing"), "y*v**7*exp(-v**2/2+v)"), "written in v alone"),
    ("gaussian-tail", change(("claim", "sensitivity"), "4"), "no panels are named"),
    ("gaussian-tail", change(("claim", "dimension"), 8), "not shown integrable towards zero"),
    ("gaussian-tail", change(("claim", "verdict"), "not_private"), "do not fit the verdict"),
    ("gaussian-tail", change(("claim", "theorem"), "Theorem A"), "theorem"),
    ("gaussian-tail", change(("proof", "witness", "rate"), "3/5"), "fall so fast"),
    ("gaussian-tail", change(("proof", "witness", "radius"), "1"), "neither a radius nor a rate"),
    ("gaussian-tail", change(("proof", "supremum", "tail", "square"), "9/10"), "slowly enough"),
    ("gaussian-tail", change(("proof", "supremum", "tail", "constant"), "-100"), "slowly enough"),
    ("gaussian-tail", change(("proof", "law", "ends", "infinity"), "nothing"), "to be 0 towards infinity"),
    ("gaussian-tail", change(("proof", "law", "ends", "infinity"), ["nothing"]), "names no rule"),
    ("gaussian-tail", change(("proof", "law", "ends", "zero"), {}), "names no rule"),
    ("gaussian-tail", first_window, "too wide for its radius"),
    ("gaussian-tail", without_a_cover, "not shown below"),
    ("gaussian-tail", another_radius, "no claim needs"),
    ("infinite-moment", change(("claim", "dimension"), 3), "is not shown infinite"),
    ("infinite-moment", change(("claim", "mixing"), "v**3*exp(-v)*(v-1)"), "nowhere negative"),
    ("infinite-moment", change(("proof", "refutation", "by"), "tail"), "tend to minus infinity"),
    ("infinite-moment", change(("proof", "refutation", "by"), "bound"), ""),
    ("lighter-than-gaussian", change(("claim", "mixing"), "v*exp(-v**2)"), "tend to minus infinity"),
    ("lighter-than-gaussian", change(("claim", "mixing"), "v**(-1)*exp(-v**3)"), "integrable at the centre"),
    ("lighter-than-gaussian", change(("proof", "refutation", "positive"), ["0", "1"]), "open box"),
]


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize(("name", "forge", "message"), FORGERIES)
def test_a_forged_certificate_is_refused(name: str, forge: Callable[[dict[str, Any]], None], message: str) -> None:
    """Whichever rules the forger lists."""
    certificate = copy.deepcopy(gallery(name))
    forge(certificate)
    with pytest.raises(Rejected, match=message or None):
        kernel.replay(certificate["claim"], certificate["proof"], Ledger())


@pytest.mark.slow
def test_a_certificate_that_was_altered_is_refused() -> None:
    certificate = gallery("gaussian-tail")
    assert dpverify.check(certificate)
    certificate["claim"]["epsilon"] = {"lower": "2", "upper": "2999/1000"}
    assert "altered" in dpverify.check(certificate).message
    report = dpverify.check({**certificate, "digest": digest(certificate)})
    assert not report and "loss is not shown below" in report.message


@pytest.mark.slow
def test_what_no_rule_bounds_is_said() -> None:
    """E[V^-2] is finite by a logarithm alone, which the rules of ends do not see."""
    result = dpverify.verify(mixing="v/log(2+1/v)**2*exp(-v)", dimension=2)
    assert result.verdict == "private" or result.verdict == "undecided"
    assert result.certificate is None
    if result.verdict == "private":
        assert "the checker does not follow" in result.assumptions[0]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("text", "sensitivity"),
    [("v**(-5)*exp(-1/v)", "1000000"), ("exp(-log(v)**2/2)/v", "1")],
    ids=["a long shift", "a peak of the loss within 1e-8 of the centre"],
)
def test_in_ten_dimensions_integrals_far_apart_in_size_have_a_certificate(text: str, sensitivity: str) -> None:
    """f falls by a factor of e^45 or e^205 over the shift; the loss at 0 by mpmath is below epsilon, and near it."""
    result = dpverify.verify(mixing=text, dimension=10, sensitivity=sensitivity)
    assert result.verdict == "private" and result.assumptions == ()
    assert result.epsilon is not None and result.certificate is not None
    kernel.check_bytes(json.dumps(result.certificate).encode())
    p = {"1000000": lambda v: v**-5 * mpmath.exp(-1 / v), "1": lambda v: mpmath.exp(-(mpmath.log(v) ** 2) / 2) / v}
    with mpmath.workdps(30):

        def log_f(s: Any) -> Any:
            marks = [mpmath.mpf(2) ** k for k in range(-60, 60, 2)]
            density = p[sensitivity]
            return mpmath.log(mpmath.quad(lambda v: v**-10 * density(v) * mpmath.exp(-((s / v) ** 2) / 2), marks))

        loss = log_f(mpmath.mpf(0)) - log_f(mpmath.mpf(sensitivity))
        upper = mpmath.mpf(result.epsilon.upper.numerator) / result.epsilon.upper.denominator
        assert loss * (1 - mpmath.mpf("1e-12")) <= upper <= loss * (1 + mpmath.mpf("1e-6"))

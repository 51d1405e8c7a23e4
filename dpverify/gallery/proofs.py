"""Proofs of a pure epsilon, or that there is none: the papers' examples, and each rule in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpverify.api import verify
from dpverify.serialise import serialise

ENTRIES: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("laplace-d1", "laplace", 1, {}),
    ("laplace-d3", "laplace", 3, {}),
    ("laplace-d3-scaled", "laplace", 3, {"sensitivity": "3/2", "scale": "5/4"}),
    ("student-t-nu1-d1", "student_t", 1, {"parameters": {"nu": "1"}}),
    ("student-t-nu1-d2", "student_t", 2, {"parameters": {"nu": "1"}}),
    ("student-t-nu1-d10", "student_t", 10, {"parameters": {"nu": "1"}}),
    ("student-t-nu3-d1", "student_t", 1, {"parameters": {"nu": "3"}}),
    ("student-t-nu3-d2", "student_t", 2, {"parameters": {"nu": "3"}}),
    ("student-t-nu3-d10", "student_t", 10, {"parameters": {"nu": "3"}}),
    ("student-t-nu5-d1", "student_t", 1, {"parameters": {"nu": "5"}}),
    ("student-t-nu5-d2", "student_t", 2, {"parameters": {"nu": "5"}}),
    ("student-t-nu5-d10", "student_t", 10, {"parameters": {"nu": "5"}}),
    ("student-t-nu5-d10000", "student_t", 10000, {"parameters": {"nu": "5"}}),
    ("gaussian-d1", "gaussian", 1, {}),
    ("gaussian-d2", "gaussian", 2, {}),
    ("multivariate-laplace-d1", "multivariate_laplace", 1, {}),
    ("multivariate-laplace-d2", "multivariate_laplace", 2, {}),
    ("multivariate-laplace-d3", "multivariate_laplace", 3, {}),
    ("hyperbolic", "hyperbolic", 1, {}),
    ("pearson-like", "(1+sqrt(y))**(-7)", 2, {}),
    ("sech", "sech", 1, {}),
    ("stretched-quarter", "exp(-y**(1/4))", 1, {}),
    ("stretched-three-quarters", "exp(-y**(3/4))", 1, {}),
    ("gaussian-plus-laplace", "exp(-y)+exp(-sqrt(y))", 1, {}),
    ("algebraic-not-integrable", "1/(1+r)", 1, {}),
    ("negative-somewhere", "exp(-r)*(1-2*r)", 1, {}),
    ("logarithmic-factor", "exp(-r)*log(2+r)/gamma(3/2)", 1, {}),
    ("faster-than-exponential", "exp(-r)+exp(-r*log(1+r))", 1, {}),
    ("pole-at-centre", "exp(-r)/sqrt(r)", 1, {}),
    ("infinite-integral-at-centre", "exp(-r)/y", 1, {}),
    ("zero-at-centre", "exp(-1/r-r)", 1, {}),
    ("zero-beyond-a-ball", "Piecewise((1, r < 1), (0, True))", 1, {}),
    ("compact-support", "Piecewise((sqrt(2-y), y < 2), (0, True))", 1, {}),
    ("nothing-near-the-centre", "Piecewise((0, r < 1), (exp(-r), True))", 1, {}),
    ("pole-at-a-radius", "Abs(1-y)**(-1/2)*exp(-r)", 1, {}),
    ("infinite-integral-at-a-radius", "exp(-r)/(1-2*r+y)", 1, {}),
    ("hidden-square", "sqrt(1-2*r+y)*exp(-r)", 1, {}),
    ("irrational-square", "exp(-r)*(y-2*sqrt(2)*r+2)", 1, {}),
    ("flat-place", "exp(-r)*(1+y)", 1, {}),
    ("slash", "(1-exp(-y/2))/y", 1, {"tolerance": "1/4"}),
    ("touching-zero", "Abs(r-2)*exp(-r)", 1, {}),
    ("zero-by-limits", "exp(-r-1/Abs(r-1))", 1, {}),
    ("zero-beside-a-jump", "exp(-r)*(1-frac(r))", 1, {}),
    ("touching-saw", "frac(r)/(1+y)**2", 1, {}),
    ("zeros-that-recur-and-no-integral", "(1+cos(r))/(1+r)", 1, {}),
    ("zero-throughout", "exp(-r)*((1+r)**2-1-2*r-y)", 1, {}),
    ("roots-that-cancel-altogether", "exp(-r)*(1+r-sqrt(1+2*r+y))", 1, {}),
    ("touching-zeros-for-ever", "(1+cos(r))*exp(-r)", 1, {}),
    ("waves-that-fall", "exp(-2*r)*(2+sin(r))", 1, {}),
    ("waves-without-a-common-period", "exp(-r)*(3+sin(r)+sin(sqrt(2)*r))", 1, {"tolerance": "1/100"}),
    ("waves-that-touch-zero-far-out", "exp(-r)*(2+sin(r)+sin(sqrt(2)*r))", 1, {}),
    ("chirp", "exp(-r)*(2+sin(y))", 1, {"tolerance": "1/100"}),
    ("chirp-on-a-gaussian", "exp(-y)*(3+cos(y))", 2, {}),
    ("stairs", "exp(-floor(r))", 1, {}),
    ("saw", "exp(-2*r)*(1+r-floor(r))", 1, {"tolerance": "1/4"}),
    ("steps-of-a-wave", "exp(-r)*(2+floor(cos(r)))", 1, {"tolerance": "1/4"}),
    ("steps-that-decay", "exp(-r)*(1+frac(r))", 1, {"sensitivity": "1/3", "tolerance": "1/4"}),
    ("steps-that-rise-more-slowly", "exp(-r/4)*(1+floor(sqrt(r)))", 1, {"tolerance": "1/4"}),
    ("a-saw-and-a-long-shift", "exp(-(5*r+frac(r)/3))*exp(-erf((7/2)*r))", 1, {"sensitivity": "100"}),
    ("steps-beside-a-special-function", "exp(-ceil(3*r)-tanh(loggamma(2+20*r)))", 1, {}),
    ("far-boxes", "exp(-sqrt(1+y))*(log(4+4*r+y)/2-log(1+r))", 2, {"sensitivity": "1000", "tolerance": "1/4"}),
    ("vertex", "exp(-r)*(y-4*r+4+1/200)", 2, {"tolerance": "1/4"}),
    ("logarithms-that-cancel", "exp(-r)*(log(2+r)-log(1+r))", 1, {}),
    ("powers-of-logarithms", "exp(-expm1(log1p(2*r)/2))*(1+exp(-r))", 1, {"tolerance": "1/4"}),
    ("parts-alike", "exp(-(r-frac(r)))", 1, {"tolerance": "1/4"}),
    ("common-factor", "exp(-r)+exp(-r)*cos(r)/2", 1, {"tolerance": "1/4"}),
    ("touching-sine", "exp(-r)*(1+sin(r))", 1, {}),
    ("touching-root", "exp(-r)*(1-cos(r))**(1/3)", 2, {}),
    ("steps-that-fade", "exp(-r*erf(r/2))+exp(-2*ceil(r))", 1, {"tolerance": "1/4"}),
    ("roots-that-cancel", "exp(-r)*(sqrt(1+y)-r)", 1, {}),
    ("softplus", "log(1+exp(-20*r))*(1+y)**(-2)", 2, {"tolerance": "1/4"}),
    ("less-than-one", "-log(1-exp(-1-r))", 1, {"sensitivity": "1000", "tolerance": "1/4"}),
    ("logarithm-beside-a-number", "log(2+exp(-r))-log(2)", 1, {"tolerance": "1/4"}),
    ("long-shift", "(pi/2-atan(20*r))*exp(-r)", 1, {"sensitivity": "1000", "tolerance": "1/4"}),
    ("minimum-among-maxima", "Max(exp(-2*r),Min(exp(-r),1/9))", 1, {}),
    ("steps-from-zero", "exp(-sqrt(floor(r)))", 1, {"tolerance": "1/4"}),
    ("stairs-that-rise", "exp(floor(r)/2-r)", 1, {"tolerance": "1/4"}),
    ("needs-on-charts", "exp(-r)/log(2+r)/(1+Abs(r-1))", 1, {"tolerance": "1/4"}),
    ("needs-at-a-radius", "exp(-r)/(2+log(1+r))", 1, {"tolerance": "1/4"}),
    ("second-ways", "tanh(exp(-r))", 1, {"tolerance": "1/4"}),
    ("jump-ahead-of-the-centre", "Piecewise((exp(-r), r < 2001/2000), (exp(-r)/2, True))", 1, {"tolerance": "1/4"}),
    ("rising-somewhere", "exp(-Max(6-3*r, r-2))", 1, {}),
    ("thirds", "exp(-Abs(r-2)/3)", 2, {}),
    (
        "huber-on-a-ring",
        "exp(-Piecewise(((r-2)**2/2, Abs(r-2) < 1), (Abs(r-2)-1/2, True)))",
        3,
        {},
    ),
    ("narrow-valley", "exp(-r)*((r-1)**2+1/1000000)", 1, {"tolerance": "1/4"}),
    ("rising-at-a-jump", "Piecewise((exp(-r)/2, r < 1), (exp(-r), True))", 1, {}),
    ("error-function", "erfc(r)", 1, {}),
    ("error-function-of-a-root", "exp(y/2)*erfc(r/sqrt(2))/(1+r)", 1, {"tolerance": "1/4"}),
    ("bessel-third", "besselk(1/3, 1+r)", 1, {}),
    ("bessel-eleven-halves", "besselk(11/2, 1+r)", 1, {}),
    ("bessel-beside-lambert", "besselk(2/3, 1+r)*exp(-lambertw(r))", 3, {"tolerance": "1/4"}),
    ("inverse-tangent", "exp(-atan(r))/(1+y)", 1, {"tolerance": "1/4"}),
    ("complement-of-the-inverse-tangent", "(pi/2-atan(r))**4", 2, {"tolerance": "1/4"}),
    ("lambert", "exp(-3*lambertw(r))", 1, {"tolerance": "1/4"}),
    ("lambert-of-an-exponential", "lambertw(exp(1-r))", 2, {}),
    ("gamma-of-a-variable", "exp(-r)*gamma(1+1/(1+r))", 1, {"tolerance": "1/4"}),
    ("reciprocal-gamma", "r/gamma(1+r)", 1, {}),
    ("incomplete-gamma", "gammaincc(1/2, r)", 1, {"tolerance": "1/4"}),
    ("incomplete-gamma-rising", "exp(-r)*(1+9*y)*gammainc(2, 1+r)", 1, {"tolerance": "1/4"}),
    ("slash-d1", "y**(-1)*gammainc(1, y/2)", 1, {"tolerance": "1/4"}),
    ("bessel-first-kind", "exp(-2*r)*besseli(0, r)", 1, {"tolerance": "1/4"}),
    ("short-shift", "(1+erfc(r))*exp(-r)", 1, {"sensitivity": "1/100", "tolerance": "1/4"}),
    ("short-shift-of-a-slash", "y**(-1)*gammainc(1, y/2)", 1, {"sensitivity": "1/20", "tolerance": "1/4"}),
    ("saw-beside-slow-growth", "exp(-r*lambertw(1+r)/(1+lambertw(r/10)))*(1+frac(r))", 3, {"tolerance": "2"}),
    (
        "short-shift-and-kinks",
        "(1+Abs(cos(5*r)))*(1+y)**(-11/2)",
        7,
        {"sensitivity": "1/1000000", "tolerance": "1/100"},
    ),
    (
        "short-shift-and-free-waves",
        "exp(-r)*(2+sin(r)+sin(sqrt(2)*r)/3)",
        1,
        {"sensitivity": "1/1000000", "tolerance": "1/4"},
    ),
    ("undefined-division", "exp(-r)/(r-sqrt(y))", 1, {}),
    ("undefined-logarithm", "exp(-r)*log(2-r)", 1, {}),
    ("undefined-branch", "Piecewise((exp(-r), r < 1))", 1, {}),
)
"""File name, generator or family, dimension, and further arguments of `verify`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    for entry in ENTRIES:
        yield f"{entry[0]}.json", made(*entry)


def made(name: str, text: str, dimension: int, arguments: dict[str, Any]) -> bytes:
    """The certificate of one entry."""
    result = verify(text, dimension=dimension, **arguments)
    if result.certificate is None:
        raise SystemExit(f"{name}: {result.reason}")
    return serialise(result.certificate)

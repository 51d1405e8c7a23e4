"""Generators whose verdict and epsilon are known without us; the derivation stands beside each.

g(r) = -log f(r^2) is the potential and the loss is g(r + delta) - g(r), whose supremum over r >= 0
is epsilon where g increases (Reimherr and Awan 2019, Theorem 3).  Where it falls somewhere, epsilon
is the modulus of continuity sup |g(s) - g(t)| over |s - t| <= delta.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mpmath import asinh, ceil, exp, log, mp, mpf, sin, sqrt

Potential = Callable[[mpf], mpf]


def largest_loss(g: Potential, low: float = 0, high: float = 60) -> Callable[[mpf], mpf]:
    """delta -> the largest loss with r in [low, high]: a grid of 2,000 radii, then golden section."""

    def epsilon(delta: mpf) -> mpf:
        def loss(r: mpf) -> mpf:
            return g(r + delta) - g(r)

        radii = [low + (high - low) * (mpf(k) / 2000) ** 2 for k in range(2001)]
        best = max(range(2001), key=lambda k: loss(radii[k]))
        return peak(loss, radii[max(0, best - 1)], radii[min(2000, best + 1)])

    return epsilon


def peak(value: Potential, a: mpf, b: mpf) -> mpf:
    """The maximum of a function with one peak on [a, b]: golden section to half the digits, so full digits of value."""
    ratio = (sqrt(5) - 1) / 2
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    at_c, at_d = value(c), value(d)
    while b - a > mpf(10) ** (-mp.dps // 2 - 1):
        if at_c > at_d:
            b, d, at_d = d, c, at_c
            c = b - ratio * (b - a)
            at_c = value(c)
        else:
            a, c, at_c = c, d, at_d
            d = a + ratio * (b - a)
            at_d = value(d)
    return max(value(a), value(b), at_c, at_d)


def at_centre(g: Potential) -> Callable[[mpf], mpf]:
    """delta -> g(delta) - g(0): the supremum where g is concave."""
    return lambda delta: g(delta) - g(mpf(0))


@dataclass(frozen=True)
class Known:
    """One generator; `epsilon` maps delta to the truth (None unless private).

    `slope` is lim g'(r) as text, None where there is none or SymPy cannot find it.
    """

    text: str
    verdict: str
    why: str
    epsilon: Callable[[mpf], mpf] | None = None
    d: int = 1
    deltas: tuple[str, ...] = ("1", "1/3")
    refuted: str | None = None  # the hypothesis of Theorem 3 that fails
    slope: str | None = None
    parameters: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text[:48]


def private(text: str, why: str, epsilon: Callable[[mpf], mpf], slope: str | None = None, **more: object) -> Known:
    return Known(text, "private", why, epsilon, slope=slope, **more)  # type: ignore[arg-type]


def not_private(text: str, refuted: str, why: str, slope: str | None = None, **more: object) -> Known:
    return Known(text, "not_private", why, refuted=refuted, slope=slope, **more)  # type: ignore[arg-type]


def invalid(text: str, refuted: str, why: str, **more: object) -> Known:
    return Known(text, "invalid", why, refuted=refuted, **more)  # type: ignore[arg-type]


def student_t(nu: str, d: int) -> Callable[[mpf], mpf]:
    """(nu + d) asinh(delta / (2 sqrt nu)): the stationary point of Example 6 put into its ratio."""
    return lambda delta: (mpf(nu) + d) * asinh(delta / (2 * sqrt(mpf(nu))))


def tail_slope(known: Known) -> object:
    """lim g'(r) by SymPy, which knows nothing of ours but the tree of the text; raises what SymPy raises."""
    import sympy

    from dpverify.generators import Generator
    from dpverify.symbolic.to_sympy import r, to_sympy

    f = to_sympy(Generator(known.text, known.d, parameters=known.parameters).expression, {})
    return sympy.limit(-sympy.diff(sympy.log(f), r), r, sympy.oo)


ELEMENTARY = [
    private("exp(-sqrt(y))", "g = r: the loss is delta everywhere", lambda x: x, "1", d=5, deltas=("7/3",)),
    private("exp(-3*r/2)", "g = 3 r/2", lambda x: 3 * x / 2, "3/2", d=2),
    private("exp(-sqrt(1+y))", "g convex, g' -> 1", lambda x: x, "1"),
    private("exp(-sqrt(4+y))", "g convex, g' -> 1", lambda x: x, "1", d=3, deltas=("1/2", "40")),
    private("(1+2*sqrt(y))*exp(-2*sqrt(y))", "g' = 2 - 2/(1 + 2 r) increases to 2", lambda x: 2 * x, "2"),
    private("(1+r)*exp(-r)", "g' = r/(1 + r) increases to 1", lambda x: x, "1"),
    private("1/cosh(sqrt(y))", "g = log cosh r is convex, g' -> 1", lambda x: x, "1", deltas=("2", "1/100")),
    private("exp(-r)/(1+exp(-r))**2", "logistic: g' = tanh(r/2) increases to 1", lambda x: x, "1", deltas=("1", "6")),
    private("1-tanh(r)", "g = log(1 + e^(2 r)) - log 2 is convex, g' -> 2", lambda x: 2 * x, "2"),
    private("exp(-y**(1/4))", "g = sqrt(r) is concave", at_centre(sqrt), "0", deltas=("1/4", "9", "1e-6")),
    private("exp(-y**(2/5))", "g = r^(4/5), concave", at_centre(lambda r: r ** mpf("0.8")), "0", deltas=("32", "1e-9")),
    private(
        "exp(-y**(1/100))", "g = r^(1/50), concave", at_centre(lambda r: r ** mpf("0.02")), "0", deltas=("1", "1e9")
    ),
    private("(1+sqrt(y))**(-7)", "g = 7 log(1 + r) is concave", at_centre(lambda r: 7 * log(1 + r)), "0", d=2),
    private("exp(-r)/(1+r)", "g = r + log(1 + r) is concave", at_centre(lambda r: r + log(1 + r)), "1"),
    private("exp(-r-r/(1+r))", "g' = 1 + (1 + r)^-2 falls", at_centre(lambda r: r + r / (1 + r)), "1"),
    private("exp(-sqrt(r+y))", "g^2 = (r + 1/2)^2 - 1/4: concave", at_centre(lambda r: sqrt(r + r * r)), "1"),
    private("(r+sqrt(1+y))**(-3)", "g = 3 asinh r is concave", at_centre(lambda r: 3 * asinh(r)), "0"),
    private(
        "exp(-sqrt(y))+3*exp(-5*sqrt(y))",
        "f is a mixture of exponentials, so g is concave",
        at_centre(lambda r: -log(exp(-r) + 3 * exp(-5 * r))),
        "1",
    ),
    private("(1+y)**(-1)", "Student t, nu = 1", student_t("1", 1), "0"),
    private("(1+y/3)**(-2)", "Student t, nu = 3", student_t("3", 1), "0", deltas=("1", "1e-4", "1e4")),
    private(
        "(1+y/nu)**(-(nu+d)/2)",
        "Student t at the extremes",
        student_t("0.001", 10_000),
        "0",
        d=10_000,
        deltas=("1e-9", "1e9"),
        parameters={"nu": "1/1000"},
    ),
    private("exp(-log(2+y)**2)", "searched", largest_loss(lambda r: log(2 + r * r) ** 2), "0"),
    private(
        "(1+y)**(-3)*log(3+y)**2",
        "searched",
        largest_loss(lambda r: 3 * log(1 + r * r) - 2 * log(log(3 + r * r))),
        "0",
        d=2,
    ),
    private("exp(-log(1+r)**2)", "searched: g' = 2 log(1 + r)/(1 + r)", largest_loss(lambda r: log(1 + r) ** 2), "0"),
    private(
        "1000*exp(-y)+(1+y)**(-2)",
        "searched",
        largest_loss(lambda r: -log(1000 * exp(-r * r) + (1 + r * r) ** -2)),
        "0",
    ),
    private("exp(-y)+exp(-sqrt(y))", "searched", largest_loss(lambda r: -log(exp(-r * r) + exp(-r))), "1"),
    private(
        "exp(-sqrt(y))*(1+exp(-(sqrt(y)-300)**2)/20)",
        "searched: a feature far out",
        largest_loss(lambda r: r - log(1 + exp(-((r - 300) ** 2)) / 20), 290, 310),
        "1",
    ),
    private(
        "Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))",
        "slope 1 and one jump down by log 2",
        lambda x: x + log(2),
    ),
    private("Piecewise((exp(-y/2), y < 1), (exp(1/2-r), True))", "Huber: g' = min(r, 1)", lambda x: x, d=3),
    private("exp(-Max(r,2*r-3))", "g' is 1, then 2", lambda x: 2 * x, "2"),
    private("exp(-Min(2*r,r+1))", "g is concave", at_centre(lambda r: min(2 * r, r + 1)), "1"),
    private("exp(-r-Abs(r-2))", "g' is 0, then 2", lambda x: 2 * x, "2"),
    private("exp(-floor(r))", "a step of 1 at every whole number", lambda x: ceil(x), deltas=("1", "5/2")),
    private(
        "exp(-2*sqrt(y)-cos(3*sqrt(y))/4)",
        "the wave adds (cos(3 r + 3 x) - cos 3 r)/4, at most sin(3 x/2)/2",
        lambda x: 2 * x + sin(3 * x / 2) / 2,
    ),
    private("(2+3*y)*exp(-sqrt(y))", "|g'| <= 1, and g' -> 1; f rises near 0", lambda x: x, "1", refuted="decreasing"),
    private(
        "1/((1+r)*log(3+r)**2)",
        "integral of 1/(r log^2 r) converges; g = log(1 + r) + 2 log log(3 + r) is concave",
        at_centre(lambda r: log(1 + r) + 2 * log(log(3 + r))),
        "0",
    ),
    not_private("exp(-y/2)", "tail_ratio_bounded", "Gaussian: the loss is delta r + delta^2/2", "oo"),
    not_private("exp(-y**(3/4))", "tail_ratio_bounded", "g = r^(3/2) is convex with unbounded slope", "oo"),
    not_private("exp(-y**(3/5))", "tail_ratio_bounded", "g = r^(6/5)", "oo", d=2),
    not_private("exp(-sqrt(y)*log(1+log(1+y)))", "tail_ratio_bounded", "g' ~ log log r"),
    not_private("exp(-sqrt(y)*sqrt(log(4+y)))", "tail_ratio_bounded", "g' ~ sqrt(2 log r)", "oo"),
    not_private("y**(-1/100)*exp(-sqrt(y))", "finite_at_zero", "a slow pole", "1"),
    not_private("sqrt(log(2+1/y))*exp(-sqrt(y))", "finite_at_zero", "a pole of sqrt(log)", "1"),
    not_private("Max(0,1-y)", "positive", "f vanishes beyond 1, and is positive at distance delta from there"),
    not_private("exp(-sqrt(y))*sin(sqrt(y))**2", "positive", "f(pi^2 k^2) = 0"),
    not_private("r*exp(-r)", "positive", "f(0) = 0", "1", d=2),
    invalid("(1+y)**(-1/4)", "integrable", "integral of r^(-1/2)"),
    invalid("(1+y)**(-3/2)", "integrable", "r^2 r^-3 = 1/r", d=3),
    invalid("1/((1+r)*log(2+r))", "integrable", "integral of 1/(r log r)"),
    invalid("1/r**3*exp(-r)", "integrable", "too strong a pole", d=2),
    invalid("exp(r)", "integrable", "grows"),
    invalid("exp(-r)*(1-2*r)", "positive", "negative beyond 1/2"),
    invalid("-exp(-r)", "positive", "negative"),
]

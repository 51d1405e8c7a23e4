"""Section 4.1, Examples 4 to 6: K-norm, Gaussian and t noise, and the poster's plot."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dpverify.api import verify
from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

EXAMPLE = "reimherr-awan-2019:example-"
HALF = Fraction(1, 2)


def check_k_norm(multiple: Any, effort: Effort) -> str:
    """f = exp(-sqrt(y)): the log ratio at any c >= Delta is c - (c - Delta)."""
    dimensions = effort.pick((1, 3), (1, 2, 3, 10))
    for delta in (Fraction(1, 3), Fraction(1), Fraction(7, 2)):
        for c in (delta, delta + 1, delta + 100):
            if c - (c - delta) != multiple * delta:
                raise Refuted(f"c = {c}, Delta = {delta}: the log ratio is {delta}, not {multiple * delta}.")
        for d in dimensions:
            epsilon = verify("laplace", dimension=d, sensitivity=delta).epsilon
            if epsilon is None or not epsilon.lower <= multiple * delta <= epsilon.upper:
                raise Refuted(f"d = {d}, Delta = {delta}: the prover encloses epsilon elsewhere.")
    return f"c - (c - Delta) = Delta identically; certificates of the prover for d = {', '.join(map(str, dimensions))}"


K_NORM = Claim(
    id=EXAMPLE + "4",
    place="Example 4",
    statement="For the elliptical K-norm mechanism, f(y) = exp(-sqrt(y)), the ratio is constant.",
    quotation=Quotation(
        "For any c >= Delta, we have that f((c - Delta)^2)/f(c^2) = exp(-(c - Delta))/exp(-c) = exp(Delta), which is "
        "constant. This suggests that this distribution is especially suited for eps-DP.",
        "restored",
        "the roots and fractions",
    ),
    printed="f((c - Delta)^2)/f(c^2) = exp(Delta) for every c >= Delta",
    hypotheses="c >= Delta",
    check=check_k_norm,
    formula=1,
    near=(Near(2, "exp(2 Delta)"), Near(Fraction(101, 100), "an exponent 1 % too large")),
    strength="proved",
)


def check_gaussian_tail(log_ratio: Any, effort: Effort) -> str:
    """The log ratio must be -(c - Delta)^2/2 + c^2/2, and grow without bound."""
    import sympy

    del effort
    c, delta = sympy.symbols("c Delta", positive=True)
    claimed = log_ratio(c, delta)
    if sympy.expand(claimed - (c**2 - (c - delta) ** 2) / 2) != 0:
        at = claimed.subs({c: 10, delta: 1})
        raise Refuted(f"c = 10, Delta = 1: the log ratio is 19/2, not {at}.")
    if sympy.diff(claimed, c) != delta:
        raise Refuted("the log ratio does not grow linearly in c.")
    return "the log ratio is c Delta - Delta^2/2 identically (SymPy), with derivative Delta > 0"


GAUSSIAN = Claim(
    id=EXAMPLE + "5",
    place="Example 5",
    statement="The ratio of the Gaussian grows without bound, so there is no epsilon.",
    quotation=Quotation(
        "It is well known in the DP community that Gaussian noise cannot be used to achieve eps-DP. We show in the "
        "next example how Theorem 3 can be used to easily verify this fact.",
        "restored",
        "the letter eps is lost, and the limit of Example 5 itself is garbled",
    ),
    printed="exp(-(c - Delta)^2/2)/exp(-c^2/2) = exp((c^2 - [c^2 - 2 c Delta + Delta^2])/2) -> oo",
    hypotheses="Delta > 0",
    check=check_gaussian_tail,
    formula=lambda c, delta: (c**2 - (c**2 - 2 * c * delta + delta**2)) / 2,
    near=(
        Near(lambda c, delta: (c**2 - (c**2 - c * delta + delta**2)) / 2, "c Delta in place of 2 c Delta"),
        Near(lambda c, delta: 101 * (c**2 - (c - delta) ** 2) / 200, "a log ratio 1 % too large"),
    ),
    strength="proved",
)


def check_student_t(formula: Any, effort: Effort) -> str:
    """formula = (c*, limit): stationary for all Delta, nu; unique beyond Delta; the enclosure holds its value."""
    import sympy

    argmax, limit = formula
    c, delta, nu = sympy.symbols("c Delta nu", positive=True)
    slope = sympy.factor(sympy.together(sympy.diff((1 + c**2 / nu) / (1 + (c - delta) ** 2 / nu), c)))
    numerator = sympy.expand(sympy.numer(slope))
    if sympy.simplify(numerator.subs(c, argmax(delta, nu))) != 0:
        value = argmax(sympy.Integer(1), sympy.Integer(3))
        raise Refuted(f"Delta = 1, nu = 3: the ratio is not stationary at c = {value}.")
    roots = sympy.solve(sympy.quo(numerator, delta, c), c)
    if len(roots) != 2 or sympy.simplify((roots[0] - delta) * (roots[1] - delta) + nu) != 0:
        raise Refuted("the stationary points do not lie on the two sides of Delta.")
    true_limit = sympy.limit((1 + c**2 / nu) / (1 + (c - delta) ** 2 / nu), c, sympy.oo)
    if true_limit != limit:
        raise Refuted(f"the tail ratio tends to {true_limit}, not {limit}.")
    for n, d, shift in effort.pick(((3, 2, 1),), ((3, 2, 1), (1, 1, 2), (5, 4, Fraction(1, 2)), (2, 10, 1))):
        epsilon = verify("student_t", parameters={"nu": n}, dimension=d, sensitivity=shift).epsilon
        s = ball(Fraction(shift))
        best = (s + (s * s + 4 * arb(n)).sqrt()) / 2
        value = arb(fmpq(n + d, 2)) * ((1 + best**2 / n) / (1 + (best - s) ** 2 / n)).log()
        if epsilon is None or not (
            value > ball(epsilon.lower) - arb("1e-12") and value < ball(epsilon.upper) + arb("1e-12")
        ):
            raise Refuted(
                f"nu = {n}, d = {d}, Delta = {shift}: the value at c* is {show(value)}, outside the enclosure."
            )
    return "stationary and unique beyond Delta, limit 1, for all nu > 0, Delta > 0 (SymPy); the value by certificates"


STUDENT = Claim(
    id=EXAMPLE + "6",
    place="Example 6",
    statement="For Student t the tail ratio tends to 1, and epsilon is attained at one c beyond Delta.",
    quotation=Quotation(
        "the unique solution in [Delta, oo) is c = (1/2)(Delta + sqrt(Delta^2 + 4 nu))",
        "restored",
        "the root and its argument",
    ),
    printed="c = (Delta + sqrt(Delta^2 + 4 nu))/2; exp(eps) = [(1 + c^2/nu)/(1 + (c - Delta)^2/nu)]^((nu+d)/2)",
    hypotheses="nu > 1 (nu > 0 suffices)",
    check=check_student_t,
    formula=(lambda delta, nu: (delta + (delta**2 + 4 * nu) ** HALF) / 2, 1),
    near=(
        Near((lambda delta, nu: (delta + (delta**2 + 2 * nu) ** HALF) / 2, 1), "2 nu in place of 4 nu under the root"),
        Near(
            (lambda delta, nu: (delta + (delta**2 + Fraction(101, 25) * nu) ** HALF) / 2, 1), "4.04 nu under the root"
        ),
        Near((lambda delta, nu: (delta + (delta**2 + 4 * nu) ** HALF) / 2, 2), "the limit 2"),
    ),
    strength="proved",
)


def check_plot(kinds: Any, effort: Effort) -> str:
    """The poster's plot: for Delta = 1, what each family's ratio does."""
    del effort
    found = {}
    for name in ("student_t", "gaussian", "laplace", "multivariate_laplace"):
        result = verify(name, dimension=2, parameters={"nu": 3}) if name == "student_t" else verify(name, dimension=2)
        hypotheses = result.hypotheses
        if hypotheses.finite_at_zero.status == "refuted":
            found[name] = "pole"
        elif hypotheses.tail_ratio_bounded.status == "refuted":
            found[name] = "unbounded"
        else:
            tail = result.tail_log_ratio
            found[name] = "to 1" if tail and tail.upper <= Fraction(1, 10**9) else "constant"
    for name, kind in kinds.items():
        if found[name] != kind:
            raise Refuted(f"{name}, d = 2: the ratio is {found[name]}, not {kind}.")
    ratios = ", ".join(f"{name} {kind}" for name, kind in found.items())
    return f"certificates of the prover at d = 2, nu = 3: {ratios}"


PLOT = Claim(
    id="reimherr-awan-2019:section-examples-poster",
    place="poster, Examples",
    statement="With Delta = 1: the Gaussian ratio grows without bound, the multivariate Laplace has an asymptote at c "
    "= Delta, Laplace is constant, t converges to 1.",
    quotation=Quotation(
        "For Gaussian, ratio goes to infinity as c -> oo. MVT Laplace has an asymptote at c = Delta. For Laplace, the "
        "ratio is constant. For t, the ratio converges to 1",
        note="four items of a list",
    ),
    printed="Gaussian -> oo; MVT Laplace: asymptote at c = Delta; Laplace: constant; t -> 1",
    hypotheses="d >= 2 for the multivariate Laplace",
    check=check_plot,
    formula={"student_t": "to 1", "gaussian": "unbounded", "laplace": "constant", "multivariate_laplace": "pole"},
    near=(
        Near({"student_t": "constant"}, "the ratio of t constant"),
        Near({"laplace": "to 1"}, "the ratio of Laplace falling to 1"),
        Near({"multivariate_laplace": "constant"}, "no pole of the multivariate Laplace"),
    ),
    strength="verified",
)
CLAIMS = (K_NORM, GAUSSIAN, STUDENT, PLOT)

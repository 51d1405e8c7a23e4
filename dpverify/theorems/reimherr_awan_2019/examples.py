"""Examples 2 to 6 and the poster's plot."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dpverify.api import verify
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import ball, show


def check_independent_laplace(dimensions: Any, effort: Effort) -> str:
    """A quadratic form constant on |x1|/s1 + |x2|/s2 = 1 would solve a linear system; it has rank 4."""
    from flint import fmpq_mat

    del effort
    # unknowns a, b, c, A of a u^2 + b u v + c v^2 = A in u = x1/s1, v = x2/s2, at five points of the level set
    points = [(2, 0), (0, 2), (1, 1), (1, -1)]
    rank = fmpq_mat(4, 4, [v for x, y in points for v in (x * x, x * y, y * y, -1)]).rank()
    for d in dimensions:
        elliptical = d == 1 or rank < 4  # for d = 1 the density is exp(-sqrt((x - mu)^2 / s^2))
        if elliptical:
            raise Refuted(f"d = {d}: exp(-|x - mu|/s) is exp(-sqrt(y)) with y = ((x - mu)/s)^2.")
    return (
        "the level set of any two coordinates fits no ellipse (rank 4 of 4), for all scales; in d = 1 it does, "
        "trivially"
    )


def check_multivariate_laplace(formula: Any, effort: Effort) -> str:
    """formula = (constant of the density, square of the slope of the tail, least dimension with a pole)."""
    import sympy

    constant, slope_squared, first = formula
    d = sympy.Symbol("d", positive=True)
    # total mass: sphere area * constant * integral of r^(d-1) (r^2/2)^(nu/2) K_nu(sqrt(2) r), DLMF 10.43.19
    nu = 1 - d / 2
    mu = d + nu
    moment = 2 ** (mu - 2) * sympy.gamma((mu - nu) / 2) * sympy.gamma((mu + nu) / 2)
    mass = 2 * sympy.pi ** (d / 2) / sympy.gamma(d / 2) * constant * (2 * sympy.pi) ** (-d / 2)
    mass *= 2 ** (-d / 2) * 2 ** (-nu) * moment
    total = sympy.powsimp(sympy.gammasimp(sympy.expand_power_base(mass, force=True)), force=True)
    if sympy.simplify(total - 1) != 0:
        raise Refuted(f"the density integrates to {sympy.simplify(total)}, for every d.")
    for dimension in effort.pick((1, 2, 3), (1, 2, 3, 4, 5, 7)):
        result = verify("multivariate_laplace", dimension=dimension)
        tail = result.tail_log_ratio
        if tail is None or not tail.lower**2 <= slope_squared <= tail.upper**2:
            raise Refuted(
                f"d = {dimension}: the log of the tail ratio at Delta = 1 is {tail and tail.to_json()['decimal']}."
            )
        if (result.verdict == "private") != (dimension < first):
            raise Refuted(f"d = {dimension}: the verdict is {result.verdict}.")
    return "total mass 1 for all d (SymPy, DLMF 10.43.19); tail ratio and verdicts by certificates of the prover"


def check_bessel_at_zero(coefficient: Any, effort: Effort) -> str:
    """K_nu(x) / (coefficient(nu)/2 (2/x)^|nu|) tends to 1 as x -> 0, for nu = (2 - d)/2."""
    del effort
    for d in (3, 4, 5, 6, 8):
        nu = Fraction(2 - d, 2)
        x = arb("1e-6")
        true = x.bessel_k(ball(abs(nu)))
        claimed = coefficient(ball(nu)) / 2 * (2 / x) ** arb(ball(abs(nu)))
        if not claimed.is_finite():
            raise Refuted(f"d = {d}, nu = {nu}: Gamma(nu) is infinite, and K_nu(1e-6) = {show(true)}.")
        ratio = true / claimed
        if not abs(ratio - 1) < arb("1e-4"):
            raise Refuted(f"d = {d}, nu = {nu}, x = 1e-6: K_nu(x) = {show(true)}, the formula gives {show(claimed)}.")
    return "balls at x = 1e-6 for d = 3, 4, 5, 6, 8: the ratio is within 1e-4 of 1"


def check_k_norm(multiple: Any, effort: Effort) -> str:
    """f = exp(-sqrt(y)): the log ratio at any c >= Delta is c - (c - Delta)."""
    for delta in (Fraction(1, 3), Fraction(1), Fraction(7, 2)):
        for c in (delta, delta + 1, delta + 100):
            if c - (c - delta) != multiple * delta:
                raise Refuted(f"c = {c}, Delta = {delta}: the log ratio is {delta}, not {multiple * delta}.")
        for d in effort.pick((1, 3), (1, 2, 3, 10)):
            epsilon = verify("laplace", dimension=d, sensitivity=delta).epsilon
            if epsilon is None or not epsilon.lower <= multiple * delta <= epsilon.upper:
                raise Refuted(f"d = {d}, Delta = {delta}: the prover encloses epsilon elsewhere.")
    return "c - (c - Delta) = Delta identically; certificates of the prover for four dimensions"


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
    return "certificates of the prover at d = 2, nu = 3"


HALF = Fraction(1, 2)
EXAMPLE = "reimherr-awan-2019:example-"
CLAIMS = (
    Claim(
        id=EXAMPLE + "2",
        place="Example 2",
        statement="Independent Laplace noise is not elliptical: its density is no function of (x - mu)' S^-1 (x - mu).",
        printed="f(x) ~ exp(-sum |x_i - mu_i| / sigma_i) is not elliptical",
        hypotheses="d >= 2 (the example speaks of multivariate noise; for d = 1 it is elliptical)",
        check=check_independent_laplace,
        formula=range(2, 6),
        near=(Near(range(1, 6), "also in dimension 1"),),
        strength="proved",
    ),
    Claim(
        id=EXAMPLE + "3",
        place="Example 3",
        statement="The multivariate Laplace density; its tail ratio tends to exp(sqrt(2) Delta); it has a pole, and "
        "hence no epsilon, for d >= 2.",
        printed="2 (2 pi)^(-d/2) |S|^(-1/2) (y/2)^(nu/2) K_nu(sqrt(2y)), nu = (2 - d)/2; limit exp(sqrt(2) Delta); "
        "finite at 0 only for d = 1",
        hypotheses="S positive definite",
        check=check_multivariate_laplace,
        formula=(2, 2, 2),
        near=(Near((1, 2, 2), "without the factor 2 of the density"),),
        strength="verified",
        restored="square roots and the signs of exponents in the displayed limits",
    ),
    Claim(
        id=EXAMPLE + "3-bessel",
        place="Example 3",
        statement="The behaviour of K_nu at 0 for nu = (2 - d)/2, which is negative for d >= 3.",
        printed="K_nu(x) ~ Gamma(nu)/2 (2/x)^|nu| for nu != 0",
        hypotheses="x -> 0+",
        check=check_bessel_at_zero,
        formula=lambda nu: nu.gamma(),
        near=(Near(lambda nu: (abs(nu) + 1).gamma(), "with Gamma(|nu| + 1)"),),
        strength="verified",
        correction=Correction(
            "K_nu(x) ~ Gamma(|nu|)/2 (2/x)^|nu|",
            lambda nu: abs(nu).gamma(),
            "None: the pole, and the verdict, are the same.",
            "Gamma(nu) is negative or infinite at nu = (2 - d)/2 for d >= 3; use |nu|.",
            "verified",
        ),
    ),
    Claim(
        id=EXAMPLE + "4",
        place="Example 4",
        statement="For the elliptical K-norm mechanism, f(y) = exp(-sqrt(y)), the ratio is constant.",
        printed="f((c - Delta)^2)/f(c^2) = exp(Delta) for every c >= Delta",
        hypotheses="c >= Delta",
        check=check_k_norm,
        formula=1,
        near=(Near(2, "exp(2 Delta)"),),
        strength="proved",
    ),
    Claim(
        id=EXAMPLE + "5",
        place="Example 5",
        statement="The ratio of the Gaussian grows without bound, so there is no epsilon.",
        printed="exp(-(c - Delta)^2/2)/exp(-c^2/2) = exp((c^2 - [c^2 - 2 c Delta + Delta^2])/2) -> oo",
        hypotheses="Delta > 0",
        check=check_gaussian_tail,
        formula=lambda c, delta: (c**2 - (c**2 - 2 * c * delta + delta**2)) / 2,
        near=(Near(lambda c, delta: (c**2 - (c**2 - c * delta + delta**2)) / 2, "c Delta in place of 2 c Delta"),),
        strength="proved",
    ),
    Claim(
        id=EXAMPLE + "6",
        place="Example 6",
        statement="For Student t the tail ratio tends to 1, and epsilon is attained at one c beyond Delta.",
        printed="c = (Delta + sqrt(Delta^2 + 4 nu))/2; exp(eps) = [(1 + c^2/nu)/(1 + (c - Delta)^2/nu)]^((nu+d)/2)",
        hypotheses="nu > 1 (nu > 0 suffices)",
        check=check_student_t,
        formula=(lambda delta, nu: (delta + (delta**2 + 4 * nu) ** HALF) / 2, 1),
        near=(
            Near(
                (lambda delta, nu: (delta + (delta**2 + 2 * nu) ** HALF) / 2, 1), "2 nu in place of 4 nu under the root"
            ),
        ),
        strength="proved",
        restored="the root and its argument",
    ),
    Claim(
        id="reimherr-awan-2019:section-examples-poster",
        place="poster, Examples",
        statement="With Delta = 1: the Gaussian ratio grows without bound, the multivariate Laplace has an asymptote "
        "at "
        "c = Delta, Laplace is constant, t converges to 1.",
        printed="Gaussian -> oo; MVT Laplace: asymptote at c = Delta; Laplace: constant; t -> 1",
        hypotheses="d >= 2 for the multivariate Laplace",
        check=check_plot,
        formula={"student_t": "to 1", "gaussian": "unbounded", "laplace": "constant", "multivariate_laplace": "pole"},
        near=(Near({"student_t": "constant"}, "the ratio of t constant"),),
        strength="verified",
    ),
)

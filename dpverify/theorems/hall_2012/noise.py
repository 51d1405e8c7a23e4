"""Section 1.3: noise addition, its generation, the K-norm and the exponential mechanism."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, gaussian_delta, show
from dpverify.theorems.tools.finite import both_excess

Point = tuple[Fraction, ...]


def l1(x: Point) -> arb:
    return ball(sum(map(abs, x), Fraction(0)))


def mahalanobis(x: Point) -> arb:
    """(x' S^-1 x)^(1/2) with S = [[2, 1], [1, 2]]."""
    u, v = x
    return ball(Fraction(2, 3) * (u * u - u * v + v * v)).sqrt()


def hexagon(x: Point) -> arb:
    """The gauge of the hexagon |u| <= 1, |v| <= 1, |u - v| <= 1."""
    u, v = x
    return ball(max(abs(u), abs(v), abs(u - v)))


def norm_check(norms: tuple[Callable[[Point], arb], ...]) -> Callable[[Any, Effort], str]:
    """The check of a mechanism with density exp(-multiple (alpha/Delta) ||x - theta||), for these norms."""

    def check(multiple: Any, effort: Effort) -> str:
        reach = effort.pick(2, 4)
        grid = [tuple(map(Fraction, x)) for x in product(range(-reach, reach + 1), repeat=2)]
        count = 0
        for norm in norms:
            for theta in grid:
                delta = norm(theta)  # the other database has its output at the origin
                if not any(theta):
                    continue
                for x in grid:
                    loss = multiple * (norm(x) - norm(tuple(a - b for a, b in zip(x, theta, strict=True)))) / delta
                    count += 1
                    if loss > 1 + arb("1e-12"):
                        raise Refuted(
                            f"theta = {tuple(map(str, theta))} and 0, Delta = {show(delta)}, x = {tuple(map(str, x))}: "
                            "the loss is "
                            f"{show(loss)} alpha."
                        )
        return (
            f"{count} losses on a lattice of R^2 (balls); the triangle inequality for all points, attained at x = "
            "theta_D"
        )

    return check


def check_radius(shape: Any, effort: Effort) -> str:
    """The law of r with density r^(d-1) exp(-k r)/Z: its moments against Gamma(shape(d), 1/k)."""
    import sympy

    d, k, r = sympy.symbols("d k r", positive=True)
    z = sympy.integrate(r ** (d - 1) * sympy.exp(-k * r), (r, 0, sympy.oo))
    for power in range(1, effort.pick(3, 5)):
        true = sympy.integrate(r ** (d - 1 + power) * sympy.exp(-k * r), (r, 0, sympy.oo)) / z
        claimed = sympy.rf(shape(d), power) / k**power
        if sympy.simplify(sympy.gammasimp(true.rewrite(sympy.gamma) - claimed.rewrite(sympy.gamma))) != 0:
            raise Refuted(
                f"E r^{power}, d = 2, k = 1, is {sympy.rf(2, power)}, and the claimed law has "
                f"{sympy.rf(shape(2), power)}."
            )
    if sympy.simplify(z - sympy.gamma(d) / k**d) != 0:
        raise Refuted("the normalising constant is not Gamma(d)/k^d.")
    return (
        "normalising constant and moments of r for all d and alpha/Delta (SymPy); x = S^(1/2) y has Jacobian |S|^(-1/2)"
    )


def check_gaussian(formula: Any, effort: Effort) -> str:
    """formula = (c(beta)^2, largest alpha): the exact curve at the smallest noise allowed."""
    square, largest = formula
    count = 0
    betas = ("0.9", "0.5", "0.1", "1e-3", "1e-6", "1e-30")
    if largest is not None and largest / 2 > arb(4).log():
        raise Refuted("the argument for all beta needs exp(alpha/2) <= 4.")
    alphas = [arb(k) / 4 for k in range(1, effort.pick(30, 60))] + [arb("2.772")]
    for alpha in alphas:
        for beta in map(arb, betas):
            if largest is not None and not alpha <= largest:
                continue
            c = square(beta).sqrt()
            true = gaussian_delta(alpha, alpha / c)  # sensitivity over standard deviation is alpha / c
            count += 1
            at_most(
                true,
                beta,
                f"alpha = {show(alpha)}, beta = {show(beta)}: noise with c(beta) = {show(c)} has exact beta "
                f"{show(true)}.",
            )
    return (
        f"{count} points of the exact Gaussian curve (balls); for all beta < 1: with s = c(beta), t = s - alpha/(2s) "
        ">= 0 and "
        "P(Z > t) <= exp(-t^2/2)/2 <= exp(alpha/2) exp(-s^2/2)/2 <= beta as long as exp(alpha/2) <= 4"
    )


def check_diameter(admits: Any, effort: Effort) -> str:
    """Bodies K = [-a, 1]: the diameter of K in its own gauge, against 2, where the claim admits K."""
    for a in (Fraction(1), Fraction(1, 2), Fraction(1, 10))[: effort.pick(3, 3)]:
        diameter = max(1 + a, (1 + a) / a)  # gauge of 1 - (-a), and of -a - 1
        if admits(a == 1) and diameter > 2:
            raise Refuted(f"K = [-{a}, 1], theta = -{a}, theta' = 1: ||theta - theta'||_K = {diameter}.")
    if not admits(True):
        raise Refuted("for symmetric K the diameter is 2.")
    return "K = [-a, 1], exact; for symmetric K, K - K = 2K"


def check_uniform(shape: Any, effort: Effort) -> str:
    """r ~ Gamma(shape(d)) times the gauge of a uniform point: all moments against Gamma(d)."""
    for d in range(1, effort.pick(5, 30)):
        for k in range(1, 12):
            true = claimed = Fraction(1)
            for i in range(k):
                true *= d + i
                claimed *= shape(d) + i
            claimed *= Fraction(d, d + k)  # E (gauge)^k for a uniform point
            if true != claimed:
                raise Refuted(f"d = {d}: E (r ||V||)^{k} is {claimed}, and must be {true}.")
    return "moments of the radius, exact; in general Gamma(d + 1) times Beta(d, 1) is Gamma(d)"


def check_exponential(divisor: Any, effort: Effort) -> str:
    """Weights exp(-alpha g/(divisor Delta)), Delta = 1, e^alpha = 4, over all g with values 0 and 1."""
    size, count = 3, 0
    for one, two in product(product(range(2), repeat=size), repeat=2):
        for copies in product((1, effort.pick(4, 6)), repeat=size):  # points of the same g
            p = [Fraction(c, 4**g) if divisor == 1 else Fraction(c, 2**g) for g, c in zip(one, copies, strict=True)]
            q = [Fraction(c, 4**g) if divisor == 1 else Fraction(c, 2**g) for g, c in zip(two, copies, strict=True)]
            p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
            count += 1
            if both_excess(p, q, Fraction(4)) > 0:
                worst = max(a / b for a, b in zip((*p, *q), (*q, *p), strict=True))
                raise Refuted(f"g = {one} and {two}, {copies} points each, e^alpha = 4: a ratio of {worst}.")
    return f"{count} pairs on up to eighteen points, exact; numerator and normalising constant give e^(alpha/2) each"


def check_metric(admits: Any, effort: Effort) -> str:
    """Over g on three points: sup over omega of |g(omega, a) - g(omega, b)| against g(a, b)."""
    for d01, d02, d12 in product(range(1, effort.pick(4, 6)), repeat=3):
        g = {(0, 1): d01, (0, 2): d02, (1, 2): d12}
        metric = d01 <= d02 + d12 and d02 <= d01 + d12 and d12 <= d01 + d02
        if not admits(metric):
            continue

        def at(i: int, j: int, g: dict[tuple[int, int], int] = g) -> int:
            return 0 if i == j else g[min(i, j), max(i, j)]

        for a, b in product(range(3), repeat=2):
            worst = max(abs(at(w, a) - at(w, b)) for w in range(3))
            if worst > at(a, b):
                raise Refuted(
                    f"distances {d01}, {d02}, {d12}: g(omega, .) changes by {worst} between points at distance "
                    f"{at(a, b)}."
                )
    return "all integer metrics on three points; the triangle inequality in general"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.3.1",
        place="Proposition 1.3.1",
        statement="The Laplace mechanism: scale Delta_1/alpha in each coordinate is alpha-DP.",
        printed="dP_D(x) ~ exp(-(alpha/Delta_1) ||x - theta_D||_1)",
        hypotheses="l1 sensitivity at most Delta_1",
        check=norm_check((l1,)),
        formula=1,
        near=(Near(2, "scale Delta_1/(2 alpha)"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-1.3.2",
        place="Proposition 1.3.2, with the norm (1.6)",
        statement="The elliptical version with the norm (x' S^-1 x)^(1/2) is alpha-DP.",
        printed="dP_D(x) ~ exp(-(alpha/Delta_S) ||x - theta_D||_S), ||x||_S^2 = x' S^-1 x",
        hypotheses="Mahalanobis sensitivity at most Delta_S",
        check=norm_check((mahalanobis,)),
        formula=1,
        near=(Near(3, "three times the rate"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-1.3.1-noise",
        place="Section 1.3.1, Noise Generation",
        statement="y = r theta with theta uniform on the sphere and r Gamma distributed; x = S^(1/2) y.",
        printed="r ~ Gamma(shape d, scale Delta_S/alpha)",
        hypotheses="density exp(-(alpha/Delta_S) ||y||_2)/Z",
        check=check_radius,
        formula=lambda d: d,
        near=(Near(lambda d: d + 1, "shape d + 1"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-1.3.3",
        place="Proposition 1.3.3",
        statement="The Gaussian mechanism with standard deviation c(beta) Delta/alpha is (alpha, beta)-DP.",
        printed="c(beta) >= sqrt(2 log(2/beta)), for every alpha",
        hypotheses="Mahalanobis sensitivity at most Delta_S (alpha <= 1 appears in the proof only)",
        check=check_gaussian,
        formula=(lambda beta: 2 * (2 / beta).log(), None),
        near=(Near((lambda beta: (2 / beta).log(), arb(1)), "c(beta) = sqrt(log(2/beta)), alpha at most 1"),),
        strength="verified",
        correction=Correction(
            "the same c(beta), for 0 < alpha <= 4 log 2 = 2.772 (the proof's alpha <= 1 is more than needed)",
            (lambda beta: 2 * (2 / beta).log(), 4 * arb(2).log()),
            "Yes: for large alpha the noise is too small for the promised beta.",
            "Keep alpha at most 4 log 2, or use the exact Gaussian curve.",
        ),
    ),
    Claim(
        id="hall-2012:proposition-1.3.4",
        place="Proposition 1.3.4",
        statement="The K-norm mechanism of any symmetric convex body is alpha-DP.",
        printed="dP_D(x) ~ exp(-(alpha/Delta_K) ||theta_D - x||_K)",
        hypotheses="||theta_D - theta_D'||_K <= Delta_K",
        check=norm_check((hexagon, l1)),
        formula=1,
        near=(Near(2, "twice the rate"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-1.3.3-sensitivity",
        place="Section 1.3.3",
        statement="If all outputs lie in a convex set K, then Delta_K is at most 2.",
        printed="{theta_D} subset of K for some convex set K: Delta_K <= 2",
        hypotheses="K convex",
        check=check_diameter,
        formula=lambda symmetric: True,
        near=(Near(lambda symmetric: not symmetric, "for bodies that are not symmetric"),),
        strength="verified",
        correction=Correction(
            "Delta_K <= 2 for centrally symmetric K; otherwise the diameter of K in its own gauge can be any number",
            lambda symmetric: symmetric,
            "Yes: a K-norm mechanism of an unsymmetric K run with Delta_K = 2 has loss up to Delta/2 times alpha; "
            "Section 4.4.2 "
            "does this.",
            "Take the symmetric body (K - K)/2, or compute the diameter.",
        ),
    ),
    Claim(
        id="hall-2012:section-1.3.3-sampler",
        place="Section 1.3.3",
        statement="X = r V with V uniform on K and r Gamma of shape d + 1.",
        printed="r ~ Gamma(d + 1, Delta_K/alpha), V ~ Uniform(K)",
        hypotheses="K in R^d",
        check=check_uniform,
        formula=lambda d: d + 1,
        near=(Near(lambda d: d, "shape d"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-1.3.5",
        place="Proposition 1.3.5",
        statement="The exponential mechanism: exp(-alpha g/(2 Delta_g)) is alpha-DP.",
        printed="P_D(omega) ~ exp(-(alpha/(2 Delta_g)) g(omega, omega_D))",
        hypotheses="Delta_g bounds |g(omega, omega_D) - g(omega, omega_D')|; the weights can be normalised",
        check=check_exponential,
        formula=2,
        near=(Near(1, "without the factor 2"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-1.3.4-metric",
        place="Section 1.3.4",
        statement="For a metric g it suffices that Delta_g bounds g(omega_D, omega_D').",
        printed="Delta_g >= sup g(omega_D, omega_D')",
        hypotheses="g a metric",
        check=check_metric,
        formula=lambda metric: metric,
        near=(Near(lambda metric: True, "for any symmetric g"),),
        strength="proved",
    ),
)

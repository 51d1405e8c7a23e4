"""Chapter 3: functions in a reproducing kernel Hilbert space, Gaussian process noise, and the examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb, arb_mat, fmpq_mat

from dpverify.enclosures.ball import exact
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, gaussian_delta, show

Vector = tuple[Fraction, ...]

# an orthonormal basis of R^3 in rationals, the eigenfunctions on T = {1, 2, 3}, and their eigenvalues
PSI: tuple[Vector, ...] = tuple(tuple(Fraction(x, 3) for x in row) for row in ((1, 2, 2), (2, 1, -2), (2, -2, 1)))
LAMBDA = (Fraction(9), Fraction(4), Fraction(1, 4))
FUNCTIONS: tuple[Vector, ...] = tuple(tuple(map(Fraction, f)) for f in ((1, 0, 0), (1, 2, -1), (0, 3, 5), (2, 2, 2)))


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _theta(f: Vector) -> Vector:
    return tuple(_dot(f, psi) for psi in PSI)


def _inner(f: Vector, g: Vector) -> Fraction:
    """<f, g> in H(K): f' K^-1 g with K = sum lambda psi psi', solved exactly."""
    k = fmpq_mat(
        3,
        3,
        [
            exact(sum((w * p[i] * p[j] for w, p in zip(LAMBDA, PSI, strict=True)), Fraction(0)))
            for i in range(3)
            for j in range(3)
        ],
    )
    column = k.solve(fmpq_mat(3, 1, [exact(x) for x in g]))
    return _dot(f, tuple(Fraction(int(column[i, 0].p), int(column[i, 0].q)) for i in range(3)))


def check_decomposition(total: Any, effort: Effort) -> str:
    """||f - f~||^2 against total(approximation error, noise), for truncations in an orthonormal basis."""
    for f in FUNCTIONS:
        for m in range(1, 4):
            for noise in product((Fraction(-1), Fraction(2)), repeat=m):
                theta = _theta(f)
                kept = tuple(sum((theta[i] * PSI[i][x] for i in range(m)), Fraction(0)) for x in range(3))
                out = tuple(kept[x] + sum((noise[i] * PSI[i][x] for i in range(m)), Fraction(0)) for x in range(3))
                error, bias, spread = (
                    _dot(d, d)
                    for d in (
                        tuple(a - b for a, b in zip(f, out, strict=True)),
                        tuple(a - b for a, b in zip(f, kept, strict=True)),
                        tuple(a - b for a, b in zip(kept, out, strict=True)),
                    )
                )
                if total(bias, spread) != error:
                    raise Refuted(
                        f"f = {tuple(map(str, f))}, m = {m}: the squared error is {error}, not {total(bias, spread)}."
                    )
    return "exact in R^3 with an orthonormal basis; f - xi(theta) is orthogonal to the first m basis functions"


def check_coordinates(factor: Any, effort: Effort) -> str:
    """theta_i(f) = factor(lambda_i) <f, psi_i>_H, the norm by coordinates, and <K_x, f> = f(x)."""
    for f in FUNCTIONS:
        theta = _theta(f)
        for i in range(3):
            if theta[i] != factor(LAMBDA[i]) * _inner(f, PSI[i]):
                raise Refuted(
                    f"lambda = {LAMBDA[i]}: theta(f) = {theta[i]}, and the formula gives "
                    f"{factor(LAMBDA[i]) * _inner(f, PSI[i])}."
                )
        if _inner(f, f) != sum(t * t / w for t, w in zip(theta, LAMBDA, strict=True)):
            raise Refuted("the norm is not sum theta^2 / lambda.")
        for x in range(3):
            kernel = tuple(
                sum((w * p[x] * p[y] for w, p in zip(LAMBDA, PSI, strict=True)), Fraction(0)) for y in range(3)
            )
            if _inner(kernel, f) != f[x]:
                raise Refuted("the kernel does not reproduce f.")
    return "a kernel of rank 3 on three points, exact; the general case is term by term"


def check_truncation(weight: Any, effort: Effort) -> str:
    """sum over i <= m of weight(lambda_i) theta_i^2 against the squared norm in H(K)."""
    for f in FUNCTIONS:
        for m in range(1, 4):
            part = sum((weight(LAMBDA[i]) * _theta(f)[i] ** 2 for i in range(m)), Fraction(0))
            if part > _inner(f, f):
                raise Refuted(f"f = {tuple(map(str, f))}, m = {m}: {part} exceeds the squared norm {_inner(f, f)}.")
            if m == 3 and part != _inner(f, f):
                raise Refuted("with all terms the two norms differ.")
    return "exact; terms of a sum of squares are left out"


def check_variance(variance: Any, effort: Effort) -> str:
    """variance(beta, Delta, alpha) of the noise where K(x, x) = 1 and f_D - f_D' = Delta K_x: the exact curve."""
    for beta in map(arb, ("1e-6", "1e-2", "0.5")):
        for delta in map(arb, ("0.1", "1", "10", "100")):
            for alpha in map(arb, ("0.5", "1", "2")):
                deviation = variance(beta, delta, alpha).sqrt()
                true = gaussian_delta(alpha, delta / deviation)
                at_most(
                    true,
                    beta,
                    f"Delta = {show(delta)}, alpha = {show(alpha)}, beta = {show(beta)}, at one point x with K(x, x) = "
                    "1: the noise has "
                    f"standard deviation {show(deviation)} and the exact beta is {show(true)}.",
                )
    return "36 points of the exact Gaussian curve (balls); Proposition 1.3.3 for all of alpha <= 4 log 2"


def check_process(formula: Any, effort: Effort) -> str:
    """formula = (variance, the covariance function contains K): also noise that is constant in x hides nothing."""
    variance, with_kernel = formula
    kernel = ((1, 0), (0, 1)) if with_kernel else ((1, 1), (1, 1))  # K(x, y) = 1{x = y} on T = {1, 2}, or nothing
    contrast = kernel[0][0] + kernel[1][1] - 2 * kernel[0][1]  # of the noise in f(2) - f(1), in units of its variance
    if contrast == 0:
        raise Refuted(
            "T = {1, 2}, f_D = (0, 0), f_D' = (0, 1): noise with the constant covariance function c is one random "
            "number "
            "added to both values, so f(2) - f(1) is released exactly and the two laws are orthogonal."
        )
    return check_variance(variance, effort)


def check_error(multiple: Any, effort: Effort) -> str:
    """E ||f - f~||^2 = sum theta_i^2 over i > m + multiple(c) sum lambda_i over i <= m; noise c sqrt(lambda) Z."""
    for c in (Fraction(2), Fraction(1, 3)):
        for f in FUNCTIONS:
            for m in range(1, 4):
                theta = _theta(f)
                # Z takes the values -1 and 1, evenly: mean 0 and variance 1
                true = sum((theta[i] ** 2 for i in range(m, 3)), Fraction(0))
                true += sum((c * c * LAMBDA[i] for i in range(m)), Fraction(0))
                claimed = sum((theta[i] ** 2 for i in range(m, 3)), Fraction(0))
                claimed += multiple(c) * sum((LAMBDA[i] for i in range(m)), Fraction(0))
                if true != claimed:
                    raise Refuted(
                        f"c = {c}, m = {m}, eigenvalues 9, 4, 1/4: the expected error is {true}, the formula gives "
                        f"{claimed}."
                    )
    trace = sum((w * p[x] ** 2 for w, p in zip(LAMBDA, PSI, strict=True) for x in range(3)), Fraction(0))
    if trace != sum(LAMBDA):
        raise Refuted("sum lambda is not the integral of K(x, x).")
    return "exact, with sum lambda_i = integral K(x, x); E Z^2 = 1 is all that enters"


def _gram(kernel: Any, points: Vector) -> fmpq_mat:
    return fmpq_mat(len(points), len(points), [exact(kernel(x, y)) for x in points for y in points])


def check_projection(factor: Any, effort: Effort) -> str:
    """f' M^-1 f against factor ||f||^2 for combinations of kernel functions; equality inside their span."""
    kernels: dict[str, Any] = {"min(x, y)": min, "1 + xy + (xy)^2": lambda x, y: 1 + x * y + (x * y) ** 2}
    centres = (Fraction(1, 2), Fraction(3, 2), Fraction(4))
    count = 0
    for name, kernel in kernels.items():
        for weights in product(range(-1, 3), repeat=3):
            norm = sum(
                (
                    a * b * kernel(x, y)
                    for a, x in zip(weights, centres, strict=True)
                    for b, y in zip(weights, centres, strict=True)
                ),
                Fraction(0),
            )
            for points in ((Fraction(1),), (Fraction(1), Fraction(3)), centres)[: effort.pick(2, 3)]:
                values = [
                    sum((a * kernel(x, y) for a, x in zip(weights, centres, strict=True)), Fraction(0)) for y in points
                ]
                column = fmpq_mat(len(points), 1, [exact(v) for v in values])
                part = (column.transpose() * _gram(kernel, points).solve(column))[0, 0]
                count += 1
                if Fraction(int(part.p), int(part.q)) > factor * norm:
                    raise Refuted(
                        f"K = {name}, weights {weights}, points {tuple(map(str, points))}: {part} exceeds "
                        f"{factor * norm}."
                    )
    return f"{count} functions, exact; it is the norm of a projection"


def check_invertible(admits: Any, effort: Effort) -> str:
    """The Gram matrix at distinct points, for a strictly positive definite kernel and for one of finite rank."""
    for strictly, kernel, name in ((True, min, "min(x, y)"), (False, lambda x, y: x * y, "xy")):
        for points in ((Fraction(1), Fraction(2)), (Fraction(1), Fraction(2), Fraction(5))):
            singular = _gram(kernel, points).det() == 0
            if admits(strictly) == singular:
                state = "singular" if singular else "regular"
                raise Refuted(f"K = {name}, points {tuple(map(str, points))}: the Gram matrix is {state}.")
    return "two kernels, exact"


def check_online(formula: Any, effort: Effort) -> str:
    """formula(f, K, s2, G, i) = mean and variance of the next value; together they must be N(f, s2 K)."""
    kernel = min
    points, f, s2 = (Fraction(1), Fraction(3)), (Fraction(5), Fraction(-2)), Fraction(4)
    mean, variance = formula(f, kernel, s2, (), points)
    if (mean, variance) != (f[0], s2 * kernel(points[0], points[0])):
        raise Refuted(
            f"K = min(x, y), f = (5, -2) at x = (1, 3), (c Delta/alpha)^2 = 4: the first answer has mean {mean} and "
            "variance "
            f"{variance}, and must have 5 and 4; as printed it does not depend on the data."
        )
    for first in (Fraction(5), Fraction(0), Fraction(7, 2)):
        mean, variance = formula(f, kernel, s2, (first,), points)
        slope = kernel(*points) / kernel(points[0], points[0])
        want = f[1] + slope * (first - f[0]), s2 * (kernel(points[1], points[1]) - slope * kernel(*points))
        if (mean, variance) != want:
            raise Refuted(
                f"after the answer {first} at x = 1: mean {mean} and variance {variance}, and must be {want[0]} and "
                f"{want[1]}."
            )
    return "the conditional law of two values of N(f, s^2 K), exact; in general the same algebra with C_i"


def online_printed(f: Any, kernel: Any, s2: Any, seen: Any, points: Any) -> tuple[Fraction, Fraction]:
    i = len(seen)
    if i == 0:
        return Fraction(0), kernel(points[0], points[0])
    slope = kernel(points[0], points[1]) / kernel(points[0], points[0])
    return slope * seen[0], kernel(points[1], points[1]) - slope * kernel(points[0], points[1])


def online_right(f: Any, kernel: Any, s2: Any, seen: Any, points: Any) -> tuple[Fraction, Fraction]:
    mean, variance = online_printed(f, kernel, s2, seen, points)
    bias = 0 if not seen else kernel(points[0], points[1]) / kernel(points[0], points[0]) * f[0]
    return f[len(seen)] + mean - bias, s2 * variance


def online_unscaled(f: Any, kernel: Any, s2: Any, seen: Any, points: Any) -> tuple[Fraction, Fraction]:
    return online_right(f, kernel, Fraction(1), seen, points)


def check_density_sensitivity(claimed: Any, effort: Effort) -> str:
    """K(x, x) + K(x', x') - 2 K(x, x') for the Gaussian kernel, against the claimed factor; it tends to 2."""
    largest = arb(0)
    for k in range(0, 200, effort.pick(9, 1)):
        distance = ball(Fraction(k, 10))  # in units of h
        change = 2 - 2 * (-distance * distance / 2).exp()
        if change > claimed:
            raise Refuted(
                f"||x_n - x_n'|| = {show(distance)} h: the squared change is {show(change)} units, above {claimed}."
            )
        largest = change
    if claimed > largest + arb("1e-6"):
        raise Refuted(f"the squared change never exceeds {show(largest)} units.")
    return "2 - 2 exp(-t^2/2) in units of (n (2 pi h^2)^(d/2))^-2 (balls), increasing to 2"


def check_sobolev(formula: Any, effort: Effort) -> str:
    """formula = (boundary factor, integral factor(gamma)): <f, K_y> = f(y) for an undetermined function f."""
    import sympy

    boundary, integral = formula
    t, y, gamma = sympy.symbols("t y gamma", positive=True)
    f = sympy.Function("f")
    below, above = sympy.exp(-gamma * (y - t)), sympy.exp(-gamma * (t - y))
    for k, sign in ((below, 1), (above, -1)):  # the integrand is an exact derivative on either side of y
        inside = sympy.diff(f(t), t) * sympy.diff(k, t) + gamma**2 * f(t) * k
        if sympy.simplify(inside - sign * gamma * sympy.diff(f(t) * k, t)) != 0:
            raise Refuted("the integrand is not the derivative of gamma f K_y.")
    left, right = f(0) * below.subs(t, 0), f(1) * above.subs(t, 1)
    inner = boundary * (left + right) + integral(gamma) * gamma * ((f(y) - left) - (right - f(y)))
    if sympy.simplify(inner - f(y)) != 0:
        value = sympy.simplify(
            inner.subs(f(0), 1).subs(f(1), 1).subs(f(y), 1).subs({gamma: 1, y: sympy.Rational(1, 2)})
        )
        raise Refuted(f"f = 1, gamma = 1, y = 1/2: <f, K_y> = {value}, and f(y) = 1.")
    return (
        "for every f in H^1[0,1], gamma and y: both integrands are exact derivatives and the boundary terms cancel "
        "(SymPy)"
    )


def check_tensor(kernel: Any, effort: Effort) -> str:
    """kernel(x, y, gamma) against the product of exp(-gamma |x_j - y_j|), the kernel of the tensor product."""
    points = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1, 2)), (Fraction(1, 3), Fraction(1))]
    for x, y in product(points, repeat=2):
        for gamma in (arb(1), arb("2.5")):
            true = (-gamma * ball(abs(x[0] - y[0]))).exp() * (-gamma * ball(abs(x[1] - y[1]))).exp()
            if not abs(kernel(x, y, gamma) - true) < arb("1e-12"):
                raise Refuted(
                    f"x = {tuple(map(str, x))}, y = {tuple(map(str, y))}, gamma = {show(gamma)}: the product of "
                    f"kernels is {show(true)}."
                )
    return "products of kernels at nine pairs of points (balls); an identity of exponents"


def _grid_norm(values: Any, m: int) -> arb:
    """The squared norm of the interpolant on an m x m grid: a lower bound of that of the function, gamma = 1."""
    points = [Fraction(i, m - 1) for i in range(m)]
    gram = arb_mat(m, m, [(-ball(abs(x - y))).exp() for x in points for y in points])
    table = arb_mat(m, m, [ball(values(x, y)) for x in points for y in points])
    weights = gram.solve(gram.solve(table).transpose())
    return sum((weights[i, j] * table[j, i] for i in range(m) for j in range(m)), arb(0))


def check_domain(admits: Any, effort: Effort) -> str:
    """admits(first partials in L2, mixed partials in L2) on [0,1]^2: norms on finer and finer grids."""
    for values, name, mixed in ((lambda x, y: abs(x - y), "|x - y|", False), (lambda x, y: x * y, "xy", True)):
        coarse, fine = _grid_norm(values, 5), _grid_norm(values, 33)
        grows = fine > 3 * coarse
        if admits(True, mixed) and grows:
            raise Refuted(
                f"f = {name}, gamma = 1: its first partial derivatives are bounded, and its squared norm is at least "
                f"{show(coarse)} by a "
                f"5 x 5 grid and {show(fine)} by a 33 x 33 grid, growing with the grid: the "
                "mixed derivative is no function."
            )
        if not admits(True, mixed) and not grows:
            raise Refuted(f"f = {name} has the squared norm {show(fine)}.")
    return "lower bounds of the norm by Proposition 3.2.3 on two grids (balls)"


def check_minimiser(multiple: Any, effort: Effort) -> str:
    """Hinge loss, all x_i equal, K(x, x) = kappa^2: the exact minimisers, and multiple kappa M/(lambda n)."""
    tight = False
    for n in range(1, effort.pick(4, 8)):
        for positive in range(n):
            for lam in (Fraction(1, 10), Fraction(1), Fraction(3)):
                for kappa in (Fraction(1), Fraction(2), Fraction(1, 2)):
                    values = []
                    for count in (
                        positive,
                        positive + 1,
                    ):  # of labels +1; minimise (a (1-v)_+ + b (1+v)_+)/n + lam v^2/kappa^2
                        v = kappa**2 * (2 * count - n) / (2 * lam * n)
                        values.append(max(Fraction(-1), min(Fraction(1), v)))
                    change = abs(values[1] - values[0]) / kappa
                    bound = multiple * kappa / (lam * n)
                    tight = tight or change == kappa / (lam * n)
                    if change > bound:
                        raise Refuted(
                            f"n = {n}, {positive} and {positive + 1} labels +1, lambda = {lam}, K(x, x) = {kappa**2}: "
                            "the minimisers are "
                            f"{change} apart, the bound is {bound}."
                        )
    if not tight:
        raise Refuted("the bound is never attained.")
    return (
        "exact minimisers; the bound M kappa/(lambda n) is attained. In general the two functionals are 2 "
        "lambda-strongly convex: "
        "2 lambda ||f - f'||^2 <= 2 M ||f - f'||_oo / n (the display before it has eta^2 for eta(1 - eta))"
    )


def _c2(beta: arb, delta: arb, alpha: arb) -> arb:
    return 2 * (2 / beta).log() * (delta / alpha) ** 2


SCALE_COST = (
    "Yes: whenever c Delta/alpha exceeds 1 (small beta, small alpha, or large Delta) the printed noise is too small, "
    "by the "
    "square root of that factor in standard deviation."
)
SCALE_FIX = "Covariance c^2 K with c = sqrt(2 log(2/beta)) Delta/alpha, alpha at most 4 log 2."
CLAIMS = (
    Claim(
        id="hall-2012:equation-3.1",
        place="(3.1)",
        statement="The error of a truncated private expansion is approximation error plus noise.",
        printed="E int (f - f~)^2 = int (f - xi)^2 + E int (xi - f~)^2",
        hypotheses="orthonormal basis, noise on the first m coordinates",
        check=check_decomposition,
        formula=lambda bias, spread: bias + spread,
        near=(Near(lambda bias, spread: max(bias, spread), "the larger of the two"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-3.2.2-coordinates",
        place="Sections 3.2.1 and 3.2.2",
        statement="Coordinates and inner product in the basis of eigenfunctions; the reproducing property.",
        printed="theta_i(f) = lambda_i <f, psi_i>_H; <f, g>_H = sum theta_i(f) theta_i(g)/lambda_i; <K_x, f> = f(x)",
        hypotheses="f in H(K)",
        check=check_coordinates,
        formula=lambda w: w,
        near=(Near(lambda w: Fraction(1), "theta_i(f) = <f, psi_i>_H"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:proposition-3.2.1",
        place="Proposition 3.2.1",
        statement="The Mahalanobis sensitivity of the first m coordinates is at most the sensitivity in H(K).",
        printed="||theta^m(f_D) - theta^m(f_D')||_S <= Delta_K, S = diag(lambda)",
        hypotheses="any m",
        check=check_truncation,
        formula=lambda w: 1 / w,
        near=(Near(lambda w: w, "with S in place of its inverse"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:equation-3.5",
        place="(3.4) and (3.5)",
        statement="The factor c on the noise sqrt(lambda_i) Z_i.",
        printed="c(alpha, beta, Delta) = sqrt(2 log(2/beta) Delta/alpha), the root over everything",
        hypotheses="sensitivity Delta in H(K)",
        check=check_variance,
        formula=lambda beta, delta, alpha: 2 * (2 / beta).log() * delta / alpha,
        near=(
            Near(
                lambda beta, delta, alpha: (2 / beta).log() * (delta / alpha) ** 2, "c = sqrt(log(2/beta)) Delta/alpha"
            ),
        ),
        strength="verified",
        correction=Correction(
            "c = sqrt(2 log(2/beta)) Delta/alpha, as Proposition 1.3.3 has it, for alpha <= 4 log 2. (If the bar of "
            "the root is the "
            "extraction's, this is what the thesis prints.)",
            _c2,
            "Yes, where Delta/alpha > 1: the noise is then too small.",
            SCALE_FIX,
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.3-error",
        place="Section 3.2.3, after (3.5)",
        statement="The expected integrated squared error of the truncated release.",
        printed="sum over i > m of theta_i^2 + c^2 sum over i <= m of lambda_i; sum lambda_i = int K(x, x)",
        hypotheses="noise c sqrt(lambda_i) Z_i",
        check=check_error,
        formula=lambda c: c * c,
        near=(Near(lambda c: c, "c in place of c^2"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-3.2.3-limit",
        place="Section 3.2.3, the release without truncation",
        statement="The function released in the limit m -> oo.",
        printed="f~ = f_D + sum sqrt(lambda_i) Z_i psi_i",
        hypotheses="sensitivity Delta in H(K)",
        check=check_variance,
        formula=lambda beta, delta, alpha: arb(1),
        near=(Near(lambda beta, delta, alpha: _c2(beta, delta, alpha).sqrt(), "with the factor sqrt(c)"),),
        strength="verified",
        correction=Correction(
            "f~ = f_D + c sum sqrt(lambda_i) Z_i psi_i, c = sqrt(2 log(2/beta)) Delta/alpha",
            _c2,
            "Yes: the factor c is missing, so the noise does not depend on alpha, beta or Delta at all.",
            SCALE_FIX,
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:proposition-3.2.2",
        place="Proposition 3.2.2",
        statement="Adding a Gaussian process to a function of H(K) is (alpha, beta)-DP.",
        printed="the Gaussian process with mean f_D and covariance function c(alpha, beta, Delta_K)",
        hypotheses="sensitivity Delta_K in H(K)",
        check=check_process,
        formula=(lambda beta, delta, alpha: _c2(beta, delta, alpha).sqrt(), False),
        near=(Near((lambda beta, delta, alpha: _c2(beta, delta, alpha).sqrt(), True), "covariance c K"),),
        strength="verified",
        correction=Correction(
            "covariance function c^2 K(x, y), c = sqrt(2 log(2/beta)) Delta_K/alpha, alpha <= 4 log 2",
            (_c2, True),
            f"{SCALE_COST} Taken literally, with a constant covariance, differences of values are released exactly.",
            SCALE_FIX,
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.3-remark",
        place="Section 3.2.3, the remark after Proposition 3.2.2",
        statement="The mean squared error due to privacy.",
        printed="lambda(T) c(alpha, beta, Delta) sup K(x, x)",
        hypotheses="T compact",
        check=check_error,
        formula=lambda c: c,
        near=(Near(lambda c: 2 * c, "2c"),),
        strength="verified",
        correction=Correction(
            "c^2 times the integral of K(x, x), at most lambda(T) c^2 sup K(x, x)",
            lambda c: c * c,
            "Indirect: who calibrates by this error reads c as a variance, as Section 3.2.5 does.",
            "The error is quadratic in c.",
        ),
    ),
    Claim(
        id="hall-2012:proposition-3.2.3",
        place="Proposition 3.2.3",
        statement="The Mahalanobis norm of finitely many values of f, for the Gram matrix, is at most the norm of f.",
        printed="||M^(-1/2) (f(x_1), ..., f(x_m))||_2^2 <= ||f||_H^2",
        hypotheses="distinct points; M regular",
        check=check_projection,
        formula=Fraction(1),
        near=(Near(Fraction(1, 2), "half of the norm"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-3.2.4-gram",
        place="Section 3.2.4, proof of Proposition 3.2.3",
        statement="The Gram matrix of a kernel at distinct points is invertible.",
        printed="invertibility of the matrix is safely assumed due to Mercer's theorem",
        hypotheses="distinct points",
        check=check_invertible,
        formula=lambda strictly: True,
        near=(Near(lambda strictly: not strictly, "for kernels of finite rank"),),
        strength="verified",
        correction=Correction(
            "for strictly positive definite kernels; otherwise (K(x, y) = xy) use the pseudo-inverse",
            lambda strictly: strictly,
            "None with the pseudo-inverse, since f lies in the range of M.",
            "Do not invert numerically a Gram matrix of a kernel of finite rank.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.5-batch",
        place="Section 3.2.5, the batch algorithm",
        statement="The covariance matrix of the values released in one batch.",
        printed="N((f_D(x_i)), (c(beta) Delta/alpha) (K(x_i, x_j)))",
        hypotheses="c(beta) = sqrt(2 log(2/beta))",
        check=check_variance,
        formula=lambda beta, delta, alpha: _c2(beta, delta, alpha).sqrt(),
        near=(Near(lambda beta, delta, alpha: _c2(beta, delta, alpha) / 2, "half of the squared factor"),),
        strength="verified",
        correction=Correction(
            "covariance (c(beta) Delta/alpha)^2 (K(x_i, x_j))", _c2, SCALE_COST, SCALE_FIX, "verified"
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.5-online",
        place="Section 3.2.5, the online algorithm",
        statement="The law of the next value given those already released.",
        printed="N(V' C^-1 G, K(x_i, x_i) - V' C^-1 V)",
        hypotheses="G the values already released",
        check=check_online,
        formula=online_printed,
        near=(Near(online_unscaled, "the right mean with the printed variance"),),
        strength="verified",
        correction=Correction(
            "N(f_D(x_i) + V' C^-1 (G - f_D(x_1..x_(i-1))), (c(beta) Delta/alpha)^2 (K(x_i, x_i) - V' C^-1 V))",
            online_right,
            "Yes for who repairs the mean and keeps the variance, which lacks the factor (c Delta/alpha)^2. As "
            "printed nothing of "
            "the data is released at all.",
            "Condition the noise, not the release, and scale its variance.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.3.1-sensitivity",
        place="Section 3.3.1",
        statement="The sensitivity of a Gaussian kernel density estimate in its own space.",
        printed="||f_D - f_D'||_H^2 <= 2 (1/(n (2 pi h^2)^(d/2)))^2",
        hypotheses="K(x, y) = exp(-||x - y||^2/(2 h^2))",
        check=check_density_sensitivity,
        formula=2,
        near=(Near(1, "without the factor 2"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:equation-3.7",
        place="(3.7)",
        statement="The norm of H^1[0,1] whose kernel is exp(-gamma |x - y|).",
        printed="(f(0)^2 + f(1)^2)/2 + (1/(2 gamma)) int (f'^2 + gamma^2 f^2)",
        hypotheses="gamma > 0",
        check=check_sobolev,
        formula=(Fraction(1, 2), lambda gamma: 1 / (2 * gamma)),
        near=(Near((Fraction(1), lambda gamma: 1 / (2 * gamma)), "without the factor 1/2 on the boundary"),),
        strength="proved",
        restored="the parentheses around the two terms of the integrand",
    ),
    Claim(
        id="hall-2012:equation-3.8",
        place="(3.8)",
        statement="The tensor product has the product kernel, and product functions the product norm.",
        printed="K(x, y) = exp(-gamma ||x - y||_1)",
        hypotheses="d-fold tensor product of H^1[0,1]",
        check=check_tensor,
        formula=lambda x, y, gamma: (-gamma * ball(abs(x[0] - y[0]) + abs(x[1] - y[1]))).exp(),
        near=(
            Near(
                lambda x, y, gamma: (-gamma * ball(max(abs(x[0] - y[0]), abs(x[1] - y[1])))).exp(), "with the sup norm"
            ),
        ),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-3.3.2-domain",
        place="Section 3.3.2, after (3.8)",
        statement="Which functions of several variables lie in the completed space.",
        printed="all f possessing all first partial derivatives which are all in L2",
        hypotheses="d > 1",
        check=check_domain,
        formula=lambda first, mixed: first,
        near=(Near(lambda first, mixed: not mixed, "those without mixed derivatives"),),
        strength="verified",
        correction=Correction(
            "all mixed partial derivatives, each variable at most once, must be in L2; first derivatives do not "
            "suffice for d > 1",
            lambda first, mixed: first and mixed,
            "Yes: for a family that is outside the space the sensitivity is infinite, and the noise hides nothing of "
            "it.",
            "Check the derivative d^d f/(dx_1 ... dx_d) before bounding the norm.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.3.3-minimisers",
        place="Section 3.3.3",
        statement="Regularised minimisers on neighbouring databases are close; hinge loss is 1-admissible.",
        printed="||f_D - f_D'||_H <= (M/(lambda n)) sqrt(sup K(x, x))",
        hypotheses="loss convex and M-Lipschitz; objective mean loss + lambda ||g||^2",
        check=check_minimiser,
        formula=Fraction(1),
        near=(Near(Fraction(1, 2), "half of it"),),
        strength="verified",
    ),
)

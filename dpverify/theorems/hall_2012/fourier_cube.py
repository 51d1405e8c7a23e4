"""Section 4.3, the end: the approximation on the cube, of an average, and after mapping the data inwards."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.fourier_kernel import density
from dpverify.theorems.tools.balls import ball, show

# --- products ---


def check_product(formula: Any, effort: Effort) -> str:
    """formula = (an equality?, value(a, b, c, e)): ||a x b - c x e||^2 in R^2 x R^2, all inner products exact."""
    equality, value = formula
    vectors = [tuple(map(Fraction, v)) for v in ((1, 0), (2, 0), (1, 1), (2, -1))]

    def norm2(v: Any) -> Fraction:
        return sum((x * x for x in v), Fraction(0))

    for a, b, c, e in product(vectors, repeat=4):
        true = norm2([x * y - z * w for (x, z) in zip(a, c, strict=True) for (y, w) in zip(b, e, strict=True)])
        one, two = (norm2([x - y for x, y in zip(*pair, strict=True)]) for pair in ((a, c), (b, e)))
        claimed = value(*map(ball, (one, two, norm2(b), norm2(c))))
        if (not claimed.overlaps(ball(true))) if equality else claimed < ball(true):
            kernels = "; ".join(f"({v[0]}, {v[1]})" for v in (a, b, c, e))
            raise Refuted(
                f"two coordinates, two-point kernels a, b approximated by c, e = {kernels}: the squared error of the "
                f"product is {true}, the formula gives {show(claimed)}."
            )
    return f"{len(vectors) ** 4} pairs of products in R^2 x R^2, exact; a b - c e = (a - c) b + c (b - e)"


def _bound(one: arb, two: arb, b: arb, c: arb) -> arb:
    return (((one * b).sqrt() + (c * two).sqrt()) ** 2) * (1 + arb("1e-12"))


PRODUCT = Claim(
    id="hall-2012:section-4.3-product",
    place="Section 4.3, after Proposition 4.3.2",
    statement="The squared error of a product kernel from those of its factors.",
    printed="int (phi~^d - phi^d)^2 = prod_j int (phi~ - phi)^2",
    hypotheses="d > 1",
    check=check_product,
    formula=(True, lambda one, two, b, c: one * two),
    near=(
        Near((True, lambda one, two, b, c: one + two), "the sum of the factors' errors"),
        Near((False, lambda *parts: arb("0.99") * _bound(*parts)), "the corrected bound less 1 %"),
        Near((False, lambda one, two, b, c: one * b + c * two), "the squares added, no cross term"),
    ),
    strength="verified",
    correction=Correction(
        "||prod a_j - prod c_j|| <= sum_j ||a_j - c_j|| prod of the other norms (for d = 2: (||a - c|| ||b|| + "
        "||c|| ||b - e||)^2)",
        (False, _bound),
        "None: a question of accuracy; with Proposition 4.3.2 the error is still below every power of sigma.",
        "One bad factor spoils the product: bound each.",
        "verified",
    ),
    quotation=Quotation(
        "In d dimensions ... we again have approximation error being negligible as sigma decreases to zero, since "
        "int (phi~^d_sigma(x, mu) - phi^d_sigma(x, mu))^2 dx = prod_{j=1}^d int (phi~_sigma(x_j, mu_j) - "
        "phi_sigma(x_j, mu_j))^2 dx_j."
    ),
)

# --- (4.9) ---


def _tail(x: acb, mu: arb, h: arb) -> acb:
    """phi~ - phi at x: what wraps around."""
    return sum(((-((x + k - mu) ** 2) / (2 * h * h)).exp() for k in (-2, -1, 1, 2)), acb(0)) / (
        h * (2 * arb.pi()).sqrt()
    )


def check_average(share: Any, effort: Effort) -> str:
    """The error of an average against share(n) times the largest of a single kernel, data in [1/4, 3/4]."""
    h, worst = arb("0.1"), arb(0)
    single = acb.integral(lambda x, _: _tail(x, arb("0.25"), h) ** 2, 0, 1).real  # the largest, at either end
    samples = (("0.25", "0.25", "0.25"), ("0.25", "0.5", "0.75"), ("0.25", "0.25", "0.3"), ("0.5", "0.5", "0.5"))
    for sample in samples:

        def squared(x: acb, _: bool, sample: tuple[str, ...] = sample) -> acb:
            return (sum((_tail(x, arb(mu), h) for mu in sample), acb(0)) / len(sample)) ** 2

        error = acb.integral(squared, 0, 1).real
        worst = max(worst, error / single, key=lambda z: float(z.mid()))
        if error > (share(len(sample)) + arb("1e-9")) * single:
            raise Refuted(
                f"d = 1, h = 1/10, data {', '.join(sample)}: the squared error is {show(error)}, "
                f"{show(error / single)} "
                "of the largest of one kernel."
            )
    return f"{len(samples)} samples, integrals in balls, the largest share {show(worst)}; the square is convex"


AVERAGE = Claim(
    id="hall-2012:equation-4.9",
    place="(4.9)",
    statement="The periodic approximation of the estimate is no worse than that of the worst kernel in it.",
    printed="int (f_X - f~_X)^2 <= sup over mu of int (phi_h^d - phi~_h^d)^2 = O(h^p), for any p",
    hypotheses="data in [eta, 1 - eta]^d",
    check=check_average,
    formula=lambda n: arb(1),
    near=(
        Near(lambda n: arb("0.99"), "0.99 times the largest"),
        Near(lambda n: arb(1) / n, "1/n, as if the errors averaged out"),
        Near(lambda n: arb(1) / 2, "half of the largest"),
    ),
    strength="verified",
    quotation=Quotation(
        "Evidently int_{[0,1]^d} (f_X(x) - f~_X(x))^2 dx <= sup_{mu in [eta,1-eta]^d} int_{[0,1]^d} (phi^d_h(x, mu) - "
        "phi~^d_h(x, mu))^2 dx = O(h^p), for any p."
    ),
)

# --- the transform ---


def check_transform(factor: Any, effort: Effort) -> str:
    """phi_sigma^d(pi(x), pi(y)) against factor(eta, d) phi^d_(sigma/(1 - 2 eta))(x, y), both evaluated."""
    points = list(product((Fraction(1, 4), Fraction(1, 10)), range(1, effort.pick(3, 6)), ("0", "0.1", "0.7")))
    sigma = arb("0.3")
    for eta, d, gap in points:
        inner = 1 - 2 * ball(eta)
        left = density(inner * arb(gap), sigma) ** d
        right = ball(factor(eta, d)) * density(arb(gap), sigma / inner) ** d
        if not abs(left / right - 1) < arb("1e-12"):
            raise Refuted(
                f"eta = {eta}, d = {d}, sigma = 0.3, every x_j - y_j = {gap}: the left side is {show(left)}, the right "
                f"{show(right)}."
            )
    return f"{len(points)} values of both sides (balls); substitution in the density, identically"


TRANSFORM = Claim(
    id="hall-2012:section-4.3-transform",
    place="Section 4.3",
    statement="The kernel after mapping the cube into [eta, 1 - eta]^d.",
    printed="phi_sigma^d(pi(x), pi(y)) = phi^d_(sigma/(1 - 2 eta))(x, y)",
    hypotheses="pi(x) = eta + (1 - 2 eta) x",
    check=check_transform,
    formula=lambda eta, d: Fraction(1),
    near=(
        Near(lambda eta, d: (1 - 2 * eta) ** d, "(1 - 2 eta)^d, the reciprocal"),
        Near(lambda eta, d: (1 - 2 * eta) ** (1 - d), "a power too few"),
        Near(lambda eta, d: Fraction(101, 100) * (1 - 2 * eta) ** (-d), "1 % more"),
    ),
    strength="verified",
    correction=Correction(
        "... = (1 - 2 eta)^(-d) phi^d_(sigma/(1 - 2 eta))(x, y)",
        lambda eta, d: (1 - 2 * eta) ** (-d),
        "None: a constant factor, which transforming the density back undoes.",
        "Multiply by (1 - 2 eta)^d, the Jacobian, so that the estimate integrates to 1.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "Denote the transform as pi(x) = eta + (1 - 2 eta) x, then phi^d_sigma(pi(x), pi(y)) = "
        "phi^d_{sigma/(1-2 eta)}(x, y), and so the transformed version of (4.1) corresponds to the choice of h' = "
        "h/(1 - 2 eta)"
    ),
)

CLAIMS = (PRODUCT, AVERAGE, TRANSFORM)

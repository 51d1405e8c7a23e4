"""Section 4.4.3: the inertia of the orbitope, by way of simplices."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.orbitope import cross_moment, determinants, moments
from dpverify.theorems.tools.balls import ball, show

# --- (4.14) ---


def check_polytope(weight: Any, effort: Effort) -> str:
    """The mean of xx' over a polytope by the printed simplices, each of weight(volume), and by its facets."""
    import numpy as np
    from scipy.spatial import ConvexHull

    for corners in (7, 9, 12)[: effort.pick(2, 3)]:
        angles = 2 * np.pi * np.arange(corners) / corners
        points = np.column_stack([f(k * angles) for k in (1, 2) for f in (np.cos, np.sin)])
        printed = [
            points[[i, (i + 1) % corners, j, (j + 1) % corners]]
            for i, j in combinations_with_replacement(range(corners), 2)
        ]
        facets = [points[simplex] for simplex in ConvexHull(points, qhull_options="QJ").simplices]
        found = []
        for simplices, rule in ((printed, weight), (facets, lambda volume: volume)):
            volumes = np.array([rule(abs(np.linalg.det(a)) / 24) for a in simplices])
            second = [a.T @ (np.eye(4) + 1) @ a / 30 for a in simplices]
            found.append(np.einsum("i,ijk->jk", volumes / volumes.sum(), second))
        gap = float(np.abs(found[0] - found[1]).max())
        if gap > 1e-9:
            raise Refuted(
                f"m = 2, {corners} corners: E w_1^2 is {found[1][0, 0]:.6f} by the facets of the polytope, and "
                f"{found[0][0, 0]:.6f} by the formula."
            )
    return f"m = 2, up to {corners} corners, against the facets that Qhull finds (floats, within 1e-9)"


POLYTOPE = Claim(
    id="hall-2012:equation-4.14",
    place="(4.14)",
    statement="The inertia of an approximating polytope as the mean of those of simplices, by volume.",
    printed="M(K_(m,n)) = (1/Vol(K_(m,n))) sum over i_1 <= ... <= i_m of Vol(S) M(S)",
    hypotheses="S the simplex of 0 and m pairs of neighbouring corners",
    check=check_polytope,
    formula=lambda volume: volume,
    near=(
        Near(lambda volume: float(volume > 1e-12), "every simplex alike"),
        Near(lambda volume: volume**2, "weighted by the square of the volume"),
        Near(lambda volume: volume**1.01, "by its power 1.01"),
    ),
    strength="verified",
    quotation=Quotation(
        "M(K_{m,n}) = (1/Vol_{2m}(K_{m,n})) sum_{i_1 <= i_2 <= ... <= i_m} Vol_{2m}(S_{i_1,...,i_m}) "
        "M(S_{i_1,...,i_m}).",
        note="Simplices with a repeated corner are flat and count nothing.",
    ),
)

# --- Proposition 4.4.2 ---


def check_simplex(formula: Any, effort: Effort) -> str:
    """formula = (diagonal, off-diagonal) times 1/((d+1)(d+2)), by Dirichlet integrals."""
    import sympy

    diagonal, off = formula
    dimensions = range(2, effort.pick(10, 60))
    for d in dimensions:
        # d! times the integral of x^a y^b (1 - x - y)^(d-2)/(d-2)!, or with one variable (1 - x)^(d-1)/(d-1)!
        square = Fraction(factorial(d) * factorial(2) * factorial(d - 1), factorial(d + 2) * factorial(d - 1))
        mixed = Fraction(factorial(d) * factorial(d - 2), factorial(d + 2) * factorial(d - 2))
        scale = Fraction(1, (d + 1) * (d + 2))
        if (square, mixed) != (diagonal * scale, off * scale):
            raise Refuted(
                f"d = {d}: E x1^2 = {square} and E x1 x2 = {mixed}, the formula has {diagonal * scale} and "
                f"{off * scale}."
            )
    n = sympy.Symbol("d", positive=True)
    square = sympy.gamma(n + 1) * sympy.gamma(3) / sympy.gamma(n + 3)
    mixed = sympy.gamma(n + 1) / sympy.gamma(n + 3)
    for value, factor in ((square, diagonal), (mixed, off)):
        if sympy.simplify(sympy.gammasimp(value * (n + 1) * (n + 2)) - factor) != 0:
            raise Refuted("the identity in d fails.")
    return f"Dirichlet integrals, exact for d < {dimensions.stop}, and by gamma functions for every d (SymPy)"


SIMPLEX = Claim(
    id="hall-2012:proposition-4.4.2",
    place="Proposition 4.4.2, (4.15)",
    statement="The inertia matrix of the standard simplex.",
    printed="2/((d+1)(d+2)) on the diagonal, 1/((d+1)(d+2)) off it",
    hypotheses="uniform law on the simplex of R^d",
    check=check_simplex,
    formula=(2, 1),
    near=(
        Near((2, 2), "equal entries"),
        Near((1, 1), "half the diagonal"),
        Near((Fraction(101, 50), 1), "a diagonal 1 % more"),
    ),
    strength="proved",
    quotation=Quotation("M_{ij}(Delta_d) = 2/((d+1)(d+2)) if i = j, 1/((d+1)(d+2)) if i != j."),
)

# --- (4.16) ---


def check_limit(formula: Any, effort: Effort) -> str:
    """formula = (a, b) in (a sum psi psi + b sum psi psi')/((2m+1)(2m+2)): frequency 1, whose value is known."""
    a, b = formula
    frequencies = range(1, effort.pick(4, 5))
    for m in frequencies:
        _, cross = moments(m)
        found = (a * m + b * m * (m - 1) * cross[1]) / ((2 * m + 1) * (2 * m + 2)) if m > 1 else arb(a) / 12
        if not abs(found - arb(1) / (2 * m)) < arb("1e-9"):
            raise Refuted(f"m = {m}: E w_1^2 is {show(found)} by the formula, and 1/{2 * m} by the Schur parameters.")
    return (
        f"frequency 1 for m < {frequencies.stop}, by exact quadrature (balls), against E w_1^2 = 1/(2m); two merging "
        "corners turn the entries 2 and 1 of (4.15) into 2 + 2 + 1 + 1 and 1 + 1 + 1 + 1"
    )


LIMIT = Claim(
    id="hall-2012:equation-4.16",
    place="(4.16)",
    statement="The inertia of the orbitope as an integral over m angles.",
    printed="M_ij = int D/((2m+1)(2m+2)) (6 sum_k psi_i(t_k) psi_j(t_k) + 4 sum_(l != k) psi_i(t_l) psi_j(t_k))",
    hypotheses="D the normalised |det B|",
    check=check_limit,
    formula=(6, 4),
    near=(
        Near((6, 2), "6 and 2"),
        Near((5, 4), "5 and 4"),
        Near((6, arb("4.04")), "4.04"),
        Near((arb("6.06"), 4), "6.06"),
    ),
    strength="verified",
    quotation=Quotation(
        "M_{ij}(K'_m) = int ... int D(theta_1, ..., theta_m)/((2m+1)(2m+2)) (6 sum_{k=1}^m psi_i(theta_k) "
        "psi_j(theta_k) + 4 sum_{l != m}^m psi_i(theta_l) psi_j(theta_m))",
        note="In the second sum m is also the index; it runs over all ordered pairs of different angles.",
    ),
    rests_on=("hall-2012:proposition-4.4.2",),
)

# --- (4.17) and (4.18) ---


def check_marginal(term: Any, effort: Effort) -> str:
    """(4.17) and (4.18): mean of det B over the other angles, against sums of term(i, j, phi); no sqrt(2)."""
    frequencies = range(2, effort.pick(4, 5))
    for m in frequencies:
        table, size = determinants(m), 4 * m + 1
        whole = sum(table.values(), arb(0)) / len(table)
        if not whole.overlaps(arb(factorial(m) ** 2)):
            raise Refuted(f"m = {m}: the mean of det B is {show(whole)}, not (m!)^2.")
        for s in range(size):
            values = [d for key, d in table.items() if key[1] == s]
            true = sum(values, arb(0)) / len(values)
            phi = 2 * arb.pi() * s / size
            claimed = factorial(m - 2) * sum(
                (ball(Fraction(factorial(m), i * j)) * term(i, j, phi) for i in range(1, m + 1) for j in range(1, i)),
                arb(0),
            )
            if not abs(true - claimed) < arb("1e-9"):
                raise Refuted(
                    f"m = {m}, theta1 - theta2 = {show(phi)}: the integral over (2 pi)^(m-2) is {show(true)}, the "
                    f"formula gives {show(claimed)}."
                )
    return f"det B averaged over the other angles, 2 <= m < {frequencies.stop}, all grid angles (balls)"


def _term(i: int, j: int, phi: arb) -> arb:
    return 2 * i * j - arb((i + j) ** 2) / 2 * ((i - j) * phi).cos() + arb((i - j) ** 2) / 2 * ((i + j) * phi).cos()


MARGINAL = Claim(
    id="hall-2012:equation-4.18",
    place="(4.17) and (4.18)",
    statement="Integrals of the determinant over all but two, and all but one, of the angles.",
    printed="(2 pi)^(m-2) (m-2)! sum over j < i of (m!/(ij)) (2ij - (i+j)^2/2 cos((i-j) phi) + (i-j)^2/2 "
    "cos((i+j) phi))",
    hypotheses="the curve without the factors sqrt(2)",
    check=check_marginal,
    formula=_term,
    near=(
        Near(
            lambda i, j, phi: _term(i, j, phi) - arb((i - j) ** 2) / 2 * ((i + j) * phi).cos(),
            "without the last cosine",
        ),
        Near(lambda i, j, phi: arb("1.01") * _term(i, j, phi), "1 % more"),
        Near(lambda i, j, phi: _term(i, j, phi) - i * j, "ij in place of 2ij"),
    ),
    strength="verified",
    quotation=Quotation(
        "int_{theta_3} ... int_{theta_m} |B| = (2 pi)^{m-2} (m-2)! sum_{j<i} (m!/(ij)) (2ij - ((i+j)^2/2) "
        "cos[(i-j)(theta_1-theta_2)] + ((i-j)^2/2) cos[(i+j)(theta_1-theta_2)])"
    ),
)

# --- (4.19) ---


def check_addition(sign: Any, effort: Effort) -> str:
    """cos k(x - y) against sin sin + sign cos cos, identically."""
    import sympy

    x, y, k = sympy.symbols("x y k", real=True)
    rest = sympy.expand_trig(sympy.cos(k * x - k * y)) - (
        sympy.sin(k * x) * sympy.sin(k * y) + sign * sympy.cos(k * y) * sympy.cos(k * x)
    )
    if sympy.simplify(rest) != 0:
        raise Refuted(f"k = 1, theta_1 = theta_2 = 0: the left side is 1, the right {sign}.")
    return "an identity in all three variables (SymPy)"


ADDITION = Claim(
    id="hall-2012:equation-4.19",
    place="(4.19)",
    statement="The addition theorem, which makes the inertia diagonal.",
    printed="cos(k(t1 - t2)) = sin(k t1) sin(k t2) + cos(k t2) cos(k t1)",
    hypotheses="none",
    check=check_addition,
    formula=1,
    near=(Near(-1, "the other sign"), Near(Fraction(101, 100), "1 % more"), Near(2, "twice")),
    strength="proved",
    quotation=Quotation("cos[k(theta_1-theta_2)] = sin(k theta_1) sin(k theta_2) + cos(k theta_2) cos(k theta_1)."),
)

# --- the mixed moment ---


def check_cross(formula: Any, effort: Effort) -> str:
    """formula(m, k): the mean of psi_i(theta1) psi_i(theta2) under D; by quadrature, and from (4.18) for more m."""
    small, more = range(2, effort.pick(4, 5)), range(2, effort.pick(8, 30))
    for m in small:
        _, cross = moments(m)
        for k in range(1, m + 1):
            true, claimed = cross[k] / 2, Fraction(formula(m, k))
            if not abs(true - ball(claimed)) < arb("1e-9"):
                raise Refuted(
                    f"m = {m}, frequency {k}: the integral is {show(true)}, the formula gives {claimed} = "
                    f"{show(claimed)}."
                )
    for m in more:
        for k in range(1, m + 1):  # half the coefficient of cos k(theta1 - theta2) in (4.18), over its constant
            total = Fraction(0)
            for j in range(1, m + 1):
                total -= Fraction((2 * j + k) ** 2, 2 * j * (j + k)) if j + k <= m else 0
                total += Fraction((k - 2 * j) ** 2, 2 * j * (k - j)) if j < k - j <= m else 0
            if formula(m, k) != total / (4 * m * (m - 1)):
                raise Refuted(f"m = {m}, frequency {k}: (4.18) gives {total / (4 * m * (m - 1))}.")
    return f"exact quadrature for 2 <= m < {small.stop} (balls); summed from (4.18) for m < {more.stop}, exact"


CROSS = Claim(
    id="hall-2012:section-4.4.3-cross-moment",
    place="Section 4.4.3, before the proof of Proposition 4.4.2",
    statement="The mixed second moment of the angles' density that enters the inertia.",
    printed="(-8m^2 + (9k - 3)m + 3)/(m(m+1)(4m - 3k + 3)), k = ceil(i/2)",
    hypotheses="the curve without the factors sqrt(2)",
    check=check_cross,
    formula=lambda m, k: Fraction(-8 * m * m + (9 * k - 3) * m + 3, m * (m + 1) * (4 * m - 3 * k + 3)),
    near=(
        Near(
            lambda m, k: Fraction(-8 * m * m + (9 * k - 3) * m + 3, m * (m - 1) * (4 * m - 3 * k + 3)),
            "with m - 1 in place of m + 1",
        ),
        Near(lambda m, k: Fraction(101, 100) * cross_moment(m, k), "the corrected one and 1 %"),
        Near(lambda m, k: (m - 1) * cross_moment(m, k) / m, "4m^2 in the denominator"),
    ),
    strength="verified",
    correction=Correction(
        "(-2m + k + 1/2 + (k/2)(H_m - H_(m-k)))/(4 m (m - 1)), H the harmonic numbers",
        cross_moment,
        "None: it concerns accuracy.",
        "It is where Proposition 4.4.1 goes wrong; (4.16) and (4.18), on both sides of it, are right.",
        "verified",
        "error",
        "hall-2012:proposition-4.4.1",
    ),
    quotation=Quotation(
        "int ... int D(theta_1, ..., theta_m) psi_i(theta_1) psi_i(theta_2) = (-8m^2 + (9 ceil(i/2) - 3)m + "
        "3)/(m(m+1)(4m "
        "- 3 ceil(i/2) + 3)), which when substituted into (4.16) leads to the stated inertia."
    ),
    rests_on=("hall-2012:equation-4.18",),
)

CLAIMS = (POLYTOPE, SIMPLEX, LIMIT, MARGINAL, ADDITION, CROSS)

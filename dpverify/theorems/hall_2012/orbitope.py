"""Section 4.4.2 and 4.4.3: the Caratheodory orbitope, its sensitivity, volume and moments."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import factorial, log
from typing import Any

from flint import arb, arb_mat

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import ball, show


def harmonic(n: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def inertia(m: int, k: int) -> Fraction:
    """E w^2 of a coordinate of frequency k, w uniform on K'_m for the curve with sqrt(2) cos, sqrt(2) sin."""
    return (2 * m + 2 * k + 1 + k * (harmonic(m) - harmonic(m - k))) / ((2 * m + 1) * (2 * m + 2))


@cache
def determinants(m: int) -> dict[tuple[int, ...], arb]:
    """det B at all tuples of grid angles, B of the curve (cos k t, sin k t) and its derivative, k = 1..m.

    Averages over the grid are averages over the angles, exactly: in each angle det B has degree at most 2m, and times
    cos k t at most 3m, less than the 4m + 1 points of the grid.
    """
    size = 4 * m + 1
    columns = []
    for s in range(size):
        angles = [2 * arb.pi() * k * s / size for k in range(1, m + 1)]
        point = [f for a in angles for f in (a.cos(), a.sin())]
        slope = [f for k, a in enumerate(angles, 1) for f in (-k * a.sin(), k * a.cos())]
        columns.append((point, slope))
    table = {}
    for rest in product(range(size), repeat=m - 1):
        chosen = [columns[0], *(columns[s] for s in rest)]  # by rotation the first angle may stay at 0
        rows = [line for pair in chosen for line in pair]
        table[(0, *rest)] = arb_mat(2 * m, 2 * m, [x for line in rows for x in line]).det()
    return table


@cache
def moments(m: int) -> tuple[arb, dict[int, arb]]:
    """The mean of det B over all angles, and for each frequency k the mean of cos k(t1 - t2) under that density."""
    table, size = determinants(m), 4 * m + 1
    total = sum(table.values(), arb(0))
    cross = {}
    for k in range(1, m + 1):
        weighted = arb(0)
        if m > 1:
            weighted = sum((d * (2 * arb.pi() * k * s[1] / size).cos() for s, d in table.items()), arb(0))
        cross[k] = weighted / total
    return total / len(table), cross


def inertia_by_quadrature(m: int, k: int) -> arb:
    """(4.16) evaluated: mean of 6 sum psi^2 + 4 sum psi psi, for the curve with sqrt(2)."""
    _, cross = moments(m)
    return (6 * m + 4 * m * (m - 1) * cross[k]) / ((2 * m + 1) * (2 * m + 2))


def check_radius(square: Any, effort: Effort) -> str:
    """square(m) against |Psi'_m(x)|^2 at x = 0 and 1/8, 1/4."""
    for m in range(1, effort.pick(5, 20)):
        for x in (Fraction(0), Fraction(1, 8), Fraction(1, 4)):
            angles = [2 * arb.pi() * ball(j * x) for j in range(1, m + 1)]
            true = sum((2 * a.cos() ** 2 + 2 * a.sin() ** 2 for a in angles), arb(0))
            if not true.overlaps(arb(square(m))):
                raise Refuted(f"m = {m}: the curve of (4.4) lies at squared radius {show(true)}, not {square(m)}.")
    return "squared radii (balls); 2 cos^2 + 2 sin^2 = 2 for each of m frequencies"


def check_volume(coefficient: Any, effort: Effort) -> str:
    """coefficient(m) pi^m against the volume: mean of det B by quadrature for small m, Schur parameters for all."""
    for m in range(1, effort.pick(4, 5)):
        mean, _ = moments(m)
        volume = mean * (2 * arb.pi()) ** m * 2**m / factorial(2 * m) / factorial(m)
        claimed = ball(Fraction(coefficient(m))) * arb.pi() ** m
        if not abs(volume - claimed) < arb("1e-9"):
            extra = " (the disc of radius sqrt(2))" if m == 1 else ""
            raise Refuted(f"m = {m}: the volume{extra} is {show(volume)}, the formula gives {show(claimed)}.")
    for m in range(1, 30):
        schur = Fraction(2**m)
        for j in range(m):
            schur /= 2 * j + 1
        if coefficient(m) != schur:
            raise Refuted(f"m = {m}: Schur parameters give {schur} pi^m.")
    return (
        "determinants by exact quadrature for m <= 4 (balls); Schur parameters of a Toeplitz matrix for m < 30, exact"
    )


def check_stirling(formula: Any, effort: Effort) -> str:
    """formula(m) against 2^m m!/(2m)!, both the factor of pi^m: asymptotically equal?"""
    for m in (10, 100, 1000):
        true = ball(Fraction(2**m * factorial(m), factorial(2 * m)))
        ratio = true / formula(m)
        if not abs(ratio - 1) < ball(Fraction(1, m)):
            raise Refuted(f"m = {m}: the exact factor is {show(ratio)} times the approximation.")
    return "relative error below 1/m at m = 10, 100, 1000 (balls)"


def check_sensitivity(diameter: Any, effort: Effort) -> str:
    """diameter(m, d): sup of the gauge of a - b over the orbitope; Fejer's kernel bounds it from both sides."""
    for m, d in [(m, 1) for m in range(1, effort.pick(6, 30))] + [(1, 2), (2, 2), (1, 3)]:
        # q >= 0 of mean 1 makes 1 - q a functional that is at most 1 on K'; it maps a - b to q(b) - q(a)
        def fejer(x: Fraction, m: int = m) -> arb:
            return 1 + 2 * sum(
                (ball(1 - Fraction(j, m + 1)) * (2 * arb.pi() * ball(j * x)).cos() for j in range(1, m + 1)), arb(0)
            )

        below = fejer(Fraction(0)) ** d - fejer(Fraction(1, m + 1)) ** d
        if below > arb(diameter(m, d)) + arb("1e-9"):
            raise Refuted(
                f"m = {m}, d = {d}, n = 1, records with all coordinates 0 and all 1/{m + 1}: their points are "
                f"{show(below)} apart in the gauge "
                f"of the body, so Delta = {show(arb(diameter(m, d)))}/n gives a loss of {show(below / diameter(m, d))} "
                "alpha."
            )
        if diameter(m, d) > (m + 1) ** d:  # gauge(a) <= 1 and gauge(-b) = max q(b) - 1
            raise Refuted(f"m = {m}, d = {d}: the gauge of a - b is at most {(m + 1) ** d}.")
    return (
        "lower bounds from Fejer's kernel (balls); the upper bound (m + 1)^d since the mean of q >= 0 is its mean "
        "over m + 1 "
        "equidistant points in each coordinate, one of them b"
    )


def check_shape(shape: Any, effort: Effort) -> str:
    """shape(m, d) of the gamma law must be one more than the dimension that the curve spans affinely."""
    from flint import fmpq, fmpq_mat

    def powers(t: Fraction, m: int) -> list[Fraction]:
        """(1, cos, sin, cos 2, sin 2, ...) at a rational point of the circle."""
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        out, x, y = [Fraction(1)], Fraction(1), Fraction(0)
        for _ in range(m):
            x, y = x * c - y * s, x * s + y * c
            out += [x, y]
        return out

    for m, d in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))[: effort.pick(4, 5)]:
        lines = [powers(Fraction(i), m) for i in range(2 * m + 1)]
        rows = [[x * y for x in a for y in b] for a, b in product(lines, repeat=2)] if d == 2 else lines
        rank = fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row]).rank()
        if shape(m, d) != rank:  # the affine dimension is rank - 1, the first coordinate being 1
            raise Refuted(
                f"m = {m}, d = {d}: the body has dimension {rank - 1}, so the shape is {rank}, not {shape(m, d)}."
            )
    return "ranks at rational points of the circle, exact, for five pairs (m, d)"


def check_inertia(formula: Any, effort: Effort) -> str:
    """formula(m, i), i = 1..2m, against (4.16) by quadrature, and against Schur parameters for frequency 1."""
    for m in range(1, effort.pick(4, 5)):
        for i in range(1, 2 * m + 1):
            true, claimed = inertia_by_quadrature(m, (i + 1) // 2), formula(m, i)
            if not abs(true - ball(Fraction(claimed))) < arb("1e-9"):
                raise Refuted(f"m = {m}, i = {i}: E w_i^2 = {show(true)}, and the formula gives {claimed}.")
    for m in range(1, effort.pick(10, 60)):
        if formula(m, 1) != Fraction(
            1, 2 * m
        ):  # alpha_0 has density (1 - |a|^2)^(2m - 2): E |c_1|^2 = 1/(2m), times 2, over 2
            raise Refuted(f"m = {m}: E w_1^2 = 1/{2 * m} by the Schur parameters.")
    return (
        "(4.16) by exact quadrature for m <= 4 (balls); frequency 1 by Schur parameters for m < 60; derived from (4.18)"
    )


def check_trace(bound: Any, effort: Effort) -> str:
    """E ||w||^2 = 2 sum over k of the inertia, against the claimed bound."""
    for m in (*range(1, 12), effort.pick(40, 200)):
        total = 2 * sum((inertia(m, k) for k in range(1, m + 1)), Fraction(0))
        if total != Fraction(3 * m * (5 * m + 3), 4 * (2 * m + 1) * (m + 1)):
            raise Refuted("the sum is not 3m(5m + 3)/(4(2m + 1)(m + 1)).")
        if total > bound:
            raise Refuted(f"m = {m}: E ||w||^2 = {total} = {show(total)} exceeds {bound}.")
    if bound > Fraction(15, 8):
        raise Refuted("the supremum is 15/8.")
    return "3m(5m + 3)/(4(2m + 1)(m + 1)), exact, increasing to 15/8"


def check_product_moment(value: Any, effort: Effort) -> str:
    """E ||u||^2 for u uniform on K_1^2, by rejection.

    A point is in the hull of products of two circles exactly when a real symmetric 4 x 4 matrix is positive: it is then
    equal to its partial transpose, hence a mixture of products (Horodecki 1996).
    """
    import numpy as np

    generator = np.random.default_rng(20190101)
    x, z, one = np.array([[0.0, 1], [1, 0]]), np.diag([1.0, -1]), np.eye(2)
    basis = np.array([np.kron(a, b) for a in (one, x, z) for b in (one, x, z)][1:])
    local = [0, 1, 2, 5]  # coordinates of one angle alone carry sqrt(2), products carry 2
    pairs = [(i, j) for i in range(4) for j in range(i)]
    weight = np.array([2.0 if i in local else 4.0 for i in range(8)])
    kept: list[float] = []
    evidence = ""
    for batches in effort.pick((2,), (2, 10)):  # two refute what is far off
        for _ in range(batches):
            u = generator.uniform(-1, 1, (400_000, 8))
            for i, j in pairs:  # minors of two rows leave few matrices to decompose
                a, b, c = (u @ basis[:, k, m] + (k == m) for k, m in ((i, i), (j, j), (i, j)))
                u = u[(a >= 0) & (b >= 0) & (a * b >= c**2)]
            inside = np.linalg.eigvalsh(np.eye(4) + np.einsum("ki,ijl->kjl", u, basis))[:, 0] >= 0
            kept += (1 + (u[inside] ** 2) @ weight).tolist()
        size, mean = len(kept), sum(kept) / len(kept)
        radius = 9 * (log(2 / 1e-6) / (2 * size)) ** 0.5  # Hoeffding on [0, 9]
        evidence = (
            f"{size} uniform points of K_1^2, by rejection, have mean squared norm {mean:.3f}, within {radius:.3f} of "
            "the truth with confidence 1 - 1e-6 (Hoeffding)"
        )
        if abs(mean - float(value)) > radius:
            raise Refuted(f"d = 2, m = 1: {evidence}, and the formula gives {float(value):.3f}.")
    return f"d = 2, m = 1: {evidence}"


def check_rate(exponent: Any, effort: Effort) -> str:
    """exponent(d) of n in (log n)^2d/(h^2d n^2) at h = n^(-1/(4+d))."""
    for d in range(1, effort.pick(10, 40)):
        true = Fraction(2 * d, 4 + d) - 2
        if exponent(d) != true:
            raise Refuted(f"d = {d}: h^(-2d) n^-2 = n^({true}), and the formula has n^({exponent(d)}).")
        if true != Fraction(-8, 4 + d) or not true < Fraction(-4, 4 + d):
            raise Refuted("the rate is not kept.")
    return "exponents, exact: n^(-8/(d+4)), below the rate n^(-4/(d+4))"


def check_simplex(formula: Any, effort: Effort) -> str:
    """formula = (diagonal, off-diagonal) times 1/((d+1)(d+2)), by Dirichlet integrals."""
    import sympy

    diagonal, off = formula
    for d in range(2, effort.pick(10, 60)):
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
    return "Dirichlet integrals, exact for d < 60, and by gamma functions for every d (SymPy)"


def check_marginal(term: Any, effort: Effort) -> str:
    """(4.17) and (4.18): mean of det B over the other angles, against sums of term(i, j, phi); no sqrt(2)."""
    for m in range(2, effort.pick(4, 5)):
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
    return "det B averaged over the other angles, m = 2, 3, 4, all grid angles (balls)"


def check_cross(formula: Any, effort: Effort) -> str:
    """formula(m, k): the mean of psi_i(theta1) psi_i(theta2) under D, for the curve without sqrt(2)."""
    for m in range(2, effort.pick(4, 5)):
        _, cross = moments(m)
        for k in range(1, m + 1):
            true = cross[k] / 2
            if not abs(true - ball(Fraction(formula(m, k)))) < arb("1e-9"):
                raise Refuted(
                    f"m = {m}, frequency {k}: the integral is {show(true)}, the formula gives {formula(m, k)} = "
                    f"{show(formula(m, k))}."
                )
    return (
        "exact quadrature for m = 2, 3, 4 (balls); the coefficient of cos k(theta1 - theta2) in (4.18), summed by "
        "partial fractions"
    )


def cross_moment(m: int, k: int) -> Fraction:
    return (-2 * m + k + Fraction(1, 2) + Fraction(k, 2) * (harmonic(m) - harmonic(m - k))) / (4 * m * (m - 1))


def _term(i: int, j: int, phi: arb) -> arb:
    return 2 * i * j - arb((i + j) ** 2) / 2 * ((i - j) * phi).cos() + arb((i - j) ** 2) / 2 * ((i + j) * phi).cos()


def _volume(m: int) -> Fraction:
    return Fraction(4**m * factorial(m), factorial(2 * m))


ACCURACY = "None: it concerns accuracy."
CLAIMS = (
    Claim(
        id="hall-2012:section-4.4.2-radius",
        place="Section 4.4.2",
        statement="The curve (psi_2, ..., psi_(2m+1)) lies on a sphere.",
        printed="radius sqrt(m)",
        hypotheses="psi_i as in (4.4)",
        check=check_radius,
        formula=lambda m: m,
        near=(Near(lambda m: m + 1, "radius sqrt(m + 1)"),),
        strength="proved",
        correction=Correction(
            "radius sqrt(2m); sqrt(m) belongs to the curve without the factors sqrt(2)",
            lambda m: 2 * m,
            "Yes in Section 4.4.4: rejection from the ball of radius sqrt(m) never reaches the extreme points of "
            "K'_m, and the noise "
            "has another, smaller body.",
            "Keep one normalisation throughout.",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-volume",
        place="Section 4.4.2",
        statement="The volume of the orbitope in its 2m-dimensional subspace.",
        printed="2^m pi^m m!/(2m)!",
        hypotheses="psi_i as in (4.4)",
        check=check_volume,
        formula=lambda m: Fraction(2**m * factorial(m), factorial(2 * m)),
        near=(Near(lambda m: Fraction(8**m * factorial(m), factorial(2 * m)), "8^m pi^m m!/(2m)!"),),
        strength="verified",
        correction=Correction(
            "4^m pi^m m!/(2m)! (the printed one is for the curve without the factors sqrt(2))",
            _volume,
            ACCURACY,
            "For m = 1 it is the disc of radius sqrt(2), area 2 pi.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-stirling",
        place="Section 4.4.2",
        statement="The volume by Stirling's formula.",
        printed="2^m pi^m m!/(2m)! ~ pi^m/(2^m m!)",
        hypotheses="m large",
        check=check_stirling,
        formula=lambda m: ball(Fraction(1, 2**m * factorial(m))),
        near=(Near(lambda m: ball(Fraction(m, 2**m * factorial(m))), "with the factor m"),),
        strength="verified",
        correction=Correction(
            "2^m pi^m m!/(2m)! ~ sqrt(pi m) pi^m/(2^m m!)",
            lambda m: (arb.pi() * m).sqrt() / (2**m * factorial(m)),
            ACCURACY,
            "The factor sqrt(pi m) is missing.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-sensitivity",
        place="Section 4.4.2, the one-dimensional mechanism",
        statement="The sensitivity, in the gauge of the orbitope, of the mean of n points of the curve.",
        printed="Delta >= (1/n) sup ||a - b||_(K_m); it suffices to take Delta = 2/n",
        hypotheses="K-norm mechanism of K_m",
        check=check_sensitivity,
        formula=lambda m, d: 2,
        near=(Near(lambda m, d: m**d, "Delta = m/n"),),
        strength="verified",
        correction=Correction(
            "Delta = (m + 1)/n with the body K'_m of the last 2m coordinates (in K_m itself the gauge of a - b is "
            "infinite); or Delta = "
            "2/n with the symmetric body (K'_m - K'_m)/2",
            lambda m, d: (m + 1) ** d,
            "Yes: K'_m is not symmetric for m >= 2, and with Delta = 2/n the loss reaches (m + 1) alpha/2. The number "
            "of "
            "frequencies m grows with n, and so does the loss.",
            "Multiply the printed noise by (m + 1)/2, or symmetrise the body.",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-sensitivity-d",
        place="Section 4.4.2, the mechanism in d dimensions",
        statement="The sensitivity in the gauge of the hull of tensor products.",
        printed="r ~ Gamma((2m + 1)^d, 2/(n alpha)), that is Delta = 2/n",
        hypotheses="K-norm mechanism of K_m^d",
        check=check_sensitivity,
        formula=lambda m, d: 2 if d > 1 else m + 1,
        near=(Near(lambda m, d: (m + 1) * d, "Delta = d (m + 1)/n"),),
        strength="verified",
        correction=Correction(
            "Delta = (m + 1)^d/n without the constant coordinate; or 2/n with the symmetrised body",
            lambda m, d: (m + 1) ** d,
            "Yes: with Delta = 2/n the loss reaches (m + 1)^d alpha/2, for d = 2 already at m = 1.",
            "Multiply the printed noise by (m + 1)^d/2, or symmetrise the body.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-shape",
        place="Section 4.4.2, the mechanisms in one and d dimensions",
        statement="The shape of the gamma law of r, one more than the dimension of the body.",
        printed="r ~ Gamma(2m + 1, .), and Gamma((2m + 1)^d, .) in d dimensions",
        hypotheses="the first coordinate is constant",
        check=check_shape,
        formula=lambda m, d: (2 * m + 1) ** d,
        near=(Near(lambda m, d: (2 * m + 1) ** d + 1, "one more"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:proposition-4.4.1",
        place="Proposition 4.4.1",
        statement="The inertia matrix of the orbitope is diagonal, with explicit entries.",
        printed="M_ii = 1/(4m - 3(i - 1)), i = 1, ..., 2m",
        hypotheses="psi_i as in (4.4)",
        check=check_inertia,
        formula=lambda m, i: Fraction(1, 4 * m - 3 * (i - 1)),
        near=(
            Near(
                lambda m, i: Fraction(2, 4 * m - 3 * ((i + 1) // 2 - 1)),
                "by frequency and for the curve with sqrt(2), which agrees for m <= 2 only",
            ),
        ),
        strength="verified",
        correction=Correction(
            "for frequency k = ceil(i/2): M_ii = (2m + 2k + 1 + k (H_m - H_(m-k)))/((2m + 1)(2m + 2)), H the harmonic "
            "numbers (half of "
            "it for the curve without sqrt(2)). The printed entries are negative for large i; read by frequency they "
            "are still wrong "
            "from m = 3 on (k = 2: 19/84, not 2/9)",
            lambda m, i: inertia(m, (i + 1) // 2),
            ACCURACY,
            "The trace stays bounded, so the convergence rate of the method stands.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-trace",
        place="Section 4.4.2, after Proposition 4.4.1",
        statement="The second moment of a uniform point of the orbitope is bounded.",
        printed="E ||w||^2 <= 1, irrespective of m",
        hypotheses="psi_i as in (4.4)",
        check=check_trace,
        formula=Fraction(1),
        near=(Near(Fraction(3, 2), "at most 3/2"),),
        strength="verified",
        correction=Correction(
            "E ||w||^2 = 3m(5m + 3)/(4(2m + 1)(m + 1)) <= 15/8 (half of it, hence below 1, without the factors "
            "sqrt(2))",
            Fraction(15, 8),
            ACCURACY,
            "The bound is a constant either way.",
        ),
    ),
    Claim(
        id="hall-2012:equation-4.13",
        place="(4.13)",
        statement="The second moment of a uniform point of the hull of the d-fold tensor product.",
        printed="E ||u||^2 = (1 + E ||w||^2)^d",
        hypotheses="u ~ U(K_m^d)",
        check=check_product_moment,
        formula=Fraction(4),
        near=(Near(Fraction(9, 4), "(1 + 1/2)^2, the value without the factors sqrt(2)"),),
        strength="verified",
        correction=Correction(
            "no equality: the uniform law of a hull of products is not a product; for d = 2, m = 1 it is about 47/15 "
            "= 3.13, not 4",
            Fraction(47, 15),
            ACCURACY,
            "Treat the moment for d >= 2 as unproved.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.2-rate",
        place="Section 4.4.2, the rate in d dimensions",
        statement="The displayed chain of orders of the error.",
        printed="(log n)^(2d)/(h^(2d) n^2) = (log n)^(2d)/(n^(2d/(d+4)) n^2) = n^(-8/(d+4)) (log n)^(2d)",
        hypotheses="h = n^(-1/(4+d))",
        check=check_rate,
        formula=lambda d: -Fraction(2 * d, 4 + d) - 2,
        near=(Near(lambda d: Fraction(-4, 4 + d), "n^(-4/(d+4))"),),
        strength="proved",
        correction=Correction(
            "the middle member is n^(2d/(d+4)) (log n)^(2d)/n^2; the last member is right",
            lambda d: Fraction(2 * d, 4 + d) - 2,
            ACCURACY,
            "The conclusion stands.",
        ),
    ),
    Claim(
        id="hall-2012:proposition-4.4.2",
        place="Proposition 4.4.2",
        statement="The inertia matrix of the standard simplex.",
        printed="2/((d+1)(d+2)) on the diagonal, 1/((d+1)(d+2)) off it",
        hypotheses="uniform law on the simplex of R^d",
        check=check_simplex,
        formula=(2, 1),
        near=(Near((2, 2), "equal entries"),),
        strength="proved",
    ),
    Claim(
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
                lambda i, j, phi: 2 * i * j - arb((i + j) ** 2) / 2 * ((i - j) * phi).cos(), "without the last cosine"
            ),
        ),
        strength="verified",
    ),
    Claim(
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
        ),
        strength="verified",
        correction=Correction(
            "(-2m + k + 1/2 + (k/2)(H_m - H_(m-k)))/(4 m (m - 1)), H the harmonic numbers",
            cross_moment,
            ACCURACY,
            "It is the source of the error in Proposition 4.4.1.",
            "verified",
        ),
    ),
)

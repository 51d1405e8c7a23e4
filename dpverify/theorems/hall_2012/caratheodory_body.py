"""Section 4.4.2, the body: the curve, its hull, and what one record can change in its gauge."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

from flint import arb, fmpq, fmpq_mat

from dpverify.mechanisms.sensitivities import diameter, volume
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.orbitope import moments
from dpverify.theorems.tools.balls import ball, show

RADIUS = "hall-2012:section-4.4.2-radius"
SENSITIVITY = "hall-2012:section-4.4.2-sensitivity"

# --- the radius, and with it the normalisation ---


def check_radius(square: Any, effort: Effort) -> str:
    """square(m) against |Psi'_m(x)|^2 at x = 0, 1/8 and 1/4."""
    frequencies = range(1, effort.pick(5, 20))
    for m, x in product(frequencies, (Fraction(0), Fraction(1, 8), Fraction(1, 4))):
        angles = [2 * arb.pi() * ball(j * x) for j in range(1, m + 1)]
        true = sum((2 * a.cos() ** 2 + 2 * a.sin() ** 2 for a in angles), arb(0))
        if not true.overlaps(ball(Fraction(square(m)))):
            raise Refuted(f"m = {m}: the curve of (4.4) lies at squared radius {show(true)}, not {square(m)}.")
    return f"squared radii at three points, m < {frequencies.stop} (balls); 2 cos^2 + 2 sin^2 = 2 for each frequency"


CURVE = Claim(
    id=RADIUS,
    place="Section 4.4.2",
    statement="The curve (psi_2, ..., psi_(2m+1)) lies on a sphere.",
    printed="radius sqrt(m)",
    hypotheses="psi_i as in (4.4)",
    check=check_radius,
    formula=lambda m: m,
    near=(
        Near(lambda m: 2 * m + 1, "radius sqrt(2m + 1), with the first coordinate"),
        Near(lambda m: 4 * m, "radius 2 sqrt(m)"),
        Near(lambda m: Fraction(101 * 2 * m, 100), "the square 1 % more"),
    ),
    strength="proved",
    correction=Correction(
        "radius sqrt(2m); sqrt(m) belongs to the curve without the factors sqrt(2). Volume, inertia, trace and the "
        "matrix of Section 4.4.4 are printed for that curve too, the released coefficients for the one of (4.4)",
        lambda m: 2 * m,
        "Yes, through Section 4.4.4: coefficients of (4.4) with noise from the body without sqrt(2) have sqrt(2) times "
        "the loss.",
        "Keep one normalisation throughout, for coefficients and noise alike.",
    ),
    quotation=Quotation(
        "with psi_i as in (4.4). ... Psi_m : [0, 1] -> R^{2m+1} defines a closed curve in space, which is inscribed "
        "upon "
        "the surface of a hypersphere in dimension 2m having radius sqrt(m)."
    ),
)

# --- the volume ---


def check_volume(coefficient: Any, effort: Effort) -> str:
    """coefficient(m) pi^m against the volume: mean of det B by quadrature for small m, Schur parameters for more."""
    small, more = range(1, effort.pick(4, 5)), range(1, 30)
    for m in small:
        mean, _ = moments(m)
        true = mean * (2 * arb.pi()) ** m * 2**m / factorial(2 * m) / factorial(m)
        claimed = ball(Fraction(coefficient(m))) * arb.pi() ** m
        if not abs(true - claimed) < arb("1e-9"):
            extra = " (the disc of radius sqrt(2))" if m == 1 else ""
            raise Refuted(f"m = {m}: the volume{extra} is {show(true)}, the formula gives {show(claimed)}.")
    for m in more:
        schur = Fraction(2**m)
        for j in range(m):
            schur /= 2 * j + 1
        if coefficient(m) != schur:
            raise Refuted(f"m = {m}: Schur parameters give {schur} pi^m.")
    return (
        f"determinants by exact quadrature for m < {small.stop} (balls); Schur parameters of a Toeplitz matrix for "
        f"m < {more.stop}, exact"
    )


VOLUME = Claim(
    id="hall-2012:section-4.4.2-volume",
    place="Section 4.4.2",
    statement="The volume of the orbitope in its 2m-dimensional subspace.",
    printed="2^m pi^m m!/(2m)!",
    hypotheses="psi_i as in (4.4)",
    check=check_volume,
    formula=lambda m: volume(m) / 2**m,
    near=(
        Near(lambda m: 2**m * volume(m), "8^m pi^m m!/(2m)!"),
        Near(lambda m: 2 * volume(m), "twice"),
        Near(lambda m: Fraction(101, 100) * volume(m), "1 % more"),
    ),
    strength="verified",
    correction=Correction(
        "2^m pi^m m!/(2m)! for the curve without the factors sqrt(2); 4^m pi^m m!/(2m)! for that of (4.4)",
        volume,
        "None: it concerns the running time of rejection.",
        "For m = 1 the body of (4.4) is the disc of radius sqrt(2), of area 2 pi.",
        "verified",
        "ambiguous",
        RADIUS,
    ),
    quotation=Quotation(
        "The volume (as measured in the 2m-dimensional subspace in which it lies) of a particular scaling of this "
        "body is "
        "given by Schoenberg [1954], from which we deduce the volume in question to be Vol_{2m}(K_m) = 2^m pi^m "
        "m!/(2m)! ~~ pi^m/(2^m m!)",
        note="The sign before the last member means approximately; it is off by sqrt(pi m), as a power of m, which it "
        "does not deny.",
    ),
)

# --- the sensitivity ---


def _check_diameter(diameter: Any, cases: list[tuple[int, int]]) -> str:
    for m, d in cases:
        # q >= 0 of mean 1 makes 1 - q a functional that is at most 1 on K'; it maps a - b to q(b) - q(a)
        def fejer(x: Fraction, m: int = m) -> arb:
            return 1 + 2 * sum(
                (ball(1 - Fraction(j, m + 1)) * (2 * arb.pi() * ball(j * x)).cos() for j in range(1, m + 1)), arb(0)
            )

        below = fejer(Fraction(0)) ** d - fejer(Fraction(1, m + 1)) ** d
        claimed = Fraction(diameter(m, d))
        if below > ball(claimed) + arb("1e-9"):
            raise Refuted(
                f"m = {m}, d = {d}, n = 1, records with all coordinates 0 and all 1/{m + 1}: their points are "
                f"{show(below)} apart in the gauge of the body, so Delta = {claimed}/n gives a loss of "
                f"{show(below / ball(claimed))} alpha."
            )
        if claimed > (m + 1) ** d:  # gauge(a) <= 1 and gauge(-b) = max q(b) - 1
            raise Refuted(f"m = {m}, d = {d}: the gauge of a - b is at most {(m + 1) ** d}, less than {claimed}.")
    return (
        f"{len(cases)} pairs (m, d), lower bounds from Fejer's kernel (balls); the upper bound (m + 1)^d since the "
        f"mean "
        "of q >= 0 is its mean over m + 1 equidistant points in each coordinate, one of them b"
    )


def check_sensitivity(diameter: Any, effort: Effort) -> str:
    """diameter(m, d) at d = 1: sup of the gauge of a - b over the orbitope, bounded from both sides."""
    return _check_diameter(diameter, [(m, 1) for m in range(1, effort.pick(6, 30))])


def check_sensitivity_d(diameter: Any, effort: Effort) -> str:
    """The same for d > 1."""
    return _check_diameter(diameter, list(product(range(1, effort.pick(4, 8)), range(2, effort.pick(4, 6)))))


ONE = Claim(
    id=SENSITIVITY,
    place="Section 4.4.2, the one-dimensional mechanism",
    statement="The sensitivity, in the gauge of the orbitope, of the mean of n points of the curve.",
    printed="Delta >= (1/n) sup ||a - b||_(K_m); it suffices to take Delta = 2/n",
    hypotheses="K-norm mechanism of K_m",
    check=check_sensitivity,
    formula=lambda m, d: 2,
    near=(
        Near(lambda m, d: m, "Delta = m/n"),
        Near(lambda m, d: Fraction(99 * (m + 1), 100), "1 % less"),
        Near(lambda m, d: Fraction(101 * (m + 1), 100), "1 % more"),
    ),
    strength="verified",
    correction=Correction(
        "Delta = (m + 1)/n with the body K'_m of the last 2m coordinates (in K_m itself, whose first coordinate is 1, "
        "the gauge of a - b is infinite); or Delta = 2/n with the symmetric body (K'_m - K'_m)/2, for which neither "
        "volume nor inertia is known here",
        diameter,
        "Yes: K'_m is not symmetric for m >= 2, and with Delta = 2/n the loss reaches (m + 1) alpha/2. The number of "
        "frequencies m grows with n, and so does the loss.",
        "Multiply the printed noise by (m + 1)/2, or symmetrise the body.",
        "verified",
    ),
    quotation=Quotation(
        "Delta >= (1/n) sup_{a, b in K_m} ||a - b||_{K_m}, evidently it suffices to take Delta = 2/n.",
        note="2/n is right for the norm of a symmetric body, which Section 1.3 has in mind.",
    ),
)
MANY = Claim(
    id="hall-2012:section-4.4.2-sensitivity-d",
    place="Section 4.4.2, the mechanism in d dimensions",
    statement="The sensitivity in the gauge of the hull of tensor products.",
    printed="r ~ Gamma((2m + 1)^d, 2/(n alpha)), that is Delta = 2/n",
    hypotheses="K-norm mechanism of K_m^d, d > 1",
    check=check_sensitivity_d,
    formula=lambda m, d: 2,
    near=(
        Near(lambda m, d: (m + 1) * d, "Delta = d (m + 1)/n"),
        Near(lambda m, d: (m + 1) ** (d - 1), "(m + 1)^(d-1)"),
        Near(lambda m, d: Fraction(99 * (m + 1) ** d, 100), "1 % less"),
    ),
    strength="verified",
    correction=Correction(
        "Delta = (m + 1)^d/n without the constant coordinate; or 2/n with the symmetrised body",
        diameter,
        "Yes: with Delta = 2/n the loss reaches (m + 1)^d alpha/2, for d = 2 already at m = 1.",
        "Multiply the printed noise by (m + 1)^d/2, or symmetrise the body.",
        "verified",
        "error",
        SENSITIVITY,
    ),
    quotation=Quotation("Psi~ = Psi^- + r u, r ~ Gamma((2m + 1)^d, 2/(n alpha)), u ~ U(K_m^d)"),
)

# --- the shape ---


def _powers(t: Fraction, m: int) -> list[Fraction]:
    """(1, cos, sin, cos 2, sin 2, ...) at a rational point of the circle."""
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    out, x, y = [Fraction(1)], Fraction(1), Fraction(0)
    for _ in range(m):
        x, y = x * c - y * s, x * s + y * c
        out += [x, y]
    return out


def check_shape(shape: Any, effort: Effort) -> str:
    """shape(m, d) of the gamma law must be one more than the dimension that the curve spans affinely."""
    cases = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))[: effort.pick(4, 5)]
    for m, d in cases:
        lines = [_powers(Fraction(i), m) for i in range(2 * m + 1)]
        rows = [[x * y for x in a for y in b] for a, b in product(lines, repeat=2)] if d == 2 else lines
        rank = fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row]).rank()
        if shape(m, d) != rank:  # the affine dimension is rank - 1, the first coordinate being 1
            raise Refuted(
                f"m = {m}, d = {d}: the body has dimension {rank - 1}, so the shape is {rank}, not {shape(m, d)}."
            )
    return f"ranks at rational points of the circle, exact, for {len(cases)} pairs (m, d)"


SHAPE = Claim(
    id="hall-2012:section-4.4.2-shape",
    place="Section 4.4.2, the mechanisms in one and d dimensions",
    statement="The shape of the gamma law of r, one more than the dimension of the body.",
    printed="r ~ Gamma(2m + 1, .), and Gamma((2m + 1)^d, .) in d dimensions",
    hypotheses="the first coordinate is constant",
    check=check_shape,
    formula=lambda m, d: (2 * m + 1) ** d,
    near=(
        Near(lambda m, d: (2 * m + 1) ** d + 1, "one more"),
        Near(lambda m, d: (2 * m) ** d + 1, "(2m)^d + 1"),
        Near(lambda m, d: (2 * m + 1) ** d - 1, "the dimension itself"),
    ),
    strength="verified",
    quotation=Quotation("r ~ Gamma(2m + 1, 2/(n alpha)), u ~ U(K_m)"),
)

CLAIMS = (CURVE, VOLUME, ONE, MANY, SHAPE)

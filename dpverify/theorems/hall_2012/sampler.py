"""Section 4.4.4: sampling the orbitope by rejection and by hit and run."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import Any

from flint import acb, acb_mat, arb, ctx

from dpverify.mechanisms.sensitivities import volume
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.caratheodory_body import RADIUS
from dpverify.theorems.tools.balls import ball, show

# --- rejection ---


def check_rejection(count: Any, effort: Effort) -> str:
    """count(m) samples from the ball for one in the orbitope: ratio of the volumes, radius sqrt(2m)."""
    frequencies = range(1, effort.pick(6, 40))
    for m in frequencies:
        sphere = Fraction((2 * m) ** m, factorial(m))  # times pi^m
        if count(m) != sphere / volume(m):
            raise Refuted(
                f"m = {m}: the volumes are {sphere} pi^m and {volume(m)} pi^m, ratio {sphere / volume(m)}, not "
                f"{count(m)}."
            )
    return f"ratio of volumes, exact, m < {frequencies.stop}; the normalisation of the curve cancels"


def _count(m: int) -> Fraction:
    return Fraction(m**m * comb(2 * m, m), 2**m)


REJECTION = Claim(
    id="hall-2012:section-4.4.4-rejection",
    place="Section 4.4.4",
    statement="How many samples from the ball rejection needs on average.",
    printed="(2m)^(m-1)",
    hypotheses="uniform law on the circumscribed ball",
    check=check_rejection,
    formula=lambda m: Fraction((2 * m) ** (m - 1)),
    near=(
        Near(lambda m: Fraction((2 * m) ** m, factorial(m)), "(2m)^m/m!"),
        Near(lambda m: _count(m) / m, "a power of m fewer"),
        Near(lambda m: Fraction(101, 100) * _count(m), "1 % more"),
    ),
    strength="proved",
    correction=Correction(
        "m^m binomial(2m, m)/2^m, about (2m)^m/sqrt(pi m): 1, 6, 67.5, ... for m = 1, 2, 3, where the printed "
        "one gives 1, 4, 36",
        _count,
        "None: it is a running time.",
        "Rejection is worse than printed, which makes the point of the paragraph stronger.",
        "verified",
    ),
    quotation=Quotation("For example, to generate one sample requires on average (2m)^{m-1} samples from the sphere."),
    rests_on=("hall-2012:section-4.4.2-volume",),
)

# --- the Toeplitz matrix ---


def check_toeplitz(square: Any, effort: Effort) -> str:
    """Entries (c_j + i s_j) times a factor, `square` its square: the curve must be on the border of positivity."""
    if 2 * square > 1:
        raise Refuted(
            f"m = 1: the point (0, sqrt(2)) of the curve has the matrix [[1, x], [x, 1]] with x^2 = {2 * square}, of "
            f"determinant {1 - 2 * square} < 0."
        )
    if 2 * square < 1:  # along t Psi(x) the matrix is (1 - t') I + t' z z*, positive while t' = t sqrt(2 square) <= 1
        raise Refuted(
            f"points t Psi(x) outside the sphere of the curve, as far as t^2 = {1 / (2 * square)}, have positive "
            f"matrices."
        )
    frequencies = range(1, effort.pick(3, 6))
    for m in frequencies:
        z = _circle(Fraction(1, 2), m)
        for (j, (x, y)), (k, (u, v)) in product(enumerate(z), repeat=2):
            entry = z[j - k] if j >= k else (z[k - j][0], -z[k - j][1])
            if (x * u + y * v, y * u - x * v) != entry:
                raise Refuted("the matrix of a point of the curve is not z z*.")
    return (
        f"a point of the curve gives z z*, exact, m < {frequencies.stop}; the converse is Caratheodory's theorem on "
        "trigonometric moments, cited"
    )


def _circle(t: Fraction, m: int) -> list[tuple[Fraction, Fraction]]:
    """(cos j a, sin j a), j = 0..m, at the rational point of parameter t."""
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    z = [(Fraction(1), Fraction(0))]
    for _ in range(m):
        x, y = z[-1]
        z.append((x * c - y * s, x * s + y * c))
    return z


TOEPLITZ = Claim(
    id="hall-2012:section-4.4.4-toeplitz",
    place="Section 4.4.4",
    statement="Membership in the orbitope as positivity of a Toeplitz matrix.",
    printed="(s_1, c_1, ..., s_m, c_m) in K_m iff the matrix with entries c_j + i s_j is positive semidefinite",
    hypotheses="psi_i as in (4.4), with the factors sqrt(2)",
    check=check_toeplitz,
    formula=Fraction(1),
    near=(
        Near(Fraction(1, 4), "entries (c_j + i s_j)/2"),
        Near(Fraction(101, 200), "the square of the factor 1 % more"),
        Near(Fraction(99, 200), "the square of the factor 1 % less"),
    ),
    strength="verified",
    correction=Correction(
        "the entries are (c_j + i s_j)/sqrt(2); as printed they belong to the curve without the factors sqrt(2)",
        Fraction(1, 2),
        "Yes: the printed test accepts the body shrunk by sqrt(2), so coefficients of (4.4) get noise smaller by "
        "sqrt(2) and the loss is sqrt(2) alpha, on top of the sensitivity of Section 4.4.2.",
        "Divide the coordinates by sqrt(2) before building the matrix.",
        "verified",
        "error",
        RADIUS,
    ),
    quotation=Quotation(
        "the body K_m is isomorphic to a certain Hermitian Toeplitz spectrahedron. We have (s_1, c_1, ..., s_m, c_m) "
        "in "
        "K_m <=> (1, c_1 + i s_1, ..., c_m + i s_m; ...) >= 0",
        note="The matrix is written here by its first row.",
    ),
)

# --- the chord ---


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _matrix(z: list[tuple[Fraction, Fraction]]) -> acb_mat:
    size = len(z)
    entry = [[z[j - k] if j >= k else (z[k - j][0], -z[k - j][1]) for k in range(size)] for j in range(size)]
    return acb_mat([[acb(ball(x), ball(y)) for x, y in row] for row in entry])


def check_chord(ends: Any, effort: Effort) -> str:
    """Chords between two means of m points of the curve, which are on the border: -1/3 and 2/3 away."""
    frequencies = range(1, effort.pick(4, 6))
    for m in frequencies:
        places = [Fraction(3 * j + 1, 2 * j + 5) for j in range(m)], [Fraction(-2 * j - 1, j + 3) for j in range(m)]
        first, second = (
            [(_mean([p[j][0] for p in points]), _mean([p[j][1] for p in points])) for j in range(m + 1)]
            for points in ([_circle(t, m) for t in some] for some in places)
        )
        inside = [((2 * a + c) / 3, (2 * b + d) / 3) for (a, b), (c, d) in zip(first, second, strict=True)]
        along = [(c - a, d - b) for (a, b), (c, d) in zip(first, second, strict=True)]
        with ctx.workprec(400):
            values = [x.real for x in (_matrix(inside).inv() * _matrix(along)).eig()]
        ordered = sorted(values, key=lambda x: float(x.mid()))
        found = sorted((arb(x) for x in ends(ordered[0], ordered[-1])), key=lambda x: float(x.mid()))
        if not all(abs(x - y) < arb("1e-6") for x, y in zip(found, (arb(-1) / 3, arb(2) / 3), strict=True)):
            raise Refuted(
                f"m = {m}: the line through two points of the border, from a third of the way, leaves at -1/3 and "
                f"2/3, the "
                f"formula gives {show(found[0])} and {show(found[1])}."
            )
    return (
        f"chords for m < {frequencies.stop} whose ends are known, eigenvalues in balls; 1 + eta mu >= 0 for all "
        "eigenvalues mu, of both signs"
    )


CHORD = Claim(
    id="hall-2012:section-4.4.4-endpoints",
    place="Section 4.4.4",
    statement="The ends of the chord through u in direction v, for hit and run.",
    printed="-1/lambda_min(A(u)^-1 B(v)) and 1/lambda_min(-A(u)^-1 B(v))",
    hypotheses="u interior; B(v) has the entries of v and the diagonal 0",
    check=check_chord,
    formula=lambda least, largest: (-1 / least, 1 / -largest),
    near=(
        Near(lambda least, largest: (least, largest), "without the reciprocal"),
        Near(lambda least, largest: (-1 / least, 1 / least), "the least eigenvalue for both ends"),
        Near(lambda least, largest: (arb("-1.01") / least, arb("-1.01") / largest), "1 % farther"),
    ),
    strength="verified",
    quotation=Quotation(
        "the endpoints of this line segment are therefore -1/lambda_min(A(u)^{-1} B(v)), 1/lambda_min(-A(u)^{-1} B(v)) "
        "where lambda_min(.) gives the minimum eigenvalue of the matrix."
    ),
)

CLAIMS = (REJECTION, TOEPLITZ, CHORD)

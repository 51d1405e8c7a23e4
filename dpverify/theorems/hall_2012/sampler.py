"""Section 4.4.4: sampling the orbitope by rejection and by hit and run."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import Any

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted


def check_rejection(count: Any, effort: Effort) -> str:
    """count(m) samples from the ball for one in the orbitope: ratio of the volumes, radius sqrt(2m)."""
    for m in range(1, effort.pick(6, 40)):
        sphere = Fraction((2 * m) ** m, factorial(m))  # times pi^m
        orbitope = Fraction(4**m * factorial(m), factorial(2 * m))
        if count(m) != sphere / orbitope:
            raise Refuted(
                f"m = {m}: the volumes are {sphere} pi^m and {orbitope} pi^m, ratio {sphere / orbitope}, not "
                f"{count(m)}."
            )
    return "ratio of volumes, exact, m < 40"


def check_toeplitz(square: Any, effort: Effort) -> str:
    """Entries (c_j + i s_j) times a factor, `square` its square: the curve must be inside, and 1.2 times it outside."""
    if 2 * square > 1:
        raise Refuted(
            f"m = 1: the point (0, sqrt(2)) of the curve has the matrix [[1, x], [x, 1]] with x^2 = {2 * square}, of "
            "determinant "
            f"{1 - 2 * square} < 0."
        )
    if Fraction(36, 25) * 2 * square <= 1:
        # along t Psi(x) the matrix is (1 - t') I + t' z z*, positive as long as t' = t sqrt(2 square) <= 1
        raise Refuted(
            "the point 6/5 Psi(x) is outside the sphere of the curve, and its matrix is positive: t'^2 = "
            f"{Fraction(36, 25) * 2 * square}."
        )
    for m in range(1, effort.pick(3, 6)):
        c, s = Fraction(3, 5), Fraction(4, 5)
        z = [(Fraction(1), Fraction(0))]
        for _ in range(m):
            x, y = z[-1]
            z.append((x * c - y * s, x * s + y * c))
        for j, (x, y) in enumerate(z):
            for k, (u, v) in enumerate(z):
                entry = z[abs(j - k)] if j >= k else (z[abs(j - k)][0], -z[abs(j - k)][1])
                if (x * u + y * v, y * u - x * v) != entry:
                    raise Refuted("the matrix of a point of the curve is not z z*.")
    return (
        "points of the curve give z z*, exact; the converse is Caratheodory's theorem on trigonometric moments, cited"
    )


def check_chord(ends: Any, effort: Effort) -> str:
    """m = 1: where the line u + eta v leaves the disc; ends(least, largest eigenvalue of A^-1 B) = (upper, lower)."""
    count = 0
    for u in (Fraction(0), Fraction(3, 5), Fraction(-1, 3), Fraction(9, 10))[: effort.pick(3, 4)]:
        for v in (Fraction(1), Fraction(-2), Fraction(1, 7)):
            # A = [[1, u], [u, 1]], B = [[0, v], [v, 0]]: A^-1 B has eigenvalues v/(1 + u) and -v/(1 - u)
            values = sorted((v / (1 + u), -v / (1 - u)))
            true = {(1 - u) / v, (-1 - u) / v}
            count += 1
            if set(ends(values[0], values[1])) != true:
                raise Refuted(
                    f"m = 1, u = {u}, v = {v}: the line leaves at {sorted(map(str, true))}, not at "
                    f"{sorted(map(str, ends(*values)))}."
                )
    return f"{count} chords of the disc, exact; in general 1 + eta mu >= 0 for all eigenvalues mu, of both signs"


CLAIMS = (
    Claim(
        id="hall-2012:section-4.4.4-rejection",
        place="Section 4.4.4",
        statement="How many samples from the ball rejection needs on average.",
        printed="(2m)^(m-1)",
        hypotheses="uniform law on the circumscribed ball",
        check=check_rejection,
        formula=lambda m: Fraction((2 * m) ** (m - 1)),
        near=(Near(lambda m: Fraction((2 * m) ** m, factorial(m)), "(2m)^m/m!"),),
        strength="proved",
        correction=Correction(
            "m^m binomial(2m, m)/2^m, about (2m)^m/sqrt(pi m): 1, 6, 67.5, ... for m = 1, 2, 3, where the printed "
            "one gives 1, 4, 36",
            lambda m: Fraction(m**m * comb(2 * m, m), 2**m),
            "None: it is a running time.",
            "Rejection is worse than printed.",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.4-toeplitz",
        place="Section 4.4.4",
        statement="Membership in the orbitope as positivity of a Toeplitz matrix.",
        printed="(s_1, c_1, ..., s_m, c_m) in K_m iff the matrix with entries c_j + i s_j is positive semidefinite",
        hypotheses="psi_i as in (4.4), with the factors sqrt(2)",
        check=check_toeplitz,
        formula=Fraction(1),
        near=(Near(Fraction(1, 4), "entries (c_j + i s_j)/2"),),
        strength="verified",
        correction=Correction(
            "the entries are (c_j + i s_j)/sqrt(2)",
            Fraction(1, 2),
            "Yes: the printed test accepts the body shrunk by sqrt(2), so the noise is smaller by sqrt(2) and the "
            "loss is sqrt(2) alpha, "
            "on top of the sensitivity of Section 4.4.2.",
            "Divide the coordinates by sqrt(2) before building the matrix.",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.4-endpoints",
        place="Section 4.4.4",
        statement="The ends of the chord through u in direction v, for hit and run.",
        printed="-1/lambda_min(A(u)^-1 B(v)) and 1/lambda_min(-A(u)^-1 B(v))",
        hypotheses="u interior",
        check=check_chord,
        formula=lambda least, largest: (-1 / least, 1 / -largest),
        near=(Near(lambda least, largest: (1 / least, -1 / -largest), "with the signs exchanged"),),
        strength="verified",
    ),
)

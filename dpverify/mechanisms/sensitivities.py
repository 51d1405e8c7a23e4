"""What one record can change, in exact numbers: the formulas that the mechanisms ship and the claims' checks test."""

from __future__ import annotations

from fractions import Fraction
from math import factorial


def density_sensitivity(records: int, bandwidth: Fraction, dimension: int) -> str:
    """Of a Gaussian kernel density estimate in H(K), as exact text: sqrt(2)/(n (2 pi h^2)^(d/2)).

    Claim hall-2012:section-3.3.1-sensitivity.
    """
    return f"sqrt(2)/({records}*(2*pi*({bandwidth})**2)**({dimension}/2))"


def minimiser_sensitivity(kappa: Fraction, penalty: Fraction, records: int) -> Fraction:
    """Of a regularised minimiser in H(K), K(x, x) <= kappa^2, for a 1-Lipschitz loss: kappa/(lambda n).

    Claim hall-2012:section-3.3.3-minimisers.
    """
    return kappa / (penalty * records)


def squared_change(frequencies: int, dimension: int = 1) -> int:
    """The square of n times a bound of what one record changes in the l1 norm of the Fourier coefficients.

    4m for d = 1, since a frequency changes by 2 sqrt(2) |sin| (|sin| + |cos|) <= 4; else 2^(d/2 + 1) (2m + 1)^d, each
    product being at most 2^(d/2) (claim hall-2012:section-4.4.1-scale, where the scale is printed upside down).
    """
    return (4 * frequencies) ** 2 if dimension == 1 else 2 ** (dimension + 2) * (2 * frequencies + 1) ** (2 * dimension)


def diameter(frequencies: int, dimension: int = 1) -> Fraction:
    """The largest gauge of a - b over the orbitope's points: (m + 1)^d, where the thesis has 2.

    q >= 0 of degree m and mean 1 has q(a) <= m + 1, being its mean over m + 1 equidistant points, one of them a; and
    the gauge of a - b is the largest q(b) - q(a) (claims hall-2012:section-4.4.2-sensitivity and -sensitivity-d).
    """
    return Fraction((frequencies + 1) ** dimension)


def harmonic(n: int) -> Fraction:
    """1 + 1/2 + ... + 1/n."""
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def inertia(m: int, k: int) -> Fraction:
    """E w^2 of a coordinate of frequency k, w uniform on the orbitope K'_m of the curve with sqrt(2) cos, sqrt(2) sin.

    Claim hall-2012:proposition-4.4.1, as corrected.
    """
    return (2 * m + 2 * k + 1 + k * (harmonic(m) - harmonic(m - k))) / ((2 * m + 1) * (2 * m + 2))


def volume(m: int) -> Fraction:
    """The volume of K'_m over pi^m (claim hall-2012:section-4.4.2-volume, as corrected)."""
    return Fraction(4**m * factorial(m), factorial(2 * m))

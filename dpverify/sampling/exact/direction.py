"""Normal vectors, by Box and Muller (1958), and directions uniform on the sphere, as normal vectors over their norm."""

from __future__ import annotations

from fractions import Fraction

from dpverify.sampling.exact.draw import Draw, Real

HALF = Fraction(1, 2)


def normals(at: Draw, n: int) -> list[Real]:
    """n independent standard normal numbers: sqrt(-2 log U) times cos and sin of 2 pi V, a pair at a time."""
    found: list[Real] = []
    while len(found) < n:
        radius = (at.uniform().log() * -2).sqrt()
        sine, cosine = (at.uniform() * 2).sin_cos_pi()
        found.append(radius * cosine)
        found.append(radius * sine)
    return found[:n]


def direction(at: Draw, d: int) -> list[Real]:
    """A point uniform on the unit sphere of R^d; for d = 1 a fair sign."""
    if d == 1:
        return [at.sign()]
    z = normals(at, d)
    squares = z[0] * z[0]
    for x in z[1:]:
        squares = squares + x * x
    length = squares.sqrt()
    return [x / length for x in z]

"""Gamma variables: sums of exponentials, the square of a normal, and exact rejection for any other fraction."""

from __future__ import annotations

from fractions import Fraction

from dpverify.sampling.exact.draw import Draw, Real

HALF = Fraction(1, 2)
TOGETHER = 64
"""Uniform numbers multiplied before one logarithm is taken of them."""


def exponential(at: Draw) -> Real:
    """-log U."""
    return -at.uniform().log()


class Gamma:
    """A recipe for a variable with density proportional to x^(shape - 1) e^(-x), shape > 0.

    Gamma(n) is the sum of n exponentials, -log of a product of uniforms, and Gamma(a) + Gamma(b) is
    Gamma(a + b) where both are independent. Gamma(1/2) is half the square of a normal.
    """

    def __init__(self, shape: Fraction) -> None:
        whole, part = divmod(shape, 1)
        self.part = None if not part else half_square if part == HALF else Fractional(part)
        self.products = [TOGETHER] * (whole // TOGETHER) + [whole % TOGETHER] * (whole % TOGETHER > 0)

    def __call__(self, at: Draw) -> Real:
        total = None if self.part is None else self.part(at)
        for count in self.products:
            product = at.uniform()
            for _ in range(count - 1):
                product = product * at.uniform()
            total = -product.log() if total is None else total - product.log()
        return total


def half_square(at: Draw) -> Real:
    """Z^2 / 2 = -log U cos^2(2 pi V) for Z normal, by Box and Muller."""
    size = exponential(at)
    _, cosine = (at.uniform() * 2).sin_cos_pi()
    return size * cosine * cosine


class Fractional:
    """Gamma(shape) for 0 < shape < 1, by exact rejection (Johnk 1964).

    Given U^(1/s) + V^(1/(1-s)) < 1, the first over the sum is Beta(s, 1 - s), and that times an
    exponential is Gamma(s). A pair is kept with probability Gamma(1 + s) Gamma(2 - s) >= pi/4.
    """

    def __init__(self, shape: Fraction) -> None:
        self.powers = 1 / shape, 1 / (1 - shape)

    def __call__(self, at: Draw) -> Real:
        p, q = self.powers
        while True:
            x = at.power(at.uniform(), p)
            total = x + at.power(at.uniform(), q)
            if at.below(total, 1):
                return x / total * exponential(at)

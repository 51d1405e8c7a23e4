"""Profiles of smooth functions that vanish with exp(-r), with certificates, beside a quadrature of the density."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import dpverify
from dpverify import kernel

NODES, WEIGHTS = (list(map(float, x)) for x in np.polynomial.legendre.leggauss(16))
Real = Callable[[float], float]
KNOWN: dict[str, tuple[Real, Real]] = {
    "sin(exp(-r))": (math.sin, math.asin),
    "1-exp(-exp(-r))": (lambda w: -math.expm1(-w), lambda v: -math.log1p(-v)),
}
FAR: dict[str, tuple[Real, Real]] = {
    "tanh(exp(-r))": (math.tanh, math.atanh),
    "asinh(exp(-r))": (math.asinh, math.sinh),
}
"""Of which the form keeps no digit where e^-r is small."""


def integral(value: Real, marks: list[float]) -> float:
    pieces = (((a + b) / 2, (b - a) / 2) for a, b in pairwise(marks))
    return math.fsum(h * w * value(m + h * x) for m, h in pieces for x, w in zip(NODES, WEIGHTS, strict=True))


def in_space(of: Real, back: Real, epsilon: float, d: int = 3) -> float:
    """A shift of 1 in an odd dimension, in bipolar coordinates, where f(B) = e^-eps f(r), f a function of e^-r."""

    def f(r: float) -> float:
        return of(math.exp(-r))

    def boundary(r: float) -> float:
        return -math.log(back(f(r) * math.exp(-epsilon)))

    def height(r: float, t: float) -> float:
        """The distance from the axis of what is r from the one centre and t from the other, squared."""
        return r * r - ((r * r - t * t + 1) / 2) ** 2

    def shell(r: float) -> float:
        def weighed(t: float) -> float:
            return t * height(r, t) ** ((d - 3) // 2) * (f(r) - math.exp(epsilon) * f(t))

        low, high = max(abs(r - 1), boundary(r)), r + 1
        return r * integral(weighed, [low, high]) if low < high else 0.0

    low, high = 0.0, 0.5  # between which 1 - r is the boundary
    for _ in range(60):
        m = (low + high) / 2
        low, high = (m, high) if boundary(m) < 1 - m else (low, m)
    marks = sorted([*(k / 8 for k in range(17)), low, *(2 + k / 2 for k in range(1, 200))])
    spheres = math.sqrt(math.pi) * math.gamma((d - 1) / 2) / math.gamma(d / 2)  # of d dimensions, beside d - 1
    return integral(shell, marks) / spheres / integral(lambda r: r ** (d - 1) * f(r), marks)


@pytest.mark.parametrize("text", KNOWN)
def test_the_profile_in_space(text: str) -> None:
    found = dpverify.profile(text, epsilon="1/2", dimension=3, certificate=True)
    delta, certificate = found.points[0].delta, found.certificate
    assert certificate is not None
    assert 0 < delta.upper - delta.lower <= delta.lower / 10**9
    assert float(delta.lower) == pytest.approx(in_space(*KNOWN[text], 0.5), rel=1e-9)
    assert "K564" in certificate["rules"]["vanishing"]
    assert len(certificate["proof"]["profile"]["points"][0]["marks"]) < 60  # where there were 120
    kernel.check_bytes(json.dumps(certificate).encode())


@pytest.mark.slow
@pytest.mark.parametrize("text", FAR)
def test_the_profile_where_nearly_all_noise_is_far_out(text: str) -> None:
    found = dpverify.profile(text, epsilon="1/2", dimension=11, certificate=True)
    delta = found.points[0].delta
    assert 0 < delta.upper - delta.lower <= delta.lower / 10**9
    assert float(delta.lower) == pytest.approx(in_space(*FAR[text], 0.5, 11), rel=1e-9)
    assert found.certificate is not None
    kernel.check_bytes(json.dumps(found.certificate).encode())

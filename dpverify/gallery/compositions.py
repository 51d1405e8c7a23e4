"""Compositions: for each rule of the kernel that they bring a certificate that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpverify.api import verify
from dpverify.composition import Sampling, compose
from dpverify.profiles import Profile, profile
from dpverify.serialise import serialise

ENTRIES: tuple[tuple[str, tuple[tuple[str, int, dict[str, Any]], ...], dict[str, Any]], ...] = (
    ("laplace-10-times", (("laplace", 10, {}),), {"epsilon": "5"}),
    ("laplace-and-student-t", (("laplace", 5, {}), ("student_t", 2, {"nu": "3"})), {"delta": "1e-6"}),
)
"""File name, the releases (generator, times, parameters), and arguments of `compose`."""
WHOLE: tuple[tuple[str, int, Sampling | None, dict[str, Any]], ...] = (
    ("gaussians-16-times", 16, None, {"epsilon": "4", "delta": "1e-5"}),
    ("gaussians-on-samples", 16, Sampling("poisson", Fraction(1, 4)), {"epsilon": "1"}),
)
"""File name, times and sample of a Gaussian whose profile is whole, and arguments of `compose`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    for name, releases, arguments in ENTRIES:
        parts = [(verify(text, parameters=more).certificate, times) for text, times, more in releases]
        found = compose([(part, times) for part, times in parts if part is not None], certificate=True, **arguments)
        yield f"{name}.json", _written(name, found)
    whole = profile("gaussian", scale=2, curve=True, step="1/10", until="1e-9", certificate=True).certificate
    assert whole is not None
    for name, times, sampling, arguments in WHOLE:
        yield f"{name}.json", _written(name, compose([(whole, times, sampling)], certificate=True, **arguments))
    ball = profile("Piecewise((1, r < 1), (0, True))", sensitivity="1/3", curve=True, certificate=True).certificate
    assert ball is not None
    yield "uniform-3-times.json", _written("uniform-3-times", compose([(ball, 3)], epsilon="1", certificate=True))
    ring = profile("exp(-Abs(r - 2))", sensitivity=2, curve=True, step="1/2", certificate=True).certificate
    assert ring is not None
    yield "rings-4-times.json", _written("rings-4-times", compose([(ring, 4)], epsilon="1", certificate=True))


def _written(name: str, found: Profile) -> bytes:
    if found.certificate is None:
        raise SystemExit(f"{name}: {found.reason}")
    return serialise(found.certificate)

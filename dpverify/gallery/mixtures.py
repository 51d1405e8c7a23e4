"""Mixtures by their mixing density: for each rule of the kernel that they bring a certificate that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpverify.api import verify
from dpverify.profiles import profile
from dpverify.serialise import serialise

ENTRIES: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("exponential-tail", "v**3*exp(-v)", 1, {"tolerance": "1/1000"}),
    ("gaussian-tail", "v**7*exp(-v**2/2+v)", 1, {"sensitivity": "3"}),
    ("nothing-below", "Piecewise((0, v < 1), (v**-4*exp(-1/v), True))", 1, {"tolerance": "1/1000"}),
    ("infinite-moment", "v**3*exp(-v)", 4, {}),
    ("lighter-than-gaussian", "v*exp(-v**3)", 1, {}),
)
"""File name, the mixing density, dimension, and further arguments of `verify`."""
PROFILES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("student-t-path", {"generator": "student_t", "parameters": {"nu": 3}, "epsilon": "1", "delta": "1e-6"}),
    ("slash-path", {"generator": "slash", "epsilon": "1/2"}),
    ("two-gaussians-path", {"mixing": "sqrt(2)/3: 1, 1-sqrt(2)/3: 1+1/pi", "epsilon": ["0", "1"]}),
)
"""File name, and what is asked of `profile` in infinite dimension."""
SPATIAL: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("uniform-scale", "Piecewise((1, (v > 1) & (v < 2)), (0, True))", 1, {"epsilon": "1/4"}),
    ("scale-with-two-tails", "exp(-v-1/v)", 3, {"epsilon": "1"}),
)
"""File name, the mixing density, dimension, and what is asked of `profile`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    for name, text, dimension, arguments in ENTRIES:
        result = verify(mixing=text, dimension=dimension, **arguments)
        if result.certificate is None:
            raise SystemExit(f"{name}: {result.reason} {result.assumptions}")
        yield f"{name}.json", serialise(result.certificate)
    asked = [(name, {"dimension": "infinity", **arguments}) for name, arguments in PROFILES]
    asked += [(name, {"mixing": text, "dimension": d, **arguments}) for name, text, d, arguments in SPATIAL]
    for name, arguments in asked:
        found = profile(certificate=True, **arguments)
        if found.certificate is None:
            raise SystemExit(f"{name}: {found.reason}")
        yield f"{name}.json", serialise(found.certificate)

"""Elliptical noise exp(-r/scale) with a certificate of no more than the epsilon asked for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.api import verify
from dpverify.errors import DpverifyError

ROOM = (Fraction(0), Fraction(1, 10**12))
"""How much larger than Delta/epsilon the scale may be: a certificate states thirteen digits, rounded up."""


def laplace(dimension: int, sensitivity: Fraction, epsilon: Fraction) -> tuple[Fraction, Mapping[str, Any]]:
    """The scale, Delta/epsilon or a relative 1e-12 more, and the certificate at that scale.

    Raises:
        DpverifyError: there is none.
    """
    reason = ""
    for room in ROOM:
        scale = sensitivity / epsilon * (1 + room)
        proved = verify("laplace", dimension=dimension, sensitivity=sensitivity, scale=scale)
        upper = None if proved.epsilon is None else proved.epsilon.upper
        if proved.certificate is not None and upper is not None and upper <= epsilon:
            return scale, proved.certificate
        reason = proved.reason
    raise DpverifyError(f"no certificate of epsilon = {epsilon}: {reason}")

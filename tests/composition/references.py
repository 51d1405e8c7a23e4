"""Profiles of Gaussians for tests: certified ones, and mpmath's, alone and many together."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mpmath as mp

import dpverify


def gaussian(epsilon: object, shift: object) -> mp.mpf:
    """Balle and Wang (2018), Theorem 8; of n releases with shift s it is that with shift s sqrt(n)."""
    with mp.workdps(60):
        e, s = mp.mpf(epsilon), mp.mpf(shift)
        return mp.ncdf(s / 2 - e / s) - mp.exp(e) * mp.ncdf(-s / 2 - e / s)


@lru_cache
def curve(generator: str = "gaussian", **options: Any) -> dict[str, Any]:
    """The certificate of a whole profile."""
    found = dpverify.profile(generator, curve=True, certificate=True, **options)
    assert found.certificate is not None, found.reason
    return dict(found.certificate)

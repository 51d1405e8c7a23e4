"""The profile of e^y erfc(r) e^-r in space, beside a quadrature of its density."""

from __future__ import annotations

import json
import math

import pytest
from scipy.special import erfcx

import dpverify
from dpverify import kernel
from tests.profiles.test_vanishing import in_space

FAR = 400.0


def scaled(w: float) -> float:
    """f as a function of e^-r."""
    return float(erfcx(-math.log(w))) * w


def back(value: float) -> float:
    low, high = 0.0, FAR
    for _ in range(100):
        m = (low + high) / 2
        low, high = (m, high) if scaled(math.exp(-m)) > value else (low, m)
    return math.exp(-low)


def test_the_profile_in_space() -> None:
    found = dpverify.profile("exp(y)*erfc(r)*exp(-r)", epsilon="1/2", dimension=3, certificate=True)
    delta = found.points[0].delta
    assert 0 < delta.upper - delta.lower <= delta.lower / 10**9
    assert float(delta.lower) == pytest.approx(in_space(scaled, back, 0.5), rel=1e-9)
    assert found.certificate is not None
    assert "K531" in found.certificate["rules"]["erfc"]
    assert len(found.certificate["proof"]["profile"]["points"][0]["marks"]) < 60
    kernel.check_bytes(json.dumps(found.certificate).encode())

"""A slope with stairs, exp(-r - floor(r)), on the line: its profile in closed form, certified."""

from __future__ import annotations

import mpmath as mp
import pytest

import dpverify
from dpverify.profiles import Enclosed
from tests.profiles.test_support import holds


def exact(e: mp.mpf) -> mp.mpf:
    """At a distance of 1 the loss is 2 for x < 0, 1 - 2x on (0, 1), and 2 is the largest."""
    size, c = 2 / (1 + mp.exp(-1)), max(mp.mpf(0), (1 - e) / 2)
    between = 1 - mp.exp(-c) - mp.exp(e) * (mp.exp(c - 1) - mp.exp(-1))
    return (1 - mp.exp(e - 2)) / 2 + between / size


@pytest.mark.slow
def test_a_slope_with_stairs() -> None:
    found = dpverify.profile("exp(-r-floor(r))", epsilon=("0", "1/2", "3/2", "21/10"), certificate=True)
    assert found.certificate is not None and bool(dpverify.check(found.certificate))
    with mp.workdps(30):
        for point, e in zip(found.points[:-1], ("0", "0.5", "1.5"), strict=True):
            assert isinstance(point.delta, Enclosed)
            assert holds(point.delta, exact(mp.mpf(e)))
    last = found.points[-1].delta
    assert isinstance(last, Enclosed) and last.upper == 0

"""Exponentials that outgrow powers (K462, K463), closely: their least or greatest size, and what has none."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections.models import Germ, Model
from dpverify.kernel.sections.towers import logarithm_of, size_of_tower, tower
from tests.kernel.test_towers import GERM, far


@pytest.mark.parametrize(
    ("text", "least"),
    [("r**r", 16**16), ("2**r", 2**16), ("r**r/r**3", 16**13)],
)
def test_what_grows_is_least_at_the_radius(text: str, least: Any) -> None:
    found = far(text).span()
    assert found.hi == INF and found.lo.is_finite()
    assert abs(mpmath.mpf(str(found.lo)) / least - 1) < 1e-14


@pytest.mark.parametrize(("text", "most"), [("1/r**r", Q(1, 16**16)), ("r/2**r", Q(1, 2**12))])
def test_what_vanishes_is_largest_at_the_radius(text: str, most: Q) -> None:
    found = far(text).span()
    assert found.lo == 0 and abs(float(Q(found.hi) / most) - 1) < 1e-14


@pytest.mark.parametrize(
    "factor", [Interval(interval(0).lo, interval(2).hi), interval(-1), Interval(interval(1).lo, INF)]
)
def test_an_exponent_that_may_stay_or_has_no_bound_is_no_tower(factor: Interval) -> None:
    ((m, _),) = far("r*log(r)").terms.items()
    with pytest.raises(Rejected, match="no proved sign"):
        tower(Model(GERM, {m: factor}))


def test_the_fourth_iterated_logarithm_is_beyond_them() -> None:
    far_out = Germ(Q(10**9), 6)
    ((m, _),) = far("r**r", far_out).terms.items()
    assert size_of_tower(far_out, (m[0], 0, 0, 1, 0)).hi == INF
    with pytest.raises(Rejected, match="fourth iterated"):
        size_of_tower(far_out, (m[0], 0, 0, 0, 1))


@pytest.mark.parametrize("place", [2, 3])
def test_iterated_logarithms_that_are_negative_at_the_radius_are_refused(place: int) -> None:
    """log log 2 is negative, and log log log 2 is no number."""
    germ = Germ(Q(2), 6)
    ((m, _),) = tower(far("r*log(r)", germ)).terms.items()
    powers = [0, 0, 0, 0]
    powers[place] = 1
    with pytest.raises(Rejected, match="too small for its logarithms"):
        size_of_tower(germ, (m[0], *powers))


@pytest.mark.parametrize(("radius", "place"), [(1 + Q(1, 10**70), 0), (Q(2), 1), (Q(3, 2), 1)])
def test_a_radius_whose_logarithm_is_not_shown_positive_is_too_small(radius: Q, place: int) -> None:
    """Where R exceeds 1 by less than its digits tell, log R may be 0; log log 2 is negative."""
    germ = Germ(radius, 6)
    ((m, _),) = far("2**r", germ).terms.items()
    assert germ.logs[place].lo <= 0 and 1 < size_of_tower(germ, m).lo <= 4
    powers = [0, 0, 0, 0]
    powers[place] = 1
    for asked in (size_of_tower, logarithm_of):
        with pytest.raises(Rejected, match="too small for its logarithms"):
            asked(germ, (m[0], *powers))

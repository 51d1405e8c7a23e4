"""Differences of inverse tangents as one (K460): beside mpmath; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.angles import of_one_angle
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.tree import walk
from tests.kernel.problems import tree
from tests.kernel.test_cancelling import epsilon, forged, step, without
from tests.kernel.test_models import inside

Change = Callable[[dict[str, Any]], None]
A = mpmath.atan

SAME: list[tuple[str, Callable[[Any], Any], int]] = [
    ("atan(1+r)-atan(r)", lambda r: A(1 + r) - A(r), 1),
    ("atan(r)-atan(1+r)", lambda r: A(r) - A(1 + r), 1),
    ("atan(2*r)-atan(r/2)+exp(-r)", lambda r: A(2 * r) - A(r / 2) + mpmath.exp(-r), 1),
    ("atan(1/r)-atan(1/(3*r))-4", lambda r: A(1 / r) - A(1 / (3 * r)) - 4, 1),
    ("2*atan(y)-3-2*atan(3*r)+r", lambda r: 2 * A(r * r) - 3 - 2 * A(3 * r) + r, 1),
    ("exp(-r)*atan(1+r)-exp(-r)*atan(r)", lambda r: mpmath.exp(-r) * (A(1 + r) - A(r)), 1),
    ("atan(exp(r))-atan(exp(r)/2)", lambda r: A(mpmath.exp(r)) - A(mpmath.exp(r) / 2), 1),
    ("atan(sqrt(1+r))-atan(sqrt(r))", lambda r: A(mpmath.sqrt(1 + r)) - A(mpmath.sqrt(r)), 1),
    (
        "atan(1+r)-atan(r)+3*atan(5*r)-3*atan(7*r)+atan(r+9)",
        lambda r: A(1 + r) - A(r) + 3 * A(5 * r) - 3 * A(7 * r) + A(r + 9),
        3,
    ),
    ("atan(r+r)-atan(2*r)+r", lambda r: r, 0),
    ("atan(1+r)+atan(2+r)-2*atan(r)", lambda r: A(1 + r) + A(2 + r) - 2 * A(r), 2),
    ("3*r*atan(1+r)-r*atan(r)/2", lambda r: 3 * r * A(1 + r) - r * A(r) / 2, 2),
    ("2*atan(1/r)-5*atan(1/(3*r))", lambda r: 2 * A(1 / r) - 5 * A(1 / (3 * r)), 2),
    ("atan(r-1)-atan(r-2)", lambda r: A(r - 1) - A(r - 2), 1),
    ("atan(r-1)-atan(r-3)", lambda r: A(r - 1) - A(r - 3), 1),
    ("r+atan(2)-atan(1/3)", lambda r: r + mpmath.pi / 4, 1),
    ("atan(1+r)*atan(2+r)-atan(r)*atan(2+r)", lambda r: A(2 + r) * (A(1 + r) - A(r)), 2),
]


@pytest.mark.parametrize(("text", "truth", "left"), SAME)
def test_one_angle_is_the_difference_of_two(text: str, truth: Callable[[Any], Any], left: int) -> None:
    """At radii near 0 and far out, where the two differ by less than their digits show."""
    other = of_one_angle(tree(text))
    assert len({id(n) for n in walk(other) if n.kind in ("atan", "acot")}) == left
    with mpmath.workdps(80):
        for r in (Q(1, 10**6), Q(1, 7), Q(1), Q(20), Q(60)):
            assert inside(Evaluation(interval(r)).value(other), truth(mpmath.mpf(r.numerator) / r.denominator))


def test_what_is_left_is_in_lowest_terms() -> None:
    """(2 r - r/2)/(1 + r^2) is 3/2 of r/(1 + r^2); and of r^2 - r over 1 + r and 1 + r^3/(1 + r)^2 little is left."""
    for text, size in (("atan(2*r)-atan(r/2)", 9), ("atan(y/(1+r))-atan(r/(1+r))", 18)):
        assert len(walk(of_one_angle(tree(text)))) <= size


@pytest.mark.parametrize(
    "text",
    [
        "atan(r)",
        "atan(1+r)+atan(r)",
        "-2*atan(1+r)-atan(r)",
        "atan(1+r)/2+atan(r)/3",
        "atan(1+r)*atan(r)",
        "atan(r-1)-atan(r-4)",
        "atan(r/2-1)-atan(-1-r)",
        "atan(r)-atan(-1-r)",
        "atan(1+r)-acosh(2+r)",
        "atan(r)-atan(1/(2*r))",
        "exp(-r)*atan(1+r)-exp(-2*r)*atan(r)",
        "atan(1+r)**2-atan(r)**2",
    ],
)
def test_what_is_no_such_difference_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="no difference of inverse"):
        of_one_angle(tree(text))


def typed(generator: str) -> Change:
    return lambda c: c["claim"].update(generator=generator)


# epsilon is 0.96839..., beside r = 0.285.
@pytest.mark.parametrize(
    "change",
    [
        step("angles", [1]),
        step("angles", []),
        step("angles", [10**6]),
        without("angles"),
        epsilon(upper="968/1000"),
        epsilon(lower="97/100"),
        typed("exp(-r)+atan(r)-atan(1+r)"),
        typed("exp(-r)+atan(2+r)-atan(r)"),
        typed("exp(-r)+atan(1+r)-atan(r-3)"),
        typed("exp(-r)+atan(1+r)+atan(r)"),
    ],
)
def test_forgeries_fail(change: Change) -> None:
    with pytest.raises(Rejected):
        check_bytes(forged("angles-that-cancel", change))

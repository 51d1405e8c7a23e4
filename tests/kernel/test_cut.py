"""f cut short of the radius beyond which it is 0 (K228, K229): what is lost, and what is refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.charts import Subject
from dpverify.kernel.sections.supports import Cut, between, cut
from dpverify.kernel.steps import Steps
from tests.kernel.problems import ENDS, written

SHORT = "Piecewise((exp(-r), r < 2), (0, True))"


def cut_of(
    text: str, radius: str = "1", end: str = "2", height: str = "1/1000", dimension: int = 3, **more: Any
) -> Cut:
    claim = written(text, "private", {}, {}, dimension=dimension)["claim"]
    step = {"radius": radius, "end": end, "height": height, **more}
    return cut(Subject(claim), Steps({**ENDS, "cut": step}))


@pytest.mark.parametrize(("dimension", "end"), [(1, "2"), (2, "2"), (3, "2"), (4, "5/2"), (1, "16"), (3, "17")])
def test_what_is_lost_is_the_shell_and_the_tail(dimension: int, end: str) -> None:
    """At most e^-1 B^(d-1) (B - 1) of f beyond 1, and (d - 1)!/1000 of the tail."""
    found, b = cut_of(SHORT, end=end, dimension=dimension).lost, float(Fraction(end))
    shell, tail = b ** (dimension - 1) * (b - 1), math.factorial(dimension - 1) / 1000
    assert math.isclose(float(found.hi), math.exp(-1) * shell + tail, rel_tol=1e-12)
    assert found.lo >= 0 and float(found.lo) <= math.exp(-1) * shell + tail


@pytest.mark.parametrize("dimension", [1, 3])
def test_nothing_is_lost_where_f_ends_with_its_cut(dimension: int) -> None:
    found = cut_of(SHORT, radius="2", dimension=dimension)
    tail = interval(Fraction(math.factorial(dimension - 1), 1000))
    assert (found.lost.lo, found.lost.hi) == (tail.lo, tail.hi) and found.radius == found.end == 2


def test_f_goes_on_as_a_small_tail() -> None:
    claim = written(SHORT, "private", {}, {}, dimension=1)["claim"]
    subject = Subject(claim)
    cut(subject, Steps({**ENDS, "cut": {"radius": "1", "end": "2", "height": "1/7"}}))
    assert subject.reader.text == f"Piecewise((({SHORT}), r < 1), (1/7*exp(-r), True))"


@pytest.mark.parametrize(
    ("text", "step", "why"),
    [
        (SHORT, {"radius": "0"}, "no radius before its end"),
        (SHORT, {"radius": "-1"}, "no radius before its end"),
        (SHORT, {"radius": "3"}, "no radius before its end"),
        (SHORT, {"height": "0"}, "no tail"),
        (SHORT, {"height": "-1"}, "no tail"),
        (SHORT, {"more": "1"}, "unknown field"),
        (SHORT, {"end": "3/2"}, "0 beyond the end"),
        ("exp(-r)", {}, "0 beyond the end"),
        ("Piecewise((1, r < 2), (0, r < 20), (exp(-r), True))", {}, "0 beyond the end"),
        ("Piecewise((1, r < 2), (0, r < 20), (1, r < 30), (0, True))", {}, "0 beyond the end|no branch"),
        ("Piecewise((1, r < 2), (0, r < 3), (4-r, r < 4), (0, True))", {}, "0 beyond the end"),
        ("Piecewise((1, r < 2), (0, r < 3), (r-4, r < 4), (0, True))", {}, "0 beyond the end"),
        ("Piecewise((1, r < 1), (-1, r < 2), (0, True))", {}, "not negative, beyond the cut"),
        ("Piecewise((1, r < 1), (r-3/2, r < 2), (0, True))", {}, "not negative, beyond the cut"),
        ("Piecewise((1, r < 1), (1/(2-r), r < 2), (0, True))", {}, "bounded, not negative|needs"),
        ("Piecewise((sqrt(3-r), r < 2), (0, True))", {}, "guards do not meet"),
        ("Piecewise((1, r < 2), (0, r > 2))", {}, ""),
    ],
)
def test_a_cut_that_leaves_something_out_is_refused(text: str, step: dict[str, Any], why: str) -> None:
    if not why:
        cut_of(text, **step)
        return
    with pytest.raises(Rejected, match=why):
        cut_of(text, **step)


@pytest.mark.parametrize("lost", [("1/1000", "1/1000"), ("0", "1/1000")])
def test_a_divergence_of_f_is_near_that_of_its_cut(lost: tuple[str, str]) -> None:
    """Within 2 (1 + e^eps) D/Z on both sides, and not below 0."""
    low, high = (Decimal(1) * Fraction(x).numerator / Fraction(x).denominator for x in lost)
    gone = Cut(Fraction(1), Fraction(2), Interval(low, high))
    off = 2 * (1 + math.e) / 1000 / 2
    least, most = between((Decimal("0.1"), Decimal("0.2")), gone, interval(2), interval(1))
    assert math.isclose(float(least), 0.1 - off, rel_tol=1e-12) and math.isclose(float(most), 0.2 + off, rel_tol=1e-12)
    assert between((Decimal("0.001"), Decimal("0.2")), gone, interval(2), interval(1))[0] == 0

"""What an operation needs, on one box (K6): met where its node has the sign asked for, and not where that may fail."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.reader import Need, Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.definedness import charts, met_on

for section in SECTIONS:
    load_section(section)

LOW, HIGH = Fraction(1), Fraction(2)


def met(text: str, kind: str, low: Fraction = LOW, high: Fraction = HIGH) -> bool:
    problem = Problem(Reader("exp(-r)", {}).tree(), 1, Fraction(1), (Fraction(1, 64), 6), (Fraction(64), 6))
    evaluation = list(charts(problem, [(low, high)], []))[1]
    return met_on(evaluation, Need(kind, Reader(text, {}).tree(), ()))


@pytest.mark.parametrize(
    ("text", "positive", "nonnegative", "nonzero", "no_pole"),
    [
        ("r-1/2", True, True, True, True),
        ("r-1", True, True, True, None),  # 0 at an end alone, and strictly monotone
        ("r-2", False, False, True, False),
        ("2-r", True, True, True, None),
        ("r-3/2", False, False, True, False),  # 0 at one radius
        ("3/2-r", False, False, True, False),
        ("r-3", False, False, True, False),
        ("exp(-r)-1", False, False, True, False),
        ("(r-3/2)*exp(r)", False, False, None, False),
        ("Max(r-3/2,0)", False, True, False, False),  # 0 on half of the box
        ("Abs(r-3/2)+r-3/2", False, None, False, False),
        ("floor(r)-1", False, None, False, False),  # 0 on all of it
        ("1-floor(r)", False, None, False, False),
        ("cos(r)", False, False, None, False),
        ("log(r)-1", False, False, True, False),
        ("log(1+r)", True, True, True, True),
    ],
)
def test_needs_are_met_by_signs_and_by_strictly_monotone_nodes(
    text: str, positive: bool, nonnegative: bool | None, nonzero: bool | None, no_pole: bool | None
) -> None:
    """None where it is true and may be shown or not. A gamma of a node has a value where that is positive."""
    for kind, wanted in (
        ("positive", positive),
        ("nonnegative", nonnegative),
        ("nonzero", nonzero),
        ("no pole", no_pole),
    ):
        if wanted is not None:
            assert met(text, kind) is wanted, kind


@pytest.mark.parametrize("text", ["r-1", "2-r", "r-3/2", "-r", "r-3", "floor(r)"])
def test_of_a_need_without_a_name_nothing_is_said(text: str) -> None:
    assert met(text, "another") is False


def test_the_charts_are_the_two_ends_and_the_boxes_between() -> None:
    """On the first 1/8 > r > 0, and on the last r > 64: r - 1/8 is negative there, and r - 65 may be."""
    problem = Problem(Reader("exp(-r)", {}).tree(), 1, Fraction(1), (Fraction(1, 8), 6), (Fraction(64), 6))
    near, box, far = charts(problem, [(Fraction(1, 8), Fraction(64))], [problem.infinity])

    def needs(evaluation: object, text: str) -> bool:
        return met_on(evaluation, Need("positive", Reader(text, {}).tree(), ()))  # type: ignore[arg-type]

    assert needs(near, "1/4-r") and needs(near, "1/5-r") and not needs(near, "1/9-r") and not needs(near, "r-1/100")
    assert needs(far, "r-63") and not needs(far, "r-65") and not needs(far, "100-r")
    assert needs(box, "r-1/9") and not needs(box, "r-1/7") and needs(box, "65-r") and not needs(box, "63-r")

"""Bounds around a maximum by curvature, and mean value forms from the best radius: against mpmath, and forged."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify import kernel
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.curvature import highest_by_curvature
from dpverify.kernel.sections.increments import highest
from tests.kernel.problems import on_charts, sealed

T = json.loads((Path(__file__).parents[2] / "certificates" / "student-t-nu3-d2.json").read_bytes())
mpmath.mp.dps = 50
DELTA = Fraction(1)
LOSSES: dict[str, Any] = {
    "(1+y/3)**(-5/2)": lambda r: mpmath.log((1 + (r + 1) ** 2 / 3) / (1 + r**2 / 3)) * mpmath.mpf(5) / 2,
    "exp(-log(2+y)**2)": lambda r: mpmath.log(2 + (r + 1) ** 2) ** 2 - mpmath.log(2 + r**2) ** 2,
    "(1+y)**(-1)*exp(-r)": lambda r: 1 + mpmath.log((1 + (r + 1) ** 2) / (1 + r**2)),
    "exp(-2*r-cos(r)/2)": lambda r: 2 + (mpmath.cos(r + 1) - mpmath.cos(r)) / 2,
    "(2-erf(r-2))*exp(-r)": lambda r: 1 + mpmath.log((2 - mpmath.erf(r - 2)) / (2 - mpmath.erf(r - 1))),
    "exp(-sqrt(1+y)-3*sqrt(1+(r-2)**2))": lambda r: (
        mpmath.sqrt(1 + (r + 1) ** 2) - mpmath.sqrt(1 + r**2)
        + 3 * (mpmath.sqrt(1 + (r - 1) ** 2) - mpmath.sqrt(1 + (r - 2) ** 2))),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", sorted(LOSSES))
def test_curvature_bounds_the_loss_on_the_whole_box(text: str) -> None:
    """At random boxes and radii; it says something on some, and close to a maximum it says nearly all."""
    chance, p, loss, said = random.Random(7), on_charts(text), LOSSES[text], 0
    for _ in range(150):
        a = Fraction(chance.randint(1, 500), 100)
        b = a + Fraction(chance.randint(1, 60), chance.choice((100, 400)))
        c = a + (b - a) * Fraction(chance.randint(1, 99), 100)
        try:
            bound = highest_by_curvature(p, a, b, c)
        except Rejected:
            continue
        said += 1
        radii = [mpmath.mpf(r.numerator) / r.denominator for r in (a + (b - a) * Fraction(k, 40) for k in range(41))]
        largest = max(map(loss, radii))
        assert mpmath.mpf(str(bound)) >= largest - mpmath.mpf(10) ** -45
    assert said > 5


def test_one_box_reaches_a_maximum_to_twelve_digits() -> None:
    p, c = on_charts("(1+y/3)**(-5/2)"), (1 + mpmath.sqrt(13)) / 2 - 1
    near = Fraction(round(c * 2**40), 2**40)
    bound = mpmath.mpf(str(highest_by_curvature(p, near - Fraction(1, 10), near + Fraction(1, 10), near)))
    assert 0 <= bound - LOSSES["(1+y/3)**(-5/2)"](c) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize(
    ("text", "box", "why"),
    [
        ("exp(-Max(r,2*r-1))", ("1/2", "3/2"), "kink"),
        ("exp(-Abs(r-2)-3*r)", ("3", "4"), "kink"),
        ("Piecewise((exp(-r),r<9),(exp(-r)/2,True))", ("1", "2"), "kink"),
        ("exp(-r-floor(r))", ("5/4", "3/2"), "kink"),
        ("exp(-3*r+sqrt((r-2)**2))", ("3/2", "5/2"), None),  # |r - 2|, in disguise: its slopes are unbounded
        ("exp(-3*r+sqrt((r-2)**2))", ("1/2", "3/2"), None),  # ahead as well
        ("exp(-r)", ("1", "2"), "concave"),
        ("exp(-r**3)", ("1/8", "1/4"), "concave"),
        ("exp(-3*r)*(2+sin(r))", ("5", "11"), "concave"),
    ],
)
def test_what_has_a_kink_or_is_not_concave_is_refused(text: str, box: tuple[str, str], why: str | None) -> None:
    a, b = map(Fraction, box)
    with pytest.raises(Rejected, match=why):
        highest_by_curvature(on_charts(text), a, b, (a + b) / 2)


@pytest.mark.parametrize("c", ["17/32", "249/256", "1/2", "1", "-13/10", "0"])
def test_the_radius_has_to_be_inside(c: str) -> None:
    with pytest.raises(Rejected, match="not in the box"):
        highest_by_curvature(on_charts("(1+y/3)**(-5/2)"), Fraction(17, 32), Fraction(249, 256), Fraction(c))


def changed(concave: Any, upper: str | None = None) -> bytes:
    whole = copy.deepcopy(T)
    whole["proof"]["supremum"]["concave"] = concave
    if upper is not None:
        whole["claim"]["epsilon"]["upper"] = upper
    return sealed(whole, whole["rules"])


@pytest.mark.slow
def test_only_a_list_that_matches_the_cover_is_taken() -> None:
    right = T["proof"]["supremum"]["concave"]
    assert kernel.check_bytes(changed(right))
    assert sum(c is not None for c in right) == 1
    cases: list[Any] = [None, {}, "1", [], right[:-1], [*right, None], [None] * len(right)]
    for wrong in cases:
        with pytest.raises(Rejected, match="does not match its cover"):
            kernel.check_bytes(changed(wrong))
    for c in (1, 1.5, True, "x", "2/4", ["1"], {}):
        with pytest.raises(Rejected):
            kernel.check_bytes(changed([c if old is not None else None for old in right]))


def test_a_bound_below_the_maximum_is_refused_at_any_radius_of_the_box() -> None:
    """The loss reaches 1.42404525009173...: an upper bound below that has no proof."""
    right = T["proof"]["supremum"]["concave"]
    for c in ("716208481035/549755813888", "5/4", "13/10", "4/3"):
        with pytest.raises(Rejected, match="not shown below"):
            kernel.check_bytes(
                changed([c if old is not None else None for old in right], "14240452500917/10000000000000")
            )


def test_curvature_is_no_rule_of_other_theorems_and_has_to_be_listed() -> None:
    whole = copy.deepcopy(T)
    del whole["rules"]["curvature"]
    with pytest.raises(Rejected) as refusal:
        kernel.check_bytes(sealed(whole, whole["rules"]))
    assert refusal.value.code == "rules"


def test_the_best_radius_is_inside_and_bounds_no_worse_than_the_middle() -> None:
    chance = random.Random(11)
    for _ in range(300):
        low = Fraction(chance.randint(-100, 100), chance.choice((1, 7, 1000)))
        high = low + Fraction(chance.randint(0, 200), chance.choice((1, 9, 1000)))
        share = highest(interval(low) if low == high else Interval(interval(low).lo, interval(high).hi))
        assert 0 < share < 1
        reach = max(high * (1 - share), -low * share)
        # The middle reaches max(high, -low)/2; moving there changes the value by up to a slope times the way.
        there = (share - Fraction(1, 2)) * (high if share > Fraction(1, 2) else low)
        assert reach + there <= max(high, -low) / 2 or low == high == 0
    assert highest(Interval(interval(0).lo, (interval(0)).hi)) == Fraction(1, 2)

"""Maxima and minima whose parts meet at an irrational radius (K560): which part leads on a box, beside the crossing by
hand; panels beside a kink; and profiles of both, beside quadratures."""

from __future__ import annotations

import math
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest

from dpverify import check, profile
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.rules import Rejected
from dpverify.kernel.sections.branches import has_jumps, largest, leads_at_ends, values_lead
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.jets import Series, panel
from dpverify.kernel.sections.panels import passed, value_at
from dpverify.serialise import digest
from tests.kernel.problems import tree

Q = Fraction
KINKED = "exp(-Min(3/4+r/5, r*log1p(r)+r/2))"


def leading(text: str, a: Fraction, b: Fraction) -> list[int]:
    """Which parts of the maximum may be the largest on (a, b)."""
    node = tree(text)
    at = Evaluation(radii(a, b), (a, b))
    return sorted(largest(at, node.args, [at.value(part) for part in node.args], values_lead)[0])


@pytest.mark.parametrize(
    ("text", "a", "b", "count"),
    [
        ("Max(sqrt(3+y),2*r)", Q(1, 2), 1 - Q(1, 10**9), 1),  # they meet at 1
        ("Max(sqrt(3+y),2*r)", 1 + Q(1, 10**9), Q(2), 1),
        ("Max(sqrt(3+y),2*r)", Q(1, 2), 1 + Q(1, 10**9), 2),
        ("Max(log(1+r),r)", Q(0), Q(1), 1),  # they meet at 0, with one slope
        ("Max(log(1+log(1+r)),log(1+r)/2,-r)", Q(0), Q(1, 4), 1),
        ("Max(exp(r)-1,2*r)", Q(0), Q(5, 4), 2),  # e^r - 1 - 2r falls and then rises
    ],
)
def test_a_part_leads_where_it_does_at_both_ends(text: str, a: Fraction, b: Fraction, count: int) -> None:
    found = leading(text, a, b)
    values = [Evaluation(interval((a + b) / 2)).value(part).lo for part in tree(text).args]
    assert len(found) == count
    assert values.index(max(values)) in found


@pytest.mark.parametrize("jumping", [0, 1])
def test_what_has_jumps_has_no_values_at_ends(jumping: int) -> None:
    """floor(2r) + floor(-2r) + 1/2 is 1/2 at 1/2 and at 1, and -1/2 between."""
    assert has_jumps(tree("sqrt(floor(r)+r)"))
    assert not has_jumps(tree("Max(sqrt(r),r)"))
    a, b = Q(1, 2), Q(1)
    at = Evaluation(radii(a, b), (a, b))
    parts = [tree("floor(2*r)+floor(-2*r)+1/2"), tree("0*r")]
    j, i = parts if jumping == 0 else [tree("0*r"), tree("-(floor(2*r)+floor(-2*r)+1/2)")]
    there = Evaluation(interval(a))
    assert (there.value(j) - there.value(i)).lo > 0
    assert not leads_at_ends(at, j, i, at.value(tree("r")), 0, Evaluation.value)


def test_slopes_that_are_not_finite_tell_nothing() -> None:
    """The slopes of sqrt(r) have no bound at 0, where nothing is asked of it."""
    j, i = tree("sqrt(r)"), tree("r/2")
    for a, told in ((Q(0), False), (Q(1, 4), True)):
        at = Evaluation(radii(a, Q(1)), (a, Q(1)))
        assert leads_at_ends(at, j, i, at.value(j) - at.value(i), 0, Evaluation.value) is told


def test_a_gap_that_does_not_rise_may_be_level() -> None:
    """log(1 + r) - r has the slope 0 at 0; what rises from 0 is not negative."""
    a, b = Q(0), Q(1)
    at = Evaluation(radii(a, b), (a, b))
    assert leads_at_ends(at, tree("r"), tree("log(1+r)"), at.value(tree("r-log(1+r)")), 0, Evaluation.value)
    assert not leads_at_ends(at, tree("log(1+r)"), tree("r"), at.value(tree("log(1+r)-r")), 0, Evaluation.value)
    falling = at.value(tree("1+log(1+r)-r-1"))
    assert falling.du.hi == 0
    assert leads_at_ends(at, tree("2+log(1+r)"), tree("r"), falling, 0, Evaluation.value)


def test_a_gap_that_is_not_monotone_tells_nothing_from_the_ends() -> None:
    """r^2 - r is 0 at 0 and at 1, and negative between."""
    a, b = Q(0), Q(1)
    at = Evaluation(radii(a, b), (a, b))
    j, i = tree("exp(2*log(1+r))"), tree("1+3*r")
    assert not leads_at_ends(at, j, i, at.value(j) - at.value(i), 0, Evaluation.value)


def test_a_gap_that_may_be_negative_at_an_end_tells_nothing() -> None:
    """3r - 1 rises from 0 at 1/3, to no more digits than e^r has there; by a little less it begins below 0."""
    a, b = Q(1, 3), Q(1)
    at = Evaluation(radii(a, b), (a, b))
    j, rising = tree("exp(r)+3*r-1"), at.value(tree("3*r"))
    for less, told in ((Q(1, 10**90), False), (Q(-1, 10**9), True)):
        i = tree(f"exp(r)+({less})")
        assert leads_at_ends(at, j, i, rising, 0, Evaluation.value) is told


def test_what_is_enclosed_by_nothing_finite_at_an_end_tells_nothing() -> None:
    at = Evaluation(radii(Q(1), Q(2)), (Q(1), Q(2)))
    j, i = tree("exp(r)"), tree("r")
    for most, told in ((INF, False), (interval(3).hi, True)):
        values = {j: Interval(interval(2).lo, most), i: interval(1)}
        assert leads_at_ends(at, j, i, at.value(j), 0, lambda _, part, of=values: of[part]) is told


def test_the_ends_are_those_ahead_for_what_is_ahead() -> None:
    """2r leads sqrt(3 + r^2) beyond 1: on (1/4, 1/2) it does where r + 1 is."""
    a, b = Q(1, 4), Q(1, 2)
    r = radii(a, b)
    at = Evaluation(with_shift(r, r.const(1)), (a, b), Q(1))
    j, i = tree("2*r"), tree("sqrt(3+y)")
    gap = at.value(j).sides()[1] - at.value(i).sides()[1]
    assert leads_at_ends(at, j, i, gap, 1, Evaluation.value)
    assert not leads_at_ends(at, j, i, gap, 0, Evaluation.value)


@pytest.mark.parametrize(
    ("text", "a", "b", "slope"),
    [
        ("Min(1,exp(1-r))", Q(1, 2), Q(1), 0),
        ("Min(1,exp(1-r))", Q(1), Q(2), -1),
        ("Min(exp(-r),2*exp(-2*r))", Q(1, 2), Q(693, 1000), -1),  # they meet at log 2 = .69314...
        ("Max(exp(-r),2*exp(-2*r))", Q(1, 2), Q(693, 1000), -2),
        ("Max(exp(-r),2*exp(-2*r))", Q(694, 1000), Q(1), -1),
    ],
)
def test_a_part_leads_by_its_logarithm(text: str, a: Fraction, b: Fraction, slope: int) -> None:
    """The series along the panel is that of the part that leads, whose logarithm is linear."""
    sign, series = Evaluation(panel(4, [(a + b) / 2, (b - a) / 2]).whole, (a, b)).log(tree(text))
    assert sign == 1 and type(series) is Series
    assert float(series.c[1].lo) == pytest.approx(slope * float(b - a) / 2, abs=1e-12)
    assert float(series.c[1].hi) == pytest.approx(slope * float(b - a) / 2, abs=1e-12)


@pytest.mark.parametrize(("text", "front"), [("Min(2,1/r)", 1), ("Max(-2,-1/r)", -1), ("Min(2,1/r,9)", 1)])
def test_parts_that_meet_at_an_end_to_all_digits(text: str, front: int) -> None:
    """2 and 1/r are one at 1/2, which log 2 and -log r tell to no more digits than they have."""
    for a, b, exact in ((Q(1, 4), Q(1, 2), [2, 2, 2]), (Q(1, 2), Q(1), [2, Q(4, 3), 1])):
        sign, series = Evaluation(panel(4, [(a + b) / 2, (b - a) / 2]).whole, (a, b)).log(tree(text))
        assert sign == front and type(series) is Series
        logs = [math.log(x) for x in exact]
        assert (float(series.c[0].lo), float(series.c[0].hi)) == pytest.approx((min(logs), max(logs)))
        assert (float(series.c[1].lo), float(series.c[1].hi)) == pytest.approx(
            (0, 0) if b == Q(1, 2) else (-float((b - a) / 2 / a), -float((b - a) / 2 / b)), abs=1e-12
        )


def test_exact_values_are_asked_for_at_both_ends_and_ahead() -> None:
    """r rises from 1 to 2 and leads 3/2 at its end alone, 1 throughout; both ahead of it by 1."""
    at = Evaluation(radii(Q(1), Q(2)), (Q(1), Q(2)), Q(1))
    j, gap = tree("r"), at.value(tree("r"))
    log = lambda there, part: there.log(part)[1]  # noqa: E731
    for i, side, told in (("1", 0, True), ("3/2", 0, False), ("2", 0, False), ("3/2", 1, True), ("2", 1, True)):
        assert leads_at_ends(at, j, tree(i), gap, side, log) is told


def test_where_the_parts_meet_within_neither_leads_by_its_logarithm() -> None:
    at = Evaluation(panel(4, [Q(1), Q(1, 2)]).whole, (Q(1, 2), Q(3, 2)))
    with pytest.raises(Rejected, match="no series"):
        at.log(tree("Min(1,exp(1-r))*exp(-r)"))


def test_of_parts_that_are_both_0_at_an_end_the_values_do_not_tell_which_leads() -> None:
    """r/(3r/2 - r^2) rises from 2/3 to 2, so that neither leads throughout; but at 0 both are 0, and at 1 r is more."""
    j, i = tree("r"), tree("r*(3/2-r)")
    at = Evaluation(radii(Q(0), Q(1)), (Q(0), Q(1)))
    rising = at.value(tree("-log(3/2-r)"))  # the gap of the logarithms
    assert leads_at_ends(at, j, i, rising, 0, Evaluation.value)  # which is why these are not asked about it
    with pytest.raises(Rejected):
        leads_at_ends(at, j, i, rising, 0, lambda there, part: there.log(part)[1])


def test_the_radii_that_a_boundary_runs_through() -> None:
    boundary = [Q(3), Q(-1, 2), Q(1, 8)]
    assert [value_at(boundary, x) for x in (-1, 1)] == [Q(29, 8), Q(21, 8)]
    assert passed(boundary, panel(4, [Q(-1, 2), Q(1, 4)]).span()) == (Q(21, 8), Q(29, 8))
    assert passed([Q(3), Q(0), Q(1, 8)], panel(4, [Q(0), Q(1, 4)]).span()) is None
    assert passed([Q(3), Q(1, 2)], interval(Q(1, 2))) == (Q(5, 2), Q(7, 2))
    assert passed([Q(3)], Interval(interval(0).lo, interval(1).hi)) is None


def by_quadrature(epsilon: mpmath.mpf) -> mpmath.mpf:
    """delta(eps) of KINKED on the line at the shift 1: the integral of (p(x) - e^eps p(x - 1))_+."""
    with mpmath.workdps(20):

        def g(r: Any) -> Any:
            r = abs(r)
            return min(mpmath.mpf(3) / 4 + r / 5, r * mpmath.log1p(r) + r / 2)

        kink = mpmath.findroot(lambda r: r * mpmath.log1p(r) + r / 2 - mpmath.mpf(3) / 4 - r / 5, 0.7)

        def gain(x: Any) -> Any:
            return mpmath.exp(-g(x)) - mpmath.exp(epsilon - g(x - 1))

        grid = [mpmath.mpf(k) / 16 for k in range(-8 * 16, 4 * 16)]
        zeros = [mpmath.findroot(gain, (a, b), solver="anderson") for a, b in pairwise(grid) if gain(a) * gain(b) < 0]
        marks = sorted({*range(-240, 6, 15), -kink, kink, 1 - kink, 1 + kink, mpmath.mpf(0), mpmath.mpf(1), *zeros})
        over = mpmath.quad(lambda x: max(gain(x), 0), marks)
        whole = 2 * mpmath.quad(lambda x: mpmath.exp(-g(x)), [0, kink, *range(1, 240, 20), mpmath.inf])
        return over / whole


@pytest.fixture(scope="module")
def kinked() -> dict[str, Any]:
    certificate = profile(KINKED, epsilon="1/10", certificate=True).certificate
    assert certificate is not None
    return certificate


def test_a_profile_with_a_kink_at_an_irrational_radius(kinked: dict[str, Any]) -> None:
    point = kinked["claim"]["points"][0]["delta"]
    low, high = Q(point["lower"]), Q(point["upper"])
    assert high - low < low / 10**9
    truth = by_quadrature(mpmath.mpf(1) / 10)
    assert float(low) * (1 - 1e-12) < truth < float(high) * (1 + 1e-12)
    assert check(kinked)


@pytest.mark.parametrize(
    ("text", "f", "kink", "first", "last"),
    [
        ("Min(1,1/y)", lambda r: min(1, 1 / max(r, 1) ** 2), 1, 1 / (1 - mpmath.e**0.25), 1 - mpmath.e**0.25),
        ("Min(1,exp(1-r))", lambda r: min(1, mpmath.exp(1 - r)), 1, -mpmath.inf, -0.5),
        (
            "Min(exp(-r),2*exp(-2*r))",
            lambda r: min(mpmath.exp(-r), 2 * mpmath.exp(-2 * r)),
            mpmath.log(2),
            -mpmath.inf,
            0.5 - mpmath.log(2) / 3,
        ),
        (
            "Min(2,1/r)*exp(-r)",
            lambda r: min(2, 1 / max(r, mpmath.mpf(1) / 9)) * mpmath.exp(-r),
            0.5,
            -mpmath.inf,
            mpmath.findroot(lambda x: mpmath.log(2 * (1 - x)) + 0.5 - 2 * x, 0.3),
        ),
    ],
)
def test_a_profile_of_a_minimum(text: str, f: Any, kink: Any, first: Any, last: Any) -> None:
    """Each is certified to a billionth, at meeting points that are whole and that are not; S is one stretch."""
    found = profile(text, epsilon="1/2", certificate=True)
    inner = sorted(x for x in (-kink, 0, 1 - kink) if first < x < last)
    over = mpmath.quad(lambda x: f(abs(x)) - mpmath.exp(0.5) * f(abs(x - 1)), [first, *inner, last])
    truth = over / (2 * mpmath.quad(f, [0, kink, mpmath.inf]))
    assert found.certificate is not None
    point = found.certificate["claim"]["points"][0]["delta"]
    low, high = Q(point["lower"]), Q(point["upper"])
    assert high - low < low / 10**9
    assert float(low) * (1 - 1e-12) < truth < float(high) * (1 + 1e-12)


def test_a_flat_centre_with_exponential_tails_has_a_delta_of_an_eighth() -> None:
    found = profile("Min(1,exp(1-r))", epsilon="1/2", certificate=True)
    assert found.certificate is not None
    point = found.certificate["claim"]["points"][0]["delta"]
    assert Q(point["lower"]) < Q(1, 8) < Q(point["upper"])


def sealed(certificate: dict[str, Any]) -> dict[str, Any]:
    certificate["digest"] = digest(certificate)
    return certificate


def test_without_the_rule_it_is_refused(kinked: dict[str, Any]) -> None:
    forged = deepcopy(kinked)
    forged["rules"]["branches"].remove("K560")
    assert not check(sealed(forged))


@pytest.mark.parametrize("side", ["left_sets", "right_sets"])
def test_what_is_left_open_is_lost(kinked: dict[str, Any], side: str) -> None:
    """With every stretch of a side left open, the claim is narrower than what is shown."""
    forged = deepcopy(kinked)
    how = forged["proof"]["profile"]["points"][0]
    assert set(how[side]) <= set("efu") and set(how["left_sets"]) & {"f"}
    how[side] = "u" * len(how[side])
    assert not check(sealed(forged))

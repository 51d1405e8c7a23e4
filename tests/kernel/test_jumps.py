"""Losses across jumps, long shifts, and pi/2 - atan: beside mpmath, and what their rules must refuse."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.apart import Apart
from dpverify.kernel.sections.branches import power_of_radius, steps_between
from dpverify.kernel.sections.exponentials import softplus, sum_of_exponentials
from dpverify.kernel.sections.floors import floor
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.inverse import COMPLEMENT
from dpverify.kernel.sections.jumps import across_a_jump, by_mean_heights
from dpverify.kernel.sections.models import CONSTANT, Germ, Model, power_of_t
from dpverify.kernel.sections.theorem_a import by_heights, in_all_of_the_tail
from dpverify.kernel.steps import Steps
from dpverify.serialise import digest
from tests.kernel.problems import cell, in_phases, on_charts, tree
from tests.kernel.test_models import inside, value_at

GALLERY = Path(__file__).parents[2] / "certificates"
Q = Fraction


def frac(t: Fraction) -> Fraction:
    return t - t // 1


def height(t: Fraction) -> Any:
    """g of exp(-r)*(1+frac(r))."""
    return mpmath.mpf(t.numerator) / t.denominator - mpmath.log1p(mpmath.mpf(frac(t).numerator) / frac(t).denominator)


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("seed", range(12))
def test_the_loss_across_a_jump_is_within(seed: int) -> None:
    """Cells, shifts and places at random; the phase has the frequency 1, so that frac jumps at 0, 1 and 2."""
    rnd = random.Random(seed)
    proof = in_phases("exp(-r)*(1+frac(r))", turns=True)
    low = Q(rnd.randint(10, 20), 40)
    width, short = Q(1, rnd.randint(8, 60)), Q(1, rnd.randint(8, 60))
    shift = 1 - low - width * Q(rnd.randint(1, 9), 10)
    for k in (shift, shift + short):
        found = across_a_jump(proof, cell(proof, low, low + width), shift, shift + short, k, [Q(1), Q(2), Q(3)])
        with mpmath.workdps(30):
            for _ in range(30):
                r = 40 + low + width * Q(rnd.randint(1, 999), 1000)
                h = shift + short * Q(rnd.randint(0, 1000), 1000)
                assert inside(found, height(r + h) - height(r))


@pytest.mark.parametrize("cuts", [[], ["1/2"], ["19/20"], ["1"], ["19/20", "1", "21/20"]])
def test_cuts_that_are_missing_or_wrong_do_no_harm(cuts: list[str]) -> None:
    """The jump then lies ahead on some part, whose loss is enclosed with it."""
    proof = in_phases("exp(-r)*(1+frac(r))", turns=True)
    found = across_a_jump(proof, cell(proof, Q(1, 10), Q(1, 5)), Q(4, 5), Q(9, 10), Q(4, 5), [Q(c) for c in cuts])
    with mpmath.workdps(30):
        for i in range(1, 20):
            for j in range(21):
                r, h = 40 + Q(1, 10) + Q(i, 200), Q(4, 5) + Q(j, 200)
                assert inside(found, height(r + h) - height(r))


def test_a_jump_between_a_radius_and_the_place_compared_with_it_is_refused() -> None:
    """From the longest shift the places compared lie before the cell, across the jump at which it begins."""
    proof = in_phases("exp(-r)*(1+frac(r))", turns=True)
    where = cell(proof, Q(0), Q(1, 10)), Q(9, 10), Q(1)
    assert across_a_jump(proof, *where, Q(9, 10), [Q(1)]).finite()
    with pytest.raises(Rejected, match="may jump between the shifts"):
        across_a_jump(proof, *where, Q(1), [Q(1)])


@pytest.mark.parametrize(("low", "high", "first", "last"), [(0, "3/5", "1/2", "9/10"), (0, "1/5", "1/5", "9/10")])
def test_wide_cells_and_long_intervals_of_shifts_are_refused(low: int, high: str, first: str, last: str) -> None:
    """The places compared would lie before the model's radius."""
    proof = in_phases("exp(-r)*(1+frac(r))", turns=True)
    with pytest.raises(Rejected, match="too wide for shifts across a jump"):
        across_a_jump(proof, cell(proof, Q(low), Q(high)), Q(first), Q(last), Q(first), [Q(1)])


def test_heights_by_their_slopes_are_within_and_narrow() -> None:
    problem = on_charts("exp(-r)*(1+frac(r))")
    a, b, low, high = Q(1, 100), Q(1, 90), Q(98, 100), Q(1)
    found = by_mean_heights(problem, a, b, low, high, [Q(1)])
    with mpmath.workdps(30):
        for i in range(21):
            for j in range(21):
                r, h = a + (b - a) * Q(2 * i + 1, 42), low + (high - low) * Q(j, 20)
                assert inside(found, height(r + h) - height(r))
    assert (found.hi - 1) * 10 < by_heights(problem, a, b, low, high, [Q(1)]).hi - 1


def forged(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate["proof"])
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def without_cuts(proof: dict[str, Any]) -> None:
    del proof["supremum"]["phase_cuts"]


def falling_cuts(proof: dict[str, Any]) -> None:
    proof["supremum"]["phase_cuts"] = proof["supremum"]["phase_cuts"][::-1]


def idle_cuts(proof: dict[str, Any]) -> None:
    words = proof["supremum"]["phase_rules"]
    proof["supremum"]["phase_rules"] = [word.replace("l", "h").replace("u", "h") for word in words]


def nearer(proof: dict[str, Any]) -> None:
    proof["apart"] = "1/100000"


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("steps-that-decay", without_cuts, "phase_cuts are given without need, or missing"),
        ("steps-that-decay", falling_cuts, "phase_cuts is not increasing"),
        ("steps-that-decay", idle_cuts, "phase_cuts are given without need, or missing"),
        ("long-shift", nearer, "not proved positive"),  # where increments are nearly all that there is
    ],
)
def test_forged_steps_are_refused(name: str, change: Callable[[dict[str, Any]], None], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        check_bytes(forged(name, change))


def test_losses_taken_apart_are_within() -> None:
    problem = Apart(on_charts("exp(-r)*(pi/2-atan(3*r))", delta=Q(500)), Steps({"apart": "1000"}))
    a, b = Q(1, 3), Q(1, 2)

    def g(r: Any) -> Any:
        return r - mpmath.log(mpmath.atan(1 / (3 * r)))

    for above in (False, True):
        found = problem.loss(a, b, Q(500), above)
        with mpmath.workdps(60):
            for i in range(1, 40):
                r = mpmath.mpf(1) / 3 + (mpmath.mpf(1) / 6) * i / 40
                assert inside(found, g(r + 500) - g(r))
        assert float(found.hi - found.lo) < 1


def test_a_step_that_no_loss_needs_is_refused() -> None:
    problem = Apart(on_charts("exp(-r)"), Steps({"apart": "1/2"}))
    assert problem.loss(Q(1), Q(2), Q(1)).hi == 1
    with pytest.raises(Rejected, match="no loss is taken apart"):
        problem.ended()
    with pytest.raises(Rejected, match="do not go together"):
        Apart(problem, Steps({"apart": "1/2"}))


SUMS = {
    "pi/2-atan(r)": lambda r: mpmath.acot(r),
    "3*pi-6*atan(r/7)": lambda r: 6 * mpmath.acot(r / 7),
    "1-2*atan(y)/pi": lambda r: 2 * mpmath.acot(r * r) / mpmath.pi,
    "atan(r)/2+pi/4": lambda r: mpmath.atan(r) / 2 + mpmath.pi / 4,
    "2+pi/2-atan(1+r)": lambda r: 2 + mpmath.acot(1 + r),
    "atan(1/r)": lambda r: mpmath.atan(1 / r),
    "3-atan(5/(pi*(1+y)))**2": lambda r: 3 - mpmath.atan(5 / (mpmath.pi * (1 + r * r))) ** 2,
}


@pytest.mark.parametrize("text", sorted(SUMS))
def test_an_atan_with_its_limit_is_one_function(text: str) -> None:
    found = on_charts(text)
    assert "acot" in shape(tree(text))
    with mpmath.workdps(60):
        for r in (Q(1, 7), Q(3), Q(40)):
            value = found.at_box(interval(r)).value(found.tree)
            assert inside(value, SUMS[text](mpmath.mpf(r.numerator) / r.denominator))


@pytest.mark.parametrize(
    "text",
    ["pi/3-atan(r)", "pi/2-2*atan(r)", "1-atan(r)/pi", "pi/2-atan(r)**2", "pi**2/2-atan(r)"]
    + ["atan(-1/r)", "atan(1/(r-1))", "atan(exp(-r)/r)"],
)
def test_other_sums_with_atan_stay_as_they_are(text: str) -> None:
    assert "acot" not in shape(tree(text))


def shape(node: Any) -> set[str]:
    return {node.kind}.union(*(shape(a) for a in node.args if hasattr(a, "kind")))


def test_far_out_it_keeps_its_digits_and_has_the_right_branch() -> None:
    germ = Germ(Q(64), 6)
    t = Model(germ, {power_of_t(1): Q(1)})
    assert COMPLEMENT.of(t).leading()[0] == power_of_t(-1)
    below = COMPLEMENT.of(-t)
    assert below.leading()[0] == CONSTANT and inside(below.leading()[1], mpmath.pi)
    step = COMPLEMENT.of(Shift(t, t.const(Q(1)))).du
    with mpmath.workdps(40):
        assert inside(value_at(step, Q(100)), mpmath.acot(101) - mpmath.acot(100))


def test_the_floor_of_what_stays_below_a_whole_number() -> None:
    germ = Germ(Q(64), 6)
    small = Model(germ, {power_of_t(-1): Q(1)})
    for model, whole in ((-small, -1), (small, 0), (-small + 3, 2), (small + 3, 3), (-(small * small), -1)):
        assert float(floor(model).span().lo) == float(floor(model).span().hi) == whole
    unknown = Model(germ, {power_of_t(-1): Interval(Decimal(-1), Decimal(1))})
    assert float(floor(unknown).span().lo) == -1 and float(floor(unknown).span().hi) == 0


@pytest.mark.parametrize("seed", range(30))
def test_the_floor_of_a_root_is_exact(seed: int) -> None:
    """Beside whole numbers alone: n is below a r^(k/q) exactly if n^q < a^q r^k."""
    rnd = random.Random(seed)
    a, p = Q(rnd.randint(1, 9), rnd.randint(1, 5)), Q(rnd.randint(1, 5), rnd.choice((2, 3, 5, 7)))
    if p.denominator == 1:
        p = Q(1, 2)
    low = Q(rnd.randint(0, 400), rnd.randint(1, 40))
    high = low + Q(rnd.randint(1, 100), rnd.randint(1, 300))
    found = steps_between(a, p, low, high)
    n = 0
    while (n + 1) ** p.denominator <= a**p.denominator * low**p.numerator:
        n += 1
    one = (n + 1) ** p.denominator >= a**p.denominator * high**p.numerator
    assert found == (n if one else None)


def test_a_box_that_ends_at_a_step_is_before_it() -> None:
    assert steps_between(Q(1), Q(1, 2), Q(1), Q(4)) == 1
    assert steps_between(Q(1), Q(1, 2), Q(1), Q(4) + Q(1, 10**40)) is None
    assert steps_between(Q(1), Q(1, 2), Q(1) - Q(1, 10**40), Q(4)) is None
    assert steps_between(Q(2, 3), Q(1, 3), Q(0), Q(27, 8)) == 0


@pytest.mark.parametrize(
    "text", ["r", "r**2", "-sqrt(r)", "1+sqrt(r)", "sqrt(1+r)", "r**(-1/2)", "r**(1/9)", "pi*sqrt(r)"]
)
def test_other_floors_are_not_taken_for_roots(text: str) -> None:
    assert power_of_radius(tree(text)) is None


def test_shifts_on_all_of_the_tail_are_within_and_reach_over_all() -> None:
    problem = on_charts("exp(-r/4)*(1+floor(sqrt(r)))", radius=64)
    found = in_all_of_the_tail(problem, Q(1, 2), Q(3, 4))

    def g(r: float) -> float:
        return r / 4 - math.log(1 + math.floor(math.sqrt(r)))

    for r in (64.001, 80.4, 80.9, 99.6, 143.3, 10000.5):
        for h in (0.5, 0.6, 0.75):
            assert float(found.lo) <= g(r + h) - g(r) <= float(found.hi)
    for shifts in (["0", "1/2"], ["1/10", "1"], ["-1", "1"], ["0", "1/2", "1/4", "1"]):
        with pytest.raises(Rejected, match="tail_shifts"):
            check_bytes(
                forged("steps-that-rise-more-slowly", lambda proof, s=shifts: proof["supremum"].update(tail_shifts=s))
            )


def test_more_than_there_is_is_not_subtracted() -> None:
    """log(e^u - e^v) for v > u, by increments far out, where no value is asked for."""
    germ = Germ(Q(64), 6)
    t = Model(germ, {power_of_t(1): Q(1)})
    r = Shift(t, t.const(Q(1)))
    gap = r.inverse()
    with pytest.raises(Rejected, match="not proved smaller"):
        softplus(gap, -1)
    assert softplus(-gap, -1).du.leading()[1].hi < 0 or softplus(-gap, -1).du.leading()[1].lo > -2
    with pytest.raises(Rejected, match="not proved smaller"):
        sum_of_exponentials([(1, -gap), (-1, gap - gap)])

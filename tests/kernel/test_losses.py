"""Measures of the loss on a grid, each beside the function that it is to bound, computed apart."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ONE, ZERO, Interval, hull, interval
from dpverify.kernel.sections import losses
from dpverify.kernel.sections.losses import Bounds, Grid, Losses

Q = Fraction
DIGITS = 12
SLACK = mpmath.mpf(10) ** -40
H = Callable[[mpmath.mpf], mpmath.mpf]


def number(x: Fraction | Decimal) -> mpmath.mpf:
    if isinstance(x, Decimal):
        return mpmath.mpf(str(x))
    return mpmath.mpf(x.numerator) / x.denominator


def close(x: mpmath.mpf) -> Interval:
    """An enclosure of width 1e-36 about a number that is not negative."""
    middle = Fraction(int(mpmath.nint(x * 10**40)), 10**40)
    around = Interval(Decimal("-5e-37"), Decimal("5e-37"))
    found = interval(middle) + around
    return Interval(max(Decimal(0), found.lo), found.hi)


def of_measure(w: Losses, grid: Grid) -> H:
    def h(a: mpmath.mpf) -> mpmath.mpf:
        total = mpmath.mpf(w.infinite)
        for k, mass in enumerate(w.masses, w.first):
            total += mass * max(mpmath.mpf(0), 1 - a * mpmath.exp(-number(grid.step * k)))
        return total / grid.scale

    return h


def pair(rnd: random.Random, step: Fraction) -> tuple[H, Fraction]:
    """h of a symmetric pair with a few losses and an atom at infinity."""
    atom = Fraction(rnd.choice((0, 0, 1)), rnd.randint(2, 9))
    found = [number(step * Q(rnd.randint(1, 40), 16)) for _ in range(rnd.randint(1, 3))]
    sizes = [rnd.randint(1, 9) for _ in found]
    return pair_of(found, [(1 - atom) * Q(size, sum(sizes)) for size in sizes], atom), atom


def pair_of(found: Sequence[mpmath.mpf], shares: Sequence[Fraction], atom: Fraction = Fraction(0)) -> H:
    parts = []
    for loss, share in zip(found, shares, strict=True):  # p(l) e^-l = q(l) = p(-l)
        top = number(share) / (1 + mpmath.exp(-loss))
        parts += [(loss, top), (-loss, top * mpmath.exp(-loss))]

    def h(a: mpmath.mpf) -> mpmath.mpf:
        return number(atom) + sum(p * max(mpmath.mpf(0), 1 - a * mpmath.exp(-loss)) for loss, p in parts)

    return h


def between(grid: Grid, n: int) -> list[mpmath.mpf]:
    """Places all over the grid, and beyond it on both sides."""
    levels = [mpmath.mpf(k) / 16 for k in range(-16 * (n + 2), 16 * (n + 2) + 1)]
    return [mpmath.mpf(0), *(mpmath.exp(x * number(grid.step)) for x in levels)]


def masses_of(h: H, grid: Grid, n: int, rnd: random.Random) -> list[int]:
    """The whole units of a measure near h: its second differences at e^(k step), |k| <= n, some of them less, one of
    them more."""
    places = [mpmath.exp(k * number(grid.step)) for k in range(-n - 1, n + 2)]
    values = [h(a) for a in places]
    slopes = [(v - u) / (b - a) for a, b, u, v in zip(places, places[1:], values, values[1:], strict=False)]
    found = []
    for a, before, after in zip(places[1:], slopes, slopes[1:], strict=False):
        share = rnd.choice((1, 1, Q(99, 100), Q(9, 10), Q(1, 2), 0))
        found.append(int(a * (after - before) * grid.scale * number(Q(share))))
    if rnd.random() < 0.7:
        k = rnd.randrange(len(found))
        found[k] += int(grid.scale * Q(1, rnd.choice((3, 10, 100, 10_000))))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_no_measure_is_dominated_that_is_not(seed: int) -> None:
    """Where h_w exceeds h anywhere, between the points of the grid too, the measure is refused."""
    rnd = random.Random(seed)
    accepted = refused = 0
    with mpmath.workdps(50):
        for _ in range(40):
            n = rnd.randint(1, 3)
            grid = Grid(Q(rnd.randint(1, 8), 4), DIGITS, 10)
            h, atom = pair(rnd, grid.step)
            places = [mpmath.exp(k * number(grid.step)) for k in range(-n, n + 1)]
            known = [(close(h(a)), close(h(a))) for a in places]
            claimed = atom * rnd.choice((1, 1, 0))
            masses = masses_of(h, grid, n, rnd)
            try:
                w = losses.dominated(grid, known, masses, claimed)
            except Rejected:
                refused += 1
                continue
            accepted += 1
            below = of_measure(w, grid)
            assert all(below(a) <= h(a) + SLACK for a in between(grid, n))
    assert accepted and refused


EXCEEDING: list[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = [
    ("1/4", ("3",), ("1",), ("0", "0", "1")),
    ("1/2", ("2/5",), ("1",), ("0", "0", "0", "0.181", "0")),
    ("1/2", ("1/10", "3/5", "11/10"), ("3/10", "3/10", "2/5"), ("0", "0", "0.046", "0.765", "0", "0.158", "0")),
    ("1/2", ("2/5", "9/10", "7/5"), ("3/10", "3/10", "2/5"), ("0", "0", "0", "0.039", "0.196", "0.524", "0")),
    ("1/2", ("27/20",), ("1",), ("0.218551", "0.040482", "0", "0", "0.740721")),
    ("1", ("29/10",), ("1",), ("0.000001", "0.031535", "0.044279", "0", "0.22911", "0.671391", "0")),
    ("1", ("9/4",), ("1",), ("0.002417", "0.002871", "0.009069", "0.563673", "0.401699", "0.000005", "0")),
    (
        "1",
        ("6/5", "4/5", "57/20"),
        ("2/11", "4/11", "5/11"),
        ("0.020941", "0", "0", "0.33", "0", "0.207059", "0.132995"),
    ),
]
"""Pairs, by their losses and shares, and measures that exceed them between the points of a grid of this step."""


@pytest.mark.parametrize(
    ("step", "losses_of", "shares", "masses"),
    EXCEEDING,
    ids=[
        *("before the grid", "beside the next line", "between two kinks", "beside the line before"),
        *("before the first loss", "above 1 - a", "beside the line after next", "above the last point"),
    ],
)
def test_a_measure_that_exceeds_between_the_points_is_refused(
    step: str, losses_of: tuple[str, ...], shares: tuple[str, ...], masses: tuple[str, ...]
) -> None:
    """At every point of the grid it lies below, and it is refused by one condition alone."""
    grid, n = Grid(Q(step), DIGITS, 10), len(masses) // 2
    units = [int(Q(x) * grid.scale) for x in masses]
    with mpmath.workdps(50):
        h = pair_of([number(Q(x)) for x in losses_of], [Q(x) for x in shares])
        places = [mpmath.exp(k * number(grid.step)) for k in range(-n, n + 1)]
        proposed = of_measure(Losses(-n, units, 0), grid)
        assert all(proposed(a) <= h(a) for a in places)
        assert any(
            proposed(a) > h(a)
            for a in between(grid, n) + [mpmath.exp(z * number(Q(x))) for x in losses_of for z in (1, -1)]
        )
        with pytest.raises(Rejected):
            losses.dominated(grid, [(close(h(a)), close(h(a))) for a in places], units)


def test_what_may_be_larger_at_the_last_point_is_not_taken_for_it() -> None:
    """h(e) is 0, of which is known that it is at most 1/20."""
    grid, units = Grid(Q(1, 2), 6, 10), [0, 7, 105440, 214937, 254077]
    with mpmath.workdps(50):
        h = pair_of([number(Q(9, 10))], [Q(1)])
        known = [(close(h(a)), close(h(a))) for a in (mpmath.exp(mpmath.mpf(k) / 2) for k in range(-2, 3))]
        known[-1] = (known[-1][0], interval(Q(1, 20)))
        proposed = of_measure(Losses(-2, units, 0), grid)
        assert any(proposed(a) > h(a) for a in between(grid, 2))
        with pytest.raises(Rejected):
            losses.dominated(grid, known, units)


@pytest.mark.parametrize(
    ("loss", "units", "fewer"),
    [("9/20", [0, 6, 74, 17, 0], [0, 0, 74, 17, 0]), ("21/50", [0, 10, 61, 24, 0], [0, 0, 61, 24, 0])],
    ids=["on the line before", "on the line after"],
)
def test_what_exceeds_is_refused_however_little_is_known_of_the_grid(
    loss: str, units: list[int], fewer: list[int]
) -> None:
    """e^(3/10) = 1.3499 is known to be at most 1.65 alone: in the middle of the first two points the least of what the
    measure may be lies below both lines, and what it is lies above the kink at e^-loss."""
    grid = Grid(Q(3, 10), 2, 10)
    grid.up[:] = [grid.at(0), hull(grid.at(1), interval(Q(33, 20))), grid.at(2)]
    with mpmath.workdps(50):
        h = pair_of([number(Q(loss))], [Q(1)])
        places = [mpmath.exp(mpmath.mpf(3 * k) / 10) for k in range(-2, 3)]
        known = [(close(h(a)), close(h(a))) for a in places]
        assert accepted(grid, known, fewer)
        proposed = of_measure(Losses(-2, units, 0), grid)
        assert all(proposed(a) <= h(a) for a in places)
        assert proposed(mpmath.exp(-number(Q(loss)))) > h(mpmath.exp(-number(Q(loss)))) + SLACK
        with pytest.raises(Rejected):
            losses.dominated(grid, known, units)


def accepted(grid: Grid, known: list[tuple[Interval, Interval]], units: list[int]) -> bool:
    try:
        losses.dominated(grid, known, units)
    except Rejected:
        return False
    return True


def test_what_is_dominated_is_so_for_every_h_between_its_bounds() -> None:
    """Where h may be smaller from a point on, or larger at it, as much mass as before is too much."""
    grid, n = Grid(Q(1, 2), DIGITS, 10), 3
    with mpmath.workdps(50):
        h = pair_of([number(Q(x)) for x in ("2/5", "9/10", "3")], [Q(3, 10), Q(3, 10), Q(2, 5)])
        places = [mpmath.exp(k * number(grid.step)) for k in range(-n, n + 1)]
        known = [(close(h(a)), close(h(a))) for a in places]
        tight = []
        for k in range(2, 6):
            least, most = 0, grid.scale
            while most - least > 1:
                middle = (least + most) // 2
                units = [middle * (j in (k, 3)) for j in range(2 * n + 1)]
                least, most = (middle, most) if accepted(grid, known, units) else (least, middle)
            tight.append([least * (j in (k, 3)) for j in range(2 * n + 1)])
        tight = [units for units in tight if sum(units)]
        assert len(tight) > 1 and all(accepted(grid, known, units) for units in tight)
        lowered = raised = 0
        for j, (low_end, high_end) in enumerate(known):
            lower = [*known[:j], *((Interval(Decimal(0), low.hi), high) for low, high in known[j:])]
            higher = [*known[:j], (low_end, Interval(high_end.lo, Decimal(1))), *known[j + 1 :]]
            for units in tight:
                value = of_measure(Losses(-n, units, 0), grid)(places[j])
                if value > 0:
                    assert not accepted(grid, lower, units)
                    lowered += 1
                raised += not accepted(grid, higher, units)
        assert lowered and raised


def test_a_chord_from_wide_places_lies_above() -> None:
    """Where it is not sure on which side of a place one is, the last bound that surely holds is taken."""
    wide = [Interval(Decimal(low), Decimal(high)) for low, high in ((1, 2), (3, 4))]
    bounds = Bounds([(ZERO, ONE), (wide[0], interval(Q(1, 2))), (wide[1], interval(Q(1, 4)))], {})

    def chord(low: str, high: str) -> Decimal:
        return bounds.chord(Q(1), Interval(Decimal(low), Decimal(high)))

    assert chord("1.5", "1.5") == chord("1.5", "2.5") == 1
    assert chord("2.5", "3.5") == chord("3.5", "3.5") == chord("3.5", "5") == Decimal("0.5")
    assert chord("4", "4") == chord("9", "9") == Decimal("0.25")
    rough = Bounds([(ZERO, ONE), (wide[0], Interval(Decimal("0.25"), Decimal("0.5")))], {})
    assert rough.chord(Q(1), interval(3)) == Decimal("0.5")
    assert Decimal("0.375") <= chord("2.5", "2.5") < 1 and Decimal("0.75") <= chord("0.5", "0.5") <= 1


def flat(levels: Sequence[str]) -> list[tuple[Interval, Interval]]:
    return [(interval(Q(x)), interval(Q(x))) for x in levels]


def test_a_measure_that_is_no_measure_is_refused() -> None:
    grid = Grid(Q(1), DIGITS, 10)
    level = flat(["7/10", "1/10", "1/20"])
    assert losses.dominated(grid, level, [0, 0, 0]).masses == [0, 0, 0]
    for known, masses in (
        (level, [0, 0, -1]),
        (level, [0, 0]),
        (level, [0, 0, 0, 0]),
        (level[:2], [0, 0]),
        (level[:1], [0]),
        ([], []),
    ):
        with pytest.raises(Rejected):
            losses.dominated(grid, known, masses)


@pytest.mark.parametrize("seed", range(6))
def test_a_chord_lies_above_a_convex_function(seed: int) -> None:
    rnd = random.Random(seed)
    with mpmath.workdps(50):
        h, _ = pair(rnd, Q(1))
        levels = sorted({Q(2 * rnd.randint(-40, 40) + 1, 33) for _ in range(6)})
        points = [(ZERO, ONE), *((interval(e).exp(), close(h(mpmath.exp(number(e))))) for e in levels)]
        bounds = Bounds(points, {levels[0]: close(h(mpmath.exp(number(levels[0]))))})
        for epsilon in [levels[0], *(Q(rnd.randint(-60, 60), 16) for _ in range(40))]:
            a = mpmath.exp(number(epsilon))
            chord = number(bounds.chord(epsilon, interval(epsilon).exp()))
            assert chord >= h(a)
            knots = [mpmath.mpf(0), *(mpmath.exp(number(e)) for e in levels)]
            i = max(j for j, x in enumerate(knots) if x <= a)
            if epsilon in levels:
                exact = h(a)
            elif i + 1 < len(knots):
                part = (a - knots[i]) / (knots[i + 1] - knots[i])
                exact = h(knots[i]) * (1 - part) + h(knots[i + 1]) * part
            else:
                exact = h(knots[i])
            assert abs(chord - exact) < 1e-30


def test_bounds_that_do_not_rise_are_refused() -> None:
    one, two = (interval(Q(1)), ONE), (interval(Q(2)), interval(Q(1, 2)))
    Bounds([(ZERO, ONE), one, two], {})
    wide = (Interval(Decimal("0.5"), Decimal(3)), ONE)
    for points in ([(ZERO, ONE), two, one], [one, two], [(ZERO, ONE), wide, two], [(ZERO, ONE), one, wide]):
        with pytest.raises(Rejected):
            Bounds(points, {})


def test_a_level_that_is_known_is_taken_from_above() -> None:
    wide = Interval(Decimal("0.25"), Decimal("0.5"))
    assert Bounds([(ZERO, ONE)], {Q(1): wide}).chord(Q(1), interval(Q(1)).exp()) == Decimal("0.5")


@pytest.mark.parametrize("seed", range(6))
def test_a_measure_above_dominates(seed: int) -> None:
    """From bounds at some places a measure whose function is no smaller anywhere."""
    rnd = random.Random(seed)
    with mpmath.workdps(50):
        grid = Grid(Q(rnd.randint(1, 8), 8), DIGITS, 10)
        h, _ = pair(rnd, Q(1))
        levels = sorted({Q(2 * rnd.randint(-40, 40) + 1, 33) for _ in range(8)})
        points = [(ZERO, ONE), *((interval(e).exp(), close(h(mpmath.exp(number(e))))) for e in levels)]
        w = losses.dominating(grid, Bounds(points, {}), 4)
        above = of_measure(w, grid)
        assert (w.first, len(w.masses)) == (-4, 9) and min(w.masses) >= 0
        assert all(above(a) >= h(a) - SLACK for a in between(grid, 4))
        assert above(mpmath.mpf(0)) <= 1 + mpmath.mpf(10) ** -DIGITS * 20


def exactly(grid: Grid, v: Losses, w: Losses) -> H:
    """h of the product of two measures."""
    one = of_measure(v, grid)

    def h(a: mpmath.mpf) -> mpmath.mpf:
        total = number(Q(w.infinite, grid.scale)) * number(Q(sum(v.masses) + v.infinite, grid.scale))
        for j, mass in enumerate(w.masses, w.first):
            total += number(Q(mass, grid.scale)) * one(a * mpmath.exp(-number(grid.step * j)))
        return total

    return h


@pytest.mark.parametrize("seed", range(8))
def test_products_bound_the_product_from_both_sides(seed: int) -> None:
    """Whatever of it lies beyond the grid, on one side or all of it."""
    rnd = random.Random(seed)
    with mpmath.workdps(50):
        for most in (1, 2, 5, 20):
            grid = Grid(Q(1, 2), 3, most)
            v, w = (Losses(rnd.randint(-9, 6), [rnd.randint(0, 300) for _ in range(rnd.randint(1, 4))],
                           rnd.randint(0, 90)) for _ in range(2))  # fmt: skip
            v.masses[0] = w.masses[-1] = 7  # type: ignore[index]
            exact = exactly(grid, v, w)
            found = [losses.product(grid, v, w, above) for above in (True, False)]
            assert all(-most <= x.first and x.first + len(x.masses) - 1 <= most for x in found if any(x.masses))
            above, below = (of_measure(x, grid) for x in found)
            for a in between(grid, 22)[::7]:
                assert below(a) <= exact(a) + SLACK and exact(a) <= above(a) + SLACK
            if most == 20:
                assert above(mpmath.mpf(1)) - below(mpmath.mpf(1)) < 0.02


def test_powers_and_digits_of_a_grid() -> None:
    grid = Grid(Q(1, 3), 5, 10)
    with mpmath.workdps(70):
        for k in (0, 1, -1, 2, 63, 64, 65, 200, -63, -64, -65, -200):
            found, exact = grid.at(k), mpmath.exp(mpmath.mpf(k) / 3)
            assert number(found.lo) <= exact <= number(found.hi)
            assert found.hi - found.lo <= found.hi * Decimal("1e-56")
    wide = Interval(Decimal("0.123451"), Decimal("0.123478"))
    assert (grid.units(wide, False), grid.units(wide, True)) == (12345, 12348)
    low = Interval(Decimal("-0.5"), Decimal("-0.25"))
    assert (grid.units(low, False), grid.units(low, True)) == (0, 0)


@pytest.mark.parametrize("epsilon", [Q(-3), Q(-1, 2), Q(0), Q(1, 3), Q(1, 2), Q(3, 4), Q(2), Q(5)])
def test_a_divergence_is_that_of_the_measure(epsilon: Fraction) -> None:
    with mpmath.workdps(60):
        for first in (-3, 0, 2):
            grid, w = Grid(Q(1, 2), 3, 10), Losses(first, [100, 0, 300, 20], 50)
            found = losses.divergence(grid, w, epsilon)
            exact = of_measure(w, grid)(mpmath.exp(number(epsilon)))
            assert number(found.lo) <= exact <= number(found.hi) and found.hi - found.lo < Decimal("1e-50")


class Rough(Grid):
    """A grid whose places are known to a part in a thousand, and one of all that this permits."""

    def __init__(self, step: Fraction, chosen: random.Random | None = None) -> None:
        super().__init__(step, DIGITS, 10)
        self.chosen, self.ends = chosen, dict[int, Interval]()

    def at(self, k: int) -> Interval:
        return self.ends.setdefault(
            k, one_of(super().at(k) * Interval(Decimal("0.999"), Decimal("1.001")), self.chosen)
        )


def one_of(wide: Interval, chosen: random.Random | None) -> Interval:
    end = wide.lo if chosen is None or chosen.random() < 0.5 else wide.hi
    return wide if chosen is None else Interval(end, end)


@pytest.mark.parametrize("case", [*range(6), *EXCEEDING])
def test_what_is_dominated_is_so_for_all_that_is_possible(case: Any) -> None:
    """As much as is accepted of a measure, where h and the places are known roughly, is so for each of them."""
    with mpmath.workdps(50):
        if isinstance(case, int):
            rnd = random.Random(case)
            step, n = Q(1, rnd.choice((1, 2))), rnd.randint(1, 2)
            h, _ = pair(rnd, step)
            shares = [rnd.randint(0, 9) for _ in range(2 * n + 1)]
            shares[rnd.randrange(len(shares))] += 9
        else:
            step, shares = Q(case[0]), [int(Q(x) * 10**6) for x in case[3]]
            n, h = len(shares) // 2, pair_of([number(Q(x)) for x in case[1]], [Q(x) for x in case[2]])
        values = [close(h(mpmath.exp(k * number(step)))) for k in range(-n, n + 1)]
    room = Decimal("0.001")
    known = [(Interval(max(Decimal(0), x.lo - room), x.hi), Interval(x.lo, x.hi + room)) for x in values]
    least, most = 0, 10**DIGITS // sum(shares)
    while most - least > 1 + 10**6 // sum(shares):
        middle = (least + most) // 2
        held = accepted(Rough(step), known, [middle * x for x in shares])
        least, most = (middle, most) if held else (least, middle)
    units = [least * x for x in shares]
    for k in range(60):
        chosen = random.Random(k)
        grid = Rough(step, chosen)
        assert accepted(grid, [(one_of(x, chosen), one_of(y, chosen)) for x, y in known], units)

"""Boxes of radii, or cells of phases, with intervals of shifts on each on which the loss stays below a goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.findings import Part, Reason
from dpverify.prover.cover import NARROWEST, Box, boxes_of, halves
from dpverify.prover.tail import NARROWEST_CELL
from dpverify.prover.windows import Windows

Losses = Callable[[Box, Fraction, Fraction], tuple[arb, bool]]

MOST_CELLS, MOST_TRIES, FEW_TRIES = 20_000, 200, 10
RADII = Fraction(1)
THIN, HIDDEN = Fraction(1, 2**18), arb(2) ** (-26)


def frozen(shifts: list[list[Box]]) -> tuple[tuple[Box, ...], ...]:
    """The intervals of shifts of each box."""
    return tuple(tuple(s) for s in shifts)


def cells_of(
    losses: Losses,
    delta: Fraction,
    points: Sequence[Fraction],
    goal: arb,
    tick: Callable[[], None],
    windows: Windows | None = None,
    most: int = MOST_CELLS,
    frequency: Fraction = RADII,
    single: bool = False,
) -> tuple[list[Box], list[list[Box]]]:
    """Boxes of radii (or of phases, `frequency` times as wide), and shifts on each, with the loss below the goal.

    With `single`, a box is not halved where the bound at one place in it is above the goal: no halving mends that.
    """
    boxes: list[Box] = []
    shifts: list[list[Box]] = []
    stack = boxes_of(points)[::-1]
    narrowest = Fraction(0) if points[0] else NARROWEST_CELL  # phases begin at 0, beside which none is narrow
    count, worst = 0, delta
    while stack:
        box = stack.pop()
        tick()
        found: list[Box] | None = None
        count += 1
        if _settled_on(losses, box, worst, worst, goal)[0]:  # the shift that the last box failed at
            found, tried, worst = shifts_on(losses, box, delta, frequency, goal, windows)
            count += tried
        elif windows is not None and windows.settle(box):
            found = [(Fraction(0), delta)]
        if found is not None:
            boxes.append(box)
            shifts.append(found)
            continue
        if box[1] - box[0] < max(NARROWEST * box[1], narrowest) or count > most:
            raise Undecided(Reason.NOT_BOUNDED_AROUND(what=Part.LOSS, at=box[0]))
        left, right = halves(box)
        if single and not _settled_on(losses, (right[0], right[0] + narrowest), worst, worst, goal)[0]:
            raise Undecided(Reason.NOT_BOUNDED_AROUND(what=Part.LOSS, at=box[0]))
        stack.extend((right, left))
    return boxes, shifts


class Hidden(Exception):
    """A bound of the loss exceeds the goal by no more than what a ball's radius of thirty bits may add at a jump."""


def seen_by_balls(losses: Losses, jumps: bool, delta: Fraction, goal: arb) -> Losses:
    """The losses; where f jumps and radii or shifts are so few that a ball's radius alone can be in the way, say so."""

    def seen(box: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        bound, monotone = losses(box, low, high)
        thin = 0 < high - low < THIN * delta or box[1] - box[0] < THIN * box[1]
        if jumps and thin and bound > goal and bound <= goal + abs(goal) * HIDDEN:
            raise Hidden
        return bound, monotone

    return seen


def _settled_on(losses: Losses, box: Box, low: Fraction, high: Fraction, goal: arb) -> tuple[bool, bool]:
    """Whether the loss stays below the goal for shifts from low to high, and whether it is monotone there."""
    try:
        bound, monotone = losses(box, low, high)
    except Undecided:
        return False, False
    return bool(bound <= goal), monotone


def shifts_on(
    losses: Losses, box: Box, delta: Fraction, frequency: Fraction, goal: arb, windows: Windows | None = None
) -> tuple[list[Box] | None, int, Fraction]:
    """Intervals of shifts on each of which the loss stays below the goal, or None to ask for a smaller box.

    Each is as wide as windows of heights settle it, or tried about twice as wide as the last one, or half as
    wide where that failed.  And how many were tried, and where the last one began.
    """
    done: list[Box] = []
    low, width, growth = Fraction(0), delta, Fraction(2)
    tried, most, asked = 0, MOST_TRIES, Fraction(-1)
    while low < delta:
        high = min(delta, low + width)
        tried += 1
        settled, monotone = _settled_on(losses, box, low, high, goal)
        if settled:
            done.append((low, high))
            low, width, growth = high, width * growth, Fraction(2)
            continue
        if windows is not None and asked < low:
            if not done:
                whole = windows.settle(box)
                most = FEW_TRIES if whole is None else MOST_TRIES
                if whole:
                    return [(low, delta)], tried, delta
            reach, asked = windows.reach(box, low), low
            if reach - low > box[1] - box[0]:
                done.append((low, reach))
                low = reach
                continue
        if monotone or high - low < (box[1] - box[0]) / frequency / 2 or tried > most:
            return None, tried, high
        reached = box[0] / frequency + low
        width, growth = min(reached or delta, (high - low) / 2), Fraction(1)
    return done, tried, delta

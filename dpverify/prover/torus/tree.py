"""The torus halved, axis by axis, until something is settled on each of its cells; written as a tree of letters."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpverify.enclosures import Undecided
from dpverify.enclosures.torus import Cut, Torus
from dpverify.findings import Reason

AXES = "abcdefghijklmnopqrstuvwxyz"
FEW_CELLS, NARROWEST = 3_000, Fraction(1, 2**60)
HOPELESS = Fraction(1, 2**20)


def widest(torus: Torus) -> Callable[[list[Cut]], int]:
    """The axis along which a box of phases is the widest."""
    return lambda box: max(range(len(box)), key=lambda k: box[k][1] - box[k][0])


class Stuck(Undecided):
    """A tree that does not close, with the narrowest box that was halved in vain."""

    def __init__(self, box: list[Cut]) -> None:
        super().__init__(Reason.NOT_POSITIVE_FOR_ALL_PHASES())
        self.box = box

    def hopeless(self) -> bool:
        """Whether the box is so narrow that f vanishes there, most likely, and at each radius."""
        return max(b - a for a, b in self.box) < HOPELESS


def is_settled(settled: Callable[[list[Cut]], bool], box: list[Cut]) -> bool:
    """Whether rigorous arithmetic settles the box as it is."""
    try:
        return settled(box)
    except Undecided:
        return False


def tree(
    box: list[Cut],
    widest: Callable[[list[Cut]], int],
    settled: Callable[[list[Cut]], bool],
    most: int,
) -> str:
    """A tree of halves on each of whose leaves something is settled; raises Undecided."""
    text, stack, count = [], [box], 0
    least, stuck = None, box
    while stack:
        box = stack.pop()
        count += 1
        if is_settled(settled, box):
            text.append(".")
            continue
        axis = widest(box)
        width = box[axis][1] - box[axis][0]
        if least is None or width < least:
            least, stuck = width, box
        if count > most or width < NARROWEST:
            raise Stuck(stuck)
        text.append(AXES[axis])
        stack += halves(box, axis)
    return "".join(text)


def halves(box: list[Cut], axis: int) -> list[list[Cut]]:
    """The box cut in the middle of an axis, the upper half first: a stack takes the lower one before it."""
    a, b = box[axis]
    middle = (a + b) / 2
    return [[*box[:axis], half, *box[axis + 1 :]] for half in ((middle, b), (a, middle))]

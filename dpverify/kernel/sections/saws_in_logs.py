"""Logarithms of saws far out, for all shifts of an interval at once."""

from __future__ import annotations

from ..intervals import Interval, hull
from ..rules import rule
from ..tree import Node
from .at_once import AtOnce
from .evaluation import LOGS, Evaluation
from .increments import Shift
from .optional import may_use
from .saws import may_leave, saw_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K352")
def log_of_saw(at: Evaluation, node: Node, heights: Interval) -> tuple[int, Any]:
    """The increment of the logarithm of a saw, from its least and its greatest height.

    Lemma.  Let a sum be a number and multiples of floors, what these are of cancelling (K287), so
    that it is b - sum c_i theta_i, 0 <= theta_i < 1; and let it lie between m > 0 and M so.  Then
    its logarithm lies between log m and log M at r and at r + h, and its increment between
    log m - log M and log M - log m.
    """
    rise = heights.log()
    most = rise - rise
    return 1, Shift(lambda: at.value(node).u.log(), at.r.u.const(hull(most, -most)))


def log_of_sum(at: Evaluation, node: Node) -> tuple[int, Any]:
    far = isinstance(at.r, Shift) and not isinstance(at.r, AtOnce) and may_use("K352")
    if far and may_leave(at, None):
        saw = saw_of(node)
        heights = saw.heights() + saw.level
        if saw.teeth and not saw.slope and not saw.others and heights.lo > 0:
            return log_of_saw(at, node, heights)
    return WITHOUT(at, node)


WITHOUT = LOGS["add"]
LOGS["add"] = log_of_sum

"""Sums of which terms have ended: they are 0 here, ahead of the shift, or at both places."""

from __future__ import annotations

from functools import lru_cache

from ..intervals import Interval
from ..rules import brought, require, rule
from ..tree import Node, walk
from .evaluation import SUMS, Evaluation, log_of_value
from .increments import Shift
from .models import Model
from .optional import may_use
from .shapes import factors_of
from .slopes import Slope, sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CASES = {"max", "piece"}
PLAIN = (Interval, Model, Slope, Shift)


@lru_cache
def may_end(term: Node) -> tuple[Node, ...]:
    """What cases may make 0 of the factors of a term, or of that of which one is a power."""
    bases = [factor.args[0] if factor.kind == "pow" and factor.args[1] > 0 else factor
             for factor in factors_of(term)]
    return tuple(base for base in bases
                 if not base.positive and any(part.kind in CASES for part in walk(base)))


def log_of_sum(at: Evaluation, node: Node) -> tuple[int, Any] | None:
    """The logarithm of a sum where terms have ended; else None."""
    looked_at = type(at.r) in PLAIN and not hasattr(at, "cell")
    if not looked_at or not any(map(may_end, node.args)) or not may_use("K518"):
        return None
    places = both_sides(at) if isinstance(at.r, Shift) else [at]
    ended = [[over(place, term) for term in node.args] for place in places]
    settled = all(x is False for x in (*ended[0], *ended[-1]))
    return None if settled else of_what_is_left(at, node, places, ended)


def over(at: Evaluation, term: Node) -> bool | None:
    """Whether a term is 0; None where that, or whether it is not, is not known."""
    signs = [at.value(base).sign() for base in may_end(term)]
    return True if 0 in signs else None if None in signs else False


def both_sides(at: Evaluation) -> list[Evaluation]:
    """Evaluations where r is, and where r + h is."""
    shifts = (0, at.shift)
    ends = [None if at.ends is None else (at.ends[0] + h, at.ends[1] + h) for h in shifts]
    return [at.elsewhere(r, box) for r, box in zip(sides(at.r), ends, strict=True)]


@rule("K518")
def of_what_is_left(at: Evaluation, node: Node, places: list[Evaluation],
                    ended: list[list[bool | None]]) -> tuple[int, Any]:
    """The logarithm of a sum of which terms are 0 here, or ahead.

    Lemma.  A product with a factor, or a power p > 0 of one, that is 0 at every radius of a chart
    is 0 there, and adds nothing to a sum.  Where the same terms are 0 at r and at r + h, the
    logarithm of the sum and its increment are those of the sum of the others, or of its value
    where of some of them it is not known whether they are 0; where not the same are, the increment
    is the logarithm at r + h less that at r, each of the terms that are left there.
    """
    gone = [[x is True for x in side] for side in ended]
    if gone[0] != gone[-1]:
        (sign, here), (other, ahead) = (place.log(node) for place in places)
        require(sign == other, "a sum has another sign ahead")
        return sign, Shift(here, ahead - here)
    if any(None in side for side in ended):
        return log_of_value(at, node)
    left = [term for term, nothing in zip(node.args, gone[0], strict=True) if not nothing]
    require(bool(left), "nothing of a sum is left")
    of_exponentials = brought("a sum of exponentials")
    return of_exponentials([at.log(term) for term in left])  # type: ignore[no-any-return]


SUMS.append(log_of_sum)

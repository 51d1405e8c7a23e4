"""Whether f exists: every operation of the text, as typed, has a value at almost every radius.

The reader's needs come in the order in which a reader meets them, inner before outer.  By
induction over that order: if all earlier needs are met, the node of the next one is what was
typed (K4) almost everywhere, and to bound the node is to bound what was typed.  Needs that the
form meets (K5) are not in the list; the others are met one by one by the rules here.
"""

from __future__ import annotations

from ..reader import Need
from ..rules import BROUGHT, require, rule
from .charts import radii
from .evaluation import Evaluation
from .hypotheses import Proof
from .models import LINEAR, Germ, Model, power_of_t
from .needs import PROVING
from .signs import SIGNS, sign
from .slopes import Slope, innermost, with_slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .charts import Box
    from .charts import Problem


def met_on_charts(proof: Proof, needs: list[Need]) -> None:
    for evaluation in charts(proof.problem, proof.boxes(), proof.tail.cells):
        for need in needs:
            met = met_on(evaluation, need)
            require(met, "an operation of the text is not shown to have a value", "K6")


def charts(p: Problem, boxes: list[Box], cells: list[Germ]) -> Iterable[Evaluation]:
    """An evaluation on each chart: the end at zero, the boxes, the cells of the tail."""
    r = Model(p.zero, {power_of_t(-1): 1})
    yield p.at_zero(with_slope(r))
    for a, b in boxes:
        yield p.at_box(radii(a, b), (a, b))
    for germ in cells:
        r = Model(germ, {LINEAR: 1})
        yield p.at_infinity(with_slope(r))


@rule("K6")
def met_on(at: Evaluation, need: Need) -> bool:
    """A need that the enclosures on one chart meet at almost every radius of it.

    Lemma.  It is met where its guard does not hold, and where the node has the sign asked for.  A
    node that is not negative on the chart and strictly monotone is positive but for one radius; a
    positive one is no pole of gamma; one that is strictly monotone is not 0 but for one radius
    (K7), in each interval of a cell.
    """
    if any(condition.truth(at) is (not holds) for condition, holds in need.guard):
        return True
    if need.kind == "branch":
        return any(condition.truth(at) for condition in need.node)
    if need.kind not in SIGNS:
        return need.kind == "no pole" and sign(at, need.node) == 1
    element = at.value(need.node)
    known, least = sign(at, need.node), innermost(element).span().lo
    monotone = isinstance(element, Slope) and element.monotone()
    return {
        "nonzero": known in (1, -1) or monotone,
        "positive": known == 1 or (monotone and least >= 0),
        "nonnegative": known in (1, 0) or least >= 0,
    }[need.kind]


BROUGHT["a need met on one chart"] = met_on
PROVING["charts"] = met_on_charts

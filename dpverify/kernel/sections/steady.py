"""What has no wave in it is the same on every cell of phases: it is evaluated once for all of them.

It is evaluated on the whole end, and what holds there at every radius holds at those of a cell.
"""

from __future__ import annotations

from ..intervals import Interval
from ..tree import Node, walk
from .evaluation import Evaluation
from .increments import Shift
from .models import Model
from .phases import Phase, on_phase
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Problem
    from .models import Germ

WAVES, LEAVES = {"cos", "sin", "floor"}, {"num", "pi", "r"}


class OnPhases:
    """Evaluations far out, in the place of a problem's: on cells of phases they take from one on
    all of the end what has no wave in it, unless that is a number or r itself."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.chart = problem, problem.at_infinity
        self.end = on_phase(problem.infinity, None)
        self.steady = frozenset(
            node for node in walk(problem.tree)
            if node.kind not in LEAVES and all(part.kind not in WAVES for part in walk(node)))

    def __call__(self, r: Any) -> Evaluation:
        at, germ = self.chart(r), germ_of(r)
        if self.steady and germ is not None and isinstance(germ.phase, Phase):
            whole = self.problem.lately(("whole", written(r)), lambda: self.chart(on(self.end, r)))
            at.steady, at.whole = self.steady, Whole(whole, germ)
        return at


class Whole:
    """What an evaluation on all of the end says, on a cell of phases."""

    def __init__(self, at: Evaluation, germ: Germ) -> None:
        self.at, self.germ = at, germ

    def value(self, node: Node) -> Any:
        return on(self.germ, self.at.value(node))

    def log(self, node: Node) -> tuple[int, Any]:
        sign, log = self.at.log(node)
        return sign, on(self.germ, log)


def germ_of(element: Any) -> Germ | None:
    """The end on which models, and pairs of them, hold; None for what is made otherwise."""
    while type(element) in (Slope, Shift):
        element = element.u
    return element.germ if isinstance(element, Model) else None


def on(germ: Germ, element: Any) -> Any:
    """The same function on another cell of phases of the same end."""
    if isinstance(element, Model):
        return element.on(germ)
    if type(element) is Shift:
        return Shift(lambda: on(germ, element.u), on(germ, element.du))
    return Slope(on(germ, element.u), on(germ, element.du))


def written(element: Any) -> Any:
    """An element as what can be looked up."""
    if not isinstance(element, Model):
        return type(element), written(element.u), written(element.du)
    terms = element.terms.items()
    return tuple((m, (c.lo, c.hi) if isinstance(c, Interval) else c) for m, c in terms)

"""The second way of a node, where its first fails on a chart, or misses an exact cancellation."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..steps import Steps
from ..tree import Node
from .charts import EXTENSIONS, Problem, Subject
from .evaluation import Evaluation, log_of_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

TWO_WAYS = {"mul": "logs", "log": "value", "add": "value"}
"""The kinds that have a second way, and its name."""
FURTHER_WAYS: dict[str, Callable[[EitherWay, Node], Any]] = {}
"""Ways of other kinds to the logarithm of a node, which sections bring."""
TAKEN_APART: list[Callable[[Evaluation, Node], bool]] = []
"""Of which sums an increment is taken from the two sides, each of which then goes its way."""
CHARTS = {
    "zero": "at_zero", "centre": "at_centre", "boxes": "at_box", "infinity": "at_infinity"}
"""The charts, and the panels of a profile that begin at 0: evaluated as boxes are, unless named."""


class Ways:
    """Evaluations on one kind of chart, where the nodes of these numbers are taken in their second
    way; `taken` are those that were."""

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self.numbers, self.taken = frozenset(numbers), set[int]()

    def __call__(self, r: Any, ends: tuple[Fraction, Fraction] | None = None,
                 shift: Fraction = Fraction(0)) -> Evaluation:
        return EitherWay(self, r, ends, shift)

    def ended(self) -> None:
        require(self.numbers == self.taken, "ways names a node that is not evaluated", "steps")


class EitherWay(Evaluation):
    def __init__(self, ways: Ways, r: Any, ends: tuple[Fraction, Fraction] | None,
                 shift: Fraction) -> None:
        super().__init__(r, ends, shift)
        self.ways = ways

    def elsewhere(self, r: Any, ends: tuple[Fraction, Fraction] | None = None) -> Evaluation:
        return self.ways(r, ends)

    def value(self, node: Node) -> Any:
        if node in self.steady:
            return super().value(node)
        if self.further(node) and node not in self.values:
            self.values[node] = self.log(node)[1].exp()
        two = node.kind == "log" or (node.kind == "mul" and node.exponential and self.on_model)
        if two and node.number in self.ways.numbers and node not in self.values:
            self.values[node] = second_way(self, node)
        return super().value(node)

    def further(self, node: Node) -> bool:
        """Whether a node is taken in a way that another section brings."""
        return node.kind in FURTHER_WAYS and node.number in self.ways.numbers

    def log(self, node: Node) -> tuple[int, Any]:
        if node in self.steady:
            return super().log(node)
        if self.further(node) and node not in self.logs:
            self.ways.taken.add(node.number)
            self.logs[node] = 1, FURTHER_WAYS[node.kind](self, node)
        two = node.kind == "add" and node.exponential
        two = two and not any(apart(self, node) for apart in TAKEN_APART)
        if two and node.number in self.ways.numbers and node not in self.logs:
            self.logs[node] = second_way(self, node)
        return super().log(node)


@rule("K106")
def second_way(at: EitherWay, node: Node) -> Any:
    """The value of a product or of a logarithm, or the logarithm of a sum, in the second way.

    Lemma.  The value of a product is, with its sign, e^L, L the sum of the logarithms of its
    factors; that of log u is the logarithm of the value of u, where exact terms may have cancelled;
    and the logarithm of a sum is that of its value.
    """
    at.ways.taken.add(node.number)
    if node.kind == "mul":
        sign, log = at.log(node)
        return log.exp() * sign
    return at.value(node.args[0]).log() if node.kind == "log" else log_of_value(at, node)


def with_ways(problem: Problem, steps: Steps, subject: Subject) -> Problem:
    """For each kind of chart the nodes that are taken in their second way, which is named."""
    given = steps.take("ways")
    known = isinstance(given, dict) and set(given) <= set(CHARTS)
    require(known and bool(given), "ways does not name charts", "format")
    nodes = {str(node.number): node for node in subject.nodes()}
    for place, chosen in given.items():
        require(isinstance(chosen, dict) and bool(chosen), "ways is not an object", "format")
        right = all(n in nodes and (nodes[n].kind, w) in TWO_WAYS.items()
                    for n, w in chosen.items())
        require(right, "ways names a node that has no such way", "steps")
        ways = Ways(map(int, chosen))
        setattr(problem, CHARTS[place], ways)
        steps.at_end.append(ways.ended)
    return problem


EXTENSIONS["ways"] = with_ways

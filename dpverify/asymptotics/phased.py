"""Evaluation on cells of phases: what has no wave in it is the same on every cell, and is found once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.terms import Coefficient
from dpverify.enclosures.evaluation import Evaluation
from dpverify.enclosures.nodes import Node, walk
from dpverify.enclosures.pairs import Shift, Slope

WAVES, LEAVES = {"sin", "cos", "floor"}, {"num", "pi", "r"}
MOST_KEPT = 64


def steady(node: Node) -> frozenset[Node]:
    """The nodes of a tree that have no wave in them, nor are so short that to keep them would gain nothing."""
    return frozenset(
        part for part in walk(node) if part.kind not in LEAVES and not any(p.kind in WAVES for p in walk(part))
    )


def germ_of(element: Any) -> Germ | None:
    """The end on which an element made of models holds; None for other elements."""
    while type(element) in (Slope, Shift):
        element = element.u
    return element.germ if isinstance(element, Model) else None


class Phased:
    """Evaluations of one tree on cells of phases, with the last few on all of the end, which those share."""

    def __init__(self, node: Node) -> None:
        self.steady = steady(node)
        self._everywhere: dict[object, Evaluation] = {}

    def evaluation(self, r: Any, germ: Germ) -> Evaluation:
        """The evaluation at r on the germ's cell."""
        if not self.steady:
            return Evaluation(r)
        key = germ.radius, germ.order, _written(r)
        if key not in self._everywhere:
            if len(self._everywhere) >= MOST_KEPT:
                self._everywhere.clear()
            self._everywhere[key] = Evaluation(_on(germ.at(None), r))
        return OnPhases(r, germ, self._everywhere[key], self.steady)


class OnPhases(Evaluation):
    """An evaluation on a cell of phases, which takes what is steady from one on all of the end."""

    def __init__(self, r: Any, germ: Germ, everywhere: Evaluation, steady: frozenset[Node]) -> None:
        super().__init__(r)
        self._germ, self._everywhere, self._steady = germ, everywhere, steady

    def value(self, node: Node) -> Any:
        """The node's value, an element of r's ring; raises Undecided."""
        if node in self._steady and node not in self._values:
            self._values[node] = _on(self._germ, self._everywhere.value(node))
        return super().value(node)

    def log(self, node: Node) -> tuple[int, Any]:
        """(sign, log |value|) of a node proved to have one sign; raises Undecided."""
        if node in self._steady and node not in self._logs:
            sign, log = self._everywhere.log(node)
            self._logs[node] = sign, _on(self._germ, log)
        return super().log(node)


def _on(germ: Germ, element: Any) -> Any:
    """The same function on another cell of the same end."""
    if isinstance(element, Model):
        return element.on(germ)
    if type(element) is Shift:
        return Shift(_later(germ, element), _on(germ, element.du))
    return Slope(_on(germ, element.u), _on(germ, element.du))


def _later(germ: Germ, element: Shift) -> Callable[[], Any]:
    return lambda: _on(germ, element.u)


def _written(element: Any) -> object:
    """An element as something that can be looked up."""
    if isinstance(element, Model):
        return tuple((m, _exactly(c)) for m, c in element.terms.items())
    return type(element), _written(element.u), _written(element.du)


def _exactly(c: Coefficient) -> object:
    if not isinstance(c, arb):
        return c
    return (c.mid().man_exp(), c.rad().man_exp()) if c.is_finite() else str(c)

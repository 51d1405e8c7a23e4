"""Which case holds, at r and at r + h: of branches, of the arguments of a maximum, of the integers below."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from dpverify.enclosures.ball import Ball, Undecided
from dpverify.enclosures.conditions import exhaustive
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.nodes import Node, power_of_radius, whole_root
from dpverify.enclosures.pairs import Slope, sides
from dpverify.findings import Reason


class Cases:
    """Decides between cases by the values of nodes and, on an open box, by its exact ends."""

    edges: Edges | None

    def value(self, node: Node) -> Any:
        """The node's value, an element of a ring; raises Undecided."""
        raise NotImplementedError

    def value_at(self, node: Node, r: fmpq) -> Ball:
        """The node's value at one radius; raises Undecided."""
        raise NotImplementedError

    def sign(self, node: Node) -> int | None:
        """1, -1 or 0 where the node has that sign throughout; None where that is not settled; raises Undecided."""
        return self._sign(node, ahead=False)

    def truth(self, condition: tuple[Any, ...]) -> bool | None:
        """Whether a lowered condition holds, where it does throughout or nowhere; raises Undecided."""
        return self._truth(condition, 0)

    def _largest(self, nodes: tuple[Node, ...], elements: list[Any]) -> tuple[set[int], set[int]]:
        """Which elements may be the largest, where r is and where r + h is."""
        result = []
        for k, parts in enumerate(zip(*map(sides, elements), strict=True)):
            live = set(range(len(parts)))
            for i in range(len(parts)):
                for j in live - {i}:
                    gap = parts[j] - parts[i]
                    if gap.sign() in (1, 0) or (nodes and self._leads(nodes[j], nodes[i], gap, k == 1)):
                        live.discard(i)
                        break
            result.append(live)
        return result[0], result[1]

    def _leads(self, a: Node, b: Node, gap: Any, ahead: bool) -> bool:
        """Whether a >= b by the exact values at the box's ends, their difference being monotone."""
        if self.edges is None or not (isinstance(gap, Slope) and gap.strictly_monotone()):
            return False
        first, second = self.edges.values(a, ahead), self.edges.values(b, ahead)
        return first is not None and second is not None and all(x >= y for x, y in zip(first, second, strict=True))

    def _whole(self, node: Node, element: Any, ahead: bool) -> fmpq | None:
        """The integer that floor(node) is throughout the open box, if it is one."""
        if self.edges is not None and (form := power_of_radius(node)) is not None:
            by = self.edges.shift if ahead else fmpq(0)
            (first, _), (last, exact) = (whole_root(*form, end + by) for end in self.edges.ends)
            return fmpq(first) if first == last - exact else None
        if self.edges is None or not isinstance(element, Slope) or not element.strictly_monotone():
            return None
        if not node.exact and not (isinstance(element.u, Ball) and element.u.x.rad() < 1):
            return None
        bounds = self.edges.bounds(node, ahead, self.value_at)
        if bounds is None:
            return None
        low = bounds[0].floor()
        return fmpq(low) if bounds[1] <= low + 1 else None

    def _branches(self, args: tuple[Any, ...]) -> tuple[set[int], set[int]]:
        result = []
        for k in range(2):
            live: set[int] = set()
            for i, (_, condition) in enumerate(args):
                holds = self._truth(condition, k)
                if holds is not False:
                    live.add(i)
                if holds:
                    break
            else:
                if not exhaustive([condition for _, condition in args]):
                    raise Undecided(Reason.NO_BRANCH())
            result.append(live)
        return result[0], result[1]

    def _truth(self, condition: tuple, side: int) -> bool | None:  # type: ignore[type-arg]
        if condition[0] == "true":
            return True
        if condition[0] == "not":
            inner = self._truth(condition[1], side)
            return None if inner is None else not inner
        if condition[0] in ("and", "or"):
            parts = [self._truth(c, side) for c in condition[1:]]
            decisive = condition[0] == "or"
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        least, most = self._signs(condition[1], side == 1)
        holds, fails = (least >= 0, most < 0) if condition[2] else (least > 0, most <= 0)
        return holds if holds or fails else None

    def _signs(self, node: Node, ahead: bool) -> tuple[int, int]:
        """The least and the greatest sign that a node has, a maximum from those of its parts."""
        sign = self._sign(node, ahead)
        if sign is not None:
            return sign, sign
        whole = _maximum(node)
        if whole is None:
            return -1, 1
        front, inner = whole
        least, most = (max(ends) for ends in zip(*(self._signs(part, ahead) for part in inner.args), strict=True))
        return (least, most) if front > 0 else (-most, -least)

    def _sign(self, node: Node, ahead: bool) -> int | None:
        element = sides(self.value(node))[ahead]
        sign: int | None = element.sign()
        if sign not in (1, -1) and isinstance(element, Slope) and element.strictly_monotone():
            bounds = self.edges.bounds(node, ahead, self.value_at) if self.edges else None
            if bounds is not None and bounds[0] >= 0:
                return 1
            if bounds is not None and bounds[1] <= 0:
                return -1
        return sign


def _maximum(node: Node) -> tuple[int, Node] | None:
    """1 or -1, and the maximum of which the node is a multiple with that sign."""
    front, inner = node.args if node.kind == "mul" and len(node.args) == 2 else (None, node)
    if inner.kind != "max" or (front is not None and front.kind != "num"):
        return None
    return 1 if front is None or front.args[0] > 0 else -1, inner

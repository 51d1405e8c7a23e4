"""The second way of a node: where the first fails on a chart, or would miss an exact cancellation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpverify.certificate.possible import Box, possible
from dpverify.kernel.sections import squares, torus
from dpverify.kernel.sections.charts import Problem, Subject, charted, radii
from dpverify.kernel.sections.epsilon import check_defined
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Model, power_of_t
from dpverify.kernel.sections.periods import Repeated
from dpverify.kernel.sections.slopes import innermost, with_slope
from dpverify.kernel.sections.tail import tail_of
from dpverify.kernel.sections.ways import CHARTS, TWO_WAYS, Ways
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node, walk


def second_ways(subject: Subject, ends: dict[str, Any], boxes: Sequence[Box]) -> dict[str, dict[str, str]]:
    """For each kind of chart the nodes that need their second way there, parts before wholes.

    `ends` are the proof's steps for both ends, `boxes` those between, of which some may be parts of others.
    """
    choices = [node for node in subject.nodes() if node.number and node.kind in TWO_WAYS and _has_choice(node)]
    if not choices:
        return {}
    problem = charted(Steps(dict(ends)), subject)
    tail = tail_of(problem, Steps(dict(ends)))
    zero = Model(problem.zero, {power_of_t(-1): 1})
    known = [] if isinstance(tail, Repeated) else tail.cells
    summit = [] if isinstance(tail, torus.Torus | Repeated) else [tail.peak]
    germs = {id(g): g for g in (*known[:1], *known[-1:], *summit)}.values()
    far = [Model(germ, {LINEAR: 1}) for germ in germs]
    on_charts: dict[str, list[tuple[Any, Box | None]]] = {
        "zero": [(with_slope(zero), None)],
        "infinity": [
            *((with_slope(r), None) for r in far),
            *((with_shift(r, r.const(problem.delta)), None) for r in far),
        ],
        "boxes": [(radii(a, b), (a, b)) for a, b in boxes],
    }
    cells = [(with_slope(Model(germ, {LINEAR: 1})), None) for germ in known]  # a wave has no sign on some of them
    found = {}
    for place, elements in on_charts.items():
        ways = frozenset[int]()
        for node in choices if place != "boxes" else (n for n in choices if n.kind == "add"):
            others = cells if place == "infinity" and node.kind == "add" else []
            if any(_wants_second(node, r, ends, ways) for r, ends in (*elements, *others)):
                ways |= {node.number}
        if ways:
            found[place] = {str(n.number): TWO_WAYS[n.kind] for n in choices if n.number in ways}
    return found


def without_idle_ways(claim: Mapping[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with those second ways alone that its replay takes."""
    if "ways" not in proof:
        return proof
    subject, steps = Subject(claim), Steps(proof)
    subject.rewrite(steps)
    replay = Proof(charted(steps, subject), steps)
    check_defined(claim, claim["hypotheses"], replay, subject)
    return with_taken_ways(proof, replay.problem)


def with_taken_ways(proof: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """The proof with those second ways alone that were taken on the problem's charts."""
    taken = {
        place: {n: way for n, way in chosen.items() if int(n) in _chart(problem, place).taken}
        for place, chosen in proof.get("ways", {}).items()
    }
    kept = {place: chosen for place, chosen in taken.items() if chosen}
    return {**{k: v for k, v in proof.items() if k != "ways"}, **({"ways": kept} if kept else {})}


def _chart(problem: Problem, place: str) -> Any:
    """The evaluations of a place, of those that stand in front of them on cells of phases the ones behind."""
    chart = getattr(problem, CHARTS[place])
    return getattr(chart, "chart", chart)


def _tends_to_a_rational(element: Any) -> bool:
    if not isinstance(element, Model):
        return False
    lead, c = next(iter(element.terms.items()), (LINEAR, None))
    return lead == CONSTANT and isinstance(c, Fraction) and c > 0


def _has_choice(node: Node) -> bool:
    return node.args[0].exponential if node.kind == "log" else node.exponential


def _wants_second(node: Node, r: Any, ends: Box | None, ways: frozenset[int]) -> bool:
    """Whether a node's first way fails on a chart and its second does not, or a logarithm's argument tends to a
    known rational, since that may cancel exactly."""

    def works(chosen: frozenset[int]) -> bool:
        at = Ways(chosen)(r, ends)
        return possible(lambda: at.log(node) if node.kind == "add" else at.value(node))

    if node.kind in squares.SQUARED:
        roots = any(part.kind == "pow" and part.args[0].kind == "num" for part in walk(node))
        return roots and possible(lambda: Ways(ways | {node.number})(r, ends).log(node))
    if node.kind == "log":
        at = Ways(ways)(r, ends)
        return possible(lambda: _tends_to_a_rational(innermost(at.value(node.args[0]))))
    return not works(ways) and works(ways | {node.number})

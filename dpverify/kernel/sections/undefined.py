"""A text that has no value on an interval of radii, of which nothing else can be claimed."""

from __future__ import annotations

from fractions import Fraction

from ..reader import MET, Need, Reader
from ..rules import require, rule
from ..steps import Steps, record
from ..tree import Node
from .alike import multiples
from .charts import open_box, radii
from .epsilon import VALUELESS
from .evaluation import Evaluation
from .polynomials import polynomial
from .shapes import factors_of
from .signs import SIGNS, sign
from .slopes import innermost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def undefined(claim: dict[str, Any], statuses: dict[str, str], steps: Steps, reader: Reader
              ) -> None:
    others = {status for name, status in statuses.items() if name != "defined"} == {"undecided"}
    nothing = ("epsilon", "tail_log_ratio", "theorem", "closed_form")
    empty = all(claim[name] is None for name in nothing)
    right = others and empty and claim["verdict"] == "invalid"
    require(right, "of a text that has no value nothing else can be claimed", "claim")
    step = record(steps.take("undefined"), "undefined", {"need", "box"})
    known = type(step["need"]) is int and 0 <= step["need"] < len(reader.needs)
    require(known, "undefined.need names no need of the text", "steps")
    a, b = open_box(step["box"], "undefined.box")
    unmet(Evaluation(radii(a, b), (a, b)), reader.needs[step["need"]])


@rule("K9")
def unmet(at: Evaluation, need: Need) -> None:
    """A need that fails at almost every radius of an open box: the text has no value there.

    Lemma.  Either an earlier need fails on a part of the box that is no null set, or the node is
    what was typed almost everywhere on it, and this need fails: the guard holds on the box, and the
    node is 0 where it must not be, or nowhere positive where it must be, or negative where it must
    not be.  It is 0 where its enclosure is the point 0, where it is a rational function whose
    numerator is the polynomial 0, where of a factor of it that is a sum the multiples of each part
    add up to 0 (K321), and where a factor is a maximum of what is 0 so.  Of gamma only a number is
    known to be a pole.
    """
    holds = all(condition.truth(at) is truth for condition, truth in need.guard)
    require(holds, "the guard of the operation is not shown to hold on the box")
    if need.kind == "branch":
        none = all(condition.truth(at) is False for condition in need.node)
        require(none, "no value is missing: a branch may hold")
        return
    if need.kind not in SIGNS:
        pole = need.node.kind == "num" and not MET[need.kind](need.node)
        require(pole, "no value is missing")
        return
    if vanishes(need.node) and need.kind != "nonnegative":
        return
    value = innermost(at.value(need.node)).span()
    known = sign(at, need.node)
    fails = {
        "nonzero": known == 0,
        "positive": known in (0, -1) or value.hi <= 0,
        "nonnegative": known == -1 or value.hi < 0,
    }[need.kind]
    require(fails, "the operation is not shown to have no value on the box")


def vanishes(node: Node) -> bool:
    """Whether the form shows a node to be 0 wherever it has a value."""
    return polynomial(node) == ([], [Fraction(1)]) or any(map(cancels, factors_of(node)))


def cancels(node: Node) -> bool:
    """Whether a node is a sum of which the multiples of each part add up to 0, or a maximum of what
    is 0."""
    if node.kind == "max":
        return all(map(vanishes, node.args))
    return node.kind == "add" and not any(c for _, c in multiples(node))


VALUELESS["undefined"] = undefined

"""What a claim about one generator is about, and the tree that its proof evaluates."""

from __future__ import annotations

from fractions import Fraction

from ..reader import RESERVED, Reader
from ..rules import require
from ..steps import Steps, rational, record, whole
from ..tree import Node, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

CLAIM = {
    "generator", "parameters", "dimension", "sensitivity", "scale", "verdict", "epsilon",
    "tail_log_ratio", "hypotheses", "theorem", "closed_form"}
LEMMAS: dict[str, str] = {}
"""What a kind of node takes on trust; the section that brings the kind says so."""
REWRITINGS: dict[str, Callable[[Node, Any], Node]] = {}
"""Steps that put another tree in the place of f's, equal to it almost everywhere."""


class Subject:
    """What a claim is about: the generator's tree, delta = Delta/sigma, and the closed form."""

    def __init__(self, claim: Any) -> None:
        record(claim, "claim", CLAIM)
        self.dimension = whole(claim["dimension"], "dimension", 1, 10**6)
        sensitivity = rational(claim["sensitivity"], "sensitivity")
        scale = rational(claim["scale"], "scale")
        both = sensitivity > 0 and scale > 0
        require(both, "sensitivity and scale are not positive", "claim")
        self.delta = sensitivity / scale
        names = parameters(claim["parameters"])
        bound = {**names, "d": Fraction(self.dimension)}
        self.reader = Reader(claim["generator"], bound)
        self.tree, self.form = self.reader.tree(), None
        used = self.reader.named
        if claim["closed_form"] is not None:
            form = Reader(claim["closed_form"], {**bound, "delta": self.delta}, radial=False)
            self.form, used = (form, form.tree()), used | form.named
        idle = sorted(set(names) - used)
        require(not idle, f"the parameter {', '.join(idle)[:60]} is not used", "claim")

    def nodes(self) -> list[Node]:
        """The nodes of the generator that the proof may evaluate, those of needs included."""
        return walk(self.reader.roots(self.tree))

    def rewrite(self, steps: Steps) -> None:
        """The tree as the proof has it, equal to what was read almost everywhere."""
        for name, rewriting in sorted(REWRITINGS.items()):
            if steps.has(name):
                self.tree = rewriting(self.tree, steps.take(name))

    def assumptions(self) -> list[str]:
        form = self.form[0].roots(self.form[1]) if self.form else ()
        kinds = {node.kind for node in (*self.nodes(), *walk(form))}
        return [lemma for kind, lemma in LEMMAS.items() if kind in kinds]


def parameters(given: Any) -> dict[str, Fraction]:
    require(isinstance(given, dict), "parameters is not an object", "format")
    permitted = all(k.isascii() and k.isidentifier() and k not in RESERVED for k in given)
    require(permitted, "a parameter's name is not permitted", "claim")
    return {k: rational(v, f"parameter {k[:40]}") for k, v in given.items()}


def said_of(claim: dict[str, Any]) -> str:
    """The generator, its parameters and dimension, and delta, as a claim's one line has them."""
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    return f"f(y) = {claim['generator']}{names}, d = {claim['dimension']}, Delta/sigma = {delta}"

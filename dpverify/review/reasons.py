"""Why each hypothesis holds, or does not, in the terms of the steps that the kernel replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Reason:
    """One hypothesis: what it says, as words and as a formula; its status; why."""

    name: str
    formula: str
    status: str
    why: str


FORMULAS = {
    "positive": r"f(y) > 0",
    "decreasing": r"y_1 < y_2 \Rightarrow f(y_1) \geq f(y_2)",
    "finite_at_zero": r"f(0+) < \infty",
    "integrable": r"\int_0^\infty r^{d-1} f(r^2)\, dr < \infty",
    "tail_ratio_bounded": r"\limsup_{c \to \infty} \frac{f((c-\delta)^2)}{f(c^2)} < \infty",
}
TITLES = {
    "positive": "f is positive",
    "decreasing": "f never rises",
    "finite_at_zero": "f is finite at the centre",
    "integrable": "A density exists: f(x'x) is integrable",
    "tail_ratio_bounded": "The ratio stays bounded in the tail",
}


def reasons(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> list[Reason]:
    """The five hypotheses of an accepted certificate."""
    places = _Places(proof)
    statuses = claim["hypotheses"]
    return [
        Reason(TITLES[name], formula, statuses[name], _why(name, statuses, places, claim))
        for name, formula in FORMULAS.items()
    ]


class _Places:
    """The charts that a proof names, in words."""

    def __init__(self, proof: Mapping[str, Any]) -> None:
        self.proof = proof
        self.near, self.far = (_radius(proof[end]["radius"]) for end in ("zero", "infinity"))
        self.boxes = 0 if proof["cover"] is None else len(proof["cover"]) - 1
        self.zero = f"a model at the centre that holds for every 0 < r ≤ {self.near}"
        self.tail = f"a model at infinity that holds for every r ≥ {self.far}"
        if proof["phase"] is not None:
            self.tail += f", on each of {len(proof['phase']['cover']) - 1} cells of the phase of its oscillation"

    @property
    def everywhere(self) -> str:
        boxes = f"interval arithmetic on {self.boxes} boxes between" if self.boxes else "nothing between"
        return f"{self.zero}; {boxes}; and {self.tail}"

    def box(self, pair: Any) -> str:
        return f"r = {_radius(pair[0])} and r = {_radius(pair[1])}"


def _radius(text: str) -> str:
    value = Fraction(text)
    return text if len(text) <= 12 else f"{float(value):.6g}" if 1e-300 < value < 1e300 else f"{text[:12]}…"


def _why(name: str, statuses: Mapping[str, str], at: _Places, claim: Mapping[str, Any]) -> str:
    proof, status = at.proof, statuses[name]
    if status == "undecided":
        return "Not settled, and not needed for this verdict."
    match name, status:
        case "positive", "proved":
            return f"log f is finite everywhere: {at.everywhere}."
        case "positive", _:
            return _not_positive(proof["sign"], at)
        case "decreasing", "proved":
            return f"The slope of log f is nowhere positive, and any jump goes down: {at.everywhere}."
        case "decreasing", _:
            return f"f rises between {at.box(proof['rise'])}."
        case "finite_at_zero", "proved":
            return f"By {at.zero}."
        case "finite_at_zero", _:
            return f"f grows without end as r falls to 0, by {at.zero}."
        case "integrable", "proved":
            return f"The integral converges at the centre and in the tail, and f is bounded between: {at.everywhere}."
        case "integrable", _:
            where = "in the tail" if statuses["finite_at_zero"] == "proved" else "at an end"
            return f"The integral diverges {where}, by {at.zero}, and {at.tail}."
        case _, "proved":
            return f"The loss stays bounded as r grows, by {at.tail}."
    return f"The loss grows without end as r grows, by {at.tail}."


def _not_positive(sign: Mapping[str, Any], at: _Places) -> str:
    if sign["kind"] == "centre":
        return "f(0+) = 0, while f is positive elsewhere."
    if sign["kind"] == "negative":
        return f"f is negative between {at.box(sign['box'])}."
    return f"f is zero between {at.box(sign['box'])}, and positive between {at.box(sign['positive'])}."

"""Why each hypothesis holds, or does not, in the terms of the steps that the kernel replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpverify.show.words import radius_letter


@dataclass(frozen=True, slots=True)
class Reason:
    """One hypothesis: what it says, as words and as a formula; its status; why."""

    name: str
    formula: str
    status: str
    why: str


FORMULAS = {
    "defined": r"f(y) \in \mathbb{R} \text{ for almost every } y",
    "positive": r"f(y) > 0",
    "decreasing": r"y_1 < y_2 \Rightarrow f(y_1) \geq f(y_2)",
    "finite_at_zero": r"f(0^{+}) < \infty",
    "integrable": r"\int_0^\infty r^{d-1} f(r^2)\, dr < \infty",
    "tail_ratio_bounded": r"\limsup_{%s \to \infty} \dfrac{f((%s-\delta)^2)}{f(%s^2)} < \infty",
}
TITLES = {
    "defined": "Every part of the text has a value",
    "positive": "f is positive",
    "decreasing": "f never rises",
    "finite_at_zero": "f is finite at the centre",
    "integrable": "A density exists: f(x'x) is integrable",
    "tail_ratio_bounded": "The ratio stays bounded in the tail",
}


def reasons(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> list[Reason]:
    """The six hypotheses of an accepted certificate; that f is defined comes first, since all others speak of f."""
    statuses, c = claim["hypotheses"], radius_letter(claim["parameters"])
    return [
        Reason(TITLES[name], formula.replace("%s", c), statuses[name], _why(name, statuses, proof))
        for name, formula in FORMULAS.items()
    ]


def charts(proof: Mapping[str, Any]) -> str:
    """How the proof covers the half-line of radii r > 0."""
    if "zero" not in proof:
        return "The text of f is evaluated on one box of radii, where an operation in it has no value."
    near, far = (_radius(proof[end]["radius"]) for end in ("zero", "infinity"))
    phase, cover = proof.get("phase"), proof.get("cover")
    many = len(phase["cover"]) - 1 if phase else 0
    whole = "at every phase" if many == 1 else f"on each of {many} cells of the phase"
    cells = f", {whole} of its oscillation" if phase else ""
    series = f", by a series at the centre up to r = {_radius(proof['series']['radius'])}" if "series" in proof else ""
    count = f"{len(cover) - 1} box{'' if len(cover) == 2 else 'es'}" if cover else ""
    boxes = f"interval arithmetic on {count} between{series}" if cover else "nothing between"
    return (
        f"The radii r > 0 are covered by a model at the centre, which holds for every r ≤ {near}; {boxes}; and a model "
        f"at infinity, which holds for every r ≥ {far}{cells}."
    )


def _between(pair: Any) -> str:
    ends = [text if len(text) <= 6 else f"{float(Fraction(text)):.6g}" for text in pair]
    middle = float(sum(map(Fraction, pair)) / 2)
    close = ends[0] == ends[1] or middle - float(Fraction(pair[0])) < 1e-5 * middle
    return f"around r = {middle:.6g}" if close else f"between r = {ends[0]} and r = {ends[1]}"


def _radius(text: str) -> str:
    value = Fraction(text)
    return text if len(text) <= 12 else f"{float(value):.6g}" if 1e-300 < value < 1e300 else f"{text[:12]}…"


def _why(name: str, statuses: Mapping[str, str], proof: Mapping[str, Any]) -> str:
    status = statuses[name]
    if status == "undecided" and name == "positive" and "pole" in proof:
        return f"Not settled, and not needed: f is infinite {_between(proof['pole']['box'])}."
    if status == "undecided":
        return "Not settled, and not needed for this verdict."
    match name, status:
        case "defined", "proved":
            return _defined(proof.get("defined", []))
        case "defined", _:
            return f"An operation in the text of f has no value {_between(proof['undefined']['box'])}."
        case "positive", "proved":
            return "log f is finite in the model at the centre, on every box, and in the model at infinity."
        case "positive", _:
            return _not_positive(proof["sign"])
        case "decreasing", "proved":
            return _falls(proof["decreasing"])
        case "decreasing", _:
            return f"f rises {_between(proof['rise'])}."
        case "finite_at_zero", "proved":
            return "The model at the centre stays bounded as r falls to 0."
        case "finite_at_zero", _:
            return "f grows without end as r falls to 0, by the model at the centre."
        case "integrable", "proved":
            beside = ", or infinite in it to an order below 1" if proof.get("poles") else ""
            return (
                "The integral converges at the centre and in the tail, by the models, and f is bounded on every box"
                f"{beside}."
            )
        case "integrable", _:
            if "radius" in proof["integrable"]:
                return f"The integral diverges {_between(proof['integrable']['radius']['box'])}, where f is infinite."
            if "phase" in proof["integrable"]:
                return "The integral diverges in the tail, over the radii of one cell of phases, by the model there."
            if "narrowing" in proof["integrable"]:
                return (
                    "The integral diverges in the tail, over intervals that narrow, one beside every radius of a phase."
                )
            centre = proof["integrable"]["diverges"] == "centre"
            return f"The integral diverges {'at the centre' if centre else 'in the tail'}, by the model there."
        case _, "proved":
            return "The loss stays bounded as r grows, by the model at infinity."
    return "The loss grows without end as r grows, by the model at infinity."


def _defined(needs: Sequence[Mapping[str, Any]]) -> str:
    """Each need of the text that its form does not settle is met on every chart, or as `at` says."""
    ways = [need["at"] for need in needs]
    everywhere, guarded, algebra = ways.count(None), ways.count("guard"), ways.count("algebra")
    isolated = len(ways) - everywhere - guarded - algebra
    told = []
    if everywhere:
        told.append(f"{_operations(everywhere)} a value on every chart")
    if guarded:
        told.append(f"{_operations(guarded)} a value where the conditions that lead to it hold")
    if algebra:
        told.append(f"{_operations(algebra)} a value by the roots of a polynomial")
    if isolated:
        told.append(f"{_operations(isolated)} a divisor that is analytic and vanishes at isolated radii at most")
    if not told:
        return "The form of the text shows that every operation in it has a value."
    return f"{'; '.join(told)}; of every other the form of the text shows that it has a value."


def _operations(count: int) -> str:
    return "One operation has" if count == 1 else f"{count} operations have"


def _falls(step: Any) -> str:
    if step == "form":
        return "The form of f shows it: what f is made of rises or falls, and is put together so that f falls."
    if step == "algebra":
        return "The slope of log f is a rational function that is nowhere positive, by its roots."
    drops = len(step["drops"]) + len(step["phase_drops"] or ())
    jumps = f", and where f jumps ({drops} of the places where they meet) it jumps down" if drops else ""
    return f"The slope of log f is nowhere positive, in both models and on every box{jumps}."


def _not_positive(sign: Mapping[str, Any]) -> str:
    if sign["kind"] == "centre":
        return "f(0+) = 0, while f is positive elsewhere."
    if sign["kind"] == "eventually":
        return "f is negative far enough out, by its model there."
    if sign["kind"] == "nothing":
        return "f is 0 in both models and on every box."
    if sign["kind"] == "negative":
        return f"f is negative {_between(sign['box'])}."
    if sign["kind"] == "limits":
        return f"f tends to 0 {_between(sign['box'])}, by the limits of its parts, and is positive elsewhere."
    if sign["kind"] == "side":
        way = "falls" if sign["end"] == "low" else "rises"
        return f"f tends to 0 as r {way} to a jump, {_between(sign['box'])}, and is positive elsewhere."
    return f"f is zero {_between(sign['box'])}, and positive {_between(sign['positive'])}."

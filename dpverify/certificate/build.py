"""From a result and what its proof found to the draft of a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.results import Result

if TYPE_CHECKING:
    from dpverify.prover.cover import Box
    from dpverify.prover.hypotheses import Findings
    from dpverify.prover.supremum import Supremum
    from dpverify.prover.tail import Tail


UNCOVERED = (Fraction(1, 2**10), Fraction(2**10))


def build(result: Result, found: Findings, best: Supremum | None, asked: Fraction | None = None) -> Result:
    """The result with its draft, which `complete` turns into a certificate; an undecided one has none.

    `asked` is the width asked of the enclosure: where it is wider, the draft says what its upper end should be.
    """
    if result.verdict == "undecided":
        return result
    from dpverify import __version__

    draft: dict[str, Any] = {
        "program": {"name": "dpverify", "version": __version__},
        "claim": _claim(result),
        "proof": _proof(found, best),
    }
    if asked is not None and best is not None and best.upper - best.lower > asked:
        draft["narrower"] = str(best.lower + asked)
    return replace(result, draft=draft)


def _claim(result: Result) -> dict[str, Any]:
    epsilon, tail = result.epsilon, result.tail_log_ratio
    statuses = {name: h.status for name, h in result.hypotheses.items()}
    if statuses["defined"] == "refuted":  # of a text that has no value nothing else is claimed
        statuses, tail = {**dict.fromkeys(statuses, "undecided"), "defined": "refuted"}, None
    return {
        "generator": result.generator.text,
        "parameters": {name: str(value) for name, value in result.generator.parameters.items()},
        "dimension": result.generator.dimension,
        "sensitivity": str(result.sensitivity),
        "scale": str(result.scale),
        "verdict": result.verdict,
        "epsilon": _ends(epsilon.lower, epsilon.upper) if epsilon else None,
        "closed_form": epsilon.closed_form if epsilon else None,
        "tail_log_ratio": _ends(tail.lower, tail.upper) if tail else None,
        "hypotheses": statuses,
        "theorem": result.theorem if epsilon else None,
    }


def _ends(lower: Fraction, upper: Fraction) -> dict[str, str]:
    return {"lower": str(lower), "upper": str(upper)}


def _proof(found: Findings, best: Supremum | None) -> dict[str, Any]:
    if found.undefined is not None:
        return {"undefined": {"box": _pair(found.undefined.box)}}
    zero, tail = (found.zero.germ if found.zero else found.zero_value), found.infinity
    if best is not None:
        zero, tail = best.zero, best.tail
    infinity = found.bounded_end or (tail and tail.germ)
    first, last = (found.boxes[0][0], found.boxes[-1][1]) if found.boxes else UNCOVERED
    low, order = (1 / zero.radius, zero.order) if zero else (first, 1)
    high, far_order = (infinity.radius, infinity.order) if infinity else (last, 1)
    wave = tail.wave if tail is not None and found.bounded_end is None else None
    return {
        "zero": {"radius": str(low), "order": order},
        "infinity": {"radius": str(high), "order": far_order},
        "phase": _phase(tail) if tail is not None and wave is not None else None,
        "series": {"radius": str(found.series.reach), "order": found.series.order} if found.series else None,
        "cover": _points(found.boxes) if found.boxes else None,
        "supremum": _supremum(best),
        "witness": _witness(best),
        "sign": _sign(found),
        "rise": _pair(found.rise),
        "pole": {"box": _pair(found.pole.box), "bounded": _pair(found.pole.bounded)} if found.pole else None,
    }


def _phase(tail: Tail) -> dict[str, Any]:
    assert tail.wave is not None
    return {
        "turns": tail.wave.turns,
        "frequency": str(tail.wave.frequency),
        "cover": [str(x) for x in tail.points() or []],
        "peak": None if tail.peak is None else str(tail.peak),
    }


def _points(boxes: Sequence[Box]) -> list[str]:
    return [str(boxes[0][0]), *(str(b) for _, b in boxes)]


def _pair(box: Box | None) -> list[str] | None:
    return [str(box[0]), str(box[1])] if box else None


def _supremum(best: Supremum | None) -> dict[str, Any] | None:
    if best is None:
        return None
    return {
        "cover": [*_points(best.boxes), *map(str, best.cuts)],
        "shifts": [_points(s) for s in best.shifts] if best.shifts else None,
        "phases": _points(best.phases) if best.phases else None,
        "phase_shifts": [_points(s) for s in best.phase_shifts] if best.phase_shifts else None,
        "ahead": _points(best.ahead) if best.ahead else None,
    }


def _witness(best: Supremum | None) -> dict[str, Any] | None:
    if best is None:
        return None
    w = best.witness
    return {"near": w.near, "box": _pair(w.box), "shift": str(w.shift) if w.shift else None}


def _sign(found: Findings) -> dict[str, Any] | None:
    if found.sign is None:
        return None
    return {"kind": found.sign["kind"], "box": _pair(found.sign["box"]), "positive": _pair(found.sign["positive"])}

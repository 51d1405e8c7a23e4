"""Where the kernel's enclosures are wider than the prover's: smaller boxes, cells and shifts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from dpverify.certificate.hints import Hints
from dpverify.certificate.leaves import finer_charts
from dpverify.certificate.possible import possible
from dpverify.certificate.summit import split_around
from dpverify.kernel.sections import waves
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.definedness import met_on
from dpverify.kernel.sections.ends import integral
from dpverify.kernel.sections.fields import points
from dpverify.kernel.sections.lipschitz import to_bound, within
from dpverify.kernel.sections.needs import bare
from dpverify.kernel.sections.theorem_a import bounds_of_log
from dpverify.kernel.tree import never_negative

MOST_SPLITS, MOST_BOXES = 14, 6_000


def finer(hints: Hints) -> dict[str, Any]:
    """The proof with boxes and cells bisected until the kernel follows."""
    hints.strict = False
    proof = hints.searched()
    split = dict(proof)
    if "cover" in proof:
        split["cover"] = _split(hints, proof["cover"], partial(box_holds, hints))
    step = proof.get("supremum")
    if step is not None and "slopes" in step:
        split["supremum"] = {**step, "slopes": _split(hints, step["slopes"], flat_enough(hints))}
        if "phases" in step:
            split["supremum"]["phases"] = _split(hints, step["phases"], flat_enough_on_phases(hints))
    elif step is not None and hints.claim["theorem"] == "Theorem 3":
        most, p = hints.most(), hints.problem
        step = {k: v for k, v in step.items() if k != "concave"}
        step |= split_around(hints, step, lambda marks: _split(hints, marks, hints.below))
        tail = hints.replay.tail
        if isinstance(tail, waves.Phases):

            def bounded(a: Fraction, b: Fraction) -> bool:
                return bool(tail.loss(tail.germ(a, b), p.delta).hi <= most)

            step["phases"] = _split(hints, step["phases"], bounded)
        split["supremum"] = step
    elif step is not None:
        split["supremum"] = {**_finer_shifts(hints, step), "ahead": _split(hints, step["ahead"], _below_centre(hints))}
        if "charts" in step:
            split["supremum"]["charts"] = finer_charts(hints, step)
    if "phase" in proof:
        split["phase"] = {
            **proof["phase"],
            "cover": _split(hints, proof["phase"]["cover"], partial(cell_holds, hints)),
        }
    if "limsup" in split and "phases" in split.get("supremum", {}):
        split["limsup"] = {"phases": split["supremum"]["phases"]}
    return split


def _finer_shifts(hints: Hints, step: dict[str, Any]) -> dict[str, Any]:
    """Theorem A's boxes and their intervals of shifts, bisected in turn where no rule bounds the loss."""
    given, cuts = points(step["cover"], "supremum.cover"), points(step["cuts"], "supremum.cuts")
    marks, words, lists, extra = given[:1], [], [], 0
    stack = [(box, points(hs, "shifts"), 0) for box, hs in zip(pairwise(given), step["shifts"], strict=True)][::-1]
    while stack:
        (a, b), shifts, depth = stack.pop()
        hints.tick()
        at = [hints.box_word((a, b), pair, [*given, *cuts]) for pair in pairwise(shifts)]
        if None in at and depth < MOST_SPLITS and extra < MOST_BOXES:
            extra += 1
            if depth % 2 == 0:
                missed = [pair for pair, w in zip(pairwise(shifts), at, strict=True) if w is None]
                middles = [(low + high) / 2 for low, high in missed]
                stack.append(((a, b), sorted([*shifts, *middles]), depth + 1))
            else:
                middle = (a + b) / 2
                stack += [((middle, b), shifts, depth + 1), ((a, middle), shifts, depth + 1)]
            continue
        marks.append(b)
        lists.append([str(h) for h in shifts])
        words.append("".join(w or "h" for w in at))
    return {**step, "cover": [str(x) for x in marks], "shifts": lists, "rules": words}


def _below_centre(hints: Hints) -> Callable[[Fraction, Fraction], bool]:
    """Whether the loss from the chart at the centre to a box ahead of it stays below the bound."""
    p, most = hints.problem, hints.most()

    def holds(a: Fraction, b: Fraction) -> bool:
        loss = p.near_zero().u.span() - bounds_of_log(p, a, b)
        return bool(-most <= loss.lo and loss.hi <= most)

    return holds


def flat_enough(hints: Hints) -> Callable[[Fraction, Fraction], bool]:
    """Whether the slopes of g on a box show the claim's epsilon."""
    raised, most = to_bound(hints.problem, hints.power()), hints.steepest() * hints.power()
    return lambda a, b: within(raised.on_box(a, b).du, most)


def flat_enough_on_phases(hints: Hints) -> Callable[[Fraction, Fraction], bool]:
    """The same on a cell of phases."""
    raised, most = to_bound(hints.problem, hints.power()), hints.steepest() * hints.power()
    tail = hints.replay.tail
    assert isinstance(tail, waves.Phases)
    return lambda a, b: within(raised.far(tail.germ(a, b)).du.span(), most)


def box_holds(hints: Hints, a: Fraction, b: Fraction) -> bool:
    """Whether the kernel shows on this box all that the hypotheses claim of it."""
    p, at = hints.problem, hints.problem.at_box(radii(a, b), (a, b))
    for need, given in zip(hints.subject.reader.needs, _needs(hints), strict=True):
        if given["at"] is None and not met_on(at, bare(need)):
            return False
    if hints.statuses["positive"] != "proved":
        value = p.value_on_box(a, b)
        return value.finite() and (value.lo >= 0 or never_negative(hints.subject.tree))
    log = p.on_box(a, b)
    falls = hints.statuses["decreasing"] == "proved" and hints.falls_by_form() is None
    return log.u.finite() and (not falls or log.du.hi <= 0)


def _needs(hints: Hints) -> list[dict[str, Any]]:
    return hints.problem.once("needs", lambda: [hints.need(n) for n in hints.subject.reader.needs])


def cell_holds(hints: Hints, a: Fraction, b: Fraction) -> bool:
    """Whether the kernel shows on this cell of phases all that the hypotheses claim of the tail."""
    tail, p = hints.replay.tail, hints.problem
    assert isinstance(tail, waves.Phases)
    log = p.far(tail.germ(a, b))
    if hints.statuses["integrable"] == "proved" and integral(log.u, p.dimension) != 1:
        return False
    return not (hints.statuses["decreasing"] == "proved" and log.du.span().hi > 0)


def _split(hints: Hints, marks: list[str], holds: Callable[[Fraction, Fraction], bool]) -> list[str]:
    given = points(marks, "cover")
    result = [given[0]]
    for a, b in pairwise(given):
        stack = [(a, b, 0)]
        while stack:
            low, high, depth = stack.pop()
            hints.tick()
            spent = depth >= MOST_SPLITS or len(result) > len(given) + MOST_BOXES
            if spent or possible(lambda low=low, high=high: holds(low, high)):  # type: ignore[misc]
                result.append(high)
                continue
            middle = (low + high) / 2
            stack += [(middle, high, depth + 1), (low, middle, depth + 1)]
    return [str(x) for x in result]

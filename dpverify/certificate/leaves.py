"""The leaves of charts on which phases run free, halved where the kernel's enclosures are wider than the prover's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpverify.certificate.attempts import possible
from dpverify.certificate.hints import Hints
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.models import LINEAR, Model
from dpverify.kernel.sections.torus import AXES, Torus

LETTERS = ".*-"
MOST_DEPTH, MOST_HALVED = 12, 4_000
Cut = tuple[Fraction, Fraction]


def finer_charts(hints: Hints, step: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The charts of a supremum, each with its tree's leaves halved until the kernel bounds the loss on them."""
    torus, p, most = hints.replay.tail, hints.problem, hints.most()
    assert isinstance(torus, Torus)
    start = Fraction(step["cover"][-1]) if step["cover"] else p.r0
    charts = []
    for chart in step["charts"]:
        high = None if chart["high"] is None else Fraction(chart["high"])
        r = _radii(hints, start, high)

        def bounded(letter: str, box: list[Cut], r: Any = r) -> bool:
            hints.tick()
            loss = torus.bound(r, letter, box)
            return bool(-most <= loss.lo and loss.hi <= most)

        charts.append({**chart, "tree": _finer(chart["tree"], [*torus.axes(), (Fraction(0), p.delta)], bounded)})
        start = high or start
    return charts


def _radii(hints: Hints, start: Fraction, high: Fraction | None) -> Any:
    """The radii of a chart, as the kernel takes them (K185)."""
    if high is not None:
        return radii(start, high).u
    p = hints.problem
    return Model(p.infinity, {LINEAR: 1}) if start >= p.r1 else Interval(interval(start).lo, INF)


def _finer(tree: str, box: list[Cut], bounded: Callable[[str, list[Cut]], bool]) -> str:
    """The tree, each leaf with a letter by which the loss is bounded on it, or halved along its widest axis."""
    given, text, whole = iter(tree), list[str](), [b - a for a, b in box]
    stack: list[tuple[list[Cut], int | None]] = [(box, None)]
    halved = 0
    while stack:
        box, depth = stack.pop()
        letter = "." if depth is not None else next(given)
        if letter in LETTERS:
            tried = [letter, *(other for other in LETTERS if other != letter)]
            held = next((x for x in tried if possible(lambda x=x, box=box: bounded(x, box))), None)  # type: ignore[misc]
            depth = depth or 0
            if held is not None or depth >= MOST_DEPTH or halved >= MOST_HALVED:
                text.append(held or letter)
                continue
            halved, depth = halved + 1, depth + 1
            axis = max(range(len(box)), key=lambda k: (box[k][1] - box[k][0]) / whole[k])
        else:
            axis = AXES.index(letter)
        text.append(AXES[axis])
        a, b = box[axis]
        middle = (a + b) / 2
        stack += [([*box[:axis], half, *box[axis + 1 :]], depth) for half in ((middle, b), (a, middle))]
    return "".join(text)

"""The leaves of charts on which phases run free, halved where the kernel's enclosures are wider than the prover's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpverify.certificate.hints import Hints
from dpverify.certificate.possible import possible
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.models import LINEAR, Model
from dpverify.kernel.sections.torus import AXES, Torus

LETTERS = ".*-"
MOST_DEPTH, MOST_HALVED = 12, 4_000
FEW_DEEP, MOST_CUT = 3, 8
"""How often leaves are halved before the radii of their chart are, and how often those are."""
Cut = tuple[Fraction, Fraction]


def finer_charts(hints: Hints, step: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The charts of a supremum, their trees' leaves and their radii halved until the kernel bounds the loss on them."""
    torus, p, most = hints.replay.tail, hints.problem, hints.most()
    assert isinstance(torus, Torus)
    whole = [*torus.axes(), (Fraction(0), p.delta)]
    ends = [None if chart["high"] is None else Fraction(chart["high"]) for chart in step["charts"]]
    starts = [Fraction(step["cover"][-1]) if step["cover"] else p.r0, *ends[:-1]]
    stack = [(*chart, 0) for chart in zip(starts, ends, (chart["tree"] for chart in step["charts"]), strict=True)][::-1]
    charts = []
    while stack:
        start, high, tree, cuts = stack.pop()
        assert start is not None
        r = _radii(hints, start, high)

        def bounded(letter: str, box: list[Cut], r: Any = r) -> bool:
            hints.tick()
            loss = torus.bound(r, letter, box, most)
            return bool(-most <= loss.lo and loss.hi <= most)

        divisible = high is not None and cuts < MOST_CUT
        finer = _finer(tree, whole, bounded, FEW_DEEP if divisible else MOST_DEPTH, strict=divisible)
        if finer is None:
            assert high is not None
            middle = (start + high) / 2
            stack += [(middle, high, tree, cuts + 1), (start, middle, tree, cuts + 1)]
        else:
            charts.append({"high": None if high is None else str(high), "tree": finer})
    return charts


def _radii(hints: Hints, start: Fraction, high: Fraction | None) -> Any:
    """The radii of a chart, as the kernel takes them (K185)."""
    if high is not None:
        return radii(start, high).u
    p = hints.problem
    return Model(p.infinity, {LINEAR: 1}) if start >= p.r1 else Interval(interval(start).lo, INF)


def _finer(tree: str, box: list[Cut], bounded: Callable[[str, list[Cut]], bool], most: int, strict: bool) -> str | None:
    """The tree, each leaf with a letter by which the loss is bounded on it, or halved along its widest axis.

    Of a leaf that is not bounded so the letter stays as it is, or, if `strict`, there is no tree.
    """
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
            if held is None and strict and depth >= most:
                return None
            if held is not None or depth >= most or halved >= MOST_HALVED:
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

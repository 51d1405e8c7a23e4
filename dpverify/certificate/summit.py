"""The box around the largest loss that its curvature bounds (K34): its slopes would bound it on narrow ones alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from dpverify.certificate.drafted import Drafted
from dpverify.certificate.possible import possible
from dpverify.kernel.sections.curvature import highest_by_curvature
from dpverify.kernel.sections.fields import points

FEW, HALVINGS = 16, 14
"""Boxes that are too few for curvature to save any; how often a box that curvature does not bound is made narrower."""


def widest(hints: Drafted, step: dict[str, Any]) -> tuple[Fraction, int, int] | None:
    """A radius near the largest loss, and the ends of the largest box around it, made of those of the cover, that its
    curvature bounds; None where it bounds none, or no more than slopes do."""
    marks, named = points(step["cover"], "supremum.cover"), "concave" in step
    c = hints.largest()
    i = _before(marks, c)
    if c is None or i is None or (len(marks) < FEW and not named):
        return None
    j = i + 1

    def bounded(i: int, j: int) -> bool:
        return _bounded(hints, marks[i], marks[j], c)

    if not bounded(i, j):
        return None
    width = 1
    while width:
        wider = max(i - width, 0), min(j + width, len(marks) - 1)
        hints.tick()
        if wider != (i, j) and bounded(*wider):
            (i, j), width = wider, 2 * width
        else:
            width //= 2
    return (c, i, j) if named or j > i + 1 else None


def split_around(
    hints: Drafted, step: dict[str, Any], split: Callable[[list[str]], list[str]]
) -> dict[str, list[str | None]]:
    """The cover, its boxes split but the one that curvature bounds, which is made narrower until it does."""
    marks = points(step["cover"], "supremum.cover")
    c = hints.largest()
    i = _before(marks, c)
    if c is None or i is None or hints.below(marks[i], marks[i + 1]):
        return {"cover": [*split(step["cover"])]}
    a, b = marks[i], marks[i + 1]
    for _ in range(HALVINGS):
        hints.tick()
        if _bounded(hints, a, b, c):
            left = split([str(x) for x in (*marks[: i + 1], *((a,) if a != marks[i] else ()))])
            right = split([str(x) for x in (*((b,) if b != marks[i + 1] else ()), *marks[i + 1 :])])
            return {"cover": [*left, *right], "concave": among(len(left) + len(right) - 1, len(left) - 1, c)}
        a, b = (a + c) / 2, (b + c) / 2
    return {"cover": [*split(step["cover"])]}


def among(boxes: int, i: int, c: Fraction) -> list[str | None]:
    """For each of the boxes of a cover the radius at which its curvature is used: of the i-th alone."""
    return [None] * i + [str(c)] + [None] * (boxes - 1 - i)


def curved(hints: Drafted, cover: Sequence[str]) -> dict[str, Any]:
    """The step's word for the box around the largest loss, where its curvature bounds it and its slopes do not."""
    marks, c = points(list(cover), "supremum.cover"), hints.largest()
    i = _before(marks, c)
    if c is None or i is None or hints.below(marks[i], marks[i + 1]) or not _bounded(hints, marks[i], marks[i + 1], c):
        return {}
    return {"concave": among(len(marks) - 1, i, c)}


def _before(marks: Sequence[Fraction], c: Fraction | None) -> int | None:
    """Which of the boxes between the marks has the radius inside."""
    j = 0 if c is None else bisect_right(marks, c)
    return j - 1 if 0 < j < len(marks) and marks[j - 1] != c else None


def _bounded(hints: Drafted, a: Fraction, b: Fraction, c: Fraction) -> bool:
    return possible(lambda: highest_by_curvature(hints.problem, a, b, c) <= hints.most())

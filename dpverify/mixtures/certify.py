"""From a mixing density to a certificate that the kernel replays: windows of panels, and a cover.

The steps are chosen with the kernel's own functions, and where the integrals live in floating point.
Nothing here is trusted, since the certificate is checked again by whoever receives it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.certificate.seal import replayed, sealed
from dpverify.certificate.ways import with_taken_ways
from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections import means, mixtures, tilted
from dpverify.kernel.sections.laws import subject_of
from dpverify.kernel.sections.models import power_of_t
from dpverify.kernel.steps import Steps
from dpverify.mixtures.charts import Charts, Question, charts_of
from dpverify.mixtures.outline import Outline
from dpverify.mixtures.panels import ORDER, law_of
from dpverify.mixtures.quadrature import Quadrature

NARROWEST = Fraction(1, 2**20)
MOST_BOXES = 400
MOST_QUARTERS = 64  # of the cover, from its end to below the peak


class Search(means.Tilted):
    """The kernel's values at radii, each on the panels where the outline says that its integrals live."""

    def __init__(self, law: tilted.Law, outline: Outline, delta: Fraction, around: Fraction | None) -> None:
        super().__init__(law, {}, delta)
        self.outline, self.around = outline, around

    def named(self, s: Fraction) -> tuple[int, int]:
        if s not in self.windows:
            low, high = self.outline.span(float(s))
            logs = [math.log(v) for v in self.law.marks]
            first = max((i for i, x in enumerate(logs[:-1]) if x <= low), default=0)
            last = min((i for i, x in enumerate(logs) if x >= high and i > first), default=len(logs) - 1)
            self.windows[s] = first, last
        return self.windows[s]

    def bound(self, a: Fraction, b: Fraction, enough: Fraction) -> tuple[Fraction | None, str]:
        """The first bound of the loss on [a, b] that is enough, or the lowest, and the letter of its rule."""
        found: list[tuple[Fraction, str]] = []
        for letter, bound in mixtures.BOXES.items():
            if letter == "c" and (not a or self.delta > 4 * (b - a)):
                continue
            if letter == "t" and not a:
                continue
            try:
                value = bound(self, a, b)
            except Rejected:
                continue
            if value.is_finite():
                found.append((Fraction(value), letter))
                if found[-1][0] <= enough:
                    return found[-1]
        return min(found, default=(None, "r"))


def private(
    question: Question,
    quadrature: Quadrature,
    radius: Fraction | None,
    loss: Fraction,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> dict[str, Any]:
    """The certificate of an epsilon; `radius` is where the loss is largest, None in the limit, and `loss` about that.

    Raises Undecided or Rejected where none is found.
    """
    outline, delta = Outline(quadrature), question.delta
    charts, tail = charts_of(question, quadrature, outline, float(loss))
    law = law_of(charts, outline, tail.radius + delta, tail.split, tick)
    search = Search(law, outline, delta, radius)
    if radius is not None and radius < tail.radius:
        witness = {"radius": str(radius), "rate": None}
        least = Fraction(search.loss(radius).lo)
    else:
        rate = _rate(charts)
        witness = {"radius": None, "rate": str(rate)}
        least = Fraction(mixtures.far_out(charts.proof, rate).lo)
    slope = mixtures.tail(charts.proof, search, tail.radius, tail.step())
    outside = Fraction((Interval(slope, slope) * delta).hi)
    target = max(least + tolerance * Fraction(4, 5) * max(Fraction(1), least), outside)
    boxes, top = _cover(search, tail.radius, radius, target, tick)
    lower, upper = published(least, max(top, outside, least), tolerance)
    steps = {
        **charts.steps,
        "law": {"order": ORDER, "marks": [str(v) for v in law.marks], "ends": charts.ends},
        "supremum": {
            "cover": ["0", *(str(b) for _, b, _ in boxes)],
            "rules": "".join(letter for _, _, letter in boxes),
            "tail": tail.step(),
        },
        "witness": witness,
    }
    needed = _radii(boxes, delta, witness, tail.radius)
    steps["windows"] = {str(s): list(search.named(s)) for s in sorted(needed)}
    return certificate(question.claim("private", lower, upper), steps)


def _cover(
    search: Search, reach: Fraction, radius: Fraction | None, target: Fraction, tick: Callable[[], None]
) -> tuple[list[tuple[Fraction, Fraction, str]], Fraction]:
    """Boxes of [0, reach], each with its rule, and a bound of the loss on all of them."""
    points = {Fraction(0), reach}
    least = search.delta if not radius else min(search.delta, radius)
    points |= {reach / 4**j for j in range(1, MOST_QUARTERS) if reach / 4**j >= least / 2**4}
    if radius is not None and 0 < radius < reach:
        points = {x for x in points if not radius / 2 < x < 2 * radius} | {radius / 2, min(2 * radius, reach)}
    heap: list[tuple[float, Fraction, Fraction, Fraction | None, str]] = []

    def push(a: Fraction, b: Fraction) -> None:
        tick()
        bound, letter = search.bound(a, b, target)
        heapq.heappush(heap, (-math.inf if bound is None else -float(bound), a, b, bound, letter))

    for a, b in pairwise(sorted(points)):
        push(a, b)
    done: list[tuple[Fraction, Fraction, Fraction, str]] = []
    while heap:
        _, a, b, bound, letter = heapq.heappop(heap)
        enough = bound is not None and (bound <= target or len(heap) + len(done) >= MOST_BOXES)
        if enough:
            assert bound is not None
            done.append((a, b, bound, letter))
            continue
        if b - a < NARROWEST * min(reach / 2**20, b) or len(heap) > 2 * MOST_BOXES:
            raise Undecided(Reason.CHECKER_NO_BOUND(at=a))
        if radius is not None and a < radius < b:  # the peak stays in the middle of its box
            cuts = [a, (a + radius) / 2, (radius + b) / 2, b]
        else:
            cuts = [a, (a + b) / 2, b]
        for left, right in pairwise(cuts):
            push(left, right)
    done.sort()
    return [(a, b, letter) for a, b, _, letter in done], max(bound for _, _, bound, _ in done)


def _radii(
    boxes: list[tuple[Fraction, Fraction, str]], delta: Fraction, witness: dict[str, Any], reach: Fraction
) -> set[Fraction]:
    """The radii at which the proof takes values."""
    found = {reach}
    if witness["radius"] is not None:
        r = Fraction(witness["radius"])
        found |= {r, r + delta}
    for a, b, letter in boxes:
        found |= {a, b + delta} if letter == "r" else {a, b, a + delta, b + delta}
        found |= {(a + b) / 2, (a + b) / 2 + delta} if letter == "t" else set()
    return found


def _rate(charts: Charts) -> Fraction:
    """K of exp(-K v^2) in the tail."""
    lead, c = charts.problem.far(charts.problem.infinity).u.leading()
    if lead != power_of_t(2) or not c.hi < 0:
        raise Undecided(Reason.CHECKER_NO_LIMIT())
    return -Fraction(c.hi)


def published(least: Fraction, most: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Short decimals below and above."""
    scale = 10
    while Fraction(1, scale) * 50 > tolerance:
        scale *= 10
    return Fraction(math.floor(least * scale), scale), Fraction(math.ceil(most * scale), scale)


def refuted(question: Question, quadrature: Quadrature) -> dict[str, Any]:
    """The certificate that no epsilon will do; raises Undecided or Rejected where none is found."""
    charts = Charts(question, quadrature.node)
    holds = charts.problem.value_on_box
    boxes = pairwise(charts.cover)
    positive = next((box for box in boxes if possible(lambda box=box: holds(*box).lo > 0)), None)  # type: ignore[misc]
    if positive is None:
        raise Undecided(Reason.CHECKER_NOWHERE_POSITIVE())
    failure: Rejected | None = None
    for by in ("bound", "tail", "pole"):
        step = {
            "by": by,
            "zero": "nothing" if charts.ends["zero"] == "nothing" else "logs",
            "positive": [str(x) for x in positive],
        }
        try:
            return certificate(question.claim("not_private"), {**charts.steps, "refutation": step})
        except Rejected as refusal:
            failure = refusal
    assert failure is not None
    raise failure


def certificate(claim: dict[str, Any], steps: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a claim, once the kernel has replayed it; raises Rejected."""
    steps = _without_idle(claim, steps) if "ways" in steps else steps
    return sealed(claim, steps, replayed(claim, steps))


def _without_idle(claim: dict[str, Any], steps: dict[str, Any]) -> dict[str, Any]:
    """The steps that the replay takes, and the second ways."""
    trial = Steps(steps)
    proof = mixtures.proved(claim, subject_of(claim, claim["dimension"]), trial)
    return with_taken_ways({name: step for name, step in steps.items() if name in trial.taken}, proof.problem)

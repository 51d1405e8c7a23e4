"""What the prover hands on: a result, and the steps of its proof as plain data.

The steps say where: charts at both ends, boxes, shifts, phases, a witness. Which rule of the checker
each of them meets is for `certificate` to find.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpverify.results import Result

Box = tuple[Fraction, Fraction]
Points = tuple[Fraction, ...]
"""Radii, shifts or phases in increasing order, the boxes lying between neighbours."""


@dataclass(frozen=True, slots=True)
class Valueless:
    """A box of radii on which a part of the text has no value: f is not defined."""

    box: Box


@dataclass(frozen=True, slots=True)
class Chart:
    """A model of that order: at zero it holds for 0 < r <= radius, at infinity for r >= radius."""

    radius: Fraction
    order: int


@dataclass(frozen=True, slots=True)
class Waves:
    """An oscillating tail: whether its phase turns or is a fractional part, frequency, cells, peak phase."""

    turns: bool
    frequency: Fraction
    cover: Points
    peak: Fraction | None


@dataclass(frozen=True, slots=True)
class FreeChart:
    """The end of an interval of radii (None: there is none), and the tree of halves of phases and shifts on it."""

    high: Fraction | None
    tree: str


@dataclass(frozen=True, slots=True)
class FreeWaves:
    """Phases that run free: the lines' speeds, sums of q sqrt(n) pi^k as (n, k, q); how many chirps; the tail's cells.

    `peak` is a point of the torus at which the loss is about largest; `charts` follow one another.
    """

    lines: tuple[tuple[tuple[int, int, Fraction], ...], ...]
    chirps: int
    cells: str
    peak: Points | None
    charts: tuple[FreeChart, ...]


@dataclass(frozen=True, slots=True)
class Covering:
    """The boxes on which the loss is bounded by epsilon's upper end.

    `phases` are cells of an oscillating tail; `shifts` and `phase_shifts` (Theorem A) the intervals of
    shifts on each box and each cell, `phase_cuts` phases at which f may jump, `ahead` the boxes ahead of the centre.
    None: there is nothing to cover. `tail_shifts` are intervals of shifts on all of the tail, `windows` ends of boxes
    by whose heights the loss is bounded for all shifts at once, `slopes` of boxes on which the slopes of g bound it.
    """

    cover: Points
    shifts: tuple[Points, ...] | None
    phases: Points | None
    phase_shifts: tuple[Points, ...] | None
    ahead: Points | None
    phase_cuts: Points | None = None
    tail_shifts: Points | None = None
    windows: Points | None = None
    slopes: Points | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """Where the loss comes (arbitrarily) near the lower bound: a limit, a small box of radii, or a box no shorter than
    the shift on which the slopes of g keep up."""

    near: str  # "zero", "infinity" (at the tail's peak phase, if it oscillates), "torus" (its peak), "box", "slopes"
    box: Box | None = None
    shift: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """Why f is not positive: at the centre, negative on a box, touching zero, or vanishing on a box."""

    kind: str
    box: Box | None
    positive: Box | None


@dataclass(frozen=True, slots=True)
class Pole:
    """A box beside a radius at which f is infinite, and one on which f is bounded a shift away; None if not needed.

    `still` says that f is infinite there once its jumps are left out.
    """

    box: Box
    bounded: Box | None
    still: bool | None = None


@dataclass(frozen=True, slots=True)
class Vanishing:
    """A factor of f comes near 0 far out, a shift from radii where it does not; which factor, the completer finds."""

    shift: Fraction


@dataclass(frozen=True, slots=True)
class Period:
    """f repeats itself but for a factor: after a length in units of 1, for phases in turns, else of 2 pi."""

    turns: bool
    length: Fraction


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Radii nearer and nearer to those of one phase, by a width; and a shift to others that f is compared with."""

    turns: bool
    logs: bool
    frequency: Fraction
    halves: Fraction
    offset: Fraction
    width: str
    shift: Fraction | None


@dataclass(frozen=True, slots=True)
class Steps:
    """A proof: a chart at each end, boxes between, and what of the rest the verdict needs.

    `series` is the model at the centre by which boxes near it are evaluated; on boxes up to the radius
    `apart` the loss is bounded by g ahead and here, each by itself; boxes from the radius of `far_boxes` on are
    evaluated by models of that order.  On the cell of phases `recurring` the integral of f is infinite.
    Beside the phase of `narrowing` it is, or f is compared with what it is a shift away.
    """

    zero: Chart
    infinity: Chart
    phase: Waves | None
    cover: Points | None
    supremum: Covering | None
    witness: Witness | None
    sign: Sign | None
    rise: Box | None
    series: Chart | None = None
    far_boxes: Chart | None = None
    apart: Fraction | None = None
    pole: Pole | None = None
    torus: FreeWaves | None = None
    vanishing: Vanishing | None = None
    recurring: Box | None = None
    period: Period | None = None
    narrowing: Narrowing | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result and the steps that prove it; None where it is undecided.

    `narrower` is what epsilon's upper end should be, where the enclosure is wider than was asked.
    """

    result: Result
    steps: Steps | Valueless | None
    narrower: Fraction | None = None

"""epsilon against delta = Delta/sigma: proved at the points of a grid, and by monotonicity between them.

epsilon(delta) = omega_g(delta) is non-decreasing (see `scale`), so for delta between two points of the grid
it lies between the lower end at the one and the upper end at the other: the band is proved everywhere.
So is the least eps at a given delta of (eps, delta), here `level`, since a longer shift is worse (Theorem B).
"""

from __future__ import annotations

import csv
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dpverify.calibration.bracket import FARTHEST, log, of_logarithm
from dpverify.calibration.law import Law, law_of
from dpverify.calibration.partial import Partial
from dpverify.calibration.refusal import Refusal
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.profiles import Enclosed, Profile, profile
from dpverify.results import Result, Verdict
from dpverify.shown import Shown

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing

MOST_POINTS = 10_000
USUAL_POINTS, USUAL_POINTS_OF_MIXTURES = 41, 9
TOLERANCES = Fraction(1, 10**9), Fraction(1, 10**5)
COLUMNS = ("delta", "lower", "upper", "verdict")


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """lower <= epsilon(delta) <= upper, proved; None for both where the verdict is "undecided"."""

    delta: Fraction
    lower: Fraction | None
    upper: Fraction | None

    @property
    def verdict(self) -> Verdict:
        """'private' where epsilon is enclosed there, else "undecided"."""
        return "undecided" if self.upper is None else "private"

    @classmethod
    def of(cls, row: Sequence[str]) -> CurvePoint:
        """The point of a row of the file."""
        delta, lower, upper, _ = row
        return cls(Fraction(delta), Fraction(lower) if lower else None, Fraction(upper) if upper else None)

    def row(self) -> list[str]:
        """The row of the file: delta, both ends, verdict."""
        ends = ["" if end is None else str(end) for end in (self.lower, self.upper)]
        return [str(self.delta), *ends, self.verdict]


@dataclass(frozen=True, slots=True)
class Curve(Shown):
    """epsilon of a generator on a grid of delta = Delta/sigma, in increasing order.

    With a `level` it is the least eps for which the noise is (eps, level)-private, without one the pure epsilon.
    `mixing` is the law of V where the curve is of a mixture; `assumptions` are those of all its points.
    """

    generator: Generator
    points: tuple[CurvePoint, ...]
    level: Fraction | None = None
    mixing: str | None = None
    assumptions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Curve {self.generator.text}, d={self.generator.dimension}: {len(self.points)} points>"

    @property
    def decided(self) -> list[CurvePoint]:
        """The points at which epsilon is enclosed."""
        return [p for p in self.points if p.upper is not None]

    def bounds(self, delta: Fraction) -> tuple[Fraction, Fraction | None]:
        """What the grid proves of epsilon at any delta > 0, by monotonicity; None where no point lies beyond."""
        known = self.decided
        deltas = [p.delta for p in known]
        before, after = bisect_right(deltas, delta), bisect_left(deltas, delta)
        lower = known[before - 1].lower if before else Fraction(0)
        assert lower is not None
        return lower, known[after].upper if after < len(known) else None

    def bands(self) -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
        """(delta, next delta, lower, upper): epsilon lies in [lower, upper] on [delta, next delta]."""
        for p, q in pairwise(self.decided):
            assert p.lower is not None and q.upper is not None
            yield p.delta, q.delta, p.lower, q.upper

    def write_csv(self, file: TextIO) -> None:
        """One row a point, every number an exact rational."""
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(p.row() for p in self.points)

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        generator = self.generator
        return {
            "generator": generator.text,
            "parameters": {name: str(value) for name, value in generator.parameters.items()},
            **({} if self.mixing is None else {"mixing": self.mixing}),
            "dimension": generator.dimension,
            **({} if self.level is None else {"level": str(self.level)}),
            "points": [dict(zip(COLUMNS, p.row(), strict=True)) for p in self.points],
            "assumptions": list(self.assumptions),
        }


def grid(start: Fraction, stop: Fraction, points: int) -> list[Fraction]:
    """That many short rationals from start to stop, evenly spaced in their logarithms."""
    width = (log(stop) - log(start)) / (points - 1)
    inner = [of_logarithm(k * width, start, min(width, 1) / 10_000) for k in range(1, points - 1)]
    return [start, *inner, stop]


def curve(
    generator: str | Generator | Law | None = None,
    *,
    mixing: str | Mixing | None = None,
    start: object = "1/10",
    stop: object = 10,
    points: int | None = None,
    parameters: Mapping[str, object] | None = None,
    dimension: int | None = None,
    level: object = None,
    partial: Path | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Curve:
    """Enclose epsilon(delta) on a grid of delta = Delta/sigma from start to stop.

    `mixing` is, in place of a generator, the law of V in X = V Z, Z Gaussian, as for `verify`. There are 41 points, or
    9 of a mixture, whose epsilon takes up to ten seconds each. With `level`, the delta of (eps, delta), it is the
    least eps with that level in place of the pure epsilon.
    `partial` is a file in which points are kept as they are proved: work that was cut short goes on from
    there, if the question is the same.

    Raises:
        InputError: for ends that are not 0 < start < stop, for fewer than 2 points or more than 10,000.
        Refusal: where the family is private for no epsilon, is no density generator, or no point of the
            grid is decided.
    """
    law = law_of(generator, mixing, dimension, parameters)
    if points is None:
        points = USUAL_POINTS if law.mixing is None else USUAL_POINTS_OF_MIXTURES
    low, high = parse_rational(start, "the start of the curve"), parse_rational(stop, "the end of the curve")
    if not 0 < low < high:
        raise InputError(f"the curve must run over 0 < start < end, not from {low} to {high}")
    if max(abs(log(low)), abs(log(high))) > FARTHEST:
        raise InputError("the ends of the curve have too many digits")
    if type(points) is not int or not 2 <= points <= MOST_POINTS:
        raise InputError(f"a curve has 2 to {MOST_POINTS} points")
    allowed = None if level is None else parse_rational(level, "the delta")
    if allowed is not None and not 0 < allowed < 1:
        raise InputError("a delta must lie between 0 and 1")
    if allowed is not None:
        law = Law(law.formula(), lemmas=law.lemmas)
    found: list[CurvePoint] = []
    with Partial(partial, law, allowed) as known:
        for count, delta in enumerate(grid(low, high, points), start=1):
            if progress is not None:
                progress(f"point {count} of {points}", 0)
            if delta not in known.rows:
                point, assumed = _point(law, delta, allowed)
                known.keep(point.row(), assumed)
            found.append(CurvePoint.of(known.rows[delta]))
    assumptions = tuple(sorted({name for p in found for name in known.assumed.get(p.delta, ())}))
    result = Curve(law.generator, tuple(found), allowed, law.density, assumptions)
    if not result.decided:
        why: Profile | Result
        if allowed is not None:
            why = _at_level(law.generator, low, allowed)
        else:
            why = law.epsilon(low, Fraction(1), None, True, None)
        raise Refusal("undecided", f"undecided at every point of the grid: {why.reason}")
    return result


def _at_level(generator: Generator, delta: Fraction, level: Fraction) -> Profile:
    return profile(generator, sensitivity=delta, delta=level)


def _point(law: Law, delta: Fraction, level: Fraction | None) -> tuple[CurvePoint, Sequence[str]]:
    """The point, and what its proof assumes."""
    if level is not None:
        found = _at_level(law.generator, delta, level)
        if found.verdict == "invalid":
            raise Refusal("invalid", found.reason)
        epsilon = found.points[0].epsilon if found.points else None
        ends = (epsilon.lower, epsilon.upper) if isinstance(epsilon, Enclosed) else (None, None)
        return CurvePoint(delta, *ends), (*law.lemmas, *found.assumptions)
    for tolerance in TOLERANCES if law.mixing is None else TOLERANCES[-1:]:
        result = law.epsilon(delta, Fraction(1), tolerance * min(delta, Fraction(1)), True, None)
        if result.verdict in ("not_private", "invalid"):
            raise Refusal(result.verdict, result.reason)
        if result.epsilon is not None:
            return CurvePoint(delta, result.epsilon.lower, result.epsilon.upper), result.assumptions
    return CurvePoint(delta, None, None), ()

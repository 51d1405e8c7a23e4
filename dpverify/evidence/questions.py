"""From the description of data, a statistic and a definition of neighbours to the set of differences.

A statistic is a sum or a mean of what each record adds, and that lies in a known set R. Then, a person having at
most m records (`each`), the differences T(D) - T(D') of neighbours are, up to sign,

- of a sum, m R where a person comes or goes, and m (R - R) where a person's records are replaced by as many others;
- of a mean, the same R - R in both cases: times m/n where records are replaced among n of them, and times
  m/(n + m) where the records of one person come to n others, the mean moving by m/(n + m) of the way from the mean
  of those to the mean of these.

As R may be taken with all that lies between its vectors, these sets are attained, but for a mean of n or more records,
where n is the least number. The description is public: what is read off private data is no bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .bodies import Ball, Body, Box, Counts, Largest, Points
from .norms import Norm, Vector, norm
from .refusal import matrix, rational, record, require, vector

FIELDS = {"statistic", "neighbours", "each", "records", "contribution", "covariance"}
NEIGHBOURS = {
    "add-remove": "D' is D with one person more or less",
    "replace": "D' is D with one person's records replaced by as many others",
    "given": "the list says which values can belong to neighbours",
}
MOST_RECORDS = 10**12


@dataclass(frozen=True)
class Question:
    """What Delta is asked of; `contribution` is the set R, `pairs` whether differences of two of its vectors count."""

    data: Mapping[str, Any]
    contribution: Body
    pairs: bool
    factor: Fraction
    norm: Norm

    def largest(self) -> Largest:
        """Delta^2 and a difference that attains it."""
        found = self.contribution.differences(self.norm) if self.pairs else self.contribution.largest(self.norm)
        square = self.factor**2
        return Largest(found.lower * square, found.upper * square, tuple(x * self.factor for x in found.at))

    def bounded(self, upper: Fraction) -> bool | None:
        """Whether Delta^2 <= upper, where that takes no search; None where `largest` is exact."""
        body = self.contribution
        if not isinstance(body, Ball) or body.norm != "l2" or self.norm.diagonal is not None:
            return None
        wide = 2 if self.pairs else 1
        return Ball(body.radius * wide * self.factor, body.size, body.norm).bounded(self.norm, upper)

    @property
    def ball(self) -> Fraction:
        """The radius of the ball that the differences fill, where the contributions fill one."""
        assert isinstance(self.contribution, Ball)
        return self.contribution.radius * (2 if self.pairs else 1) * self.factor


def question(data: Any) -> Question:
    """The question that plain data asks; raises Refusal where it cannot be asked."""
    fields = record(data, "the question", FIELDS)
    statistic, neighbours = fields["statistic"], fields["neighbours"]
    require(statistic in ("sum", "mean", "differences", "outputs"), "the statistic is none that is known")
    require(
        isinstance(neighbours, str) and neighbours in NEIGHBOURS, "the definition of neighbours is none that is known"
    )
    listed = statistic in ("differences", "outputs")
    require(
        listed == (neighbours == "given"), "listed differences and outputs, and they alone, have their neighbours given"
    )
    body = _body(fields["contribution"])
    require(not listed or isinstance(body, Points), "differences and outputs are listed as points")
    each, records = _whole(fields["each"], "each"), fields["records"]
    require(each == 1 or not listed, "listed differences are those of neighbours already")
    sigma = None if fields["covariance"] is None else matrix(fields["covariance"], "the covariance")
    factor = Fraction(each)
    if statistic == "mean":
        count = _whole(records, "records")
        require(neighbours != "replace" or each <= count, "a person has more records than there are")
        factor = Fraction(each, count if neighbours == "replace" else count + each)
    else:
        require(records is None, "the number of records is asked for a mean alone")
    pairs = statistic in ("mean", "outputs") or neighbours == "replace"
    return Question(fields, body, pairs, factor, norm(sigma, body.size))


def reasons(asked: Question) -> list[str]:
    """The derivation in sentences."""
    data, body = asked.data, asked.contribution
    found = []
    if data["neighbours"] == "given":
        what = "differences of neighbours" if data["statistic"] == "differences" else "outputs, any two of neighbours,"
        found.append(f"The {what} are listed: {len(body.points)} of them." if isinstance(body, Points) else "")
    else:
        found.append(f"Neighbours: {NEIGHBOURS[data['neighbours']]}; a person has at most {data['each']} record(s).")
        found.append(f"Each record adds {_told(body)}.")
        moves = "R - R" if asked.pairs else "R"
        moves = moves if asked.factor == 1 else f"{asked.factor} ({moves})"
        found.append(f"With R for the set of these, the {data['statistic']} moves by a vector of {moves}, up to sign.")
    if isinstance(body, Ball) and body.norm == "mahalanobis":
        found.append(f"q(v) = v' Sigma^-1 v is the square of that length, which is at most {asked.ball}.")
    else:
        found.append("q(v) = v' Sigma^-1 v is convex, so that its maximum is at an extreme point (Jensen).")
    if asked.bounded(Fraction(1)) is not None:
        found.append(
            f"The differences fill the ball of radius {asked.ball}, on which q is at most its square over the least "
            "eigenvalue of Sigma. That is bounded from below: Sigma less a multiple of the identity is positive "
            "semidefinite, by its factors L D L'."
        )
    return found


def _told(body: Body) -> str:
    if isinstance(body, Points):
        return f"one of {len(body.points)} listed vectors, or a vector between them"
    if isinstance(body, Box):
        return "a vector whose entries lie between stated bounds"
    if isinstance(body, Counts):
        return f"1 to at most {body.most} of {body.size} counts, and 0 to the others"
    length = "plain" if body.norm == "l2" else "Mahalanobis"
    return f"a vector clipped to the {length} length {body.radius}"


def _body(given: Any) -> Body:
    require(isinstance(given, dict) and isinstance(given.get("set"), str), "the contribution names no set")
    kind = given["set"]
    if kind == "points":
        return Points(tuple(matrix(record(given, "points", {"set", "points"})["points"], "points")))
    if kind == "columns":
        rows = matrix(record(given, "columns", {"set", "matrix"})["matrix"], "the matrix")
        return Points(tuple(zip(*rows, strict=True)))
    if kind == "box":
        record(given, "the box", {"set", "low", "high"})
        low, high = vector(given["low"], "the lower bounds"), vector(given["high"], "the upper bounds")
        require(len(low) == len(high), "there are not as many lower bounds as upper ones")
        require(all(a <= b for a, b in zip(low, high, strict=True)), "a lower bound is above the upper one")
        return Box(low, high)
    if kind == "counts":
        record(given, "counts", {"set", "cells", "most"})
        cells, most = _whole(given["cells"], "cells"), _whole(given["most"], "most")
        require(
            most <= cells <= 10_000, "there are more than 10000 counts, or a record is in more of them than there are"
        )
        return Counts(cells, most)
    require(kind == "ball", "the set of contributions is none that is known")
    return _ball(record(given, "the ball", {"set", "norm", "radius", "dimension"}))


def _ball(given: Mapping[str, Any]) -> Body:
    radius, size, kind = rational(given["radius"], "the radius"), _whole(given["dimension"], "dimension"), given["norm"]
    require(radius > 0, "the radius is not positive")
    require(size <= 10_000, "more than 10000 dimensions")
    if kind == "linf":
        return Box((-radius,) * size, (radius,) * size)
    if kind == "l1":
        require(size <= 500, "an l1 ball of more than 500 dimensions")
        axes = [tuple(radius * int(i == j) for i in range(size)) for j in range(size)]
        return Points((*axes, *(tuple(-x for x in axis) for axis in axes)))
    require(kind in ("l2", "mahalanobis"), "the norm is none of l1, l2, linf, mahalanobis")
    return Ball(radius, size, kind)


def _whole(value: object, what: str) -> int:
    require(type(value) is int and 1 <= value <= MOST_RECORDS, f"{what}: a positive integer is expected")
    assert isinstance(value, int)
    return value


__all__ = ["NEIGHBOURS", "Question", "Vector", "question", "reasons"]

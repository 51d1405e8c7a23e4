"""Student's t as a mixture, whose means are known, and laws on boxes that are given."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.laws import in_r

for section in SECTIONS:
    load_section(section)
Q, GALLERY = Fraction, Path(__file__).parents[2] / "certificates" / "mixtures"
NU, D = 3, 2


class Student:
    """g = (nu + d)/2 log(1 + s^2/nu), m = (nu + d)/(nu + s^2), E_s[V^-4] = m^2 + 2 m^2/(nu + d)."""

    def __init__(self, delta: str = "1", steep: bool = True) -> None:
        self.delta, self.steep, self.law = Q(delta), steep, SimpleNamespace()

    def at(self, s: Fraction) -> tuple[Interval, Interval, Interval]:
        m = interval(NU + D) * interval(NU + s * s).inverse()
        steep = Interval(Decimal(0), INF) if not self.steep and s == 0 else m * m * Q(NU + D + 2, NU + D)
        return self.g(s), m if self.steep or s else Interval(Decimal(0), INF), steep

    def g(self, s: Fraction) -> Interval:
        return interval(1 + s * s / NU).log() * Q(NU + D, 2)

    def rise(self, a: Fraction, b: Fraction) -> Interval:
        return self.g(b) - self.g(a)

    def loss(self, r: Fraction) -> Interval:
        return self.rise(r, r + self.delta)


def g(s: Any) -> Any:
    return (NU + D) / 2 * np.log1p(s * s / NU)


def bends(s: Any) -> Any:
    return (NU + D) * (NU - s * s) / (NU + s * s) ** 2


UNIT = Q(1, 10**40)


class Wide(Student):
    """What is known of g, m and E_s[V^-4] is off by a hundredth; or one of all that this permits."""

    def __init__(self, chosen: random.Random | None = None) -> None:
        super().__init__()
        self.chosen, self.known = chosen, dict[Any, Interval]()

    def one_of(self, key: Any, x: Interval) -> Interval:
        wide = x + Interval(Decimal("-0.01"), Decimal("0.01"))
        if self.chosen is None:
            return wide
        end = self.chosen.choice((wide.lo, wide.hi))
        return self.known.setdefault(key, Interval(end, end))

    def at(self, s: Fraction) -> tuple[Interval, Interval, Interval]:
        known, m, steep = super().at(s)
        return known, self.one_of(("m", s), m), self.one_of(("F", s), steep)

    def rise(self, a: Fraction, b: Fraction) -> Interval:
        return self.one_of((a, b), super().rise(a, b))


def law_of(text: str, dimension: int = D) -> Problem:
    return Problem(Reader(in_r(text), {}).tree(), dimension, Q(1), (Q(1, 16), 6), (Q(16), 6))


class Proved:
    """A proof whose boxes are given."""

    def __init__(self, text: str, marks: list[str], dimension: int = D) -> None:
        self.problem, points = law_of(text, dimension), [Q(m) for m in marks]
        self.given = list(pairwise(points))

    def boxes(self) -> list[tuple[Fraction, Fraction]]:
        return list(self.given)


MARKS = ["1/16", "1", "2", "4", "16"]

"""The radius of any generator: exact rejection under steps and a tail of which the density is proved to be below.

h(r) = r^(d-1) f(r^2) is, up to a factor, the density of the radius. On each panel h lies between two whole
numbers of units; beyond R it lies below a tail that is easy to draw. A radius is drawn from what is above,
by inverting its distribution function, which is exact in rational arithmetic, and is kept with
probability h over it. Of f nothing is needed but enclosures: no integral, no normalising constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

from dpverify.sampling.exact.bits import Ambiguous
from dpverify.sampling.exact.draw import Draw, Real


@dataclass(frozen=True, slots=True)
class PowerTail:
    """h(r) <= height (r/R)^(-fall - 1) units for r >= R; its mass is height R / fall."""

    height: Fraction
    fall: Fraction

    def mass(self, radius: Fraction) -> Fraction:
        return self.height * radius / self.fall

    def draw(self, at: Draw, radius: Fraction, rest: Real) -> tuple[Real, Real]:
        """r and the height above it, from a number uniform on (0, 1)."""
        factor = at.power(rest, 1 / self.fall)
        return at.number(radius) / factor, at.number(self.height) * rest * factor

    def to_json(self) -> dict[str, str]:
        return {"height": str(self.height), "fall": str(self.fall)}


@dataclass(frozen=True, slots=True)
class StepTail:
    """h(r) <= height ratio^k units for R + k l <= r < R + (k + 1) l, l the length; the mass is height l/(1 - ratio)."""

    height: Fraction
    ratio: Fraction
    length: Fraction = Fraction(1)

    def mass(self, radius: Fraction) -> Fraction:
        return self.height * self.length / (1 - self.ratio)

    def draw(self, at: Draw, radius: Fraction, rest: Real) -> tuple[Real, Real]:
        k, above = 0, Fraction(1)
        while at.below(rest, at.number(above * self.ratio)):
            k, above = k + 1, above * self.ratio
        place = (at.number(above) - rest) * at.number(self.length) / at.number(above * (1 - self.ratio))
        return place + at.number(radius + k * self.length), at.number(self.height * above)

    def to_json(self) -> dict[str, str]:
        return {"height": str(self.height), "ratio": str(self.ratio), "length": str(self.length)}


@dataclass(frozen=True)
class Envelope:
    """Steps over (0, R) and a tail beyond, in units of 2^exponent.

    `edges` are 0 = r_0 < r_1 < ... < R; on (r_i, r_(i+1)) floors[i] <= h <= heights[i] units.
    """

    dimension: int
    exponent: int
    edges: tuple[Fraction, ...]
    heights: tuple[int, ...]
    floors: tuple[int, ...]
    tail: PowerTail | StepTail
    weights: tuple[int, ...] = field(init=False, compare=False)
    """The masses below each edge, and of everything, in whole numbers of 1/share."""
    share: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        panels = [h * (b - a) for h, a, b in zip(self.heights, self.edges, self.edges[1:], strict=False)]
        masses = [*panels, self.tail.mass(self.edges[-1])]
        share = lcm(*(m.denominator for m in masses))
        weights = accumulate((int(m * share) for m in masses), initial=0)
        object.__setattr__(self, "weights", tuple(weights))
        object.__setattr__(self, "share", share)

    def radius(self, at: Draw) -> Real:
        """r, by a recipe: see the module."""
        while True:
            cell, rest = at.located(self.weights)
            v = at.uniform()
            if cell == len(self.heights):
                whole = self.weights[-1] - self.weights[-2]
                r, height = self.tail.draw(at, self.edges[-1], rest / whole)
            else:
                height = self.heights[cell]
                r = rest / (height * self.share) + at.number(self.edges[cell])
                if self._surely(at, v * height, self.floors[cell]):
                    return r
            density = at.generator(r) * at.number(Fraction(2) ** -self.exponent)
            if self.dimension > 1:
                density = density * at.power(r, Fraction(self.dimension - 1))
            if at.below(v * height, density):
                return r

    @staticmethod
    def _surely(at: Draw, level: Real, floor: int) -> bool:
        """Whether h need not be looked at; where the bits do not tell, it is."""
        try:
            return at.below(level, floor)
        except Ambiguous:
            return False

    def to_json(self) -> dict[str, Any]:
        return {
            "dimension": self.dimension,
            "exponent": self.exponent,
            "edges": [str(e) for e in self.edges],
            "heights": list(self.heights),
            "floors": list(self.floors),
            "tail": self.tail.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Envelope:
        tail = {name: Fraction(value) for name, value in data["tail"].items()}
        return cls(
            data["dimension"],
            data["exponent"],
            tuple(map(Fraction, data["edges"])),
            tuple(data["heights"]),
            tuple(data["floors"]),
            PowerTail(**tail) if "fall" in tail else StepTail(**tail),
        )

"""Sums of Gaussians as the panels of a profile see them: h(y) = sum of w_j (2 a_j)^(d/2) e^(-a_j y), y = r^2.

The derivatives of h in y have one sign each and fall in size, so that about an interval of y they lie between those at
its ends; and so does the mean of a_j, weighed by the terms, to which the slope of log h belongs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property

from flint import arb, arb_mat, arb_series, ctx

from dpverify.enclosures import Ball, Slope, exact
from dpverify.enclosures.nodes import Node
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import BELOW, RadialWeight
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import composed

FAR = 120.0
"""By how much more than the flattest's the exponents of terms are that are bounded together, besides n + d."""


class Terms:
    """The terms, the flattest first."""

    def __init__(self, atoms: Sequence[tuple[Fraction, Fraction]], d: int) -> None:
        pairs = sorted(atoms)
        self.d, self.count = d, len(pairs)
        self.rates, self.weights = [ball(a) for a, _ in pairs], [ball(w) for _, w in pairs]
        self.heights = [w * (2 * a) ** (arb(d) / 2) for a, w in zip(self.rates, self.weights, strict=True)]
        self.left = [arb(0)] * self.count
        total = arb(0)
        for k in range(self.count - 1, -1, -1):
            total = self.left[k] = total + self.weights[k]
        self.mass = total
        self.rough = [(float(a), float(h.log())) for a, h in zip(self.rates, self.heights, strict=True)]
        self._tables: dict[tuple[int, int, int], arb_mat] = {}

    @cached_property
    def unit(self) -> arb:
        """2^(d/2 - 1) Gamma(d/2), the integral of r^(d-1) e^(-r^2/2)."""
        half = arb(self.d) / 2
        return arb(2) ** (half - 1) * half.gamma()

    def _table(self, count: int, order: int) -> arb_mat:
        """(-a_j)^k/k! w_j (2 a_j)^(d/2), for the first terms."""
        key = count, order, ctx.prec
        if key not in self._tables:
            rows = [self.heights[:count]]
            for k in range(1, order + 1):
                rows.append([-x * a / k for x, a in zip(rows[-1], self.rates, strict=False)])
            self._tables[key] = arb_mat(rows)
        return self._tables[key]

    def at(self, y: arb, order: int) -> list[arb]:
        """h's Taylor coefficients at y."""
        first, last = self.rough[0][0] * float(y), FAR + order + self.d
        count = next((j for j, (a, _) in enumerate(self.rough) if a * float(y) > first + last), self.count)
        count = min(self.count, -(-count // 16) * 16)
        powers = arb_mat([[(-a * y).exp()] for a in self.rates[:count]])
        found = [row[0] for row in (self._table(count, order) * powers).tolist()]
        if count == self.count:
            return found
        a = self.rates[count]
        rest = self.left[count] * (2 * a) ** (arb(self.d) / 2) * (-a * y).exp()
        for k in range(order + 1):
            found[k] = found[k] + (arb(0).union(rest) if k % 2 == 0 else -arb(0).union(rest))
            rest = rest * a / (k + 1)
        return found

    def about(self, y: arb, order: int) -> list[arb]:
        """The same about each point of a ball."""
        low, high = y.lower(), y.upper()
        if not low > 0:
            low = arb(0)
        if low == high:
            return self.at(low, order)
        return [p.union(q) for p, q in zip(self.at(low, order), self.at(high, order), strict=True)]

    def beyond(self, radius: Fraction, outward: bool) -> arb:
        """At most the integral of r^(d-1) h beyond a radius, or within it: term by term (the checker's K586)."""
        total, r = arb(0), ball(radius)
        square, volume = r * r, r**self.d
        for a, w, height in zip(self.rates, self.weights, self.heights, strict=True):
            most, rate = w * self.unit, 2 * a * square - self.d if outward else arb(self.d)
            if rate > 0:
                bound = height * volume / rate
                most = most.min(bound * (-a * square).exp() if outward else bound)
            total = total + most
        return total.upper()

    def log(self, r: float) -> float:
        """log h over floats."""
        y = r * r
        logs = [h - a * y for a, h in self.rough]
        most = max(logs)
        return most + math.log(sum(math.exp(x - most) for x in logs if x >= most - 60))


class Sum(Problem):
    """h in place of a generator: log f and the losses by the terms; it has no charts."""

    terms: Terms

    @classmethod
    def of(cls, terms: Terms, delta: Fraction) -> Sum:
        found = cls(Node("gaussians"), terms.d, delta)
        object.__setattr__(found, "terms", terms)
        return found

    def falls(self, r: Fraction) -> tuple[arb, arb]:
        """log h at a radius, and the mean of a_j there."""

        def found() -> tuple[arb, arb]:
            value, slope = self.terms.at(ball(r) ** 2, 1)
            return value.log(), -slope / value

        return self.remembered(("falls", r), found)  # type: ignore[no-any-return]

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log h and its slope on a box: both are known by its ends."""
        (top, most), (bottom, least) = self.falls(a), self.falls(b)
        slope = (-2 * ball(b) * most).union(-2 * ball(a) * least)
        return Slope(Ball(bottom.union(top)), Ball(slope))

    def log_bounds(self, a: Fraction, b: Fraction) -> arb:
        return self.on_box(a, b).u.x

    def log_within(self, b: Fraction) -> arb:
        return self.on_box(Fraction(0), b).u.x

    def beside(self, b: Fraction, left: bool) -> arb:
        return self.falls(b)[0]

    def loss(self, a: Fraction, b: Fraction, h: Fraction) -> arb:
        """The loss on a box, from above: by the ends, or by the largest slope."""
        (top, most), (bottom, _) = self.falls(a), self.falls(b + h)
        return arb(0).union((top - bottom).min(most * exact(2 * h * (b + h))).upper())

    def log_at(self, r: Ball) -> arb:
        return self.terms.about(r.x**2, 0)[0].log()

    def rough_log(self) -> Callable[[float], float]:
        return self.remembered("rough", lambda: _remembering(self.terms.log))  # type: ignore[no-any-return]


def _remembering(function: Callable[[float], float]) -> Callable[[float], float]:
    known: dict[float, float] = {}

    def found(r: float) -> float:
        if r not in known:
            known[r] = function(r)
        return known[r]

    return found


class Weight(RadialWeight):
    """w of a sum: what lies beyond a radius is bounded term by term, and all of it may be lost."""

    def __init__(self, problem: Sum, reach: Fraction = Fraction(0)) -> None:
        super().__init__(problem, (), (), reach)
        self.terms = problem.terms

    def log(self, r: arb_series, a: Fraction, b: Fraction) -> arb_series:
        y = r * r
        return composed(y, self.terms.about(y[0], ctx.cap - 1)).log() - arb(exact(self.size))

    def _scaled(self, mass: arb) -> arb:
        return (mass * (-arb(exact(self.size))).exp()).upper()

    def inner(self, radius: Fraction) -> arb:
        return arb(0).union(self._scaled(self.terms.beyond(radius, False)))

    def outer(self, radius: Fraction) -> arb:
        return arb(0).union(self._scaled(self.terms.beyond(radius, True)))

    def tail(self, radius: Fraction) -> tuple[str, Fraction] | None:
        return BELOW, Fraction(0)

    def largest_loss(self, a: Fraction, b: Fraction) -> arb:
        return self.problem.loss(a, b, self.shift).upper()

    def lost_beyond(self, radius: Fraction, level: arb) -> arb:
        return self.outer(radius).upper()

"""What sums of terms are on a half-line: how small, between which bounds, and what that shows of them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpverify.export.coq import enclosure
from dpverify.export.coq.enclosure import Unknown, hull_of
from dpverify.export.coq.interval import ZERO, Interval, interval
from dpverify.export.coq.terms import CONSTANT, Monomial, Terms, add, constant, multiply, negative, over, scaled

COARSE = Interval(Decimal(1) - Decimal(2) ** -26, Decimal(1) + Decimal(2) ** -26)
"""What Coq rounds exponentials to where only their size matters."""
HUGE = 2**200


class HalfLine:
    """The half-line [T, oo), on which sums are kept to an order."""

    def __init__(self, start: int, order: int) -> None:
        self.start, self.order = start, order
        self.logs = [interval(start).log()]
        for _ in range(3):
            self.logs.append(self.logs[-1].log())
        self.spans: dict[Monomial, Interval | None] = {}

    def small(self, m: Monomial) -> Interval | None:
        """The values of a monomial that decreases to 0, or None."""
        if m not in self.spans:
            self.spans[m] = self._small(m)
        return self.spans[m]

    def _small(self, m: Monomial) -> Interval | None:
        slope: Interval | None = None
        for k in (3, 2, 1, 0):
            if slope is not None:
                steepest = Interval(max(slope.lo, Decimal(0)), max(slope.hi, Decimal(0)))
                slope = interval(m[k]) + steepest * enclosure.inverse(self.logs[k])
            elif m[k]:
                slope = interval(m[k])
            if m[k] and not any(m[:k]):
                break
        if slope is None or not slope.hi < 0:
            return None
        size = ZERO
        for q, log in zip(m, self.logs, strict=True):
            size = size + log * q
        return hull_of(0, size.exp() * COARSE)

    def bracket(self, f: Terms) -> tuple[Monomial, Interval] | None:
        """The largest monomial, and what f is as its multiple."""
        if not f:
            return None
        (following, c), *rest = reversed(f)
        total = interval(c)
        for m, c in rest:
            span = self.small(over(following, m))
            if span is None:
                return None
            following, total = m, interval(c) + total * span
        return following, total

    def span(self, f: Terms) -> Interval | None:
        """An enclosure of f on the whole half-line, or None where it may be unbounded."""
        if not f:
            return ZERO
        found = self.bracket(f)
        if found is None or found[0] == CONSTANT:
            return found and found[1]
        size = self.small(found[0])
        return None if size is None else found[1] * size

    def truncated(self, f: Terms) -> Terms:
        """What lies beyond the order goes into the coefficient of its largest monomial."""
        kept, rest = f[: self.order], f[self.order :]
        if len(rest) < 2:
            return f
        (bucket, c), *others = rest
        total = interval(c)
        for m, d in others:
            span = self.small(over(m, bucket))
            if span is None:
                raise Unknown
            total = total + interval(d) * span
        return [*kept, (bucket, total)]

    # ---- what a sum shows

    def nonnegative(self, f: Terms) -> bool:
        found = self.bracket(f)
        return not f or (found is not None and found[1].lo >= 0)

    def excess(self, k: Fraction, bound: Fraction, f: Terms) -> Terms:
        """k f - bound."""
        return self.truncated(add(self.truncated(multiply(constant(k), f)), constant(-bound)))

    def at_most(self, k: Fraction, bound: Fraction, f: Terms) -> bool:
        """Whether k f <= bound on the whole half-line."""
        return self.nonnegative(negative(self.excess(k, bound, f)))

    def grows(self, f: Terms) -> bool:
        """Whether f tends to +oo."""
        found = self.bracket(f)
        return found is not None and found[1].lo > 0 and self.small(scaled(Fraction(-1), found[0])) is not None

    def bounded_below(self, f: Terms) -> bool:
        span = self.span(f)
        return self.nonnegative(f) or (span is not None and (span + HUGE).lo > 0)

    def fades(self, f: Terms) -> bool:
        found = self.bracket(f)
        return not f or (found is not None and (found[1] + HUGE).lo > 0 and self.small(found[0]) is not None)

    def limit_at_least(self, k: Fraction, bound: Fraction, f: Terms) -> bool:
        """Whether k f is at least the bound in the limit."""
        rest = self.excess(k, bound, f)
        if self.nonnegative(rest):
            return True
        if rest and rest[0][0] == CONSTANT:
            return interval(rest[0][1]).lo >= 0 and self.fades(rest[1:])
        return self.fades(rest)

    def grows_up(self, f: Terms) -> bool:
        found = self.bracket(f)
        return found is not None and found[1].lo > 0 and found[0] > CONSTANT

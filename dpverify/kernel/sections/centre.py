"""Near the centre: log f on boxes by its model at zero, where terms cancel that intervals
cannot."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import ZERO, Interval, hull, interval
from ..rules import require, rule
from ..steps import Steps
from ..tree import Node, mul, num, power
from .charts import EXTENSIONS, MAX_WORK, Problem, chart
from .falling import may_jump
from .increments import mean_value
from .models import Germ, Known, Model, power_of_t
from .slopes import Slope, with_slope


def scaled(node: Node, s: Fraction) -> Node:
    """The tree with s r in the place of r."""
    if node.kind == "r":
        return mul(num(s), node)
    if node.kind == "pow" and node.args[0].kind == "r":
        return mul(power(num(s), node.args[1]), node)
    branches = any(isinstance(a, tuple) for a in node.args)
    require(not branches, "a series is asked for, but f has branches")
    parts = (scaled(a, s) if isinstance(a, Node) else a for a in node.args)
    return Node(node.kind, *parts)


class NearCentre(Problem):
    """A problem with f and its slopes as sums of powers of r on (0, reach], for boxes that begin
    there.

    The models are those of f(s^2 r^2), s = 2 reach, on (0, 1/2].
    """

    def __init__(self, problem: Problem, steps: Steps) -> None:
        vars(self).update(vars(problem))
        (self.reach, order), self.used = chart(steps.take("series"), "series"), False
        steps.at_end.append(self.ended)
        small = self.tree.size * order**3 <= MAX_WORK
        require(small, "a series' order is too large for so large a generator", "limits")
        self.scale = 2 * self.reach
        r = Model(Germ(Fraction(2), order), {power_of_t(-1): Fraction(1)})
        value = self.at_zero(with_slope(r)).value(scaled(self.tree, self.scale))
        self.value, self.slopes = value.u, value.du
        monomials = [m for model in (value.u, value.du) for m in model.terms]
        plain = all(m == power_of_t(m[1]) and not isinstance(m[1], Known) for m in monomials)
        require(plain, "the series at the centre has other terms than powers of r", "K104")

    def ended(self) -> None:
        """No step is taken in vain: whether it is must not hang on which sections are loaded."""
        require(self.used, "no box begins near the centre", "steps")

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        return self.on_first_box(a, b) if a < self.reach else super().on_box(a, b)

    @rule("K104")
    def on_first_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on a box that begins near the centre.

        Lemma.  With s = 2 r1 the model at zero of F(x) = f(s^2 x^2) is a sum of c x^k, each c in
        its coefficient at every x <= 1/2, and so is that of F'; on a box within (0, r1] they lie in
        the sums of the coefficients times the powers of the box over s.  If F > 0 there, log f =
        log F, and its slopes are F'/(s F).  Beyond r1 the box is evaluated as others are: values
        lie in the hull of both parts; and if f does not jump at r1, by its form or since its slopes
        on a box around r1 are bounded, difference quotients across r1, which are means of those on
        either side, lie in that of theirs.
        """
        self.used = True
        near = hull(interval(a), interval(min(b, self.reach)))
        pair = self.log_near(near)
        if b <= self.reach:
            return pair
        if may_jump(self.tree):
            tiny = self.reach / 10**30
            around = super().on_box(self.reach - tiny, self.reach + tiny)
            require(around.du.finite(), "f may jump where the series ends")
        beyond = super().on_box(self.reach, b)
        return Slope(hull(pair.u, beyond.u), hull(pair.du, beyond.du))

    def log_near(self, r: Interval) -> Slope:
        x = r * (1 / self.scale)
        value = summed(self.value, x)
        require(value.lo > 0, "the generator is not positive where the proof needs it")
        slopes = summed(self.slopes, x) * value.inverse() * (1 / self.scale)
        return Slope(value.log(), slopes)

    def at_radius(self, r: Interval) -> Interval:
        return self.log_near(r).u if r.hi <= interval(self.reach).lo else super().at_radius(r)

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        return self.first_loss(a, b, h) if a < self.reach else super().loss(a, b, h, above)

    @rule("K105")
    def first_loss(self, a: Fraction, b: Fraction, h: Fraction) -> Interval:
        """phi_h on a box that begins near the centre.

        Lemma.  phi_h(r) = log f(r^2) - log f((r + h)^2): both and their slopes are enclosed apart
        (K104), their differences enclose phi_h and its slopes, and the mean value form (K18) holds.
        """
        here, ahead = self.on_box(a, b), self.on_box(a + h, b + h)
        whole = Slope(here.u - ahead.u, here.du - ahead.du)
        difference = lambda m: self.at_radius(m) - self.at_radius(m + interval(h))  # noqa: E731
        return mean_value(whole, a, b, difference)


def summed(model: Model, r: Interval) -> Interval:
    """The sum of a model's terms where r runs through a box."""
    total = ZERO
    for m, c in model.terms.items():
        total = total + power_of(r, -Fraction(m[1])) * c
    return total


def power_of(r: Interval, p: Fraction) -> Interval:
    """r^p for positive r, monotone in r."""
    ends = [Interval(e, e).power(p) for e in (r.lo, r.hi) if e > Decimal(0)]
    require(len(ends) == 2, "a box at the centre does not begin beyond it")
    return hull(*ends)


EXTENSIONS["series"] = lambda problem, steps, _: NearCentre(problem, steps)

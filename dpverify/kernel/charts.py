"""log f and the privacy loss on the three charts that cover (0, oo).

r = sqrt(y), g(r) = -log f(r^2), phi_h(r) = g(r + h) - g(r).  The charts are a model at zero on
(0, r0], boxes between, and a model at infinity on [R, oo); what a model is, and how losses are
enclosed, sections bring.  Single radii carry no probability, so suprema are over open boxes, and
limits over open cells of phases.
"""

from __future__ import annotations

from fractions import Fraction

from .evaluation import Evaluation
from .intervals import Interval, hull, interval
from .pairs import Slope
from .rules import brought, require, rule
from .tree import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .sections.models import Germ, Model

    Box = tuple[Fraction, Fraction]


MOST_KEPT = 256


class Problem:
    """One generator with its sensitivity, on the three charts that the proof names.

    `zero` and `infinity` are pairs of a radius and an order.
    """

    def __init__(self, tree: Node, dimension: int, delta: Fraction, zero: tuple[Fraction, int],
                 infinity: tuple[Fraction, int]) -> None:
        self.tree, self.dimension, self.delta = tree, dimension, delta
        (self.r0, order), (self.r1, far_order) = zero, infinity
        germ = brought("models")
        self.zero: Germ = germ(1 / self.r0, order)
        self.infinity: Germ = germ(self.r1, far_order)
        self.at_zero: Callable[..., Evaluation] = Evaluation
        self.at_box: Callable[..., Evaluation] = Evaluation
        self.at_infinity: Callable[..., Evaluation] = Evaluation
        self.known: dict[Any, Any] = {}
        self.latest: dict[Any, Any] = {}

    def log_f(self, at: Evaluation) -> Any:
        sign, log = at.log(self.tree)
        require(sign == 1, "the generator is not positive where the proof needs it")
        return log

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def lately(self, key: Any, compute: Callable[[], Any]) -> Any:
        """The same for what boxes and shifts beside each other share: the last few are kept."""
        if key not in self.latest:
            if len(self.latest) >= MOST_KEPT:
                self.latest.clear()
            self.latest[key] = compute()
        return self.latest[key]

    def near_zero(self) -> Slope:
        """log f and its slopes on (0, r0], as models in t = 1/r."""
        at = self.at_zero
        return self.once("zero", lambda: self.log_f(at(with_slope(self.zero.radius(-1)))))

    def far(self, germ: Germ) -> Slope:
        """log f and its slopes on the germ."""
        at = self.at_infinity
        return self.once(("far", germ), lambda: self.log_f(at(with_slope(germ.radius()))))

    def far_shift(self, germ: Germ, h: Fraction | Interval) -> Model:
        """phi_h on the germ."""
        return brought("increments far out")(self, germ, h)

    def far_loss(self, germ: Germ) -> Model:
        """phi_delta on the germ."""
        return self.once(("far loss", germ), lambda: self.far_shift(germ, self.delta))

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on the open box (a, b)."""
        return self.lately((a, b), lambda: self.log_f(self.at_box(radii(a, b), (a, b))))

    def at_radius(self, r: Interval) -> Interval:
        """log f at one radius."""
        return self.log_f(self.at_box(r))

    def value_on_box(self, a: Fraction, b: Fraction) -> Interval:
        """f on the open box (a, b), where its sign need not be known."""
        return self.at_box(radii(a, b), (a, b)).value(self.tree).u

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        """phi_h on the open box (a, b), where `above` says that its upper bound alone counts."""
        return brought("increments on a box")(self, a, b, h, above)


def radii(a: Fraction, b: Fraction) -> Slope:
    """The radii of the box [a, b]."""
    return with_slope(hull(interval(a), interval(b)))


@rule("K16")
def with_slope(r: Any) -> Slope:
    """A function together with its slopes.

    Lemma.  The difference quotients of u + v, u v, 1/u, e^u, log u, u^p ... lie in what the rules
    of the derivative give when u, v and their slopes run through their enclosures: for smooth
    outer functions by the mean value theorem, for products by u(s)v(s) - u(t)v(t) =
    (u(s) - u(t)) v(s) + u(t) (v(s) - v(t)).
    """
    return Slope(r, r.const(1))

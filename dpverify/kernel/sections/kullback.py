"""The Renyi divergence of order 1: the mean of the loss, by an integral of its own.

Notation as in renyi.py, g = log f: for a non-increasing f, D_1 is I/Z, I being the integral of
r^(d-1) f(r) (g(r) - A(r)) over r > 0 and A(r) the mean of g(b) over the directions c.
"""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, Interval, add_up, hull, interval
from ..rules import BROUGHT, require, rule
from ..steps import rational, record, whole
from .fields import points
from .hypotheses import Proof
from .moments import noise_of
from .panels import Noise, mass
from .renyi import FIELDS, Cells, Weight, beyond, of_rows, positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Box

ONE, ABOVE_1_E = Fraction(1), Fraction(3, 8)


class Losses(Cells):
    """I on the cells of a panel, f(b)^(1 - L) giving way to -g(b)."""

    def __init__(self, noise: Noise) -> None:
        super().__init__(noise, ONE)

    def across(self, log: Any) -> Any:
        return -log

    def own(self, w: Weight, box: Box) -> list[Interval]:
        """r^(d-1) f g over a panel of radii."""
        return [(w.w * self.n.log(self.n.radius(*box), box)).integral()]


@rule("K573")
def losses_beyond(noise: Noise, share: Fraction, radius: Fraction) -> Interval:
    """I beyond R, where L = 1.

    Lemma.  With l = log(p/q) and h > 0, p l is at most p^(1 + h) q^(-h)/h, of which K557 tells what
    is left beyond R, and at least -q/e, where q beyond R is at most p beyond R - s.
    """
    most = beyond(noise, 1 + share, radius) * (1 / share)
    return Interval((noise.beyond(radius - noise.s, True) * -ABOVE_1_E).lo, most.hi)


@rule("K574")
def losses_within(proof: Proof, cells: Losses, share: Fraction, half: Any, radius: Fraction
                  ) -> Interval:
    """I where |x| < R < s, and L = 1.

    Lemma.  g(R) - g(b) lies between its values for b = s - R and s + R.  g(r) - g(R) is not
    negative, and for h > 0 at most (f(r)^h f(R)^(-h) - 1)/h.  The integrals of r^(d-1) f and
    r^(d-1) f^(1 + h) are those of K153.
    """
    p, s = cells.n.p, cells.s
    require(radius < s, "the centre reaches as far as the shift", "steps")
    here, *there = (p.at_radius(interval(x)) for x in (radius, s - radius, s + radius))
    w, more = (noise_of(proof, order, half).by_powers(radius, False) for order in (ONE, 1 + share))
    rise = (more * (here * -share).exp() - w) * (1 / share)
    return hull(*(here - g for g in there)) * w + Interval(D0, max(D0, rise.hi))


@rule("K572")
def mean_loss(proof: Proof, given: Any) -> tuple[str, Interval]:
    """The Renyi divergence of order 1, by an integral of its own.

    Lemma.  I is the sum over the panels of the integrals of r^(d-1) f g and, over each panel's
    cells, of those of K553 to K555 with -g(b) in the place of f(b)^(1 - L), of what is within the
    first mark, and of what is beyond the last.  For non-increasing f D_1 does not fall as the shift
    grows, and it is not negative.
    """
    p, step = proof.problem, record(given, "renyi", FIELDS | {"share"})
    half, share = step["order"], rational(step["share"], "renyi.share")
    require(0 < share <= 1, "a share of an order is not between 0 and 1", "steps")
    noise = Noise(p, 2 * whole(half, "renyi.order", 1, 24), Fraction(0))
    cells = Losses(noise)
    parts, marks = of_rows(cells, step), points(step["marks"], "renyi.marks")
    parts.append(losses_beyond(noise, share, marks[-1]))
    if marks[0]:
        parts.append(losses_within(proof, cells, share, half, marks[0]))
    z = mass(noise, step["mass"])
    require(z.lo > 0, "the integral of w is not shown positive", "K154")
    return step["at"], mean(add_up(parts), z)


def mean(found: Interval, z: Interval) -> Interval:
    """I/Z."""
    return positive(found * z.inverse())


BROUGHT["a mean of the loss"] = mean_loss

"""The loss on a shell a < |x| < b, for an f that does not rise, by how far f falls."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import NEG_INF, ZERO, Interval
from ..rules import BROUGHT, rule
from .models import Germ
from .panels import excess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .panels import Noise


@rule("K278")
def largest_loss(noise: Noise, a: Fraction, b: Fraction) -> Interval:
    """The largest loss on a shell.

    Lemma.  Let f not rise.  Where a < |x| < b, |x - u| < b + s, and so the loss is at most log M -
    log f((b + s)-), where f(|x|^2) <= M: f(a+) is such an M, and for a = 0 a bound of f by its
    model at the centre.
    """
    p = noise.p
    if a:
        here = noise.height(a, True)
    else:
        here = p.log_f(p.at_zero(Germ(1 / b, p.zero.order).radius(-1))).span()
    return Interval(NEG_INF, (here - noise.height(b + noise.s, False)).hi)


@rule("K571")
def stretch(noise: Noise, side: int, a: Fraction, b: Fraction, word: str
            ) -> tuple[Interval, Interval]:
    """The points x = side rho, a < rho < b, of the line, not in S' ("o").

    Lemma.  Let f not rise.  |x - u| is at most rho + s on either side, and so no loss is larger
    than K278's; a point costs a share of p as in K160.
    """
    return ZERO, noise.bound(a, b) * excess(noise.largest(a, b) - noise.epsilon)


BROUGHT["the largest loss on a shell"] = largest_loss
BROUGHT["a stretch by how far f falls"] = stretch

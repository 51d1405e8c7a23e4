"""A mixing law replaced by finitely many atoms: at most how far the two mixtures are apart.

K(s) is the density of N(0, e^(2 s) I) in d dimensions, s = log v, and |u| the integral over space
of the absolute value of u.  A law with the density p(v) has the mixture f, the integral of K(log v)
p(v) dv; atoms with the weights w_j at v_j have h, the sum of w_j K(log v_j).  A patch is a stretch
of v on which X = (log v - c)/k lies in [-1, 1]: there |f - h| is small if the moments of p against
Chebyshev polynomials T_n(X) are near those of the atoms.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ..intervals import D0, INF, ZERO, Interval, add_up, interval
from ..rules import require, rule
from ..steps import named, rational, record, whole
from .dots import MANY
from .fields import points
from .hilbert import ENDS
from .jets import Jet, Series, dot
from .messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Box, Problem

MOST_MARKS, MOST_ATOMS, MOST_MOMENTS, MOST_WORK = 4_000, 3_000, 100, 60_000_000
HALF, STEEPEST = Fraction(1, 2), Fraction(3, 2)
FIELDS = {"centre", "half", "ellipse", "moments", "marks", "rates", "weights"}


class Patch:
    """X on one stretch of v, and its first moments; q is the sum of the ellipse's half axes."""

    def __init__(self, given: Any) -> None:
        step = record(given, "patch", FIELDS)
        self.centre, self.half, self.q = (
            rational(step[name], f"patch.{name}") for name in ("centre", "half", "ellipse"))
        self.count = whole(step["moments"], "patch.moments", 1, MOST_MOMENTS)
        self.marks, self.rates, self.weights = (
            points(step[name], f"patch.{name}") for name in ("marks", "rates", "weights"))
        rising = len(self.marks) >= 2 and all(a < b for a, b in pairwise(self.marks))
        require(rising and self.marks[0] > 0, "patch.marks is not a list of scales", "steps")
        positive = min([self.half, *self.rates, *self.weights]) > 0
        matched = len(self.rates) == len(self.weights) and positive
        require(matched, "the atoms of a patch are not positive weights of rates", "steps")

    def place(self, log: Interval) -> Interval:
        """X at log v."""
        return (log - interval(self.centre)) * (1 / self.half)

    def chebyshev(self, x: Interval) -> list[Interval]:
        """T_n(X) for n < N, X in [-1, 1]."""
        require(x.lo >= -1 and x.hi <= 1, "a patch does not reach as far as it is said to")
        found = [interval(1), x]
        while len(found) < self.count:
            found.append(x * found[-1] * 2 - found[-2])
        return found[: self.count]


@rule("K580")
def ellipse(patch: Patch, d: int) -> Interval:
    """C, which |K(s)| is at most on the ellipse of a patch.

    Lemma.  For s = a + i t, |t| < pi/4, the absolute value of K(s) at x is e^(-d a) (2 pi)^(-d/2)
    exp(-|x|^2 e^(-2 a) cos(2 t)/2), whose integral is (cos 2 t)^(-d/2).  Where X is in the
    ellipse with the foci -1 and 1 whose half axes add up to q, |t| is at most k (q - 1/q)/2; and
    cos u is at least 1 - u^2/2 + u^4/24 - u^6/720.
    """
    require(patch.q > 1, "an ellipse has no width", "steps")
    u = patch.half * (patch.q - 1 / patch.q)
    require(u <= STEEPEST, "an ellipse leaves the strip on which K is integrable", "K580")
    square = u * u
    cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
    return interval(cosine).power(Fraction(-d, 2))


@rule("K581")
def moments(p: Problem, order: int, box: Box, patch: Patch) -> list[Interval]:
    """The integrals of T_n(X) p(v) dv on a panel, n < N, where p is not negative.

    Lemma.  With log v = m + h x, m = (log a + log b)/2 and h = (log b - log a)/2, x runs from -1 to
    1; p(v) v is made of series in x (K150), and so a Taylor polynomial with a remainder (K151), and
    T_n(X) a polynomial in x.  The remainder's coefficient lies in an interval R: times x^j, j odd,
    its integral is that of the difference of two of its values over [0, 1].  p is not negative by
    its range on the panel, or on the box.
    """
    a, b = (interval(x).log() for x in box)
    across = [(a + b) * HALF, (b - a) * HALF, *[ZERO] * (order - 1)]
    v = Jet(Series(across), Series(MANY.about_each_point(across))).exp()
    values = [p.at_box(u, e).value(p.tree) for u, e in ((v.middle, None), (v.whole, box))]
    smooth = [x for x in values if isinstance(x, Series) and all(c.finite() for c in x.c)]
    require(len(smooth) == 2, "p is not shown smooth on a panel", "K151")
    found = Jet(*smooth)
    known = found.narrow().span().lo >= 0 or p.value_on_box(*box).lo >= 0
    require(known, f"p is not shown to be nowhere negative on [{shown(box[0])}, {shown(box[1])}]")
    terms = (found * v).narrow().terms()
    powers = [integral_of(terms, j) * across[1] for j in range(patch.count)]
    return [dot(t, powers) for t in polynomials(patch, across[0], across[1])]


def integral_of(terms: list[Interval], j: int) -> Interval:
    """The integral over [-1, 1] of x^j times a polynomial with a remainder."""
    *known, rest = terms
    n = len(known)
    parts = [x * Fraction(2, i + j + 1) for i, x in enumerate(known) if (i + j) % 2 == 0]
    if (n + j) % 2 == 0:
        return add_up([ZERO, *parts, rest * Fraction(2, n + j + 1)])
    return add_up([ZERO, *parts, (rest - rest) * Fraction(1, n + j + 1)])


def polynomials(patch: Patch, m: Interval, h: Interval) -> list[list[Interval]]:
    """The coefficients in x of T_n(X), n < N."""
    x, step = patch.place(m) * 2, h * (2 / patch.half)
    found = [[interval(1)], [x * HALF, step * HALF]]
    while len(found) < patch.count:
        before, last = [*found[-2], ZERO, ZERO], found[-1]
        ahead = [ZERO, *(c * step for c in last)]
        found.append([c * x + up - old for c, up, old in zip([*last, ZERO], ahead, before)])
    return found[: patch.count]


@rule("K582")
def distance(p: Problem, order: int, patch: Patch, d: int) -> Interval:
    """At most |f - h| on a patch.

    Lemma.  K(s) is a sum of c_n T_n(X) with |c_0| <= C and |c_n| <= 2 C q^-n (K580, and Fubini), by
    the integrals over the ellipses within that have the coefficients.  |T_n(X)| is at most 1 where
    X is in [-1, 1], as v is from the first mark to the last, and v_j = (2 a_j)^(-1/2) for the
    atoms' rates a_j.  So |f - h| is at most C |m_0| + 2 C (|m_1|/q + ... + |m_(N-1)| q^(1-N)) + 2 C
    q^-N/(1 - 1/q) m, m_n being the integral of T_n(X) against p less that against the atoms (K581),
    and m the mass of p and of the atoms.
    """
    for end in (patch.marks[0], patch.marks[-1]):
        patch.chebyshev(patch.place(interval(end).log()))
    of_law = [moments(p, order, box, patch) for box in pairwise(patch.marks)]
    places = [patch.place(interval(2 * a).log() * -HALF) for a in patch.rates]
    of_atoms = [[t * w for t in patch.chebyshev(x)]
                for x, w in zip(places, patch.weights, strict=True)]
    less = [add_up([ZERO, *(part[n] for part in of_law), *(-part[n] for part in of_atoms)])
            for n in range(patch.count)]
    mass = add_up([part[0] for part in of_law] + [interval(w) for w in patch.weights])
    most = ellipse(patch, d)
    parts = [size(x) * (min(2, n + 1) * patch.q**-n) for n, x in enumerate(less)]
    left = mass * (2 * patch.q ** (1 - patch.count) / (patch.q - 1))
    return Interval(D0, (most * add_up([*parts, left])).hi)


def size(x: Interval) -> Interval:
    """The absolute value, from 0 to the largest."""
    most = max(x.hi, x.lo.copy_negate())
    return Interval(D0, most)


class Discrete:
    """The atoms of all patches, as rates and weights, and what |f - h| is at most."""

    def __init__(self, p: Problem, given: Any, d: int) -> None:
        step = record(given, "atoms", {"order", "patches", "ends"})
        order = 2 * whole(step["order"], "atoms.order", 1, 24)
        require(isinstance(step["patches"], list), "atoms.patches is not a list", "format")
        patches = [Patch(patch) for patch in step["patches"]]
        joined = bool(patches) and all(
            a.marks[-1] == b.marks[0] for a, b in pairwise(patches))
        require(joined, "the patches do not join", "steps")
        marks = sum(len(patch.marks) for patch in patches)
        work = marks * (p.tree.size + 20) * order**2
        work += sum(len(x.marks) * x.count * (x.count + order) for x in patches) * 2
        atoms = sum(len(patch.rates) for patch in patches)
        fits = marks <= MOST_MARKS and atoms <= MOST_ATOMS and work <= MOST_WORK
        require(fits, "the patches are too many for such an order and law", "limits")
        self.rates = [a for patch in patches for a in patch.rates]
        self.weights = [w for patch in patches for w in patch.weights]
        words = record(step["ends"], "atoms.ends", {"zero", "infinity"})
        first, last = patches[0].marks[0], patches[-1].marks[-1]
        beyond = [named(ENDS, words[side], "atoms.ends names no rule")(p, at, side)
                  for at, side in ((first, "zero"), (last, "infinity"))]
        self.distance = self.apart(beyond, [distance(p, order, x, d) for x in patches])

    @rule("K583")
    def apart(self, beyond: list[Interval], parts: list[Interval]) -> Interval:
        """At most |f - h|.

        Lemma.  f is the sum of its parts on the patches and beyond them, and |K(s)| = 1 for real s,
        so that what lies beyond counts with its mass.
        """
        found = add_up([*beyond, *parts])
        require(found.hi < INF, "the distance of the mixtures is not shown finite")
        return Interval(D0, found.hi)

"""A mixing law replaced by finitely many atoms, with a bound of how far the two mixtures are apart.

On a patch of log v the density of N(0, e^(2 s) I) is a sum of Chebyshev polynomials in s whose coefficients' L1 norms
fall like q^-n, since it is integrable about an ellipse (the checker's K580).  So atoms that match the law's first N
moments there, half as many as in Gauss's rule, stand for it up to about q^-N.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from flint import arb, arb_poly, arb_series

from dpverify.enclosures import Undecided, exact
from dpverify.findings import Reason
from dpverify.profiles.hilbert.mean import Law
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import UNIT, Jet, capped, value

ORDER, NODES, FIRST = 24, 40, 4
"""The order of Taylor polynomials of p and of Gauss's rules on the panels of a patch, and how many one begins with."""
LONG, SHORT, HIGH = 2.0, 1.0, 16
"""How long a patch is in log v; and from which dimension on shorter, as narrower ellipses do there."""
DIGITS, MORE, MOST_MOMENTS = 22, 3, 100
"""How many digits of atoms are written at least, and how many more than the distance asks for."""
NARROWEST = Fraction(1, 2**30)
STRIPS = [Fraction(k, 20) for k in range(2, 15)]
"""How far from the real line ellipses may reach, all of it below pi/4."""
ONE = arb(1)


@dataclass(frozen=True)
class Panel:
    """p(v) v on a < v < b as a polynomial in x, log v = m + h x, and the remainder's coefficient."""

    a: Fraction
    b: Fraction
    m: arb
    h: arb
    terms: tuple[arb, ...]

    def moments(self, of: Ellipse, count: int) -> list[arb]:
        """The integrals of T_n(X) p(v) dv."""
        powers = [self._power(j) * self.h for j in range(count)]
        x = arb_poly([of.place(self.m), self.h / exact(of.half)])
        return [sum((c * m for c, m in zip(t.coeffs(), powers, strict=False)), arb(0)) for t in polynomials(x, count)]

    def _power(self, j: int) -> arb:
        """The integral of x^j p v over [-1, 1]."""
        *known, rest = self.terms
        found = sum((c * 2 / (i + j + 1) for i, c in enumerate(known) if (i + j) % 2 == 0), arb(0))
        n = len(known)
        return found + (rest * 2 if (n + j) % 2 == 0 else rest.rad() * 2 * UNIT) / (n + j + 1)


def polynomials(x: arb_poly, count: int) -> Iterator[arb_poly]:
    """T_n(x), n < count."""
    before, last = x, arb_poly([1])
    for _ in range(count):
        yield last
        before, last = last, 2 * x * last - before


@dataclass(frozen=True)
class Ellipse:
    """X = (log v - centre)/half, and an ellipse about [-1, 1] whose half axes add up to q."""

    centre: Fraction
    half: Fraction
    q: Fraction

    def place(self, log: arb) -> arb:
        return (log - exact(self.centre)) / exact(self.half)

    def most(self, d: int) -> arb:
        """The L1 norm of the Gaussian about it."""
        return (exact(self.half * (self.q - 1 / self.q)) * ONE).cos() ** (-arb(d) / 2)

    def left(self, d: int, count: int) -> arb:
        """By how much two laws of mass one may differ whose first moments are the same."""
        return self.most(d) * 2 * exact(self.q) ** (1 - count) / exact(self.q - 1)


@dataclass(frozen=True)
class Patch:
    """The law from the first mark to the last as atoms with the rates 1/(2 v^2), and how far that is off."""

    ellipse: Ellipse
    count: int
    marks: tuple[Fraction, ...]
    rates: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    distance: arb


@dataclass(frozen=True)
class Discrete:
    """The patches of a law, and the distance of the mixtures, what lies beyond the patches included."""

    patches: tuple[Patch, ...]
    distance: arb

    @property
    def atoms(self) -> list[tuple[Fraction, Fraction]]:
        """Rates and weights."""
        return [pair for patch in self.patches for pair in zip(patch.rates, patch.weights, strict=True)]


def discrete(law: Law, d: int, allowed: Fraction) -> Discrete:
    """Atoms for the law in d dimensions, about as near to it as is allowed, times e^size; raises Undecided."""
    (a, below), (b, above) = law.end(False, allowed / 4), law.end(True, allowed / 4)
    size = arb(exact(law.radial.size)).exp()
    stops = [a, *sorted(x for x in law.radial.breaks if a < x < b), b]
    boxes = [box for stretch in pairwise(stops) for box in _parted(*stretch, SHORT if d >= HIGH else LONG)]
    share = ball(allowed) * size / (2 * len(boxes))
    patches = tuple(patch for box in boxes for patch in _patches(law, d, box, share))
    return Discrete(patches, (sum((x.distance for x in patches), (below + above) * size)).upper())


def _parted(a: Fraction, b: Fraction, longest: float) -> list[tuple[Fraction, Fraction]]:
    """Boxes of v that are about as long in log v, and not too long."""
    low, high = log(a), log(b)
    n = math.ceil((high - low) / longest)
    marks = [a, *(about(low + (high - low) * k / n) for k in range(1, n)), b]
    return list(pairwise(marks))


def _patches(law: Law, d: int, box: tuple[Fraction, Fraction], share: arb) -> list[Patch]:
    """One patch, or two shorter ones where it would take too many moments."""
    try:
        return [_patch(law, d, box, share)]
    except TooMany:
        a, b = box
        middle = about((log(a) + log(b)) / 2)
        return [patch for half in ((a, middle), (middle, b)) for patch in _patches(law, d, half, share / 2)]


class TooMany(Exception):
    """A patch takes more moments than the checker reads."""


def _patch(law: Law, d: int, box: tuple[Fraction, Fraction], share: arb) -> Patch:
    low, high = (arb(exact(x)).log() for x in box)
    centre = short(float((low + high).mid()) / 2)
    half = short(max(float((high - exact(centre)).mid()), float((exact(centre) - low).mid())) * (1 + 2**-40), up=True)
    panels = _panels(law, box, share / 8)
    mass = sum((x.moments(Ellipse(centre, half, Fraction(2)), 1)[0] for x in panels), arb(0)).upper()
    part = share / 2 / (2 * mass).max(arb(2) ** -4000)
    ellipse, count = _ellipse(centre, half, d, part)
    rates, weights = _gauss(panels, ellipse, count // 2, digits(part))
    of_law = [sum(x, arb(0)) for x in zip(*(p.moments(ellipse, count) for p in panels), strict=True)]
    places = [ellipse.place(-(2 * ball(a)).log() / 2) for a in rates]
    of_atoms = [arb(0)] * count
    for x, w in zip(places, weights, strict=True):
        t = [p[0] for p in polynomials(arb_poly([x]), count)]
        of_atoms = [s + y * ball(w) for s, y in zip(of_atoms, t, strict=True)]
    q, most = ball(ellipse.q), ellipse.most(d)
    apart = sum(
        ((x - y).abs_upper() * min(2, n + 1) / q**n for n, (x, y) in enumerate(zip(of_law, of_atoms, strict=True))),
        arb(0),
    )
    whole = of_law[0] + sum(map(ball, weights), arb(0))
    distance = (apart * most + whole * ellipse.left(d, count)).upper()
    return Patch(ellipse, count, (box[0], *(p.b for p in panels)), tuple(rates), tuple(weights), distance)


def _ellipse(centre: Fraction, half: Fraction, d: int, allowed: arb) -> tuple[Ellipse, int]:
    """The ellipse with which the fewest moments do."""
    found: list[tuple[int, Ellipse]] = []
    for strip in STRIPS:
        t = float(strip / half)
        ellipse = Ellipse(centre, half, short(t + math.sqrt(t * t + 1), 20))
        most = ellipse.left(d, 0) / allowed
        if most.is_finite():
            count = math.ceil(float(most.log()) / math.log(ellipse.q))
            found.append((max(2, count + count % 2), ellipse))
    count, best = min(found, key=lambda x: x[0])
    if count > MOST_MOMENTS:
        raise TooMany
    return best, count


def _panels(law: Law, box: tuple[Fraction, Fraction], allowed: arb) -> list[Panel]:
    low, high = map(log, box)
    marks = [box[0], *(about(low + (high - low) * k / FIRST) for k in range(1, FIRST)), box[1]]
    found, stack = list[Panel](), list(pairwise(marks))[::-1]
    while stack:
        a, b = stack.pop()
        panel = _expanded(law, a, b)
        if panel is not None and panel.terms[-1].abs_upper() * panel.h < allowed:
            found.append(panel)
            continue
        if b - a < a * NARROWEST:
            raise Undecided(Reason.MIXING_NO_PANELS(at=a))
        middle = about((log(a) + log(b)) / 2)
        stack += [(middle, b), (a, middle)]
    return found


def _expanded(law: Law, a: Fraction, b: Fraction) -> Panel | None:
    """p v on a panel; None where it is not known to be smooth."""
    low, high = arb(exact(a)).log(), arb(exact(b)).log()
    m, h = (low + high) / 2, (high - low) / 2
    try:
        node = law.radial.smooth(a, b)
        with capped(ORDER):
            v = Jet(arb_series([m, h]), arb_series([m + h * UNIT, h])).exp()
            taylor = (v.of(lambda u: value(node, u)) * v).narrow().taylor()
    except Undecided:
        return None
    return Panel(a, b, m, h, tuple(taylor.coefficients))


def digits(part: arb) -> int:
    """How many digits of the atoms count where the mixtures are to be apart by such a part of the mass."""
    return max(DIGITS, MORE - math.floor(float(part.mid().log()) / math.log(10)))


def _gauss(panels: Sequence[Panel], ellipse: Ellipse, count: int, digits: int) -> tuple[list[Fraction], list[Fraction]]:
    """Rates and weights of Gauss's rule for the law on a patch."""
    points = list[tuple[arb, arb]]()
    for panel in panels:
        density = arb_poly(list(panel.terms))
        for x, w in legendre():
            height = (density(x) * w * panel.h).mid()
            if height > 0:
                points.append((ellipse.place(panel.m + panel.h * x).mid(), height))
    rule = gauss(points, min(count, len(points)))
    logs = [x * exact(ellipse.half) + exact(ellipse.centre) for x, _ in rule]
    return [written((-2 * s).exp() / 2, digits) for s in logs], [written(w, digits) for _, w in rule]


@lru_cache(1)
def legendre() -> list[tuple[arb, arb]]:
    """Nodes and weights on [-1, 1]."""
    found = [arb.legendre_p_root(NODES, k, weight=True) for k in range(NODES)]
    return [(x.mid(), w.mid()) for x, w in found]


def gauss(points: Sequence[tuple[arb, arb]], count: int) -> list[tuple[arb, arb]]:
    """Gauss's rule of a discrete measure by Stieltjes's procedure: about its nodes and weights."""
    xs, ws = [x for x, _ in points], [w for _, w in points]
    recurrence, norm = list[tuple[arb, arb]](), arb(1)
    before, last = [arb(0)] * len(xs), [arb(1)] * len(xs)
    found, older = arb_poly([1]), arb_poly([0])
    for k in range(count):
        squares = [w * u * u for w, u in zip(ws, last, strict=True)]
        size = sum(squares, arb(0)).mid()
        a = (sum((x * s for x, s in zip(xs, squares, strict=True)), arb(0)) / size).mid()
        b = (size / norm).mid() if k else arb(0)
        recurrence.append((a, b))
        norm = size
        before, last = last, [((x - a) * u - b * p).mid() for x, u, p in zip(xs, last, before, strict=True)]
        older, found = found, (arb_poly([-a, 1]) * found - b * older)
    total = sum(ws, arb(0)).mid()
    starts = [x.real.mid() for x in arb_poly([c.mid() for c in found.coeffs()]).complex_roots()]
    return [_node(x, recurrence, total) for x in starts]


def _node(x: arb, recurrence: Sequence[tuple[arb, arb]], total: arb) -> tuple[arb, arb]:
    """A root of the last orthogonal polynomial by Newton's method, and its weight, from orthonormal ones."""
    for _ in range(6):
        (p, q), (dp, dq) = (arb(1), arb(0)), (arb(0), arb(0))
        for a, b in recurrence:
            p, q, dp, dq = ((x - a) * p - b * q).mid(), p, (p + (x - a) * dp - b * dq).mid(), dp
        x = (x - p / dp).mid()
    (p, q), norm, whole = (arb(1), arb(0)), arb(1), arb(0)
    for k, (a, b) in enumerate(recurrence):
        norm = (norm * b).mid() if k else norm
        whole = (whole + p * p / norm).mid()
        p, q = ((x - a) * p - b * q).mid(), p
    return x, (total / whole).mid()


def written(x: arb, digits: int = DIGITS) -> Fraction:
    """A number to some digits, as a decimal fraction."""
    middle = x.mid()
    exponent = digits - 1 - math.floor(float(middle.log()) / math.log(10))
    unit = Fraction(10) ** exponent
    whole = (middle * exact(unit)).mid().floor().fmpq()
    return Fraction(int(whole.p)) / unit


def short(x: float, bits: int = 40, up: bool = False) -> Fraction:
    """A float in fewer bits."""
    unit = 2**bits
    return Fraction((math.ceil if up else round)(x * unit), unit)


def log(x: Fraction) -> float:
    """log x, of large and small rationals too."""
    return math.log(x.numerator) - math.log(x.denominator)


def about(x: float) -> Fraction:
    """A rational near e^x with few bits."""
    whole = math.floor(x / math.log(2))
    return Fraction(round(math.exp(x - whole * math.log(2)) * 2**16), 2**16) * Fraction(2) ** whole

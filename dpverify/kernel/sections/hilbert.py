"""Profiles in infinite dimension, of Gaussian scale mixtures X = V Z in a Hilbert space: Theorem C.

V > 0 has a law that is one for all dimensions: a density p in v, up to a factor, or finitely many
atoms.  s = delta is the longest shift's Mahalanobis norm, and h(t) = Phi(t/2 - eps/t) - e^eps
Phi(-t/2 - eps/t) the profile of a Gaussian for a shift of t standard deviations (K163).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from ..certificate import KINDS
from ..intervals import D0, D1, ONE, ZERO, Interval, add_up, hull, interval
from ..reader import Reader
from ..rules import brought, require, rule
from ..steps import Steps, named, record, whole
from .charts import CLAIM, Problem, Subject, charted, parameters
from .constants import PI
from .erfc import log_erfc
from .evaluation import Evaluation
from .fields import points
from .hypotheses import Proof, defined
from .jets import Jet, Series, dot, one_part, panel, series
from .laws import subject_of
from .messages import shown
from .models import Germ, Model, power_of_t
from .points import hold, levels, listed
from .slopes import Slope
from .tail import Tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Box

FIELDS = {"kind", "verdict", "theorem", "mixing", "parameters", "dimension", "sensitivity", "scale",
          "points", "quantiles"}
HALF, MOST_ATOMS = Fraction(1, 2), 50
MOST_PANELS, MOST_WORK, OF_A_POINT = 2_000, 100_000_000, 25_000
"""Panels, times the square of the order for every node of the tree and for some twenty series
besides, and for twenty more at each point; and what the ends, or an atom, take at a point."""
Share = tuple[Interval, Interval]
"""A part of the law of V: its mass, and the mean of h(s/V) over it, both up to the factor of p."""


@rule("K400")
def gaussian(t: Interval, epsilon: Interval) -> Interval:
    """h(t), t > 0.

    Lemma (Theorem C).  For V = v the pair is N(0, v^2 C), N(u, v^2 C), |C^(-1/2) u| = t v, whose
    profile is h(t) (K163), in both orders; h rises, as h'(t) = phi(eps/t - t/2) > 0, phi being the
    density of N(0, 1), from 0 at 0 to 1 at infinity.
    """
    require(t.lo > 0, "a shift is not shown positive")
    root, level = interval(2).power(HALF).inverse(), epsilon * t.inverse()
    near, far = (log_erfc((level + t * part) * root) for part in (-HALF, HALF))
    found = (near.exp() - (epsilon + far).exp()) * HALF
    return Interval(min(D1, max(D0, found.lo)), max(D0, min(D1, found.hi)))


@rule("K402")
def density(p: Problem, order: int, a: Fraction, b: Fraction) -> tuple[Jet, Jet]:
    """v and p(v) on the panel (a, b), where p is not negative.

    Lemma.  p is made of series (K150), and is its Taylor polynomial with a remainder (K151); it is
    not negative there by its range on the panel, or on the box.
    """
    v = panel(order, ((a + b) / 2, (b - a) / 2))
    values = [p.at_box(u, e).value(p.tree) for u, e in ((v.middle, None), (v.whole, (a, b)))]
    smooth = [x for x in values if isinstance(x, Series) and all(c.finite() for c in x.c)]
    require(len(smooth) == 2, "p is not shown smooth on a panel", "K151")
    found = Jet(*smooth).narrow()
    known = found.span().lo >= 0 or p.value_on_box(a, b).lo >= 0
    require(known, f"p is not shown to be nowhere negative on [{shown(a)}, {shown(b)}]")
    return v, found


class Panel:
    """v^2, 1/v^2 and F(v)/v^2 for a < v < b, F(v) being the mass of V < v, `before` that of V < a
    and `after` that of V < b."""

    def __init__(self, p: Problem, order: int, box: Box, before: Interval) -> None:
        a, b = box
        v, height = density(p, order, a, b)
        self.half, self.before = (b - a) / 2, before
        self.after = before + height.integral() * self.half
        self.square = (v * v).narrow()
        self.under = self.square.of(Series.inverse).narrow()
        self.weight, self.damped = self.mass(height) * self.under, dict[Fraction, Jet]()

    def weighed(self, s: Fraction) -> Jet:
        """F(v)/v^2 e^(-s^2/(8 v^2)), one for all points."""
        if s not in self.damped:
            self.damped[s] = self.weight * (self.under * (-(s * s) / 8)).exp()
        return self.damped[s]

    @rule("K406")
    def mass(self, height: Jet) -> Jet:
        """F on the panel.

        Lemma.  It is an antiderivative of p (K150), and rises; at the middle it is what lies before
        the panel and the integral of Taylor's polynomial and its remainder over half of it (K151).
        """
        terms = height.terms()
        first = add_up(x * Fraction((-1) ** k, k + 1) for k, x in enumerate(terms)) * self.half
        both = ((height.middle, self.before + first), (height.whole, hull(self.before, self.after)))
        return Jet(*(Series([c, *(x * (self.half / k) for k, x in enumerate(u.c[:-1], 1))])
                     for u, c in both))


class Level:
    """h(s/v) at one eps, as a function of v."""

    def __init__(self, s: Fraction, epsilon: Fraction) -> None:
        self.s, self.epsilon = s, interval(epsilon)
        self.rate, self.constant = -(epsilon / s) ** 2 / 2, epsilon / 2

    def at(self, v: Fraction) -> Interval:
        return gaussian(interval(self.s / v), self.epsilon)

    @rule("K401")
    def part(self, x: Panel) -> Interval:
        """What a panel adds to E[h(s/V)], but for the factor s/sqrt(2 pi).

        Lemma.  h(s/v) = integral over w > v of (s/w^2) phi(eps w/s - s/(2 w)) (K400), so that
        E[h(s/V)] is the integral of that over all w times F(w), the mass of V < w.  The exponent of
        phi is -eps^2 w^2/(2 s^2) + eps/2 - s^2/(8 w^2); the integral over a panel is that of
        Taylor's polynomial and its remainder (K151).
        """
        height = (x.square * self.rate + self.constant).of(bell)
        w, n = x.weighed(self.s), len(height.whole.c) - 1
        terms = [dot(w.middle.c[: k + 1], height.middle.c[k::-1]) * Fraction(2, k + 1)
                 for k in range(0, n, 2)]
        rest = dot(w.whole.c, height.whole.c[::-1]) * Fraction(2, n + 1)
        return add_up([*terms, rest]) * x.half

    @rule("K407")
    def ends(self, low: tuple[Fraction, Interval], high: tuple[Fraction, Interval], mass: Interval
             ) -> list[Interval]:
        """What lies before the first panel, at a, and beyond the last, at b, adds to E[h(s/V)].

        Lemma.  Before a the mass of V < w is at most that of V < a, and the integral of K401's
        derivative is 1 - h(s/a); beyond b it is between that of V < b and that of all, and the
        integral is h(s/b).
        """
        (a, before), (b, beyond_b) = low, high
        inside = Interval(D0, (before * (ONE - self.at(a))).hi)
        return [inside, hull(mass - beyond_b, mass) * self.at(b)]


def bell(u: Series) -> Series:
    """e^u for u quadratic in x, by the same recurrence (K150), of which two terms are left."""
    slopes = [u.c[1], u.c[2] * 2]
    return u.solved(u.c[0].exp(), lambda k, e: dot(slopes, e[: -3 : -1]) * one_part(k))


class Density:
    """p on panels between two ends, beyond which its mass is bounded."""

    def __init__(self, p: Problem, given: Any, count: int = 1) -> None:
        step = record(given, "law", {"order", "marks", "ends"})
        marks = points(step["marks"], "law.marks")
        self.order = 2 * whole(step["order"], "law.order", 1, 24)
        rising = 2 <= len(marks) <= MOST_PANELS and all(a < b for a, b in pairwise(marks))
        require(rising and marks[0] > 0, "law.marks is not a list of increasing scales", "steps")
        affordable(len(marks) * (p.tree.size + 20 + 20 * count) * self.order**2, count)
        words = record(step["ends"], "law.ends", {"zero", "infinity"})
        self.low, self.high = (
            (at, named(ENDS, words[side], "law.ends names no rule")(p, at, side))
            for at, side in ((marks[0], "zero"), (marks[-1], "infinity")))
        self.panels, before = list[Panel](), self.low[1]
        for box in pairwise(marks):
            self.panels.append(Panel(p, self.order, box, before))
            before = self.panels[-1].after
        self.mass = before + self.high[1]

    def mean(self, h: Level) -> Share:
        between = add_up(h.part(x) for x in self.panels)
        between = between * ((PI * 2).power(-HALF) * h.s)
        return self.mass, add_up([between, *h.ends(self.low, self.high, self.mass)])


@rule("K403")
def beyond(p: Problem, at: Fraction, side: str) -> Interval:
    """The mass of v < a, or of v > b.

    Lemma.  If v (log p)' lies in [m, M] there, p lies between p(a) (v/a)^m and p(a) (v/a)^M, and
    the mass between a p(a)/|1 + m| and a p(a)/|1 + M|, where 1 + m > 0 at the centre, and
    1 + M < 0 in the tail.
    """
    outward = side == "infinity"
    germ = Germ(at if outward else 1 / at, (p.infinity if outward else p.zero).order)
    v = Model(germ, {power_of_t(1 if outward else -1): 1})
    chart = p.at_infinity if outward else p.at_zero
    rate = (p.log_f(chart(Slope(v, v.const(1)))).du * v).span() + 1
    rate = -rate if outward else rate
    require(rate.lo > 0, f"p is not shown integrable towards {side}")
    most = Interval(rate.lo, rate.lo).inverse()
    least = Interval(rate.hi, rate.hi).inverse() if rate.hi.is_finite() else ZERO
    return p.log_f(p.at_box(interval(at))).exp() * interval(at) * hull(least, most)


def none(p: Problem, at: Fraction, side: str) -> Interval:
    mass: Interval = brought("a law that is 0 at an end")(p, at, side)[0]
    return mass


ENDS = {"power": beyond, "nothing": none}


class Atoms:
    """P(V = v) for finitely many v, up to a factor."""

    def __init__(self, text: str, names: dict[str, Fraction]) -> None:
        parts = separated(text)
        require(len(parts) <= 2 * MOST_ATOMS, "there are too many atoms", "limits")
        readers = [Reader(part, names, radial=False) for part in parts]
        values = [positive(reader) for reader in readers]
        self.pairs = list(zip(values[::2], values[1::2], strict=True))
        self.named = set[str]().union(*(reader.named for reader in readers))

    def mean(self, h: Level) -> Share:
        shares = [(w, w * gaussian(v.inverse() * h.s, h.epsilon)) for w, v in self.pairs]
        return add_up(w for w, _ in shares), add_up(x for _, x in shares)


@rule("K404")
def positive(reader: Reader) -> Interval:
    """A weight or a value of an atom.

    Lemma.  It is a number without r, made of parts that have values, and its enclosure is positive.
    """
    at, tree = Evaluation(ONE), reader.tree()
    for need in reader.needs:
        met = brought("a need met on one chart")(at, need)
        require(met, "an atom is not shown to have a value")
    value = at.value(tree)
    require(value.lo > 0 and value.finite(), "an atom is not shown to be a positive number")
    return value  # type: ignore[no-any-return]


def separated(text: str) -> list[str]:
    """Weights and values in turn, of a text "weight: value, weight: value, ..."."""
    found, start, level = list[str](), 0, 0
    for column, character in enumerate(text + ","):
        level += (character == "(") - (character == ")")
        if level == 0 and character in ":,":
            fits = character == ":,"[len(found) % 2]
            require(fits, "atoms are not written weight: value, weight: value, ...", "claim")
            found.append(text[start:column])
            start = column + 1
    require(len(found) > 0 and len(found) % 2 == 0, "an atom has no value", "claim")
    return found


@rule("K405")
def at_point(law: Density | Atoms, s: Fraction, epsilon: Fraction) -> tuple[Decimal, Decimal]:
    """delta(eps) between two bounds.

    Lemma (Theorem C).  Let Z be Gaussian in a separable Hilbert space with a covariance C of
    infinite rank, V > 0 independent of it, and X = V Z.  For a shift u in the Cameron-Martin space
    the squares of the coordinates of X, and of X + u, along the eigenvectors of C, each over its
    eigenvalue, have the averages V^2 in the limit: for X by the law of large numbers, for X + u
    since those of u are square summable.  So V is a function of what is released, almost surely,
    under both laws, and the divergence is the mean over V of that given V: E[h(|C^(-1/2) u|/V)],
    in both orders.  It rises with |C^(-1/2) u| (K400), so that the longest shift s is the worst.
    For u outside that space the laws are singular; such u are no shifts of finite length.
    """
    mass, mean = law.mean(Level(s, epsilon))
    require(mass.lo > 0, "the mass of the mixing law is not shown positive")
    found = Interval(max(D0, mean.lo), max(D0, mean.hi)) * mass.inverse()
    return found.lo, min(D1, found.hi)


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a profile in infinite dimension, proved by the steps that are given."""
    series()
    record(claim, "claim", FIELDS)
    right = claim["verdict"] == "profile" and claim["theorem"] == "Theorem C"
    right = right and claim["dimension"] == "infinity"
    require(right, "the verdict or the theorem is not that of a profile", "claim")
    steps = Steps(given)
    found, assumptions, _ = bounds(claim, steps)
    hold(claim["points"], found, "K405")
    if claim["quantiles"] != []:
        brought("quantiles of delta")(claim)
    steps.finish()
    return assumptions


def bounds(claim: Any, steps: Steps
           ) -> tuple[list[tuple[Decimal, Decimal]], list[str], Problem | None]:
    """The bounds of delta at each point claimed; what they assume; and the density's problem."""
    text, asked = claim["mixing"], levels(claim["points"])
    if isinstance(text, str) and ":" in text:
        delta = dict.fromkeys(CLAIM) | {"generator": "1", "parameters": {}, "dimension": 1}
        delta |= {k: claim[k] for k in ("sensitivity", "scale")}
        subject, names = Subject(delta), parameters(claim["parameters"])
        require("v" not in names, "a parameter's name is not permitted", "claim")
        atoms = Atoms(text, names)
        affordable(0, len(atoms.pairs) * len(asked))
        idle = sorted(set(names) - atoms.named)
        require(not idle, f"the parameter {', '.join(idle)[:60]} is not used", "claim")
        return [at_point(atoms, subject.delta, e) for e in asked], [], None
    subject = subject_of(claim, 1)
    proof = Proof(charted(steps, subject), steps)
    require(type(proof.tail) is Tail, "a mixing law has one tail", "steps")
    defined(proof, subject.reader.needs)
    law = Density(proof.problem, steps.take("law"), len(asked))
    found = [at_point(law, subject.delta, e) for e in asked]
    return found, subject.assumptions(), proof.problem


def affordable(work: int, pairs: int) -> None:
    """Refuse more work than seconds: of series, and of points times ends, or times atoms."""
    most = "there are too many panels or points for such an order and law"
    require(work + OF_A_POINT * pairs <= MOST_WORK, most, "limits")


def said(claim: Any) -> str:
    """The claim in one line."""
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    what = f"X = V Z in infinite dimension, V of law {claim['mixing']}{names}"
    return f"profile: {what}, Delta/sigma = {delta}, {listed(claim['points'])}"


KINDS["mixture profile"] = (check, said)

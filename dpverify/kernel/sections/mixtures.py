"""Gaussian scale mixtures X = V Z by their mixing density p: the claim, and Theorem 3 for it.

f(y) = E[V^-d exp(-y/(2 V^2))] up to a factor, g = -log f(s^2), and g'(s) = s m(s),
m(s) = E_s[V^-2], the mean under the law of V tilted by v^-d exp(-s^2/(2 v^2)).  With t = 1/(2 v^2)
all these are integrals of t^k e^(-s^2 t) q(t) (tilted.py).  By (log f)'' in s^2 being a variance, m
falls, and so do E_s[V^-4] and f itself, for every mixing law.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..certificate import KINDS
from ..intervals import D0, NEG_INF, Interval, interval
from ..rules import BROUGHT, require, rule
from ..steps import Steps, rational, record
from .charts import Subject, charted, cover, open_box
from .ends import integral
from .falling import may_jump
from .fields import ends
from .hypotheses import Proof, defined
from .jets import series
from .laws import subject_of
from .means import Tilted
from .messages import shown
from .models import Model, power_of_t
from .tail import Tail
from .tilted import law, nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Problem

FIELDS = {"kind", "verdict", "theorem", "mixing", "parameters", "dimension", "sensitivity", "scale",
          "epsilon"}
SQUARE = power_of_t(2)


@rule("K205")
def by_rise(f: Tilted, a: Fraction, b: Fraction) -> Decimal:
    """At most phi_delta on [a, b], as g rises.

    Lemma.  g' = s m(s) >= 0, so phi_delta(r) = g(r + delta) - g(r) <= g(b + delta) - g(a).
    """
    return f.rise(a, b + f.delta).hi


@rule("K206")
def by_slopes(f: Tilted, a: Fraction, b: Fraction) -> Decimal:
    """At most phi_delta on [a, b], by m at the ends.

    Lemma.  phi'(r) = (r + delta) m(r + delta) - r m(r), and m falls and is positive.
    """
    ahead_a, ahead_b = a + f.delta, b + f.delta
    here, there = f.at(a)[1] * b, f.at(b)[1] * a
    least = (f.at(ahead_b)[1] * ahead_a - here).lo if here.hi.is_finite() else NEG_INF
    return between(f, a, b, least, (f.at(ahead_a)[1] * ahead_b - there).hi)


@rule("K207")
def by_curvature(f: Tilted, a: Fraction, b: Fraction) -> Decimal:
    """At most phi_delta on [a, b], by m and F = E_s[V^-4] at a and at e = b + delta.

    Lemma.  phi' is delta times a value of g'' = m - s^2 (F - m^2) at an s in [a, e]; m and F fall,
    and F >= m^2.
    """
    slopes = bend(f, a, b + f.delta) * f.delta
    return between(f, a, b, slopes.lo, slopes.hi)


@rule("K216")
def by_taylor(f: Tilted, a: Fraction, b: Fraction) -> Decimal:
    """At most phi_delta on [a, b], from its value and slope at the middle c.

    Lemma.  phi'' = g''(r + delta) - g''(r), g'' = m - s^2 (F - m^2), F = E_s[V^-4], as in K207.
    With h = (b - a)/2 and phi'' <= M on [a, b], phi is at most phi(c) + |phi'(c)| h + max(0, M)
    h^2/2.
    """
    c, h = (a + b) / 2, (b - a) / 2
    most = (bend(f, a + f.delta, b + f.delta) - bend(f, a, b)).hi
    slope = f.at(c + f.delta)[1] * (c + f.delta) - f.at(c)[1] * c
    steepest, most = max(slope.lo.copy_abs(), slope.hi.copy_abs()), max(D0, most)
    return (f.loss(c) + Interval(steepest, steepest) * h + Interval(most, most) * (h * h / 2)).hi


def bend(f: Tilted, a: Fraction, b: Fraction) -> Interval:
    """g'' on [a, b], as m and F fall and F >= m^2."""
    (_, steep, wide), (_, flat, narrow) = f.at(a), f.at(b)
    require(wide.hi.is_finite(), "E[V^-d-4] is not shown finite")
    spread = narrow - steep * steep
    spread = Interval(max(D0, spread.lo), max(D0, spread.hi))
    return Interval((flat - (wide - flat * flat) * (b * b)).lo, (steep - spread * (a * a)).hi)


@rule("K208")
def between(f: Tilted, a: Fraction, b: Fraction, least: Decimal, most: Decimal) -> Decimal:
    """At most phi_delta on [a, b], from its values at the ends and bounds of its slopes.

    Lemma.  phi is at most A + M (r - a) and at most B - L (b - r), A, B its values at a and b,
    M > 0 > L bounds of its slopes; at the r where these lines meet both are
    (B M - A L - M L (b - a))/(M - L), and no r has both above that.  Where M <= 0, it is at most A,
    where L >= 0, at most B.
    """
    if most <= 0:
        return f.loss(a).hi
    if least >= 0:
        return f.loss(b).hi
    high = Interval(most, most)
    left = f.loss(a)
    if least == NEG_INF:
        return (left + high * (b - a)).hi
    low, right = Interval(least, least), f.loss(b)
    top = right * high - left * low - high * low * (b - a)
    return (top * (high - low).inverse()).hi


BOXES = {"r": by_rise, "s": by_slopes, "c": by_curvature, "t": by_taylor}


@rule("K209")
def steepness(proof: Proof, split: Fraction, constant: Fraction, square: Fraction) -> None:
    """u(v) = -v p'(v)/p(v) is at most A + K v^2 for v > v1, where p is positive; it may jump up.

    Lemma.  On the boxes of the cover beyond v1, and where charts meet, by the slopes of log p
    (K16); in the tail by the model of u/v^2.
    """
    p = proof.problem
    text = "the mixing density is not shown to fall slowly enough"
    boxes = proof.boxes()
    named = split == boxes[-1][1] or any(a == split for a, _ in boxes)
    require(named, "the split is no point of the cover", "steps")
    boxes = [(a, b) for a, b in boxes if a >= split]

    def slow(a: Fraction, b: Fraction) -> bool:
        v = Interval(interval(a).lo, interval(b).hi)
        most = Interval(interval(a * a).lo, interval(b * b).hi) * square + constant
        return bool((-p.on_box(a, b).du * v).hi <= most.lo)

    for a, b in boxes:
        require(slow(a, b), f"{text} on [{shown(a)}, {shown(b)}]")
    for x in {b for _, b in boxes} if may_jump(p.tree) else ():
        near = x / 10**30
        rises = p.on_box(x - near, x).u.hi <= p.on_box(x, x + near).u.lo
        require(rises or slow(x - near, x + near), f"{text} across {shown(x)}")
    v = Model(p.infinity, {power_of_t(1): 1})
    rate = (-(p.far(p.infinity).du * v) - constant) * Model(p.infinity, {power_of_t(-2): 1})
    require((rate - square).span().hi <= 0, f"{text} in the tail")


@rule("K210")
def tail(proof: Proof, f: Tilted, radius: Fraction, given: Any) -> Decimal:
    """A bound of g' on [R, oo).

    Lemma.  Let u <= A + K v^2 for v > v1 (K209), T = 1/(2 v1^2), e = (d + 1 + A)/2, and E1 the mean
    given V > v1.  Integrating (t^2 e^(-s^2 t) q)' over t < T, s^2 E1[t]^2 <= s^2 E1[t^2] <= K/4 + e
    E1[t], so 2 s E1[t] <= (e + sqrt(e^2 + K s^2))/s, which falls where e >= 0 and else is below
    sqrt K.  Let Z1 and N0 be the integrals of e^(-s^2 t) q over t < T and of t e^(-s^2 t) q over
    t > T.  Then g'(s) <= 2 s E1[t] + 2 s N0/Z1, and s N0/Z1 falls from R on where 2 R^2
    (T - E1[t]) >= 1 at R.
    """
    step = record(given, "supremum.tail", {"split", "constant", "square"})
    law, d = f.law, proof.problem.dimension
    split, constant, square = (
        rational(step[k], f"tail.{k}") for k in ("split", "constant", "square"))
    require(split in law.marks and square >= 0, "the tail's split is no end of a panel", "steps")
    steepness(proof, split, constant, square)
    index, last = law.marks.index(split), f.named(radius)[1]
    z1, n1, _ = law.at(radius, index, last, beyond=False)
    n0, top = law.inside(radius, index)[1], 1 / (2 * split * split)
    mean = n1 * z1.inverse()
    falls = z1.lo > 0 and ((-mean + top) * (2 * radius * radius)).lo >= 1
    require(falls, "the radius is too small for a bound of the tail")
    e = (d + 1 + constant) / 2
    root = interval(e * e + square * radius * radius).power(Fraction(1, 2)) + e
    slope = root * (1 / radius) if e >= 0 else interval(square).power(Fraction(1, 2))
    return (slope + n0 * z1.inverse() * (2 * radius)).hi


@rule("K211")
def at_most(proof: Proof, f: Tilted, given: Any, bound: Fraction) -> None:
    """epsilon <= bound.

    Lemma (Reimherr and Awan 2019, Theorem 3).  f is a mean of Gaussian densities: positive,
    falling, finite at 0+ as E[V^-d] is, and integrable as p is.  So epsilon is the supremum of
    phi_delta, which is bounded on each box of a cover of [0, R] by the rule that its letter names,
    and beyond R by delta times the bound of g'.
    """
    step = record(given, "supremum", {"cover", "rules", "tail"})
    boxes = cover(step["cover"], "supremum.cover", Fraction(0), Fraction(0))
    require(boxes[0][0] == 0, "supremum.cover does not begin at 0", "steps")
    rules = step["rules"]
    named = isinstance(rules, str) and len(rules) == len(boxes) and set(rules) <= set(BOXES)
    require(named, "supremum.rules does not match its cover", "steps")
    most, text = interval(bound).lo, f"the loss is not shown below {shown(bound)}"
    for (a, b), word in zip(boxes, rules, strict=True):
        require(BOXES[word](f, a, b) <= most, f"{text} on [{shown(a)}, {shown(b)}]")
    slope = tail(proof, f, boxes[-1][1], step["tail"])
    steep = (Interval(slope, slope) * f.delta).hi
    require(steep <= most, f"{text} in the tail")


def at_least(proof: Proof, f: Tilted, given: Any, bound: Fraction) -> None:
    step = record(given, "witness", {"radius", "rate"})
    one = (step["radius"] is None) != (step["rate"] is None)
    require(one, "the witness is neither a radius nor a rate", "steps")
    if step["rate"] is None:
        value = at_radius(f, rational(step["radius"], "witness.radius"))
    else:
        value = far_out(proof, rational(step["rate"], "witness.rate"))
    reached = value.lo >= interval(bound).hi or bound == 0
    require(reached, f"the witness does not reach the lower bound {shown(bound)}", "K211")


@rule("K212")
def at_radius(f: Tilted, r: Fraction) -> Interval:
    """The loss at one radius.

    Lemma.  phi_delta is continuous, so the radii about r, whose probability is positive, have
    losses as near to phi_delta(r) as one likes.
    """
    require(r >= 0, "the witness is no radius", "steps")
    return f.loss(r)


@rule("K213")
def far_out(proof: Proof, rate: Fraction) -> Interval:
    """The least supremum that a Gaussian tail leaves.

    Lemma.  Let limsup log p(v)/v^2 <= -K < 0.  For k < K, p = O(exp(-k v^2)), and s^2/(2 v^2) + k'
    v^2 >= s sqrt(2 k') for k' < k, so f(s^2) is O(exp(-s sqrt(2 k'))); what v below some v_k adds
    is O(exp(-c s^2)).  So liminf g(s)/s >= sqrt(2 K); since g(n delta) <= g(0) + n sup phi_delta,
    sup phi_delta >= delta sqrt(2 K).
    """
    p = proof.problem
    lead, c = (p.far(p.infinity).u + Model(p.infinity, {SQUARE: rate})).leading()
    require(rate > 0 and (lead < SQUARE or c.hi < 0), "p is not shown to fall so fast")
    return interval(2 * rate).power(Fraction(1, 2)) * p.delta


@rule("K214")
def mixing_law(proof: Proof) -> None:
    """p is a density of V > 0, up to a factor.

    Lemma.  p is nowhere negative on the panels, and positive or 0 beyond them, and v^-d p is
    integrable; so is p, by the model in the tail (K23), and as v^-d p is at the centre.  That it is
    not 0 throughout is shown with f > 0.
    """
    integrable(proof.problem)


def integrable(p: Problem) -> None:
    require(integral(p.far(p.infinity).u, 1) == 1, "p is not shown integrable in the tail")


@rule("K215")
def not_private(proof: Proof, given: Any) -> None:
    """No epsilon suffices.

    Lemma.  p is a density of V, up to a factor: nowhere negative and bounded on the boxes of a
    cover, positive or 0 and integrable at both ends (K23), and positive on some box.  So f is a
    mean of Gaussian densities.  If v^-d p is not integrable at the centre, f(0+) is infinite by
    monotone convergence; if log p(v)/v^2 tends to minus infinity, or p = 0 for large v, no K bounds
    the decay in K213, and phi_delta is unbounded.
    """
    step = record(given, "refutation", {"by", "zero", "positive"})
    p, by, centre = proof.problem, step["by"], step["zero"]
    known = by in ("pole", "tail", "bound") and centre in ("logs", "nothing")
    require(known, "the refutation names no rule", "steps")
    for a, b in proof.boxes():
        value = p.value_on_box(a, b)
        fits = value.lo >= 0 and value.hi.is_finite()
        require(fits, f"p is not shown bounded and nowhere negative on [{shown(a)}, {shown(b)}]")
    a, b = open_box(step["positive"], "refutation.positive")
    require(p.value_on_box(a, b).lo > 0, "p is not shown positive anywhere")
    if centre == "nothing":
        require(by != "pole", "p is 0 at the centre and has no pole there", "steps")
        nothing(p, p.r0, "zero")
    else:
        require(integral(p.near_zero().u, -1) == 1, "p is not shown integrable at the centre")
    if by == "bound":
        nothing(p, p.r1, "infinity")
        return
    integrable(p)
    if by == "pole":
        diverges = integral(p.near_zero().u, p.dimension - 1) == -1
        require(diverges, "E[V^-d] is not shown infinite")
    else:
        lead, c = p.far(p.infinity).u.leading()
        require(lead > SQUARE and c.hi < 0, "log p/v^2 is not shown to tend to minus infinity")


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a mixture's claim, proved by the steps that are given."""
    record(claim, "claim", FIELDS)
    subject, steps = subject_of(claim, claim["dimension"]), Steps(given)
    proved(claim, subject, steps)
    steps.finish()
    return subject.assumptions()


def proved(claim: Any, subject: Subject, steps: Steps) -> Proof:
    """The proof of the claim, replayed."""
    proof = Proof(charted(steps, subject), steps)
    require(type(proof.tail) is Tail, "a mixing law has one tail", "steps")
    defined(proof, subject.reader.needs)
    epsilon, theorem = claim["epsilon"], claim["theorem"]
    if claim["verdict"] == "private":
        require(theorem == "Theorem 3", "the theorem is not that of a mixture", "claim")
        private(proof, *ends(epsilon, "epsilon"))
    else:
        right = claim["verdict"] == "not_private" and epsilon is None and theorem is None
        require(right, "epsilon and theorem do not fit the verdict", "claim")
        not_private(proof, steps.take("refutation"))
    return proof


def private(proof: Proof, low: Fraction, high: Fraction) -> None:
    f = loss_bounded(proof, high)
    at_least(proof, f, proof.steps.take("witness"), low)
    require(not f.left, "a window is named for a radius that no claim needs", "steps")


def loss_bounded(proof: Proof, most: Fraction) -> Tilted:
    """The tilted laws by which the proof shows that no loss exceeds a bound."""
    series()
    mixing_law(proof)
    expanded = law(proof.problem, proof.steps.take("law"))
    f = Tilted(expanded, proof.steps.take("windows"), proof.problem.delta)
    at_most(proof, f, proof.steps.take("supremum"), most)
    return f


def said(claim: Any) -> str:
    """The claim in one line."""
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    delta, bounds = Fraction(claim["sensitivity"]) / Fraction(claim["scale"]), claim["epsilon"]
    size = f", {bounds['lower']} <= epsilon <= {bounds['upper']}" if bounds else ""
    what = f"X = V Z, V of density {claim['mixing']}{names}, d = {claim['dimension']}"
    return f"{claim['verdict']}: {what}, Delta/sigma = {delta}{size}"


KINDS["mixture"] = (check, said)
BROUGHT["a bound of a mixture's losses"] = loss_bounded

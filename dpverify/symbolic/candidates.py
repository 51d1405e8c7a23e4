"""Where the supremum of the loss can sit, and the formula of the loss there.

r -> 0, r -> oo, either side of a break or of a break less delta, and the stationary radii. The
shape of g decides between them where polynomial arithmetic can show it; else every place is a
candidate, and the verifier decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from dpverify.symbolic import growth
from dpverify.symbolic.potential import Potential, minus_log, potential
from dpverify.symbolic.reference import TINY, Reference, Undetermined
from dpverify.symbolic.shorten import shortest
from dpverify.symbolic.signs import sign_everywhere
from dpverify.symbolic.stationary import Turn, other_roots, positive_roots, turn
from dpverify.symbolic.to_sympy import DELTA
from dpverify.symbolic.to_sympy import RADIUS as r

AT_ZERO, AT_INFINITY = "c = delta (r -> 0)", "the limit c -> oo, not attained"
ALL, SOME = "all parameters", "instances"


@dataclass(frozen=True)
class Step:
    """One step of a derivation; `scope` says whether exact algebra settles it for all parameters."""

    title: str
    formula: str
    why: str
    scope: str = ALL


@dataclass
class Candidate:
    """A verdict or a value of epsilon, with the place it comes from and the conditions it needs."""

    verdict: str  # private, not_private or invalid
    value: Any
    where: str
    steps: list[Step]
    ref: Reference
    proved: bool


@dataclass
class Inquiry:
    """What is known of g before the supremum is looked for."""

    g: Potential
    ref: Reference
    steps: list[Step] = field(default_factory=list)
    slope_at_infinity: Any = None
    at_zero: Any = None
    rises: bool = False  # g rises everywhere, so that Theorem 3 applies

    def slopes(self) -> list[Any]:
        return [sp.diff(p, r) for p in self.g.pieces]

    def tell(self, title: str, formula: str, why: str, scope: str = ALL) -> None:
        self.steps.append(Step(title, formula, why, scope))

    def branch(self) -> Inquiry:
        return Inquiry(self.g, self.ref.copy(), list(self.steps), self.slope_at_infinity, self.at_zero, self.rises)

    def candidate(self, value: Any, where: str, proved: bool, verdict: str = "private") -> Candidate:
        return Candidate(verdict, value, where, self.steps, self.ref, proved)


def candidates(f: Any, dimension: Any, ref: Reference) -> Iterator[Candidate]:
    """Candidates for the answer at the reference point, those that follow for all parameters first."""
    if f.has(sp.floor):
        yield from _staircase(f, ref)
        return
    start = Inquiry(potential(f, ref), ref)
    _potential_steps(start)
    verdict = yield from _hypotheses(start, dimension)
    if verdict:
        return
    ways = (_by_shape, _by_turn, _by_sections, _by_descent)
    for way in ways:
        try:
            found = way(start.branch())
        except (Undetermined, sp.PolynomialError, NotImplementedError):
            continue
        if found is not None:
            yield found
            if found.proved:
                return
    yield from _every_place(start.branch())


# --- what g is, and whether there is anything to look for -------------------------------------


def _potential_steps(q: Inquiry) -> None:
    q.tell(
        "The radial potential",
        _cases(q.g, "g(r)", q.g.pieces),
        "g(r) = -log f(r^2); the loss at distance delta = Delta/sigma is phi(r) = g(r + delta) - g(r), c = r + delta.",
    )
    q.tell("Its slope", _cases(q.g, "g'(r)", [sp.factor(s) for s in q.slopes()]), "")


def _cases(g: Potential, name: str, pieces: Any) -> str:
    if not g.breaks:
        return f"{name} = {pieces[0]}"
    parts = []
    for i, piece in enumerate(pieces):
        low, high = g.ends(i)
        parts.append(f"{piece} for {low} < r" + ("" if high is sp.oo else f" < {high}"))
    return f"{name} = " + "; ".join(parts)


def _hypotheses(q: Inquiry, dimension: Any) -> Iterator[Candidate]:
    """Integrability, the centre, monotonicity; yields a candidate and returns True where the verdict is clear."""
    slopes = q.slopes()
    try:
        order = growth.limit(r * slopes[-1], q.ref)
    except Undetermined:
        order = None
        q.tell("A density", "r g'(r) -> ?", "whether f is integrable is left to the verifier, at instances.", SOME)
    if order is not None and order is not sp.oo:
        integrable = q.ref.sign(order - dimension) > 0
        why = "f falls like r^-(that limit), and r^(d-1) f is integrable at oo if the limit exceeds d."
        q.tell("A density", f"r g'(r) -> {sp.factor(order)} as r -> oo", why, SOME)
        if not integrable:
            yield q.candidate(None, "", False, "invalid")
            return True
    elif order is sp.oo:
        q.tell("A density", "r g'(r) -> oo as r -> oo", "f falls faster than any power, so it is integrable at oo.", SOME)
    trial = q.ref.copy()
    try:
        value = growth.limit_at_zero(q.g.pieces[0], trial)
    except Undetermined:
        value = None
    if value is not None:
        q.ref.conditions[:] = trial.conditions
        if value.is_infinite:
            why = "f has a pole at its centre" if value is sp.S.NegativeInfinity else "f(0) = 0, and f is not 0 beside it"
            q.tell("The centre", f"g(0+) = {value}", f"{why}: the loss is unbounded.", SOME)
            yield q.candidate(None, "", False, "not_private")
            return True
        q.at_zero = value
    trial = q.ref.copy()
    try:
        q.slope_at_infinity = growth.limit(slopes[-1], trial)
    except Undetermined:
        q.slope_at_infinity = None
    if q.slope_at_infinity is sp.oo:
        q.ref.conditions[:] = trial.conditions
        q.tell(
            "The loss far out",
            "g'(r) -> oo as r -> oo",
            "phi(r) is delta times a slope of g between r and r + delta, so it grows without bound: no epsilon will do.",
            SOME,
        )
        yield q.candidate(None, "", False, "not_private")
        return True
    q.rises = _rises(q)
    return False


def _rises(q: Inquiry) -> bool:
    trial = q.ref.copy()
    signs = [sign_everywhere(s, trial, *q.g.ends(i)) for i, s in enumerate(q.slopes())]
    jumps = [trial.sign(_jump(q.g.pieces, i, b), weak=True) for i, b in enumerate(q.g.breaks)]
    if all(s is not None and s >= 0 for s in signs) and all(j >= 0 for j in jumps):
        q.ref.conditions[:] = trial.conditions
        q.tell("Theorem 3 applies", "g'(r) >= 0 for all r > 0", "f is non-increasing, so epsilon = sup of phi over r >= 0.")
        return True
    q.tell(
        "Theorem A",
        "epsilon = sup of |g(s) - g(t)| over |s - t| <= delta",
        "f is not shown to fall everywhere, so Theorem 3 is not used.",
    )
    return False


def _jump(pieces: Any, i: int, b: Any) -> Any:
    """By how much a function of pieces jumps at its i-th break."""
    return sp.simplify(sp.expand_log(pieces[i + 1].subs(r, b) - pieces[i].subs(r, b)))


# --- the places, and the loss there ---------------------------------------------------------


def _piece_at(q: Inquiry, x: Any, left: bool = False) -> Any:
    """The piece of g that holds at x, or just left of it."""
    for i, b in enumerate(q.g.breaks):
        sign = q.ref.sign(sp.expand(b - x))
        if sign > 0 or (sign == 0 and left):
            return q.g.pieces[i]
    return q.g.pieces[-1]


def _loss_at_zero(q: Inquiry) -> Any:
    if q.at_zero is None:
        raise Undetermined("g(0+) is not known")
    return _piece_at(q, DELTA).subs(r, DELTA) - q.at_zero


def _loss_at(q: Inquiry, x: Any, left: bool = False) -> Any:
    return _piece_at(q, x + DELTA, left).subs(r, x + DELTA) - _piece_at(q, x, left).subs(r, x)


def _loss_far(q: Inquiry) -> Any:
    if q.slope_at_infinity is None or q.slope_at_infinity.is_infinite:
        raise Undetermined("g' has no limit")
    growth.limit(q.slopes()[-1], q.ref)  # its conditions
    return DELTA * q.slope_at_infinity


# --- ways to show which place it is ---------------------------------------------------------


def _by_shape(q: Inquiry) -> Candidate | None:
    """g convex: the limit. g concave: r -> 0. Both: everywhere."""
    if not q.rises:
        return None
    slopes = q.slopes()
    signs = [sign_everywhere(sp.diff(s, r), q.ref, *q.g.ends(i)) for i, s in enumerate(slopes)]
    for i, b in enumerate(q.g.breaks):
        if sp.simplify(_jump(q.g.pieces, i, b)) != 0:
            return None
        signs.append(q.ref.sign(_jump(slopes, i, b), weak=True))
    if None in signs:
        return None
    curved = _cases(q.g, "g''(r)", [sp.factor(sp.diff(s, r)) for s in slopes])
    corners = " and the slope rises at every break" if q.g.breaks else ""
    if all(s == 0 for s in signs):
        q.tell("The shape of g", curved, "g is linear, so the loss is the same everywhere.")
        value, where = _loss_at_zero(q), "every c >= delta"
    elif all(s >= 0 for s in signs):  # type: ignore[operator]
        q.tell("The shape of g", curved, f"g'' >= 0{corners}: g is convex, phi rises, and its supremum is its limit.")
        value, where = _loss_far(q), AT_INFINITY
        q.tell("The limit", f"g'(r) -> {q.slope_at_infinity} as r -> oo", "phi(r) -> delta times that limit.", SOME)
    elif all(s <= 0 for s in signs):  # type: ignore[operator]
        corners = corners.replace("rises", "falls")
        q.tell("The shape of g", curved, f"g'' <= 0{corners}: g is concave, phi falls, and is largest as r -> 0.")
        value, where = _loss_at_zero(q), AT_ZERO
    else:
        return None
    return _concluded(q, value, where, True)


def _by_turn(q: Inquiry) -> Candidate | None:
    """phi' changes its sign once: one stationary maximum, or the larger of the two ends."""
    if not q.rises or q.g.breaks:
        return None
    g = q.g.pieces[0]
    slope = sp.diff(g, r)
    found = turn(slope.subs(r, r + DELTA) - slope, q.ref)
    if found is None or found.variations != 1:
        return None
    _equation_step(q, found)
    if found.last > 0:
        q.tell("One sign change", "phi' < 0 first, then phi' > 0", "phi falls, then rises: it is largest at an end.")
        near, far = _loss_at_zero(q), _loss_far(q)
        q.tell("The ends", f"phi(0+) = {near}; phi(oo) = {far}", "the larger of the two is epsilon.", SOME)
        return _concluded(q, sp.Max(near, far), "c = delta (r -> 0), or the limit c -> oo, whichever is larger", True)
    roots = positive_roots(found, q.ref)
    if not roots:
        return None
    root = shortest(roots[0], q.ref)
    q.tell(
        "The root",
        f"r = {root}, c = r + delta = {shortest(root + DELTA, q.ref)}",
        "By Descartes' rule of signs it is the only one with r > 0; phi' > 0 before it and phi' < 0 after it, so phi "
        "is largest there, larger than its limits at r -> 0 and r -> oo.",
    )
    return _concluded(q, _loss_at(q, root), f"c = {shortest(root + DELTA, q.ref)}", True)


def _equation_step(q: Inquiry, found: Turn) -> None:
    letter = "" if found.rate is None else f", where r stands for exp({found.rate}*r) - 1"
    q.tell(
        "The stationary equation",
        f"g'(r + delta) = g'(r), that is {found.equation} = 0{letter}",
        "phi'(r) has the sign of its left side once what is positive is divided out.",
    )


def _by_sections(q: Inquiry) -> Candidate | None:
    """Between the breaks, and the breaks less delta, phi is monotone: the largest of its one-sided limits."""
    if not q.rises or not q.g.breaks:
        return None
    places: list[tuple[Any, str]] = []
    for low, high, loss in _sections(q):
        sign = sign_everywhere(sp.diff(loss, r), q.ref, low, high)
        if sign is None:
            return None
        span = f"{low} < r" + ("" if high is sp.oo else f" < {high}")
        q.tell(f"The loss for {span}", f"phi(r) = {sp.expand(loss)}", ("it falls.", "it is constant.", "it rises.")[sign + 1])
        if sign <= 0:
            value = loss.subs(r, low) if low != 0 else _loss_at_zero(q)
            places.append((value, AT_ZERO if low == 0 else f"c = {low + DELTA}, from above"))
        elif high is sp.oo:
            places.append((_loss_far(q), AT_INFINITY))
        else:
            places.append((loss.subs(r, high), f"c = {high + DELTA}, from below"))
    places = [(shortest(v, q.ref), w) for v, w in places]
    best = places[0]
    for place in places[1:]:
        if q.ref.sign(sp.expand(place[0] - best[0]), weak=True) > 0:
            best = place
    q.tell("The largest", "; ".join(dict.fromkeys(str(v) for v, _ in places)), "one-sided limits of phi, compared.")
    return _concluded(q, *best, True)


def _sections(q: Inquiry) -> list[tuple[Any, Any, Any]]:
    """The intervals of r on which neither r nor r + delta meets a break, with phi there."""
    cuts: list[Any] = [sp.S.Zero]
    for cut in [*q.g.breaks, *(sp.expand(b - DELTA) for b in q.g.breaks)]:
        if q.ref.sign(cut) > 0 and cut not in cuts:
            cuts.append(cut)
    cuts.sort(key=q.ref.number)
    for a, b in zip(cuts, cuts[1:], strict=False):
        q.ref.sign(sp.expand(b - a))
    sections = []
    for low, high in zip(cuts, [*cuts[1:], sp.oo], strict=True):
        middle = ref_middle(q.ref, low, high)
        here, ahead = (_piece_near(q, m) for m in (middle, middle + q.ref.number(DELTA)))
        sections.append((low, high, ahead.subs(r, r + DELTA) - here))
    return sections


def ref_middle(ref: Reference, low: Any, high: Any) -> Any:
    return ref.number(low) + 1 if high is sp.oo else (ref.number(low) + ref.number(high)) / 2


def _piece_near(q: Inquiry, x: Any) -> Any:
    """The piece that holds at a number; what it rests on is the order of the cuts, already remembered."""
    return next((q.g.pieces[i] for i, b in enumerate(q.g.breaks) if q.ref.number(b) > x), q.g.pieces[-1])


def _by_descent(q: Inquiry) -> Candidate | None:
    """g convex but falling at first: the limit, or the descent from r = 0 to the lowest point."""
    if q.rises or q.g.breaks:
        return None
    g = q.g.pieces[0]
    slope = sp.diff(g, r)
    if sign_everywhere(sp.diff(slope, r), q.ref) != 1:
        return None
    far = _loss_far(q)
    steepest = -growth.limit_at_zero(slope, q.ref)
    if q.ref.sign(steepest) <= 0:
        return None
    q.tell(
        "The shape of g",
        f"g''(r) = {sp.factor(sp.diff(slope, r))}",
        "g is convex: over a distance delta it rises by at most its limit, and it falls most from r = 0 on.",
    )
    q.tell("The limit", f"g'(r) -> {q.slope_at_infinity} as r -> oo", "phi(r) -> delta times that limit.", SOME)
    if q.ref.sign(q.slope_at_infinity - steepest, weak=True) >= 0:
        q.tell("The descent", f"-g'(0) = {sp.factor(steepest)}", "no slope is steeper than the limit's: the limit wins.")
        return _concluded(q, far, AT_INFINITY, True)
    lowest = next((x for x in other_roots(slope, q.ref)), None)
    if lowest is None:
        return None
    h = sp.Min(DELTA, lowest)
    q.tell("The descent", f"g'(r) = 0 at r = {lowest}", "g falls from r = 0 to there, or as far as delta reaches.")
    return _concluded(q, sp.Max(far, q.at_zero - g.subs(r, h)), "the limit c -> oo, or between r = 0 and the top of f", True)


def _every_place(q: Inquiry) -> Iterator[Candidate]:
    """All the places, none of them shown to be the one."""
    places: list[tuple[Any, str]] = []

    def offer(compute: Any, where: str) -> None:
        try:
            places.append((compute(), where))
        except (Undetermined, TypeError, ValueError, ArithmeticError):
            pass

    offer(lambda: _loss_at_zero(q), AT_ZERO)
    offer(lambda: _loss_far(q), AT_INFINITY)
    for i, b in enumerate(q.g.breaks):
        for place in (b, sp.expand(b - DELTA)):
            for left in (True, False):
                if q.ref.number(place) > TINY:
                    side = "below" if left else "above"
                    offer(lambda p=place, s=left: _loss_at(q, p, s), f"c = {place + DELTA}, from {side}")
        if not q.rises:
            offer(lambda k=i, x=b: -_jump(q.g.pieces, k, x), f"c = {b}, across the jump")
    for low, high, loss in _sections(q):
        slope = sp.diff(loss, r)
        found = turn(slope, q.ref.copy())
        if found is not None and low == 0 and high is sp.oo:
            _equation_step(q, found)
        roots = positive_roots(found, q.ref) if found is not None else []
        for root in roots or other_roots(slope, q.ref):
            inside = q.ref.number(root) > q.ref.number(low) and (high is sp.oo or q.ref.number(root) < q.ref.number(high))
            if inside:
                offer(lambda x=root, p=loss: p.subs(r, x), f"c = {shortest(root + DELTA, q.ref)}")
    if not q.rises:
        _turning_points(q, offer)
    for value, where in places:
        try:
            yield _concluded(q.branch(), value, where, False)
        except Undetermined:
            continue


def _turning_points(q: Inquiry, offer: Any) -> None:
    """For Theorem A: between two turning points of g, or the centre and one."""
    points: list[Any] = [sp.S.Zero]
    for i, slope in enumerate(q.slopes()):
        low, high = q.g.ends(i)
        for x in other_roots(slope, q.ref):
            if q.ref.number(x) > q.ref.number(low) and (high is sp.oo or q.ref.number(x) < q.ref.number(high)):
                points.append(x)
    for i, a in enumerate(points):
        for b in points[i + 1 :]:
            if abs(q.ref.number(b - a)) <= q.ref.number(DELTA):
                at_a = q.at_zero if a == 0 else _piece_near(q, q.ref.number(a)).subs(r, a)
                at_b = _piece_near(q, q.ref.number(b)).subs(r, b)
                up = q.ref.number(at_b - at_a) > 0
                offer(lambda u=at_a, v=at_b, s=up: v - u if s else u - v, f"from r = {a} to r = {b}")
    for x in points[1:]:
        if q.ref.number(x) > q.ref.number(DELTA):
            offer(lambda p=x: _loss_at(q, p - DELTA) * -1, f"c = {x}, downwards")


# --- a staircase -----------------------------------------------------------------------------


def _staircase(f: Any, ref: Reference) -> Iterator[Candidate]:
    """One floor(a r): just below a step, where floor(r + delta) is ahead by the most steps."""
    floors = f.atoms(sp.floor)
    if len(floors) != 1:
        return
    (step,) = floors
    rate = sp.diff(step.args[0], r)
    if rate.has(r) or not rate.is_positive or step.args[0].subs(r, 0) != 0:
        return
    n = sp.Symbol("n", positive=True, integer=True)
    steps = sp.Symbol("k", positive=True)
    g = minus_log(f.subs(step, steps))
    q = Inquiry(Potential((minus_log(f),), ()), ref)
    _potential_steps(q)
    edge = n / rate
    ahead = g.subs(steps, n - 1 + sp.ceiling(rate * DELTA)).subs(r, edge + DELTA)
    value = sp.simplify(ahead - g.subs(steps, n - 1).subs(r, edge))
    q.tell(
        "Just below a step",
        f"floor({step.args[0]}) = n - 1 at r = {edge} from below, and ahead by -floor(-{rate * DELTA})",
        "there the loss crosses the most steps.",
        SOME,
    )
    where = f"c = {1 / rate + DELTA}, from below" if value.has(n) else "c = r + delta, r just below any step"
    yield _concluded(q, value.subs(n, 1), where, False)


def _concluded(q: Inquiry, value: Any, where: str, proved: bool) -> Candidate:
    """The candidate; raises Undetermined where the enclosure at the reference point rules it out."""
    if not q.ref.hits(value):
        raise Undetermined("another value is larger")
    short = shortest(value, q.ref)
    for root in short.atoms(sp.Pow):
        if root.exp.is_Rational and root.exp.q == 2 and not root.base.is_positive:
            q.ref.sign(root.base, weak=True)
    q.tell("The loss there", f"epsilon = {short}", f"at {where}.", ALL if proved else SOME)
    return q.candidate(short, where, proved)

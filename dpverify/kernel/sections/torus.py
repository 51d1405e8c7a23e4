"""Waves whose phases do not hang together: several frequencies, and chirps that outrun every shift.

Each wave's phase is a sum of whole multiples of base phases: lines, which run at a constant speed,
and chirps, which run faster and faster.  A chirp's phase ahead of a shift is a base phase of its
own.  The loss is then a function of the radius, of a point of the torus of the base phases, and of
the shift, and is bounded on cells of these; which points of the torus it comes near is a question
that the lower bound alone asks (section independence).
"""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, INF, ZERO, Interval, add_up, hull, interval
from ..rules import Rejected, brought, require, rule
from ..steps import Steps, rational, record
from ..tree import Node, same, walk
from . import theorem_a
from .cells import NO_WAYS, Cell, OnTorus, Wave, apart, cell_of
from .charts import Problem, cover, radii
from .constants import PI
from .epsilon import THEOREMS
from .evaluation import LOGS, VALUES, Evaluation, log_of_sum
from .fields import points
from .hypotheses import Proof
from .increments import Shift, with_shift
from .lines import line, value_of_form
from .messages import shown
from .models import LINEAR, Germ, Model
from .phases import on_phase
from .slopes import Slope
from .tail import TAILS, Tail
from .waves import TWO_PI, value_of_wave
from .ways import TAKEN_APART, Ways

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import Any

    from .cells import Cut, Floors
    from .lines import Form

MOST_BASES, MOST_CELLS, LARGEST = 12, 200_000, 10**9
FREE = {"cos", "sin"}
"""The kinds of which phases are free."""
AXES = "abcdefghijklmnopqrstuvwxyz"
"""The base phases where r is, then those of chirps ahead, then the shift."""


@rule("K180")
def value_on_torus(at: Evaluation, node: Node, cell: Cell) -> Any:
    """A wave on a cell.

    Lemma.  Where its phase is sum n_j x_j + c, x_j the base phases modulo 2 pi, a wave lies in the
    cosine or sine of that sum over the cell; its slopes along an axis are those of the sum times
    the wave's derivative, and in the radius those of its argument times that.
    """
    if isinstance(at.r, Shift):
        here, ahead = (side.value(node) for side in apart(at, cell))
        return Shift(here, ahead - here)
    wave, side = cell.torus.waves[node.number], at.side if isinstance(at, OnTorus) else 0
    value = cell.wave(node, side)
    if not isinstance(at.r, Slope):
        return at.r.const(value)
    constant = at.r.u.const
    if isinstance(at, OnTorus) and at.axis is not None:
        moved = wave.moved(cell.moves(at.axis, side)) * (PI if cell.torus.turns else 1)
        return Slope(constant(value), constant(cell.swing(node, side) * moved))
    along = at.value(node.args[0]).du * (PI if node.args[1] else 1)
    return Slope(constant(value), along * cell.swing(node, side))


@rule("K181")
def log_apart(at: Evaluation, node: Node, cell: Cell) -> tuple[int, Any]:
    """The increment of the logarithm of a sum with waves in it, from its values here and ahead.

    Lemma.  d(log u) = log |u(r + h)| - log |u(r)|: each is enclosed where it is, so that u need not
    be known to exceed its own increment.
    """
    (sign, here), (other, ahead) = (side.log(node) for side in apart(at, cell))
    require(sign == other, "a factor has another sign ahead")
    return sign, Shift(here, ahead - here)


def value_of_free_wave(at: Evaluation, node: Node) -> Any:
    cell = cell_of(at)
    if cell is None or node.number not in cell.torus.waves:
        return value_of_wave(at, node)
    return value_on_torus(at, node, cell)


def taken_apart(at: Evaluation, node: Node) -> bool:
    """Whether a sum is one with free waves in it, and its increment is asked for."""
    cell = cell_of(at) if isinstance(at.r, Shift) else None
    return cell is not None and node in cell.torus.wavy


def log_of_wavy_sum(at: Evaluation, node: Node) -> tuple[int, Any]:
    cell = cell_of(at)
    return log_apart(at, node, cell) if cell and taken_apart(at, node) else log_of_sum(at, node)


class Torus(Tail):
    """The tail, and boxes where that is asked for, by cells of the torus of phases."""

    def __init__(self, problem: Problem, steps: Steps) -> None:
        self.problem, self.reach = problem, problem.r1
        step = record(steps.take("torus"), "torus", {"lines", "chirps", "waves", "cells", "peak"})
        lines, chirps, waves = step["lines"], step["chirps"], step["waves"]
        few = isinstance(lines, list) and isinstance(chirps, list) and isinstance(waves, dict)
        few = few and 0 < len(lines) + len(chirps) <= MOST_BASES
        require(few, "torus names no base phases, or too many", "format")
        apart = [part for n in walk(problem.tree) if n.kind == "piece" for part in walk(n.args)]
        whole = all(str(part.number) not in waves for part in apart)
        require(whole, "a wave in a Piecewise is free", "steps")
        nodes = {str(n.number): n for n in walk(problem.tree) if n.kind in FREE}
        require(set(waves) <= set(nodes), "torus.waves names a node that is no wave", "steps")
        self.turns = any(nodes[n].kind == "floor" for n in waves)
        self.lines = [form_of(given) for given in lines]
        self.speeds = [value_of_form(form) for form in self.lines]
        self.rational = [rational_form(form) for form in self.lines]
        self.chirps = [self.chirp(given, nodes) for given in chirps]
        self.waves = {int(n): self.wave(nodes[n], given) for n, given in waves.items()}
        self.wavy = {node for node in walk(problem.tree)
                     if any(part.number in self.waves for part in walk(node))}
        self.shared: dict[Any, tuple[dict[Node, Any], dict[Node, Any]]] = {}
        self.peak_at = None if step["peak"] is None else points(step["peak"], "torus.peak")
        self.peak_asked = False
        steps.at_end.append(self.ended)
        ends = [*self.axes(), (problem.delta, problem.delta)]
        boxes = [box for _, box in self.leaves("torus.cells", step["cells"], ends)]
        self.cells = [self.germ(box) for box in boxes]

    def ended(self) -> None:
        idle = self.peak_at is not None and not self.peak_asked
        require(not idle, "torus.peak names a point that no claim needs", "steps")

    @property
    def peak(self) -> Germ:  # type: ignore[override]
        raise Rejected("a limit on a torus of phases is asked for in another way", "steps")

    def chirp(self, given: Any, nodes: dict[str, Node]) -> tuple[Node, Fraction]:
        """A wave whose phase is a multiple of the chirp, and the chirp's factor."""
        step = record(given, "torus.chirps", {"wave", "factor"})
        known = isinstance(step["wave"], str) and step["wave"] in nodes
        known = known and nodes[step["wave"]].kind in ("cos", "sin")
        require(known, "torus.chirps names a node that is no wave", "steps")
        factor = rational(step["factor"], "torus.chirps.factor")
        require(factor > 0, "torus.chirps.factor is not positive", "steps")
        return nodes[step["wave"]], factor

    @rule("K182")
    def wave(self, node: Node, given: Any) -> Wave:
        """A wave's phase by base phases.

        Lemma.  If its argument is k r + c with k = sum n_j w_j exactly, its phase is
        sum n_j (w_j r) + c; if it is n times (the factor of a chirp times the chirp) + c, its phase
        is n times the chirp's + c.  Where a floor is among what is free, all phases are in (half)
        turns, modulo 2: that of a sine or cosine is its argument over pi, and of floor(u) it is 2u.
        """
        count = len(self.lines) + len(self.chirps)
        whole = isinstance(given, list) and len(given) == count
        whole = whole and all(type(n) is int and abs(n) <= LARGEST for n in given)
        require(whole, "torus.waves does not give a whole multiple of each base phase", "format")
        on_lines, on_chirps = given[: len(self.lines)], given[len(self.lines) :]
        if not any(on_chirps):
            slope, constant = line(node, self.turns)
            total: Form = {}
            for n, form in zip(on_lines, self.lines, strict=True):
                for key, q in form.items():
                    total[key] = total.get(key, Fraction(0)) + n * q
            exact = {k: q for k, q in total.items() if q} == slope
            require(exact, "a wave's speed is not the sum of those that are named")
            return Wave(given, value_of_form(constant), rational_form(constant))
        alone = not any(on_lines) and sum(n != 0 for n in on_chirps) == 1
        alone = alone and node.kind in ("cos", "sin")
        require(alone, "a wave's phase mixes a chirp with another phase", "steps")
        n, (base, factor) = next((n, c) for n, c in zip(on_chirps, self.chirps, strict=True) if n)
        size, shape, number = shape_of(node.args[0])
        _, named, _ = shape_of(base.args[0])
        fits = same(shape, named) and node.args[1] == base.args[1] and size == n * factor
        require(fits, "a wave's phase is not the multiple of the chirp that is named")
        unit = (1 if node.args[1] else PI.inverse()) if self.turns else PI if node.args[1] else 1
        return Wave(given, interval(number) * unit)

    def axes(self) -> list[Cut]:
        """One period of each phase: where r is, and of chirps ahead."""
        period = Fraction(2) if self.turns else TWO_PI
        return [(Fraction(0), period)] * (len(self.lines) + 2 * len(self.chirps))

    def germ(self, box: list[Cut]) -> Germ:
        return on_phase(self.problem.infinity, Cell(self, box, "models"))

    @rule("K183")
    def leaves(self, name: str, tree: Any, box: list[Cut]) -> list[tuple[str, list[Cut]]]:
        """The cells of a tree of halves, each with its letter.

        Lemma.  A box is the union of its halves along an axis; so the leaves of a tree that starts
        from a whole period of every phase, and every shift from 0 to delta, make up all of them.
        """
        written = isinstance(tree, str) and 0 < len(tree) <= MOST_CELLS
        require(written, f"{name} is not a tree of halves", "format")
        stack, found = [box], []
        for letter in tree:
            require(bool(stack), f"{name} goes on behind its end", "steps")
            box = stack.pop()
            if letter in ".*-":
                found.append((letter, box))
                continue
            axis = AXES.find(letter)
            require(0 <= axis < len(box), f"{name} halves an axis that is not there", "steps")
            a, b = box[axis]
            middle = (a + b) / 2
            stack += [[*box[:axis], half, *box[axis + 1 :]] for half in ((middle, b), (a, middle))]
        require(not stack, f"{name} ends too early", "steps")
        return found

    def cell(self, r: Any, box: list[Cut], floors: Floors | None = None,
             within: Cell | None = None) -> Cell:
        """A cell for the radii r."""
        chart = "models" if isinstance(r, Model) else (r.lo, r.hi)
        return Cell(self, box, chart, floors, within)

    def loss_at(self, r: Any, cell: Cell, axis: int | None = None) -> Any:
        """phi_h at the points of a cell, or with its slopes along an axis."""
        chart = self.problem.at_infinity if isinstance(r, Model) else self.problem.at_box
        ways = chart if isinstance(chart, Ways) else NO_WAYS
        if axis is None:
            pair = with_shift(r, r.const(cell.shift))
        else:
            moved = 1 if axis == len(cell.box) - 1 else 0
            pair = with_shift(Slope(r, r.const(0)), Slope(r.const(cell.shift), r.const(moved)))
        return -self.problem.log_f(OnTorus(pair, cell, 0, axis, ways)).du

    @rule("K184")
    def loss_from_point(self, r: Any, cell: Cell, sign: int) -> Interval:
        """phi_h on a cell from a point of it.

        Lemma.  At each radius phi_h is a function of the phases and the shift; by the mean value
        theorem it differs from its value at a point of the cell by a sum over the axes of its slope
        along the axis times the way there, floors being at the point what they are in the cell.
        The point is the middle of the cell on each axis, but
        an end where phi_h (or -phi_h, for a negative sign) is shown to rise towards it.
        """
        point, ways = [], []
        for axis, (a, b) in enumerate(cell.box):
            slopes = self.loss_at(r, cell, axis).du.span() if a < b else ZERO
            require(slopes.finite(), "the slopes of the loss are not shown finite")
            uphill = slopes * sign
            at = b if uphill.lo >= 0 else a if uphill.hi <= 0 else (a + b) / 2
            point.append((at, at))
            ways.append(slopes * hull(interval(a - at), interval(b - at)))
        return add_up([self.loss_at(r, self.cell(r, point, within=cell)).span(), *ways])

    def bounds(self, chart: Any, start: Fraction,
               most: Decimal = D0) -> tuple[list[Interval], Fraction | None]:
        """phi_h on each leaf of a chart that begins at a radius, and where the chart ends."""
        step = record(chart, "supremum.charts", {"high", "tree"})
        p, high, r = self.problem, None, None
        if step["high"] is None:
            far = Model(p.infinity, {LINEAR: 1})
            r = far if start >= p.r1 else Interval(interval(start).lo, INF)
        else:
            high = rational(step["high"], "supremum.charts.high")
            require(high > start, "supremum.charts are not increasing", "steps")
            r = radii(start, high).u
        ends = [*self.axes(), (Fraction(0), p.delta)]
        tree = self.leaves("supremum.charts.tree", step["tree"], ends)
        return [self.bound(r, letter, box, most) for letter, box in tree], high

    def bound(self, r: Any, letter: str, box: list[Cut], most: Decimal = D0) -> Interval:
        """phi_h on a leaf, as its letter says, for each way in which floors may be there; of more
        than one directly where that is within -most and most."""
        of_teeth = brought("floors on a cell")(self.cell(r, box)) if self.turns else [None]
        cells, found = [self.cell(r, box, floors) for floors in of_teeth], []
        for cell in cells:
            if letter == "." or len(cells) > 1:
                found.append(self.loss_at(r, cell).span())
                if letter == "." or (most.copy_negate() <= found[-1].lo and found[-1].hi <= most):
                    continue
                found.pop()
            found.append(self.loss_from_point(r, cell, 1 if letter == "*" else -1))
        return Interval(min(x.lo for x in found), max(x.hi for x in found))


def form_of(given: Any) -> Form:
    """A speed: a list of [n, k, q] that stand for q sqrt(n) pi^k, each n and k but once."""
    listed = isinstance(given, list) and bool(given)
    require(listed and all(isinstance(t, list) and len(t) == 3 for t in given),
            "torus.lines is not a list of sums", "format")
    form: Form = {}
    for term in given:
        n, k, q = (rational(x, "torus.lines") for x in term)
        whole = n.denominator == k.denominator == 1 and 0 < n <= LARGEST and abs(k) <= 100
        require(whole and q != 0 and (int(n), int(k)) not in form,
                "torus.lines has a term that is not q sqrt(n) pi^k", "format")
        form[int(n), int(k)] = q
    return form


def rational_form(form: Form) -> Fraction | None:
    """The number that a form stands for, where it is a rational of itself."""
    return form.get((1, 0), Fraction(0)) if set(form) <= {(1, 0)} else None


def shape_of(argument: Node) -> tuple[Fraction, Any, Fraction]:
    """q, X and c where the argument is q X + c, and its first term in X has the factor 1."""
    terms = argument.args if argument.kind == "add" else (argument,)
    numbers = [t.args[0] for t in terms if t.kind == "num"]
    parts = []
    for term in terms:
        if term.kind == "mul" and term.args[0].kind == "num":
            parts.append((term.args[0].args[0], term.args[1:]))
        elif term.kind == "mul":
            parts.append((Fraction(1), term.args))
        elif term.kind != "num":
            parts.append((Fraction(1), (term,)))
    require(bool(parts), "a chirp does not hang on the radius")
    size = parts[0][0]
    shape = tuple((q / size, factors) for q, factors in parts)
    return size, shape, sum(numbers, Fraction(0))


@rule("K185")
def at_most(proof: Proof, bound: Fraction) -> None:
    """epsilon <= bound, with charts on which phases run free.

    Lemma (Theorem A).  As K74 for radii in (0, r0] and on the boxes of its cover, which may be
    none; on each chart that follows, up to infinity, |phi_h| is bounded on every cell of phases and
    shifts.  What a cell says holds whichever of its points the radii reach.  Or |phi_h| is bounded
    by the slopes of g (K340).
    """
    p, torus, most = proof.problem, proof.tail, interval(bound).lo
    assert isinstance(torus, Torus)
    given = proof.steps.take("supremum")
    if isinstance(given, dict) and "slopes" in given:
        brought("a bound by slopes")(proof, given, bound)
        return
    more = {"charts"} | ({"windows"} & set(given) if isinstance(given, dict) else set())
    step = record(given, "supremum", theorem_a.FIELDS | more)
    boxes = cover(step["cover"], "supremum.cover", p.r0, p.r0) if step["cover"] else []
    reach = boxes[-1][1] if boxes else p.r0
    bounds = theorem_a.bounds_before(proof, step, boxes)
    charts = step["charts"]
    require(isinstance(charts, list) and bool(charts), "supremum.charts is not a list", "format")
    end: Fraction | None = reach
    for chart in charts:
        require(end is not None, "a chart follows one without an end", "steps")
        found, end = torus.bounds(chart, end, most)  # type: ignore[arg-type]
        bounds += found
    require(end is None, "supremum.charts do not reach infinity", "steps")
    within = all(most.copy_negate() <= x.lo and x.hi <= most for x in bounds)
    require(within, f"the loss is not shown below {shown(bound)} for every shift")


def at_most_by_tail(proof: Proof, bound: Fraction) -> None:
    (at_most if isinstance(proof.tail, Torus) else theorem_a.at_most)(proof, bound)


VALUES.update({"cos": value_of_free_wave, "sin": value_of_free_wave})
LOGS["add"] = log_of_wavy_sum
TAKEN_APART.append(taken_apart)
TAILS["torus"] = Torus
THEOREMS["Theorem A"] = (at_most_by_tail, set())

"""The way through the proof: hypotheses, then refutation or supremum, then the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from flint import arb

from dpverify.asymptotics import CONSTANT
from dpverify.attempts import Attempts
from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below, precision
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.errors import InputError
from dpverify.findings import Finding, Why
from dpverify.generators import Generator
from dpverify.language import limits
from dpverify.outcome import Outcome
from dpverify.prover.algebra import factored
from dpverify.prover.alike import with_alike
from dpverify.prover.angles import with_angles
from dpverify.prover.apart import apart_up_to
from dpverify.prover.centre import series_of
from dpverify.prover.closed_form import confirmed
from dpverify.prover.common import with_common_factors
from dpverify.prover.conjugates import with_conjugates
from dpverify.prover.cover import stretched
from dpverify.prover.defined import Definedness, Undefined
from dpverify.prover.established import Findings
from dpverify.prover.exponents import with_exponents
from dpverify.prover.hypotheses import examine, undefined
from dpverify.prover.lipschitz import slopes_beside
from dpverify.prover.logarithms import with_logarithms
from dpverify.prover.modulus import modulus
from dpverify.prover.nothing import without_noughts
from dpverify.prover.periods import Repeated
from dpverify.prover.pieces import in_pieces
from dpverify.prover.problem import Problem
from dpverify.prover.radicals import with_squares
from dpverify.prover.relative import with_relative
from dpverify.prover.softplus import with_softplus
from dpverify.prover.steps import steps_of
from dpverify.prover.supremum import Supremum, supremum
from dpverify.prover.torus import FreeTail
from dpverify.prover.torus.modulus import modulus_on_torus
from dpverify.prover.unreached import without_unreached
from dpverify.prover.vertices import about_vertices
from dpverify.results import Epsilon, Result, TailRatio, Verdict, decimal_between

THEOREM_3 = "Theorem 3"
THEOREM_A = "Theorem A"
DEFAULT_TOLERANCE = Fraction(1, 10**11)
LEAST_BITS = 139
SEARCH = Fraction(3, 10)
SEARCH_OF_A_PERIOD = Fraction(1, 2)
"""The part of the time left that a search for the supremum may take while a wider enclosure can follow: more where one
period of radii is all that is looked at, and that takes few steps to prove what was found."""
Progress = Callable[[str, int], None]


class Examined:
    """What is found of the hypotheses of one question, once it is."""

    def __init__(self) -> None:
        self.found: tuple[Problem, Findings, Definedness] | None = None


def verify(
    generator: Generator,
    sensitivity: Fraction = Fraction(1),
    scale: Fraction = Fraction(1),
    tolerance: Fraction | None = None,
    progress: Progress | None = None,
    examined: Examined | None = None,
) -> Outcome:
    """Decide whether noise with this generator is epsilon-DP, and enclose the best epsilon.

    `tolerance` is the width asked of the enclosure, relative to epsilon; `progress` is
    called with the step's name and a count of boxes as the work goes on; `examined` keeps what is found of the
    hypotheses, for the same question to another width.
    Raises InputError for a sensitivity, scale or tolerance that is not positive.
    """
    tolerance = DEFAULT_TOLERANCE if tolerance is None else tolerance
    for name, value in (("sensitivity", sensitivity), ("scale", scale), ("tolerance", tolerance)):
        if value <= 0:
            raise InputError(f"the {name} must be positive, not {value}")
    with precision(working_bits(tolerance, sensitivity / scale)):
        told = progress or (lambda step, count: None)
        return _Run(generator, sensitivity, scale, tolerance, told, examined or Examined()).outcome()


def working_bits(tolerance: Fraction, delta: Fraction) -> int:
    """Bits for the tolerance, for a delta far from 1, and a reserve; and for the box of 1e-40 beyond delta at least."""
    spread = max(delta, 1 / delta)
    bits = 100 + (1 / tolerance).numerator.bit_length() + 2 * (spread.numerator // spread.denominator).bit_length()
    return max(LEAST_BITS, bits)


def read(generator: Generator) -> Node:
    """The generator's tree, products and pieces in the place of what hides zeros and jumps."""
    reached = without_unreached(lower(generator.expression))
    gathered = with_exponents(with_relative(with_common_factors(with_angles(with_alike(reached)))))
    return with_squares(in_pieces(without_noughts(factored(gathered))))


def problem_of(generator: Generator, delta: Fraction) -> Problem:
    """The generator as it is proved something of, for one Delta/sigma.  Raises Undecided where its tree has no form in
    which it is evaluated."""
    node = about_vertices(with_softplus(with_logarithms(with_conjugates(read(generator)))))
    return Problem(node, generator.dimension, delta, series_of(node))


class _Run:
    def __init__(
        self,
        generator: Generator,
        sensitivity: Fraction,
        scale: Fraction,
        tolerance: Fraction,
        progress: Progress,
        examined: Examined,
    ) -> None:
        self.generator, self.sensitivity, self.scale = generator, sensitivity, scale
        self.tolerance, self.progress, self.examined = tolerance, progress, examined
        self.width = tolerance
        self.delta = sensitivity / scale
        self.definedness = Definedness(generator.needs)
        self.count = 0

    def outcome(self) -> Outcome:
        if self.examined.found is not None:
            problem, found, self.definedness = self.examined.found
            return self._verdict(problem, replace(found))
        nowhere = self.definedness.refutation(self._ticker("what was typed"))
        if nowhere is not None:
            return self._undefined(None, undefined(self.definedness, nowhere))
        try:
            problem = problem_of(self.generator, self.delta)
        except Undecided as error:
            return self._conclude(None, Findings(), "undecided", None, Why.NOT_ENCLOSED(failure=error.finding), "")
        found = examine(problem, self.definedness, self._ticker("hypotheses"))
        problem = problem.with_far(found.far_boxes)
        self.examined.found = problem, replace(found), self.definedness
        return self._verdict(problem, found)

    def _ticker(self, step: str) -> Callable[[], None]:
        def tick() -> None:
            self.count += 1
            self.progress(step, self.count)

        return tick

    def _undefined(self, problem: Problem | None, found: Findings) -> Outcome:
        return self._conclude(problem, found, "invalid", None, found.verdicts["defined"].because, "")

    def _verdict(self, problem: Problem, found: Findings) -> Outcome:
        why = {name: h.because for name, h in found.verdicts.items()}
        if found.status("defined") == "refuted":
            return self._undefined(problem, found)
        if found.status("defined") == "undecided":
            return self._conclude(problem, found, "undecided", None, why["defined"], "")
        if found.sign is not None and found.sign["kind"] in ("negative", "eventually", "nothing"):
            return self._conclude(problem, found, "invalid", None, why["positive"], "")
        if found.status("integrable") == "refuted":
            return self._conclude(problem, found, "invalid", None, why["integrable"], "")
        if found.status("integrable") == "proved":
            if found.pole is not None:
                infinite = Why.INFINITE(at=found.pole.box[1])
                return self._conclude(problem, found, "not_private", None, infinite, THEOREM_A)
            if found.vanishing is not None:
                return self._conclude(problem, found, "not_private", None, Why.NEARS_ZERO_FAR_OUT(), THEOREM_A)
            if found.narrowing is not None:
                return self._conclude(problem, found, "not_private", None, Why.UNBOUNDED_FAR_OUT(), THEOREM_A)
            for name in ("finite_at_zero", "tail_ratio_bounded", "positive"):
                positive = found.status("positive") == "proved" or name == "positive"
                if found.status(name) == "refuted" and positive:
                    return self._conclude(problem, found, "not_private", None, why[name], THEOREM_A)
        return self._private_or_undecided(problem, found)

    def _private_or_undecided(self, problem: Problem, found: Findings) -> Outcome:
        for name in ("positive", "finite_at_zero", "integrable", "tail_ratio_bounded"):
            if found.status(name) != "proved":
                unsettled = Why.NOT_SETTLED(hypothesis=name.replace("_", " "), why=found.verdicts[name].because)
                return self._conclude(problem, found, "undecided", None, unsettled, "")
        falls = found.status("decreasing") == "proved"
        free = isinstance(found.infinity, FreeTail)
        theorem = THEOREM_3 if falls and not free else THEOREM_A
        problem = replace(problem, apart=apart_up_to(problem))
        found.apart = problem.apart
        try:
            best = self._enclosed(problem, found, theorem)
        except Undecided as error:
            return self._conclude(problem, found, "undecided", None, Why.SUPREMUM_OPEN(failure=error.finding), "")
        if not (_writable(best.lower) and _writable(best.upper)):
            too_long = Why.TOO_LONG(bits=limits.MAX_RESULT_BITS)
            return self._conclude(problem, found, "undecided", None, too_long, "")
        return self._conclude(problem, found, "private", best, None, theorem)

    def _enclosed(self, problem: Problem, found: Findings, theorem: str) -> Supremum:
        """epsilon, as narrowly as was asked, or else wider; raises Undecided with the first failure."""
        failure: Undecided | None = None
        part = SEARCH_OF_A_PERIOD if isinstance(found.infinity, Repeated) else SEARCH
        attempts = Attempts[Supremum](self.tolerance, part, generous=True)
        for width in attempts:
            try:
                best = attempts.tried(partial(self._enclosed_within, problem, found, theorem, width))
            except Undecided as error:
                failure = failure or error
                continue
            if best is not None:
                self.width = width
                return best
        assert failure is not None
        raise failure

    def _enclosed_within(
        self, problem: Problem, found: Findings, theorem: str, width: Fraction, check: Callable[[], None]
    ) -> Supremum:
        zero, tail, told = found.zero, found.infinity, self._ticker("supremum")
        assert zero is not None and tail is not None

        def tick() -> None:
            check()
            told()

        if isinstance(tail, FreeTail):
            return modulus_on_torus(problem, zero, tail, width, tick)
        if theorem == THEOREM_A:
            return modulus(problem, zero, tail, found.breaks, width, tick)
        best = supremum(problem, zero, tail, found.breaks, width, tick)
        return replace(best, slopes=slopes_beside(problem, best, zero, found.breaks, width, tick))

    def _conclude(
        self,
        problem: Problem | None,
        found: Findings,
        verdict: Verdict,
        best: Supremum | None,
        because: Finding | str | None,
        theorem: str,
    ) -> Outcome:
        form = confirmed(self.generator, self.delta, best.lower, best.upper) if best else None
        epsilon = None
        if best is not None:
            assert problem is not None
            where = form.attained_at if form else _where(problem, best)
            epsilon = Epsilon(best.lower, best.upper, form.epsilon if form else None, where)
        tail = _tail(problem, found, best) if problem is not None else None
        if tail is not None and not (_writable(tail.lower) and _writable(tail.upper)):
            tail = None
        result = Result(
            generator=self.generator,
            sensitivity=self.sensitivity,
            scale=self.scale,
            verdict=verdict,
            epsilon=epsilon,
            hypotheses=found.hypotheses(),
            because=because,
            theorem=theorem,
            assumptions=(),
            tail_log_ratio=tail,
            certificate=None,
            asked=self.tolerance * best.upper if best else None,
        )
        _stretch(found, best, self.definedness)
        found.series = problem.series if problem else None
        steps = None if verdict == "undecided" else steps_of(found, best)
        return Outcome(result, steps, _narrower(best, self.width))


def _narrower(best: Supremum | None, tolerance: Fraction) -> Fraction | None:
    """What the upper end of epsilon should be, where the enclosure is wider than was tried for."""
    if best is None:
        return None
    asked = best.lower + tolerance * best.upper
    return asked if asked < best.upper else None


def _stretch(found: Findings, best: Supremum | None, definedness: Definedness) -> None:
    """Boxes that reach the charts at both ends, if those lie further out, fine enough for every part of the text."""
    if not found.boxes:
        return
    zero = best.zero if best else found.zero and found.zero.germ
    tail = best.tail if best else found.infinity
    zero = zero or found.zero_value
    low = 1 / zero.radius if zero else found.boxes[0][0]
    high = found.bounded_end.radius if found.bounded_end else tail.reach if tail else found.boxes[-1][1]
    found.boxes = stretched(found.boxes, low, high)
    if not definedness.waiting:
        return
    try:
        boxes = definedness.covered(found.boxes, lambda: None)
    except Undecided:
        return
    if not isinstance(boxes, Undefined):
        found.boxes = boxes


def _writable(bound: Fraction) -> bool:
    return bound.numerator.bit_length() + bound.denominator.bit_length() <= limits.MAX_RESULT_BITS


def _where(problem: Problem, best: Supremum) -> str:
    witness = best.witness
    if witness.near == "torus":
        return "again and again as c -> oo"
    if witness.near == "infinity":
        level = len(problem.far_loss(best.tail.summit(), exact(problem.delta)).terms) == 1
        if best.tail.wave is not None:
            return "some c of every period in the tail" if level else "again and again as c -> oo"
        return "every large c" if level else "the limit c -> oo"
    if witness.near == "zero":
        return "c = delta (r -> 0)"
    assert witness.box is not None
    middle = witness.box[0] + (witness.shift or problem.delta)
    if witness.near == "slopes":
        first, last = (decimal_between(x, x) for x in (middle, witness.box[1]))
        return f"the limit c -> {last}" if first == last else f"every c from {first} to {last}"
    return f"c = {decimal_between(middle, middle)}"


def _tail(problem: Problem, found: Findings, best: Supremum | None) -> TailRatio | None:
    if (
        found.infinity is None
        or isinstance(found.infinity, FreeTail | Repeated)
        or found.status("tail_ratio_bounded") != "proved"
    ):
        return None
    tail, delta = found.infinity, exact(problem.delta)
    model = problem.far_loss(tail.summit(), delta)
    if not model.terms or model.leading()[0] > CONSTANT:
        return TailRatio(Fraction(0), Fraction(0)) if not model.terms and tail.wave is None else None
    limit = model.limit()
    if tail.wave is not None:
        cells = best.phases if best is not None else None
        if cells is None:
            return None
        tops = [arb(problem.far_loss(tail.germ.at(tail.wave.cell(*cell)), delta).limit()) for cell in cells]
        top = arb(limit)
        for t in tops:
            top = top.max(t)
        margin = arb(2) ** (-70)
        return TailRatio(fraction_below(arb(limit) - margin), fraction_above(top.upper() + margin))
    if isinstance(limit, arb):
        if limit.rad() > arb(2) ** (-60):
            return None
        margin = arb(2) ** (-70)
        return TailRatio(fraction_below(limit - margin), fraction_above(limit + margin))
    ball = arb(limit)
    return TailRatio(fraction_below(ball), fraction_above(ball)) if not ball.is_exact() else _exact_tail(limit)


def _exact_tail(limit: object) -> TailRatio:
    value = Fraction(int(limit.p), int(limit.q))  # type: ignore[attr-defined]
    return TailRatio(value, value)

"""The answers to one question about a profile, from what is proved of the generator."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.numerals import brief
from dpverify.profiles.curve import LAST, CurveGrid, usual
from dpverify.profiles.needs import lacking, rises
from dpverify.profiles.question import DEFAULT_TOLERANCE, FOR_PROOF, THEOREM, WHOLE, Question, levels
from dpverify.profiles.result import Enclosed, Measure, Point, Profile, outward, said_of

if TYPE_CHECKING:
    from dpverify.prover.profile import Divergence
    from dpverify.prover.profile import Profile as Prover
    from dpverify.results import Result


class Answer:
    """The answers to one question; what is proved of the generator is kept."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.verified: Result | None = None
        self.prover: Prover | None = None
        self.asked_points = False
        self.level = self.cut_for = Fraction(0)
        self.certificate = self.kernels_word = self.of_orders = self.grounds = False
        self.unbounded = ""

    def profile(self, asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], certificate: bool = False) -> Profile:
        """The points at these eps and deltas, what else was asked, and a certificate of all that."""
        from dpverify.enclosures import Undecided

        self.asked_points, self.certificate = any(asked), certificate
        self.level = max([*asked[0], WHOLE if self.question.curve or self.question.wanted else Fraction(0)])
        refusal = self._prepared()
        if refusal is not None:
            return refusal
        assert self.prover is not None
        self.prover.alone = not certificate
        if certificate and not any(asked):
            asked = self._grounds()
        points: list[Point] = []
        others: tuple[Measure, ...] = ()
        try:
            if self.question.curve is not None and not any(asked):
                asked = (self._levels(self.question.curve), ())
            for epsilon in asked[0]:
                points.append(Point(epsilon, self._delta(epsilon)))
            for delta in asked[1]:
                if self._unreachable(delta):
                    return self._concluded("refuted", (), f"No eps has a delta of {delta}: {self._said_atom()}.")
                points.append(Point(self._epsilon(delta), delta))
            others = self._measures()
            infinite = self._atom() if points else None
        except Undecided as error:
            return self._concluded("undecided", (), f"Undecided: {error}.")
        said = said_of(points, self.question.tolerance)
        atom = self._said_atom() if infinite else ""
        reason = (
            "; ".join(filter(None, [said, atom, *map(str, others)])) or "The profile exists; no point was asked for"
        )
        verdicts = {m.verdict for m in others}
        refuted = not points and verdicts == {"refuted"}
        verdict = "undecided" if "undecided" in verdicts else "refuted" if refuted else "proved"
        found = replace(self._concluded(verdict, tuple(points), f"{reason}."), measures=others, infinite=infinite)
        if not certificate or not points:
            return found
        from dpverify.profiles.certify import certified

        assert self.verified is not None
        proved = certified(found, self.question, self.verified, self.prover, asked)
        if self.of_orders and any(m.value is not None and not m.certified for m in proved.measures):
            self.of_orders = False
            self._whole()
            return self.profile(((), ()), True)
        return proved

    def _grounds(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """What else a certificate of measures alone claims: total variation beside a Gaussian's, or beside divergences
        that have integrals of their own; or the whole profile, from which the checker derives them."""
        assert self.prover is not None
        wanted = self.question.wanted
        if wanted and self.question.curve is None and self.prover.cut is None:
            own = wanted.renyi and wanted.count == len(wanted.renyi) + wanted.largest
            self.of_orders = bool(own) and self.prover.theorem == THEOREM and not self.prover.rate
            if self.prover.rate or self.of_orders:
                return (Fraction(0),), ()
            if self.prover.theorem == THEOREM:
                self._whole()
        return (), ()

    def _levels(self, curve: CurveGrid) -> tuple[Fraction, ...]:
        """The curve's points, and where they are there for measures alone more that these need."""
        from dpverify.profiles.measures import closer

        assert self.prover is not None
        levels, wanted = curve.levels(self.prover, usual(self.prover)), self.question.wanted
        return closer(self.prover, wanted, levels, self.question.tolerance) if self.grounds and wanted else levels

    def _whole(self) -> None:
        """Claim the whole profile, though it was not asked for."""
        self.grounds, self.question = True, replace(self.question, curve=CurveGrid(None, LAST))

    def _unreachable(self, delta: Fraction) -> bool:
        """Whether no eps has so small a delta."""
        atom = self._atom()
        return atom is not None and delta < atom.lower

    def _said_atom(self) -> str:
        atom = self._atom()
        return "" if atom is None else f"the loss is infinite with probability {atom.decimal}"

    def _atom(self) -> Enclosed | None:
        """The probability of an infinite loss, where f is 0 from some radius on."""
        assert self.prover is not None
        found = self.prover.atom(max(self.question.tolerance, DEFAULT_TOLERANCE))
        return None if found is None else Enclosed(found.lower, found.upper)

    def _measures(self) -> tuple[Measure, ...]:
        if not self.question.wanted:
            return ()
        from dpverify.profiles.measures import measures

        assert self.prover is not None
        q, wanted = self.question, self.question.wanted
        curve = None if self.grounds else q.curve
        found = measures(self.prover, wanted, curve, q.tolerance, self.certificate)
        return (*found, self._largest()) if wanted.largest else found

    def _largest(self) -> Measure:
        """The divergence of infinite order, which is the pure epsilon."""
        from dpverify.profiles.measures import LARGEST

        result = self.verified
        assert result is not None and self.prover is not None
        if self.prover.cut is not None:
            return Measure(LARGEST, None, None, self.unbounded, decided=bool(self.unbounded))
        if self.prover.pure is not None:
            return Measure(LARGEST, None, Enclosed(*self.prover.pure))
        return Measure(LARGEST, None, None, result.reason.rstrip("."), decided=result.verdict == "not_private")

    def _prepared(self) -> Profile | None:
        """What there is to say where the generator has no profile that is proved; else the prover is ready."""
        if self.prover is not None and (self.prover.cut is None or self.level <= self.cut_for):
            return None
        from dpverify import prover
        from dpverify.certificate.build import build
        from dpverify.enclosures import Undecided
        from dpverify.profiles.vanishing import also_touches
        from dpverify.prover.profile import Profile as Prover
        from dpverify.prover.profile import rising

        q = self.question
        result = self.verified = build(prover.verify(q.generator, q.sensitivity, q.scale, None, q.progress))
        if result.verdict == "invalid":
            return self._concluded("invalid", (), result.reason)
        statuses = dict(result.hypotheses.items())
        if all(statuses[name].status == "proved" for name in ("defined", "integrable")):
            nowhere = self._infinite()
            if nowhere is not None:
                return nowhere
        missing = lacking(statuses)
        refuted = missing == "positive" and statuses["positive"].status == "refuted"
        if refuted and statuses["integrable"].status == "proved":
            return self._cut()
        if missing is None and statuses["positive"].status != "proved" and also_touches(q.generator, q.shift):
            return self._cut()
        if missing is not None:
            return self._concluded("undecided", (), _lacking(missing, result))
        pure = (result.epsilon.lower, result.epsilon.upper) if result.epsilon is not None else None
        try:
            problem = prover.problem_of(q.generator, q.shift)
            if rises(statuses):
                self.prover = rising(problem, pure, self._tick())
            else:
                self.prover = Prover(problem, pure, self._tick(), closed=True)
            self.prover.only_roughly = q.roughly
        except Undecided as error:
            return self._concluded("undecided", (), f"Undecided: {error}.")
        return None

    def _tick(self) -> Callable[[str], None]:
        count = 0

        def tick(step: str) -> None:
            nonlocal count
            count += 1
            self.question.progress(step, count)

        return tick

    def _cut(self) -> Profile | None:
        """The same for an f that is 0 beyond some radius, or at some: the prover is that of f cut short, or patched."""
        from dpverify.enclosures import Undecided
        from dpverify.profiles.vanishing import vanishing
        from dpverify.prover.profile.cut import Cut

        q = self.question
        assert self.verified is not None
        try:
            self.cut_for = self.level
            found = vanishing(q.generator, (q.sensitivity, q.scale), self.level, q.tolerance, q.progress)
        except Undecided as error:
            why = _lacking("positive", self.verified)
            return self._concluded("undecided", (), f"{why} The profile is undecided: {error}.")
        if isinstance(found.cut, Cut):
            self.unbounded = "f is 0 beyond some radius"
        elif self.verified.verdict == "not_private":
            self.unbounded = self.verified.reason.rstrip(".")
        self.verified = found.verified
        statuses = dict(self.verified.hypotheses.items())
        missing = lacking(statuses)
        if missing is not None:
            return self._concluded("undecided", (), _lacking(missing, self.verified))
        self.prover = found.prover(q.shift, self._tick())
        return None

    def _infinite(self) -> Profile | None:
        """The measures of an f of bounded support, where they alone were asked for and all are infinite."""
        q = self.question
        if not q.wanted or q.curve is not None or self.asked_points:
            return None
        from dpverify.enclosures.lowering import lower
        from dpverify.profiles.measures import infinite
        from dpverify.profiles.unbounded import ZERO, zero_beyond
        from dpverify.prover.problem import Problem

        found = infinite(q.wanted, ZERO)
        if len(found) < q.wanted.count:
            return None
        if not zero_beyond(Problem(lower(q.generator.expression), q.generator.dimension, q.shift)):
            return None
        return replace(self._concluded("refuted", (), f"{'; '.join(map(str, found))}."), measures=found)

    def out_of_time(self, limit: Fraction | None) -> Profile:
        """What there is to say where the time ran out, of this question or of the work that it is a part of."""
        return Profile("undecided", (), not_enough(limit), "", self.question.lemmas, self.question.about())

    def _concluded(self, verdict: str, points: tuple[Point, ...], reason: str) -> Profile:
        assert self.verified is not None
        proved = verdict in ("proved", "refuted")
        return Profile(
            verdict,  # type: ignore[arg-type]
            points,
            reason,
            (self.prover.theorem if self.prover else THEOREM) if verdict == "proved" else "",
            (*self.question.lemmas, *self.verified.assumptions),
            self.question.about(),
            more=self._more if proved else None,
        )

    def _more(self, epsilon: object = None, delta: object = None, renyi: object = None) -> Profile:
        from dpverify.profiles.measures import Wanted

        answer = self
        if renyi is not None:
            answer = copy(self)
            answer.question = replace(self.question, curve=None, wanted=Wanted(levels(renyi, "an order")))
        return answer.profile((levels(epsilon, "epsilon"), levels(delta, "delta")))

    def _delta(self, epsilon: Fraction) -> Enclosed:
        assert self.prover is not None
        if self.prover.pure is not None and self.prover.pure[0] <= epsilon < self.prover.pure[1]:
            self._narrow()
        tolerance = self.question.tolerance * 9 / 10
        return self._outward(self.prover.nearly(epsilon, min(tolerance, FOR_PROOF) if self.certificate else tolerance))

    def _narrow(self) -> None:
        """Take the pure epsilon as the kernel proves it, which it often does exactly."""
        from dpverify.certificate.complete import Incomplete, certified

        assert self.prover is not None and self.verified is not None
        if self.kernels_word or self.verified.draft is None:
            return
        self.kernels_word = True
        try:
            epsilon = certified(self.verified).epsilon
        except Incomplete:
            return
        if epsilon is not None:
            self.prover.pure = epsilon.lower, epsilon.upper

    def _outward(self, found: Divergence) -> Enclosed:
        """The enclosure in few digits, rounded outward."""
        return outward(Enclosed(found.lower, min(Fraction(1), found.upper)), self.question.tolerance)

    def _epsilon(self, delta: Fraction) -> Enclosed:
        from dpverify.prover.profile import nearly

        assert self.prover is not None
        below, above = nearly(self.prover, delta, self.question.tolerance)
        return Enclosed(below.epsilon, above.epsilon)


def not_enough(limit: Fraction | None) -> str:
    """That the time ran out."""
    return f"Undecided: {'the time was' if limit is None else f'{brief(limit)} seconds were'} not enough."


def _lacking(name: str, result: Result) -> str:
    """Why there is no profile that is proved: the hypothesis that is missing."""
    because = dict(result.hypotheses.items())[name].explanation
    return f"Undecided: the profile needs f {_needs(name)} ({because})."


def _needs(name: str) -> str:
    return {
        "defined": "to be defined",
        "positive": "to be positive",
        "decreasing": "to be non-increasing, so that the longest shift is the worst",
        "integrable": "to be integrable",
    }[name]

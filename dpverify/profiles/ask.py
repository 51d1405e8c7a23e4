"""`profile`: from a generator to points of its privacy profile, with proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.algebraic import rational_above, rational_below
from dpverify.api import time_limit
from dpverify.deadline import OutOfTime, deadline
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.numerals import brief
from dpverify.profiles.curve import LAST, CurveGrid
from dpverify.profiles.needs import NEEDED, lacking, rises
from dpverify.profiles.result import Enclosed, Measure, Point, Profile, rounded, said_of

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing
    from dpverify.profiles.measures import Wanted
    from dpverify.prover.profile import Divergence
    from dpverify.prover.profile import Profile as Prover
    from dpverify.results import Result

THEOREM = "Theorem B"
DEFAULT_TOLERANCE = Fraction(1, 10**9)
FINEST = Fraction(1, 10**40)
FOR_PROOF = Fraction(1, 4 * 10**9)
"""The width that a certificate of a narrower one needs."""
WHOLE = Fraction(120)
"""Up to which eps a whole profile is asked for at most, where f is 0 from some radius on."""
Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Question:
    """What was asked: about which noise, and how narrowly."""

    generator: Generator
    sensitivity: Fraction
    scale: Fraction
    tolerance: Fraction
    lemmas: tuple[str, ...]
    progress: Progress
    curve: CurveGrid | None = None
    wanted: Wanted | None = None
    roughly: bool = False

    @property
    def shift(self) -> Fraction:
        return self.sensitivity / self.scale

    def about(self) -> dict[str, str]:
        bound = "".join(f", {name} = {value}" for name, value in self.generator.parameters.items())
        amounts = f"Delta = {brief(self.sensitivity)}, sigma = {brief(self.scale)}"
        return {"f(y)": self.generator.text, "with": f"d = {self.generator.dimension}{bound}, {amounts}"}


def profile(
    generator: str | Generator | None = None,
    *,
    mixing: str | Mixing | None = None,
    dimension: int | str | None = None,
    sensitivity: object = 1,
    scale: object = 1,
    epsilon: object = None,
    delta: object = None,
    tolerance: object = None,
    curve: bool = False,
    step: object = None,
    until: object = None,
    group: int = 1,
    renyi: object = None,
    tradeoff: object = None,
    zcdp: bool = False,
    gdp: bool = False,
    certificate: bool = False,
    roughly: bool = False,
    timeout: object = None,
    progress: Progress | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Profile:
    """The privacy profile of one release of elliptical noise: delta(eps), and eps(delta), enclosed.

    Args:
        generator: f in the language, as text; the name of a catalogue family; or a Generator.
        mixing: in place of a generator, the law of V in X = V Z, Z Gaussian, as for `verify`.
        dimension: d, or "infinity" for a mixing law.
        sensitivity: Delta, a Mahalanobis distance, exact; an irrational number such as "sqrt(2)" is rounded up, to
            twenty digits.
        scale: sigma, exact, in the same units as Delta.
        epsilon: an eps >= 0, or several, at which delta is to be enclosed, exact.
        delta: a delta in (0, 1), or several, for which eps is to be enclosed, exact.
        tolerance: the width asked of each enclosure, relative to it (default 1e-9, at least 1e-40).
        curve: in place of epsilon and delta, the whole profile: eps = 0, step, 2 step, ..., for `compose`.
        step: the grid's, exact; one that suits the noise by default.
        until: the delta at which the grid ends (default 1e-25), where the pure epsilon does not end it before.
        group: how many records a person holds, each a step of at most Delta: the profile for group * Delta.
        renyi: orders L > 0, exact: the Renyi divergences between neighbours at these, enclosed (at 1 Kullback's).
        tradeoff: type I errors in (0, 1), exact: the least type II errors of tests between neighbours.
        zcdp: also the least rho of zero-concentrated privacy.
        gdp: also the least mu for which it is as private as a Gaussian with Delta/sigma = mu.
        certificate: also make a certificate, and have the kernel replay it; one of measures alone claims the whole
            profile too, from which the kernel derives them.
        roughly: bounds that rest on the pure epsilon, which has to be finite: at once, for any generator.
        timeout: seconds after which a wider enclosure is given, a rough one at last; None for no limit.
        progress: called with a step's name and a running count.
        parameters: the generator's parameters by name, exact.

    Returns:
        A Profile: verdict, points in the order asked (eps first), reason, theorem; `.delta(eps)` and
        `.epsilon(delta)` ask for more.

    Raises:
        InputError: for text outside the language and for numbers that cannot be used.

    Source: Balle and Wang (2018) for the Gaussian; the worst shift by Theorem B (docs/explanation).
    """
    width = DEFAULT_TOLERANCE if tolerance is None else parse_rational(tolerance, "the tolerance")
    if not FINEST <= width < 1:
        raise InputError("the tolerance is relative, below 1 and at least 1e-40")
    sizes = {
        "sensitivity": rational_above(sensitivity, "the sensitivity"),
        "scale": rational_below(scale, "the scale"),
    }
    for name, value in sizes.items():
        if value <= 0:
            raise InputError(f"the {name} must be positive, not {value}")
    asked = _levels(epsilon, "epsilon"), _levels(delta, "delta")
    if any(x < 0 for x in asked[0]):
        raise InputError("an epsilon must not be negative")
    if any(not 0 < x < 1 for x in asked[1]):
        told = "; what holds for delta = 0 is the epsilon that verify proves" if 0 in asked[1] else ""
        raise InputError(f"a delta must lie between 0 and 1{told}")
    if isinstance(group, bool) or not isinstance(group, int) or not 1 <= group <= 10**6:
        raise InputError("a group has from 1 to 1000000 members")
    sizes["sensitivity"] *= group
    drawn = _curve(curve, step, until, asked)
    watched = progress or (lambda step, count: None)
    if dimension in ("infinity", "oo"):
        from dpverify.profiles.infinite import infinite

        shift = sizes["sensitivity"] / sizes["scale"]
        return infinite(generator, mixing, shift, asked, width, watched, parameters or {})
    noise, lemmas = _noise(generator, mixing, dimension, parameters, watched)
    from dpverify.profiles.measures import Wanted

    wanted = Wanted(_levels(renyi, "an order"), _levels(tradeoff, "a type I error"), zcdp, gdp)
    if any(x <= 0 for x in wanted.renyi) or any(not 0 < x < 1 for x in wanted.tradeoff):
        raise InputError("an order must be positive, and a type I error lie between 0 and 1")
    amounts = sizes["sensitivity"], sizes["scale"]
    answer = _Answer(Question(noise, *amounts, width, lemmas, watched, drawn, wanted, roughly))
    limit = time_limit(timeout)
    try:
        with deadline(limit):
            return answer.profile(asked, certificate)
    except OutOfTime:
        return answer.out_of_time(brief(limit or Fraction(0)))


def _curve(
    curve: bool, step: object, until: object, asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
) -> CurveGrid | None:
    if not curve:
        if step is not None or until is not None:
            raise InputError("a step, and a delta at which the grid ends, are for a whole profile: ask for the curve")
        return None
    if any(asked):
        raise InputError("ask either for the whole profile, or for points of it")
    width = None if step is None else parse_rational(step, "the step")
    end = LAST if until is None else parse_rational(until, "the last delta")
    if width is not None and not 0 < width <= 1:
        raise InputError("the step must be positive, and at most 1")
    if not 0 < end < 1:
        raise InputError("the delta at which the grid ends must lie between 0 and 1")
    return CurveGrid(width, end)


def _levels(given: object, what: str) -> tuple[Fraction, ...]:
    if given is None:
        return ()
    many = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    return tuple(parse_rational(x, what) for x in many)


def _noise(
    generator: str | Generator | None,
    mixing: str | Mixing | None,
    dimension: int | str | None,
    parameters: Mapping[str, object] | None,
    progress: Progress,
) -> tuple[Generator, tuple[str, ...]]:
    """The generator, and the lemmas on which it rests where it stands for a mixing law."""
    if (generator is None) == (mixing is None):
        raise InputError("give either a generator or a mixing law, and not both")
    if isinstance(dimension, str):
        raise InputError(f"the dimension is a positive integer, or infinity with a mixing law, not {dimension[:40]!r}")
    if isinstance(generator, Generator):
        if parameters or dimension not in (None, generator.dimension):
            raise InputError("a Generator carries its own dimension and parameters; do not give them again")
        return generator, ()
    d = 1 if dimension is None else dimension
    if generator is not None:
        return Generator(generator, d, parameters), ()
    from dpverify.mixtures import Mixing
    from dpverify.mixtures.recognise import recognise

    law = mixing if isinstance(mixing, Mixing) else Mixing(str(mixing), parameters)
    formula = recognise(law, d)
    if formula is None:
        raise InputError("no formula is known for this law and dimension; verify --mixing encloses its pure epsilon")
    return formula.generator, tuple(formula.lemmas)


class _Answer:
    """The answers to one question; what is proved of the generator is kept."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.verified: Result | None = None
        self.prover: Prover | None = None
        self.asked_points = False
        self.level = self.cut_for = Fraction(0)
        self.certificate = self.kernels_word = False

    def profile(self, asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], certificate: bool = False) -> Profile:
        from dpverify.enclosures import Undecided

        self.asked_points, self.certificate = any(asked), certificate
        self.level = max([*asked[0], WHOLE if self.question.curve or self.question.wanted else Fraction(0)])
        refusal = self._prepared()
        if refusal is not None:
            return refusal
        assert self.prover is not None
        if certificate and not any(asked):
            asked = self._grounds()
        points: list[Point] = []
        others: tuple[Measure, ...] = ()
        try:
            if self.question.curve is not None and not any(asked):
                asked = (self.question.curve.levels(self.prover), ())
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
        return certified(found, self.question, self.verified, self.prover, asked)

    def _grounds(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """What else a certificate of measures alone claims: a Gaussian's total variation, or the whole profile, from
        which the checker derives them."""
        assert self.prover is not None
        if self.question.wanted and self.question.curve is None and self.prover.cut is None:
            if self.prover.rate:
                return (Fraction(0),), ()
            if self.prover.theorem == THEOREM:
                self.question = replace(self.question, curve=CurveGrid(None, LAST))
        return (), ()

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
        return measures(self.prover, self.question.wanted, self.question.curve)

    def _prepared(self) -> Profile | None:
        """What there is to say where the generator has no profile that is proved; else the prover is ready."""
        if self.prover is not None and (self.prover.cut is None or self.level <= self.cut_for):
            return None
        from dpverify import prover
        from dpverify.certificate.build import build
        from dpverify.enclosures import Undecided
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
        """The same for an f that is 0 beyond some radius: the prover is that of f cut short of it."""
        from dpverify.enclosures import Undecided
        from dpverify.profiles.vanishing import vanishing

        q = self.question
        assert self.verified is not None
        try:
            self.cut_for = self.level
            found = vanishing(q.generator, (q.sensitivity, q.scale), self.level, q.tolerance, q.progress)
        except Undecided as error:
            why = _lacking("positive", self.verified)
            return self._concluded("undecided", (), f"{why} The profile is undecided: {error}.")
        self.verified = found.verified
        statuses = dict(self.verified.hypotheses.items())
        for name in NEEDED:
            if statuses[name].status != "proved":
                return self._concluded("undecided", (), _lacking(name, self.verified))
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

    def out_of_time(self, seconds: str) -> Profile:
        """What there is to say where the time ran out."""
        said = f"Undecided: {seconds} seconds were not enough"
        return Profile("undecided", (), f"{said}.", "", self.question.lemmas, self.question.about())

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

    def _more(self, epsilon: object = None, delta: object = None) -> Profile:
        return self.profile((_levels(epsilon, "epsilon"), _levels(delta, "delta")))

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
        digits = len(str(int(1 / self.question.tolerance))) + 2
        upper = min(Fraction(1), rounded(found.upper, digits, True))
        return Enclosed(rounded(found.lower, digits, False), upper)

    def _epsilon(self, delta: Fraction) -> Enclosed:
        from dpverify.prover.profile import nearly

        assert self.prover is not None
        below, above = nearly(self.prover, delta, self.question.tolerance)
        return Enclosed(below.epsilon, above.epsilon)


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

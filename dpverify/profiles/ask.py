"""`profile`: from a generator to points of its privacy profile, with proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.profiles.result import Enclosed, Point, Profile, rounded

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing
    from dpverify.prover.profile import Divergence
    from dpverify.prover.profile import Profile as Prover
    from dpverify.results import Result

THEOREM = "Theorem B"
DEFAULT_TOLERANCE = Fraction(1, 10**9)
FINEST = Fraction(1, 10**40)
NEEDED = ("defined", "positive", "decreasing", "integrable")
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

    @property
    def shift(self) -> Fraction:
        return self.sensitivity / self.scale

    def about(self) -> dict[str, str]:
        bound = "".join(f", {name} = {value}" for name, value in self.generator.parameters.items())
        return {
            "f(y)": self.generator.text,
            "with": f"d = {self.generator.dimension}{bound}, Delta = {self.sensitivity}, sigma = {self.scale}",
        }


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
    certificate: bool = False,
    progress: Progress | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Profile:
    """The privacy profile of one release of elliptical noise: delta(eps), and eps(delta), enclosed.

    Args:
        generator: f in the language, as text; the name of a catalogue family; or a Generator.
        mixing: in place of a generator, the law of V in X = V Z, Z Gaussian, as for `verify`.
        dimension: d, or "infinity" for a mixing law.
        sensitivity: Delta, a Mahalanobis distance, exact.
        scale: sigma, exact, in the same units as Delta.
        epsilon: an eps >= 0, or several, at which delta is to be enclosed, exact.
        delta: a delta in (0, 1), or several, for which eps is to be enclosed, exact.
        tolerance: the width asked of each enclosure, relative to it (default 1e-9, at least 1e-40).
        certificate: also make a certificate, and have the kernel replay it.
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
    exact = {"sensitivity": sensitivity, "scale": scale}
    sizes = {name: parse_rational(value, f"the {name}") for name, value in exact.items()}
    for name, value in sizes.items():
        if value <= 0:
            raise InputError(f"the {name} must be positive, not {value}")
    asked = _levels(epsilon, "epsilon"), _levels(delta, "delta")
    if any(x < 0 for x in asked[0]):
        raise InputError("an epsilon must not be negative")
    if any(not 0 < x < 1 for x in asked[1]):
        raise InputError("a delta must lie between 0 and 1")
    watched = progress or (lambda step, count: None)
    if dimension in ("infinity", "oo"):
        from dpverify.profiles.infinite import infinite

        shift = sizes["sensitivity"] / sizes["scale"]
        return infinite(generator, mixing, shift, asked, width, watched, parameters or {})
    noise, lemmas = _noise(generator, mixing, dimension, parameters, watched)
    question = Question(noise, sizes["sensitivity"], sizes["scale"], width, lemmas, watched)
    return _Answer(question).profile(asked, certificate)


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
        raise InputError("no formula is known for the mixture of this law in this dimension; give its generator")
    return formula.generator, tuple(formula.lemmas)


class _Answer:
    """The answers to one question; what is proved of the generator is kept."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.verified: Result | None = None
        self.prover: Prover | None = None

    def profile(self, asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], certificate: bool = False) -> Profile:
        from dpverify.enclosures import Undecided

        refusal = self._prepared()
        if refusal is not None:
            return refusal
        assert self.prover is not None
        points: list[Point] = []
        try:
            for epsilon in asked[0]:
                points.append(Point(epsilon, self._delta(epsilon)))
            for delta in asked[1]:
                points.append(Point(self._epsilon(delta), delta))
        except Undecided as error:
            return self._concluded("undecided", (), f"Undecided: {error}.")
        reason = "; ".join(map(_said, points)) or "The profile exists; no point was asked for"
        found = self._concluded("proved", tuple(points), f"{reason}.")
        if not certificate:
            return found
        from dpverify.profiles.certify import certified

        assert self.verified is not None
        return certified(found, self.question, self.verified, self.prover, asked)

    def _prepared(self) -> Profile | None:
        """What there is to say where the generator has no profile that is proved; else the prover is ready."""
        if self.prover is not None:
            return None
        from dpverify import prover
        from dpverify.certificate.build import build
        from dpverify.enclosures import Undecided
        from dpverify.enclosures.lowering import lower
        from dpverify.prover.problem import Problem
        from dpverify.prover.profile import Profile as Prover

        q = self.question
        result = self.verified = build(prover.verify(q.generator, q.sensitivity, q.scale, None, q.progress))
        if result.verdict == "invalid":
            return self._concluded("invalid", (), result.reason)
        statuses = dict(result.hypotheses.items())
        for name in NEEDED:
            if statuses[name].status != "proved":
                why = statuses[name].explanation
                return self._concluded("undecided", (), f"Undecided: the profile needs f {_needs(name)} ({why}).")
        pure = (result.epsilon.lower, result.epsilon.upper) if result.epsilon is not None else None
        try:
            problem = Problem(lower(q.generator.expression), q.generator.dimension, q.shift)
        except Undecided as error:
            return self._concluded("undecided", (), f"Undecided: {error}.")
        count = 0

        def tick(step: str) -> None:
            nonlocal count
            count += 1
            q.progress(step, count)

        self.prover = Prover(problem, pure, tick)
        return None

    def _concluded(self, verdict: str, points: tuple[Point, ...], reason: str) -> Profile:
        assert self.verified is not None
        proved = verdict == "proved"
        return Profile(
            verdict,  # type: ignore[arg-type]
            points,
            reason,
            THEOREM if proved else "",
            (*self.question.lemmas, *self.verified.assumptions),
            self.question.about(),
            more=self._more if proved else None,
        )

    def _more(self, epsilon: object = None, delta: object = None) -> Profile:
        return self.profile((_levels(epsilon, "epsilon"), _levels(delta, "delta")))

    def _delta(self, epsilon: Fraction) -> Enclosed:
        assert self.prover is not None
        return self._outward(self.prover.at(epsilon, self.question.tolerance * 9 / 10))

    def _outward(self, found: Divergence) -> Enclosed:
        """The enclosure in few digits, rounded outward."""
        digits = len(str(int(1 / self.question.tolerance))) + 2
        upper = min(Fraction(1), rounded(found.upper, digits, True))
        return Enclosed(rounded(found.lower, digits, False), upper)

    def _epsilon(self, delta: Fraction) -> Enclosed:
        from dpverify.prover.profile import quantile

        assert self.prover is not None
        below, above = quantile(self.prover, delta, self.question.tolerance)
        return Enclosed(below.epsilon, above.epsilon)


def _needs(name: str) -> str:
    return {
        "defined": "to be defined",
        "positive": "to be positive",
        "decreasing": "to be non-increasing, so that the longest shift is the worst",
        "integrable": "to be integrable",
    }[name]


def _said(point: Point) -> str:
    if isinstance(point.epsilon, Fraction):
        assert isinstance(point.delta, Enclosed)
        return f"delta({point.epsilon}) {_equals(point.delta)}"
    return f"eps({point.delta}) {_equals(point.epsilon)}"


def _equals(value: Enclosed) -> str:
    return f"is {value.decimal}" if value.decimal.startswith("between") else f"= {value.decimal}"

"""`profile`: from a generator to points of its privacy profile, with proof."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.algebraic import rational_above, rational_below
from dpverify.api import time_limit
from dpverify.deadline import OutOfTime, deadline
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.profiles.answer import Answer
from dpverify.profiles.curve import LAST, CurveGrid
from dpverify.profiles.question import DEFAULT_TOLERANCE, FINEST, Progress, Question, levels, orders
from dpverify.profiles.result import Profile

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing
    from dpverify.profiles.measures import Wanted


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
        dimension: d, or "infinity" for a mixing law, or a family that is a Gaussian scale mixture with one law of V
            for all dimensions.
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
        renyi: orders L > 0, exact, or "infinity": the Renyi divergences between neighbours at these, enclosed; at 1
            Kullback's, at infinity the pure epsilon.
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
    asked = levels(epsilon, "epsilon"), levels(delta, "delta")
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
    from dpverify.profiles.measures import Wanted

    finite, infinite = orders(renyi)
    wanted = Wanted(finite, levels(tradeoff, "a type I error"), zcdp, gdp, infinite)
    if any(x <= 0 for x in wanted.renyi) or any(not 0 < x < 1 for x in wanted.tradeoff):
        raise InputError("an order must be positive, and a type I error lie between 0 and 1")
    limit = time_limit(timeout)
    if dimension in ("infinity", "oo"):
        from dpverify.profiles.hilbert import Asked, in_hilbert_space, law_of

        if infinite:
            raise InputError("the divergence of infinite order is the pure epsilon: ask verify --mixing")
        law = law_of(generator, mixing, parameters or {})
        asked_of = Asked(law, sizes["sensitivity"], sizes["scale"], asked, width, drawn, wanted, watched)
        return in_hilbert_space(asked_of, certificate, limit)
    found = _noise(generator, mixing, dimension, parameters, wanted)
    if not isinstance(found, tuple):
        from dpverify.profiles.blends import in_space
        from dpverify.profiles.hilbert import Asked

        d = 1 if dimension is None else int(dimension)
        asked_of = Asked(found, sizes["sensitivity"], sizes["scale"], asked, width, drawn, wanted, watched, d)
        return in_space(asked_of, certificate, limit)
    noise, lemmas = found
    amounts = sizes["sensitivity"], sizes["scale"]
    answer = Answer(Question(noise, *amounts, width, lemmas, watched, drawn, wanted, roughly))
    try:
        with deadline(limit):
            return answer.profile(asked, certificate)
    except OutOfTime:
        return answer.out_of_time(limit)


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


def _noise(
    generator: str | Generator | None,
    mixing: str | Mixing | None,
    dimension: int | str | None,
    parameters: Mapping[str, object] | None,
    wanted: Wanted,
) -> tuple[Generator, tuple[str, ...]] | Mixing:
    """The generator, and the lemmas on which it rests where it stands for a mixing law; a law that has no formula, or
    one that is a difference of functions which almost cancel far out, where points alone are asked for."""
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
    from dpverify.mixtures.recognise import TRUNCATED, recognise

    law = mixing if isinstance(mixing, Mixing) else Mixing(str(mixing), parameters)
    formula = recognise(law, d)
    if not wanted and (formula is None or TRUNCATED in formula.lemmas):
        return law
    if formula is None:
        from dpverify.profiles.blends.ask import NO_FORMULA

        raise InputError(NO_FORMULA)
    return formula.generator, tuple(formula.lemmas)

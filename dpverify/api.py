"""The two calls that everything else stands on: `verify` proves, `check` replays a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify import files
from dpverify.algebraic import rational_above, rational_below
from dpverify.attempts import Attempts
from dpverify.deadline import OutOfTime, deadline
from dpverify.errors import InputError
from dpverify.findings import Why
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.requirement import claimed, first_that_decides
from dpverify.results import Hypotheses, Hypothesis, Result
from dpverify.shown import Shown

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing
    from dpverify.symbolic import Formula

LONGEST = 10**6
REPLAY = Fraction(1, 2)
"""The part of the time left that a replay may take while a wider enclosure can follow."""
ALIKE = 2
"""Enclosures less than so many times as wide as one whose replay takes too long are likely to take as long."""


@dataclass(frozen=True, slots=True)
class CheckReport(Shown):
    """What the kernel says of a certificate: accepted or not, in one line, and the claim it proved.

    `rules` are the numbers of the rules that an accepted certificate rests on, and `proof` its steps;
    `code` is the rule, or the word for another cause, of a rejection.
    """

    accepted: bool
    message: str
    claim: Mapping[str, Any] | None
    assumptions: tuple[str, ...]
    rules: tuple[str, ...] = ()
    digest: str = ""
    code: str = ""
    proof: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        told = f"accepted: {self.claim['verdict']}" if self.claim is not None else f"rejected: {self.refusal()}"
        return f"<CheckReport {told}>"

    def __bool__(self) -> bool:
        return self.accepted

    def refusal(self) -> str:
        """Why a certificate is rejected, with the code."""
        return f"{self.message} [{self.code}]"

    @property
    def kind(self) -> str:
        """What the claim is of, where it is not of a generator's epsilon: a profile, a mixture, a composition."""
        kind = "" if self.claim is None else str(self.claim.get("kind", ""))
        return "composition" if kind == "releases" else kind

    def content(self) -> dict[str, Any]:
        """What an accepted certificate says, as the kernel read it, for those who write it in another form."""
        assert self.claim is not None and self.proof is not None
        if self.kind not in ("", "profile"):
            raise InputError(f"a certificate of a {self.kind} is not written in another form yet")
        return {"claim": self.claim, "proof": self.proof, "assumptions": list(self.assumptions)}


def time_limit(given: object) -> Fraction | None:
    """A limit in seconds as a user gives it; None for none. Raises InputError."""
    seconds = str(given) if isinstance(given, float) else given  # which need not be exact
    limit = None if seconds is None else parse_rational(seconds, "the time limit")
    if limit is not None and not 0 < limit <= LONGEST:
        raise InputError(f"the time limit is a number of seconds above 0 and at most {LONGEST}")
    return limit


def verify(
    generator: str | Generator | None = None,
    *,
    mixing: str | Mixing | None = None,
    parameters: Mapping[str, object] | None = None,
    dimension: int | None = None,
    sensitivity: object = 1,
    scale: object = 1,
    tolerance: object = None,
    at_most: object = None,
    replay: bool = True,
    timeout: object = None,
    closed_form: bool = False,
    progress: Callable[[str, int], None] | None = None,
) -> Result:
    """Decide, with proof, whether elliptical noise is epsilon-DP, and enclose the best epsilon.

    Args:
        generator: f in the language, as text; the name of a catalogue family; or a Generator.
        mixing: in place of a generator, the law of V in X = V Z, Z Gaussian: a density in v (not
            necessarily normalised), atoms such as "1/3: 1, 2/3: 5/2", or a Mixing.
        parameters: the values of the text's parameters by name, exact (int, Fraction, Decimal, or text).
        dimension: d, the dimension of the noise (default 1, or the Generator's own).
        sensitivity: Delta, a Mahalanobis distance: sup ||Sigma^(-1/2) (T(D) - T(D'))||_2, exact; an irrational number
            such as "sqrt(2)" is rounded up, to twenty digits.
        scale: sigma, the factor on the noise, exact, in the same units as Delta; an irrational one is rounded down.
        tolerance: the width asked of the enclosure, relative to epsilon; where that does not come off, or not in
            a part of the time, the enclosure is wider, and `Result.reason` says so.
        at_most: an epsilon that is claimed, exact: the enclosure is then only as narrow as it takes to prove or
            to refute the claim, which `Result.within` tells.
        replay: have the kernel replay the proof, and call a result that it does not accept
            undecided; without, there is no certificate.
        timeout: seconds after which the result is undecided, naming the step it was in; None for no limit.
        closed_form: also look for epsilon as a formula, with SymPy, where the catalogue has none; it
            is told only where its value is proved to lie in a narrow enclosure and in this one.
        progress: called with a step's name and a running count, for long work.

    Returns:
        A Result: verdict, enclosure, hypotheses, reasons, and the certificate.

    Raises:
        InputError: for text outside the language and for numbers that cannot be used.

    Source: Reimherr and Awan (2019), Theorem 3.
    """
    if (generator is None) == (mixing is None):
        raise InputError("give either a generator or a mixing law, and not both")
    exact_sensitivity = rational_above(sensitivity, "the sensitivity")
    exact_scale = rational_below(scale, "the scale")
    exact_tolerance = None if tolerance is None else parse_rational(tolerance, "the tolerance")
    bound, limit = None if at_most is None else claimed(at_most), time_limit(timeout)
    law = None if mixing is None else _law(mixing, parameters)
    if law is None:
        assert generator is not None
        noise = _generator(generator, dimension, parameters)
    else:
        noise = law.generator(1 if dimension is None else dimension)
    step = "hypotheses"
    try:
        with deadline(limit) as check_time:

            def watched(name: str, count: int) -> None:
                nonlocal step
                step = name
                check_time()
                if progress is not None:
                    progress(name, count)

            def decided(generator: Generator) -> Result:
                kept: dict[str, Any] = {}

                def prove_to(width: Fraction | None) -> Result:
                    return prove(generator, exact_sensitivity, exact_scale, width, watched, kept)

                if bound is None:
                    result = prove_to(exact_tolerance)
                else:
                    result = first_that_decides(bound, prove_to, exact_tolerance)
                if closed_form:
                    result = _with_closed_form(result, watched)
                return _accepted(result, prove_to, watched) if replay else result

            if law is None:
                return decided(noise)
            from dpverify.mixtures import decide

            amounts = exact_sensitivity, exact_scale, exact_tolerance
            found = decide(law, noise.dimension, *amounts, watched, decided, replay)
            return replace(found, claimed=bound)
    except OutOfTime:
        return replace(_out_of_time(noise, exact_sensitivity, exact_scale, limit, step), claimed=bound)


def _generator(given: str | Generator, dimension: int | None, parameters: Mapping[str, object] | None) -> Generator:
    if not isinstance(given, Generator):
        return Generator(given, 1 if dimension is None else dimension, parameters)
    if parameters or dimension not in (None, given.dimension):
        raise InputError("a Generator carries its own dimension and parameters; do not give them again")
    return given


def _law(given: str | Mixing, parameters: Mapping[str, object] | None) -> Mixing:
    from dpverify.mixtures import Mixing

    if not isinstance(given, Mixing):
        return Mixing(given, parameters)
    if parameters:
        raise InputError("a Mixing carries its own parameters; do not give them again")
    return given


def _out_of_time(
    generator: Generator, sensitivity: Fraction, scale: Fraction, limit: Fraction | None, step: str
) -> Result:
    unknown = Hypothesis("undecided", Why.OUT_OF_TIME())
    return Result(
        generator=generator,
        sensitivity=sensitivity,
        scale=scale,
        verdict="undecided",
        epsilon=None,
        hypotheses=Hypotheses(*[unknown] * 6),
        because=Why.OUT_OF_TIME_WITHIN(step=step) if limit is None else Why.OUT_OF_TIME_IN(limit=str(limit), step=step),
        theorem="",
        assumptions=(),
        tail_log_ratio=None,
        certificate=None,
    )


def _accepted(
    result: Result, prove_to: Callable[[Fraction | None], Result], progress: Callable[[str, int], None]
) -> Result:
    """The result that the kernel accepts: a wider one where it does not follow this one, or not in the time left."""
    attempts = Attempts[Result](ALIKE * _relative_width(result), REPLAY, generous=True)
    refused: Result | None = None
    for _ in attempts:
        found = attempts.tried(partial(_replayed_under, result, progress))
        if found is not None and found.verdict != "undecided":
            return found
        refused = refused or found
        if attempts.wider:
            result = replace(prove_to(attempts.wider[0]), asked=result.asked, claimed=result.claimed)
    assert refused is not None
    return refused


def _replayed_under(result: Result, progress: Callable[[str, int], None], check: Callable[[], None]) -> Result:
    def watched(step: str, count: int) -> None:
        check()
        progress(step, count)

    return replayed(result, watched)


def _relative_width(result: Result) -> Fraction:
    """How wide the enclosure of epsilon is, relative to it; 1 where there is none that could be wider."""
    epsilon = result.epsilon
    return (epsilon.upper - epsilon.lower) / epsilon.upper if epsilon is not None and epsilon.upper else Fraction(1)


def _with_closed_form(result: Result, progress: Callable[[str, int], None]) -> Result:
    if result.epsilon is None or result.epsilon.closed_form is not None:
        return result
    from dpverify import symbolic

    progress("a closed form is looked for", 0)
    form = symbolic.closed_form(result, prove)
    return symbolic.with_closed_form(result, form) if form is not None else result


def formula(
    generator: str,
    *,
    parameters: Mapping[str, object] | None = None,
    dimension: int | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Formula:
    """epsilon as a formula in the parameters that are left unbound, d, Delta and sigma.

    Args:
        generator: f in the language, as text, or the name of a catalogue family.
        parameters: values of parameters to bind all the same, by name, exact.
        dimension: d, or None to leave it free.
        progress: called with a step's name and a running count.

    Returns:
        A Formula: cases, each with its formula or verdict, the conditions under which it was
        derived, the steps of the derivation, and the proved instances that confirm it.

    Raises:
        InputError: for text outside the language, for a parameter called delta, Delta or sigma,
            and where SymPy is not installed.
    """
    from dpverify import symbolic

    watched = progress or (lambda step, count: None)
    return symbolic.formula(generator, dimension, parameters or {}, watched, prove, replayed)


def prove(
    generator: Generator,
    sensitivity: Fraction,
    scale: Fraction,
    tolerance: Fraction | None,
    progress: Callable[[str, int], None],
    kept: dict[str, Any] | None = None,
) -> Result:
    """What the prover finds, with the draft of its certificate.

    `kept` holds what it found of the hypotheses, for the same question to another width.
    """
    from dpverify import prover
    from dpverify.certificate.build import build

    examined = None if kept is None else kept.setdefault("examined", prover.Examined())
    return build(prover.verify(generator, sensitivity, scale, tolerance, progress, examined))


def replayed(result: Result, progress: Callable[[str, int], None] = lambda step, count: None) -> Result:
    """The result with the certificate that the kernel accepts, or undecided; as it is where there is no draft."""
    from dpverify.certificate.complete import Incomplete, certified

    if result.draft is None:
        return result
    step = "the checker replays the proof"
    progress(step, 0)
    try:
        return certified(result, lambda: progress(step, 0))
    except Incomplete as error:
        because = Why.NOT_ACCEPTED(failure=str(error))
        return replace(result, verdict="undecided", epsilon=None, because=because, theorem="", draft=None)


def check(certificate: str | Path | bytes | Mapping[str, Any]) -> CheckReport:
    """Replay a certificate, given as a file, as a file's bytes or as data, in the kernel.

    Raises InputError where a file cannot be read as a certificate at all.
    """
    from dpverify import kernel
    from dpverify.serialise import serialise

    if isinstance(certificate, Mapping):
        data = serialise(certificate)
    elif isinstance(certificate, bytes):
        data = certificate
    else:
        data = files.read(certificate, kernel.MAX_BYTES)
    try:
        checked = kernel.check_bytes(data)
    except kernel.Unreadable as error:
        raise InputError(f"{_name(certificate)}: {error}") from None
    except kernel.Rejected as error:
        return CheckReport(False, str(error), None, (), code=error.code)
    found = checked.claim, checked.assumptions, checked.rules, checked.digest
    return CheckReport(True, str(checked), *found, proof=checked.proof)


def _name(certificate: object) -> str:
    return "the certificate" if isinstance(certificate, Mapping | bytes) else str(certificate)

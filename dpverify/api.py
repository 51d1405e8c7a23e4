"""The two calls that everything else stands on: `verify` proves, `check` replays a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.results import Result

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the kernel says of a certificate: accepted or not, in one line, and the claim it proved."""

    accepted: bool
    message: str
    claim: Mapping[str, Any] | None
    assumptions: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.accepted


def verify(
    generator: str | Generator | None = None,
    *,
    mixing: str | Mixing | None = None,
    dimension: int | None = None,
    sensitivity: object = 1,
    scale: object = 1,
    tolerance: object = None,
    replay: bool = False,
    progress: Callable[[str, int], None] | None = None,
    **parameters: object,
) -> Result:
    """Decide, with proof, whether elliptical noise is epsilon-DP, and enclose the best epsilon.

    Args:
        generator: f in the language, as text; the name of a catalogue family; or a Generator.
        mixing: in place of a generator, the law of V in X = V Z, Z Gaussian: a density in v (not
            necessarily normalised), atoms such as "1/3: 1, 2/3: 5/2", or a Mixing.
        dimension: d, the dimension of the noise (default 1, or the Generator's own).
        sensitivity: Delta, a Mahalanobis distance: sup ||S^(-1/2) (T(D) - T(D'))||_2, exact.
        scale: sigma, the factor on the noise, exact, in the same units as Delta.
        tolerance: the width asked of the enclosure, relative to max(1, epsilon).
        replay: also have the kernel replay the certificate, and call a result that it does not
            accept undecided; the command line always does.
        progress: called with a step's name and a running count, for long work.
        **parameters: the generator's parameters, exact (int, Fraction, Decimal, or text).

    Returns:
        A Result: verdict, enclosure, hypotheses, reasons, and the certificate.

    Raises:
        InputError: for text outside the language and for numbers that cannot be used.

    Source: Reimherr and Awan (2019), Theorem 3.
    """
    from dpverify import prover

    if (generator is None) == (mixing is None):
        raise InputError("give either a generator or a mixing law, and not both")
    if mixing is not None:
        return _verify_mixture(mixing, dimension, sensitivity, scale, tolerance, replay, progress, parameters)
    assert generator is not None
    if not isinstance(generator, Generator):
        generator = Generator(generator, 1 if dimension is None else dimension, **parameters)
    elif parameters or dimension not in (None, generator.dimension):
        raise InputError("a Generator carries its own dimension and parameters; do not give them again")
    result = prover.verify(
        generator,
        parse_rational(sensitivity, "the sensitivity"),
        parse_rational(scale, "the scale"),
        None if tolerance is None else parse_rational(tolerance, "the tolerance"),
        progress,
    )
    if not replay or result.certificate is None:
        return result
    if progress is not None:
        progress("the checker replays the proof", 0)
    return _replayed(result, result.certificate)


def _verify_mixture(
    mixing: str | Mixing,
    dimension: int | None,
    sensitivity: object,
    scale: object,
    tolerance: object,
    replay: bool,
    progress: Callable[[str, int], None] | None,
    parameters: Mapping[str, object],
) -> Result:
    from dpverify import mixtures

    if not isinstance(mixing, mixtures.Mixing):
        mixing = mixtures.Mixing(mixing, **parameters)
    elif parameters:
        raise InputError("a Mixing carries its own parameters; do not give them again")

    def prove(generator: Generator) -> Result:
        return verify(
            generator, sensitivity=sensitivity, scale=scale, tolerance=tolerance, replay=replay, progress=progress
        )

    return mixtures.decide(
        mixing,
        1 if dimension is None else dimension,
        parse_rational(sensitivity, "the sensitivity"),
        parse_rational(scale, "the scale"),
        None if tolerance is None else parse_rational(tolerance, "the tolerance"),
        progress or (lambda step, count: None),
        prove,
    )


def _replayed(result: Result, certificate: Mapping[str, Any]) -> Result:
    report = check(certificate)
    if report.accepted:
        return result
    reason = f"Undecided: the checker did not accept the proof ({report.message})."
    return replace(result, verdict="undecided", epsilon=None, reason=reason, theorem="", certificate=None)


def check(certificate: str | Path | Mapping[str, Any]) -> CheckReport:
    """Replay a certificate, given as a file or as data, in the kernel.

    Raises InputError where a file cannot be read as a certificate at all.
    """
    from dpverify import kernel
    from dpverify.certificate.serialise import serialise

    if isinstance(certificate, Mapping):
        data = serialise(certificate)
    else:
        try:
            with open(certificate, "rb") as file:
                data = file.read(kernel.MAX_BYTES + 1)
        except OSError as error:
            raise InputError(f"{certificate}: cannot be read ({error.strerror})") from None
    try:
        claim = kernel.check_bytes(data)
    except kernel.Unreadable as error:
        raise InputError(f"{_name(certificate)}: {error}") from None
    except kernel.Rejected as error:
        return CheckReport(False, str(error), None, ())
    return CheckReport(True, kernel.describe(claim), claim, tuple(kernel.read(data)["assumptions"]))


def _name(certificate: object) -> str:
    return "the certificate" if isinstance(certificate, Mapping) else str(certificate)

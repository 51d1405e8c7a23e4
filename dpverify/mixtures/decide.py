"""From a mixing law to a verdict in dimension d.

1. examine the law: is it one, its tail, and the dimension at which E[V^-d] becomes infinite
2. where a lemma gives f_d as a formula, the prover decides it and writes a certificate
3. otherwise a tail that is too light, or a pole, refutes; else epsilon is enclosed by integration
Every f_d is positive, falls (see `potential`) and, by Tonelli, is integrable exactly when p is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpverify.deadline import OutOfTime
from dpverify.enclosures import Undecided, precision
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.findings import Finding, Reason, Why
from dpverify.generators import Generator
from dpverify.kernel import Rejected
from dpverify.language import limits
from dpverify.mixtures import certify
from dpverify.mixtures.charts import Question
from dpverify.mixtures.ends import find
from dpverify.mixtures.examine import Examined, examine
from dpverify.mixtures.law import Mixing
from dpverify.mixtures.potential import MixedPotential
from dpverify.mixtures.quadrature import PRECISION, Quadrature
from dpverify.mixtures.recognise import Recognised, recognise
from dpverify.mixtures.supremum import LargestLoss, supremum
from dpverify.results import Epsilon, Hypotheses, Hypothesis, MixingReport, Result, Verdict, decimal_between, equals

DEFAULT_TOLERANCE = Fraction(1, 10**10)
FINEST_TOLERANCE = Fraction(1, 10**14)
LARGEST_UNIT = 2**1000
BALLS_ALONE = "proved by ball arithmetic alone"
MODELS_ALONE = "proved by rigorous models of the mixing density alone"
NO_CERTIFICATE = "the checker does not follow"
Progress = Callable[[str, int], None]


def decide(
    mixing: Mixing,
    dimension: int,
    sensitivity: Fraction,
    scale: Fraction,
    tolerance: Fraction | None,
    progress: Progress,
    prove: Callable[[Generator], Result],
    replay: bool = True,
) -> Result:
    """Decide whether the mixture f_d(y) = E[(2 pi V^2)^(-d/2) exp(-y/(2 V^2))] is private, and with which epsilon.

    `prove` decides a generator that is a formula. The result carries a MixingReport; with `replay` it has a
    certificate wherever the kernel follows, and else says among what is assumed why not.
    """
    for name, value in (("sensitivity", sensitivity), ("scale", scale), ("tolerance", tolerance)):
        if value is not None and value <= 0:
            raise InputError(f"the {name} must be positive, not {value}")
    run = _Run(mixing, dimension, sensitivity, scale, tolerance, progress, replay)
    with precision(PRECISION):
        found = examine(mixing, run.ticker("the mixing density"))
    formula = recognise(mixing, dimension)
    proved = None
    if formula is not None and found.valid:
        proved = prove(formula.generator)
        proved = replace(proved, assumptions=(*formula.lemmas, *proved.assumptions), mixing=run.report(found, formula))
        if proved.verdict != "undecided":
            return proved
    with precision(PRECISION):
        result = run.directly(found, formula)
    return proved if proved is not None and result.verdict == "undecided" else result


class _Run:
    def __init__(
        self,
        mixing: Mixing,
        dimension: int,
        sensitivity: Fraction,
        scale: Fraction,
        tolerance: Fraction | None,
        progress: Progress,
        replay: bool,
    ) -> None:
        self.replay = replay
        self.mixing, self.sensitivity, self.scale = mixing, sensitivity, scale
        self.delta = sensitivity / scale
        self.asked = tolerance or DEFAULT_TOLERANCE
        self.tolerance = max(self.asked, FINEST_TOLERANCE)
        self.progress = progress
        self.generator = mixing.generator(dimension)
        self.count = 0

    def ticker(self, step: str) -> Callable[[], None]:
        def tick() -> None:
            self.count += 1
            self.progress(step, self.count)

        return tick

    def report(self, found: Examined, formula: Recognised | None) -> MixingReport:
        dimension = self.generator.dimension
        return MixingReport(
            density=self.mixing.text,
            law=formula.law if formula else None,
            generator=formula.generator.text if formula else None,
            moment_finite=found.moment_finite(dimension) if found.defect is None else None,
            stops_at_dimension=found.stops,
            private_for=found.private_for(),
        )

    def directly(self, found: Examined, formula: Recognised | None) -> Result:
        """The verdict from the mixing density itself."""
        dimension = self.generator.dimension
        hypotheses = _hypotheses(found, dimension)

        def conclude(
            verdict: Verdict,
            because: Finding | str,
            epsilon: Epsilon | None = None,
            assumed: str = "",
            certificate: dict[str, Any] | None = None,
        ) -> Result:
            theorem = {"private": "Theorem 3", "not_private": "Theorem A"}.get(verdict, "")
            return Result(
                generator=self.generator,
                sensitivity=self.sensitivity,
                scale=self.scale,
                verdict=verdict,
                epsilon=epsilon,
                hypotheses=hypotheses,
                because=because,
                theorem=theorem,
                assumptions=(assumed,) if assumed else (),
                tail_log_ratio=None,
                certificate=certificate,
                mixing=self.report(found, formula),
            )

        if found.defect is not None:
            return conclude("invalid", f"Not a mixing law: {found.defect}.", assumed=MODELS_ALONE)
        if not found.valid:
            return conclude("undecided", found.failure or Why.NOT_EXAMINED())
        if found.tail == "too light":
            grows = Why.RATIO_GROWS_WITH_MIXING(why=found.why)
            return conclude("not_private", grows, None, *self._refuted(found))
        finite = found.moment_finite(dimension)
        if finite is False:
            pole = Why.POLE_WITH_MOMENT(moment=_moment(dimension))
            return conclude("not_private", pole, None, *self._refuted(found))
        if finite is None or found.tail is None:
            return conclude("undecided", found.failure or Why.NOT_EXAMINED())
        try:
            best, unit = self._enclose(found)
        except Undecided as error:
            return conclude("undecided", Why.INTEGRATION_OPEN(failure=error.finding))
        except OverflowError:
            return conclude("undecided", Why.INTEGRATION_OPEN(failure="Delta/sigma is too large or too small"))
        assumed, certificate = self._certified(found, best, unit)
        if certificate is not None:
            ends = certificate["claim"]["epsilon"]
            best = LargestLoss(Fraction(ends["lower"]), Fraction(ends["upper"]), best.radius)
        epsilon = Epsilon(best.lower, best.upper, None, _where(best, self.delta, unit))
        because = Why.BY_INTEGRATION(epsilon=equals(epsilon.decimal))
        width = best.upper - best.lower
        if width > self.asked * best.upper * 2:
            most = decimal_between(best.upper, best.upper)
            because = Why.BY_WIDE_INTEGRATION(epsilon=most, width=f"{float(width):.2g}")
        return conclude("private", because, epsilon, assumed, certificate)

    def _question(self) -> Question:
        parameters = {name: str(value) for name, value in self.mixing.parameters.items()}
        dimension = self.generator.dimension
        return Question(self.mixing.text, parameters, dimension, self.sensitivity, self.scale)

    def _certified(self, found: Examined, best: LargestLoss, unit: Fraction) -> tuple[str, dict[str, Any] | None]:
        """What is assumed, and the certificate, of an epsilon."""
        radius = None if best.radius is None else best.radius * unit
        tick = self.ticker("the checker's integrals")
        return self._attempt(
            BALLS_ALONE,
            lambda: certify.private(self._question(), self._plain(found), radius, best.lower, self.tolerance, tick),
        )

    def _refuted(self, found: Examined) -> tuple[str, dict[str, Any] | None]:
        """What is assumed, and the certificate, of a refutation."""
        return self._attempt(MODELS_ALONE, lambda: certify.refuted(self._question(), self._plain(found)))

    def _attempt(self, alone: str, certificate: Callable[[], dict[str, Any]]) -> tuple[str, dict[str, Any] | None]:
        if not self.replay:
            return alone, None
        try:
            return "", certificate()
        except OutOfTime:
            return f"{alone}; the time limit ran out before there was a certificate", None
        except (Undecided, Rejected, ArithmeticError) as error:
            why = " ".join(str(error).split())
            return f"{alone}; {NO_CERTIFICATE} ({why})", None

    def _enclose(self, found: Examined) -> tuple[LargestLoss, Fraction]:
        """The enclosure, and the unit in which its radius is given."""
        quadrature, unit = self._in_units(found)
        potential = MixedPotential(quadrature, self.delta / unit)
        best = supremum(potential, self.tolerance, self.ticker("the supremum, by integration"))
        if best.upper.numerator.bit_length() + best.upper.denominator.bit_length() > limits.MAX_RESULT_BITS:
            raise Undecided(Reason.TOO_MANY_DIGITS())
        return best, unit

    def _plain(self, found: Examined) -> Quadrature:
        assert found.node is not None and found.zero is not None and found.infinity is not None
        return Quadrature(found.node, found.zero, found.infinity, self.generator.dimension)

    def _in_units(self, found: Examined) -> tuple[Quadrature, Fraction]:
        """The integrals for V / unit, which is usually about 1, so that models at infinity reach down to it."""
        plain = self._plain(found)
        unit = Fraction(2) ** round(plain.usual_log(self.delta) / math.log(2))
        if unit == 1 or max(unit, 1 / unit) > LARGEST_UNIT:
            return plain, unit
        try:
            node = lower(self.mixing.rescaled(unit))
            return Quadrature(node, find(node, True), find(node, False), self.generator.dimension), unit
        except (InputError, Undecided):
            return plain, Fraction(1)


def _where(best: LargestLoss, delta: Fraction, unit: Fraction) -> str:
    if best.radius is None:
        return "the limit c -> oo"
    if best.radius == 0:
        return "c = delta (r -> 0)"
    return f"near c = {float(best.radius * unit + delta):.6g}"


def _hypotheses(found: Examined, dimension: int) -> Hypotheses:
    """Those of Theorem 3, for a mixture: what the mixing law says of each."""
    if found.defect is not None or not found.valid:
        failure = found.defect or found.failure or Why.NOT_EXAMINED()
        status = Hypothesis("undecided", Why.MIXING_NOT_EXAMINED(failure=failure))
        diverges = found.defect is not None and found.defect.why is Why.MIXING_DIVERGES
        broken = Hypothesis("refuted", found.defect) if found.defect is not None and diverges else status
        return Hypotheses(found.defined, status, status, status, broken, status)
    finite, moment = found.moment_finite(dimension), _moment(dimension)
    unsettled = Hypothesis("undecided", found.failure or Why.NOT_EXAMINED())
    return Hypotheses(
        defined=found.defined,
        positive=Hypothesis("proved", Why.MEAN_OF_GAUSSIANS()),
        decreasing=Hypothesis("proved", Why.MEAN_OF_WHAT_FALLS()),
        finite_at_zero=unsettled
        if finite is None
        else Hypothesis("proved", Why.FINITE_WITH_MOMENT(moment=moment))
        if finite
        else Hypothesis("refuted", Why.POLE_WITH_MOMENT(moment=moment)),
        integrable=Hypothesis("proved", Why.INTEGRABLE_WITH_MIXING()),
        tail_ratio_bounded=unsettled
        if found.tail is None
        else Hypothesis("proved", Why.MIXING_FALLS_STEADILY())
        if found.tail == "steady"
        else Hypothesis("refuted", Why.MIXING_TOO_LIGHT(why=found.why)),
    )


def _moment(dimension: int) -> str:
    return f"E[V^-{dimension}]"

"""The search for the smallest scale: probes, each a proof, until two of them enclose it closely."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from dpverify.calibration.bracket import FARTHEST, Probe, aim, log, of_logarithm
from dpverify.calibration.jumps import breaks_of, jump_at
from dpverify.calibration.law import Law
from dpverify.calibration.refusal import Refusal
from dpverify.calibration.restate import lowered
from dpverify.numerals import short, simplest_between
from dpverify.results import Result

WITHIN = Fraction(1, 10**9)
"""upper <= (1 + WITHIN) lower."""

STEP = 0.42 * float(WITHIN)
SIMPLE = 100.0  # p/q with p q < 1/(SIMPLE width) is found in an interval of that relative width by no coincidence
FLAT = 0.002  # the least d log epsilon / d log delta that is reckoned with in a stride
MOST_FAILURES = 4
FINER = (Fraction(1), Fraction(1, 10**3), Fraction(1, 10**6))


class Search:
    """Probes until one that meets the target and one that does not are close together."""

    def __init__(self, law: Law, sensitivity: Fraction, target: Fraction, progress: Callable[[str, int], None]) -> None:
        self.law, self.sensitivity, self.target, self.progress = law, sensitivity, target, progress
        self.low: Probe | None = None  # the largest delta that meets the target
        self.high: Probe | None = None  # the smallest delta that does not
        self.third: Probe | None = None  # an end that was replaced
        self.probes = self.failures = 0
        self.exact: Result | None = None  # a result whose upper end the kernel has already accepted
        self.guessed: set[Fraction] = set()

    def ends(self) -> tuple[Result, Result]:
        """The results at a scale that meets the target and, close below it, at one that does not; both replayed.

        Raises Refusal.
        """
        self._surround()
        while not self._close():
            self._narrow()
        low, high = self._ends()
        return self._replayed(low), self._replayed(high)

    def _ends(self) -> tuple[Probe, Probe]:
        assert self.low is not None and self.high is not None
        return self.low, self.high

    def _close(self) -> bool:
        low, high = self._ends()
        return low.scale <= high.scale * (1 + WITHIN)

    def _replayed(self, probe: Probe) -> Result:
        if probe.result is self.exact:
            return self.law.with_lemmas(probe.result)
        replaying = f"the checker replays the proof at sigma = {short(probe.scale)}"
        self.progress(replaying, 0)
        result = self.law.certified(probe.result, self.target, partial(self._ticks, replaying))
        if result is None:
            raise self._undecided(f"the checker does not accept the proof at sigma = {short(probe.scale)}")
        return result

    def _surround(self) -> None:
        """From sigma = Delta/target outwards, along the slope seen so far, until there is an end on each side."""
        first = self._probe(self.sensitivity / self.target, 0.05)
        if abs(first.y) < STEP:
            self._beside(first)
        stride = 0.5
        while self.low is None or self.high is None:
            end = self.low or self.high
            if end is None:
                self._probe_at(first.x - stride, stride / 10)
                self._probe_at(first.x + stride, stride / 10)
                stride *= 2
                continue
            if end is self.high:
                self._refuse_for_a_jump(end)
            slope = 1.0
            if self.third is not None:
                slope = (end.y - self.third.y) / (end.x - self.third.x)
            reach = min(max(1.1 * abs(end.y) / max(slope, FLAT), stride), 8 * stride)
            stride *= 2
            self._probe_at(end.x - end.side * reach, reach / 10)

    def _narrow(self) -> None:
        """A probe inside the bracket, aimed at the crossing; then one in the middle if that gained little."""
        low, high = self._ends()
        width = high.x - low.x
        nearest = min(low, high, key=lambda end: abs(end.y))
        simple = self._simple(low, high)
        if simple is not None:
            self._beside(self._probe(simple, STEP))
        elif nearest.scale not in self.guessed and abs(nearest.y) * width < STEP * (high.y - low.y):
            self.guessed.add(nearest.scale)
            self._beside(nearest)
        else:
            self._aimed()
            if not self._close():
                self._aimed()
        if not self._close() and self._width() > width / 4:
            low, high = self._ends()
            self._settled(self._probe_at((low.x + high.x) / 2, self._width() / 10))
        if self._width() > 0.9 * width:
            self._fails("no probe between them is told from the target")

    def _aimed(self) -> None:
        low, high = self._ends()
        guess, doubt = aim(low, high, self.third)
        step = max(STEP, doubt)
        further = guess - low.x > high.x - guess
        self._settled(self._probe_at(guess - step if further else guess + step, step))

    def _width(self) -> float:
        low, high = self._ends()
        return high.x - low.x

    def _settled(self, probe: Probe) -> None:
        if probe.side == 0:
            self._beside(probe)

    def _beside(self, probe: Probe) -> None:
        """Where a probe is thought to be the crossing itself, look closely on the side, or sides, not yet known."""
        step = STEP if probe.side == 0 else 2 * STEP
        if probe.side >= 0:
            self._probe_at(probe.x - step, STEP)
        if probe.side <= 0:
            self._probe_at(probe.x + step, STEP)

    def _simple(self, low: Probe, high: Probe) -> Fraction | None:
        """A scale between so simple that it is likely the crossing itself, as where a staircase jumps."""
        guess = simplest_between(high.scale, low.scale)
        size = log(Fraction(guess.numerator * guess.denominator))
        if guess in (*self.guessed, high.scale, low.scale) or size + math.log(SIMPLE * (high.x - low.x)) > 0:
            return None
        self.guessed.add(guess)
        return guess

    def _probe_at(self, x: float, step: float) -> Probe:
        """A probe at a short decimal near sigma = Delta e^-x, to a hundredth of the step."""
        if abs(x) > FARTHEST:
            raise self._undecided("a scale beyond has too many digits to write")
        return self._probe(of_logarithm(-x, self.sensitivity, step / 100), step)

    def _probe(self, scale: Fraction, step: float) -> Probe:
        """epsilon at this scale, or at one a little larger where no proof closes at the scale itself."""
        for nudge in range(2):
            shifted = scale * (1 + nudge * Fraction(step / 16).limit_denominator(10**15))
            result = self._told_apart(shifted, step)
            if result.verdict in ("not_private", "invalid"):
                raise Refusal(result.verdict, result.reason)
            if result.epsilon is not None:
                return self._placed(shifted, result)
        raise self._undecided(f"at sigma = {short(scale)}: {result.reason}")

    def _told_apart(self, scale: Fraction, step: float) -> Result:
        """epsilon at one scale, as finely as it takes to tell it from the target."""
        slope = 1.0
        if self.low is not None and self.high is not None:
            slope = min(max((self.high.y - self.low.y) / (self.high.x - self.low.x), 1e-4), 1.0)
        coarse = Fraction(slope * max(step * step, STEP) / 20).limit_denominator(10**20) * min(self.target, Fraction(1))
        self.probes += 1
        for finer in FINER:
            name = f"probe {self.probes}, sigma = {short(scale)}"
            # of all probes the kernel replays the two that are told
            result = self.law.epsilon(self.sensitivity, scale, coarse * finer, False, partial(self._ticks, name))
            if result.epsilon is None or not result.epsilon.lower <= self.target < result.epsilon.upper:
                return result
        self.exact = lowered(result, self.target)
        return self.exact or result

    def _ticks(self, probe: str, step: str, count: int) -> None:
        self.progress(f"{probe}: {step}", count)

    def _placed(self, scale: Fraction, result: Result) -> Probe:
        """The probe as an end of the bracket, where it is one."""
        assert result.epsilon is not None
        low, high = result.epsilon.lower, result.epsilon.upper
        side = -1 if high <= self.target else 1 if low > self.target else 0
        probe = Probe(scale, result, side, log(self.sensitivity / scale), log((low + high) / 2 / self.target))
        if side < 0 and (self.low is None or scale < self.low.scale):
            self.low, self.third = probe, self.low or self.third
        if side > 0 and (self.high is None or scale > self.high.scale):
            self.high, self.third = probe, self.high or self.third
        if self.low is not None and self.high is not None and self.low.scale <= self.high.scale:
            raise ArithmeticError(f"two proofs contradict each other at sigma = {short(scale)}")
        if side == 0:
            self._fails(
                f"epsilon at sigma = {short(scale)} is not told from the target; "
                "if it is equal there, ask for a target a little larger"
            )
        return probe

    def _refuse_for_a_jump(self, end: Probe) -> None:
        """Raise Refusal if f is proved to jump, where this probe has its largest loss, by more than the target."""
        if end.result.draft is None:  # a mixture has no jumps
            return
        generator = end.result.generator
        witness = end.result.draft["proof"]["witness"]
        if witness["box"] is None:
            radii = breaks_of(generator)
        else:
            a, b = map(Fraction, witness["box"])
            radii = [simplest_between(a, b + end.result.delta)]
        for radius in radii:
            size = jump_at(generator, radius)
            if size <= self.target:
                continue
            floor = short(size, towards="down")
            raise Refusal(
                "unreachable",
                f"no scale meets epsilon <= {short(self.target)}: f jumps at r = {short(radius)}, "
                f"so epsilon >= {floor} at every scale (proved)",
            )

    def _fails(self, why: str) -> None:
        self.failures += 1
        if self.failures > MOST_FAILURES:
            raise self._undecided(why)

    def _undecided(self, why: str) -> Refusal:
        known = [
            f"sigma = {short(end.scale)} {verb}"
            for end, verb in ((self.low, "meets it"), (self.high, "does not"))
            if end is not None
        ]
        return Refusal("undecided", f"undecided: {why}" + (f" (proved: {', '.join(known)})" if known else ""))

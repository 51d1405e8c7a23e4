"""What is found of a mechanism: why a hypothesis or a verdict is as it is."""

from __future__ import annotations

from collections.abc import Sequence
from enum import unique

from dpverify.findings.clauses import Clause, Finding


@unique
class Why(Clause):
    """The findings, each with the clause that is read of it."""

    NOT_EXAMINED = "not examined"
    NOT_ENCLOSED = "the generator cannot be enclosed: {failure}"
    NOT_SETTLED = "{hypothesis} is not settled ({why})"
    SEVERAL = "{failures}"

    HAS_VALUES = "every part has a value almost everywhere"
    NO_BRANCH = "{part} has no value around {variable} = {at} (no branch holds there)"
    POLE_OF_GAMMA = "{part} has no value around {variable} = {at} (a pole of gamma)"
    IS_ZERO = "{part} has no value around {variable} = {at} ({inner} = 0 there)"
    IS_NEGATIVE = "{part} has no value around {variable} = {at} ({inner} < 0 there)"
    IS_NOT_POSITIVE = "{part} has no value around {variable} = {at} ({inner} <= 0 there)"

    POSITIVE = "f > 0 at both ends and on every box between them"
    SIGN_OPEN = "f > 0 is not settled"
    ZERO_AT_CENTRE = "f(0+) = 0, while f > 0 elsewhere"
    NEGATIVE = "f is negative around r = {at}"
    NEGATIVE_AT_LAST = "f is negative far enough out"
    NOTHING = "f is 0 at almost every radius"
    VANISHES = "f vanishes around r = {at}"
    TOUCHES_ZERO = "f(r^2) tends to 0 around r = {at}"
    ZERO_BEYOND = "f is zero beyond r = {at} and the shifted law is not"
    ZERO_BELOW = "f is zero below r = {at} and the shifted law is not"
    ZERO_BESIDE = "f is zero beside r = {at} and the shifted law is not"
    ZERO_BETWEEN = "f is zero between r = {a} and r = {b} and the shifted law is not"

    FALLS_BY_STEPS = "f is built from monotone steps, all downwards"
    FALLS_BY_PARTS = "f is built from monotone parts, all downwards"
    FALLS_BY_ROOTS = "f' <= 0 by the exact roots of (log f)'"
    FALLS_ON_BOXES = "f' <= 0 at both ends and on every box between them"
    FALL_OPEN = "f' <= 0: {failure}"
    NEARS_ZERO_FAR_OUT = "far out f comes near 0, beside radii where it does not"
    UNBOUNDED_FAR_OUT = "far out f is as much larger than a bounded distance away as one likes, again and again"
    RISES = "f rises between r = {a} and r = {b}"

    FINITE_AT_CENTRE = "f(0+) is finite, by the model at zero"
    POLE_AT_CENTRE = "f has a pole at its centre: f(0+) = oo"
    INFINITE = "f is infinite at r = {at}"

    INTEGRABLE = "r^(d-1) f(r^2) is integrable at both ends and bounded between"
    INTEGRABLE_WITH_ZEROS = "f is bounded, and integrable at both ends"
    UNBOUNDED_BETWEEN = "f is not bounded between the ends"
    DIVERGES_IN_TAIL = "the integral of f(x'x) diverges in the tail"
    DIVERGES_AT_CENTRE = "the integral of f(x'x) diverges at the centre"
    DIVERGES = "the integral of f(x'x) diverges at r = {at}"

    RATIO_BOUNDED = "the ratio f((c - Delta/sigma)^2)/f(c^2) stays bounded as c -> oo"
    RATIO_GROWS = "the ratio f((c - Delta/sigma)^2)/f(c^2) grows without bound as c -> oo"
    RATIO_BOUNDED_BY_PERIODS = "the tail ratio is bounded over a period, and is the same a period further out"
    RATIO_BOUNDED_FOR_ALL_PHASES = "the tail ratio stays bounded whatever the waves' phases are"
    RATIO_OPEN = "the tail ratio: {failure}"

    MEAN_OF_GAUSSIANS = "f is a mean of Gaussian densities"
    MEAN_OF_WHAT_FALLS = "f is a mean of Gaussian densities, and each falls"
    FINITE_WITH_MOMENT = "f(0+) is finite, since {moment} is"
    POLE_WITH_MOMENT = "f has a pole at its centre, since {moment} is infinite"
    INTEGRABLE_WITH_MIXING = "the integral of f(x'x) is that of the mixing density"
    MIXING_FALLS_STEADILY = "p falls no faster than a Gaussian, and steadily"
    MIXING_TOO_LIGHT = "the ratio grows without bound, since {why}"
    RATIO_GROWS_WITH_MIXING = "the ratio f((c - Delta/sigma)^2)/f(c^2) grows without bound as c -> oo, since {why}"
    LAW_HAS_VALUES = "every part of the law has a value almost everywhere"
    V_BOUNDED = "V is bounded"
    LOG_P_FALLS = "log p(v)/v^2 tends to -oo"
    MIXING_NEGATIVE_AT_END = "p is negative as v tends to {end}"
    MIXING_NEGATIVE = "p is negative around v = {at}"
    MIXING_DIVERGES = "the integral of p diverges as v tends to {end}"
    MIXING_ZERO = "p is zero everywhere"
    MIXING_NOT_ENCLOSED = "the mixing density cannot be enclosed: {failure}"
    MIXING_TAIL_OPEN = "the tail of the mixing density: {failure}"
    MIXING_FALLS_UNSTEADILY = "the tail of the mixing density falls too unsteadily"
    MOMENT_OPEN = "E[V^-d]: {failure}"
    MIXING_SIGN_OPEN = "p >= 0 and bounded away from the ends: {failure}"
    MIXING_NOWHERE_POSITIVE = "that p is positive anywhere is not settled"
    MIXING_NOT_EXAMINED = "not examined: {failure}"
    INTEGRATION_OPEN = "epsilon by integration: {failure}"
    BY_INTEGRATION = "epsilon {epsilon}, by rigorous integration over V"
    BY_WIDE_INTEGRATION = (
        "epsilon is at most {epsilon}, by rigorous integration over V. "
        "The enclosure is {width} wide, more than was asked: no step made it narrower"
    )

    SUPREMUM_OPEN = "the supremum: {failure}"
    TOO_LONG = "epsilon has more than {bits} bits, too many to write"
    OUT_OF_TIME = "the time limit ran out"
    OUT_OF_TIME_WITHIN = "the time limit of the work around it ran out in the step: {step}"
    OUT_OF_TIME_IN = "the time limit of {limit} s ran out in the step: {step}"
    NOT_ACCEPTED = "the checker did not accept the proof ({failure})"


def failed(failures: Sequence[Finding], otherwise: Clause = Why.NOT_EXAMINED) -> Finding:
    """What went wrong, step by step; `otherwise` where nothing did."""
    if len(failures) == 1:
        return failures[0]
    return Why.SEVERAL(failures=tuple(failures)) if failures else otherwise()

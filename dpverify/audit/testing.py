"""`assert_private` for test suites: an audit with a fixed seed and a stated false-alarm rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.audit.campaign import Number
    from dpverify.audit.report import AuditReport

SAMPLES, FALSE_ALARM = 10_000, 1e-6


def assert_private(
    mechanism: Any,
    epsilon: Number,
    delta: Number = 0,
    *,
    neighbours: tuple[Any, Any] = (0.0, 1.0),
    samples: int = SAMPLES,
    false_alarm: float = FALSE_ALARM,
    seed: int = 0,
    leaks: bool = True,
) -> AuditReport:
    """Fail where samples show that a mechanism is not (epsilon, delta)-private for two neighbouring inputs.

    Args:
        mechanism: called as mechanism(input), or as mechanism(input, size, rng) for `size` outputs; or a
            measurement of OpenDP, or a mechanism of diffprivlib.
        epsilon, delta: what is claimed, read exactly.
        neighbours: two inputs of any type. Numbers and arrays are handed on as such.
        samples: outputs drawn for each input.
        false_alarm: a mechanism that is private fails with no more than this probability.
        seed: of the generator `rng` and of everything that the audit draws: with a mechanism that uses no
            other randomness the same test ends the same way each time.
        leaks: whether the low bits of the outputs are examined too.

    Returns what the audit saw. That nothing was found does not prove privacy.

    Raises AssertionError, with the event that shows it, and InputError for what cannot be audited.
    """
    __tracebackhide__ = True
    from dpverify.audit.adapters import sampler_of
    from dpverify.audit.campaign import audit
    from dpverify.audit.mechanism import Mechanism

    source = Mechanism(samples, sampler_of(mechanism), neighbours=neighbours)
    report = audit(source, claim=epsilon, delta=delta, confidence=1 - false_alarm, seed=seed, leaks=leaks)
    if report.verdict == "violated":
        part = "law" if report.leading is report.law else "bits"
        raise AssertionError(
            f"not ({epsilon}, {delta})-private: the {part} of {samples} outputs a side show epsilon >= "
            f"{report.epsilon_lower:.6g}\n  event   {report.event}\n  method  {report.method}\n"
            f"  seed    {seed}; a private mechanism fails with probability {false_alarm:g} at most"
        )
    return report

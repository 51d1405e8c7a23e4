"""Tails that oscillate: the limsup of the loss is the largest over one period, found here by mpmath."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpverify import check, verify
from dpverify.asymptotics import CONSTANT, Germ, Model, Phase
from dpverify.asymptotics.germ import LINEAR
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.prover.problem import Problem
from dpverify.prover.tail import find_tail
from dpverify.serialise import digest
from tests.prover.exact import proved

pytestmark = pytest.mark.slow


def largest(loss: Callable[[mpmath.mpf], mpmath.mpf], period: mpmath.mpf, pieces: int = 400) -> mpmath.mpf:
    """The maximum over one period: a grid, then a zero of the derivative."""
    grid = [period * k / pieces for k in range(pieces)]
    best = max(grid, key=loss)
    return max(loss(best), loss(mpmath.findroot(lambda x: mpmath.diff(loss, x), best)))


def wave(amplitude: Callable[[mpmath.mpf], mpmath.mpf], delta: mpmath.mpf) -> mpmath.mpf:
    """sup of log a(x) - log a(x + delta) over a period of 2 pi."""
    return largest(lambda x: mpmath.log(amplitude(x)) - mpmath.log(amplitude(x + delta)), 2 * mpmath.pi)


SMOOTH = [
    # text, delta, epsilon as the largest over the phases
    ("exp(-2*r-cos(3*r)/4)", "1", lambda d: 2 * d + mpmath.sin(3 * d / 2) / 2),
    ("exp(-r)*(2+sin(r)/2)", "1", lambda d: d + wave(lambda x: 2 + mpmath.sin(x) / 2, d)),
    ("exp(-r)*(2+sin(r))", "3/2", lambda d: d + wave(lambda x: 2 + mpmath.sin(x), d)),
    ("exp(-r)*(6+cos(2*r)+sin(3*r))", "1", lambda d: d + wave(lambda x: 6 + mpmath.cos(2 * x) + mpmath.sin(3 * x), d)),
    ("exp(-2*r-cos(pi*r/3)/8)", "1", lambda d: 2 * d + mpmath.sin(mpmath.pi * d / 6) / 4),
    ("exp(-r)/(2+cos(r))", "1/2", lambda d: d + wave(lambda x: 1 / (2 + mpmath.cos(x)), d)),
]


@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(("text", "delta", "truth"), SMOOTH, ids=[case[0] for case in SMOOTH])
def test_epsilon_of_a_tail_that_oscillates(text: str, delta: str, truth: Callable[[mpmath.mpf], mpmath.mpf]) -> None:
    assert proved(text, delta, truth).theorem == "Theorem 3"


def best_shift(d: mpmath.mpf) -> mpmath.mpf:
    """The largest h/9 + sin(3 h/2) for h <= d: where 1/9 + 3/2 cos(3 h/2) = 0, if that is within."""
    h = min(d, 2 * mpmath.acos(-mpmath.mpf(2) / 27) / 3)
    return h / 9 + mpmath.sin(3 * h / 2)


@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    ("text", "delta", "truth"),
    [
        ("exp(-r/9-cos(5*r)/2)", "1/4", lambda d: d / 9 + mpmath.sin(5 * d / 2)),
        ("exp(-r/9-cos(3*r)/2)", "1/2", best_shift),
        ("exp(-r/9-cos(3*r)/2)", "5/2", best_shift),
    ],
)
def test_epsilon_where_every_wave_has_its_ridge(
    text: str, delta: str, truth: Callable[[mpmath.mpf], mpmath.mpf]
) -> None:
    """g rises and falls, and the loss for the best shift is the same at every wave."""
    assert proved(text, delta, truth).theorem == "Theorem A"


STAIRCASES = [
    # text, delta, epsilon: the steps that a shift of delta can cross, times their height
    ("exp(-floor(r))", "1", "1"),
    ("exp(-floor(r))", "5/2", "3"),
    ("exp(-floor(r))", "2/5", "1"),
    ("exp(-floor(3*r+1/2)/4)", "1/3", "1/4"),
    ("exp(-floor(2*r)-r/3)", "3/4", "9/4"),
    ("exp(-r)*(2+r-floor(r))", "1", "1"),
]


@pytest.mark.parametrize(("text", "delta", "expected"), STAIRCASES)
def test_epsilon_of_a_staircase(text: str, delta: str, expected: str) -> None:
    result = verify(text, sensitivity=delta, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    assert result.epsilon.lower <= Fraction(expected) <= result.epsilon.upper
    assert result.epsilon.upper - result.epsilon.lower < Fraction(1, 10**10)


def test_a_tail_that_rises_and_falls_needs_theorem_a() -> None:
    """Far out |phi_h| tends to |log (2 + cos x) - log (2 + cos(x + h))|; nearer, the power adds to it."""
    result = verify("(1+y)**(-2)*(2+cos(r))", replay=True)
    assert result.verdict == "private" and result.theorem == "Theorem A"
    with mpmath.workdps(30):
        g = lambda r: 2 * mpmath.log(1 + r * r) - mpmath.log(2 + mpmath.cos(r))  # noqa: E731
        best = mpmath.findroot(lambda r: mpmath.diff(g, r + 1) - mpmath.diff(g, r), mpmath.mpf("0.8"))
        assert result.epsilon is not None
        assert abs(float(result.epsilon.lower) - float(g(best + 1) - g(best))) < 1e-10


@pytest.mark.parametrize("text", ["exp(-r**2*(2+sin(r)))", "exp(-r-r*sin(r)/2)", "exp(-3*r*log(2+r)-r*cos(2*r))"])
def test_a_loss_unbounded_at_some_phase_is_private_for_no_epsilon(text: str) -> None:
    assert verify(text, replay=True).verdict == "not_private"


def altered(certificate: dict, path: tuple, value: object) -> dict:
    forged = copy.deepcopy(dict(certificate))
    part = forged
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    forged["digest"] = digest(forged)
    return forged


def test_forged_phases_are_refused() -> None:
    """A cover that leaves a phase out, a wrong frequency, a wrong unit, a wrong peak: each hides the largest loss."""
    certificate = verify("exp(-r)*(2+sin(r)/2)").certificate
    assert certificate is not None and check(certificate).accepted
    proof = certificate["proof"]
    phases = proof["supremum"]["phases"]
    for path, value in [
        (("proof", "phase"), None),
        (("proof", "phase", "cover"), ["0", "1"]),
        (("proof", "phase", "cover"), proof["phase"]["cover"][1:]),
        (("proof", "phase", "frequency"), "2"),
        (("proof", "phase", "frequency"), "-1"),
        (("proof", "phase", "frequency"), "0"),
        (("proof", "phase", "turns"), True),
        (("proof", "phase", "turns"), 1),
        (("proof", "phase", "peak"), "1"),
        (("proof", "supremum", "phases"), phases[: len(phases) // 2]),
        (("proof", "supremum", "phases"), [phases[0], phases[-1]]),
        (("proof", "supremum", "phases"), None),
        (("proof", "supremum", "cover"), proof["supremum"]["cover"][:-4]),
    ]:
        assert not check(altered(certificate, path, value)).accepted, path
    low, high = (Fraction(certificate["claim"]["epsilon"][end]) for end in ("lower", "upper"))
    tight = {"lower": str(low), "upper": str(low + (high - low) / 10**3)}
    assert not check(altered(certificate, ("claim", "epsilon"), tight)).accepted
    above = {"lower": str(high + 1), "upper": str(high + 2)}
    assert not check(altered(certificate, ("claim", "epsilon"), above)).accepted


def test_a_floor_in_a_wave_of_radians_is_known_within_one() -> None:
    """A period of 2 pi brings no integer: at one phase, floor(r) - r takes all values in (-1, 0]."""
    germ = Germ(Fraction(2**10), 6).at(Phase(False, Fraction(1), Fraction("1.5"), Fraction("1.6")))
    model = Model.power_of_t(germ, 1).floor()
    remainder = arb(model.terms[CONSTANT])
    assert model.terms[LINEAR] == 1
    for k in range(200, 400):
        r = 2 * math.pi * k + 1.55
        assert remainder.contains(arb(math.floor(r) - r))


def test_an_upward_step_where_two_cells_of_phases_meet_is_seen() -> None:
    """f falls on every cell of phases, and jumps up between two of them."""
    tail = find_tail(Problem(lower(parse("exp(-r+floor(r)/2)")), 1, Fraction(1)), Fraction(16))
    assert not tail.falling


def test_steps_downwards_are_no_rise() -> None:
    tail = find_tail(Problem(lower(parse("exp(-r-floor(r)/2)")), 1, Fraction(1)), Fraction(16))
    assert tail.falling

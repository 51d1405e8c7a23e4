"""Zeros in the interior: noise that all but avoids one radius and not its neighbours is private for no epsilon."""

from __future__ import annotations

import copy
from fractions import Fraction
from math import pi

import pytest

from dpverify import check, verify
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.prover.zeros import touching
from dpverify.serialise import digest

pytestmark = pytest.mark.slow

TOUCHING = [
    ("(1-r)**2*exp(-r)", "a double zero at 1"),
    ("exp(-y)*(2-y)**2", "a double zero at sqrt(2)"),
    ("Abs(1-r)*exp(-r)", "a kink at 1"),
    ("exp(-r)*cos(r)**2", "zeros at pi/2 + k pi, without end"),
    ("exp(-r)*(1+cos(3*r))", "twice cos^2(3 r/2)"),
    ("exp(-r)*Abs(cos(r))", "kinks without end"),
    ("exp(-r)*log(r)**2", "log 1 = 0"),
    ("exp(-r)*(sin(r)+cos(r))**4", "zeros at 3 pi/4 + k pi"),
    ("exp(-r)*(3-r)**2*(1-r)**2", "two double zeros"),
    ("(300-r)**2*exp(-sqrt(r))", "a zero far out"),
    ("exp(-r)*((r-1)/(r+1))**2", "a zero of a quotient"),
    ("exp(-r**(2/3))*(1+sin(log(1+r)/2))", "a slow wave, at e^(3 pi) - 1 first"),
    ("(1+y)**(-3)*(1+cos(r/1000))", "a long wave, at 1000 pi first"),
]


@pytest.mark.swept(stay=4)
@pytest.mark.parametrize(("text", "why"), TOUCHING, ids=[case[0] for case in TOUCHING])
def test_a_zero_that_is_only_touched_refutes(text: str, why: str) -> None:
    result = verify(text, replay=True)
    assert result.verdict == "not_private", (why, result.reason)
    assert result.hypotheses.positive.status == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("exp(-r)*(1+1e-9+cos(r))", marks=pytest.mark.campaign),
        *("exp(-r)*((1-r)**2+1e-6)", "exp(-r)*(Abs(1-r)+1/1000)"),
    ],
)
def test_one_that_is_nearly_touched_does_not(text: str) -> None:
    assert verify(text, replay=True).verdict in ("private", "undecided")


@pytest.mark.parametrize("power", ["1/2", "1/3", "3/4"])
def test_a_factor_within_a_power_is_not_made_good_by_one_beside_it(power: str) -> None:
    """f = exp(-r) (1 + |r - 1|)^p, written as u (|r - 1| / u)^p with a u that has a pole at 1."""
    u = f"(1+exp(-log(Abs(r-1))))**({Fraction(power) / (1 - Fraction(power))})"
    ends = Fraction(1, 2), Fraction(3, 2)
    assert touching(lower(Generator(f"exp(-r)*{u}*(Abs(r-1)/{u})**({power})").expression), ends) is None
    assert touching(lower(Generator(f"exp(-r)*(Abs(r-1)*(2+cos(r)))**({power})").expression), ends)


@pytest.mark.parametrize("text", ["(1-r)**3*exp(-r)", "exp(-r)*cos(r)", "exp(-r)*(1-2*r+y/2)"])
def test_a_change_of_sign_is_no_touch(text: str) -> None:
    assert verify(text, replay=True).verdict == "invalid"


def forged(text: str, box: list[str], kind: str = "touches") -> bool:
    """Whether the kernel accepts the touch moved to another box, or to another generator."""
    certificate = copy.deepcopy(dict(verify("(1-r)**2*exp(-r)").certificate or {}))
    certificate["claim"]["generator"] = text
    certificate["proof"]["sign"]["box"] = box
    certificate["proof"]["sign"]["kind"] = kind
    certificate["digest"] = digest(certificate)
    return check(certificate).accepted


def test_the_kernel_looks_for_the_change_of_sign_itself() -> None:
    assert forged("(1-r)**2*exp(-r)", ["99/100", "101/100"])
    assert not forged("(1-r)**2*exp(-r)", ["101/100", "102/100"]), "no zero there"
    assert not forged("(1-r)**2*exp(-r)", ["99/100", "1"]), "the sign at 1 is 0"
    assert not forged("(1-r)**2*exp(-r)", ["99/100", "101/100"], "vanishes"), "f vanishes at one radius only"
    assert not forged("((1-r)**2+1/10**6)*exp(-r)", ["99/100", "101/100"]), "f is positive there"
    assert not forged("(1-r)**2*exp(-r)/Abs(1-r)**3", ["99/100", "101/100"]), "the rest has a pole there"
    assert not forged("(1-r)**3*exp(-r)", ["99/100", "101/100"]), "f is negative beyond"
    assert not forged("(floor(r)-1/2)**2*exp(-r)", ["99/100", "101/100"]), "g jumps across zero"
    assert not forged("(2-exp(1/(r-1)))**2*exp(-r)", ["99/100", "101/100"]), "g has a pole in the box"


@pytest.mark.parametrize(
    ("text", "zero"),
    [("exp(-r)*(1+sin(r))", 3 * pi / 2), ("exp(-r)*(3-3*sin(r))**(1/2)", pi / 2), ("exp(-r)*(1+sin(pi*r))", 1.5)],
)
def test_a_number_and_as_much_of_a_sine_touches_zero_where_the_sine_is_least(text: str, zero: float) -> None:
    box = touching(lower(Generator(text).expression), (Fraction(1), Fraction(2), Fraction(5)))
    assert box is not None
    assert abs(float(box[0]) - zero) < 1e-9 and box[1] - box[0] < Fraction(1, 2**30)

"""A text of which a part has no value on an interval is no density generator, whatever rewriting makes of it."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest

import dpverify
from dpverify.enclosures.needs import demands
from dpverify.show import sheet
from tests.prover import raw

HIDDEN = ["log(-1)", "1/(r-r)", "sqrt(1-r)", "besselk(1,-r)", "gamma(-2)", "(1-r)**(1/3)", "(-r)**(-1/2)", "(-2)**r"]
"""Parts that have no value, at least beyond r = 1."""
ERASING = [
    "exp(-r)*(1+exp({0}))/(1+exp({0}))",
    "exp(-y)*(1+exp({0}))/(1+exp({0}))",
    "exp(-r)*(pi+exp({0}))**(1/2)*(pi+exp({0}))**(-1/2)",
    "exp(-r)*(2+exp({0}))**0",
    "exp(-r)*e**(0*({0}))",
    "exp(-r)*(1+0*({0}))",
    "exp(-r)+0*log(exp({0}))",
    "exp(-r)*Max(1,0*({0}))",
]
NOWHERE_OR_NOT_EVERYWHERE = [
    "exp(-r)*(3+cos(1/(exp(r)-exp(r))))",
    "exp(-r)*(1+(pi-pi)**0*0)",
    "exp(-r)*(1+1/(Abs(r-1)-Abs(r-1)))",
    "exp(-r)+log(3*Abs(r-1)-Abs(r-1)-2*Abs(r-1))",
    # an inverse of an inverse of zero
    "exp(-r)*(1+1/(1/Max(0,1-r)))",
    "exp(-r)*(2+cos(1/(1/Max(0,1-r))))",
    "exp(-r)*(1+((1/floor(r))**(-1))*0)",
    "exp(-r)*(1+((Max(0,1-r))**(-2))**(-1/2))",
    # a quotient that has no value between two radii, inside something bounded
    "exp(-r)*(3+cos(1/Max(0,(r-1)*(r-2))))",
    "exp(-r)*(3+sin(1/Max(0,r-1)))",
    "exp(-r)*(3+tanh(1/floor(r)))",
    "exp(-r)*(3+cos(1/(r*(r-3)*Max(0,r-7))))",
    "exp(-r)*(3+cos(1/Abs(Max(0,r-1))))",
    "exp(-r)*(3+cos((floor(r)-2)**(-3)))",
    "exp(-r)*(3+cos(1/((r-1)*(r-2)-(y-3*r+2))))",
    "exp(-r)*(3+cos(1/(Max(r,3)-3)))",
    "exp(-r)*(3+cos(1/Piecewise((0,r<1/1000),(1,True))))",
    "exp(-r)*(3+cos(1/Piecewise((1,r<1000000),(0,True))))",
    "exp(-r)*(3+cos(1/Piecewise((1,r<73/32),(0,r<74/32),(1,True))))",
    # roots, logarithms and powers of something negative
    "exp(-r)*(3+cos(log(r-1)))",
    "exp(-r)*(3+cos(log(1-r)))",
    "exp(-r)*(3+cos(sqrt(r-1/8)))",
    "exp(-r)*(3+cos(sqrt(cos(r))))",
    "exp(-r)*(3+cos(sqrt(1-tanh(r)-1/2)))",
    "exp(-r)*(3+cos((r-2)**r))",
    "exp(-r)*(3+cos((r-2)**(r/r)))",
    "exp(-r)*(3+cos((r-2)**((1+r)/(1+r))))",
    "exp(-r)*(3+cos((r-2)**(2*pi/pi)))",
    "exp(-r)*(3+cos(Max(0,1-r)**(-1/2)))",
    "exp(-r)*(3+cos(log(Max(0,1-r))))",
    "exp(-r)*(3+cos(log(floor(r))))",
    "exp(-r)*(3+cos(besselk(1/3,2-r)))",
    "exp(-r)*(3+cos(besselk(1,floor(r))))",
    "exp(-r)*(2+cos(gamma(0)))",
    "exp(-r)*(2+cos(gamma(1-3)))",
    # nought to the power of nought
    "exp(-r)*(1+(r-r)**0)",
    "exp(-r)*(1+Max(0,1-r)**0)",
    "exp(-r)*(1+floor(r)**0)",
    # where the first branch that holds asks for it, or none holds
    "exp(-r)*(1+0*Piecewise((log(-1),r<1),(0,True)))",
    "exp(-r)*(1+0*Piecewise((1,r<1),(log(-1),r<2),(0,True)))",
    "exp(-r)*(1+0*Piecewise((1,r<1),(2,r<2)))",
    "exp(-r)*(1+0*Piecewise((1,r>1)))",
    "exp(-r)*(1+0*Piecewise((1,r<1),(2,r>3/2)))",
    "exp(-r)*(2+Piecewise((1,log(1-r)<0),(0,True)))",
    "exp(-r)*(2+Piecewise((1,r<1/2 or log(1-r)<0),(0,True)))",
    "exp(-r)*(2+Piecewise((1,r<2),(1,1/Max(0,3-r)>0),(0,True)))",
    "exp(-r)*(2+0*Piecewise((Piecewise((1,r<1),(log(-1),True)),r<2),(0,True)))",
    "exp(-r)*(2+0*Piecewise((1,r<1),(Piecewise((1,r<1),(log(-1),r<3),(2,True)),True)))",
]
UNSETTLED = [
    # without a value on (1, 2), which no rule here shows
    "exp(-r)*(3+Piecewise((0,r<1),(cos(1/Max(0,sin(r)**2+cos(r)**2-1)),r<2),(0,True)))",
    "exp(-r)*(3+cos(log(cosh(r)**2-sinh(r)**2-1)))",
]
DEFINED = [
    # elementary ones
    ("exp(-r)", "private"),
    ("1/cosh(r)", "private"),
    ("(1+y)**(-3)*log(3+y)**2", "private"),
    ("exp(-sqrt(y)*log(log(16+y)))", "not_private"),
    ("sqrt(log(2+1/y))*exp(-sqrt(y))", "not_private"),
    ("exp(-r)*(2+log(2+cos(r)))", "private"),
    ("exp(-r)*(1+exp(gamma(-5/2)))", "private"),
    ("exp(-r)*(1+(-8)**(-3))", "private"),
    ("exp(-r)*(1+pi**0)", "private"),
    ("exp(-r)*e**(r/(1+r))", "private"),
    ("exp(-r)*e**(r/r)", "private"),
    ("exp(-r)*(1+r)**(-y/r**2)", "private"),
    ("exp(-r)*(1+r)**(r/(1+r))", "private"),
    ("exp(-r)*(1+1/log(3+r))", "private"),
    ("exp(-r)*(1+1/log(log(3+r)))", "private"),
    ("exp(-r)*(3+cos(log(log(1+r))))", None),
    ("exp(-r)*(1+1/(r+1-exp(-r)))", "invalid"),
    ("exp(-r)*(1+1/(1/(r-1)**2+1))", None),
    # parts without a value at isolated radii, or in branches that are not asked for
    ("exp(-r)*((r-1)/(r-1))", None),
    ("exp(-r)*(r-1)**0", None),
    ("exp(-r)*(2+(r-pi)**0)", None),
    ("exp(-r)*(2+sin(r)**0)", None),
    ("exp(-r)*(2+0*cos(1/sin(r))**2)", None),
    ("exp(-r)*(2+((r-1)*(y-4))**0)", None),
    ("exp(-r)*(2+(Abs(r-1))**0)", None),
    ("exp(-r)*(2+Max(r-1,2-2*r)**0)", None),
    ("exp(-r)*(2+(floor(r)+1)**0)", "private"),
    ("exp(-r)*(2+log((r-1)**2)*0)", None),
    ("exp(-r)*(2+(1+1/(r-2)**2)**0)", None),
    ("exp(-r)*(1+1/(1/(1+r)))", None),
    ("exp(-r)*(2+Max(exp(r)-2,r**3-1)**0)", None),
    ("exp(-r)*Piecewise((2,r<1),(1,True))", "private"),
    ("exp(-r)*Piecewise((2,r<1),(1,r>=1))", None),
    ("exp(-r)*(1+0*Piecewise((1,True),(log(-1),True)))", "private"),
    ("exp(-r)*(1+0*Piecewise((log(2-r),r<1),(1,True)))", "private"),
    ("exp(-r)*(2+0*Piecewise((log(1-r),r<1),(1,True)))", None),
    ("exp(-r)*(2+Piecewise((sqrt(1-r),r<1),(0,True)))", None),
    ("exp(-r)*(2+Piecewise((1,r<2),(1/(r-1),r<3),(0,True)))", None),
    ("exp(-r)*(1+0*Piecewise((log(-1),r<1 and r>2),(1,True)))", "private"),
    ("exp(-r)*(1+0*Piecewise((log(-1),False),(1,True)))", "private"),
    ("exp(-r)*(1+0*Piecewise((1,r<3),(Piecewise((log(-1),r<2),(1,True)),True)))", "private"),
    pytest.param("exp(-r)*(2+0*Piecewise((besselk(1/3,floor(r)),r>=1),(1,True)))", None, marks=pytest.mark.sweep),
    pytest.param("exp(-r)*(2+0*Piecewise((1/floor(r),r>1),(0,True)))", None, marks=pytest.mark.sweep),
    ("exp(-r)*(2+0*Piecewise((gamma(-1),0>1),(1,True)))", None),
    ("exp(-r)*Max(1,Min(0,log(1+r)))", "private"),
    ("Max(0,1-y)", "not_private"),
    ("Max(0,1-r)**(1/2)", None),
    ("exp(-r)*sqrt(1-cos(r))", None),
    ("exp(-r)*(1-2*r)**0", None),
]


@pytest.mark.sampled(stay=16)
@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("frame", ERASING)
def test_what_has_no_value_is_not_erased(frame: str, hidden: str) -> None:
    _is_refuted(frame.format(hidden))


@pytest.mark.sampled(stay=10)
@pytest.mark.parametrize("text", NOWHERE_OR_NOT_EVERYWHERE)
def test_a_part_without_a_value_on_an_interval_is_no_generator(text: str) -> None:
    _is_refuted(text)


def _is_refuted(text: str) -> None:
    result = dpverify.verify(text)
    assert (result.verdict, result.hypotheses.defined.status) == ("invalid", "refuted"), result.reason
    assert "has no value" in result.reason and len(result.reason.splitlines()) == 1
    assert _gap(text, _radius(result.reason))


def _radius(reason: str) -> Fraction:
    return Fraction(re.search(r"around [rv] = (\S+)", reason)[1])  # type: ignore[index]


def _gap(text: str, r: Fraction) -> bool:
    """Whether the raw text has no value at radii just beyond r, up to the digits in which r is told."""
    beyond = [r * (1 + Fraction(k, 10**13)) for k in (1, 3)] + [r * (1 + Fraction(k, 10**5)) for k in (1, 2)]
    return not any(raw.has_value(text, at) for at in beyond[:2]) or not any(raw.has_value(text, at) for at in beyond)


@pytest.mark.slow
@pytest.mark.parametrize("text", UNSETTLED)
def test_what_is_not_settled_is_said_to_be_undecided(text: str) -> None:
    result = dpverify.verify(text)
    assert result.verdict == "undecided"
    assert result.hypotheses.defined.status == "undecided"
    assert "has a value almost everywhere" in result.reason


@pytest.mark.slow
@pytest.mark.parametrize(("text", "verdict"), DEFINED)
def test_a_text_with_values_almost_everywhere_is_defined(text: str, verdict: str | None) -> None:
    result = dpverify.verify(text, replay=True)
    assert all(raw.has_value(text, Fraction(k * k, 97)) for k in range(1, 60))
    assert result.hypotheses.defined.status == "proved", result.reason
    assert verdict is None or result.verdict == verdict, result.reason


LEAVES = [
    "r-{a}",
    "{a}-r",
    "Max(0,{a}-r)",
    "Max(0,r-{a})",
    "floor(r/{a})",
    "floor(r)-{n}",
    "Min(r,{a})-{a}",
    "Abs(r-{a})",
    "r*(r-{a})",
    "(r-{a})*({b}-r)",
    "Max(r-{a},{b}-r)",
    "sin(r)",
    "cos(r)-{a}/2",
    "exp(-r)-{a}/10",
    "tanh(r)-1/2",
    "1+r",
    "{a}",
    "-{a}",
]
PARTS = [
    "1/({u})",
    "log({u})",
    "sqrt({u})",
    "({u})**(-2)",
    "({u})**0",
    "({u})**(1/3)",
    "({u})**(-1/2)",
    "({u})**r",
    "besselk(1/2,{u})",
    "besselk(1/3,{u})",
    "gamma({n}-2)",
]
PLACES = [
    "{p}",
    "{p}",
    "Piecewise(({p},r<{a}),(1,True))",
    "Piecewise((1,r<{a}),({p},True))",
    "Piecewise((1,r<{a}),({p},r<{b}),(2,True))",
    "Piecewise((1,{p}<1),(2,True))",
    "Piecewise(({p},r>{b} and r<{a}),(1,True))",
    "Piecewise(({p},r<{b}),(2,r<{a}))",
    "Max({p},1)",
]
FRAMES = [
    "exp(-r)*(3+cos({p}))",
    "exp(-r)*(3+tanh({p}))",
    "exp(-r)*(1+0*({p}))",
    "exp(-y)*(1+0*({p}))",
    "exp(-r)*(1+exp({p}))/(1+exp({p}))",
    "exp(-y)*(1+exp({p}))/(1+exp({p}))",
    "exp(-r)*(2+({p})**0)",
    "exp(-r)*(1+1/(1+exp({p})))",
    "exp(-r)*(2+({p})-({p}))",
    "exp(-r)/(1+({p})**2)",
]
NEIGHBOURS = 1 + Fraction(1, 10**9), 1 + Fraction(3, 10**8)


def _planted(seed: int) -> str:
    rng = random.Random(seed)
    numbers = {"a": f"{rng.randint(1, 24)}/8", "b": f"{rng.randint(20, 60)}/8", "n": str(rng.randint(0, 4))}
    numbers = {name: str(Fraction(text)) for name, text in numbers.items()}
    part = rng.choice(PARTS).format(u=rng.choice(LEAVES).format(**numbers), **numbers)
    return rng.choice(FRAMES).format(p=rng.choice(PLACES).format(p=part, **numbers))


def _has_gap(text: str, seed: int) -> bool:
    """Whether the raw text has no value on a run of neighbouring radii."""
    rng = random.Random(seed)
    for _ in range(50):
        r = Fraction(rng.randint(1, 10**5), 9973)
        if not any(raw.has_value(text, r * k) for k in (1, *NEIGHBOURS)):
            return True
    return False


@pytest.mark.campaign
@pytest.mark.parametrize("batch", range(10))
def test_no_verdict_on_planted_parts_without_a_value(batch: int) -> None:
    gaps = refuted = 0
    for seed in range(40 * batch, 40 * batch + 40):
        text = _planted(seed)
        gap = _has_gap(text, seed)
        result = dpverify.verify(text, tolerance="1e-2", timeout=300)
        status = result.hypotheses.defined.status
        gaps += gap
        refuted += gap and status == "refuted"
        if gap:
            assert result.verdict in ("invalid", "undecided"), (text, result.reason)
            assert status != "proved", text
        elif status == "refuted":
            assert _gap(text, _radius(result.reason)), (text, result.reason)
    assert gaps > 5 and refuted >= 0.9 * gaps


def test_needs_are_numbered_as_a_reader_builds_inner_before_outer_left_to_right() -> None:
    generator = dpverify.Generator(
        "exp(-r)*(1/log(2+r)+Piecewise((sqrt(r),log(r)<a/2),(r**(-1),True)))**(a*(1/2))", parameters={"a": "4"}
    )
    assert [str(d.need) for d in demands(generator.needs)] == [
        "log(2+r)",
        "the division by log(2+r)",
        "sqrt(r)",
        "log(r)",
        "the division by 2",
        "r**(-1)",
        "Piecewise((sqrt(r),log(r)<a/2),(r**(-1),True))",
        "the division by 2",
    ]
    guards = [[(truth, condition[0]) for condition, truth in d.guard] for d in demands(generator.needs)]
    assert guards == [[], [], [(True, "less")], [], [], [(False, "less"), (True, "true")]] + [
        [(False, "less"), (False, "true")],
        [],
    ]


@pytest.mark.slow
def test_a_mixing_law_is_held_to_the_same() -> None:
    for text in ("v**3*exp(-v)*(1+exp(log(-1)))/(1+exp(log(-1)))", "v**3*exp(-v)*(1+1/(1/Max(0,1-v)))"):
        result = dpverify.verify(mixing=text)
        assert (result.verdict, result.hypotheses.defined.status) == ("invalid", "refuted")
        assert "around v = " in result.reason and "r" not in re.findall(r"\b[a-z]\b", result.reason)
    fine = dpverify.verify(mixing="v**3*exp(-v)*log(log(3+v))", replay=False)
    assert fine.hypotheses.defined.status == "proved" and fine.verdict != "invalid"
    with pytest.raises(dpverify.InputError, match="atom 1"):
        dpverify.verify(mixing="(1+exp(log(-1)))/(1+exp(log(-1))): 1, 1: 2")


@pytest.mark.parametrize("text", ("exp(-r)", "exp(-r)*(1+0*log(-1))"))
def test_defined_comes_first_wherever_hypotheses_are_listed(text: str) -> None:
    result = dpverify.verify(text)
    assert next(iter(result.to_json()["hypotheses"])) == "defined"
    labels = [row.label for row in sheet(result).rows]
    assert labels.index("defined") == labels.index("positive") - 1

"""Increments over all shifts of an interval at once: beside mpmath, and what their rules must refuse."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import INF, Interval, hull, interval
from dpverify.kernel.sections.at_once import AtOnce, all_at_once, all_the_way
from dpverify.kernel.sections.besseli import LogBesselI
from dpverify.kernel.sections.besselk import log_matern
from dpverify.kernel.sections.erfc import log_erfc
from dpverify.kernel.sections.floors import floor
from dpverify.kernel.sections.inverse import ATAN, COMPLEMENT, LAMBERT
from dpverify.kernel.sections.loggamma import LOG_GAMMA
from dpverify.kernel.sections.saws import line_of
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.theorem_a import in_all_of_the_tail
from dpverify.serialise import digest
from tests.kernel.plain import NoValue, number, random_text, value
from tests.kernel.problems import on_charts, tree

GALLERY = Path(__file__).parents[2] / "certificates"
Q = Fraction
POTENTIALS = (
    "5*r+frac(r)/3",
    "r/2+ceil(3*r)/7-floor(r/2)",
    "Max(r+frac(2*r),3*r-2,Min(2,r))",
    "2*r+cos(20*r)+frac(3*r+1/2)",
    "floor(sqrt(r))+y/(1+r)",
    "r-log(3+2*cos(5*r)+floor(r))",
    "Piecewise((r,r<1),(2*r-floor(3*r)/4,r<2),(3,True))",
    "sqrt(1+y)*(2+frac(r))",
    "(1+frac(r))**(-3)+(2+r)**(1/2)*(floor(r)+1)**2",
    "erfc(r-2)+tanh(loggamma(2+r))+atan(r)*lambertw(frac(r))",
    "-log(besselk(1/3,1+r))+frac(r)*besselk(0,2+r)",
    "-log(gammaincc(3/2,r))-log1p(exp(-2*r))+ceil(r)",
    "-log(besseli(0,r))+2*r+frac(r)/9-asinh(r)",
)


def lost(node: Any, r: Fraction, h: Fraction) -> Any:
    return value(node, number(r + h)) - value(node, number(r))


def contains(found: Interval, x: Any) -> bool:
    slack = (1 + abs(x)) * mpmath.mpf(10) ** -30
    low, high = (mpmath.mpf(str(end).replace("Infinity", "inf")) for end in (found.lo, found.hi))
    return bool(low - slack <= x <= high + slack)


def within(text: str, rnd: random.Random, node: Any) -> int:
    """How many losses at random are seen to lie in the enclosure of a random box of radii and shifts."""
    problem = on_charts(f"exp(-({text}))")
    a = Q(rnd.randint(1, 300), rnd.choice((7, 100, 30)))
    b, low = a + Q(rnd.randint(1, 60), rnd.choice((10, 40, 997))), Q(rnd.randint(0, 40), rnd.choice((1, 10, 64)))
    high = low + Q(rnd.randint(0, 60), rnd.choice((1, 10, 997)))
    try:
        found = all_at_once(problem, a, b, low, high, [])
    except (Rejected, ArithmeticError):
        return 0
    seen = 0
    for _ in range(12):
        r, h = a + (b - a) * Q(rnd.randint(1, 998), 999), low + (high - low) * Q(rnd.randint(0, 996), 996)
        try:
            loss = lost(node, r, h)
        except (NoValue, TypeError, ArithmeticError, ValueError):
            continue
        if isinstance(loss, mpmath.mpf):
            seen += 1
            assert contains(found, loss), (text, r, h)
    return seen


@pytest.mark.parametrize("text", POTENTIALS[:9])
def test_losses_are_within(text: str) -> None:
    rnd = random.Random(text)
    with mpmath.workdps(40):
        assert sum(within(text, rnd, tree(text)) for _ in range(12)) > 100


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("seed", range(24))
def test_losses_of_random_texts_are_within(seed: int) -> None:
    rnd = random.Random(seed)
    with mpmath.workdps(40):
        for _ in range(12):
            text = random_text(rnd, 3)
            try:
                node = tree(text)
            except (Rejected, ArithmeticError):
                continue
            within(text, rnd, node)


SPECIAL: dict[str, Callable[[Any], Any]] = {
    POTENTIALS[9]: lambda r: (
        mpmath.erfc(r - 2)
        + mpmath.tanh(mpmath.loggamma(2 + r))
        + mpmath.atan(r) * mpmath.lambertw(r - mpmath.floor(r)).real
    ),
    POTENTIALS[10]: lambda r: (
        -mpmath.log(mpmath.besselk(mpmath.mpf(1) / 3, 1 + r)) + (r - mpmath.floor(r)) * mpmath.besselk(0, 2 + r)
    ),
    POTENTIALS[11]: lambda r: (
        -mpmath.log(mpmath.gammainc(1.5, r, regularized=True)) - mpmath.log1p(mpmath.exp(-2 * r)) + mpmath.ceil(r)
    ),
    POTENTIALS[12]: lambda r: -mpmath.log(mpmath.besseli(0, r)) + 2 * r + (r - mpmath.floor(r)) / 9 - mpmath.asinh(r),
}


@pytest.mark.parametrize("text", sorted(SPECIAL))
def test_losses_with_special_functions_are_within(text: str) -> None:
    problem, g = on_charts(f"exp(-({text}))"), SPECIAL[text]
    with mpmath.workdps(40):
        for a, b, low, high in ((1, "3/2", 0, "1/2"), ("5/2", 3, "1/3", 2), (4, 6, 0, 0), (7, "71/10", "9/10", 1)):
            found = all_at_once(problem, Q(a), Q(b), Q(low), Q(high), [])
            assert found.finite()
            for i in range(1, 8):
                for j in range(8):
                    r, h = Q(a) + (Q(b) - Q(a)) * Q(i, 8), Q(low) + (Q(high) - Q(low)) * Q(j, 7)
                    assert contains(found, g(number(r + h)) - g(number(r)))


def test_a_saw_on_a_line_rises_by_the_line_and_a_third() -> None:
    """At every radius, and for every shift, without a cut at any of a million steps."""
    problem = on_charts("exp(-(5*r+frac(r)/3))", delta=Q(10**6))
    third = Decimal(1) / 3
    for found in (
        all_at_once(problem, Q(1), Q(10**6), Q(0), Q(10**6), []),
        all_the_way(problem, Q(0), Q(10**6)),
    ):
        assert abs(found.hi - (5 * 10**6 + third)) < Decimal("1e-20")
        assert abs(found.lo + third) < Decimal("1e-20")
    tail = in_all_of_the_tail(problem, Q(0), Q(10**6))
    assert abs(tail.hi - (5 * 10**6 + third)) < Decimal("1e-20")


def test_the_model_of_an_exact_shift_is_that_of_before() -> None:
    """floor(r + 2) - floor(r) is 2: that it is 2 and a number between -1 and 1 is for intervals of shifts alone."""
    found = in_all_of_the_tail(on_charts("exp(-r-floor(r))"), Q(2), Q(2))
    assert float(found.lo) == float(found.hi) == 4


LINES = {"r": (1, 0), "3": (0, 3), "2-5*r/3": (Q(-5, 3), 2), "(r+1)/2+r": (Q(3, 2), Q(1, 2))}
OTHERS = ("r**2", "pi*r", "sqrt(r)", "1/r", "floor(r)", "r*exp(r)")


@pytest.mark.parametrize("text", [*LINES, *OTHERS])
def test_lines_are_lines(text: str) -> None:
    assert line_of(tree(text)) == LINES.get(text)


@pytest.mark.parametrize("seed", range(20))
def test_the_increment_of_a_floor(seed: int) -> None:
    """floor(u + v) - floor(u) for u and v of two intervals: all whole numbers that occur, none beyond those about v."""
    rnd = random.Random(seed)
    u, v = (sorted(Q(rnd.randint(-90, 90), rnd.choice((1, 3, 10))) for _ in range(2)) for _ in range(2))
    here, steps = (hull(interval(x[0]), interval(x[1])) for x in (u, v))
    found = floor(AtOnce(here, here + steps, steps)).du
    seen = set()
    for i in range(31):
        for j in range(31):
            p, q = u[0] + (u[1] - u[0]) * Q(i, 30), v[0] + (v[1] - v[0]) * Q(j, 30)
            seen.add((p + q) // 1 - p // 1)
    assert found.lo <= min(seen) and max(seen) <= found.hi
    assert found.lo >= v[0] // 1 and found.hi <= -((-v[1]) // 1)


def test_over_slopes_a_floor_that_rises_by_one_number_has_none() -> None:
    """floor(r + 3) - floor(r) is 3 on a box that reaches across a step; floor(r + 5/2) - floor(r) is 2 or 3."""
    problem = on_charts("exp(-r-floor(r))")
    whole, half = (problem.loss(Q(1, 2), Q(3, 2), h) for h in (Q(3), Q(5, 2)))
    assert float(whole.lo) == float(whole.hi) == 6
    assert float(half.lo) <= 4.5 < 5.5 <= float(half.hi)
    saw = on_charts("exp(-frac(r)*r)").loss(Q(1, 2), Q(3, 2), Q(1))
    assert float(saw.lo) <= 0 and float(saw.hi) >= 1  # frac(r), which jumps


def test_of_a_maximum_the_increment_is_one_of_theirs() -> None:
    """Max(r, 2) over (1, 3): neither leads, and both rise by at most h."""
    problem = on_charts("exp(-Max(r,2))")
    found = all_at_once(problem, Q(1), Q(3), Q(0), Q(1, 10), [])
    assert float(found.lo) == 0 and abs(float(found.hi) - 0.1) < 1e-15
    # Here only r may lead, ahead only 2 r - 10: what neither of them says is not left out.
    apart = all_at_once(on_charts("exp(-Max(r,2*r-10))"), Q(1), Q(2), Q(19), Q(20), [])
    assert 28 <= float(apart.lo) <= 29 and 32 <= float(apart.hi) <= 33  # r + 2 h - 10, from its heights


UNBOUNDED: dict[str, tuple[Callable[[Interval], Interval], Callable[[Any], Any], int]] = {
    "log Gamma": (LOG_GAMMA.of, mpmath.loggamma, 2),
    "W": (LAMBERT.of, lambda x: mpmath.lambertw(x).real, 0),
    "log B": (LogBesselI(Q(1, 2)).of, lambda x: mpmath.log(mpmath.besseli(0.5, x) / mpmath.sqrt(x)), 0),
    "atan": (ATAN.of, mpmath.atan, -5),
    "acot": (COMPLEMENT.of, lambda x: mpmath.acot(x) if x > 0 else mpmath.pi / 2 - mpmath.atan(x), -5),
    "log erfc": (log_erfc, lambda x: mpmath.log(mpmath.erfc(x)), -5),
    "log x^p K": (
        lambda x: log_matern(x, Q(1, 4)),
        lambda x: mpmath.log(mpmath.sqrt(mpmath.sqrt(x)) * mpmath.besselk(0.25, x)),
        1,
    ),
}


@pytest.mark.parametrize("name", sorted(UNBOUNDED))
def test_functions_without_an_upper_end(name: str) -> None:
    function, truth, least = UNBOUNDED[name]
    with mpmath.workdps(40):
        for start in (least, least + 1, 3, 20):
            found = function(Interval(Decimal(start), INF))
            for beyond in ("0.001", "0.5", 3, 40, 900):
                assert contains(found, truth(start + mpmath.mpf(beyond)))


def test_below_where_they_rise_nothing_is_said() -> None:
    for start in ("1.999", "0.1"):
        with pytest.raises(Rejected, match="something unbounded") as refused:
            LOG_GAMMA.of(Interval(Decimal(start), INF))
        assert refused.value.code == "K289"
    with pytest.raises(Rejected):
        LAMBERT.of(Interval(Decimal("-0.1"), INF))
    with pytest.raises(Rejected):
        LOG_GAMMA.of(Interval(INF.copy_negate(), INF))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exp(-r)*(r-2)*(r-3)*(r-2)*(r-3)*(r-5/2)", "no proved sign"),
        ("exp(-r)*(11-r)", "not proved positive"),  # ahead of the box it is negative
        ("exp(-r)*sqrt(11-r)", "not proved positive"),
        ("exp(-r)*log(r-1)", "proved"),
    ],
)
def test_what_is_not_positive_here_and_ahead_has_no_loss(text: str, why: str) -> None:
    with pytest.raises((Rejected, ArithmeticError), match=why):
        all_at_once(on_charts(text), Q(2), Q(3), Q(0), Q(10), [])


TAILS = (
    "exp(-r)+exp(-2*r)",
    "exp(-2*r)+exp(-r)-exp(-3*r)",
    "exp(-Max(r,2*r-3))+exp(-y)",
    "erfc(r)+erfc(2*r)",
    "1/cosh(r)",
) + (
    "exp(-exp(r))+exp(-r*atan(r))",
    "(1+y)**(-3)+exp(-y)*(1-tanh(r))",
    "exp(-loggamma(1+r))+besselk(2,r)",
    "exp(-r)*log(2+r)/(1+lambertw(r))",
    "besselk(1/3,1+r)*gammaincc(2,r)",
    "log1p(exp(-r-frac(r)))+exp(-r*lambertw(r))",
    "exp(-r)*Piecewise((1,r<3),(2,sin(r)>0),(3,True))",
)


PLAIN = {"num", "pi", "r", "add", "mul", "pow", "exp", "log", "floor", "max", "piece", "sin", "cos", "erfc", "matern"}
"""What `value` has a definition of."""


def kinds(node: Any) -> set[str]:
    parts = [a[0] if isinstance(a, tuple) else a for a in node.args]
    return {node.kind}.union(*(kinds(a) for a in parts if hasattr(a, "kind")))


@pytest.mark.parametrize("text", TAILS)
def test_boxes_without_an_upper_end_are_enclosed_or_refused(text: str) -> None:
    """Infinity less infinity is no number, wherever it comes up; losses at some radii are in what is enclosed."""
    problem, node = on_charts(text), tree(text)
    for low, high in ((Q(0), Q(1)), (Q(1, 2), Q(10**6)), (Q(3), Q(3))):
        try:
            found = all_the_way(problem, low, high)
        except Rejected:
            continue
        with mpmath.workdps(60):
            for r in (Q(33, 2), Q(81, 4), Q(31)) if kinds(node) <= PLAIN else ():
                h = low + min(high - low, Q(2, 3))
                try:
                    loss = mpmath.log(value(node, number(r)) / value(node, number(r + h)))
                except NoValue:  # a part is too large to be followed
                    continue
                assert contains(found, loss)


def forged(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


SAW = "a-saw-and-a-long-shift"


def supremum(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda certificate: certificate["proof"]["supremum"].update(fields)


def lowered(certificate: dict[str, Any]) -> None:
    """Below 501 + 1/3, which is the truth."""
    certificate["claim"]["epsilon"].update(lower="501", upper="501333/1000")


def with_another_saw(certificate: dict[str, Any]) -> None:
    """Its teeth are as high as 1/2."""
    certificate["claim"]["generator"] = "exp(-(5*r+frac(r)/2))*exp(-erf((7/2)*r))"


def without_lines(certificate: dict[str, Any]) -> None:
    del certificate["rules"]["saws"]


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        (SAW, supremum(tail_rules="m"), "steps"),
        (SAW, supremum(tail_rules="ii"), "steps"),
        (SAW, supremum(tail_rules="x"), "steps"),
        (SAW, supremum(tail_rules=["i"]), "steps"),
        (SAW, supremum(tail_rules=None), "steps"),
        (SAW, supremum(tail_shifts=["0", "99"], tail_rules="i"), "steps"),
        (SAW, supremum(tail_shifts=["1", "100"], tail_rules="i"), "steps"),
        ("steps-that-rise-more-slowly", supremum(tail_rules="m"), "steps"),
        ("steps-that-decay", supremum(tail_rules="i"), "format"),
        (SAW, lowered, "K74"),
        (SAW, with_another_saw, "K74"),
        (SAW, without_lines, "K74"),
    ],
)
def test_forged_steps_are_refused(name: str, change: Callable[[dict[str, Any]], None], code: str) -> None:
    with pytest.raises(Rejected) as refused:
        check_bytes(forged(name, change))
    assert refused.value.code == code, str(refused.value)


def test_slopes_are_not_mixed_with_all_shifts_at_once() -> None:
    """A piece is asked here and ahead by itself; what comes back still has all three parts."""
    problem = on_charts("exp(-r)*Piecewise((2,r<1),(1+r,True))")
    r = AtOnce(Interval(Decimal(0), Decimal(2)), Interval(Decimal(1), Decimal(3)), interval(1))
    log = problem.log_f(problem.at_box(r))
    assert isinstance(log, AtOnce) and not isinstance(log.u, Slope)

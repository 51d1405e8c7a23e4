"""Rules of mixtures (K201-K215) to the last digit, and where an interval may lie on both sides of what is asked."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ONE, ZERO, Interval, hull, interval
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections import mixtures, tilted
from dpverify.kernel.sections.mixtures import SQUARE, at_most, check, far_out, not_private, steepness
from dpverify.kernel.sections.models import power_of_t
from dpverify.kernel.sections.tilted import Law, beyond, moments, nothing
from tests.mixtures.student import GALLERY, MARKS, Proved, Q, Student, law_of
from tests.mixtures.test_tilted_rules import moment

LIGHT = "Piecewise((exp(-v), v < 4), (0, True))"
HEAVY = "Piecewise((0, v < 1), (exp(-v), True))"


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def span(low: Any, high: Any) -> Interval:
    return Interval(Decimal(low), Decimal(high))


def refused(work: Any, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        work()


# How steeply a law falls: u(v) = -v p'(v)/p(v), the slope of log p being given on each box.


def slow(a: str, b: str, rate: Interval, constant: Fraction, square: Fraction, why: str) -> None:
    proof = Proved("v**(-4)", ["1/16", a, b])
    proof.problem.on_box = lambda *box: SimpleNamespace(du=-rate)  # type: ignore[method-assign, assignment, return-value]
    refused(lambda: steepness(proof, Q(a), constant, square), why)  # type: ignore[arg-type]


def test_a_law_falls_slowly_to_the_last_digit() -> None:
    """A third lies between two decimals, as does a ninth; what passes on the box is too steep in the tail."""
    ninth = interval(Q(1, 9))
    slow("1/2", "2/3", ONE, Q(2, 3), Q(0), "slowly enough on")
    slow("1/2", "2/3", ONE, Q(667, 1000), Q(0), "in the tail")
    slow("1/3", "1/2", -ONE, Q(-1, 3), Q(0), "slowly enough on")
    slow("1/3", "1/2", -ONE, Q(-333, 1000), Q(0), "in the tail")
    slow("1/3", "1/2", Interval(ninth.hi, ninth.hi) * 2, Q(0), Q(1), "slowly enough on")
    for end, why in ((ninth.lo, "slowly enough on"), (ninth.hi, "in the tail")):
        slow("1/4", "1/3", Interval(end, end) * -4, Q(0), Q(-1), why)


def test_a_jump_of_which_it_is_not_known_whether_it_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixtures, "may_jump", lambda tree: True)

    def across(left: Interval, right: Interval) -> None:
        proof = Proved("v**(-4)", ["1/16", "1", "2", "16"])

        def on_box(a: Fraction, b: Fraction) -> Any:
            short = b - a < Q(1, 10**9)
            return SimpleNamespace(u=left if b in (2, 16) else right, du=interval(-(10**40)) if short else ZERO)

        proof.problem.on_box = on_box  # type: ignore[method-assign, assignment]
        steepness(proof, Q(1), Q(43, 10), Q(0))  # type: ignore[arg-type]

    across(span("0", "0.5"), span("0.5", "1"))
    for left, right in (("0", "0.7"), ("0.5", "1")), (("0", "1"), ("0.5", "2")), (("0.6", "0.6"), ("0.5", "2")):
        refused(partial(across, span(*left), span(*right)), "across")


def test_a_tail_that_just_exceeds_the_supremum(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slope of 1 over a shift of 1/3: no decimal."""
    monkeypatch.setattr(mixtures, "BOXES", {"r": lambda *given: Decimal(0)})
    monkeypatch.setattr(mixtures, "tail", lambda *given: Decimal(1))
    given = {"cover": ["0", "1"], "rules": "r", "tail": {}}
    refused(lambda: at_most(None, Student("1/3"), given, Q(1, 3)), "in the tail")  # type: ignore[arg-type]
    at_most(None, Student("1/3"), given, Q(1, 3) + Q(1, 10**50))  # type: ignore[arg-type]


class Leading:
    """A logarithm of which the leading term is given."""

    def __init__(self, scale: Any, c: Interval) -> None:
        self.found = scale, c

    def __add__(self, other: object) -> Leading:
        return self

    def leading(self) -> Any:
        return self.found


CUBE, LINE = power_of_t(3), power_of_t(1)


@pytest.mark.parametrize(
    ("scale", "c", "holds"),
    [
        (SQUARE, span(-2, "-0.5"), True),
        (LINE, span(-1, 1), True),
        (SQUARE, span(-1, 1), False),
        (SQUARE, span("0.5", 1), False),
        (CUBE, span(-1, 0), False),
        (CUBE, span(-1, "0.5"), False),
    ],
)
def test_a_tail_whose_leading_term_has_no_sign_shows_no_loss(scale: Any, c: Interval, holds: bool) -> None:
    p = law_of("exp(-v**2)")
    p.far = lambda germ: SimpleNamespace(u=Leading(scale, c))  # type: ignore[method-assign, assignment, return-value]
    proof = SimpleNamespace(problem=p)
    if holds:
        assert far_out(proof, Q(1)).lo > 0  # type: ignore[arg-type]
        return
    refused(lambda: far_out(proof, Q(1)), "fall so fast")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scale", "c", "holds"),
    [
        (CUBE, span(-2, "-0.5"), True),
        (SQUARE, span(-2, "-0.5"), False),
        *((CUBE, c, False) for c in (span(-1, 0), span(-1, "0.5"), span("0.5", "0.7"), span(2, 3))),
    ],
)
def test_a_tail_whose_leading_term_has_no_sign_refutes_nothing(
    scale: Any, c: Interval, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixtures, "integral", lambda *given: 1)
    proof = Proved("v*exp(-v**3)", MARKS)
    proof.problem.far = lambda germ: SimpleNamespace(  # type: ignore[method-assign, assignment, return-value]
        u=Leading(scale, c)
    )
    given = {"by": "tail", "zero": "logs", "positive": ["3/2", "7/4"]}
    if holds:
        not_private(proof, given)  # type: ignore[arg-type]
        return
    refused(lambda: not_private(proof, given), "minus infinity")  # type: ignore[arg-type]


def test_a_claim_of_a_mixture_needs_all_its_steps_and_a_text_with_a_value() -> None:
    known = json.loads((GALLERY / "infinite-moment.json").read_text())
    assert check(known["claim"], copy.deepcopy(known["proof"])) == []
    refused(lambda: check(known["claim"], known["proof"] | {"more": "0"}), "no claim needs")
    text = known["claim"]["mixing"] + "+0*log(v-1)"
    refused(lambda: check(known["claim"] | {"mixing": text}, known["proof"]), "no step 'defined'")


def test_a_mixture_rests_on_power_series() -> None:
    """K150 is entered before the law is expanded, and may not be left out of a list."""
    proof: Any = SimpleNamespace(problem=law_of("v/(1+v)"))
    token = LEDGER.set(Ledger(frozenset({"K214"})))
    try:
        refused(lambda: mixtures.private(proof, Q(0), Q(1)), "uses K150, which it does not list")
    finally:
        LEDGER.reset(token)


# Integrals against the law.


@pytest.mark.parametrize("beta", ["0", "1/30000000", "1/70000000", "1/900000000", "7/900000000"])
def test_moments_to_the_last_digit(beta: str) -> None:
    """Of so small a rate that their first bound, between 0 and 2/(N + 1), leaves no trace."""
    found = moments(interval(Q(beta)), 9)
    with mp.workdps(90):
        rate = number(Q(beta))
        for j, m in enumerate(found):  # e^(-rate (1 + x)) by its series, as its integrals lose no digit
            exact = mp.fsum(
                (-rate) ** i / mp.factorial(i) * (part(i + j) - (-1) ** (i + j + 1) * part(i + j)) for i in range(20)
            ) * mp.exp(-rate)
            assert number(m.lo) <= exact <= number(m.hi) <= number(m.lo) + mp.mpf(10) ** -55


def part(j: int) -> Any:
    return mp.mpf(1) / (j + 1)


def test_moments_of_all_rates_from_wherever_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """With FURTHER = -210 from the last one that is asked for, of which only a bound is known."""
    monkeypatch.setattr(tilted, "FURTHER", -210)
    found = moments(hull(interval(1), interval(70)), 14)
    with mp.workdps(60):
        for beta in (1, 20, 70):
            for j in (13, 12):
                assert number(found[j].lo) <= moment(j, mp.mpf(beta)) <= number(found[j].hi)


class Rate:
    """v (log p)' far out or near the centre, and p, as they are given."""

    def __init__(self, rate: Interval) -> None:
        self.rate, self.du = rate, self

    def __mul__(self, other: object) -> Rate:
        return self

    def span(self) -> Interval:
        return self.rate

    def exp(self) -> Interval:
        return ONE


@pytest.mark.parametrize("side", ["zero", "infinity"])
def test_what_lies_beyond_to_the_last_digit(side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """p(1) = 1, and v (log p)' between two numbers, so that the integral lies between 1/7 and 1/3."""
    low, high = (3, 7) if side == "zero" else (-7, -3)
    rate = Rate(hull(interval(low), interval(high)))
    monkeypatch.setattr(tilted, "at_end", lambda *given: SimpleNamespace(const=lambda value: None))
    p: Any = SimpleNamespace(dimension=1, log_f=lambda x: rate, at_box=lambda x: None)
    p.at_zero = p.at_infinity = lambda x: None
    found = beyond(p, Q(1), side)
    for k, x in enumerate(found):
        n = 2 * k
        near, far = (high - n, low - n) if side == "zero" else (n - low, n - high)
        assert Q(x.lo) <= Q(1, near * 2**k)
        if far > 0:
            assert Q(1, far * 2**k) <= Q(x.hi) < Q(1, far * 2**k) + Q(1, 10**50) and Q(x.lo) > Q(1, near * 2**k + 1)


def test_a_law_that_is_nothing_at_one_end_alone() -> None:
    assert nothing(law_of(LIGHT), Q(5), "infinity") == (ZERO, ZERO, ZERO)
    refused(lambda: nothing(law_of(LIGHT), Q(1, 32), "zero"), "towards zero")
    assert nothing(law_of(HEAVY), Q(1, 2), "zero") == (ZERO, ZERO, ZERO)
    refused(lambda: nothing(law_of(HEAVY), Q(20), "infinity"), "towards infinity")


def test_each_end_of_a_law_has_its_own_chart() -> None:
    def unasked(*given: Any) -> Any:
        raise AssertionError

    for text, at, side, other in ((LIGHT, Q(5), "infinity", "at_zero"), (HEAVY, Q(1, 2), "zero", "at_infinity")):
        p = law_of(text)
        setattr(p, other, unasked)
        assert nothing(p, at, side) == (ZERO, ZERO, ZERO)


def test_a_law_beyond_its_panels_to_the_last_digit() -> None:
    """All of it at v > 1, or at v < 1 and t = 16: its share of e^(-s^2 t) and of t e^(-s^2 t)."""
    empty: Any = SimpleNamespace(integrals=lambda y: (ZERO, ZERO, ZERO))
    beyond_one = Law([Q(1, 2), Q(1)], [empty], ((ZERO,) * 3, (ONE,) * 3))  # type: ignore[arg-type]
    found = beyond_one.at(Q(1, 3), 0, 1, beyond=False)[0]
    with mp.workdps(80):
        exact = mp.exp(-mp.mpf(1) / 18)
        assert exact - mp.mpf(10) ** -50 <= number(found.lo) <= exact and found.hi == 1
    within = Law([Q(1, 2), Q(1)], [empty], ((ONE, interval(16), interval(256)), (ZERO,) * 3))
    with mp.workdps(40):  # T = 2
        for s in ("1/4", "1/2", "1", "3"):
            for k, x in enumerate(within.inside(Q(s), 0)):
                at = number(Q(s))
                assert 16**k * mp.exp(-at * at * 16) <= number(x.hi)
                most = 2**k if at * at * 2 >= k else 16**k
                assert abs(number(x.hi) / (most * mp.exp(-at * at * 2)) - 1) < mp.mpf(10) ** -18

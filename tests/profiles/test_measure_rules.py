"""Measures from the points of a profile (K230-K232, K247), to the last digit: lines by mpmath, and wide bounds."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ONE, Interval, interval
from dpverify.kernel.rules import BROUGHT
from dpverify.kernel.sections import measures, moments
from dpverify.kernel.sections.measures import Profile, gaussian_mu, renyi, trade_off
from dpverify.kernel.steps import Steps
from tests.profiles.panel import number, refused

Q = Fraction
LEVELS = [Q(0), Q(1, 2), Q(1), Q(3, 2)]
SLACK = mp.mpf(10) ** -45


def h(a: Any) -> Any:
    """Of Laplace noise with a pure epsilon of 2."""
    return 1 - mp.sqrt(a) * mp.exp(-1) if a < mp.exp(2) else mp.mpf(0)


NOTHING = Q(0)


def points(atom: Fraction = NOTHING, room: Fraction = NOTHING) -> list[dict[str, Any]]:
    """Bounds of h at the levels, none narrower than 1e-30; at the last from above so much more."""
    found = []
    with mp.workdps(60):
        for e in LEVELS:
            least = Q(int(h(mp.exp(number(e))) * 10**30), 10**30)
            most = least + Q(1, 10**30) + (room if e == LEVELS[-1] else 0)
            found.append({"epsilon": str(e), "delta": {"lower": str(max(least, atom)), "upper": str(most)}})
    return found


def lines(given: list[dict[str, Any]]) -> list[tuple[Any, Any, Any, Any]]:
    """From a to b runs c + m a below h: through a bound from above behind it, and one from below before it."""
    a = [mp.exp(number(Q(p["epsilon"]))) for p in given]
    low, high = ([number(Q(p["delta"][end])) for p in given] for end in ("lower", "upper"))
    found, n = [], len(a) - 1
    for k in range(n):
        middle = mp.sqrt(a[k] * a[k + 1])
        back = (a[k - 1], high[k - 1]) if k else (1 / a[1], 1 - 1 / a[1] + high[1] / a[1])
        ahead = (a[k + 2], high[k + 2]) if k < n - 1 else (a[n] + 1, high[n])
        for far, near, ends in ((back, k, (a[k], middle)), (ahead, k + 1, (middle, a[k + 1]))):
            m = (low[near] - far[1]) / (a[near] - far[0])
            found.append((*ends, low[near] - m * a[near], m))
    return found


@pytest.mark.parametrize("room", ["0", "3/10"])
def test_lines_lie_below_whatever_is_known_of_the_last_point(room: str) -> None:
    with mp.workdps(70):
        for line in Profile(points(room=Q(room))).below:
            for k in range(9):
                level = line.low + (line.high - line.low) * k / 8
                assert number(line.at(level).lo) <= h(mp.exp(number(level)))


def integral(line: tuple[Any, Any, Any, Any], order: Any) -> Any:
    a, b, c, m = line

    def whole(x: Any) -> Any:
        flat = x ** (order - 1) / (order - 1) - x**-order / order
        return c * flat + m * (x**order / order + x ** (1 - order) / (1 - order))

    return whole(b) - whole(a)


@pytest.mark.parametrize("atom", ["0", "1/10"])
@pytest.mark.parametrize("order", ["1/2", "1/3", "9/10"])
def test_a_divergence_of_what_does_not_end(order: str, atom: str) -> None:
    given = points(Q(atom))
    found = renyi(Profile(given, Q(atom)), Q(order))
    with mp.workdps(80):
        at = number(Q(order))
        a = [mp.exp(number(e)) for e in LEVELS]
        high = [number(Q(p["delta"]["upper"])) for p in given]
        rest = a[-1] ** (at - 1) / (1 - at) + a[-1] ** -at / at
        kept = [x for x in lines(given) if min(x[2] + x[3] * end for end in x[:2]) >= 0]
        chords = []
        for (x, u), (y, v) in pairwise(zip(a, high, strict=True)):
            m = (v - u) / (y - x)
            chords.append((x, y, u - m * x, m))
        ends = []
        for known, last in ((kept, number(Q(atom))), (chords, high[-1])):
            inside = sum(integral(x, at) for x in known) + rest * last
            ends.append(mp.log(1 + at * (at - 1) * inside) / (at - 1))
        assert ends[0] - SLACK <= number(found.lo) <= ends[0] < ends[1] <= number(found.hi) <= ends[1] + SLACK


class Beyond:
    """A tail of which a moment, and a divergence of orders above 1, are given."""

    def __init__(self, low: Decimal, high: Decimal) -> None:
        self.most = Interval(low, high)

    def moment(self, order: Fraction) -> Interval:
        return Interval(Decimal(0), Decimal("0.5"))

    def divergence(self, order: Fraction) -> Interval:
        assert order > 1
        return self.most


@pytest.mark.parametrize("order", ["1/2", "1", "3/2", "2", "3"])
def test_a_divergence_with_a_tail_has_the_better_of_two_bounds(order: str) -> None:
    """The integral beyond the last point lies between 0 and 1/2, and both count."""
    h, at = Profile(points()), Q(order)
    h.tail = Beyond(Decimal(0), Decimal(100))
    wide = renyi(h, at)
    with mp.workdps(40):
        lowest = [x for x in lines(points()) if min(x[2] + x[3] * end for end in x[:2]) >= 0]
        least = mp.mpf(0)
        for a, b, c, m in lowest:
            least += mp.quad(lambda t, c=c, m=m: (c + m * t) * (t ** (number(at) - 2) + t ** (-number(at) - 1)), [a, b])
        exact = mp.log(1 + number(at) * (number(at) - 1) * least) / (number(at) - 1) if at != 1 else least
        assert abs(number(wide.lo) - exact) < mp.mpf(10) ** -15 and wide.lo + Decimal("0.05") < wide.hi < 3
    better = (wide.lo + wide.hi) / 2
    h.tail = Beyond(wide.lo, better)
    found = renyi(h, at)
    assert found.lo == wide.lo and found.hi == (better if at > 1 else wide.hi)


@pytest.mark.parametrize("x", ["1/1000", "1/10", "1/4", "1/2", "9/10"])
@pytest.mark.parametrize("atom", ["0", "1/10"])
def test_the_errors_of_a_test(x: str, atom: str) -> None:
    """Laplace: 1 - e^2 x, then 1/(4 e^2 x), then (1 - x)/e^2; and to the last digit as the lines have it."""
    given = points(Q(atom))
    found = trade_off(Profile(given, Q(atom)), Q(x))
    with mp.workdps(80):
        at = number(Q(x))
        a = [mp.exp(number(e)) for e in LEVELS]
        high = [number(Q(p["delta"]["upper"])) for p in given]
        both = [*zip(a, high, strict=True), *((1 / b, 1 - 1 / b + u / b) for b, u in zip(a[1:], high[1:], strict=True))]
        low = max(1 - u - b * at for b, u in both)
        tops = [mp.mpf(0), 1 - number(Q(atom)) - a[-1] * at, (1 - number(Q(atom)) - at) / a[-1]]
        for start, stop, c, m in lines(given):
            tops += [y for b in (start, stop) for y in (1 - c - m * b - b * at, (1 - c - m * b - at) / b)]
        assert low - SLACK <= number(found.lo) <= low and max(tops) <= number(found.hi) <= max(tops) + SLACK
        if atom == "0":
            edge = mp.exp(-2) / 2
            exact = 1 - mp.exp(2) * at if at < edge else mp.exp(-2) / (4 * at) if at < 0.5 else (1 - at) * mp.exp(-2)
            assert number(found.lo) <= exact <= number(found.hi)


def span(low: str, high: str) -> Interval:
    return Interval(Decimal(low), Decimal(high))


class Flat:
    """A line above h of which only so much is known."""

    low, high = Q(0), Q(1)

    def __init__(self, value: Interval) -> None:
        self.value = value

    def at(self, level: Fraction) -> Interval:
        return self.value


def test_a_mu_is_shown_by_the_worst_of_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """h_mu is known between two numbers, and so is the profile."""

    def mu(low: str, high: str, line: Interval, level: Interval, tail: Any = None) -> None:
        known = SimpleNamespace(tail=tail, above=[Flat(line)], levels=[Q(0)], low=[level], needs_end=lambda: None)
        gaussian_mu(known, Q(low), Q(high))  # type: ignore[arg-type]

    monkeypatch.setattr(measures, "gaussian", lambda *given: (span("0.3", "0.4"), span("0", "0")))
    mu("0", "1/2", span("0.1", "0.3"), span("0", "1"))
    mu("1/4", "1/2", span("0.1", "0.3"), span("0.4", "0.5"))
    for line, level, why in (
        (span("0.1", "0.35"), span("0.4", "0.5"), "large enough"),
        (span("0.35", "0.35"), span("0.4", "0.5"), "large enough"),
        (span("0.1", "0.3"), span("0.3", "0.5"), "no smaller"),
        (span("0.1", "0.3"), span("0.35", "0.35"), "no smaller"),
    ):
        refused(partial(mu, "1/4", "1/2", line, level), why)
    asked: list[Any] = []
    monkeypatch.setitem(BROUGHT, "a tail below a Gaussian's", lambda *given: asked.append(given))
    mu("0", "1/2", span("0.1", "0.3"), span("0", "1"), "far")
    assert asked == [("far", Q(1, 2))]


def claimed(value: tuple[str, str], name: str = "Renyi divergence", at: str = "1/2", **steps: Any) -> None:
    claim = {"points": points(), "measures": [{"name": name, "at": at}]}
    claim["measures"][0]["value"] = dict(zip(("lower", "upper"), value, strict=True))
    measures.measures(claim, SimpleNamespace(steps=Steps(steps)))  # type: ignore[arg-type]


def test_a_profile_that_names_no_atom_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The divergence of order 1/2 of Laplace noise is -2 log(e^-1 (1 + 1)) = 0.6137, and 0.46 of it seen."""
    exact = renyi(Profile(points()), Q(1, 2))
    unit = Decimal("1e-20")
    low, high = (str(Q(x)) for x in (round(exact.lo - unit, 25), round(exact.hi + unit, 25)))
    claimed((low, high))
    for wrong in ((str(Q(low) + Q(1, 10**19)), high), (low, str(Q(high) - Q(1, 10**19)))):
        refused(partial(claimed, wrong), "between its bounds")
    asked: list[Any] = []

    def told(proof: Any, last: Fraction, step: Any) -> Any:
        asked.append((last, step))
        return Beyond(Decimal(0), Decimal(100))

    monkeypatch.setitem(BROUGHT, "what lies beyond a profile's end", told)
    claimed(("0", "9"), measures={"tail": "far"})
    assert asked == [(LEVELS[-1], "far")]


# A tail by moments (K247): h(e^x) <= E e^(k l) e^(-k x).


def test_a_moment_of_the_tail_for_all_that_is_known_of_a_mass() -> None:
    bound = moments.Bound(Q(1), Q(2), Q(1, 3), Q(4), span("-1", "0.5"))
    found = moments.Tail([bound], Q(3)).moment(Q(3, 2))
    with mp.workdps(70):
        log = mp.mpf("0.5") + 4 + mp.mpf(64) * 3 / 4
        exact = sum(mp.exp(log - rate * 3) / rate for rate in (mp.mpf("3.5"), mp.mpf("5.5")))
        assert found.lo == 0 and exact <= number(found.hi) <= exact * (1 + mp.mpf(10) ** -15)


class Ratio:
    """What stands for the shift in the tail, and for log f there: c^2 is to be at least so much."""

    def __init__(self, most: Decimal) -> None:
        self.most = most

    def __mul__(self, other: object) -> Ratio:
        return self

    def __add__(self, other: object) -> Ratio:
        return self

    def __neg__(self) -> Ratio:
        return self

    def inverse(self) -> Ratio:
        return self

    def span(self) -> Interval:
        return Interval(Decimal(0), self.most)


def shown(
    top: Decimal, c: str, loss: Decimal, ratio: Decimal, u: Interval, monkeypatch: pytest.MonkeyPatch, a: str = "1/3"
) -> None:
    """The top is 1/3, and on the only box log f is u and the loss given; before it no loss is above -9."""
    near = SimpleNamespace(u=SimpleNamespace(span=lambda: Interval(Decimal(-9), top)))
    problem = SimpleNamespace(
        delta=Q(1),
        near_zero=lambda: near,
        on_box=lambda a, b: SimpleNamespace(u=interval(10) if a == 2 else u),
        loss=lambda *given: Interval(Decimal(0), loss),
        infinity=SimpleNamespace(order=6),
        far_shift=lambda *given: Ratio(ratio),
        far=lambda germ: SimpleNamespace(u=Ratio(ratio)),
    )
    monkeypatch.setattr(moments, "heights", lambda *given: {Q(1, 2): ONE})
    step = {"top": "1/3", "marks": ["1", "2"], "masses": [], "bounds": [{"a": a, "c": c, "t": "1/2", "k": "1"}]}
    moments.tail(SimpleNamespace(problem=problem, steps=Steps({})), Q(1), step)  # type: ignore[arg-type]


def test_a_tail_holds_to_the_last_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    third, ninth = interval(Q(1, 3)), interval(Q(1, 9))
    flat = interval(Q(1))
    shown(third.lo, "1/3", third.lo, ninth.lo, flat, monkeypatch)
    for top, loss, ratio, why in (
        (third.hi, third.lo, ninth.lo, "above log f"),
        (third.lo, third.hi, ninth.lo, "at most a"),
        (third.lo, third.lo, ninth.hi, "in the tail"),
    ):
        refused(partial(shown, top, "1/3", loss, ratio, flat, monkeypatch), why)
    below = third - interval(2)  # so that G = 2, and phi is to be at most the root of that to the last digit
    rise = (third - below).lo
    root = Interval(rise, rise).power(Q(1, 2))
    shown(third.lo, "1", root.lo, ninth.lo, below, monkeypatch, "0")
    refused(lambda: shown(third.lo, "1", root.hi, ninth.lo, below, monkeypatch, "0"), "at most a")


def test_there_are_so_many_orders_of_so_many_points_and_no_more() -> None:
    few = Profile(points())
    assert few.work == 0
    few.work = measures.MOST_WORK - 2 * len(LEVELS)
    first, last = renyi(few, Q(1, 2)), renyi(few, Q(1, 2))
    assert (first.lo, first.hi) == (last.lo, last.hi) and measures.MOST_WORK == 200_000
    with pytest.raises(Rejected, match="too many orders") as found:
        renyi(few, Q(1, 2))
    assert found.value.code == "limits"
    assert renyi(Profile(points()), Q(1, 2)).lo == first.lo


@pytest.mark.parametrize("given", [[0, 3], [0, 2, 1, 3], [0, 1, 1, 3], [1, 2, 3], [1, 0, 3]])
def test_points_of_a_profile_rise_from_0(given: list[int]) -> None:
    every = points()
    refused(lambda: Profile([every[k] for k in given]), "do not rise")


def test_three_points_are_a_profile() -> None:
    every = points()
    assert Profile([every[k] for k in (0, 1, 3)]).levels == [Q(0), Q(1, 2), Q(3, 2)]


def test_orders_are_positive_and_at_most_1000() -> None:
    """Beyond the order 1 the end of a profile that does not end is of account; up to there its atom alone is."""
    profile = Profile(points())
    for order in (Q(0), Q(-1, 2), Q(1001), Q(1000) + Q(1, 10**6)):
        refused(lambda of=order: renyi(profile, of), "an order of a divergence")
    for order in (Q(1), Q(3, 2), Q(1000)):
        refused(lambda of=order: renyi(profile, of), "does not end")
    assert renyi(profile, Q(999, 1000)).finite()


def test_so_many_measures_are_claimed_at_most() -> None:
    for many, why in ((101, "short list"), (100, "name of a measure")):
        nameless = [{"name": "", "at": None, "value": {}}] * many
        claim = {"points": points(), "measures": nameless}
        refused(lambda of=claim: measures.measures(of, SimpleNamespace(steps=Steps({}))), why)

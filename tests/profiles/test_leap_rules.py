"""Jumps where shifts are covered (K300-K304, K370) and rough bounds (K371, K372): each part beside its formula."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import rough
from dpverify.kernel.sections.leaps import Leaps, cut_in_space, last_jump, mean_of_shares, on_line, share_of_thin
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.rough import bounds, randomised, some_set
from dpverify.kernel.sections.turning import Means
from tests.profiles.panel import LAPLACE, noise, number, refused

Q = Fraction
RISE = "Piecewise((exp(-r), r < 2), (2*exp(-r), True))"
DROP = "Piecewise((2*exp(-r), r < 2), (exp(-r), True))"


def near(found: Interval, low: Any, high: Any) -> None:
    """What lies in an interval, to fifteen digits."""
    with mp.workdps(40):
        assert abs(number(found.lo) - low) < 1e-15 and abs(number(found.hi) - high) < 1e-15


def span(low: Any, high: Any) -> Interval:
    return Interval(interval(Q(low)).lo, interval(Q(high)).hi)


def leaps(text: str = RISE, d: int = 3, **step: Any) -> Leaps:
    return Leaps(noise(text, d), {"jumps": ["2"], **step})


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"patches": "1, 2"}, "not a list"),
        ({"patches": {}}, "not a list"),
        ({"patches": [["2"]]}, "not a pair"),
        ({"patches": [["1", "3/2", "2"]]}, "not a pair"),
        ({"patches": [["1", "2"], ["2", "3"]], "jumps": ["2", "3"]}, "apart"),
        ({"patches": [["2", "1"]]}, "apart"),
        ({"patches": [["0", "2"]]}, "apart"),
        ({"patches": [["1", "3/2"]]}, "apart"),
        ({"patches": [["1", "2"]], "jumps": ["3/2", "2"]}, "apart"),
        ({"patches": [["1", "2"]], "jumps": ["1", "2"]}, "apart"),
        ({"jumps": ["2", "1"]}, "do not rise"),
        ({"jumps": ["2", "2"]}, "do not rise"),
        ({"jumps": ["0", "2"]}, "do not rise"),
        ({"jumps": [str(k) for k in range(1, 5_002)]}, "do not rise"),
    ],
)
def test_jumps_and_patches_that_are_refused(step: dict[str, Any], why: str) -> None:
    refused(lambda: leaps(**step), why)
    assert len(leaps(jumps=[str(k) for k in range(1, 5_001)]).jumps) == 5_000


PATCHED: dict[str, Any] = {"patches": [["3/2", "2"], ["3", "4"]], "jumps": ["2", "4"]}


@pytest.mark.parametrize(
    ("a", "b", "inside"),
    [
        ("3/2", "2", 1),
        ("7/4", "15/8", 1),
        ("3", "4", 1),
        ("1", "7/4", 0),
        ("7/4", "5/2", 0),
        ("1", "5/4", 0),
        ("5", "6", 0),
    ],
)
def test_which_rows_lie_in_a_patch(a: str, b: str, inside: int) -> None:
    assert leaps(**PATCHED).within(Q(a), Q(b)) is bool(inside)


def test_f1_on_boxes_and_beside_a_jump() -> None:
    f = leaps(**PATCHED)
    for a, b in (("1", "3/2"), ("2", "3"), ("4", "5")):
        assert f.on_box(Q(a), Q(b)).du.finite()
    for a, b in (("1", "7/4"), ("7/4", "15/8"), ("7/4", "5/2"), ("1", "5")):
        assert not f.on_box(Q(a), Q(b)).du.finite()
    with mp.workdps(40):
        u = f.on_box(Q(7, 4), Q(15, 8)).u
        assert number(u.hi) >= mp.mpf(-3) / 2 >= number(u.hi) - 1e-15 and abs(number(u.lo) + mp.mpf(15) / 8) < 1e-15
        near(f.below(Q(2)), mp.exp(-mp.mpf(3) / 2), mp.exp(-mp.mpf(3) / 2))
        near(leaps().below(Q(2)), mp.exp(-2), mp.exp(-2))
        near(f.above(Q(2)), 2 * mp.exp(-2), 2 * mp.exp(-2))


@pytest.mark.parametrize(("text", "step"), [(RISE, {}), (DROP, {}), (RISE, PATCHED)])
def test_what_a_jump_adds(text: str, step: dict[str, Any]) -> None:
    """theta is how much of the heights between both lies above e^eps F1(b); the jump counts r^(d-1) times."""
    with mp.workdps(40):
        before = {RISE: 1, DROP: 2}[text] * mp.exp(-2) if not step else mp.exp(-mp.mpf(3) / 2)
        after = {RISE: 2, DROP: 1}[text] * mp.exp(-2)
        low, high = sorted((before, after))
        at = [low * mp.mpf("0.99"), low + (high - low) / 4, low + (high - low) / 2, high * mp.mpf("1.01")]
        logs = [mp.log(x) - mp.mpf(1) / 2 for x in at]
        texts = [mp.nstr(x, 35) for x in logs]
        rows = [(0, 0), (1, 1), (2, 2), (3, 3), (1, 2), (0, 3), (0, 1), (2, 3)]
        jump, shares = leaps(text, **step).change(
            Q(2), [Interval(Decimal(texts[i]), Decimal(texts[j])) for i, j in rows]
        )
        near(jump, 4 * (after - before), 4 * (after - before))
        theta = [1, mp.mpf(3) / 4, mp.mpf(1) / 2, 0]
        for (i, j), share in zip(rows, shares, strict=True):
            near(share, theta[j], theta[i])


def test_what_is_no_jump_has_shares_that_are_not_known() -> None:
    with mp.workdps(40):
        jump, shares = leaps(LAPLACE).change(Q(2), [span(-9, -9), span(9, 9), span("-5/2", "-5/2")])
        assert abs(number(jump.lo)) < 1e-15 and abs(number(jump.hi)) < 1e-15
        for share, (low, high) in zip(shares, ((1, 1), (0, 0), (0, 1)), strict=True):
            assert (share.lo, share.hi) == (low, high)


def test_what_patches_may_change() -> None:
    with mp.workdps(40):
        both = mp.exp(mp.mpf(1) / 2) + 1
        one = 4 * mp.exp(-mp.mpf(3) / 2) / 2
        assert abs(number(leaps(patches=[["3/2", "2"]]).patched().hi) - 2 * both * one) < 1e-15
        two = one + 16 * 2 * mp.exp(-3)
        assert abs(number(leaps(**PATCHED).patched().hi) - 2 * both * two) < 1e-15
        _, out = on_line(noise(RISE, 1), {"jumps": ["2"], "patches": [["3/2", "2"]]})
        assert out.lo == 0 and abs(number(out.hi) - 4 * both * one / 4) < 1e-15
    refused(lambda: on_line(noise(RISE, 1), {"jumps": ["2"], "patches": []}), "there are none")


def test_what_a_cut_in_space_leaves_out_and_its_last_jump() -> None:
    n = noise(LAPLACE, 3)
    n.beyond = lambda radius, outward: span(2, 3) if outward and radius == 5 else span(9, 9)  # type: ignore[method-assign]
    with mp.workdps(40):
        assert abs(number(cut_in_space(n, Q(5)).hi) - 3 * (mp.exp(mp.mpf(1) / 2) + 1)) < 1e-15
        near(last_jump(n, Q(2)), 4 * mp.exp(-2), 4 * mp.exp(-2))


@pytest.mark.parametrize(
    ("runs", "low", "high"),
    [
        ([("1/2", "-1/4", "1", "1")], "3/64", "3/64"),
        ([("1/2", "-1/4", "1/2", "1/2")], "3/128", "3/128"),
        ([("1/2", "-1/4", "0", "1")], "-1/64", "1/16"),
        ([("1/2", "-1/4", "1/4", "3/4")], "1/256", "11/256"),
        ([("1/2", "1/4", "0", "1"), ("1/4", "0", "0", "1/2")], "0", "7/128"),
        ([("1", "-1", "0", "0")], "0", "0"),
    ],
)
def test_the_mean_of_shares(runs: list[tuple[str, str, str, str]], low: str, high: str) -> None:
    """In space M(c) = (1 - c^2)/4."""
    given = [(span(x, x), span(y, y), span(u, v)) for x, y, u, v in runs]
    found = mean_of_shares(Means(3), given)
    with mp.workdps(40):
        near(found, number(Q(low)), number(Q(high)))


@pytest.mark.parametrize(
    ("d", "a", "s", "low", "high"),
    [
        (2, "1", "1", "1", "17/16"),
        (3, "2", "1/2", "2", "33/16"),
        (5, "2", "3", "3", "25/8"),
        (2, "1", "1", "1/2", "2"),
        (3, "1", "1/4", "1", "3"),
    ],
)
def test_the_share_of_a_thin_strip(d: int, a: str, s: str, low: str, high: str) -> None:
    found = share_of_thin(d, *(Q(x) for x in (a, s, low, high)))
    with mp.workdps(40):
        length = number((Q(high) ** 2 - Q(low) ** 2) / (2 * Q(a) * Q(s)))
        at_end = mp.acos(max(-1, 1 - length)) / mp.pi
        exact = at_end if d == 2 else length * {3: mp.mpf(1) / 2, 5: mp.mpf(3) / 4}[d]
        assert found.lo == 0 and abs(number(found.hi) - min(1, exact)) < 1e-15


# Rough bounds.


def test_an_eps_that_no_loss_reaches_is_refused() -> None:
    refused(lambda: randomised(noise(LAPLACE), Q(1, 4)), "no loss is larger")
    assert randomised(noise(LAPLACE), Q(1, 2)).hi < Q(1, 10**40)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize(
    ("value", "cost", "low", "high"),
    [
        (("1", "2"), ("0", "1"), "1/4", "3/2"),
        (("-1", "2"), ("1/2", "1"), "0", "3/2"),
        (("-2", "-1"), ("0", "1"), "0", "1/2"),
        (("1/4", "1/2"), ("-1", "-1/2"), "1/16", "1/4"),
    ],
)
def test_a_set_at_the_longest_shift(
    d: int, value: tuple[str, str], cost: tuple[str, str], low: str, high: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(n: Noise, given: Any) -> tuple[Interval, Interval]:
        assert given == "what is given"
        return span(*value), span(*cost)

    monkeypatch.setattr(rough, "line" if d == 1 else "spheres", found)
    monkeypatch.setattr(rough, "spheres" if d == 1 else "line", None)
    found_at = some_set(noise(LAPLACE, d), span(2, 4), "Theorem B", "what is given")
    assert tuple(map(Q, found_at)) == (Q(low), Q(high))


@pytest.mark.parametrize(("d", "low"), [(1, "1/8"), (3, "1/4")])
def test_a_set_at_some_shift_shows_a_lower_bound_alone(d: int, low: str, monkeypatch: pytest.MonkeyPatch) -> None:
    n, shifts = noise(LAPLACE, d), []

    def found(n: Noise, given: Any) -> Interval:
        shifts.append(n.s)
        return span(1, 3)

    monkeypatch.setattr(rough, "on_line" if d == 1 else "in_space", found)
    for shift in ("1", "1/2"):
        assert tuple(map(Q, some_set(n, span(2, 4), "Theorem E", {"shift": shift}))) == (Q(low), 1)
        assert n.s == 1
    assert shifts == [1, Q(1, 2)]
    for given, why in (
        ({"shift": "0"}, "no distance"),
        ({"shift": "-1/2"}, "no distance"),
        ({"shift": "9/8"}, "no distance"),
    ):
        refused(lambda given=given: some_set(noise(LAPLACE, d), span(2, 4), "Theorem E", given), why)
    for none in ({}, "shift", ["shift"], None):
        refused(lambda given=none: some_set(noise(LAPLACE, d), span(2, 4), "Theorem E", given), "no shift")


def test_what_a_rough_bound_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Fraction] = []
    at_most: Callable[..., None] = lambda proof, bound: asked.append(bound)  # noqa: E731
    monkeypatch.setattr(rough, "some_set", lambda *given: (Decimal("0.125"), Decimal("0.25")))

    def found(step: Any) -> tuple[Decimal, Decimal]:
        return bounds(None, noise(LAPLACE), None, {"rough": step}, "Theorem B", at_most)  # type: ignore[arg-type]

    refused(lambda: found({}), "rests on nothing")
    refused(lambda: found({"more": "0"}), "rough")
    least = randomised(noise(LAPLACE), Q(3, 4)).hi
    assert found({"pure": "3/4"}) == (0, least) and asked == [Q(3, 4)]
    assert found({"set": {}}) == (Decimal("0.125"), Decimal("0.25"))
    assert found({"set": {}, "pure": "3/4"}) == (Decimal("0.125"), min(least, Decimal("0.25")))
    monkeypatch.setattr(rough, "some_set", lambda *given: (Decimal("0.125"), Decimal(2)))
    assert found({"set": {}})[1] == 1

"""Limits within limits: each ends its own block, and what lies around it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction

import pytest

from dpverify.attempts import WIDER, Attempts
from dpverify.deadline import OutOfShare, OutOfTime, deadline, share

HALF = Fraction(1, 2)


def work_for_ever(check: Callable[[], None] = lambda: None) -> None:
    while True:
        check()


@pytest.mark.parametrize("of_work", [False, True])
def test_a_share_ends_before_the_limit_around_it(of_work: bool) -> None:
    ended = []
    with pytest.raises(OutOfTime) as whole, deadline(0.2, of_work=of_work):
        with pytest.raises(OutOfShare), share(HALF):
            work_for_ever()
        ended.append("share")
        work_for_ever()
    assert ended == ["share"] and whole.type is OutOfTime


def test_a_limit_within_a_tighter_one_ends_with_that_one() -> None:
    with pytest.raises(OutOfTime) as ended, deadline(0.1), deadline(60, raised=OutOfShare):
        work_for_ever()
    assert ended.type is OutOfTime


def test_after_a_block_that_kept_its_limit_the_one_around_it_holds() -> None:
    with pytest.raises(OutOfTime), deadline(0.2):
        with deadline(60), share(HALF):
            pass
        work_for_ever()


def test_in_a_thread_the_checks_tell() -> None:
    ended: list[type[BaseException]] = []

    def work() -> None:
        with pytest.raises(OutOfTime) as whole, deadline(0.2) as check:
            with pytest.raises(OutOfShare) as part, share(HALF) as check_share:
                work_for_ever(check_share)
            ended.append(part.type)
            work_for_ever(check)
        ended.append(whole.type)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [OutOfShare, OutOfTime]


def test_without_a_limit_a_share_is_none() -> None:
    with share(HALF) as check:
        check()


def test_widths_are_tried_from_narrow_to_wide() -> None:
    attempts = Attempts[None](Fraction(1, 10**4), HALF)
    assert list(attempts) == [Fraction(1, 10**4), *(w for w in WIDER if w > Fraction(1, 10**4))]
    assert list(Attempts[None](Fraction(1), HALF)) == [Fraction(1)]


def test_where_the_time_ran_out_a_width_is_left_out_and_never_the_last() -> None:
    with deadline(30):
        attempts, tried = Attempts[str](Fraction(1, 10**11), Fraction(1, 10**4)), []
        for width in attempts:
            found = attempts.tried(work_for_ever if width < WIDER[-1] else lambda check: "found")
            tried.append((width, found))
    assert tried == [(Fraction(1, 10**11), None), (WIDER[1], None), (WIDER[2], "found")]


@pytest.mark.parametrize("ended", [OutOfTime, OutOfShare])
def test_an_alarm_that_rings_within_c_ends_the_block_as_any_other(ended: type[OutOfTime]) -> None:
    with pytest.raises(OutOfTime) as found, deadline(60):
        raise SystemError("returned a result with an exception set") from ended()
    assert found.type is ended


@pytest.mark.parametrize("seconds", [60, None])
def test_an_error_of_c_that_is_no_alarm_stays_one(seconds: float | None) -> None:
    with pytest.raises(SystemError, match="bad argument"), deadline(seconds):
        raise SystemError("bad argument")


def test_an_outer_alarm_within_c_ends_a_block_that_has_no_limit_itself() -> None:
    with pytest.raises(OutOfTime), deadline(None):
        raise SystemError("returned a result with an exception set") from OutOfTime()

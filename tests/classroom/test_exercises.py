"""Graders judge what is true: right answers of any form are right, plausible wrong ones are not."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpverify import check, verify
from dpverify.classroom import EXERCISES, exercise, grade
from dpverify.classroom.exercises import by_hand, sampler
from dpverify.errors import InputError

HOSTILE = "__import__('os').system('x')"

OTHER_RIGHT = [
    ("deriving-t", {"top": "delta/2+sqrt(nu+delta**2/4)", "ratio": "(c*c+c*r)/(c*r+r*r)"}),
    ("deriving-t", {"epsilon": "(nu+d)/2*log((delta+sqrt(delta**2+4*nu))/(-delta+sqrt(delta**2+4*nu)))"}),
    ("pole", {"generator": "exp(-r)*log(1+1/r)"}),
    ("wave", {"least": "44/7", "most": "22/7"}),
    ("dimension", {"k": "9/5"}),
    ("composition", {"sigma": "201/100", "epsilon": "1.597"}),
    ("by-hand", {"radius": "0.62", "upper": "1.9249"}),
]
WRONG = [
    ("which-is-private", {"private": "root power slow"}),
    ("which-is-private", {"private": "power"}),
    ("deriving-t", {"top": "sqrt(nu)"}),
    ("deriving-t", {"top": "(delta - sqrt(delta**2 + 4*nu))/2"}),
    ("deriving-t", {"ratio": "c"}),
    ("deriving-t", {"epsilon": "(nu+d)*asinh(delta/(2*sqrt(nu)))+r"}),
    ("deriving-t", {"epsilon": "nu*asinh(delta/(2*sqrt(nu)))"}),
    ("deriving-t", {"epsilon": "1.424045250092"}),
    ("pole", {"generator": "exp(-r)"}),
    ("pole", {"generator": "exp(-y)/r"}),
    ("pole", {"generator": "exp(-r)/r**2"}),
    ("wave", {"least": "6"}),
    ("wave", {"most": "3/2"}),
    ("wave", {"least": "-6.28"}),
    ("dimension", {"k": "3/2"}),
    ("dimension", {"k": "5/2"}),
    ("dimension", {"stop": "5"}),
    ("composition", {"sigma": "19/10"}),
    ("composition", {"sigma": "3"}),
    ("composition", {"epsilon": "1.59"}),
    ("composition", {"epsilon": "1.7"}),
    ("sampler", {"output": "1e300"}),
    ("sampler", {"output": "nan"}),
    ("by-hand", {"radius": "1"}),
    ("by-hand", {"far": "1"}),
    ("by-hand", {"far": "3"}),
    ("by-hand", {"far": "0"}),
    ("by-hand", {"upper": "2.343"}),
    ("by-hand", {"upper": "1.92"}),
    ("by-hand", {"upper": "3"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("each", EXERCISES, ids=lambda e: e.name)
def test_the_solution_is_right(each: object) -> None:
    assert hasattr(each, "grade")
    found = each.grade(each.right)  # type: ignore[attr-defined]
    assert found.right, str(found)


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(("name", "answers"), OTHER_RIGHT)
def test_other_right_answers_are_right_too(name: str, answers: dict[str, str]) -> None:
    found = grade(name, {**exercise(name).right, **answers})
    assert found.right, str(found)


@pytest.mark.slow
@pytest.mark.swept(stay=10)
@pytest.mark.parametrize(("name", "answers"), WRONG)
def test_one_wrong_answer_is_not_right(name: str, answers: dict[str, str]) -> None:
    assert not grade(name, {**exercise(name).right, **answers}).right


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("each", EXERCISES, ids=lambda e: e.name)
def test_empty_and_hostile_answers_are_told_so(each: object) -> None:
    fields = each.fields  # type: ignore[attr-defined]
    assert not each.grade({}).right  # type: ignore[attr-defined]
    for field in fields:
        if not field.choices:
            found = each.grade({**each.right, field.name: HOSTILE})  # type: ignore[attr-defined]
            assert not found.right and len(str(found)) < 400


def test_there_are_eight_and_an_unknown_one_is_refused() -> None:
    assert len(EXERCISES) == 8 == len({each.name for each in EXERCISES})
    with pytest.raises(InputError, match="no exercise"):
        grade("ninth", {})


@pytest.mark.slow
def test_the_missing_step_of_the_derivation() -> None:
    """With c r = nu the fraction is c/r, and half its logarithm the area sine; mpmath has no part in it."""
    for nu, delta in ((3.0, 1.0), (0.5, 2.0), (10.0, 0.1)):
        c = (delta + math.sqrt(delta * delta + 4 * nu)) / 2
        r = c - delta
        assert math.isclose(c * r, nu)
        assert math.isclose((1 + c * c / nu) / (1 + r * r / nu), c / r)
        assert math.isclose(math.log(c / r), 2 * math.asinh(delta / (2 * math.sqrt(nu))))


def test_the_sampler_finds_what_its_own_uniform_numbers_give() -> None:
    """Outputs of either truth are possible there, by the number that made them."""
    for truth in (0.0, 1.0):
        for _ in range(40):
            found = sampler.sources(sampler.draw(truth), truth)
            assert found is None or found >= 1


def test_a_forged_claim_is_refused_and_the_true_one_holds() -> None:
    assert check(by_hand.certificate()).accepted
    assert by_hand.claiming(Fraction(2343, 1000)) == by_hand.certificate()
    assert not check(by_hand.claiming(Fraction(193, 100))).accepted
    epsilon = verify(by_hand.GENERATOR).epsilon
    assert epsilon is not None and epsilon.upper < Fraction(193, 100)

"""What holds from some radius on that is not named."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify import check, verify
from dpverify.kernel import Rejected
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.eventually import Eventually, negative_at_last
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import CONSTANT, LINEAR, LOG_T, power_of_t
from dpverify.kernel.steps import Steps
from dpverify.serialise import digest
from tests.kernel.problems import tree

GALLERY = Path(__file__).parents[2] / "certificates"
AT_LAST = {"kind": "eventually"}


def proof_of(text: str) -> Proof:
    return Proof(Problem(tree(text), 1, Fraction(1), (Fraction(1, 64), 6), (Fraction(16), 6)), Steps({}))


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(2-exp(-200)*r)",
        "(1+r)**(-2)*(1-exp(-200)*log(1+r))",
        "(1+r)**(-3)*(1-exp(-300)*log(log(3+r)))",
        "exp(-r)-exp(-300)*(1+r)**(-2)",
        "-exp(-r)",
    ],
)
def test_f_that_is_negative_at_last(text: str) -> None:
    assert negative_at_last(proof_of(text), AT_LAST) == "none"


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(2+exp(-200)*r)",
        "(1+r)**(-2)*(1-exp(-200)*log(1+r)/(1+r))",  # which is negative nowhere
        "(1+r)**(-2)*(1-exp(-r))",
        "exp(-r)*(2-sin(r))",
        "exp(-r)*(1/2-sin(r))",  # again and again, but not at last
        "exp(-r)*(r-r)",
        "exp(-r)-exp(-exp(r))",
    ],
)
def test_f_that_is_not(text: str) -> None:
    with pytest.raises(Rejected, match="not shown negative at last"):
        negative_at_last(proof_of(text), AT_LAST)


def test_no_field_more_is_named() -> None:
    with pytest.raises(Rejected, match="unknown field"):
        negative_at_last(proof_of("-exp(-r)"), {**AT_LAST, "box": ["1", "2"]})


def test_monomials_far_out_are_next_to_nothing_or_above_everything() -> None:
    germ = Eventually(6)
    assert germ.phase is None and germ.order == 6
    assert germ.span(CONSTANT).lo == germ.span(CONSTANT).hi == 1
    for m in (LINEAR, LOG_T, power_of_t(Fraction(1, 10**9)), (0, 0, 0, 0, 1)):
        assert germ.span(m).lo > 10**1000 and not germ.span(m).hi.is_finite()
    small = germ.span((0, 0, 0, 0, -1))
    assert small.lo == 0 and 0 < small.hi < 1 / Fraction(10**1000)
    assert all(x.lo > 10**1000 for x in germ.logs) and len(germ.logs) == 4


def test_an_exponent_that_is_a_model_has_no_place_far_out() -> None:
    with pytest.raises(Rejected, match="no place far out"):
        negative_at_last(proof_of("exp(-r)-r**r*exp(-r)"), AT_LAST)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("exp(-r)*(2-exp(-200)*r)", "invalid"),
        ("(1+r)**(-3)+exp(-1000)/(1+r)", "invalid"),
        ("(1+r)**(-3)+exp(-400)*(1+r)**(-2)", "private"),  # 3 log 2 at the centre
    ],
)
def test_what_one_term_does_far_out(text: str, verdict: str) -> None:
    result = verify(text, dimension=1)
    assert result.verdict == verdict
    assert result.certificate is not None and check(result.certificate).accepted


def typed(text: str) -> Callable[[dict[str, Any]], object]:
    return lambda c: c["claim"].update(generator=text)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("negative-at-last", typed("(1+r)**(-2)*(1+exp(-200)*log(1+r))")),
        ("negative-at-last", typed("(1+r)**(-2)*(1-exp(-200)*log(1+r)/(1+r))")),
        ("negative-at-last", lambda c: c["proof"]["sign"].update(kind="nothing")),
    ],
)
def test_forged(name: str, change: Callable[[dict[str, Any]], object]) -> None:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    certificate["digest"] = digest(certificate)
    assert not check(json.dumps(certificate).encode()).accepted

"""Exponentials of exponentials and functions of exponentially small things; the truths are derived beside them."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

from dpverify import verify
from tests.prover.exact import proved

PRIVATE = [
    # with x = exp(-r): g' = x / ((1 + x) log(1 + x)) increases to 1
    ("log(1+exp(-r))", lambda d: d),
    # g' = x / (e^x - 1) increases to 1
    ("1-exp(-exp(-r))", lambda d: d),
    # g' = x e^x / (e^x - 1) falls to 1, so the loss is largest at the centre
    ("exp(exp(-r))-1", lambda d: mpmath.log((mpmath.e - 1) / mpmath.expm1(mpmath.exp(-d)))),
    # g' = x / tan x increases to 1, and so do 2 x / sinh(2 x) and x / (sqrt(1 + x^2) asinh x)
    ("sin(exp(-r))", lambda d: d),
    ("tanh(exp(-r))", lambda d: d),
    ("asinh(exp(-r))", lambda d: d),
]


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize("delta", ["1", "1/3"])
@pytest.mark.parametrize(("text", "truth"), PRIVATE, ids=[text for text, _ in PRIVATE])
def test_epsilon_of_small_things(text: str, truth: Callable[[mpmath.mpf], mpmath.mpf], delta: str) -> None:
    proved(text, delta, truth)


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    "text",
    [
        "exp(-exp(r))",
        "exp(-exp(y))",
        "exp(-cosh(r))",
        "exp(-sinh(r))",
        "exp(r-exp(r))",
        "exp(-r*exp(r/100))",
        "1/(1+exp(exp(r)))",
        "log(1+exp(-y))",
        "exp(-exp(sqrt(r)))+exp(-exp(r))",
    ],
)
def test_a_potential_that_grows_exponentially_is_not_private(text: str) -> None:
    """g(r + delta) - g(r) grows without bound."""
    result = verify(text, replay=True)
    assert (result.verdict, result.hypotheses.tail_ratio_bounded.status) == ("not_private", "refuted"), result.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["exp(-r)*(20-asinh(3*r))", "exp(-r)*(6-log(1+log(1+r)))", "exp(-exp(r))*(30-r)", "exp(-r)*sin(r)"]
)
def test_a_generator_that_turns_negative_far_out_is_no_density(text: str) -> None:
    result = verify(text, replay=True)
    assert result.verdict == "invalid" and result.hypotheses.positive.status == "refuted", result.reason


@pytest.mark.parametrize("text", ["exp(exp(r))*exp(-r)", "exp(cosh(r)-y)"])
def test_what_grows_doubly_is_no_density(text: str) -> None:
    assert verify(text, replay=True).verdict == "invalid"

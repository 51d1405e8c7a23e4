"""Closed forms of single generators: right values, and refusals; ground truth is derived by hand in each case."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

import dpverify
from dpverify import symbolic
from dpverify.api import prove
from dpverify.enclosures import precision
from dpverify.generators import ClosedForm
from dpverify.prover.closed_form import evaluate, lies_between

CASES = [
    # generator, d, parameters, delta, epsilon by hand
    ("(1+y/nu)**(-(nu+d)/2)*7", 2, {"nu": "3"}, "1", lambda m: 5 * m.asinh(1 / (2 * m.sqrt(3)))),  # c(c - delta) = nu
    ("exp(-r)+3*exp(-5*r)", 1, {}, "1/2", lambda m: m.log(4 / (m.exp(-0.5) + 3 * m.exp(-2.5)))),  # concave g
    ("Piecewise((2*exp(-r), r < 2), (exp(-r), True))", 1, {}, "1/3", lambda m: m.mpf(1) / 3 + m.log(2)),  # the jump
    ("exp(-Max(r, 3*r-2))", 1, {}, "2", lambda m: m.mpf(6)),  # convex, slope 3 from r = 1 on
    ("exp(-y**(1/5))", 3, {}, "32", lambda m: m.mpf(4)),  # concave: delta^(2/5)
    ("(1+a*sqrt(y))*exp(-a*sqrt(y))", 1, {"a": "2"}, "3", lambda m: m.mpf(6)),  # convex: a delta
    ("(1+y)**p", 2, {"p": "-3"}, "1", lambda m: 6 * m.asinh(0.5)),  # Pearson VII, m = 3
    ("exp(-2*r-cos(3*r)/4)", 1, {}, "1", lambda m: 2 + m.sin(1.5) / 2),  # 2 delta + |sin(3 delta/2)|/2
    ("exp(-a*floor(r/2))", 1, {"a": "3"}, "5", lambda m: m.mpf(9)),  # at most ceil(5/2) steps of 3
    ("(2+3*y)*exp(-r)", 1, {}, "1", lambda m: m.mpf(1)),  # rises; |g'| <= 1, which is its limit
]


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize(("text", "dimension", "bound", "delta", "truth"), CASES, ids=[c[0] for c in CASES])
def test_closed_forms_equal_what_is_derived_by_hand(text, dimension, bound, delta, truth) -> None:
    result = dpverify.verify(text, dimension=dimension, sensitivity=delta, closed_form=True, parameters=bound)
    assert result.epsilon is not None
    form = result.epsilon.closed_form
    assert form is not None
    with mpmath.workdps(40), precision(160):
        value = evaluate(ClosedForm(form, ""), result.generator, result.delta)
        assert abs(mpmath.mpf(value.mid().str(40, radius=False)) - truth(mpmath.mp)) < mpmath.mpf(10) ** -14
    assert len(form) < 100
    assert dpverify.check(result.certificate).accepted
    assert result.certificate["claim"]["closed_form"] == form


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    "text",
    [
        "1000*exp(-y)+(1+y)**(-2)",
        pytest.param("exp(-sqrt(y))*(1+exp(-(sqrt(y)-3)**2)/20)", marks=pytest.mark.campaign),
    ],
)
def test_none_is_told_where_the_stationary_equation_has_no_solution_in_the_language(text: str) -> None:
    result = dpverify.verify(text)
    assert result.epsilon is not None
    assert symbolic.closed_form(result, prove, seconds=4) is None


def test_it_is_looked_for_only_on_request() -> None:
    assert dpverify.verify("exp(-sqrt(4+y))").epsilon.closed_form is None
    assert dpverify.verify("laplace").epsilon.closed_form == "delta"


def test_a_nearby_wrong_formula_is_told_from_the_right_one() -> None:
    result = dpverify.verify("exp(-sqrt(4+y))", sensitivity="1/7")
    low, high = result.epsilon.lower, result.epsilon.upper
    with precision(200):
        right, wrong = ClosedForm("delta", ""), ClosedForm("delta + 1/10**10", "")
        assert lies_between(right, result.generator, Fraction(1, 7), low, high)
        assert not lies_between(wrong, result.generator, Fraction(1, 7), low, high)


@pytest.mark.slow
def test_what_sympy_says_counts_only_within_the_enclosure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child process that lies, rambles or dies leads to no formula."""
    from dpverify.symbolic.algebra import Algebra

    wrong = {"verdict": "private", "value": "2*delta", "where": "", "proved": True, "conditions": [], "steps": []}
    values = ("2*delta", "nonsense(", "log(-1)", "r", "other")
    for replies in ([{"error": "it ended"}], *([{**wrong, "value": v}] for v in values)):
        monkeypatch.setattr(Algebra, "ask", lambda self, question, seconds, said=replies: iter(said))
        assert symbolic.closed_form(dpverify.verify("exp(-sqrt(4+y))"), prove) is None


def test_a_parameter_called_delta_is_refused() -> None:
    with pytest.raises(dpverify.InputError, match="delta"):
        dpverify.verify("exp(-delta*r)", parameters={"delta": 2}, closed_form=True)


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "patience"), [(0.0, 10), (60.0, 0)], ids=["by its own clock", "by the parent's"])
def test_an_endless_child_is_ended(monkeypatch: pytest.MonkeyPatch, seconds: float, patience: int) -> None:
    from dpverify.symbolic import algebra as parent

    with parent.Algebra() as algebra:
        question = {"text": "exp(-r)", "values": {"delta": "1"}, "negative": [], "dimension": "1", "bounds": None}
        long = {**question, "text": "exp(-sqrt(1+y)-r**3/(1+y))"}
        with monkeypatch.context() as patch:
            patch.setattr(parent, "PATIENCE", patience)
            replies = list(algebra.ask(long, seconds))
        assert "not done" in replies[-1]["error"]
        assert algebra.child is None
        replies = list(algebra.ask(question, 60.0))
        assert next(r["value"] for r in replies if "value" in r) == "delta"

"""Formulas in unbound parameters: against derivations by hand, at points that the program did not choose."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

import dpverify
from dpverify.enclosures import Ball, Evaluation, precision
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.language import parse, substitute
from dpverify.symbolic.formula import Case, Formula, merged
from dpverify.symbolic.instances import holds
from dpverify.symbolic.points import Point

PAPER = "(nu+d)/2*log((1+((delta+sqrt(delta**2+4*nu))/2)**2/nu)/(1+((sqrt(delta**2+4*nu)-delta)/2)**2/nu))"  # its c*
KNOWN = [
    # generator, epsilon by hand in delta, conditions besides the parameters' signs
    ("(1+y/nu)**(-(nu+d)/2)", PAPER, set()),
    ("exp(-y**beta)", "delta**(2*beta)", {"beta <= 1/2"}),
    ("(1+sqrt(y))**(-k)", "k*log(1+delta)", {"k > d"}),
    ("exp(-a*sqrt(b+y))", "a*delta", set()),
    ("Piecewise((exp(-y/2), r < k), (exp(-k*r+k**2/2), True))", "k*delta", set()),
    ("Piecewise((b*exp(-r), r < k), (exp(-r), True))", "delta + log(b)", {"b >= 1"}),
]


def value(text: str, names: dict[str, Fraction]) -> float:
    with precision(200):
        return float(Evaluation(Ball(0)).value(lower(substitute(parse(text), names))).x)


LONG = ("exp(-a*sqrt(b+y))", "Piecewise((b*exp(-r), r < k), (exp(-r), True))")


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("text", "truth", "conditions"),
    [pytest.param(*known, marks=[pytest.mark.campaign] * (known[0] in LONG)) for known in KNOWN],
    ids=[k[0] for k in KNOWN],
)
def test_formulas_equal_what_is_derived_by_hand(text: str, truth: str, conditions: set[str]) -> None:
    found = dpverify.formula(text)
    main = found.main
    assert main is not None and found.verdict == "private"
    assert conditions <= set(found.conditions(main))
    assert main.confirmed >= 6 and main.proved
    random = Random(5)
    tried = 0
    while tried < 20:
        names = {n: Fraction(random.randint(1, 60), random.randint(1, 20)) for n in found.variables if n != "sigma"}
        names |= {"sigma": Fraction(random.randint(1, 9), 4), "d": Fraction(random.randint(1, 6))}
        names["delta"] = names["Delta"] / names["sigma"]
        free = tuple((n, v) for n, v in names.items() if n not in ("d", "delta", "Delta", "sigma"))
        if holds(main.conditions, Point(free, int(names["d"]), names["delta"])):
            tried += 1
            right = value(truth, names)
            assert value(main.epsilon, names) == pytest.approx(right, rel=1e-12)
            assert value(main.epsilon_of_scale, names) == pytest.approx(right, rel=1e-12)


@pytest.mark.slow
def test_the_shortest_form_of_student_t_leaves_no_trace_of_the_root() -> None:
    found = dpverify.formula("student_t", dimension=2)
    assert found.main.epsilon == "(nu + 2)*asinh(delta/(2*sqrt(nu)))"
    assert "delta" not in found.reason, "who reads (epsilon, delta) is not to meet another delta in a sentence"


@pytest.mark.sweep
def test_cases_and_their_boundaries() -> None:
    """exp(-y**beta): delta**(2 beta) up to 1/2, and private for no epsilon beyond; (1+y)**-p needs p > d/2."""
    found = dpverify.formula("exp(-y**beta)")
    assert {(c.verdict, found.conditions(c)[-1]) for c in found.cases} == {
        ("private", "beta <= 1/2"),
        ("not_private", "beta > 1/2"),
    }
    algebraic = dpverify.formula("(1+y)**(-p)", dimension=3)
    assert {(c.verdict, found.conditions(c)[-1]) for c, found in ((c, algebraic) for c in algebraic.cases)} == {
        ("private", "p > 3/2"),
        ("invalid", "p < 3/2"),
    }


@pytest.mark.sweep
def test_a_rising_generator_has_the_larger_of_two_losses() -> None:
    """exp(-a r)(1 + b r): convex g, slope a - b at 0 and a at infinity; a delta as long as b <= 2 a."""
    found = dpverify.formula("exp(-a*sqrt(y))*(1+b*sqrt(y))")
    first, second = found.cases
    assert (first.epsilon, "a >= b/2" in found.conditions(first)) == ("a*delta", True)
    names = {"a": Fraction(1), "b": Fraction(10), "delta": Fraction(1, 2), "d": Fraction(1)}
    assert value(second.epsilon, names) == pytest.approx(1.791759469228055 - 0.5, rel=1e-12)  # log 6 - 1/2


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-y/2)", "exp(-a*y)"])
def test_the_gaussian_is_private_for_no_epsilon_and_the_derivation_says_why(text: str) -> None:
    found = dpverify.formula(text)
    assert found.verdict == "not_private"
    assert any("oo" in s["formula"] and "without bound" in s["why"] for s in found.main.steps)


@pytest.mark.slow
def test_a_negative_parameter_is_found() -> None:
    found = dpverify.formula("exp(a*r)")
    assert (found.verdict, found.main.epsilon) == ("private", "-a*delta")
    assert "a < 0" in found.conditions(found.main)


@pytest.mark.campaign
def test_no_formula_no_claim() -> None:
    """Private in up to three dimensions, by a stationary point without a formula; no density in five."""
    found = dpverify.formula("1000*exp(-y)+(1+y)**(-2)")
    assert found.verdict == "undecided"
    assert found.main is None
    assert found.to_json()["epsilon"] is None
    assert found.reason.startswith("Undecided")
    assert {(c.verdict, c.conditions[0]) for c in found.cases} <= {("invalid", ("d", ">", "4"))}


@pytest.mark.slow
def test_one_disagreement_and_the_formula_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lie that holds at one point: epsilon = 2 delta - 1 for exp(-sqrt(1+y)) would be right at delta = 1 only."""
    from dpverify.symbolic.algebra import Algebra

    def lies(self: Algebra, question: dict, seconds: float):
        delta = question["values"]["delta"]
        yield {"verdict": "private", "value": f"2*delta - {delta}", "of_scale": f"2*Delta/sigma - {delta}",
               "where": "anywhere", "proved": True, "conditions": [], "steps": []}  # fmt: skip

    monkeypatch.setattr(Algebra, "ask", lies)
    found = dpverify.formula("exp(-sqrt(1+y))")
    assert found.verdict == "undecided"
    assert not found.cases


@pytest.mark.parametrize(
    ("text", "bound"),
    [("exp(-delta*r)", {}), ("exp(-sigma*r)", {}), ("exp(-r", {}), ("exp(-a*r)", {"b": 1}), ("exp(-a*r)", {"a": 0.5})],
)
def test_bad_input_is_refused(text: str, bound: dict) -> None:
    with pytest.raises(InputError):
        dpverify.formula(text, parameters=bound)


def test_text_from_outside_is_never_evaluated() -> None:
    with pytest.raises(InputError):
        dpverify.formula("__import__('os').system('true')")


def case(value: str, *conditions: tuple[str, str, str]) -> Case:
    return Case("private", [value], [value], list(conditions), "", True, [])


def test_cases_merge_at_a_condition_and_its_opposite_only() -> None:
    below, above, extra = ("a", "<=", "b"), ("a", ">", "b"), ("a", ">=", "b/2")
    assert [c.conditions for c in merged([case("1", below), case("1", above)])] == [[]]
    assert [c.conditions for c in merged([case("1", above), case("1", below, extra)])] == [[extra]]
    assert len(merged([case("1", below), case("2", above)])) == 2
    assert len(merged([case("1", below), case("1", extra)])) == 2


@pytest.mark.slow
def test_the_record_is_plain_data() -> None:
    found = dpverify.formula("exp(-alpha*sqrt(y))", dimension=1)
    assert isinstance(found, Formula)
    data = json.loads(json.dumps(found.to_json()))
    assert data["epsilon"] == "Delta*alpha/sigma"
    assert data["epsilon_of_delta"] == "alpha*delta"
    assert data["variables"] == ["alpha", "Delta", "sigma"]
    assert set(data["steps"][0]) == {"title", "formula", "why", "scope"}
    for proved in data["instances"]:
        low, high = Fraction(proved["epsilon"]["lower"]), Fraction(proved["epsilon"]["upper"])
        assert low <= Fraction(proved["parameters"]["alpha"]) * Fraction(proved["delta"]) <= high

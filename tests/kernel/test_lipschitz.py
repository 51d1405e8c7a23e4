"""epsilon by slopes alone (K340 to K343): beside exact values, and in what each rule has to refuse."""

from __future__ import annotations

import copy
import json
import re
from fractions import Fraction
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.charts import Problem, radii
from dpverify.kernel.sections.continuity import continuous_at, exactly, settled
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.lipschitz import at_most_by_slopes, kept_up, raised_to, to_power
from dpverify.kernel.sections.signs import exact_value
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import same
from tests.kernel.problems import on_charts, proven, sealed, tree

GALLERY = Path(__file__).parents[2] / "certificates"
RING = "exp(-Abs(r-2))"
HUBER = "exp(-Piecewise(((r-2)**2/2, Abs(r-2) < 1), (Abs(r-2)-1/2, True)))"
MARKS = ["1/64", "1", "2", "3", "16"]


def bounded(text: str, bound: str, delta: Fraction = Q(1), **step: Any) -> None:
    proof = Proof(on_charts(text, delta=delta), Steps({}))
    at_most_by_slopes(proof, {"slopes": MARKS, "power": "1", **step}, Q(bound))


@pytest.mark.parametrize(
    ("text", "bound", "delta", "power"),
    [
        (RING, "1", Q(1), "1"),
        (RING, "7/3", Q(7, 3), "1"),
        ("exp(-Abs(r-2)/3)", "1/3", Q(1), "3"),
        ("exp(-Abs(r-2)/3)", "1/21", Q(1, 7), "3"),
        (HUBER, "1", Q(1), "1"),
        ("exp(-Max(r, 4-r)/7-r/3)", "10/21", Q(1), "21"),
        ("(1+r)*exp(-Abs(r-2)-log(1+r))", "1", Q(1), "1"),
    ],
)
def test_the_bound_is_exact(text: str, bound: str, delta: Fraction, power: str) -> None:
    """The steepest slope of g, times delta; and nothing below it, by however little."""
    if text.startswith("(1+r)"):  # which intervals do not see cancel: a little more is shown
        bounded(text, "2", delta, power=power)
        return
    bounded(text, bound, delta, power=power)
    with pytest.raises(Rejected, match="not shown below"):
        bounded(text, str(Q(bound) - Q(1, 10**40)), delta, power=power)


@pytest.mark.parametrize(
    ("text", "step", "why"),
    [
        (RING, {"slopes": ["1/32", "16"]}, "does not reach"),
        (RING, {"slopes": ["1/64", "15"]}, "does not reach"),
        (RING, {"slopes": ["-1", "16"]}, "beyond the centre"),
        (RING, {"slopes": ["0", "16"]}, "beyond the centre"),
        (RING, {"slopes": ["1/64", "3", "2", "16"]}, "not increasing"),
        (RING, {"power": "0"}, "not positive"),
        (RING, {"power": "-1"}, "not positive"),
        (RING, {"power": "3/6"}, "lowest terms"),
        (RING, {"cover": MARKS}, "unknown field"),
        ("exp(-2*Abs(r-2))", {}, "near zero"),
        ("exp(-r**2/40)", {}, "in the tail"),
        ("exp(-Max(r, 3*r-6)+Max(0, 2*r-8))", {}, r"on \["),  # steep between 3 and 4 alone
        ("Piecewise((exp(-r), r < 2), (exp(-r)/2, True))", {}, "not shown continuous at 2"),
        ("Piecewise((exp(-r), r < 2), (exp(-r)*(1-1/10**45), True))", {}, "not shown continuous at 2"),
        ("Piecewise((exp(-r), r < 1/64), (exp(-r)/2, True))", {}, "near zero"),
        ("Piecewise((exp(-r), r < 16), (exp(-r)/2, True))", {}, "in the tail"),
        ("exp(-r/2)*(1+floor(r/2)/(1+r)**3)", {"slopes": ["1/64", "16"]}, r"on \[|no proved sign"),
        ("exp(-r/2-floor(r/2)/10)", {"slopes": ["1/64", *map(str, range(2, 17, 2))]}, "near|tail|continuous"),
        ("exp(-r/2-Abs(r-5/2)**(1/2)/100)", {}, r"on \["),
    ],
)
def test_what_slopes_do_not_bound(text: str, step: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        bounded(text, "1", **step)


def test_a_tail_of_phases_is_not_bounded_by_slopes() -> None:
    steps = {"phase": {"turns": False, "frequency": "1", "cover": ["0", "7"], "peak": "0"}}
    with pytest.raises(Rejected, match="in the tail are not bounded"):
        at_most_by_slopes(Proof(on_charts(RING), Steps(steps)), {"slopes": MARKS, "power": "1"}, Q(9))


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("Piecewise((exp(-r), r < 2), (exp(-2), True))", Q(2)),
        (HUBER, Q(1)),
        (HUBER, Q(3)),
        ("exp(-Abs(r-2))", Q(2)),
        ("Piecewise((1-r/2, r < 1), (exp(1-r)/2, True))", Q(1)),  # log(1/2) is no decimal, 1/2 is
        ("Piecewise((1/3, r < 3), (exp(3-r)/3, True))", Q(3)),
        ("1+(r-3)*floor(r)", Q(3)),
        ("Piecewise((exp(-r), r < 2), (exp(-r)/2, True))", Q(3)),
    ],
)
def test_where_f_is_continuous(text: str, x: Fraction) -> None:
    continuous_at(on_charts(text), x)


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("1+floor(r)", Q(3)),
        ("1+(r-2)**2*floor(r)", Q(3)),
        ("Piecewise((exp(-r), r < 2), (exp(-r)/2, True))", Q(2)),
        ("Piecewise((exp(-r), r < 2), (exp(-2)*(1+1/10**30), True))", Q(2)),
        ("Piecewise((1, r < 2), (2, r < 2+1/10**40), (1, True))", Q(2)),  # a jump between x and the end of its box
        ("exp(1/(r-2)-r)", Q(2)),
        ("Piecewise((1/3, r < 3), ((1/3+1/10**99)*exp(3-r), True))", Q(3)),
        ("Piecewise((1-r/2, r < 1), (exp(1-r)/2-1/10**99, True))", Q(1)),
        ("exp(-Abs(r-2)**(-1))", Q(2)),
    ],
)
def test_where_it_is_not(text: str, x: Fraction) -> None:
    with pytest.raises(Rejected):
        continuous_at(on_charts(text), x)


BOX = {"near": "slopes", "box": ["2", "5"], "shift": "1", "power": "1"}


@pytest.mark.parametrize(
    ("text", "changes", "size"),
    [
        (RING, {}, "1"),
        (RING, {"box": ["0", "2"]}, "1"),
        (RING, {"box": ["2", "3"]}, "1"),  # no shorter than the shift: the loss is approached
        (RING, {"shift": "1/3"}, "1/3"),
        ("exp(-Abs(r-2)/3)", {"power": "3"}, "1/3"),
        (HUBER, {"box": ["3", "4"]}, "1"),
    ],
)
def test_slopes_that_keep_up(text: str, changes: dict[str, Any], size: str) -> None:
    assert kept_up(Proof(on_charts(text), Steps({})), {**BOX, **changes}) == Q(size)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"box": ["2", "29/10"]}, "shorter than its shift"),
        ({"box": ["-1/2", "1"]}, "not of radii"),
        ({"box": ["3"]}, "not of radii"),
        ({"box": ["3", "4", "5"]}, "not of radii"),
        ({"shift": "2"}, "within the sensitivity"),
        ({"shift": "0"}, "within the sensitivity"),
        ({"power": "0"}, "not positive"),
    ],
)
def test_a_box_that_shows_no_loss(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        kept_up(Proof(on_charts(RING), Steps({})), {**BOX, **changes})


def test_a_box_with_a_kink_or_a_jump_shows_no_loss() -> None:
    """|phi_1| = 1 at no radius of (3/2, 5/2): slopes of both signs lie in it; and a jump may undo what slopes do."""
    assert kept_up(Proof(on_charts(RING), Steps({})), {**BOX, "box": ["3/2", "5/2"]}) <= 0
    with pytest.raises(Rejected):
        kept_up(Proof(on_charts("Piecewise((exp(-r), r < 3), (exp(1-r), True))"), Steps({})), BOX)


def changed(name: str, *path: str, value: Any) -> bytes:
    certificate = copy.deepcopy(json.loads((GALLERY / f"{name}.json").read_text()))
    place = certificate
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return proven(certificate)


@pytest.mark.parametrize("name", ["rising-somewhere", "thirds", "huber-on-a-ring"])
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_an_exact_epsilon_allows_no_other(name: str, end: str) -> None:
    epsilon = json.loads((GALLERY / f"{name}.json").read_text())["claim"]["epsilon"]
    assert epsilon["lower"] == epsilon["upper"]
    wrong = Q(epsilon[end]) + (1 if end == "lower" else -1) * Q(1, 10**50)
    other = {**epsilon, "lower": str(min(wrong, Q(epsilon["lower"])))} if end == "upper" else epsilon
    with pytest.raises(Rejected, match=r"not shown below|does not reach|wrong way round"):
        changed(name, "claim", "epsilon", value={**other, end: str(wrong)})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("proof", "witness", "power"), "2"),
        (("proof", "supremum", "power"), "1"),
    ],
)
def test_the_power_is_part_of_the_proof(path: tuple[str, ...], value: str) -> None:
    """Slopes of f itself are not exact: a third has no decimal; and a witness in a limit has no power."""
    with pytest.raises(Rejected):
        changed("thirds", *path, value=value)


def test_the_rules_are_asked_for_by_the_list() -> None:
    certificate = json.loads((GALLERY / "rising-somewhere.json").read_text())
    rules = {section: numbers for section, numbers in certificate["rules"].items() if section != "lipschitz"}
    with pytest.raises(Rejected, match="uses K340, which it does not list"):
        check_bytes(sealed(certificate, rules))


FACTORS = ["exp(-Abs(r-2)/3)", "(1+r)**(-5/2)", "Max(exp(-r),exp(-2)/3)", "(1+y)", "exp(r/7)", "1/(2+r)", "1/5"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(FACTORS), min_size=1, max_size=3),
    st.fractions(Q(1, 30), Q(30), max_denominator=30),
    st.fractions(Q(1, 10), Q(20), max_denominator=20),
)
def test_a_power_has_so_many_times_the_logarithm(factors: list[str], q: Fraction, r: Fraction) -> None:
    text = "*".join(factors)
    problem: Problem = on_charts(f"Piecewise(({text}, r < 5), (2+{factors[0]}, True))")
    raised = raised_to(problem, q)
    at, box = interval(r), (r * Q(99, 100), r * Q(101, 100))
    if box[0] < 5 < box[1]:
        return
    with mpmath.workdps(50):
        x = mpmath.mpf(r.numerator) / r.denominator
        names = {"exp": mpmath.exp, "Abs": abs, "Max": max, "r": x, "y": x * x}
        whole = text if r < 5 else f"2+{factors[0]}"
        truth = mpmath.log(eval(mpf_text(whole), {"mpf": mpmath.mpf, **names})) * q.numerator / q.denominator
        found = Evaluation(at).log(raised.tree)[1]
        assert mpmath.mpf(str(found.lo)) <= truth + mpmath.mpf(10) ** -40
        assert truth <= mpmath.mpf(str(found.hi)) + mpmath.mpf(10) ** -40


def mpf_text(text: str) -> str:
    """The text with every number one of mpmath's."""

    return re.sub(r"\b\d+\b", lambda m: f"mpf({m[0]})", text)


@settings(max_examples=60, deadline=None)
@given(st.fractions(0, 10, max_denominator=40))
def test_maxima_have_exact_values(r: Fraction) -> None:
    assert exact_value(tree("1-Abs(r-2)"), r) == 1 - abs(r - 2)
    assert exact_value(tree("Max(y, 2-r)**2/3"), r) == max(r * r, 2 - r) ** 2 / 3
    assert exact_value(tree("Abs(sqrt(r)-1)"), r) is None
    pole = exact_value(tree("Max(1/(r-2), r)"), r)
    assert pole is None if r == 2 else pole == max(1 / (r - 2), r)


@pytest.mark.parametrize(
    ("text", "q"),
    [
        ("(r-1)**2", Q(1, 2)),
        ("(r-1)**4", Q(1, 4)),
        ("(r-1)*(r-2)", Q(1, 2)),
        ("(r-1)*(r-2)*(1+r)", Q(1, 2)),
        ("(1+r)**2", Q(3)),
        ("(1+r)**(-2)", Q(3)),
        ("(1+r)**(-2)", Q(1, 2)),
        ("((1+r)**2+exp(r))**(1/3)", Q(6)),
        ("exp(r-Max(r,1/4)*2)*(2+r)", Q(1, 3)),
        ("Piecewise((exp(r), r < 2), (1+r, True))", Q(5, 2)),
    ],
)
def test_a_power_of_f_has_its_values(text: str, q: Fraction) -> None:
    """Where f > 0, factors of it negative or not."""
    for r in (Q(1, 2), Q(5, 2)):
        found = Evaluation(interval(r)).value(to_power(tree(text), q))
        named = {"r": mpmath.mpf(r.numerator) / r.denominator, "exp": mpmath.exp, "Max": max}
        plain = {"Piecewise": lambda *branches: next(value for value, holds in branches if holds)}
        with mpmath.workdps(30):
            truth = eval(mpf_text(text), {**named, **plain, "mpf": mpmath.mpf}) ** (
                mpmath.mpf(q.numerator) / q.denominator
            )
            low, high = (mpmath.mpf(str(end)) for end in (found.lo, found.hi))
            assert abs(low - truth) < 1e-12 and abs(high - truth) < 1e-12


@pytest.mark.parametrize(
    ("text", "x", "value"),
    [
        ("(1+r)**2", 2, 9),
        ("(1+r)**(-2)", 2, Q(1, 9)),
        ("(1+r)**64", 1, 2**64),
        ("(1+r)**65", 1, None),
        ("(1+r)**(-65)", 1, None),
        ("sqrt(r)", 4, None),
        ("r**(5/2)", 4, None),
        ("(r-2)**(-1)", 2, None),
        ("(r-2)**2", 2, None),
        ("1+pi", 2, None),
        ("pi*r+1", 2, None),
        ("exp(r-2)", 2, 1),
        ("exp(r)", 2, (1, 2)),
        ("exp(exp(r))", 2, None),
        ("exp(sqrt(r))", 2, None),
        ("3*exp(2-r)*(1+r)", 2, 9),
        ("3*exp(-r/7)*(1+r)", 2, (9, Q(-2, 7))),
        ("(1+exp(-r)*(r-1))**2-1", 2, None),
        ("(exp(r)+2*exp(2))**(-2)", 2, (Q(1, 9), -4)),
        ("(3*exp(r)-2*exp(2))**(1/3)", 2, (1, Q(2, 3))),
        ("(exp(r)+exp(2))**(1/3)", 2, None),
        ("exp(r)+1", 2, None),
        ("3+exp(r)-exp(2)", 2, None),
        ("exp(r)*(r-2)", 2, 0),
        ("exp(r)*(r-2)+5*exp(r)", 2, (5, 2)),
        ("Max(exp(r),3*exp(2))", 2, (3, 2)),
        ("Max(exp(r)*(r-2),-exp(2))", 2, 0),
        ("Max(exp(r),2)", 2, None),
        ("Max(r,1)", 2, 2),
        ("Max(r,3)", 2, 3),
        ("Max(3,r,pi)", 2, None),
        ("log(1+r)", 2, None),
        ("cos(r-2)", 2, None),
        (f"r+{2**1998}", 1, 2**1998 + 1),
        (f"r+{2**1999}", 1, None),
    ],
)
def test_what_is_made_of_numbers_has_its_value_exactly(text: str, x: int, value: Any) -> None:
    """a and t of a e^t; t is left out where it is 0."""
    found = exactly(tree(text), Q(x))
    assert found == (value if value is None or isinstance(value, tuple) else (value, 0))


def test_two_numbers_are_not_one() -> None:
    """log f is -1 before 1 and -2 beyond it, each exactly."""
    with pytest.raises(Rejected, match="not shown continuous"):
        continuous_at(on_charts("Piecewise((exp(-1), r < 1), (exp(-2), True))"), Q(1))
    continuous_at(on_charts("Piecewise((exp(-r), r < 1), (exp(-1), True))"), Q(1))


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("exp(-(r/3)**2/2)", "exp(-(r/30-1/200))"),
        ("3*exp(-r)", "10*r*exp(-1/5-r/3)"),
        ("exp(-r/3)+exp(-1/10)", "(r+17/10)*exp(-1/10)"),
        ("exp(-y)**(1/9)", "exp(-r/30)"),
    ],
)
def test_formulas_that_meet_in_a_multiple_of_a_power_of_e(inner: str, outer: str) -> None:
    """At 3/10; where the outer one is larger by one part in 10^25, there is a jump."""
    continuous_at(on_charts(f"Piecewise(({inner}, r < 3/10), ({outer}, True))"), Q(3, 10))
    for more in (f"*(1+1/{10**25})", f"*exp(1/{10**25})"):
        with pytest.raises(Rejected, match="not shown continuous"):
            continuous_at(on_charts(f"Piecewise(({inner}, r < 3/10), ({outer}{more}, True))"), Q(3, 10))


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("end", ["lo", "hi"])
def test_a_jump_in_the_last_digit_is_one(first: bool, end: str) -> None:
    """From 2 to e^u or back, u an end of an enclosure of log 2."""
    u = Fraction(getattr(interval(2).log(), end))
    parts = ("2", f"exp({u})") if first else (f"exp({u})", "2")
    with pytest.raises(Rejected, match="not shown continuous"):
        continuous_at(on_charts(f"Piecewise(({parts[0]}, r < 2), ({parts[1]}, True))"), Q(2))


def on(a: Fraction, b: Fraction, text: str) -> Any:
    return settled(on_charts(text).at_box(radii(a, b), (a, b)), tree(text))


def test_a_formula_without_cases() -> None:
    assert same(on(Q(3), Q(4), "1+floor(r)"), tree("4"))
    assert same(on(Q(3), Q(4), "Piecewise((1, r < 3), (exp(r), r < 4), (2, True))"), tree("exp(r)"))
    assert same(on(Q(3), Q(4), "exp(-r)*Piecewise((1, r < 3), (1+r, True))"), tree("exp(-r)*(1+r)"))
    assert same(on(Q(3), Q(4), "(floor(r)-1)**2*pi"), tree("4*pi"))


@pytest.mark.parametrize(
    "text", ["floor(r+1/2)", "exp(-floor(2*r))", "Piecewise((1, r < 7/2), (2, True))", "floor(10**120*(1+r)/r)"]
)
def test_a_formula_with_cases_on_the_box(text: str) -> None:
    with pytest.raises(Rejected, match="one formula"):
        on(Q(3), Q(4), text)

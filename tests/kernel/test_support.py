"""Zeros on sets and poles at radii: bounds part by part beside mpmath, and forgeries of each rule."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpverify import kernel, verify
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, Interval
from dpverify.kernel.reader import Need, Reader
from dpverify.kernel.sections import support
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.conditions import compared
from dpverify.kernel.sections.guards import met_by_guard
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import CONSTANT, Model
from dpverify.kernel.sections.needs import bare
from dpverify.kernel.steps import Steps
from tests.kernel.plain import number
from tests.kernel.problems import on_charts, proven, tree
from tests.kernel.test_models import mp
from tests.kernel.test_values import truth

TEXTS = (
    "Piecewise((sqrt(2-y), y < 2), (0, True))",
    "Piecewise((1-y, y <= 1), (exp(-r), r > 3), (r, True))",
    "Max(0, 1-Abs(r-3))*exp(r)",
    "Piecewise((exp(-1/(2-y)), y < 2), (r-1, True))",
    "Abs(r-2)**(-1/2)*exp(-r)",
    "Piecewise((cos(pi*r/2), r < 1), (-log(r), True))",
    "(1-r)**3*(2-y)**2",
    "Piecewise(((2-y)**(3/2), y < 2 and r > 1/2), (r, True))",
    "Piecewise((2-y, not (y >= 2 or r < 1)), (y, True))",
)


def on(text: str, a: Fraction, b: Fraction) -> Proof:
    return Proof(on_charts(text), Steps({"cover": [str(a), str(b)]}))


@pytest.mark.sampled(stay=14)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("seed", range(6))
def test_parts_enclose(text: str, seed: int) -> None:
    rnd = random.Random(f"{text}{seed}")
    a = Fraction(rnd.randint(1, 80), 20)
    b = a + Fraction(rnd.randint(1, 20), rnd.choice((10, 40, 400)))
    try:
        found = support.parts_on(on(text, a, b), a, b).of(tree(text))
    except Rejected:
        return
    with mpmath.workdps(40):
        for k in range(1, 40):
            x = a + (b - a) * Fraction(k, 40)
            value = truth(text, x)
            assert mp(found.lo) - mpmath.mpf(10) ** -30 <= value <= mp(found.hi) + mpmath.mpf(10) ** -30, (text, x)


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [
        ("Piecewise((sqrt(2-y), y < 2), (0, True))", "7/5", "3/2"),
        ("Piecewise((1-y, y < 1), (0, True))", "1/2", "1"),
        ("Piecewise((cos(pi*r/2), r < 1), (0, True))", "1/2", "1"),
        ("Max(0, 1-Abs(r-3))", "3/2", "5/2"),
    ],
)
def test_what_is_0_at_an_end_is_not_called_negative(text: str, a: str, b: str) -> None:
    low, high = Fraction(a), Fraction(b)
    support.within(support.parts_on(on(text, low, high), low, high), tree(text), "refused")


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [
        ("Piecewise((1-y, y < 1), (0, True))", "1/2", "3"),  # which is fine
        ("Piecewise((1-y, y < 2), (0, True))", "1", "5/4"),
        ("Piecewise((2-y, y > 2), (1, True))", "7/5", "3/2"),
        ("Piecewise((y-2, y < 2), (1, True))", "7/5", "3/2"),
        ("Piecewise((1, r > 2), (1-r, True))", "1/2", "3"),
        ("Piecewise((1/(2-y), y < 2), (0, True))", "7/5", "3/2"),
        ("Piecewise((2-y, y < 2 or r > 1), (1, True))", "7/5", "3/2"),
        ("Piecewise((2-y, not (y >= 2 and r > 1)), (1, True))", "7/5", "3/2"),
        ("cos(pi*r/2)", "1/2", "11/10"),
        ("Max(1-r, 2-2*r)", "1/2", "11/10"),
    ],
)
def test_what_is_negative_or_unbounded_is_not_called_bounded(text: str, a: str, b: str) -> None:
    low, high = Fraction(a), Fraction(b)
    parts = support.parts_on(on(text, low, high), low, high)
    if text.startswith("Piecewise((1-y, y < 1)"):
        support.within(parts, tree(text), "refused")
        return
    if "not (y >= 2 and" in text:  # fails where y < 2 or r <= 1: of 2-y nothing is known
        assert parts.of(tree(text)).lo < 0
        return
    with pytest.raises(Rejected):
        support.within(parts, tree(text), "refused")


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("Abs(r-1)**(-1)*exp(-r)", 0),
        ("Abs(r-1)**(-3/2)*exp(-r)", 0),
        ("Abs((r-1)**2)**(-1/2)*exp(-r)", 0),
        ("Abs(r-1)**(-1/2)*exp(-r)", 1),
        ("Abs(r-1)**(-1/2)*Abs(r-5/4)**(-1/2)", 0),
        ("Abs(r-1)**(-1/2)*(5/4-r)", 0),
        ("Abs((r-1)*(r-2))**(-1/2)*exp(-r)", 7),
        ("Abs(floor(r)-1/2)**(-1/2)*exp(-r)", 0),
        ("Abs(1/(r-1))**(-1/2)*Abs(r-1)**(-2)", 1),
    ],
)
def test_a_strong_pole_is_not_called_weak(text: str, factor: int) -> None:
    a, b = Fraction(1, 2), Fraction(3, 2)
    with pytest.raises(Rejected):
        support.weak_pole(support.parts_on(on(text, a, b), a, b), tree(text), factor)


def pole_of(text: str, box: list[str], factor: int = 0, branch: int | None = None) -> None:
    p = on(text, Fraction(1, 64), Fraction(16))
    step = {"box": box, "factor": factor}
    support.diverges_at_radius(p, step if branch is None else {**step, "branch": branch})


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("1/(1-r)**2", ["1/2", "3/2"]),
        ("Abs(1-r)**(-1)*exp(-r)", ["1/2", "1"]),
        ("Piecewise((1/(1-y), y < 1), (0, True))", ["99/100", "1"]),
        ("Piecewise((1/(2-y), y < 2), (0, True))", ["7/5", "3/2"]),
        ("1/(2-y)**2", ["7/5", "3/2"]),
    ],
)
def test_an_integral_that_is_infinite_at_a_radius(text: str, box: list[str]) -> None:
    pole_of(text, box)


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("Abs(1-r)**(-1/2)*exp(-r)", ["1/2", "3/2"]),  # integrable
        ("1/(1-r)**2", ["101/100", "3/2"]),  # no zero there
        ("1/((1-r)**2+1/10**9)", ["1/2", "3/2"]),  # no zero at all
        ("(1-r)**2/(1-r)**2", ["1/2", "3/2"]),  # cancels: the other factor is not above 0
        ("Abs(1-r)**3/(1-r)**2", ["1/2", "3/2"]),
        ("Piecewise((1/(2-y), y < 3/2), (0, True))", ["7/5", "3/2"]),  # the branch ends before
        ("Piecewise((1, r < 1), (1/(1-r/2)**2, True))", ["9/10", "11/10"]),
        ("Piecewise((1/(2-y), y < 2 and r < 141/100), (0, True))", ["7/5", "3/2"]),
        ("(floor(r)-1/2)**(-2)", ["99/100", "101/100"]),  # jumps over 0
        ("(1/(r-1))**(-2)", ["1/2", "3/2"]),
    ],
)
@pytest.mark.parametrize("factor", range(3))
def test_one_that_is_finite_is_not_called_infinite(text: str, box: list[str], factor: int) -> None:
    for branch in (None, 0, 1, 2):
        with pytest.raises(Rejected):
            pole_of(text, box, factor, branch)


def test_a_pole_has_its_own_fields_and_no_others() -> None:
    p = on("1/(1-r)**2", Fraction(1, 64), Fraction(16))
    support.diverges_at_radius(p, {"box": ["1/2", "3/2"], "factor": 0})
    with pytest.raises(Rejected, match="unknown field"):
        support.diverges_at_radius(p, {"box": ["1/2", "3/2"], "factor": 0, "more": 1})


def test_the_pole_may_be_in_the_second_of_two_branches() -> None:
    box = ["7/5", "3/2"]
    pole_of("Piecewise((0, y < 2), (1/(y-2), True))", box, 0, 1)
    pole_of("Piecewise((0, y >= 2), (1/(2-y), True))", box, 0, 1)
    for text in ("Piecewise((0, y < 3), (1/(y-2), True))", "Piecewise((0, y < 2), (0, y < 9/4), (1/(y-2), True))",
                 "Piecewise((0, y < 2 and r > 1/2), (1/(y-2)**2, True))"):  # fmt: skip
        for branch in (0, 1, 2):
            if "and" not in text or branch != 1:
                with pytest.raises(Rejected):
                    pole_of(text, box, 0, branch)


GUARDS = [
    ("Piecewise((sqrt(2-y), y < 2), (0, True))", True),
    ("Piecewise((1, y >= 2), (log(2-y), True))", True),
    ("Piecewise((1, y > 2), (sqrt(2-y), True))", True),
    ("Piecewise((1, y > 2), (log(2-y), True))", True),  # 0 at one radius
    ("Piecewise((1, r > floor(r)), (log(floor(r)-r), True))", False),  # 0 throughout
    ("Piecewise((sqrt(2-y), y > 2), (0, True))", False),
    ("Piecewise((sqrt(2-y), y < 3), (0, True))", False),
    ("Piecewise((1, y < 2 or r < 1), (sqrt(2-y), True))", False),
    ("Piecewise((1, y < 2 and r < 1), (sqrt(2-y), True))", False),
    ("Piecewise((sqrt(2-y), y < 2 or r < 2), (0, True))", False),
    ("Piecewise((sqrt(2-y), y < 2 and r < 2), (0, True))", True),
    ("Piecewise((sqrt(2-y), not y >= 2), (0, True))", True),
    ("Piecewise((sqrt(y-2), not y >= 2), (0, True))", False),
]


@pytest.mark.parametrize(("text", "met"), GUARDS)
def test_a_guard_meets_the_need_that_it_states_and_no_other(text: str, met: bool) -> None:
    reader = Reader(text, {})
    reader.tree()
    (need,) = [n for n in reader.needs if n.kind != "branch"]
    assert met_by_guard(bare(need)) is met


@pytest.mark.parametrize(
    ("text", "kind"),
    (
        ("log((r-1)**2)", "nonzero"),
        ("log(Abs(r-1))", "nonzero"),
        ("log((r-1)**3)", "positive"),
        ("1/(r-1)**3", "nonzero"),
        ("log(sqrt(r-1))", "nonzero"),
    ),
)
def test_a_need_for_a_power_is_one_for_its_base(text: str, kind: str) -> None:
    """log(u**3) asks for u**3 > 0, which u != 0 does not give; log(u**2) does."""
    reader = Reader(text, {})
    reader.tree()
    need = reader.needs[-1]
    found = bare(Need(need.kind, need.node, ()))
    assert found.kind == kind, text
    assert (found.node.kind == "add") is (kind == "nonzero"), text


@pytest.mark.parametrize(
    ("conditions", "covered"),
    [
        (("y < 2", "y >= 2"), True), (("y < 2", "y > 2"), True), (("y <= 2", "y >= 2"), True),
        (("not y < 2", "r < 1", "y < 2"), True), (("not not y < 2", "not y < 2"), True),
        (("y < 2", "y >= 3"), False), (("y < 2", "y < 2"), False), (("y < 2", "not y > 2"), False),
        (("y <= 2 and r > 0", "y > 2"), True), (("0 <= y < 2", "y >= 2"), True), (("0 < r - 1 < 2", "r > 3"), False),
        (("r > 0 and y > 0", "y < 2"), False), (("not (r > 0 and y < 2)", "y < 2"), True),
        (("not (r < 1 or r > 2)", "r < 1"), False), (("r < 1", "r >= 1 and r < 2"), False),
        (("r > 1 and r < 2", "r <= 1"), False), (("r < 1 or r > 2", "1 <= r"), False),
        (("1 < r < 2", "r <= 1"), False), (("not (r >= 1 and r < 2)", "r >= 1"), False),
        (("floor(r) < r", "floor(r) > r"), False),
        (("r - r < 0", "r - r > 0"), False), (("(1-r)*0 < 0", "(1-r)*0 > 0"), False),
    ],
)  # fmt: skip
def test_two_conditions_are_exhaustive_only_if_opposite(conditions: tuple[str, ...], covered: bool) -> None:
    """What is said by a conjunction is not all that it says: 1 <= r <= 2 and r < 1 leave out the rest."""
    reader = Reader("Piecewise(" + ", ".join(f"(1, {c})" for c in conditions) + ")", {})
    reader.tree()
    need = next(n for n in reader.needs if n.kind == "branch")
    assert met_by_guard(need) is covered


def test_conditions_say_what_they_compare() -> None:
    reader = Reader("Piecewise((1, r < 1), (2, True))", {})
    condition = reader.tree().args[0][1]
    ((w, strict),) = compared(condition, True)
    ((v, weak),) = compared(condition, False)
    assert (strict, weak) == (True, False)
    x = number(Fraction(1, 3))
    assert w.kind == v.kind == "add" and x < 1


def certificate(text: str) -> dict[str, Any]:
    return copy.deepcopy(dict(verify(text).certificate or {}))


def refused(c: dict[str, Any]) -> bool:
    try:
        kernel.check_bytes(proven(c))
    except Rejected:
        return True
    return False


@pytest.mark.slow
def test_other_texts_under_the_proof_of_a_support_are_refused() -> None:
    c = certificate("Piecewise((sqrt(2-y), y < 2), (0, True))")
    assert not refused(copy.deepcopy(c))
    for text in ("Piecewise((sqrt(2-y), y < 2), (exp(-r), True))", "Piecewise((sqrt(2-y)-1, y < 2), (0, True))",
                 "Piecewise((1/(2-y), y < 2), (0, True))", "Piecewise((sqrt(3-y), y < 2), (0, True))",
                 "Piecewise((0, y < 2), (0, True))", "Piecewise((-sqrt(2-y), y < 2), (0, True))"):  # fmt: skip
        c["claim"]["generator"] = text
        if text != "Piecewise((sqrt(3-y), y < 2), (0, True))":
            assert refused(copy.deepcopy(c)), text


@pytest.mark.slow
def test_other_texts_under_the_proof_of_a_pole_are_refused() -> None:
    c = certificate("Abs(1-y)**(-1/2)*exp(-r)")
    assert c["claim"]["verdict"] == "not_private" and not refused(copy.deepcopy(c))
    for text in ("Abs(1-y)**(-1)*exp(-r)", "(1/10**9+Abs(1-y))**(-1/2)*exp(-r)", "Abs(1-y)**(1/2)*exp(-r)",
                 "Abs(1-y)**(-1/2)*exp(r)", "Abs(1-y)**(-1/2)*exp(-r)*(3-r)",
                 "Abs(1-y)**(-1/2)*exp(-r)*Abs(1-r)"):  # fmt: skip
        c["claim"]["generator"] = text
        assert refused(copy.deepcopy(c)), text


@pytest.mark.slow
def test_a_pole_needs_a_density() -> None:
    """Beside a pole nothing is said of privacy unless the integral is proved finite."""
    c = certificate("Abs(1-y)**(-1/2)*exp(-r)")
    c["claim"]["hypotheses"]["integrable"] = "undecided"
    del c["proof"]["integrable"], c["proof"]["poles"]
    assert refused(c)


@pytest.mark.parametrize(
    ("text", "dimension", "shown"),
    [
        ("r**(-1/2)", 1, True),
        ("r**(-1)", 1, False),
        ("r**(-2)", 1, False),
        ("r**(-1)", 2, True),
        ("r**(-2)", 2, False),
        ("r**(-5/2)", 3, True),
        ("r**(-3)", 3, False),
        ("Max(0,1-r)", 1, True),
        ("0*r", 1, True),
        ("-exp(-r)", 1, False),
        ("r-1", 1, False),
        ("r**(-1/2)*sin(1/r)", 1, False),
    ],
)
def test_what_is_integrable_at_the_centre_by_its_values(text: str, dimension: int, shown: bool) -> None:
    """r^-n r^(d-1) is integrable where n < d; what may be negative is refused."""
    p = Problem(tree(text), dimension, Fraction(1), (Fraction(1, 64), 6), (Fraction(16), 6))
    if shown:
        support.centre_by_values(Proof(p, Steps({})))
        return
    with pytest.raises(Rejected, match="not shown integrable at the centre"):
        support.centre_by_values(Proof(p, Steps({})))


def test_values_without_a_bound_at_the_centre_are_not_integrable() -> None:
    p = on_charts("exp(-r)")
    for height, shown in ((Decimal(1), True), (INF, False)):
        value = Model(p.zero, {CONSTANT: Interval(Decimal(0), height)})
        p.at_zero = lambda r, value=value: SimpleNamespace(value=lambda tree: value)  # type: ignore[method-assign]
        if shown:
            support.centre_by_values(Proof(p, Steps({})))
            continue
        with pytest.raises(Rejected, match="not shown integrable at the centre"):
            support.centre_by_values(Proof(p, Steps({})))


@pytest.mark.parametrize(
    ("text", "a", "b", "least", "most"), [("cos(r)", "3", "7/2", -1, None), ("sin(r)", "1", "2", None, 1)]
)
def test_a_node_that_turns_is_not_between_its_values_at_the_ends(
    text: str, a: str, b: str, least: int | None, most: int | None
) -> None:
    found = support.parts_on(on(text, Fraction(a), Fraction(b)), Fraction(a), Fraction(b)).of(tree(text))
    assert least is None or found.lo <= least
    assert most is None or found.hi >= most


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Piecewise((Abs(r-1)**(-1/2), r < 1), (2, True))", ""),
        ("Piecewise((Abs(1-r)**(-1/2), r < 1), (Abs(r-1)**(-2/3), True))", ""),
        ("Piecewise((Abs(r-1)**(-2), r < 1), (2, True))", "not of an order below 1"),
        ("Piecewise((2, r < 1), (Abs(r-1)**(-2), True))", "not of an order below 1"),
        ("Piecewise((Abs(r-1)**(-1/2), r < 1), (-1, True))", "beside a pole is not shown bounded"),
        ("Piecewise((Abs(r-1)**(-1/2), r < 1), (exp(1/(3/2-r)), True))", "beside a pole is not shown bounded"),
        ("Piecewise((2, r < 1/4), (2, r > 3))", "no branch of a Piecewise"),
        ("Abs((r-1)*(r-2))**(-1/2)", "negative power|strictly monotone"),
        ("-Abs(r-1)**(-1/2)", "negative power|integrable beside a pole"),
    ],
)
def test_every_branch_beside_a_weak_pole_counts(text: str, why: str) -> None:
    a, b = Fraction(1, 2), Fraction(3, 2)
    parts = support.parts_on(on(text, a, b), a, b)
    if not why:
        support.weak_pole(parts, tree(text), 0)
        return
    with pytest.raises(Rejected, match=why):
        support.weak_pole(parts, tree(text), 0)


def unbounded(text: str, box: list[str], bounded: Any, **more: Any) -> None:
    p = on(text, Fraction(1, 64), Fraction(16))
    support.unbounded_at_radius(p, {"box": box, "factor": 0, "bounded": bounded, **more})


@pytest.mark.parametrize(
    ("text", "bounded", "more", "why"),
    [
        ("Abs(r-1)**(-1/2)*exp(-r)", ["2", "3"], {}, ""),
        ("Abs(r-1)**(-1/2)*exp(-r)", ["2", "3"], {"more": 1}, "unknown field"),
        ("Abs(r-1)**(-1/2)*exp(-r)", ["1/2", "3/2"], {}, "not shown bounded"),
        ("Abs(r-1)**(-1/2)*exp(-r)", ["3", "2"], {}, "open box"),
        ("(r-1)**0*exp(-r)", ["2", "3"], {}, "no factor that is a negative power"),
        ("Abs(r-1)**(1/2)*exp(-r)", ["2", "3"], {}, "no factor that is a negative power"),
        ("Abs(r-1)**(-1/2)*Max(0,r-1)", ["2", "3"], {}, "not shown positive beside the pole"),
        ("Abs(r-1)**(-1/2)*(r-2)", ["2", "3"], {}, "not shown positive beside the pole"),
        ("Abs(r-5)**(-1/2)*exp(-r)", ["2", "3"], {}, "not shown to have a zero"),
        ("Piecewise((1, r > 1), (1, r < 1), (Abs(r-1)**(-1/2), True))", ["2", "3"], {"branch": 2}, "more branches"),
        ("Piecewise((1, r > 5/4), (Abs(r-1)**(-1/2), True))", ["2", "3"], {"branch": 1}, "more branches"),
        (
            "Piecewise((1, (r-1/2)*(5/4-r)**2 > 0), (Abs((r-1/2)*(5/4-r)**2)**(-1), True))",
            ["2", "3"],
            {"branch": 1},
            "more branches",
        ),
        ("Piecewise((1, r > 1), (Abs(r-1)**(-1/2), True))", ["2", "3"], {"branch": 2}, "not an integer"),
        ("Piecewise((1, r > 1), (Abs(r-1)**(-1/2), True))", ["2", "3"], {"branch": 1}, ""),
    ],
)
def test_f_is_unbounded_beside_a_pole_that_is_one(text: str, bounded: Any, more: dict[str, Any], why: str) -> None:
    if not why:
        unbounded(text, ["1/2", "3/2"], bounded, **more)
        return
    with pytest.raises(Rejected, match=why):
        unbounded(text, ["1/2", "3/2"], bounded, **more)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("exp(-r)*(1-frac(r))**(-1/2)", ["3/4", "1"]),
        ("exp(-r)/sqrt(frac(r))", ["1", "5/4"]),
        ("exp(-r)/Abs(1-frac(y))**(1/3)", ["3/4", "1"]),
        ("exp(-r)/sqrt(Piecewise((1-r, r < 1), (r, True)))", ["3/4", "1"]),
    ],
)
def test_beside_a_jump_f_without_it_has_the_pole(text: str, box: list[str]) -> None:
    factors = range(4)
    assert any(_holds(lambda k=k: beside(text, box, k, still=True)) for k in factors)  # type: ignore[misc]
    assert not any(_holds(lambda k=k: beside(text, box, k)) for k in factors)  # type: ignore[misc]
    other = ["1", "5/4"] if box[1] == "1" else ["3/4", "1"]
    assert not any(_holds(lambda k=k: beside(text, other, k, still=True)) for k in factors)  # type: ignore[misc]
    for wide in (["3/4", "5/4"], ["1/2", "7/8"]):
        assert not any(_holds(lambda k=k: beside(text, wide, k, still=True)) for k in factors)  # type: ignore[misc]


def beside(text: str, box: list[str], factor: int, **more: Any) -> None:
    p = on(text, Fraction(1, 64), Fraction(16))
    support.unbounded_at_radius(p, {"box": box, "factor": factor, "bounded": ["5/16", "3/8"], **more})


def _holds(step: Callable[[], None]) -> bool:
    try:
        step()
    except Rejected:
        return False
    return True


def test_an_integral_may_be_infinite_at_a_jump_of_f() -> None:
    for text, infinite in (("exp(-r)/(1-frac(r))", True), ("exp(-r)/sqrt(1-frac(r))", False)):
        p = on(text, Fraction(1, 64), Fraction(16))
        step = {"box": ["3/4", "1"], "still": True}
        found = [_holds(lambda k=k: support.diverges_at_radius(p, {**step, "factor": k})) for k in range(3)]  # type: ignore[misc]
        assert any(found) is infinite
    for wrong in (False, 1, "yes"):
        with pytest.raises(Rejected, match=r"pole.still is not true"):
            support.diverges_at_radius(p, {**step, "factor": 0, "still": wrong})


@pytest.mark.parametrize(
    ("poles", "why"),
    [
        ([{"box": 0, "factor": 0}], ""),
        ([{"box": 1, "factor": 0}], "bounded, not negative"),
        ([], "bounded, not negative"),
        (None, "not a list"),
        ({"box": 0, "factor": 0}, "not a list"),
        ([{"box": 0, "factor": 0}, {"box": 0, "factor": 0}], "named twice"),
        ([{"box": 0, "factor": 0}, {"box": 2, "factor": 0}], "not an integer"),
        ([{"box": 0, "factor": 0}, {"box": -1, "factor": 0}], "not an integer"),
        ([{"box": 0, "factor": 0, "more": 1}], "unknown field"),
        ([{"box": 0}], "no field"),
    ],
)
@pytest.mark.parametrize("at", [0, 1])
def test_poles_are_named_once_each_by_their_box(poles: Any, why: str, at: int) -> None:
    text, cover = ("Abs(r-1)**(-1/2)", ["1/64", "2", "16"]) if at == 0 else ("Abs(r-4)**(-1/2)", ["1/64", "2", "16"])
    if at and isinstance(poles, list):
        poles = [{**pole, "box": {0: 1, 1: 0}.get(pole["box"], pole["box"])} for pole in poles]
    proof = Proof(on_charts(text), Steps({"cover": cover, "poles": poles}))
    if not why:
        support.bounded_by_parts(proof)
        return
    with pytest.raises(Rejected, match=why):
        support.bounded_by_parts(proof)

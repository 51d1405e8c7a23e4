"""What every step obeys: rules that enter the ledger, lists of older certificates, and small steps."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected, rules
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.reader import Need, Reader
from dpverify.kernel.rules import LEDGER, RULES, Ledger, brought, require, rule, section_of
from dpverify.kernel.sections import besselk, witness
from dpverify.kernel.sections.conjugates import over_the_sum
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.guards import met_by_guard
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.logarithms import of_a_quotient
from dpverify.kernel.sections.messages import shown
from dpverify.kernel.sections.needs import bare, met, proving
from dpverify.kernel.sections.older import as_now
from dpverify.kernel.sections.optional import may_use
from dpverify.kernel.sections.tail import Tail
from dpverify.kernel.sections.vertices import about_its_vertex
from dpverify.kernel.sections.ways import Ways, with_ways
from dpverify.kernel.sections.windows import in_a_window, with_windows
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node, same, walk
from tests.kernel.problems import on_charts, tree


@pytest.fixture
def numbered() -> Iterator[Any]:
    """A rule that refuses what is negative, with a number of its own."""

    @rule("K9999")
    def not_negative(x: int, code: str = "") -> int:
        require(x >= 0, "it is negative", code)
        return x

    yield not_negative
    del RULES["K9999"]


def within(ledger: Ledger | None, step: Any, *args: Any) -> Any:
    token = LEDGER.set(ledger) if ledger else None
    try:
        return step(*args)
    finally:
        if token:
            LEDGER.reset(token)


def test_a_rule_enters_the_ledger_if_it_is_listed(numbered: Any) -> None:
    assert RULES["K9999"] is numbered and section_of("K9999") == "core"
    assert numbered(3) == 3  # where nobody keeps a ledger
    for ledger in (Ledger(), Ledger(frozenset({"K9999", "K4"}))):
        assert within(ledger, numbered, 3) == 3 and ledger.used == {"K9999"}
    ledger = Ledger(frozenset({"K4"}))
    with pytest.raises(Rejected, match="which it does not list") as refused:
        within(ledger, numbered, 3)
    assert refused.value.code == "rules" and ledger.used == set()


def test_what_a_rule_refuses_bears_its_number_unless_it_has_a_word(numbered: Any) -> None:
    for code, word in (("", "K9999"), ("steps", "steps")):
        with pytest.raises(Rejected, match="it is negative") as refused:
            within(Ledger(), numbered, -1, code)
        assert refused.value.code == word


def test_work_is_counted_once_and_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(besselk, "MOST_IN_ALL", 5)
    ledger = Ledger()
    for number, nodes in (("a", 3), ("a", 3), ("b", 2)):
        besselk.spend(ledger, number, nodes)
    with pytest.raises(Rejected, match="too often") as refused:
        besselk.spend(ledger, "c", 1)
    assert refused.value.code == "limits"


def test_dear_numbers_are_counted_where_there_is_a_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    p, x = Fraction(1, 3), Decimal("1.0625")
    alone = besselk.besselk_point(p, x)
    for many, counted in ((1, 1), (30_000, 0)):
        monkeypatch.setattr(besselk, "MANY", many)
        ledger = Ledger()
        assert same_ends(within(ledger, besselk.besselk_point, p, x), alone) and len(ledger.spent) == counted
        assert same_ends(besselk.besselk_point(p, x), alone)


def same_ends(pair: tuple[Interval, Interval], other: tuple[Interval, Interval]) -> bool:
    return all((u.lo, u.hi) == (v.lo, v.hi) for u, v in zip(pair, other, strict=True))


def test_what_no_section_brings_is_refused() -> None:
    with pytest.raises(Rejected, match="no section listed brings") as refused:
        brought("a proof of anything")
    assert refused.value.code == "rules" and section_of("K0") == ""
    assert brought("the size of a monomial") is rules.BROUGHT["the size of a monomial"]


def test_a_rule_may_be_used_where_it_is_listed_or_nothing_is() -> None:
    assert within(None, may_use, "K4")
    for listed, expected in ((None, True), (frozenset({"K4"}), True), (frozenset({"K5"}), False)):
        assert within(Ledger(listed), may_use, "K4") is expected


ANY = {"generator": "exp(-r)", "closed_form": None}


@pytest.mark.parametrize(
    ("listed", "claim", "steps", "now"),
    [
        ({"core": ["K4"]}, ANY, {}, {"core": ["K4"]}),
        ({"core": ["K4"]}, ANY, {"zero": {}}, {"core": ["K4"], "models": ["K11"]}),
        ({"core": ["K4"]}, ANY, {"ways": {}}, {"core": ["K4"], "ways": ["K106"]}),
        ({"core": ["K4"], "ways": ["K106"]}, ANY, {"ways": {}}, {"core": ["K4"], "ways": ["K106"]}),
        ({"core": ["K4"]}, {"generator": "1/cosh(r)"}, {}, {"core": ["K4"], "hyperbolic": ["K35"]}),
        ({"core": ["K4"]}, {"mixing": "exp(-log1p(v))"}, {}, {"core": ["K4"], "hyperbolic": ["K35"]}),
        ({"core": ["K4"]}, {"generator": "r", "closed_form": "asinh(2)"}, {}, {"core": ["K4"], "hyperbolic": ["K35"]}),
        ({"core": ["K4"]}, {"generator": "cosher(r)"}, {}, {"core": ["K4"]}),
        ({"core": ["K4"]}, {"generator": 3}, {}, {"core": ["K4"]}),
        ({"core": ["K4"]}, None, None, {"core": ["K4"]}),
        ({"core": ["K4"]}, ["zero"], ["zero", "ways"], {"core": ["K4"]}),
        ({"core": ["K4"]}, ANY, "zero ways", {"core": ["K4"]}),
        ({"core": ["K4", "K28"]}, ANY, {}, {"core": ["K4"], "tail": ["K28"]}),
        ({"core": ["K4"], "tail": ["K28"]}, {"generator": "cosh(r)"}, {"zero": {}, "ways": {}},
         {"core": ["K4"], "tail": ["K28"]}),
        ({"special": ["K80", "K81"]}, ANY, {}, {"gamma": ["K80"], "besselk": ["K81"]}),
    ],
)  # fmt: skip
def test_an_older_list_of_rules(listed: Any, claim: Any, steps: Any, now: Any) -> None:
    assert as_now(listed, claim, steps) == now


def test_long_numbers_are_shown_in_short() -> None:
    assert shown(Fraction(1, 3)) == "1/3" and shown(Fraction(2**197, 1)) == str(2**197)
    assert shown(Fraction(2**198 + 1, 3)) != str(Fraction(2**198 + 1, 3))


def need(kind: str, node: str, *guard: tuple[str, bool]) -> Need:
    """A need under conditions, each of a Piecewise of its own."""
    conditions = [(tree(f"Piecewise((1, {text}), (2, True))").args[0][1], truth) for text, truth in guard]
    return Need(kind, tree(node), tuple(conditions))


@pytest.mark.parametrize(
    ("kind", "node", "guard", "expected"),
    [
        ("positive", "r-1", ("r>1", True), True),
        ("positive", "r-1", ("r>=1", True), True),  # but at 1
        ("positive", "r-1", ("r<=1", False), True),
        ("positive", "r-1", ("r<1", False), True),
        ("positive", "r-1", ("r>1", False), False),
        ("positive", "r-1", ("r<1", True), False),
        ("positive", "r-2", ("r>1", True), False),
        ("positive", "sqrt(r)-log(r)", ("sqrt(r)-log(r)>0", True), True),
        ("positive", "sqrt(r)-log(r)", ("sqrt(r)-log(r)>=0", True), False),
        ("nonnegative", "sqrt(r)-log(r)", ("sqrt(r)-log(r)>=0", True), True),
        ("nonzero", "sqrt(r)-log(r)", ("sqrt(r)-log(r)>=0", True), False),
        ("nonzero", "sqrt(r)-log(r)", ("sqrt(r)-log(r)>0", True), True),
        ("nonzero", "sqrt(r)-log(r)", ("sqrt(r)-log(r)<0", True), True),
        ("nonzero", "sqrt(r)-log(r)", ("sqrt(r)-log(r)<=0", True), False),
        ("nonzero", "sqrt(r)-log(r)", ("cos(r)-log(r)<0", True), False),
        ("positive", "sqrt(r)-log(r)", ("sqrt(r)-log(r)<0", True), False),
        ("nonnegative", "sqrt(r)-log(r)", ("sqrt(r)-log(r)<0", True), False),
        ("nonzero", "r-1", ("r<1", True), True),
        ("nonzero", "r-1", ("r>=1", True), True),
        ("positive", "r-r", ("r-r>=0", True), False),
        ("nonnegative", "r-r", ("r-r>=0", True), True),
        ("nonzero", "r-r", ("r-r>=0", True), False),
    ],
)
def test_a_need_that_its_guard_meets(kind: str, node: str, guard: tuple[str, bool], expected: bool) -> None:
    assert met_by_guard(need(kind, node, guard)) is expected
    assert not met_by_guard(need(kind, node))


@pytest.mark.parametrize(
    ("text", "kind", "kind_left", "left"),
    [
        ("log(Abs(r-1))", "positive", "nonzero", "r-1"),
        ("log((r-1)**2)", "positive", "nonzero", "r-1"),
        ("log((r-1)**3)", "positive", "positive", "(r-1)**3"),
        ("log(sqrt(r-1))", "positive", "nonzero", "r-1"),
        ("1/(r-1)**3", "nonzero", "nonzero", "r-1"),
        ("1/Abs((r-1)**3)", "nonzero", "nonzero", "r-1"),
        ("sqrt(r-1)", "nonnegative", "nonnegative", "r-1"),
        ("sqrt((r-1)**3)", "nonnegative", "nonnegative", "(r-1)**3"),
        ("log(r-1)", "positive", "positive", "r-1"),
    ],
)
def test_a_need_made_bare(text: str, kind: str, kind_left: str, left: str) -> None:
    reader = Reader(text, {})
    reader.tree()
    found = bare(reader.needs[-1])
    assert reader.needs[-1].kind == kind and found.kind == kind_left and same(found.node, tree(left))


@pytest.mark.parametrize(
    "given",
    [
        [],
        {},
        None,
        "a",
        [{"at": None}] * 2,
        {"at": None},
        [{}],
        [{"at": "0"}],
        [{"at": "-1"}],
        [{"at": "no way"}],
        [{"at": 1}],
        [{"at": "algebra"}],
        [{"at": None, "x": 1}],
    ],
)
def test_needs_that_no_step_meets(given: Any) -> None:
    proof = Proof(on_charts("exp(-r)"), Steps({"defined": given}))
    with pytest.raises(Rejected):
        met(proof, [Need("positive", tree("r-1"), ())])


@pytest.mark.parametrize(
    ("text", "size"), [("sqrt(1+y)-r", 1), ("r-sqrt(1+y)", 1), ("sqrt(1+y)-sqrt(3+y)", 2), ("sqrt(y+1/(2+r))-r", 2)]
)
def test_a_difference_over_the_sum(text: str, size: int) -> None:
    """Its value; and far out the quotient has digits that the difference has lost."""
    node = over_the_sum(tree(text))
    for r in (interval(2), interval(Fraction(1, 7))):
        found, truth = (Evaluation(r).value(n) for n in (node, tree(text)))
        assert found.lo <= truth.hi and truth.lo <= found.hi
    assert Evaluation(interval(2)).value(over_the_sum(tree("sqrt(1+y)-sqrt(1+y)"))).sign() == 0
    far = Evaluation(interval(10**60)).value(node)
    assert far.sign() in (1, -1) and abs(far.lo) < size


@pytest.mark.parametrize(
    "text",
    ["sqrt(1+(r-1)**2*y)-r*(r-1)",
     "sqrt(1+y)", "sqrt(1+y)+r", "r-1", "sqrt(1+y)-log(2+r)", "sqrt(1+y)-2*r", "sqrt(1+y)-r+log(r)", "-r-sqrt(1+y)",
     "sqrt(1+1/(r+2))-sqrt(1-1/(3+r)+1/(2+r))*0-1", "exp(r)-exp(-r)"],
)  # fmt: skip
def test_what_is_no_difference_of_squares_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        over_the_sum(tree(text))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("log(2+r)-log(1+r)", "log(1+1/(1+r))"),
        ("log(1+r)-log(2+r)", "-log(1+1/(1+r))"),
        ("-log(1+r)+log(2+r)", "log(1+1/(1+r))"),
        ("log(5+y)-log(2+y)", "log(1+3/(2+y))"),
        ("log(2+sqrt(r))-log(1+sqrt(r))", "log(1+1/(1+sqrt(r)))"),
    ],
)
def test_a_difference_of_logarithms(text: str, other: str) -> None:
    assert same(of_a_quotient(tree(text)), tree(other))


@pytest.mark.parametrize(
    "text",
    ["log(2+r)+log(1+r)", "log(2+r)", "log(2+r)**2",
     "log(2+r)-log(1+r)-r", "log(2+r)-log(1+2*r)", "log(2+r)-log(r-1)", "r-log(1+r)",
     "log(r-1)-log(2+r)", "log(2+r)*log(1+r)", "log(2+exp(r))-log(1+exp(r))", "log(1+r)-r", "log(1+1/(1+r))-log(1+r)"],
)  # fmt: skip
def test_what_is_no_difference_of_logarithms_by_a_number_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        of_a_quotient(tree(text))


@pytest.mark.parametrize(
    "text", ["1+r", "r", "y", "2*y", "y*r+y+1", "sqrt(r)+r+1", "1/(1+y+r)", "(1+y+r)/(1+r)+y", "exp(r)+y"]
)
def test_what_is_no_sum_that_is_quadratic_is_refused(text: str) -> None:
    assert same(about_its_vertex(tree("y+2*r+3")), tree("(r+1)**2+2"))
    with pytest.raises(Rejected):
        about_its_vertex(tree(text))


def windowed(marks: list[str], a: str, b: str, low: str, high: str, text: str = "exp(-r)") -> Interval:
    problem = on_charts(text)
    with_windows(problem, marks)
    return in_a_window(problem, *map(Fraction, (a, b, low, high)), ())


@pytest.mark.parametrize("marks", [["1", "2"], ["1/2", "1", "3/2", "2", "3"], ["1", "3/2", "2"]])
def test_windows_that_cover_the_radii_ahead(marks: list[str]) -> None:
    """g(r + h) - g(r) = h for g(r) = r; the radii ahead of (1/2, 1) run from 1 to 2."""
    found = windowed(marks, "1/2", "1", "1/2", "1")
    assert Fraction(found.lo) <= Fraction(1, 2) and 1 <= Fraction(found.hi) <= 2


@pytest.mark.parametrize(
    "marks", [["1", "3/2"], ["3/2", "2"], ["11/10", "2", "3"], ["2", "3"], ["1/4", "1/2"], ["1/2", "1", "19/10"]]
)
def test_windows_that_leave_radii_out(marks: list[str]) -> None:
    with pytest.raises(Rejected, match="does not cover"):
        windowed(marks, "1/2", "1", "1/2", "1")


@pytest.mark.parametrize(
    "marks", [[], ["1"], ["0", "1"], ["-1", "1"], ["1", "1"], ["2", "1"], ["1", "2", "2"], None, "12"]
)
def test_windows_that_do_not_rise(marks: Any) -> None:
    with pytest.raises(Rejected):
        with_windows(on_charts("exp(-r)"), marks)


def test_windows_look_at_so_many_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpverify.kernel.sections.windows.MAX_HEIGHTS", 3)
    monkeypatch.setattr("dpverify.kernel.sections.windows.MAX_LOOKED_AT", 2)
    windowed(["1", "3/2", "2"], "1/2", "1", "1/2", "1")
    with pytest.raises(Rejected, match="of too many boxes"):
        windowed(["1", "3/2", "2", "3"], "1/2", "1", "1/2", "1")
    monkeypatch.setattr("dpverify.kernel.sections.windows.MAX_LOOKED_AT", 1)
    with pytest.raises(Rejected, match="have too many boxes"):
        windowed(["1", "3/2", "2"], "1/2", "1", "1/2", "1")


def reached(bound: str, text: str = "exp(-r)", **fields: Any) -> None:
    step = {"near": "box", "box": ["1", "2"], "shift": "1", **fields}
    witness.at_least(Proof(on_charts(text), Steps({"witness": step})), Fraction(bound))


def test_a_witness_reaches_its_bound() -> None:
    reached("1")
    reached("1", "exp(r)")  # a gain is a loss backwards
    reached("1/2", shift="1/2")
    reached("0", shift="1/10")
    reached("1", near="infinity", box=None, shift=None)
    reached("1", near="zero", box=None, shift=None)
    reached("1/3", "exp(-r/3)", near="infinity", box=None, shift=None)
    reached("1", "exp(r)", near="infinity", box=None, shift=None)


@pytest.mark.parametrize(
    ("bound", "text", "fields"),
    [
        ("1001/1000", "exp(-r)", {}),
        ("1001/1000", "exp(r)", {}),
        ("1", "exp(-r)", {"shift": "1/2"}),
        ("1", "exp(-r)", {"shift": "0"}),
        ("1", "exp(-r)", {"shift": "2"}),
        ("1", "exp(-r)", {"shift": "-1"}),
        ("1", "exp(-r)", {"near": "infinity"}),
        ("1", "exp(-r)", {"near": "infinity", "shift": None}),
        ("1", "exp(-r)", {"near": "infinity", "box": None}),
        ("1", "exp(-r)", {"near": "zero", "box": None}),
        ("1", "exp(-r)", {"near": "nowhere"}),
        ("1", "exp(-r)", {"near": ["box"]}),
        ("1", "exp(-r)", {"power": "1"}),
        ("1", "exp(-r)", {"note": ""}),
        ("1001/1000", "exp(-r)", {"near": "infinity", "box": None, "shift": None}),
        ("1/100", "exp(-1/(1+r))", {"near": "infinity", "box": None, "shift": None}),
    ],
)
def test_a_witness_that_is_none(bound: str, text: str, fields: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        reached(bound, text, **fields)


@pytest.mark.parametrize("step", [None, "slopes", ["near"], {"near": "box"}, {}])
def test_a_witness_is_an_object(step: Any) -> None:
    with pytest.raises(Rejected):
        witness.at_least(Proof(on_charts("exp(-r)"), Steps({"witness": step})), Fraction(1))


def test_a_limit_in_the_tail_is_exact_where_it_is_a_number() -> None:
    def far(text: str) -> Any:
        return witness.far_out(Proof(on_charts(text), Steps({})), {})

    assert far("exp(-r/3)") == Fraction(1, 3) == far("exp(r/3)")
    root = far("exp(-sqrt(2)*r)")
    assert isinstance(root, Interval) and root.lo <= interval(2).power(Fraction(1, 2)).hi and root.hi.is_finite()
    nothing = far("1/(1+r)")
    assert nothing == 0 or (nothing.lo <= 0 <= nothing.hi)


def test_the_tail_alone() -> None:
    tail = Tail(on_charts("exp(-r)"))
    tail.falls(None)
    tail.at_most({}, interval(1).hi)
    assert [limit.lo for limit in tail.limits(None)] == [1]
    for refuse in (
        lambda: tail.falls([]),
        lambda: tail.limits({}),
        lambda: tail.at_most({"phases": []}, INF),
        lambda: tail.at_most({}, interval(Fraction(99, 100)).lo),
        lambda: Tail(on_charts("exp(r)")).falls(None),
        lambda: Tail(on_charts("exp(-sqrt(1+y))")).at_most({}, interval(Fraction(9999, 10000)).lo),
        lambda: Tail(on_charts("exp(-r)*(1+r**3)*(2+cos(r))")).falls(None),
    ):
        with pytest.raises(Rejected):
            refuse()
    Tail(on_charts("1")).falls(None)


def ways(text: str, given: Any) -> tuple[Any, Steps]:
    problem, root = on_charts(text), tree(text)
    steps = Steps({"ways": given})
    return with_ways(problem, steps, SimpleNamespace(nodes=lambda: walk(root))), steps  # type: ignore[arg-type]


WAY = "exp(-r)*log(2+exp(-r))"


def numbered_as(kind: str) -> str:
    return next(str(node.number) for node in walk(tree(WAY)) if node.kind == kind)


def test_a_second_way_is_taken_on_its_charts_alone() -> None:
    problem, steps = ways(WAY, {"boxes": {numbered_as("log"): "value"}})
    assert isinstance(problem.at_box, Ways) and not isinstance(problem.at_infinity, Ways)
    with pytest.raises(Rejected, match="not evaluated"):
        steps.at_end[0]()
    node = next(node for node in walk(problem.tree) if node.kind == "log")
    at, plain = problem.at_box(interval(3)), problem.at_zero(interval(3))
    for _ in range(2):
        found, truth = at.value(node), plain.value(node)
        assert found.lo <= truth.hi and truth.lo <= found.hi
    assert problem.at_box.taken == {node.number}
    steps.at_end[0]()


@pytest.mark.parametrize(
    "given",
    [
        {}, [], None, "boxes", {"nowhere": {numbered_as("log"): "value"}}, {"boxes": {}}, {"boxes": []},
        {"boxes": [numbered_as("log")]}, {"boxes": {numbered_as("log"): "logs"}}, {"boxes": {numbered_as("log"): None}},
        {"boxes": {numbered_as("r"): "value"}}, {"boxes": {"99": "value"}}, {"boxes": {numbered_as("exp"): None}},
        {"boxes": {numbered_as("mul"): "value"}},
    ],
)  # fmt: skip
def test_ways_that_no_node_has(given: Any) -> None:
    with pytest.raises(Rejected):
        ways(WAY, given)


def test_a_need_of_another_kind_is_not_made_bare() -> None:
    for kind in ("no pole", "nonnegative"):
        for text in ("(r-1)**2", "sqrt(r-1)", "Abs(r-1)", "(r-1)**(-2)"):
            other = Need(kind, tree(text), ())
            assert bare(other) is other
    branch = Need("branch", (), ())
    assert bare(branch) is branch


def test_a_way_that_no_section_brings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpverify.kernel.sections.needs.PROVING", {})
    with pytest.raises(Rejected, match="no section listed brings"):
        proving("radius")


@pytest.mark.parametrize(
    ("text", "part", "way", "asked"),
    [
        ("1/2-(1+r)*exp(-r)", "-1*((1+r)*exp(-r))", "logs", "value"),
        ("1/2+(1+r)*exp(-r)", "(1+r)*exp(-r)", "logs", "value"),
        ("1/2+log(2+exp(-r))", "log(2+exp(-r))", "value", "value"),
        ("2+exp(-r)", "2+exp(-r)", "value", "log"),
    ],
)
def test_far_out_a_second_way_leads_to_the_same(text: str, part: str, way: str, asked: str) -> None:
    """The node named is taken so, and no other; its enclosure meets that of the first way."""
    node = next(n for n in walk(tree(text)) if same(n, tree(part)))
    problem, _ = ways(text, {"infinity": {str(node.number): way}})
    node = next(n for n in walk(problem.tree) if n.number == node.number)
    at, plain = (chart(problem.infinity.radius()) for chart in (problem.at_infinity, problem.at_box))
    if asked == "value":
        found, truth = at.value(node).span(), plain.value(node).span()
    else:
        (sign, log), (other, plainly) = at.log(node), plain.log(node)
        found, truth = log.span(), plainly.span()
        assert sign == other == 1
    assert found.lo <= truth.hi and truth.lo <= found.hi and found.finite()
    assert problem.at_infinity.taken == {node.number}
    elsewhere = Ways(())
    for other_node in walk(problem.tree):
        elsewhere(problem.infinity.radius()).value(other_node)
    elsewhere(problem.infinity.radius()).log(problem.tree)
    assert elsewhere.taken == set()


def test_every_chart_has_its_ways() -> None:
    number = numbered_as("log")
    problem, _ = ways(WAY, {place: {number: "value"} for place in ("zero", "boxes", "infinity")})
    assert all(isinstance(at, Ways) for at in (problem.at_zero, problem.at_box, problem.at_infinity))
    assert Node("r").kind == "r"

"""What is never reached: extents by hand, maxima and branches beside values at radii, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpverify import check, verify
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import interval
from dpverify.kernel.reader import Need, Reader
from dpverify.kernel.sections.absent import rewritten
from dpverify.kernel.sections.analytic import parts, zeros_isolated
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.extents import extent, short
from dpverify.kernel.sections.positivity import met_by_parts
from dpverify.kernel.sections.unreached import always, chosen, not_less, reached
from dpverify.kernel.tree import Node, length, num, walk
from tests.kernel.problems import on_charts, tree
from tests.kernel.test_cancelling import GALLERY, epsilon, forged, step, without

Q = Fraction
H = Q(11, 7)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        *(("-7/3", Q(-7, 3), Q(-7, 3)), ("r", 0, None), ("pi", 0, None), ("log(r)", None, None), ("floor(r)", 0, None)),
        *(("cos(r)", -1, 1), ("sin(1/(r-1))", -1, 1), ("atan(1/(r-1))", -H, H), ("erfc(r-1)", 0, 2)),
        *(("3+2*cos(r)-5*sin(2*r)", -4, 10), ("1+r", 1, None), ("cos(r)-r", None, 1), ("log(r)-1", None, None)),
        *(("cos(r)+log(r)", None, None), ("log(r)-r", None, None), ("(r-1)**2-4", -4, None)),
        *(("-3*exp(-r)", -3, 0), ("2*exp(-r)", 0, 2), ("0*log(r)", 0, 0), ("exp(-r)*exp(-y)*erfc(cos(r))", 0, 2)),
        *(("3*exp(-r)*(2+atan(r))", 0, 3 * (2 + H)), ("-3*exp(-r)*(2+cos(r))", -9, 0), ("exp(-r)*cos(r)", None, None)),
        *(("cos(r)*exp(-r)", None, None), ("(1+r)*(2+r)*exp(-r)", 0, None), ("(2+cos(r))*exp(-r)*(1+r)", 0, None)),
        *(("(5+cos(r))*(4+sin(r))/7", Q(12, 7), Q(30, 7)), ("log(r)*exp(-r)", None, None)),
        *(("(1+r)**0", 0, 1), ("1/2+exp(-r)", Q(1, 2), Q(3, 2)), ("0*r", 0, 0), ("0*log(r)*exp(-r)", 0, 0)),
        *(("1+frac(r)", 1, 2), ("frac(r-2*cos(r))+frac(2*r)-floor(y)", None, 2), ("cos(r)-2*frac(r+y)", -3, 1)),
        *(("r-2*floor(r)", None, None), ("r-floor(r+y)", None, None), ("r+r-floor(r)-floor(r)", 0, 2)),
        *(("(1+y)**-3", 0, 1), ("(1+y)**(1/2)", 1, None), ("(1/2+cos(r))**-1", None, None), ("(r-1)**-1", None, None)),
        *(("(2+cos(r))**-1", 0, 1), ("r**-2", 0, None), ("log(r)**3", None, None), ("log(r)**2", 0, None)),
        *(("exp(r)", 1, None), ("exp(-r)", 0, 1), ("exp(cos(r))", 0, None), ("exp(log(r)*cos(r))", 0, None)),
        *(("exp(-(r-1)**2)", 0, 1), ("exp(cos(r)-1)", 0, 1), ("exp(1+cos(r))", 1, None)),
        *(("Max(cos(r),-1/3)", Q(-1, 3), 1), ("Max(log(r),2)", 2, None), ("Max(log(r),-r)", None, None)),
        *(("Max(-1-cos(r),-5-sin(r))", -2, 0), ("Piecewise((cos(r),r<2),(4,True))", -1, 4)),
        *(("Piecewise((log(r),r<2),(4,True))", None, None), ("Piecewise((r,r<2),(4,True))", 0, None)),
        *(("Piecewise((-r,r<2),(4,True))", None, 4), ("tanh(1/(r-1))", -1, 1), ("-Abs(cos(r))", -1, 0)),
        *(("1-frac(r)", 0, 1), ("floor(r)-r", -1, 0), ("frac(r)*(1-frac(r))", 0, 1), ("floor(y)-y-frac(r)", -2, 0)),
        *(("1-frac(r+1/2)", 0, 1), ("Abs(r-round(r))", 0, Q(1, 2)), ("floor(2*r)-r-r", None, None)),
        *(("2*floor(r)-2*r", None, None), ("floor(r)+r", 0, None), ("-floor(r)-r", None, 0)),
    ],
)
def test_an_extent_is_what_the_form_shows(text: str, low: Any, high: Any) -> None:
    assert extent(tree(text)) == (low, high)


def test_a_factor_that_is_one_node_twice_is_shared_once() -> None:
    """2 w^2 is less than 3 w/2 where w < 3/4, and 2 w^2 is at least 3 w^2/2."""
    w = tree("atan(r)")
    twice, once = Node("mul", num(2), w, w), Node("mul", num(Q(3, 2)), w)
    assert not not_less(twice, once) and not not_less(once, twice)
    assert not_less(twice, Node("mul", num(Q(3, 2)), w, w)) and not_less(Node("mul", num(2), w), once)


def test_one_node_in_two_places_counts_twice() -> None:
    r = tree("r")
    assert extent(Node("add", r, r, tree("-floor(r)"))) == (0, None)
    assert extent(Node("add", r, tree("-floor(r)"), tree("cos(r)"))) == (-1, 2)
    down, up = tree("-floor(r)"), tree("floor(r)")
    assert extent(Node("add", r, r, down, down)) == (0, 2)
    assert extent(Node("add", r, down, down)) == (None, 1)
    assert extent(Node("add", up, up, tree("-r"))) == (-1, None)


def test_a_long_bound_is_not_known() -> None:
    long = Q(2**2_000)
    assert short(long / 2) is None and short(long / 4) == long / 4 and length(long / 4) == 2_000
    assert short(None) is None and extent(num(long)) == (None, None)


def left(text: str, rule: Callable[[Any], Any]) -> Any:
    found = rule(tree(text))
    for k in range(1, 40):  # the same value, where it is the text's
        r = Evaluation(interval(Q(k, 7)))
        try:
            there = r.value(tree(text))
        except Rejected:  # a condition that an enclosure leaves open
            continue
        assert (r.value(found) - there).sign() != 1 and (r.value(found) - there).sign() != -1
    return found


@pytest.mark.parametrize(
    ("text", "other"),
    [
        *(("Max(1,tanh(1/(r-2)))", "1"), ("Max(-1,-2-exp(1/(r-2)))", "-1"), ("Max(2,atan(1/(r-2)))", "2")),
        *(("Max(exp(-r),exp(-r)-exp(cos(r)))", "exp(-r)"), ("Max(cos(r),r+cos(r))", "r+cos(r)"), ("Max(r,r)", "r")),
        *(("Max(exp(-r)*(1+cos(r)**2),exp(-r))", "exp(-r)*(1+cos(r)**2)"), ("Max(-r*(2+sin(y)),-r)", "-r")),
        *(("Max(log(r)+exp(r),log(r),r)", "Max(log(r)+exp(r),r)"), ("Max(log(r),r-1,log(r)-r,r)", "Max(log(r),r)")),
        *(
            ("Max(2*log(r)-log(r),log(r))", "log(r)"),
            ("Max(log(r),log(r)-1/2)", "log(r)"),
            ("Max(0,-(r-1)**2)", "0"),
            ("Max(r-cos(r),1+r)", "1+r"),
        ),
    ],
)
def test_a_part_that_never_exceeds_another_is_left_out(text: str, other: str) -> None:
    found = left(text, reached)
    r = interval(Q(13, 7))
    assert found.kind == tree(other).kind and len(found.args) == len(tree(other).args)
    assert (Evaluation(r).value(found) - Evaluation(r).value(tree(other))).sign() in (0, None)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Max(r,1)",
            "Max(0,r-1)",
            "Max(r-1,1-r)",
            "Max(1,1+cos(r))",
            "Max(cos(r),cos(r)*exp(-r))",
            "Max(1,3/2*cos(r))",
        ),
        *("Max(log(r),2*log(r))", "Max(log(r)*exp(-r),2*log(r)*exp(-r))", "Max(1,2*exp(-r))", "Max(3/2,atan(r-1))"),
        *("Max(exp(-r),exp(-r)*(1+cos(r)))", "Max(2*exp(-r),exp(-r)*(2+cos(r)))"),
    ],
)
def test_a_part_that_may_exceed_the_others_is_kept(text: str) -> None:
    with pytest.raises(Rejected, match="no part of a maximum"):
        reached(tree(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("sign(1+cos(r)**2)", 1), ("Heaviside(1+exp(1/(r-1)))", 1), ("sign(-1-r)", -1), ("sign(0*log(r))", 0)),
        *(("Piecewise((5,cos(r)**2>=0),(3,True))", 5), ("Piecewise((5,cos(r)**2<0),(3,True))", 3)),
        *(("Piecewise((5,2+cos(r)<=0),(3,True))", 3), ("Piecewise((5,(r>0)&(2>1)),(3,True))", 5)),
        *(("Piecewise((5,(r<0)|(2<1)),(3,True))", 3), ("Piecewise((5,(r<1)|(2>1)),(3,True))", 5)),
        *(("Piecewise((5,(r<1)&(2<1)),(3,True))", 3), ("Piecewise((5,~(r>0)),(3,True))", 3)),
        *(("Piecewise((5,~(r<0)),(3,True))", 5), ("Piecewise((5,log(r)-log(r)<1),(3,True))", 5)),
        ("Piecewise((5,False),(3,True),(4,r<1))", 3),
    ],
)
def test_a_branch_that_is_always_chosen_is_the_value(text: str, value: int) -> None:
    found = left(text, chosen)
    assert found.kind == "num" and found.args[0] == value


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Piecewise((1,r<0),(2,r<3),(3,r>0),(4,True))", [2, 3]),
        ("Piecewise((1,r<3),(3,r+1<=0),(4,True))", [1, 4]),
        ("Piecewise((1,r<3),(3,r<0))", [1]),
        ("Piecewise((1,r<3),(2,True),(3,True))", [1, 2]),
    ],
)
def test_branches_that_may_be_chosen_are_kept(text: str, kept: list[int]) -> None:
    whole, found = tree(text), left(text, chosen)
    assert found.kind == "piece" and [v.args[0] for v, _ in found.args] == kept
    assert chosen(whole).args == tuple(branch for branch in whole.args if branch[0].args[0] in kept)


@pytest.mark.parametrize(
    "text",
    [
        *("sign(r-1)", "Piecewise((1,r<1),(2,True))", "Piecewise((1,cos(r)**2>0),(2,True))", "Piecewise((1,r<1))"),
        *("Piecewise((1,-(r-1)**2>=0),(2,True))", "Piecewise((1,1+cos(r)>0),(2,True))", "Piecewise((1,r<0))"),
        *(
            "Piecewise((1,(r>0)&(r<1)),(2,True))",
            "Piecewise((1,(r<0)|(r<1)),(2,True))",
            "Piecewise((1,~(r<1)),(2,True))",
        ),
    ],
)
def test_branches_of_which_each_may_be_chosen_are_refused(text: str) -> None:
    with pytest.raises(Rejected, match="every branch may be chosen"):
        chosen(tree(text))


def test_an_open_condition_is_open() -> None:
    assert always(tree("Piecewise((1,r<1),(2,True))").args[0][1]) is None


def test_conditions_and_needs_are_rewritten_with_the_tree() -> None:
    reader = Reader("Piecewise((exp(-r),0*log(cos(r)**2)<1),(1/(2+0*cos(r)),True))", {})
    whole = reader.roots(reader.tree())
    zeros = [n.number for n in walk(whole) if n.kind == "mul" and n.args[0].kind == "num" and not n.args[0].args[0]]
    assert len(zeros) == 2
    f, *needs = rewritten(whole, zeros)
    kinds = [node.kind for node in walk(f)]
    assert "cos" not in kinds and "log" not in kinds
    assert [node.kind for node, _ in needs] == ["mul", "num"]  # cos^2 has a form of its own; 2 + 0
    assert type(f.args[0][1]) is type(whole[0].args[0][1])  # which knows its truth
    guard = needs[1][1]
    assert f.args[0][1][1][1].args[0] == 1 and guard[0][0][1][1] is f.args[0][1][1][1]  # one node stays one
    with pytest.raises(Rejected, match="names no node"):
        rewritten(whole, [10**6])


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("log((r-2)**2)", ["-1+(r-2)**2"]),
        ("log(1-cos(r))", ["-1", "cos(r)"]),
        ("(r-1)*log(r)*exp(-r)", ["r-1", "r-1"]),
        ("Abs(cos(r))**-3", ["cos(r)"]),
        ("2+cos(r)", []),
        ("cos(r)-1/2", ["cos(r)-1/2"]),
    ],
)
def test_a_node_is_zero_where_one_of_its_parts_is(text: str, inner: list[str]) -> None:
    found = parts(tree(text))
    r = interval(Q(13, 7))
    assert len(found) == len(inner)
    for node, other in zip(found, inner, strict=True):
        assert (Evaluation(r).value(node) - Evaluation(r).value(tree(other))).sign() in (0, None)


def test_zeros_of_logarithms_are_isolated_where_what_they_are_of_is_analytic() -> None:
    p = on_charts("exp(-r)")
    for text in ("log((r-2)**2)", "1/log(1-cos(r))", "Abs(r-1)*log(r**2)"):
        zeros_isolated(p, Q(5, 7), Need("nonzero", tree(text), ()))
    for text in ("log(Max(1,r))", "log(1+0*r)", "Abs(Max(r,1)-1)", "log(1+floor(r))", "Max(0,r-1)*log(r)"):
        with pytest.raises(Rejected, match=r"not shown (analytic|other than 0)"):
            zeros_isolated(p, Q(5, 7), Need("nonzero", tree(text), ()))


def test_a_need_for_no_negative_value_is_met_by_an_extent() -> None:
    node = tree("3/2-tanh(1/(r-1))")
    assert met_by_parts(Need("nonnegative", tree("1-exp(-r)"), ()))
    assert not met_by_parts(Need("positive", tree("1-exp(-r)"), ())) and met_by_parts(Need("positive", node, ()))
    assert not met_by_parts(Need("nonnegative", tree("1-2*exp(-r)"), ()))
    assert not met_by_parts(Need("nonzero", tree("1-exp(-r)"), ()))
    assert not met_by_parts(Need("nonnegative", tree("log(r)"), ()))
    for kind in ("positive", "nonzero", "nonnegative"):
        assert met_by_parts(Need(kind, tree("3/2+tanh(1/(r-1))"), ()))


NAME = "a-bound-that-never-binds"


# f = exp(-r) almost everywhere, whose epsilon is 1
@pytest.mark.parametrize(
    "change",
    [
        step("absent", []),
        step("absent", [1]),
        step("absent", 7),
        step("absent", ["33"]),
        without("absent"),
        epsilon(upper="99/100"),
        epsilon(lower="101/100"),
        lambda c: c["rules"].pop("unreached"),
        *(
            lambda c, text=text: c["claim"].update(generator=text)
            for text in (
                "exp(-r)*Min(1,exp(1/(r-1)))*sign(2+sin(1/(r-2)))",
                "exp(-r)*Min(1,-2+exp(1/(r-1)))*sign(2+sin(1/(r-2)))",
                "exp(-r)*Max(1,2+exp(1/(r-1)))*sign(2+sin(1/(r-2)))",
                "exp(-r)*Min(1,2+exp(1/(r-1)))*sign(2*sin(1/(r-2)))",
                "exp(-r)*Min(1,2+exp(1/(r-r)))*sign(2+sin(1/(r-2)))",
                "exp(-r)*Min(1,2+exp(1/(r-1)))*sign(2+sin(1/Max(0,r-2)))",
            )
        ),
    ],
)
def test_forged_certificates_are_refused(change: Callable[[dict[str, Any]], None]) -> None:
    assert check_bytes((GALLERY / f"{NAME}.json").read_bytes())
    with pytest.raises(Rejected):
        check_bytes(forged(NAME, change))


@pytest.mark.parametrize(
    "text",
    [
        "1/(1/exp(-r)+0*1/(y-7*r/3))",
        "Piecewise((exp(-r),0*1/(y-r/10)<1),(1,True))",
        "Piecewise((exp(-r),0*1/(log(1+log(1+3*y))-1/2)<1),(1,True))",
        "Min(exp(-r),exp(-r)+exp(cos(2*r)))",
        "exp(-r)*Min(1,2+exp(1/(r-2)))",
        "exp(-r)+0/log(1-cos(r))",
        "exp(-r)*log((r-2)**2)**0",
        "exp(-r)*(3+tanh(cos(1/Abs(r-1/2))))/(3+tanh(cos(1/Abs(r-1/2))))",
    ],
)
def test_what_is_never_reached_changes_no_epsilon(text: str) -> None:
    found = verify(text)
    assert found.verdict == "private" and found.epsilon is not None
    assert found.epsilon.lower <= 1 <= found.epsilon.upper
    assert found.certificate is not None and check(found.certificate).accepted


@pytest.mark.parametrize(
    "text",
    ["exp(-r)*Min(1,2+log(r-1)**2)", "Piecewise((exp(-r),0*sqrt(r-1)<1),(1,True))", "exp(-r)*sign(2+cos(1/floor(r)))"],
)
def test_what_is_never_reached_has_to_have_a_value(text: str) -> None:
    found = verify(text)
    assert found.verdict == "invalid" and found.hypotheses.defined.status == "refuted"

"""What cancels or does not matter, and needs that the form meets: beside mpmath and by hand; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import check, verify
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import interval
from dpverify.kernel.reader import Need, Reader
from dpverify.kernel.sections.absent import cancelled, rewritten
from dpverify.kernel.sections.analytic import zeros_isolated
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.extents import extent
from dpverify.kernel.sections.positivity import met_by_parts
from dpverify.kernel.tree import walk
from tests.kernel.problems import on_charts, tree
from tests.kernel.test_cancelling import GALLERY, epsilon, forged, step, without
from tests.kernel.test_models import inside

Q = Fraction
Change = Callable[[dict[str, Any]], None]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0*log(1+r)", 0),
        ("0*exp(r)*cos(r)", 0),
        ("(r-1)**0", 1),
        ("cos(r)**0", 1),
        ("(2+cos(r))/(2+cos(r))", 1),
        ("3*log(1+r)**-2*log(1+r)**2", 3),
        ("exp(log(2+r))*exp(-log(2+r))", 1),
        ("exp(log(2+r))/exp(log(2+r))", 1),
        ("sqrt(cos(r))*sqrt(cos(r))/cos(r)", 1),
    ],
)
def test_what_cancels_altogether_is_a_number(text: str, number: int) -> None:
    found = cancelled(tree(text))
    assert (found.kind, *found.args) == ("num", number)


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("(r-5/3)*exp(-r)/(r-5/3)**3", lambda r: mpmath.exp(-r) / (r - mpmath.mpf(5) / 3) ** 2),
        ("log(1+r)*cos(r)*log(1+r)/sqrt(cos(r))", lambda r: mpmath.log(1 + r) ** 2 * mpmath.sqrt(mpmath.cos(r))),
        ("sqrt(log(2+r))*log(2+r)**(1/3)*2", lambda r: 2 * mpmath.log(2 + r) ** (mpmath.mpf(5) / 6)),
        ("exp(cos(r))*atan(r)/exp(-cos(r))", lambda r: mpmath.exp(2 * mpmath.cos(r)) * mpmath.atan(r)),
        ("exp(-r)*exp(-r)/exp(r)", lambda r: mpmath.exp(-3 * r)),
    ],
)
def test_powers_of_one_base_are_one_power_with_the_sum_of_the_exponents(text: str, truth: Callable[[Any], Any]) -> None:
    whole = tree(text)
    other = cancelled(whole)
    assert len(other.args) < len(whole.args) or other.kind == "pow"
    with mpmath.workdps(60):
        for r in (Q(1, 7), Q(1), Q(20, 3)):
            if text.count("cos") < 2 or mpmath.cos(float(r)) > 0:
                assert inside(Evaluation(interval(r)).value(other), truth(mpmath.mpf(r.numerator) / r.denominator))


@pytest.mark.parametrize(
    "text",
    [
        *("r", "1+0*r", "cos(r)**2", "cos(r)**-1", "log(1+r)*log(2+r)", "exp(-r)*exp(2*r)", "2*exp(cos(r))"),
        *("exp(cos(r))*exp(1-cos(r))", "log(1+r)*cos(log(1+r))", "Max(cos(r),1)*Max(1,cos(r))"),
        "besselk(0,r)*log(1+r)",  # whose order 0 is no factor
    ],
)
def test_what_does_not_cancel_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match=r"no product|no two|another exponent"):
        cancelled(tree(text))


def test_wholes_come_before_parts_that_a_number_replaces() -> None:
    whole = tree("exp(-r)*(1+0*log(1+cos(r)**0))")
    product, power = 12, 8
    kinds = {node.number: node.kind for node in walk(whole)}
    assert (kinds[product], kinds[power]) == ("mul", "pow")
    assert len(walk(rewritten(whole, [product]))) == len(walk(rewritten(whole, [power, product])))
    with pytest.raises(Rejected, match="names no node"):
        rewritten(whole, [product, power])


def test_a_list_of_nodes_is_short_and_of_numbers() -> None:
    whole = tree("+".join(f"0*cos({k}*r)" for k in range(1, 42)))
    products = [node.number for node in walk(whole) if node.kind == "mul" and not node.args[0].args[0]]
    assert len(products) == 41 and len(walk(rewritten(whole, products[:40]))) < len(walk(whole)) / 10
    for given in (products, [], "12", None, [True], [str(products[0])], [products[0], 1.0]):
        with pytest.raises(Rejected, match="absent is not a list of nodes"):
            rewritten(whole, given)


def test_what_is_left_of_a_sum_keeps_its_number() -> None:
    whole = tree("exp(-log(2+r)+0*cos(r))")
    product = next(node.number for node in walk(whole) if node.kind == "mul" and not node.args[0].args[0])
    kept = {
        n.kind: n.number for n in walk(whole) if n.kind in ("log", "exp") or (n.kind == "mul" and n.number != product)
    }
    left = rewritten(whole, [product])
    assert {n.kind: n.number for n in walk(left) if n.kind in kept} == kept


def typed(generator: str) -> Change:
    return lambda c: c["claim"].update(generator=generator)


REST = "*(2+cos(y))/(2+cos(y))"


# f = 2 exp(-r) almost everywhere, whose epsilon is 1
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("parts-that-cancel", step("absent", [])),
        ("parts-that-cancel", step("absent", [1])),
        ("parts-that-cancel", step("absent", [10**6])),
        ("parts-that-cancel", step("absent", [32, 32])),
        ("parts-that-cancel", without("absent")),
        ("parts-that-cancel", epsilon(upper="99/100")),
        ("parts-that-cancel", epsilon(lower="101/100")),
        ("parts-that-cancel", typed(f"exp(-r)*(1+(r-1)**0+0*log(r-sqrt(2))){REST}")),  # no value before sqrt(2)
        ("parts-that-cancel", typed(f"exp(-r)*(1+(r-r)**0+0*log((r-sqrt(2))**2)){REST}")),  # nor anywhere
        ("parts-that-cancel", typed(f"exp(-r)*(1+Max(0,r-1)**0+0*log((r-sqrt(2))**2)){REST}")),  # nor up to 1
        ("parts-that-cancel", typed("exp(-r)*(1+(r-1)**0+0*log((r-sqrt(2))**2))*(2+cos(y))/(3+cos(y))")),
        ("parts-that-cancel", typed(f"exp(-r)*(1+(r-1)**1+0*log((r-sqrt(2))**2)){REST}")),
        ("parts-that-cancel", typed(f"exp(-r)*(1+(r-1)**0+1*log((r-sqrt(2))**2)){REST}")),
        ("needs-by-form", typed("exp(-r)*(1+exp(-2*r)/(3+4*cos(r)))")),
        ("needs-by-form", typed("exp(-r)*(1+exp(-2*r)/(3+3*cos(r)))")),
        ("needs-by-form", typed("exp(-r)*(1+exp(-2*r)/(2*cos(r)))")),
    ],
)
def test_forged_certificates_are_refused(name: str, change: Change) -> None:
    assert check_bytes((GALLERY / f"{name}.json").read_bytes())
    with pytest.raises(Rejected):
        check_bytes(forged(name, change))


@pytest.mark.parametrize(
    ("node", "met"),
    [
        *(("3+2*cos(r)", True), ("2+2*cos(r)", False), ("1+cos(r)**2", True), ("1+(r-2)**2", True)),
        *(("(r-2)**2", False), ("r-1/4+(r-2)**2", False), ("(r-2)**2+r/9", True), ("(r-2)**2+exp(-r)", True)),
        *(
            ("Max(cos(r),exp(-r))", True),
            ("Max(cos(r),1/3)", True),
            ("Max(cos(r),0)", False),
            ("1+Max(cos(r),0)", True),
            ("Max(cos(r),-r)", False),
        ),
        *(("r*(1+Abs(cos(r)))", True), ("(1+Abs(cos(r)))**-3", True), ("cos(r)*(2+cos(r))", False)),
        *(("Piecewise((1+Abs(r-3),r<2),(r,True))", True), ("Piecewise((1,r<2),(r-1,True))", False)),
        *(
            ("-1/2+Abs(cos(r))", False),
            ("cos(r)", False),
            ("1+cos(r)+sin(2*r)", False),
            ("exp(-r)+cos(r)+(r-2)**2", False),
            ("2-1/4+cos(r)-sin(r)/2", True),
        ),
    ],
)
def test_a_need_is_met_by_form_where_the_node_is_positive(node: str, met: bool) -> None:
    part = tree(node)
    if met:  # by the text as it is typed, at radii that are not special
        f = Reader(node, {}).tree()
        values = [Evaluation(interval(Q(k, 9))).value(f) for k in range(1, 60)]
        assert all(value.lo > 0 for value in values)
    for kind in ("positive", "nonzero"):
        assert met_by_parts(Need(kind, part, ())) is met
    low = extent(part)[0]
    assert met_by_parts(Need("nonnegative", part, ())) is (met or (low is not None and low >= 0))


def test_a_branch_or_a_pole_of_gamma_is_no_need_for_a_sign() -> None:
    for kind in ("branch", "no pole"):
        assert not met_by_parts(Need(kind, tree("1+Abs(cos(r))"), ()))


def test_what_is_never_negative_is_positive_beside_isolated_zeros() -> None:
    p = on_charts("exp(-r)")
    zeros_isolated(p, Q(5, 7), Need("positive", tree("1-cos(r)"), ()))
    zeros_isolated(p, Q(5, 7), Need("nonzero", tree("1-2*cos(r)"), ()))
    for kind, text in (("positive", "1-2*cos(r)"), ("positive", "cos(r)"), ("nonnegative", "1-cos(r)")):
        with pytest.raises(Rejected, match="need is for a sign"):
            zeros_isolated(p, Q(5, 7), Need(kind, tree(text), ()))


# Laplace's epsilon is 1 for every part that has a value at almost every radius, in any dress.
@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)+0*(Max(r**(3/4),20*r)-1)**0",
        "exp(-r)+0*(sqrt(1+7*r/2)-2)**0",
        "exp(-r)*(asinh(20*r)-1)**0",
        "exp(-r)*((asinh(20*r)-1)**0)**0",
        "exp(-r)+0*log(1-cos(r))",
        "exp(-r)*(1-cos(r))*(1-cos(r))**-1",
        "exp(-r)/(log(r)/log(r))",
        "exp(-r)*exp(1/(r-2))*exp(-1/(r-2))",
        "exp(-r)*exp(1/sin(r))/exp(1/sin(r))",
        "exp(-r)*(1+log((r-5)**2)**2)/(1+log((r-5)**2)**2)",
        "exp(-r)*asinh(sinh(1+0*(r-7/3)**-1))",
        "Piecewise((exp(-r),r<50),(exp(-r)+0*log(1-cos(r)),True))",
        "exp(-r)*2**(0*log(1-cos(r)))",
    ],
)
def test_what_does_not_matter_changes_no_epsilon(text: str) -> None:
    found = verify(text)
    assert found.verdict == "private"
    assert found.epsilon is not None and found.epsilon.lower <= 1 <= found.epsilon.upper
    assert found.epsilon.upper - found.epsilon.lower < Q(1, 10**9)
    assert found.certificate is not None and check(found.certificate).accepted


@pytest.mark.parametrize(
    "text", ["exp(-r)+0*log(cos(r))", "exp(-r)*Max(0,r-1)**0", "exp(-r)*(r-r)/(r-r)", "exp(-r)*log(r-1)*log(r-1)**-1"]
)
def test_what_has_no_value_on_an_interval_matters(text: str) -> None:
    found = verify(text)
    assert found.verdict == "invalid" and found.hypotheses.defined.status == "refuted"

"""Logarithms of what vanishes with a part of it, by that of the part (K564), beside mpmath's Taylor series."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import factorial
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import ONE, ZERO, Interval, hull, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import LEDGER, RULES, Ledger
from dpverify.kernel.sections import vanishing
from dpverify.kernel.sections.charts import with_slope
from dpverify.kernel.sections.evaluation import Evaluation, log_of_value
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.jets import WIDE, Jet, Series, panel
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.tree import Node, num, same
from dpverify.serialise import digest

for section in SECTIONS:
    load_section(section)

Q = Fraction
GALLERY = Path(__file__).resolve().parents[2] / "certificates" / "profiles"
ORDER = 8
KNOWN: dict[str, Callable[[Any], Any]] = {
    "sin(exp(-r))": lambda r: mp.sin(mp.exp(-r)),
    "sinh(exp(-r))": lambda r: mp.sinh(mp.exp(-r)),
    "asinh(exp(-r))": lambda r: mp.asinh(mp.exp(-r)),
    "tanh(exp(-r))": lambda r: mp.tanh(mp.exp(-r)),
    "1 - exp(-exp(-r))": lambda r: -mp.expm1(-mp.exp(-r)),
    "exp(exp(-r)) - 1": lambda r: mp.expm1(mp.exp(-r)),
    "atan(1/(1 + y)**3)": lambda r: mp.atan(1 / (1 + r * r) ** 3),
    "sin(1/(1 + r)**2)": lambda r: mp.sin(1 / (1 + r) ** 2),
    "1 - cos(exp(-r))": lambda r: 1 - mp.cos(mp.exp(-r)),
    "atan(exp(-r)) + exp(-r)/2": lambda r: mp.atan(mp.exp(-r)) + mp.exp(-r) / 2,
}
PANELS = [(Q(3, 2), Q(1, 4)), (Q(3), Q(1)), (Q(9), Q(3))]


def tree(text: str) -> Node:
    return Reader(text, {}).tree()


def near(text: str, r: Any) -> tuple[int, Any] | None:
    return vanishing.by_its_part(Evaluation(r), tree(text))


def listed(numbers: set[str], work: Callable[[], Any]) -> Any:
    token = LEDGER.set(Ledger(frozenset(numbers)))
    try:
        return work()
    finally:
        LEDGER.reset(token)


@pytest.mark.parametrize("text", KNOWN)
@pytest.mark.parametrize(("middle", "half"), PANELS, ids=str)
def test_the_coefficients_about_any_point_of_a_panel(text: str, middle: Fraction, half: Fraction) -> None:
    found = near(text, panel(ORDER, (middle, half)).whole)
    assert found is not None and found[0] == 1
    with mp.workdps(80):
        m, h = (mp.mpf(x.numerator) / x.denominator for x in (middle, half))
        for x in (-1, mp.mpf(-1) / 3, 0, mp.mpf(1) / 2, 1):
            truth = mp.taylor(lambda t: mp.log(KNOWN[text](m + h * t)), x, ORDER)
            for c, value in zip(found[1].c, truth, strict=True):
                slack = mp.mpf(10) ** -25  # mpmath's, of its differences
                assert mp.mpf(str(c.lo)) - slack <= value <= mp.mpf(str(c.hi)) + slack


@pytest.mark.parametrize("text", ["tanh(exp(-r))", "asinh(exp(-r))", "sin(exp(-r))"])
def test_far_out_nothing_is_lost_about_one_radius(text: str) -> None:
    """Where 1 - 2/(1 + e^(2w)) has lost 13 digits, and where w is too large it is not asked."""
    found = near(text, panel(ORDER, (Q(30), Q(1))).middle)
    assert found is not None
    with mp.workdps(80):
        truth = mp.taylor(lambda t: mp.log(KNOWN[text](30 + t)), 0, 3)
        for c, value in zip(found[1].c, truth, strict=False):
            assert mp.mpf(str(c.lo)) - mp.mpf(10) ** -25 <= value <= mp.mpf(str(c.hi)) + mp.mpf(10) ** -25
            assert c.hi - c.lo < Decimal("1e-30")
    assert near(text, panel(ORDER, (Q(3), Q(1))).middle) is None


def test_far_closer_than_by_a_recurrence() -> None:
    r = panel(ORDER, (Q(8), Q(2))).whole
    plain, better = (
        listed((set(RULES) - {"K564"}) | more, lambda: Evaluation(r).log(tree("sin(exp(-r))"))[1])
        for more in (set[str](), {"K564"})
    )
    assert (plain.c[ORDER].hi - plain.c[ORDER].lo) / (better.c[ORDER].hi - better.c[ORDER].lo) > 10**6


@pytest.mark.parametrize(
    "text",
    [
        "cos(exp(-r))",  # not 0 with its part
        "sin(exp(-r)) + r*exp(-2*r)",  # of r beside the part
        "sin(-exp(-r))",  # negative
        "log(1 - exp(-r)/2)",  # the argument of a logarithm is not positive by its form
        "sqrt(1 - exp(-r)) - 1",
        "exp(-r)",  # positive by its form, and its own logarithm
        "sqrt(sin(exp(-r)))",  # not analytic at 0
        "sqrt(2 + exp(-r)) - sqrt(2)",  # whose value at 0 is not known exactly
        "erfc(exp(-r)) - 1",
        "sin(1/(1 + r)) - sin(r)",
        "Piecewise((sin(exp(-r)), r < 1), (sin(exp(-r)), True))",
        "sin(1 + exp(-r))",  # sin 1, where the part is 0
        "-log(1 - exp(-r)/2)",
        "sin(exp(-r))**2 - sin(exp(-r))/10",  # w^2 - w/10 + ..., of both signs between r = 2 and 3
    ],
)
@pytest.mark.parametrize("middle", [Q(5, 2), Q(6)], ids=str)
def test_of_what_nothing_is_said(text: str, middle: Fraction) -> None:
    assert near(text, panel(ORDER, (middle, Q(1))).whole) is None


def test_a_part_is_small() -> None:
    """e^-r is at most a half from log 2 = 0.693... on."""
    assert near("sin(exp(-r))", panel(ORDER, (Q(8, 10), Q(1, 20))).whole) is not None
    assert near("sin(exp(-r))", panel(ORDER, (Q(7, 10), Q(1, 20))).whole) is None
    assert near("sin(1/r)", panel(ORDER, (Q(64), Q(1))).middle) is not None
    assert near("sin(1/r)", panel(ORDER, (Q(63), Q(1))).middle) is None


def test_where_a_panel_begins() -> None:
    """Radii whose ends are a millionth apart are as good as one, of which a part is less."""
    assert near("sin(exp(-r))", Series([Interval(Decimal(1), WIDE), ONE, ZERO])) is None
    assert near("sin(exp(-r))", Series([Interval(Decimal(1), 2 * WIDE - 1), ONE, ZERO])) is not None


@pytest.mark.parametrize("text", ["sin(exp(-r))", "1 - exp(-exp(-r))", "atan(exp(-r)) + exp(-r)/2"])
def test_evaluations_ask(text: str) -> None:
    r = panel(ORDER, (Q(8), Q(2))).whole
    found = near(text, r)
    assert found is not None
    asked = Evaluation(r).log(tree(text))[1]
    assert [(c.lo, c.hi) for c in asked.c] == [(c.lo, c.hi) for c in found[1].c]


def test_other_logarithms_are_of_values_with_a_sign() -> None:
    """That of a shift is what it is at r, where its logarithm begins."""
    with pytest.raises(Rejected, match="a factor has no proved sign"):
        log_of_value(Evaluation(hull(interval(Q(3)), interval(Q(4)))), tree("sin(r)"))

    class Sides(Slope):
        def sides(self) -> tuple[Any, Any]:
            return self.u, self.du

    at, node = Evaluation(interval(Q(1))), tree("sin(r)")
    for sign, u in ((1, ONE), (-1, -ONE)):
        at.values[node] = Sides(u, -u)
        assert log_of_value(at, node)[0] == sign


def test_what_is_0_has_no_logarithm() -> None:
    nothing = Node("mul", num(0), tree("sin(exp(-r))"))
    assert vanishing.vanishing(nothing) is not None
    assert vanishing.by_its_part(Evaluation(panel(ORDER, (Q(6), Q(1))).whole), nothing) is None


@pytest.mark.parametrize(
    "r",
    [
        with_slope(with_slope(interval(Q(200)))),  # pairs of pairs
        Shift(interval(Q(200)), interval(Q(1))),  # whose second is no slope
        Slope(object(), object()),  # type: ignore[arg-type]
    ],
)
def test_along_what_nothing_is_said(r: Slope) -> None:
    assert near("sin(exp(-r))", r) is None


def test_all_of_a_box_is_looked_at() -> None:
    """e^(10 w) - 1 is (e^5 - 1)/w at w = 1/2, of whose series beyond the twelfth power much is left."""
    w = Interval(Decimal("1e-20"), Decimal("0.5"))
    found = vanishing.over(tree("exp(10*r) - 1"), w)
    assert found.lo < Decimal("10.001") and float(found.hi) > math.expm1(5) / 0.5
    assert found.hi < 1000


def parts(text: str) -> list[Node]:
    return list(vanishing.small_parts(tree(text)))


def test_which_parts_may_be_small() -> None:
    assert all(map(same, parts("sin(exp(-1/r)) + r"), [tree("exp(-1/r)"), tree("1/r")]))
    assert len(parts("sin(exp(-1/r)) + r")) == 2
    assert not parts("sqrt(r) + r**2")  # which are large
    assert not list(vanishing.small_parts(Node("pow", Node("r"), Q(0))))
    assert not parts("r*sin(exp(pi))")  # without r
    assert not parts("1/(r - 5)")  # negative below 5
    assert [x.kind for x in parts("1/(1 + r)")] == ["pow"]


@pytest.mark.parametrize("text", ["r*exp(-r)", "Piecewise((exp(-r), r < 1), (1 - exp(-r), True))", "exp(-2*r)"])
def test_r_beside_a_part_is_seen(text: str) -> None:
    assert vanishing.in_part(tree(text), tree("exp(-r)")) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 + r", 3),
        ("2*exp(r)*cos(r)", 2),
        ("2*exp(r)/(3 + r)**2", Q(2, 9)),
        ("atan(sin(r)) - 1", -1),
        ("log(exp(r) + r)", 0),
        ("sqrt(exp(r) + r)", 1),
        ("(sin(r) - 2)**3", -8),
        ("sin(1 + r)", None),
        ("exp(1 + r)", None),
        ("cos(1 + r)", None),
        ("atan(1 + r)", None),
        ("log(2 + r)", None),
        ("sqrt(4 + r)", None),
        ("pi", None),
        ("log(1 - sin(r))", None),  # which is not positive by its form
        ("sqrt(1 - sin(r))", None),
        ("1/(1 - sin(r))", None),
        ("1/sin(r)", None),
        ("1/r", None),
        ("log(r)", None),
        ("sqrt(r)", None),
        ("erfc(r) - 1", None),
    ],
)
def test_values_at_0(text: str, value: Fraction | None) -> None:
    assert vanishing.at_zero(tree(text)) == value


def test_powers_at_0() -> None:
    assert vanishing.at_zero(Node("pow", Node("r"), Q(0))) is None
    assert vanishing.at_zero(Node("pow", Node("sin", Node("r")), Q(1))) == 0


def test_inverse_cotangents_of_positive_numbers() -> None:
    """acot v is atan(1/v) for positive v, and is not asked for others."""
    assert vanishing.vanishing(Node("acot", tree("1/sin(exp(-r))"))) is None
    found = vanishing.vanishing(Node("acot", tree("exp(r)")))
    assert found is not None and same(found[0], Node("atan", Node("r")))


def test_no_use_is_made_of_a_rule_that_is_not_listed() -> None:
    r = panel(ORDER, (Q(6), Q(1))).whole
    assert listed(set(RULES) - {"K564"}, lambda: near("sin(exp(-r))", r)) is None


@pytest.mark.parametrize("text", ["sin(exp(-r))", "tanh(exp(-r))"])
def test_at_a_radius_where_the_value_has_no_sign(text: str) -> None:
    r = interval(Q(200))
    found = near(text, r)
    assert found is not None
    with mp.workdps(120):
        truth = mp.log(KNOWN[text](mp.mpf(200)))
        assert mp.mpf(str(found[1].lo)) <= truth + mp.mpf(10) ** -40
        assert mp.mpf(str(found[1].hi)) >= truth - mp.mpf(10) ** -40
        assert found[1].hi - found[1].lo < Decimal("1e-20")
    assert near(text, interval(Q(10))) is None  # where it has one
    assert listed(set(RULES) - {"K564"}, lambda: near(text, r)) is None


def test_a_box_far_out_has_a_logarithm_with_slopes() -> None:
    """log sin w = log w - w^2/6 - ..., w = e^-r, whose slope is -1."""
    found = near("sin(exp(-r))", with_slope(hull(interval(Q(200)), interval(Q(201)))))
    assert found is not None
    assert abs(found[1].u.lo + 201) < Decimal("1e-20") and abs(found[1].u.hi + 200) < Decimal("1e-20")
    assert abs(found[1].du.lo + 1) < Decimal("1e-20") and abs(found[1].du.hi + 1) < Decimal("1e-20")
    assert near("sin(exp(-r))", with_slope(interval(Q(10)))) is None


def test_large_trees_are_left_alone() -> None:
    r = panel(ORDER, (Q(6), Q(1))).whole
    many = " + ".join(f"sin(exp(-r)*{k})" for k in range(1, 40))
    assert near(many, r) is None
    assert near(" + ".join(f"sin(exp(-r)*{k})" for k in range(1, 4)), r) is not None
    least = tree("sin(exp(-r))")
    for size in (vanishing.MOST_NODES, vanishing.MOST_NODES + 1):
        whole = Node("add", least, *[num(0)] * (size - 1 - least.size))
        assert whole.size == size
        assert (vanishing.vanishing(whole) is None) == (size > 200)


@pytest.mark.parametrize("k", [0, 1, 2, 7, 39, 40])
def test_the_least_half_of_a_half_that_is_no_less(k: int) -> None:
    end = Decimal(2) ** -k
    assert vanishing.halvings(end) == k
    assert vanishing.halvings(end * Decimal("1.01")) == max(k - 1, 0)
    assert vanishing.halvings(end * Decimal("0.99")) == k
    assert vanishing.halvings(Decimal(2) ** -50) == 40


def test_coefficients_of_a_sine() -> None:
    """1, 0, -1/6, 0 at 0, and the fifth, cos z/120, from cos(1/2) on."""
    *at_0, last = vanishing.coefficients(vanishing.vanishing(tree("sin(exp(-r))"))[0], 4, 1)  # type: ignore[index]
    for x, value in zip(at_0, (1, 0, Q(-1, 6), 0), strict=True):
        assert Q(x.lo) <= value <= Q(x.hi) and x.hi - x.lo < Decimal("1e-30")
    assert Q(last.lo) <= Q(8776, 10**4) / factorial(5) and Q(last.hi) >= Q(1, factorial(5))
    assert Q(last.hi) - Q(last.lo) < Q(13, 100) / factorial(5)  # 1 - cos(1/2) = 0.1224...


def test_a_certificate() -> None:
    assert check_bytes((GALLERY / "sine-of-an-exponential.json").read_bytes())


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["claim"].update(generator="sin(exp(-r) + 1/10**12)"),  # not 0 with exp(-r)
        lambda c: c["claim"].update(generator="sin(exp(-r))**2"),
        lambda c: c["claim"]["points"][0]["delta"].update(upper=c["claim"]["points"][0]["delta"]["lower"]),
        lambda c: c["claim"]["points"][0]["delta"].update(lower=c["claim"]["points"][0]["delta"]["upper"]),
        lambda c: c["rules"].pop("vanishing"),
        lambda c: c["rules"].update(vanishing=[]),
    ],
)
def test_forged_certificates_are_refused(change: Callable[[dict[str, Any]], None]) -> None:
    certificate = json.loads((GALLERY / "sine-of-an-exponential.json").read_text())
    change(certificate)
    with pytest.raises(Rejected):
        check_bytes(json.dumps({**certificate, "digest": digest(certificate)}).encode())


def test_whole_jets_of_a_panel() -> None:
    """The rule serves the Taylor polynomial and its remainder alike."""
    r = panel(12, (Q(6), Q(1)))
    found = Jet(*(near("tanh(exp(-r))", u)[1] for u in (r.middle, r.whole)))  # type: ignore[index]
    with mp.workdps(40):
        for x in (-1, 0, 1):
            truth = mp.log(mp.tanh(mp.exp(-6 - x)))
            span = found.span()
            assert mp.mpf(str(span.lo)) <= truth <= mp.mpf(str(span.hi))
    assert found.terms()[-1].hi - found.terms()[-1].lo < Decimal("1e-8")

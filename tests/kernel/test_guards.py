"""Each condition that a proof rests on, tried where it alone fails: the kernel refuses, and says why."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dpverify import kernel
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import NEG_INF, Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import besselk
from dpverify.kernel.sections.besselk import besselk_by_trapezes, besselk_point, log_matern
from dpverify.kernel.sections.by_form import direction
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.kernel.sections.exponentials import Rate
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t
from dpverify.kernel.sections.theorem_a import bounds_of_log
from dpverify.kernel.sections.waves import Phases
from dpverify.kernel.tree import never_negative
from tests.kernel.test_forgeries import (
    CENTRE,
    SLOPES,
    attempts,
    claim_of,
    data,
    forged,
    grid,
    letters,
    oscillating,
    problem,
    proof_of,
    refused,
    replayed,
    resealed,
    sealed,
    touches,
)

LOG, LOG_LOG, LOG_3 = (0, 0, 1, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1)


def model(radius: Any, *terms: tuple[Any, Any], order: int = 6) -> Model:
    return Model(Germ(Fraction(radius), order), dict(terms))


MODELS: list[tuple[str, Callable[[], Any]]] = [
    ("radius is too small", lambda: Germ(Fraction(1), 6)),
    ("too small for its logarithms", lambda: Germ(Fraction(2), 6).span(LOG_LOG)),
    ("too small for its logarithms", lambda: Germ(Fraction(9), 6).span(LOG_3)),
    ("not monotone", lambda: Germ(Fraction(2), 6).span((0, 1, -5, 0, 0))),
    ("not monotone", lambda: Germ(Fraction(3), 6).span((0, 0, 1, -5, 0))),
    ("not monotone", lambda: Germ(Fraction(2), 6).span((0, -1, 5, 0, 0))),
    ("not monotone", lambda: Germ(Fraction(2), 6).span((Rate.of({1: -1}), 5, 0, 0, 0))),
    ("not monotone", lambda: Germ(Fraction(2), 6).span((Rate.of({2: 1, 1: -9}), 0, 0, 0, 0))),
    ("not monotone", lambda: Germ(Fraction(2), 6).span((0, 1, Fraction(-9, 10), 0, 0))),
    ("not monotone", lambda: Germ(Fraction(3), 6).span((0, Fraction(1, 10), -2, Fraction(1, 2), 0))),
    ("not monotone", lambda: Germ(Fraction(2), 6).span((Rate.of({1: Fraction(1, 9)}), 0, -1, 0, 0))),
    ("not proved finite", lambda: model(2, (LINEAR, 1)).limit()),
    ("not proved finite", lambda: model(2, (LOG, Interval(Decimal(0), Decimal(1)))).limit()),
    ("divides by zero", lambda: model(2).inverse()),
    ("no proved sign", lambda: model(2, (LINEAR, Interval(Decimal(-1), Decimal(1)))).inverse()),
    ("not proved positive", lambda: model(2, (LINEAR, -1)).log()),
    ("fourth iterated", lambda: model(10**9, (LOG_3, 1)).log()),
    ("too small for its logarithms", lambda: model(2, (LOG, 1)).log()),
    ("grows, or has no proved sign", lambda: model(2, (LOG, interval(1))).exp()),
    ("grows, or has no proved sign", lambda: model(2, (LINEAR, Interval(Decimal(-1), Decimal(1)))).exp()),
    ("too slowly", lambda: model(10**9, (LOG_3, Interval(Decimal(-2), Decimal(-1)))).exp()),
    ("too small for K_p", lambda: log_matern(model("3/2", (power_of_t(-1), 2)), Fraction(1, 3))),
]


@pytest.mark.parametrize(("why", "operation"), MODELS)
def test_a_model_refuses(why: str, operation: Callable[[], Any]) -> None:
    with pytest.raises(Rejected, match=why):
        operation()


@pytest.mark.parametrize("order", range(1, 9))
@pytest.mark.parametrize("p", [Fraction(-1), Fraction(-2), Fraction(1, 3), Fraction(-3, 2)])
def test_a_series_does_not_reach_over_a_pole(order: int, p: Fraction) -> None:
    """1 - 2/t vanishes at t = 2."""
    constant, inverse = CONSTANT, power_of_t(-1)
    with pytest.raises(Rejected, match="too small for its series"):
        model("3/2", (constant, 1), (inverse, -2), order=order).power(p)
    assert model(5, (constant, 1), (inverse, -2), order=order).power(p).span().hi > 0


FALL, TOUCH = "fall near zero|fall in the tail|form does not show", "touch zero|power of a modulus"
PROOFS: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("integrable", "refuted", "exp(-r)", "infinite integral", {}),
    ("integrable", "refuted", "1/(1+y)", "infinite integral", {}),
    ("integrable", "proved", "exp(-r)/r", "at the centre", {}),
    ("integrable", "proved", "1/(1+r)", "in the tail", {"cover": grid("1/64", "16", 40)}),
    ("finite_at_zero", "proved", "r**(-1/9)*exp(-r)", "not shown finite", {}),
    ("finite_at_zero", "refuted", "exp(-r)", "not shown infinite", {}),
    ("finite_at_zero", "refuted", "r*exp(-r)", "not shown infinite", {}),
    ("tail_ratio_bounded", "proved", "exp(-y)", "not shown bounded", {}),
    ("tail_ratio_bounded", "refuted", "exp(-r)", "not shown unbounded", {}),
    ("tail_ratio_bounded", "refuted", "exp(y-r)", "not shown unbounded", {}),
    ("decreasing", "refuted", "exp(-r)", "not shown to rise", {"rise": ["1", "2"]}),
    ("decreasing", "refuted", "r*exp(-r)", "positive radii", {"rise": ["1/2", "1/3"]}),
    ("decreasing", "proved", "r*exp(-r)", FALL, {"cover": grid("1/64", "16", 40)}),
    ("decreasing", "proved", "exp(r-exp(r))*exp(-9/r)", FALL, {"cover": grid("1/64", "16", 40)}),
    ("decreasing", "proved", "exp(-r)*(2+erf(9*(r-3)))", "fall on|form does", {"cover": grid("1/64", "16", 400)}),
    ("decreasing", "proved", "exp(-y/(1+r))", "does not reach|form does not show", {"cover": grid("1/64", "15", 40)}),
    ("decreasing", "proved", "exp(-y/(1+r))", "does not reach|form does not show", {"cover": grid("1/63", "16", 40)}),
    ("decreasing", "proved", "exp(-y/(1+r))", "not increasing|form does not show", {"cover": ["1/64", "9", "8", "16"]}),
    ("positive", "refuted", "exp(-r)", "vanish at the centre", {"kind": "centre"}),
    ("positive", "refuted", "r**(-1/9)*exp(-r)", "vanish at the centre", {"kind": "centre"}),
    ("positive", "refuted", "exp(-r)", "shown negative", {"kind": "negative", "box": ["1", "2"]}),
    ("positive", "refuted", "exp(-r)*(r-1)**2", "shown to vanish", {"kind": "vanishes", "box": ["1/2", "3/2"]}),
    ("positive", "refuted", "exp(-r)*(r-1)**2", TOUCH, {"kind": "touches", "box": ["2", "3"]}),
    ("positive", "refuted", "exp(-r)*((r-1)**2)**2", TOUCH, {"kind": "touches", "box": ["1", "3"]}),
    ("positive", "refuted", "(r-1)**2*(r-2)**(-2)", f"{TOUCH}|zero", {"kind": "touches", "box": ["1/2", "2"]}),
    (
        "positive",
        "refuted",
        "Max(0,1-r)",
        "no proved sign",
        {"kind": "vanishes", "box": ["2", "3"], "positive": ["2", "4"]},
    ),
    ("positive", "proved", "exp(-r)*(r-1)**2", "no proved sign|not shown finite", {"cover": grid("1/64", "16", 40)}),
    ("positive", "proved", "exp(-r)*(1-2*r)", "no proved sign|not positive", {"cover": grid("1/64", "16", 40)}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("hypothesis", "status", "text", "why", "steps"), PROOFS)
def test_a_proof_refuses(hypothesis: str, status: str, text: str, why: str, steps: dict[str, Any]) -> None:
    if "kind" in steps:
        steps = {"sign": steps}
    for given in attempts(hypothesis, status, text, **steps):
        with pytest.raises(Rejected, match=why):
            replayed(proof_of(text, **given), hypothesis, status)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gamma(r-3)", "not proved positive"),
        ("log(r-1)", "no proved sign"),
        ("log(-r)", "not proved positive"),
        ("Piecewise((r-1, r < 1), (1, True))", "no proved sign"),
        ("Piecewise((1, r < 1))", "no branch of a Piecewise"),
        ("exp(Piecewise((log(-r), r < 1), (1, True)))", "logarithm of something not proved positive"),
        ("exp(-r)*(r-1)", "no proved sign"),
        ("0-exp(-r)", "not positive where"),
        ("exp(1/(r-1))", "divides by zero"),
        ("exp(besselk(1/3, r-1))", "not proved positive"),
        ("exp(sqrt(r-1))", "fractional power"),
    ],
)
def test_a_box_refuses(text: str, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        problem(text).on_box(Fraction(1, 2), Fraction(2))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1/0", "divides by zero"),
        ("0**0", "divides by zero"),
        ("2**99999", "power is too large"),
        ("r**(1/10**10)", "exponent is too large"),
        ("9" * 1900 + "**20", "too large|too long"),
        ("9" * 3900, "plain number"),
        ("1e9999", "too long"),
        ("exp(r, 1)", "another number of arguments"),
        ("besselk(r, 1)", "order of besselk"),
        ("besselk(101, r)", "order of besselk"),
        ("zeta(r)", "do not know"),
        ("q", "unbound name"),
        ("r % 2", "operator outside"),
        ("Piecewise(r)", "not a pair"),
        ("Piecewise((r, r == 1))", "outside the language"),
        ("Piecewise()", "no branch or too many"),
        ("Piecewise((r, " + "not " * 150 + "r > 1))", "nested too deeply"),
        ("Piecewise((r, " + "not " * 150 + "True))", "nested too deeply"),
        ("1j", "plain number"),
        ("r # comment", "outside the language"),
        ("cosh(" * 16 + "r" + ")" * 16, "too large a tree"),
    ],
)
def test_a_text_is_refused(text: str, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        Reader(text, {}).tree()


def test_a_phase_is_named_only_with_its_frequency() -> None:
    for frequency in ("-1", "0"):
        steps: dict[str, Any] = {"phase": {"turns": True, "frequency": frequency, "cover": ["0", "2"], "peak": "0"}}
        with pytest.raises(Rejected, match="not valid"):
            proof_of("exp(-r)", **steps)
    plain = proof_of("exp(-r)")
    with pytest.raises(Rejected, match="no frequency"):
        plain.tail.cover("phases", ["0", "2"])
    with pytest.raises(Rejected, match="no frequency"):
        plain.tail.limits({"phases": ["0", "2"]})
    with pytest.raises(Rejected, match="no frequency"):
        plain.tail.falls([])
    with pytest.raises(Rejected, match="no frequency"):
        plain.tail.at_most({"phases": ["0", "2"]}, Decimal(9))
    short = {"phase": {"turns": False, "frequency": "1", "cover": ["0", "6283185307/1000000000"], "peak": "0"}}
    with pytest.raises(Rejected, match="does not reach"):
        proof_of("exp(-r)", **short)


@pytest.mark.parametrize(
    ("verdict", "hypotheses", "why"),
    [
        ("not_private", {}, "needs an integrable density"),
        ("not_private", {"integrable": "proved"}, "needs positivity"),
        ("not_private", {"integrable": "proved", "positive": "proved"}, "shows the loss unbounded"),
        ("invalid", {"integrable": "proved"}, "no hypothesis of a density"),
        ("maybe", {}, "verdict is unknown"),
        ("undecided", {}, "verdict is unknown"),
        ("private", {}, "do not fit the verdict"),
    ],
)
def test_a_verdict_needs_its_hypotheses(verdict: str, hypotheses: dict[str, str], why: str) -> None:
    refused(forged("exp(-r)", verdict, hypotheses, cover=grid("1/1024", "16", 60)), "claim", why)


def test_overlapping_charts_are_refused() -> None:
    refused(forged("exp(-r)", "invalid", {}, infinity={"radius": "1/2048", "order": 6}), "steps", "overlap")


def test_boxes_reach_a_period_beyond_the_models_of_an_oscillating_tail() -> None:
    half = Fraction(1, 2)
    assert oscillating(problem("exp(-r)"), False, half).tail.reach >= 16 + 2 * Fraction("6.2831853072")
    assert oscillating(problem("exp(-r)"), True, half).tail.reach >= 16 + 4
    p, phase = problem("exp(-r)"), {"turns": True, "frequency": "1/2", "cover": ["0", "2"], "peak": "0"}
    for cover, reaches in ((["1/64", "19"], False), (["1/64", "20"], True)):
        proof = proof_of("exp(-r)", phase=phase, cover=cover)
        assert isinstance(proof.tail, Phases) and p.r1 == 16
        if reaches:
            assert proof.boxes()
            continue
        with pytest.raises(Rejected, match="does not reach"):
            proof.boxes()


def test_a_logarithm_at_the_edge_of_its_domain() -> None:
    assert interval(0).log().hi == NEG_INF
    for x in (Interval(Decimal(-1), Decimal(2)), interval(-3)):
        with pytest.raises(Rejected):
            x.log()


@pytest.mark.parametrize(
    "text", ["r-1", "1-r", "1+2*cos(r)", "cos(r)", "floor(r-1)", "r*(r-1)", "(r-1)**3", "Max(r-2,r-1)", "1-exp(r)",
             "2+cos(r)-exp(-r)", "1+cos(r)+sin(r)", "log(r)", "Piecewise((r, r < 1), (-r, True))", "-1+cos(r)", "0-pi",
             "(r-1)**(-1)", "1/2+cos(r)*r", "3+cos(r)-r"]
)  # fmt: skip
def test_a_form_that_can_be_negative(text: str) -> None:
    assert not never_negative(Reader(text, {}).tree())


@pytest.mark.parametrize(
    "text", ["(r-1)**2", "1+cos(r)", "2-cos(r)-sin(3*r)", "Abs(r-1)", "Max(0,1-r)", "floor(r)", "exp(-r)*(r-2)**4",
             "Piecewise((r, r < 1), (1, True))", "sqrt(Abs(cos(r)))", "(r-1)**(-2)", "pi+r", "Abs(r-1)**(-1/3)"]
)  # fmt: skip
def test_a_form_that_is_never_negative(text: str) -> None:
    assert never_negative(Reader(text, {}).tree())


ROOTS = [("(r-1)**2", 1.0), ("Abs(r-1)**(1/2)", 1.0), ("1+cos(r)", math.pi), ("1-cos(r)", 2 * math.pi),
         ("3+3*cos(2*r)", math.pi / 2), ("2-2*cos(pi*r)", 2.0), ("sin(r)**2", math.pi),
         ("1+sin(r)", 3 * math.pi / 2), ("1-sin(2*r)", math.pi / 4)]  # fmt: skip


@pytest.mark.parametrize(("text", "zero"), ROOTS)
def test_a_zero_that_is_touched_lies_where_it_is_said(text: str, zero: float) -> None:
    tree = f"exp(-r)*({text})"
    at = Fraction(zero)
    assert touches(tree, at - Fraction(1, 100), at + Fraction(1, 100))
    for away in (Fraction(1, 3), Fraction(-1, 3)):
        assert not touches(tree, at + away - Fraction(1, 100), at + away + Fraction(1, 100))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["2+cos(r)", "1+2*cos(r)", "2+sin(r)", "1+2*sin(r)", "1-r", "cos(r)+r", "Max(r,1)", "(2+cos(r))**2", "r**(-2)"],
)
def test_what_touches_nothing(text: str) -> None:
    assert not any(touches(f"exp(-r)*({text})", Fraction(k, 8), Fraction(k, 8) + 1) for k in range(1, 60))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [("0 < 0", False), ("0 <= 0", True), ("1 > 1", False), ("1 >= 1", True), ("not 0 < 0", True), ("0 < 1 < 1", False),
     ("0 < 1 and 1 < 1", False), ("0 < 1 or 1 < 1", True), ("r > 1/4", True), ("r < 1/2", False), ("r <= 1/2", False),
     ("r > 1/2", True), ("r < 1", True), ("(r < 1) & (r > 1/2)", True), ("(r > 1) | (r < 1/2)", False), ("True", True)],
)  # fmt: skip
def test_a_condition_on_a_box(condition: str, holds: bool) -> None:
    """On the open box (1/2, 1), ends and equalities included."""
    log = problem(f"Piecewise((2, {condition}), (3, True))").on_box(Fraction(1, 2), Fraction(1))
    assert log.u.exp().lo < (2 if holds else 3) < log.u.exp().hi
    assert log.u.hi - log.u.lo < Decimal("1e-40")


@pytest.mark.parametrize("x", ("1e-400", "1e8"))
def test_bessel_functions_keep_within_their_range(x: str) -> None:
    """Far out, where Hankel's series is not used."""
    with pytest.raises(Rejected, match="too near zero or too far out"):
        besselk_by_trapezes((Fraction(1, 3), Fraction(2, 3)), Decimal(x))


def test_bessel_functions_of_high_orders_near_zero_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 1e-300 the rule of the order 299/3 would take some 200,000 nodes: half a minute, for one number."""
    nodes = []

    def counted(*at: Any) -> list[Interval]:
        nodes.append(at)
        return [interval(2)] * 3

    monkeypatch.setattr(besselk, "besselk_node", counted)
    with pytest.raises(Rejected, match="too near zero"):
        besselk_point(Fraction(299, 3), Decimal("1e-300"))
    assert 10_000 < len(nodes) < 40_000


def geometric(a: str, b: str, n: int) -> list[str]:
    """A cover of [a, b] whose boxes are about as wide as they are far from 0."""
    low, high = Fraction(a), Fraction(b)
    points = [low * Fraction(int(2**20 * (float(high / low) ** (k / n))), 2**20) for k in range(n)]
    return [str(x) for x in (*points, high)]


def bounded(text: str, upper: str, theorem: str, n: int = 60, **claim: Any) -> bytes:
    """A certificate that the loss of f for delta = 1 is at most `upper`, by either theorem."""
    whole, a = geometric("1/1024", "16", n), theorem == "Theorem A"
    if a:
        shifts = [["0", "1"]] * (len(whole) - 1)
        supremum: dict[str, Any] = {
            "cover": whole,
            "cuts": [],
            "shifts": shifts,
            "rules": letters(problem(text), whole, shifts, upper),
            "ahead": geometric("1/1024", "1025/1024", n),
        }
    else:
        supremum = {"cover": whole, "near_zero": "slopes" if "sqrt" not in text else "models"}
    falls = direction(Reader(text, {}).tree()) in (-1, 0)
    proof = {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "16", "order": 6},
        "cover": whole,
        "decreasing": "form" if falls else SLOPES,
        "integrable": {"tail": "logs", "boxes": "logs"},
        "supremum": supremum,
        "witness": {"near": "box", "box": ["1", "2"], "shift": "1"},
    }
    proved = dict.fromkeys(HYPOTHESES, "proved")
    claim = {"epsilon": {"lower": "0", "upper": upper}, "theorem": theorem, **claim}
    return data(sealed({**claim_of(text, "private", proved), **claim}, proof))


BOUNDS = [  # the supremum 1 lies at the centre; in the middle, 1.1; in the tail, where the loss tends to 2
    ("exp(-sqrt(r))", "51/50", "99/100", "near zero|every shift"),
    ("exp(-r/10-Max(0,Min(r-3,1)))", "6/5", "1", r"on \[|every shift"),
    ("exp(-2*r)*(1+r)", "21/10", "199/100", "in the tail"),
]


@pytest.mark.slow
@pytest.mark.parametrize("theorem", ["Theorem 3", "Theorem A"])
@pytest.mark.parametrize(("text", "enough", "too_little", "where"), BOUNDS)
def test_a_bound_is_checked_on_every_chart(text: str, enough: str, too_little: str, where: str, theorem: str) -> None:
    assert kernel.check_bytes(bounded(text, enough, theorem, 160)).claim["verdict"] == "private"
    with pytest.raises(Rejected, match=where):
        kernel.check_bytes(bounded(text, too_little, theorem, 160))


def test_another_theorem_is_unknown() -> None:
    refused(bounded("exp(-r)", "11/10", "Theorem B"), "claim", "theorem is unknown")


def test_models_and_boxes_hold_their_ends() -> None:
    """With f = e^-r all is exact: thirds are no decimals, and lie within."""
    p, third = problem("exp(-r)"), Fraction(1, 3)
    for a, b in ((third, 2 * third), (Fraction(1, 7), third)):
        value = problem("r").value_on_box(a, b)
        assert Fraction(value.lo) <= a and b <= Fraction(value.hi)
        for log in (p.on_box(a, b).u, bounds_of_log(p, a, b)):
            assert Fraction(log.lo) <= -b and -a <= Fraction(log.hi)
            assert Fraction(log.hi) - Fraction(log.lo) < b - a + Fraction(1, 10**40)
    loss = p.loss(third, 2 * third, third)
    assert Fraction(loss.lo) <= third <= Fraction(loss.hi)
    far, near = p.far(p.infinity), p.near_zero()
    assert far.u.terms == {LINEAR: -1} and far.du.terms == {CONSTANT: -1}
    assert near.u.terms == {power_of_t(-1): -1} and near.du.terms == {CONSTANT: -1}
    assert p.far_loss(p.infinity).terms == {CONSTANT: 1}


@pytest.mark.parametrize(
    "name", ["e", "pi", "r", "y", "d", "1x", "a b", "\u03bd", "", "epsilon", "delta", "Delta", "sigma"]
)
def test_a_parameter_may_not_be_named_like_something_else(name: str) -> None:
    with pytest.raises(Rejected, match="parameter's name"):
        kernel.check_bytes(changed(lambda c: c["claim"]["parameters"].update({name: "3"})))


@pytest.mark.parametrize(
    "place", [(), ("claim",), ("proof",), ("program",), ("claim", "hypotheses"), ("proof", "zero")]
)
def test_a_field_too_many_is_refused(place: tuple[str, ...]) -> None:
    def extend(certificate: Any) -> None:
        for key in place:
            certificate = certificate[key]
        certificate["more"] = None

    with pytest.raises(Rejected, match=r"unknown field|step that no claim needs"):
        kernel.check_bytes(changed(extend))


def changed(change: Callable[[Any], None]) -> bytes:
    """A certificate that is accepted, but for the change."""
    whole = forged("r**(-9)", "invalid", {"integrable": "refuted"}, **CENTRE)
    assert kernel.check_bytes(whole)
    return data(resealed(json.loads(whole), change))


FORMS = [  # what a formula shows of its direction without any arithmetic
    ("exp(-r)", -1),
    ("1/(1+floor(r))**3", -1),
    ("exp(-floor(2*r))+3*exp(-y)/(1+r)", -1),
    ("Max(exp(-r), exp(-floor(r)))", -1),
    ("r*floor(r)", 1),
    ("-exp(-r)", 1),
    ("sqrt(r)", 1),
    ("(1+r)**(1/3)", 1),
    ("exp(-sqrt(r))/2", -1),
    ("r/3", 1),
    ("-2*(1+r)*exp(r)", -1),
    ("erfc(r)", -1),
    ("r**(1/3)*besselk(1/3, r)", -1),
    ("3", 0),
    ("r*exp(-r)", None),
    ("(r-1)**2", None),
    ("(1-r)*(2-r)", None),
    ("(r-1)*floor(r)", None),
    ("(floor(r)-5)*(r-1)", None),
    ("log(r)*log(2*r)", None),
    ("exp(-r)-exp(-2*r)", None),
    ("1/(r-1)", None),
    ("cos(r)", None),
    ("Piecewise((exp(-r), r < 1), (3*exp(-r), True))", None),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_the_direction_that_a_form_shows(text: str, expected: int | None) -> None:
    assert direction(Reader(text, {}).tree()) == expected


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("floor(r)", True),
        ("exp(-r)*(2+floor(cos(r)))", True),
        ("Piecewise((1, r < 1), (exp(-r), True))", True),
        ("exp(1/(r-1))", True),
        ("exp(-r)/(1+y)", False),
        ("exp(-r)*(2+cos(r))", False),
    ],
)
def test_what_may_jump(text: str, may: bool) -> None:
    assert may_jump(Reader(text, {}).tree()) is may

"""What a node is a period further out, by its form (K502, K503), and what one period shows (K504, K505)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.reader import Need
from dpverify.kernel.sections.ends import BOUNDED, INTEGRABLE_TAILS, tail_by_logs
from dpverify.kernel.sections.falling import falls_by_slopes
from dpverify.kernel.sections.hypotheses import PROVED, Proof
from dpverify.kernel.sections.needs import PROVING
from dpverify.kernel.sections.periods import Period, Repeated, asked
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node, num
from soundness.plain import function
from tests.kernel.problems import on_charts, tree

TURN, RADIAN = Period(True, Fraction(1)), Period(False, Fraction(1))
MARKS = ["1/64", "1/2", "1", "65/64", "16"]


def proof_of(text: str, length: str = "1", turns: Any = True, **steps: Any) -> Proof:
    return Proof(on_charts(text), Steps({"period": {"turns": turns, "length": length}, "cover": MARKS, **steps}))


def length_of(period: Period) -> Any:
    return mpmath.mpf(period.length.numerator) / period.length.denominator * (1 if period.turns else 2 * mpmath.pi)


@pytest.mark.parametrize(
    ("text", "period", "step"),
    [
        ("r", TURN, 1),
        ("3/2-2*r", Period(True, Fraction(1, 3)), Fraction(-2, 3)),
        ("floor(2*r)", TURN, 2),
        ("floor(r/2)", TURN, None),
        ("floor(r/2)", Period(True, Fraction(2)), 1),
        ("floor(r)-r", TURN, 0),
        ("floor(3*floor(r)-r/1)", TURN, 2),
        ("y-r", TURN, None),
        ("frac(r)*r", TURN, None),
        ("2*r*floor(r)", TURN, None),
        ("3*floor(r)*exp(frac(r))", TURN, None),
        ("frac(r)**(1/2)*exp(frac(r))", TURN, 0),
        ("sin(pi*r)", TURN, None),
        ("sin(2*pi*r)+cos(4*pi*r+1)", TURN, 0),
        ("sin(pi*r)", Period(True, Fraction(2)), 0),
        ("cos(r)", TURN, None),
        ("cos(r)-sin(3*r)", RADIAN, 0),
        ("cos(r/2)", RADIAN, None),
        ("cos(r/2)", Period(False, Fraction(2)), 0),
        ("floor(r)", RADIAN, None),
        ("cos(pi*r)", RADIAN, None),
        ("floor(2+cos(r))", RADIAN, 0),
        ("r*2-floor(2*r)", RADIAN, None),
        ("log(2+frac(r))", TURN, 0),
        ("log(r)", TURN, None),
        ("exp(-r)", TURN, None),
        ("Max(r,frac(r))", TURN, None),
        ("Piecewise((1, frac(r) < 1/2), (frac(r), True))", TURN, 0),
        ("Piecewise((1, r < 1/2), (frac(r), True))", TURN, None),
        ("tanh(5*frac(r))", TURN, 0),
        ("pi", TURN, 0),
    ],
)
def test_what_is_added_over_a_period(text: str, period: Period, step: Any) -> None:
    assert period.step(tree(text)) == step
    if step is not None:
        u, t = function(text, {}), length_of(period)
        unit = 1 if period.turns else 2 * mpmath.pi
        for k in range(1, 40):
            r = mpmath.mpf(k) / 7 + mpmath.mpf(10) ** -9
            assert (
                abs(u(r + t) - u(r) - unit * mpmath.mpf(Fraction(step).numerator) / Fraction(step).denominator) < 1e-10
            )


@pytest.mark.parametrize(
    ("text", "period", "rate"),
    [
        ("exp(-r)*(1+frac(r))", TURN, -1),
        ("exp(-r)*(1+frac(2*r))", Period(True, Fraction(1, 2)), Fraction(-1, 2)),
        ("exp(-r+frac(r)**2)", TURN, -1),
        ("sqrt(exp(-3*r)*(2-frac(r)))", TURN, Fraction(-3, 2)),
        ("1/(exp(2*r)*(2+cos(2*pi*r)))", TURN, -2),
        ("exp(-floor(r)/2-ceil(2*r))", TURN, Fraction(-5, 2)),
        ("exp(-r)+exp(-floor(r))", TURN, -1),
        ("exp(-r)+exp(-2*r)", TURN, None),
        ("exp(-r)+1", TURN, None),
        ("Max(exp(-r),exp(-r)*(1/2+frac(r)))", TURN, -1),
        ("Max(exp(-r),1/9)", TURN, None),
        ("Piecewise((exp(-r), exp(-2*r)*(frac(r)-1/2) < 0), (exp(-r)/2, True))", TURN, -1),
        ("Piecewise((exp(-r), frac(r) < 1/2), (exp(-2*r), True))", TURN, None),
        ("Piecewise((exp(-r), r < 3), (exp(-r)/2, True))", TURN, None),
        ("Piecewise((exp(-r), frac(r) < 1/2), (exp(-r)/2, r < 3), (exp(-r)/3, True))", TURN, None),
        ("Piecewise((exp(-r), True))", TURN, -1),
        ("exp(-r)/(1+r)", TURN, None),
        ("exp(-r)*(2+sin(r))", TURN, None),
        ("exp(-r)*(2+sin(r)+sign(cos(r)))", RADIAN, -1),
        ("exp(-sqrt(r))", TURN, None),
    ],
)
def test_what_is_multiplied_over_a_period(text: str, period: Period, rate: Any) -> None:
    assert period.rate(tree(text)) == rate
    if rate is not None:
        u, t = function(text, {}), length_of(period)
        unit = 1 if period.turns else 2 * mpmath.pi
        for k in range(1, 40):
            r = mpmath.mpf(k) / 7 + mpmath.mpf(10) ** -9
            s = unit * mpmath.mpf(Fraction(rate).numerator) / Fraction(rate).denominator
            assert abs(u(r + t) / u(r) / mpmath.exp(s) - 1) < 1e-9


def test_boxes_reach_over_a_period_and_to_the_models_of_values() -> None:
    assert proof_of("exp(-r)*(1+frac(r))").tail.reach == 16
    wide = proof_of("exp(-r)*(1+frac(r/20))", "20").tail
    assert wide.reach == Fraction(1, 64) + 20
    assert isinstance(wide, Repeated)
    assert wide.rate == -20
    assert proof_of("exp(-r)*(2+sin(r/3))", "3", turns=False).tail.reach == Fraction(1, 64) + 21


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"turns": True, "length": "0"}, "period.turns or period.length is not valid"),
        ({"turns": True, "length": "-1"}, "period.turns or period.length is not valid"),
        ({"turns": 1, "length": "1"}, "period.turns or period.length is not valid"),
        ({"turns": True, "length": "1/2"}, "not shown to repeat itself"),
        ({"turns": False, "length": "1"}, "not shown to repeat itself"),
        ({"turns": True}, "period"),
        ({"turns": True, "length": "1", "cover": ["0"]}, "period"),
    ],
)
def test_a_period_that_f_does_not_have_is_refused(step: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        Proof(on_charts("exp(-r)*(1+frac(r))"), Steps({"period": step}))


def test_one_period_shows_f_positive_and_its_tail_ratio_bounded() -> None:
    for name in ("positive", "tail_ratio_bounded"):
        PROVED[name](proof_of("exp(-r)*(1+frac(r))"))
        with pytest.raises(Rejected, match=r"not positive where|proved sign"):
            PROVED[name](proof_of("exp(-r)*(frac(r)-1/2)"))
        with pytest.raises(Rejected, match="cover does not reach"):
            PROVED[name](proof_of("exp(-r)*(1+frac(r))", cover=["1/64", "1/2", "1"]))


def test_without_a_period_the_tail_needs_models_as_before() -> None:
    plain = Proof(on_charts("exp(-r)/(1-r/100)"), Steps({"cover": ["1/64", "1", "16"]}))
    with pytest.raises(Rejected):  # negative beyond 100
        PROVED["positive"](plain)
    PROVED["positive"](Proof(on_charts("exp(-r)"), Steps({"cover": ["1/64", "1", "16"]})))


@pytest.mark.parametrize("steps", [{}, {"period": {"turns": True, "length": "1"}}])
def test_a_finite_logarithm_is_asked_for_on_each_box_and_near_zero(steps: dict[str, Any]) -> None:
    pole = "exp(-r-1/frac(r))" if steps else "exp(-r-1/Abs(r-1))"
    for text, why in ((pole, "log f is not shown finite"), ("exp(-r)*(r-1/128)", "proved sign|repeat itself")):
        with pytest.raises(Rejected, match=why):
            PROVED["positive"](Proof(on_charts(text), Steps({**steps, "cover": ["1/64", "1/2", "1", "2", "16"]})))


def test_what_asks_for_models_of_a_tail_that_repeats_itself_is_refused() -> None:
    proof = proof_of("exp(-r)*(1+frac(r))")
    for ask in (
        lambda: proof.tail.cells,
        lambda: proof.tail.peak,
        lambda: proof.tail.limits(None),
        lambda: tail_by_logs(proof),
        lambda: proof.tail.falls([]),
        lambda: proof.tail.at_most({"phases": []}, None),
        lambda: proof.tail.cover("phases", []),
    ):
        with pytest.raises(Rejected, match=r"no models|no frequency"):
            ask()
    proof.tail.falls(None)
    proof.tail.at_most({}, None)


def test_it_is_integrable_if_it_fades_from_period_to_period() -> None:
    INTEGRABLE_TAILS["period"](proof_of("exp(-r)*(1+frac(r))"))
    for text in ("2+frac(r)", "exp(r)*(1+frac(r))"):
        with pytest.raises(Rejected, match="fade from period to period"):
            INTEGRABLE_TAILS["period"](proof_of(text))
    with pytest.raises(Rejected, match="fade from period to period"):
        INTEGRABLE_TAILS["period"](Proof(on_charts("exp(-r)"), Steps({})))
    BOUNDED["logs"](proof_of("exp(-r)*(1+frac(r))"))


def test_f_that_falls_over_a_period_falls() -> None:
    marks = ["1/64", "1/2", "1", "3/2", "2", "65/32"]
    step = {"drops": ["1", "2"], "phase_drops": None}
    proof = Proof(
        on_charts("exp(-2*r)*(1+frac(r))", 2),
        Steps({"period": {"turns": True, "length": "1"}, "cover": marks}),
    )
    falls_by_slopes(proof, step)
    rises = Proof(
        on_charts("exp(-r/4)*(1+frac(r))", 2),
        Steps({"period": {"turns": True, "length": "1"}, "cover": marks}),
    )
    with pytest.raises(Rejected, match="not shown to fall"):
        falls_by_slopes(rises, step)


def test_needs_are_met_on_one_period_if_they_repeat_themselves() -> None:
    proof = proof_of("exp(-r)*(1+frac(r))")
    PROVING["charts"](proof, [Need("positive", tree("exp(-r)*(2-frac(r))"), ())])
    PROVING["charts"](Proof(on_charts("exp(-r)"), Steps({"cover": MARKS})), [Need("positive", tree("1+exp(-r)"), ())])
    for need, why in (
        (Need("positive", tree("100-r"), ()), "not shown to repeat itself"),
        (Need("nonzero", tree("2+sin(r)"), ()), "not shown to repeat itself"),
        (Need("positive", tree("exp(-r)*(frac(r)-2)"), ()), "not shown to have a value"),
        (Need("positive", tree("frac(r)-2"), ((tree("Piecewise((1, r < 3), (2, True))").args[0][1], True),)), "repeat"),
        (Need("branch", tree("Piecewise((1, r < 3), (2, r < 4))").args, ()), "repeat"),
        (Need("no pole", tree("exp(-r)*(2-frac(r))"), ()), "not shown to repeat itself"),
    ):
        with pytest.raises(Rejected, match=why):
            PROVING["charts"](proof, [need])
    PROVING["charts"](proof, [Need("no pole", tree("2-frac(r)"), ())])


def test_all_that_decides_a_need_is_asked_to_repeat_itself() -> None:
    piece = tree("Piecewise((1, r < 3), (2, True))")
    condition = piece.args[0][1]
    assert len(asked(Need("positive", num(1), ((condition, True), (condition, False))))) == 3
    assert len(asked(Need("branch", (condition, condition), ()))) == 2


def test_of_what_has_no_parts_nothing_is_known_but_of_numbers() -> None:
    for period in (TURN, RADIAN):
        assert period.step(Node("pi")) == period.step(num(3)) == 0
        assert period.step(Node("another")) is None
        assert period.rate(Node("another")) is None

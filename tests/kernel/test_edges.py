"""Each condition of a proof at the very edge where it begins to hold: what only just does not follow is refused."""

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
from dpverify.kernel.intervals import ANY, INF, NEG_INF, ONE, UNIT, ZERO, Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import refutations
from dpverify.kernel.sections.besselk import besselk_ratio, log_matern, rough_exp
from dpverify.kernel.sections.charts import Problem, cover
from dpverify.kernel.sections.ends import integral, limsup
from dpverify.kernel.sections.erfc import log_erfc, log_erfc_point
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponentials import logistic, softplus
from dpverify.kernel.sections.fields import ends
from dpverify.kernel.sections.floors import floor, whole
from dpverify.kernel.sections.gamma import gamma
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t
from dpverify.kernel.sections.phases import Phase, on_phase
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.theorem_a import bounds_of_log, on_box
from dpverify.kernel.sections.waves import TINY, cos, sin
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import never_negative
from tests.kernel.test_forgeries import (
    CENTRE,
    attempts,
    data,
    forged,
    grid,
    problem,
    proof_of,
    replayed,
    resealed,
    touches,
)

LOG, INVERSE = (0, 0, 1, 0, 0), power_of_t(-1)
STAIRS = "(floor(1/r)-1/r)/r"  # 1/r times something in [-1, 0], and 0 at the radii 1/n

NOT_SHOWN = "negative|no proved"
REFUSED: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("decreasing", "proved", "exp(-y/(1+r))", "not increasing|form does", {"cover": ["1/64", "8", "8", "16"]}),
    ("decreasing", "refuted", "r*exp(-r)", "positive radii", {"rise": ["1/2", "1/2"]}),
    ("decreasing", "refuted", "r*exp(-r)", "positive radii", {"rise": ["0", "1/2"]}),
    ("decreasing", "refuted", "r*exp(-r)", "pair of points", {"rise": ["1/4", "1/3", "1/2"]}),
    ("decreasing", "refuted", "Piecewise((1, r < 3), (exp(3-r), True))", "shown to rise", {"rise": ["1", "2"]}),
    ("positive", "refuted", "exp(-1-r)", "vanish at the centre", {"sign": {"kind": "centre"}}),
    ("positive", "refuted", f"exp(-r+{STAIRS})", "vanish at the centre", {"sign": {"kind": "centre"}}),
    ("positive", "refuted", "exp(-r)*Max(0,1-r)", NOT_SHOWN, {"sign": {"kind": "negative", "box": ["2", "3"]}}),
    ("positive", "refuted", "exp(-r)*(r-1)", NOT_SHOWN, {"sign": {"kind": "negative", "box": ["1/2", "3/2"]}}),
    ("positive", "refuted", "exp(-r)*Max(0,1-r)", "names no rule", {"sign": {"kind": "vanish", "box": ["2", "3"]}}),
    ("positive", "refuted", "exp(-r)*Max(0,1-r)", "vanish on", {"sign": {"kind": "vanishes", "box": ["1/2", "3"]}}),
    ("positive", "proved", "exp(-r-(r-1)**(-2))", "finite|divides", {"cover": grid("1/64", "127/64", 2) + ["16"]}),
    ("positive", "proved", "exp((r-1)**(-2)-r)", "finite|divides", {"cover": grid("1/64", "127/64", 2) + ["16"]}),
    ("positive", "proved", "exp(-r)*Abs(r-1)", "sign|finite", {"cover": grid("1/64", "127/64", 2) + ["16"]}),
    ("positive", "proved", "exp(-r)*(r-1/100)", "no proved sign|not positive", {"cover": grid("1/64", "16", 30)}),
    ("positive", "proved", "exp(-r)*(17-r)", "no proved sign|not positive", {"cover": grid("1/64", "16", 30)}),
    ("decreasing", "refuted", "r*exp(-r)", "pair of points", {"rise": None}),
    ("finite_at_zero", "proved", f"exp({STAIRS})*r**(-1/2)", "not shown finite", {}),
    ("finite_at_zero", "refuted", "exp(1-r)", "not shown infinite", {}),
    ("finite_at_zero", "refuted", f"exp(-r-{STAIRS})", "not shown infinite", {}),
]


@pytest.mark.parametrize(("hypothesis", "status", "text", "why", "steps"), REFUSED)
def test_a_proof_at_its_edge_refuses(hypothesis: str, status: str, text: str, why: str, steps: dict[str, Any]) -> None:
    for given in attempts(hypothesis, status, text, **steps):
        with pytest.raises(Rejected, match=why):
            replayed(proof_of(text, **given), hypothesis, status)


def test_a_loss_that_may_be_bounded_is_not_called_unbounded() -> None:
    proof = proof_of("exp(-r)")
    peak = proof.tail.peak
    for loss in ({LINEAR: UNIT}, {LINEAR: interval(-1)}, {CONSTANT: Fraction(9)}):
        proof.problem.known["far loss", peak] = Model(peak, dict(loss))
        with pytest.raises(Rejected, match="not shown unbounded"):
            replayed(proof, "tail_ratio_bounded", "refuted")
    proof.problem.known["far loss", peak] = Model(peak, {LINEAR: Interval(Decimal(1), Decimal(2))})
    replayed(proof, "tail_ratio_bounded", "refuted")


def integrable_by_values(text: str, dimension: int = 1) -> bool:
    tree = Reader(text, {}).tree()
    p = Problem(tree, dimension, Fraction(1), (Fraction(1, 64), 6), (Fraction(16), 6))
    try:
        refutations.tail_by_values(Proof(p, Steps({})))
    except Rejected as refusal:
        assert "not shown integrable in the tail" in str(refusal)
        return False
    return True


def test_values_that_fall_like_the_reciprocal_of_the_volume_are_not_integrable() -> None:
    shown = integrable_by_values
    for dimension in (1, 2, 3):
        assert not shown(f"Abs(cos(r))*(1+r)**(-{dimension})", dimension)
        assert shown(f"Abs(cos(r))*(1+r)**(-{dimension + 1})", dimension)
        assert not shown(f"cos(r)*(1+r)**(-{dimension + 1})", dimension)
        assert shown("0*r", dimension)


@pytest.mark.parametrize("text", ["(r-1)**0", "(r-1)**(-2)", "Abs(r-1)**0", "Max(r-1,1-r,1/2)"])
def test_only_positive_powers_touch_zero(text: str) -> None:
    assert not touches(f"exp(-r)*{text}", Fraction(1, 2), Fraction(3, 2))


G: dict[str, Callable[[float], float]] = {
    "exp(-10*Abs(r-5))": lambda r: 10 * abs(r - 5),
    "exp(-3*r-9*cos(2*r))": lambda r: 3 * r + 9 * math.cos(2 * r),
    "exp(-r-4*Max(r-6,3-r))": lambda r: r + 4 * max(r - 6, 3 - r),
    "exp(-Max(exp(r/2),2*r))": lambda r: max(math.exp(r / 2), 2 * r),
    "exp(-9*r-floor(5+4*cos(2*r)))": lambda r: 9 * r + math.floor(5 + 4 * math.cos(2 * r)),
    "exp(-Max(sqrt(r),r/2))": lambda r: max(math.sqrt(r), r / 2),
    "exp(-2*r-3*floor(r))": lambda r: 2 * r + 3 * math.floor(r),
}


@pytest.mark.sampled(stay=10)
@pytest.mark.parametrize("text", sorted(G))
@pytest.mark.parametrize(
    ("a", "width", "low", "high"),
    [
        ("4", "1/100", "0", "8"),
        ("3", "4", "1", "1"),
        ("1", "6", "1/2", "3"),
        ("2", "5", "0", "1/7"),
        ("5", "1/9", "2", "9"),
    ],
)
def test_wide_boxes_and_shifts(text: str, a: str, width: str, low: str, high: str) -> None:
    """What the mean value forms reach, where both the slopes and the widths are large."""
    p, g = problem(text), G[text]
    start, end, first, last = Fraction(a), Fraction(a) + Fraction(width), Fraction(low), Fraction(high)
    log, all_shifts = bounds_of_log(p, start, end), []
    for word in "rmh":
        try:
            all_shifts.append(on_box(p, word, (start, end), (first, last), []))
        except Rejected as refusal:
            assert word != "h", refusal
    one = p.loss(start, end, last)
    for i in range(1, 40):
        r = float(start) + float(end - start) * i / 40
        assert float(log.lo) - 1e-9 <= -g(r) <= float(log.hi) + 1e-9
        assert float(one.lo) - 1e-9 <= g(r + float(last)) - g(r) <= float(one.hi) + 1e-9
        for j in range(1, 20):
            loss = g(r + float(first) + float(last - first) * j / 20) - g(r)
            assert all(float(x.lo) - 1e-9 <= loss <= float(x.hi) + 1e-9 for x in all_shifts)


def cell(low: Fraction, high: Fraction, turns: bool = True, radius: int = 9) -> Germ:
    return on_phase(Germ(Fraction(radius), 6), Phase(turns, Fraction(1), low, high))


def test_whole_numbers_on_an_open_cell_of_phases() -> None:
    """r in (0, 1) modulo 2: what vanishes at infinity still moves over the cell's ends, and a number does as it is."""
    unit = cell(Fraction(0), Fraction(1))
    half = cell(Fraction(1, 2), Fraction(1))

    def integers(germ: Germ, terms: dict[Any, Any]) -> tuple[int, int] | None:
        found = whole(Model(germ, terms))
        return None if found is None else (int(found.lo), int(found.hi))

    assert integers(unit, {LINEAR: 1}) == (0, 0)
    assert integers(unit, {LINEAR: 1, CONSTANT: Fraction(1, 2)}) == (0, 1)
    assert integers(half, {LINEAR: 1, CONSTANT: Fraction(1, 2)}) == (1, 1)
    assert integers(unit, {LINEAR: -1}) == (-1, -1)
    assert integers(unit, {LINEAR: 2}) == (0, 1)
    assert integers(unit, {LINEAR: 1, INVERSE: 1}) == (0, 1)
    assert integers(unit, {LINEAR: 1, INVERSE: -1}) == (-1, 0)  # r - 1/r is below 1 where r is
    assert integers(unit, {LINEAR: 1, CONSTANT: Interval(Decimal(0), Decimal("0.25"))}) == (0, 1)
    assert integers(unit, {CONSTANT: Fraction(5, 2)}) == (2, 2)
    assert integers(unit, {CONSTANT: Fraction(3), INVERSE: -1}) == (2, 2)  # 3 - 1/r
    assert integers(unit, {CONSTANT: Fraction(3), INVERSE: 1}) == (3, 3)
    assert integers(unit, {power_of_t(2): 1, CONSTANT: Fraction(1, 2)}) is None
    assert floor(Model(unit, {CONSTANT: Fraction(5, 2)})).limit().hi == 2
    for growing in ({LINEAR: 1, LOG: 1}, {LOG: 1}, {LINEAR: UNIT}, {power_of_t(2): 1}, {LINEAR: Fraction(1, 3)}):
        assert integers(unit, growing) is None
    assert integers(cell(Fraction(0), Fraction(1), turns=False), {LINEAR: 1}) is None
    assert integers(Germ(Fraction(9), 6), {LINEAR: 1}) is None
    assert integers(Germ(Fraction(9), 6), {CONSTANT: Fraction(7, 2)}) == (3, 3)


def test_what_a_phase_tells_of_a_wave() -> None:
    """cos(n x + c) of r in (1/4, 1/3) modulo 2, or modulo 2 pi."""
    low, high = Fraction(1, 4), Fraction(1, 3)
    for turns, unit in ((True, math.pi), (False, 1.0)):
        germ = cell(low, high, turns)
        for n, c in ((1, Fraction(0)), (3, Fraction(1, 5)), (-2, Fraction(1, 3))):
            model = Model(germ, {LINEAR: n, CONSTANT: c})
            for wave, known in ((cos(model, turns), math.cos), (sin(model, turns), math.sin)):
                ends = [known(unit * (n * float(x) + float(c))) for x in (low, (low + high) / 2, high)]
                span = wave.span()
                assert float(span.lo) <= min(ends) + 1e-12 and max(ends) - 1e-12 <= float(span.hi)
                assert float(span.hi) - float(span.lo) < 1.5 * (max(ends) - min(ends)) + 0.03
        unknown: list[dict[Any, Any]] = [{LINEAR: 1, LOG: 1}, {LOG: 1}, {LINEAR: UNIT}, {LINEAR: Fraction(1, 2)}]
        for growing in unknown:
            span = cos(Model(germ, growing), turns).span()
            assert span.lo == -1 and span.hi == 1
        assert cos(Model(germ, {LINEAR: 1}), not turns).span().hi == 1


ENDS = [
    None,
    Fraction(-70),
    Fraction(-3),
    Fraction(-1),
    Fraction(-1, 3),
    Fraction(0),
    Fraction(1, 3),
    Fraction(1),
    Fraction(5),
]
OPERATIONS: dict[str, tuple[Callable[[Interval], Interval], Callable[[float], float]]] = {
    "negative": (lambda x: -x, lambda t: -t),
    "inverse": (lambda x: x.inverse(), lambda t: 1 / t),
    "square": (lambda x: x.power(Fraction(2)), lambda t: t**2),
    "cube": (lambda x: x.power(Fraction(3)), lambda t: t**3),
    "fourth power": (lambda x: x.power(Fraction(4)), lambda t: t**4),
    "inverse square": (lambda x: x.power(Fraction(-2)), lambda t: t**-2),
    "inverse cube": (lambda x: x.power(Fraction(-3)), lambda t: t**-3),
    "root": (lambda x: x.power(Fraction(1, 2)), lambda t: t**0.5 if t >= 0 else math.nan),
    "third root": (lambda x: x.power(Fraction(1, 3)), lambda t: t ** (1 / 3) if t >= 0 else math.nan),
    "inverse root": (lambda x: x.power(Fraction(-1, 2)), lambda t: t**-0.5 if t >= 0 else math.nan),
    "exp": (lambda x: x.exp(), math.exp),
    "log": (lambda x: x.log(), lambda t: math.log(t) if t > 0 else math.nan),
    "softplus": (lambda x: softplus(x, 1), lambda t: math.log1p(math.exp(-abs(t))) + max(t, 0)),
    "softplus below": (lambda x: softplus(x, -1), lambda t: math.log(-math.expm1(t)) if t < 0 else math.nan),
    "logistic": (lambda x: logistic(x, 1), lambda t: 1 / (1 + math.exp(-t))),
    "logistic below": (lambda x: logistic(x, -1), lambda t: 1 / -math.expm1(-t) if t < 0 else math.nan),
    "cos": (lambda x: cos(x), math.cos),
    "sin": (lambda x: sin(x), math.sin),
    "cos in turns": (lambda x: cos(x, True), lambda t: math.cos(math.pi * t)),
    "sin in turns": (lambda x: sin(x, True), lambda t: math.sin(math.pi * t)),
    "floor": (lambda x: floor(x), math.floor),
    "log erfc": (lambda x: log_erfc(x), lambda t: math.log(math.erfc(t)) if abs(t) < 20 else math.inf),
}


def points(lo: Fraction | None, hi: Fraction | None) -> list[float]:
    """Points of an interval whose ends may be infinite, near its ends as well."""
    start = float(lo) if lo is not None else -600.0 if hi is None else float(hi) - 600
    end = float(hi) if hi is not None else start + 600
    parts = (0, 1e-9, 0.01, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9, 0.99, 1 - 1e-9, 1)
    return [start + (end - start) * x for x in parts] + [0.0] * (start < 0 < end)


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_on_every_kind_of_interval(name: str) -> None:
    """Every value lies within; and an operation that is refused has no value somewhere in the interval."""
    operation, known = OPERATIONS[name]
    for i, lo in enumerate(ENDS):
        for hi in [*ENDS[max(i, 1) :], None]:
            box = Interval(NEG_INF if lo is None else interval(lo).lo, INF if hi is None else interval(hi).hi)
            values = []
            for t in points(lo, hi):
                try:
                    values.append(known(t))
                except (ZeroDivisionError, OverflowError):
                    values.append(math.nan if abs(t) < 1 else math.inf)
            try:
                found = operation(box)
            except Rejected:
                assert any(map(math.isnan, values)) or lo is None or hi is None, (lo, hi)
                continue
            undefined = {t for t, value in zip(points(lo, hi), values, strict=True) if math.isnan(value)}
            assert lo == hi or len(undefined) <= 1, (lo, hi)
            finite = [v for v in values if math.isfinite(v)]
            slack = 1e-12 * (1 + max((abs(v) for v in finite), default=0))
            assert all(float(found.lo) - slack <= v <= float(found.hi) + slack for v in finite), (lo, hi)
            if lo is not None and hi is not None and len(finite) == len(values):  # and no more than the values
                room = 0.6 * (max(finite) - min(finite)) + 1e-9
                assert float(found.lo) >= min(finite) - room and float(found.hi) <= max(finite) + room, (lo, hi)


def test_sums_and_products_of_every_kind_of_interval() -> None:
    boxes = [
        Interval(NEG_INF if lo is None else interval(lo).lo, INF if hi is None else interval(hi).hi)
        for i, lo in enumerate(ENDS)
        for hi in [*ENDS[max(i, 1) :], None]
    ]
    for x in boxes:
        for y in boxes:
            ends = [float(a) * float(b) if a and b else 0.0 for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
            product, total = x * y, x + y
            for found, known in (
                (product.lo, min(ends)),
                (product.hi, max(ends)),
                (total.lo, float(x.lo) + float(y.lo)),
                (total.hi, float(x.hi) + float(y.hi)),
            ):
                assert float(found) == known or abs(float(found) - known) < 1e-12 * (1 + abs(known))


@pytest.mark.parametrize(
    "operation",
    [
        lambda: Interval(Decimal(1), Decimal("nan")),
        lambda: log_matern(interval(0), Fraction(1, 2)),
        lambda: besselk_ratio(interval(0), Fraction(3, 2)),
        lambda: log_matern(Interval(Decimal(0), INF), Fraction(1, 3)),
        lambda: log_matern(Interval(NEG_INF, Decimal(1)), Fraction(1, 3)),
        lambda: besselk_ratio(Interval(Decimal(1), INF), Fraction(1, 3)),
        lambda: log_erfc_point(INF),
        lambda: log_erfc_point(NEG_INF),
        lambda: log_erfc_point(Decimal("1e1001")),
        lambda: gamma(Fraction(0)),
        lambda: gamma(Fraction(-2000001, 2)),
        lambda: gamma(Fraction(10**7)),
        lambda: Germ(Fraction(9), 6).span((0, 0, 0, 0, 1)),
        lambda: log_matern(Model(Germ(Fraction(9), 6), {INVERSE: -1}), Fraction(2)),
        lambda: log_matern(Model(Germ(Fraction(9), 6), {INVERSE: -1}), Fraction(3, 2)),
        lambda: besselk_ratio(interval(-1), Fraction(1, 3)),
        lambda: rough_exp(Interval(Decimal(0), Decimal(5))),
        lambda: proof_of("exp(-r)").tail.cover("phases", ["0", "7"]),
        lambda: proof_of("exp(-r)").tail.cover("phases", None),
        lambda: problem("Piecewise((exp(-r), r < 1), (-exp(-r), True))").on_box(Fraction(1, 2), Fraction(2)),
        lambda: Reader(None, {}),
        lambda: Reader("r" * 4001, {}),
        lambda: Reader("-" * 101 + "r", {}).tree(),
        lambda: ends({"lower": "2", "upper": "1"}, "epsilon"),
        lambda: ANY.inverse(),
        lambda: ZERO.inverse(),
    ],
)
def test_what_is_out_of_reach_is_refused(operation: Callable[[], Any]) -> None:
    with pytest.raises(Rejected):
        operation()


def of_pole(claim: dict[str, Any]) -> bytes:
    whole = json.loads(forged("r**(-9)", "invalid", {"integrable": "refuted"}, **CENTRE))
    return data(resealed(whole, lambda c: c["claim"].update(claim)))


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ({"sensitivity": "0"}, "not positive"),
        ({"scale": "0"}, "not positive"),
        ({"sensitivity": "-1", "scale": "-1"}, "not positive"),
        ({"dimension": 0}, "not an integer"),
        ({"dimension": True}, "not an integer"),
        ({"dimension": 10**6 + 1}, "not an integer"),
        ({"dimension": "1"}, "not an integer"),
    ],
)
def test_a_problem_that_is_none_is_refused(claim: dict[str, Any], why: str) -> None:
    assert kernel.check_bytes(of_pole({}))
    many = json.loads(of_pole({"sensitivity": "1/1000", "dimension": 10**6}))
    tail = resealed(many, lambda c: c["proof"].update(integrable={"diverges": "tail"}))
    assert kernel.check_bytes(data(tail))
    with pytest.raises(Rejected, match=why):
        kernel.check_bytes(of_pole(claim))


def test_a_power_zero_of_what_changes_sign_is_one() -> None:
    plain, written = problem("exp(-r)*3"), problem("exp(-r)*(2+(r-1)**0)")
    for a, b in ((Fraction(1, 8), Fraction(1, 4)), (Fraction(2), Fraction(3))):
        for found, known in zip(
            (written.on_box(a, b).u, written.loss(a, b, Fraction(1, 2))),
            (plain.on_box(a, b).u, plain.loss(a, b, Fraction(1, 2))),
            strict=True,
        ):
            assert abs(found.lo - known.lo) + abs(found.hi - known.hi) < Decimal("1e-30")


def test_the_value_of_a_box_has_the_sign_of_all_its_terms() -> None:
    box = Slope(Interval(Decimal(1), Decimal(2)), ONE)
    assert Evaluation(box).log(Reader("-exp(-r)-exp(-2*r)", {}).tree())[0] == -1
    with pytest.raises(Rejected, match="not positive where"):
        problem("-exp(-r)-exp(-2*r)").on_box(Fraction(1), Fraction(2))


def test_points_of_a_cover_reach_exactly() -> None:
    charts = Fraction(1, 64), Fraction(16)
    assert len(cover(grid("1/64", "16", 7), "cover", *charts)) == 7
    for points in (grid("1/63", "16", 7), grid("1/64", "15", 7), ["1/64"], [], None, "1/64"):
        with pytest.raises(Rejected):
            cover(points, "cover", *charts)


@pytest.mark.parametrize("turns", [1, None, "true"])
def test_turns_are_true_or_false(turns: Any) -> None:
    steps = {"phase": {"turns": turns, "frequency": "1", "cover": ["0", "7"], "peak": "0"}}
    with pytest.raises(Rejected, match="not valid"):
        proof_of("exp(-r)", **steps)


def test_values_are_bounded_and_not_negative_on_every_box() -> None:
    def shown(text: str) -> bool:
        try:
            refutations.bounded_by_values(proof_of(text, cover=["1/64", "1", "16"]))
        except Rejected:
            return False
        return True

    assert shown("exp(-r)") and shown("r-1/128") and shown("Abs(cos(r))") and shown("exp(-r)*(r-2)**2")
    assert not shown("cos(r)") and not shown("exp(-r)*(r-1)**(-2)") and not shown("(r-2)**3")


def test_values_in_the_tail_are_bounded_and_not_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    square = power_of_t(-2)
    for text, coefficient, integrable in (
        ("exp(-r)", UNIT, True),
        ("exp(-r)", Interval(Decimal(-1), Decimal(1)), True),
        ("r-1", Interval(Decimal(-1), Decimal(1)), False),
        ("r-1", UNIT, True),
        ("exp(-r)", Interval(Decimal(0), INF), False),
    ):
        model = Model(problem(text).infinity, {square: coefficient})
        monkeypatch.setattr(Evaluation, "value", lambda self, node, model=model: model)
        assert integrable_by_values(text) is integrable
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("text", "converges"),
    [
        ("1/((1+r)*sqrt(log(9+r)))", -1),
        ("1/((1+r)*log(9+r)**2)", 1),
        ("1/((1+r)*log(9+r)*sqrt(log(log(99+r))))", -1),
        ("1/((1+r)*log(9+r)*log(log(99+r))**2)", 1),
        ("exp(-sqrt(log(9+r)))/(1+r)", 1),
        ("exp(sqrt(log(9+r)))/(1+r)", -1),
        ("(1+r)**(-1)", -1),
        ("(1+r)**(-2)", 1),
        ("(1+1/r)/r", -1),
        ("exp(-1/r)/r", -1),
    ],
)
def test_integrals_near_the_borderline(text: str, converges: int) -> None:
    p = problem(text, radius=100_000)
    try:
        assert integral(p.far(p.infinity).u, 1) == converges
    except Rejected as error:
        assert "borderline" in str(error)


def test_the_limit_superior_lies_between_its_bounds() -> None:
    proof, third = proof_of("exp(-r)"), Fraction(1, 3)
    limsup(proof, Fraction(1), Fraction(1))
    limsup(proof, third, 1 + third)
    for low, high in ((1 + third, Fraction(2)), (third, 2 * third), (1 + TINY, 1 + TINY), (1 - TINY, 1 - TINY)):
        with pytest.raises(Rejected, match="does not hold the limit"):
            limsup(proof, low, high)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "~r",
            "not r",
            "exp(r, x=1)",
            "r.exp(r)",
            "(r)(r)",
            "1_0.5",
            "True",
            "'1'",
            "1.5j",
            "...",
            "lambda: r",
            "[r]",
        ),
        *("Piecewise((r, r < 1, 2))", "Piecewise((r, 1))", "Piecewise((r, r < 1), (2, True), 3)", "r if r else 1"),
        *("Piecewise((r, (r < 1) ^ (r > 2)), (1, True))", "Piecewise((r, -(r < 1)), (1, True))", "\uff52", "exp(\n-r)"),
        *(
            "Piecewise((r, r != 1), (1, True))",
            "Piecewise((r, r), (1, True))",
            "r // 2",
            "r @ r",
            "exp(*r)",
            "r; r",
            "r < 1",
        ),
        *(
            "Piecewise((r, r is r), (1, True))",
            "exp()",
            "Max(r)",
            "besselk(1)",
            "besselk(1, r, 2)",
            "exp(r, r)",
            "exp(r)#",
            "\t\tr\t",
            "r\x00",
            "",
            "()",
        ),
    ],
)
def test_a_text_outside_the_language_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        Reader(text, {}).tree()


@pytest.mark.parametrize("text", ("r", "y", "delta*r"))
def test_a_closed_form_knows_no_radius(text: str) -> None:
    with pytest.raises(Rejected, match="unbound"):
        Reader(text, {"delta": Fraction(1)}, radial=False).tree()


@pytest.mark.parametrize(
    ("condition", "a", "b", "holds"),
    [
        ("sqrt(r) > 3/4", "1/4", "1/3", False),
        ("exp(r) > 19/10", "3/4", "1", True),
        ("(1/(r-1)+1)**2 > 1/2", "1", "3/2", True),
        ("r+1/(r-1) > 1", "1", "3/2", True),
        ("r**3-r > 0", "1", "2", True),
        ("-r**2 < -1", "1", "2", True),
        ("r-1/3 < 0", "1/4", "1/3", True),
        ("r**(-2) > 9", "1/4", "1/3", True),
    ],
)
def test_a_condition_up_to_the_ends_of_a_box(condition: str, a: str, b: str, holds: bool) -> None:
    log = problem(f"Piecewise((2, {condition}), (3, True))").on_box(Fraction(a), Fraction(b)).u
    assert log.exp().lo < (2 if holds else 3) < log.exp().hi
    assert log.hi - log.lo < Decimal("1e-40")


@pytest.mark.parametrize(
    "text", ["3+2*cos(r)*exp(r)", "Max(sin(r),-cos(r))", "Max(r-2,1-r)", "1+cos(r)-2", "(r-1)**(1/3)"]
)
def test_a_form_that_is_not_enough(text: str) -> None:
    assert not never_negative(Reader(text, {}).tree())


@pytest.mark.parametrize(
    "text", ["2+2*cos(r)*exp(-r)", "1+r+cos(r)", "r+2**(1/2)", "cos(r)*exp(-r)+1", "3+r*cos(r)/r**2"]
)
def test_a_sum_that_is_no_square_touches_nothing(text: str) -> None:
    assert not touches(f"exp(-r)*({text})", Fraction(3), Fraction(16, 5))


def test_the_slopes_of_a_floor_have_the_sign_of_its_argument() -> None:
    box = Interval(Decimal(0), Decimal(5))
    for du, low, high in (
        ((-1, 1), NEG_INF, INF),
        ((1, 2), 0, INF),
        ((-2, -1), NEG_INF, 0),
    ):
        slopes = floor(Slope(box, Interval(Decimal(du[0]), Decimal(du[1])))).du
        assert slopes.lo == low and slopes.hi == high


@pytest.mark.parametrize("text", ("(3/2-floor(r))**2", "(floor(r)-3/2)**2"))
def test_a_jump_over_zero_in_either_direction_touches_nothing(text: str) -> None:
    assert not touches(f"exp(-r)*{text}", Fraction(3, 2), Fraction(5, 2))

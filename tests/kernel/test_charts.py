"""What a claim is about, and how f is taken on its charts: exact numbers, and cases that are just refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import curvature, falling, pieces
from dpverify.kernel.sections.apart import BESIDE, Apart, place
from dpverify.kernel.sections.cells import Cell, OnTorus
from dpverify.kernel.sections.charts import Problem, Subject, charted, parameters, said_of
from dpverify.kernel.sections.curvature import highest_by_curvature
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.models import Germ, Model, power_of_t
from dpverify.kernel.sections.pieces import heights, rewritten, spread, sum_of_a_piece
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.ways import Ways, with_ways
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import walk
from tests.kernel.problems import on_charts, tree, written

Q = Fraction


def number(x: Any) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(str(x))


def near(found: Interval, exact: Any, width: float = 1e-25) -> None:
    assert number(found.lo) - 1e-30 <= exact <= number(found.hi) + 1e-30
    assert number(found.hi) - number(found.lo) <= width


# The claim.


def claim(text: str = "exp(-r)", **changed: Any) -> Any:
    return written(text, "private", {}, {}, **changed)["claim"]


def test_delta_is_the_sensitivity_over_the_scale() -> None:
    for sensitivity, scale, delta in (("1", "1", Q(1)), ("3", "2", Q(3, 2)), ("1/3", "5", Q(1, 15))):
        given = claim(sensitivity=sensitivity, scale=scale)
        assert Subject(given).delta == delta
        assert said_of(given).endswith(f"d = 1, Delta/sigma = {delta}")
    given = claim("exp(-k*r)", parameters={"k": "2"}, closed_form="k*delta", sensitivity="3", scale="2")
    found = Subject(given)
    assert found.dimension == 1 and found.form is not None
    near(Evaluation(interval(1)).value(found.form[1]), mpmath.mpf(3))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"sensitivity": "0"}, "not positive"),
        ({"sensitivity": "-1"}, "not positive"),
        ({"scale": "0"}, "not positive"),
        ({"scale": "-1"}, "not positive"),
        ({"sensitivity": "-1", "scale": "-1"}, "not positive"),
        ({"dimension": 0}, "dimension"),
        ({"dimension": 10**6 + 1}, "dimension"),
        ({"dimension": True}, "dimension"),
        ({"more": "1"}, "unknown field"),
        ({"parameters": {"k": "1"}}, "k is not used"),
        ({"parameters": {"k": "1"}, "closed_form": "delta"}, "k is not used"),
        ({"parameters": []}, "not an object"),
        ({"parameters": {"r": "1"}}, "not permitted"),
    ],
)
def test_what_is_no_claim(changed: dict[str, Any], why: str) -> None:
    assert Subject(claim(dimension=10**6)).dimension == 10**6
    with pytest.raises(Rejected, match=why):
        Subject(claim(**changed))


def test_nodes_that_rewriting_made_have_numbers_of_their_own() -> None:
    """What is kept of a node by its number would be mistaken for another's."""
    subject = Subject(claim("exp(-r)*(3+cos(r)+0*log(r))"))
    zero = next(
        n.number for n in subject.nodes() if n.kind == "mul" and n.args[0].kind == "num" and not n.args[0].args[0]
    )
    subject.rewrite(Steps({"absent": [zero]}))
    numbers = [node.number for node in subject.nodes()]
    assert all(numbers) and len(set(numbers)) == len(numbers)


def test_parameters_of_another_form() -> None:
    assert parameters({"k": "-1/2"}) == {"k": Q(-1, 2)}
    assert Subject(claim(parameters={"k": "1"}, closed_form="k*delta")).form is not None
    others: list[Any] = [[], None, "k", 3]
    for given in others:
        with pytest.raises(Rejected, match="not an object"):
            parameters(given)


# The charts.


def test_the_chart_at_zero_reaches_as_far_as_the_boxes_begin() -> None:
    """log f = -r on (0, r0] and on [R, oo)."""
    problem = Problem(tree("exp(-r)"), 1, Q(1), (Q(1, 64), 4), (Q(16), 4))
    assert (
        number(problem.near_zero().u.span().lo) <= -mpmath.mpf(1) / 64 < number(problem.near_zero().u.span().lo) + 1e-9
    )
    assert number(problem.far(problem.infinity).u.span().hi) + 16 < 1e-9
    assert problem.zero.order == problem.infinity.order == 4


def charts(low: str, high: str, order: int, far_order: int, text: str = "exp(-r)") -> Problem:
    zero, far = ({"radius": r, "order": n} for r, n in ((low, order), (high, far_order)))
    return charted(Steps({"zero": zero, "infinity": far}), Subject(claim(text)))


def test_charts_as_a_proof_names_them() -> None:
    found = charts("1/2", "2", 24, 3)
    assert (found.r0, found.r1, found.zero.order, found.infinity.order) == (Q(1, 2), Q(2), 24, 3)
    for low, high in (("2", "3/2"), ("0", "2"), ("-1", "2")):
        with pytest.raises(Rejected):
            charts(low, high, 4, 4)
    for orders in ((25, 4), (4, 25), (0, 4), (4, 0)):
        with pytest.raises(Rejected, match="order"):
            charts("1/2", "2", *orders)
    large = "+".join(f"exp(-r/{k})" for k in range(1, 40))
    assert charts("1/2", "2", 4, 4, large).zero.order == 4
    for orders in ((24, 4), (4, 24)):
        with pytest.raises(Rejected, match="too large for so large"):
            charts("1/2", "2", *orders, large)


# Losses taken apart.


def test_a_loss_taken_apart_has_the_slopes_of_both_sides() -> None:
    """g = r^2: phi_h = 2 r h + h^2, whose slope is 2 h."""
    problem, h = Apart(on_charts("exp(-y)"), Steps({"apart": "1000"})), Q(3)
    for a, b in ((Q(1), Q(101, 100)), (Q(5), Q(501, 100))):
        for above in (False, True):
            found = problem.loss(a, b, h, above)
            low, high = (2 * r * h + h * h for r in (a, b))
            assert found.lo <= interval(low).lo + Decimal("1e-30") and found.hi >= interval(high).hi - Decimal("1e-30")
            assert number(found.hi) <= number(high) * (1 + mpmath.mpf("1e-9")) or not above
            assert number(found.hi - found.lo) <= 2.001 * number(high - low)


@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize(("text", "slope"), [("-r**2", 2), ("r**2-10*r", -2)])
def test_a_loss_taken_apart_up_to_a_jump_says_nothing_of_what_lies_beyond(text: str, slope: int, above: bool) -> None:
    """f has a quarter of its height from 2 on: on (1, 2), with a shift of 3, phi is 2 r h + ... and log 4."""
    whole = f"Piecewise((exp({text}), r < 2), (exp({text})/4, True))"
    problem, h = Apart(on_charts(whole), Steps({"apart": "1000"})), 3

    def log(r: Any) -> Any:
        return -r * r if slope == 2 else r * r - 10 * r

    for a, b in ((Q(1), Q(2)), (Q(199, 100), Q(2))):
        found = problem.loss(a, b, Q(h), above)
        with mpmath.workdps(40):
            values = [log(r) - log(r + h) + mpmath.log(4) for r in (number(a), number(b))]
        assert number(found.lo) <= min(values) and max(values) <= number(found.hi) + 1e-9
        assert number(found.hi) <= max(values) + 1e-9 + (0 if above else 6 * float(b - a))


def test_a_share_of_a_box_is_none_of_its_ends() -> None:
    for low, high in ((1, 2), (0, 2), (-2, -1), (-2, 0), (-1, 2), (0, 0)):
        share = place(Interval(Decimal(low), Decimal(high)))
        assert 0 < share < 1
        assert share == 1 - BESIDE if low >= 0 else share == BESIDE if high <= 0 else True


def test_losses_that_are_not_taken_apart_are_in_vain() -> None:
    steps = Steps({"apart": "1/2"})
    problem = Apart(on_charts("exp(-r)"), steps)
    problem.loss(Q(1), Q(2), Q(1))
    with pytest.raises(Rejected, match="no loss is taken apart"):
        steps.finish()
    problem.loss(Q(1, 4), Q(1, 2), Q(1))
    steps.finish()


# Where f falls, and where the loss is concave.


@pytest.mark.parametrize(
    ("text", "x", "jumps_up"),
    [
        ("Piecewise((exp(-r), r < 2), (exp(-r)/2, True))", Q(2), False),
        ("Piecewise((exp(-r), r < 2), (2*exp(-r), True))", Q(2), True),
        ("exp(-abs(r-floor(r+1/2)))", Q(1, 2), False),  # 1/2 - 0 before, 1/2 - 1 beyond: the modulus is 1/2 of both
        ("exp(-r/3-abs(r-floor(r+1/2)))", Q(3, 2), False),
        ("exp(-frac(r))", Q(1), True),
        ("exp(frac(r))", Q(1), False),
        ("Piecewise((exp(-r), r < 1), (exp(-1), True))", Q(1), False),
        ("Piecewise((exp(-r), r < 1), (exp(-1)+1/10**40, True))", Q(1), True),
        ("Piecewise((exp(-1), r < 1), (exp(-1/2-10**30*(r-1)), True))", Q(1), True),  # lower at the end of the box
    ],
)
def test_across_a_radius_f_does_not_rise_where_it_drops_or_is_continuous(text: str, x: Q, jumps_up: bool) -> None:
    problem = on_charts(text)
    if jumps_up:
        with pytest.raises(Rejected, match="continuous"):
            falling.drops_at(problem, x)
    else:
        falling.drops_at(problem, x)


@pytest.mark.parametrize(
    ("bend", "shown"), [(("-2", "-1"), True), (("-2", "0"), False), (("-1", "1"), False), (("-Infinity", "-1"), False)]
)
def test_a_concave_loss_has_a_bound_above_its_tangent(
    monkeypatch: pytest.MonkeyPatch, bend: tuple[str, str], shown: bool
) -> None:
    """phi(c) + phi'(c)^2/(2 m) = 3 + 1/2."""
    within = Interval(*(Decimal(x) for x in bend))
    one = interval(1)
    nested, plain = Slope(Slope(one, one), Slope(one, within)), Slope(interval(3), one)
    given = iter([nested, plain])
    monkeypatch.setattr(curvature, "increment", lambda p, r: next(given))
    where = on_charts("exp(-r)"), Q(1), Q(2), Q(3, 2)
    if shown:
        assert highest_by_curvature(*where) == Decimal("3.5")
    else:
        with pytest.raises(Rejected, match="not shown concave"):
            highest_by_curvature(*where)


# Pieces, powers of pairs, and second ways.


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("cos(r)", (-1, 1)),
        ("3-2*sin(r)+cos(2*r)/2", (Q(1, 2), Q(11, 2))),
        ("cos(r)*exp(r)", None),
        ("2*cos(r)*exp(r)", None),
        ("cos(r)*sin(2*r)", None),
        ("5+sin(r)*exp(-r)", None),
        ("1+r", None),
        ("pi", None),
    ],
)
def test_between_which_heights_waves_lie(text: str, ends: Any) -> None:
    assert heights(tree(text)) == ends


def test_a_sum_with_two_pieces_is_one_piece_throughout() -> None:
    found = spread(tree("5+sign(cos(r))+sign(sin(2*r))/2"))
    assert found is not None and len(found.args) > 1
    inner = [part for value, _ in found.args for part in walk(value) if part.kind == "add"]
    assert all(spread(part) is None for part in inner)


def test_pieces_that_name_floors_sums_or_nothing() -> None:
    wave = tree("2+floor(cos(r))")
    (node,) = (n.number for n in walk(wave) if n.kind == "floor")
    once = rewritten(wave, {"floors": [node], "sums": []})
    assert any(n.kind == "piece" for n in walk(once)) and once.kind == "add"
    text = tree("2+sign(cos(r))")
    assert rewritten(text, {"floors": [], "sums": [text.number]}).kind == "piece"
    with pytest.raises(Rejected, match="names no node"):
        rewritten(wave, {"floors": [], "sums": []})
    others: list[Any] = [[1] * 41, "1", None, {}]
    for other in others:
        with pytest.raises(Rejected, match="not a list"):
            rewritten(wave, {"floors": other, "sums": []})
    with pytest.raises(Rejected, match="no sum with a piece"):
        sum_of_a_piece(wave)
    assert pieces.MAX_REWRITTEN == 40


def test_powers_of_a_model_with_its_slopes() -> None:
    germ = Germ(Q(4), 6)
    two, nothing, r = germ.radius(0) * 2, Model(germ, {}), germ.radius()
    one = power_of_t(0)
    constant = Slope(two, nothing)
    assert constant.power(Q(2)).u.terms == {one: 4} and constant.power(Q(2)).du.terms == {}
    assert constant.power(Q(1)).u.terms == {one: 2}
    both = Slope(nothing, nothing)
    for p in (Q(1, 2), Q(1), Q(3)):
        assert both.power(p).u.terms == both.power(p).du.terms == {}
    for p in (Q(-1), Q(-1, 2), Q(0)):
        with pytest.raises(Rejected):
            both.power(p)
    square = Slope(r, r.const(1)).power(Q(2))
    assert square.u.terms == {power_of_t(2): 1} and square.du.terms == {power_of_t(1): 2}
    vanishing = Slope(nothing, r.const(1)).power(Q(2))
    assert vanishing.u.terms == {} == vanishing.du.terms
    same = Slope(interval(3), interval(5)).power(Q(1))
    assert (same.u.lo, same.du.lo) == (3, 5)


def named(text: str, given: Any) -> Problem:
    root = tree(text)
    return with_ways(on_charts(text), Steps({"ways": given}), SimpleNamespace(nodes=lambda: walk(root)))  # type: ignore[arg-type]


def test_every_node_that_is_named_has_the_way_that_is_named() -> None:
    text = "exp(-r)*log(2+exp(-r))"
    numbers = {n.kind: str(n.number) for n in walk(tree(text))}
    assert named(text, {"boxes": {numbers["log"]: "value", numbers["add"]: "value"}})
    for other in ({numbers["r"]: "value"}, {numbers["mul"]: "value"}, {numbers["add"]: "logs"}, {"99": "value"}):
        with pytest.raises(Rejected, match="no such way"):
            named(text, {"boxes": {numbers["log"]: "value", **other}})
    assert Ways()(interval(1)).shift == 0 == Ways()(interval(1)).elsewhere(interval(2)).shift


def test_erfc_by_its_square_is_asked_of_its_value_too() -> None:
    """Beside (erfc(t) e^(t^2) t sqrt(pi)) at t = 20."""
    node = next(n for n in walk(tree("erfc(r)")) if n.kind == "erfc")
    far = Germ(Q(16), 8).radius()
    ways = Ways([node.number])
    found = ways(far).value(node)
    assert ways.taken == {node.number}
    assert found.leading()[0] == Evaluation(far).value(node).leading()[0]
    other = Ways()
    assert other(far).value(node).terms and other.taken == set()


def cell_of_one_line() -> tuple[Any, Cell]:
    line = SimpleNamespace(speeds=[interval(1)], chirps=[], waves={}, wavy=set(), shared={})
    return line, Cell(line, [(Q(0), Q(1)), (Q(1), Q(2)), (Q(0), Q(1, 2))][:2], None)  # type: ignore[arg-type]


def test_what_has_no_free_wave_is_kept_for_each_axis_apart() -> None:
    """Along the phase the radius stands still; along the shift it moves; a value is not its logarithm."""
    _, cell = cell_of_one_line()
    node, still, moving = tree("exp(-r)"), interval(0), interval(1)
    slopes = []
    for axis, du in ((0, still), (1, moving), (0, still)):
        at = OnTorus(Slope(interval(2), du), cell, 1, axis, Ways())
        assert at.shift == 0
        sign, log = at.log(node)
        value = at.value(node)
        near(log.u, mpmath.mpf(-2))
        assert sign == 1
        with mpmath.workdps(40):
            near(value.u, mpmath.exp(-2))
            slopes.append(value.du)
            near(value.du, -mpmath.exp(-2) * (0 if du is still else 1))
    near(slopes[0], mpmath.mpf(0))
    plain = OnTorus(interval(2), cell, 1, None, Ways())
    with mpmath.workdps(40):
        near(plain.value(node), mpmath.exp(-2))

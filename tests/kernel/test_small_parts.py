"""Parts of the newer sections by themselves: beside mpmath, and what they must refuse."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import D0, D1, INF, Interval, hull, interval
from dpverify.kernel.sections import at_once, far_boxes, measures, profiles, supports
from dpverify.kernel.sections.at_once import AtOnce
from dpverify.kernel.sections.composition import composed
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponentials import Rate
from dpverify.kernel.sections.far_boxes import scales
from dpverify.kernel.sections.increments import mean_value
from dpverify.kernel.sections.models import Germ, Model
from dpverify.kernel.sections.saws import line_of
from dpverify.kernel.sections.slopes import Slope, with_slope
from dpverify.kernel.sections.softplus import SHORTFALL, as_softplus, vanishing_shortfall
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node
from dpverify.serialise import digest
from tests.kernel.problems import tree

CURVES = Path(__file__).parents[2] / "certificates" / "profiles"
Q = Fraction


def number(x: Fraction | Decimal) -> mpmath.mpf:
    if isinstance(x, Decimal):
        return mpmath.mpf(str(x).replace("Infinity", "inf"))
    return mpmath.mpf(x.numerator) / x.denominator


def holds(found: Interval, exact: mpmath.mpf) -> bool:
    """With the digits of mpmath as slack."""
    slack = abs(exact) * mpmath.mpf(10) ** -45
    return bool(number(found.lo) - slack <= exact <= number(found.hi) + slack)


def around(rnd: random.Random, x: Fraction) -> Interval:
    return hull(interval(x - Q(rnd.randint(0, 9), 100)), interval(x + Q(rnd.randint(0, 9), 100)))


@pytest.mark.parametrize("seed", range(10))
def test_what_is_known_here_and_ahead_holds_a_function_and_its_increment(seed: int) -> None:
    """Every operation, on enclosures of a number here, of one ahead, and of their difference."""
    rnd = random.Random(seed)
    operations: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
        (lambda x: x.inverse(), lambda x: 1 / x),
        (lambda x: x.exp(), mpmath.exp),
        (lambda x: x.log(), mpmath.log),
        (lambda x: -x, lambda x: -x),
        (lambda x: x * x + 3, lambda x: x * x + 3),
        (lambda x: x * Q(-2, 3), lambda x: -2 * x / 3),
        (lambda x: x.power(Q(-3, 2)), lambda x: x ** mpmath.mpf(-1.5)),
        (lambda x: x.power(Q(5)), lambda x: x**5),
        (lambda x: (-x).inverse(), lambda x: -1 / x),
        (lambda x: (-x).power(Q(-3)), lambda x: (-x) ** -3),
        (lambda x: (x + (-2)).power(Q(3)), lambda x: (x - 2) ** 3),
        (lambda x: (x + (-2)).power(Q(2)), lambda x: (x - 2) ** 2),
    ]
    with mpmath.workdps(60):
        for of, exact in operations:
            here, ahead = (Q(rnd.randint(20, 400), 100) for _ in range(2))
            found = of(AtOnce(around(rnd, here), around(rnd, ahead), around(rnd, ahead - here)))
            low, high = exact(number(here)), exact(number(ahead))
            assert holds(found.u, low) and holds(found.there, high) and holds(found.du, high - low)


def test_an_increment_is_as_narrow_as_its_shift() -> None:
    """1/u on a wide box with a short shift: of the increment the narrow bound is kept."""
    x = AtOnce(hull(interval(Q(1)), interval(Q(2))), hull(interval(Q(1)), interval(Q(2))), interval(Q(1, 1000)))
    assert x.inverse().du.lo >= Decimal("-0.001") and x.inverse().du.hi <= 0


def test_all_of_the_tail_begins_at_its_radius() -> None:
    """Neither a sliver above R, nor one above R and the least shift, is left out."""
    seen = []

    def at_box(x: AtOnce) -> AtOnce:
        seen.append(x)
        return x

    problem: Any = SimpleNamespace(r1=Q(22, 7), at_box=at_box, log_f=lambda x: x)
    at_once.all_the_way(problem, Q(1, 3), Q(2, 3))
    (x,) = seen
    assert Fraction(x.u.lo) <= Q(22, 7) and Fraction(x.there.lo) <= Q(22, 7) + Q(1, 3)
    assert x.u.hi == x.there.hi == INF and Fraction(x.du.lo) <= Q(1, 3) and Fraction(x.du.hi) >= Q(2, 3)


def test_a_mean_value_is_taken_inside_of_a_box() -> None:
    """At an end of it f may jump."""
    seen = []

    def at(r: Interval) -> Interval:
        seen.append(r)
        return interval(Q(0))

    mean_value(Slope(interval(Q(0)), interval(Q(1))), Q(1), Q(2), at)
    assert seen[0].lo > 1 and seen[0].hi < 2


def test_products_of_more_than_a_number_and_a_line_are_no_line() -> None:
    assert line_of(tree("2*r")) == (2, 0) and line_of(tree("2*r+1/3")) == (2, Q(1, 3))
    for text in ("2*r*exp(-r)", "2*r*log(1+r)", "3*(r+1)*floor(r)", "1+2*r*log(1+r)"):
        assert line_of(tree(text)) is None, text


def test_a_logarithm_of_one_and_something_is_one_of_a_sum() -> None:
    assert as_softplus(tree("log(1+exp(r))")).kind == "softplus"
    one = Node("num", Q(1))
    for node in (
        tree("log(Max(1,exp(r)))"),
        tree("log(2+exp(r))"),
        tree("log(1+sin(r))"),
        tree("exp(1+exp(r))"),
        tree("log(exp(1+r))"),
        Node("log", Node("mul", one, Node("r"))),
        Node("log", Node("exp", one)),
    ):
        with pytest.raises(Rejected):
            as_softplus(node)


@pytest.mark.parametrize("t", [-1000, -100, -40, -25, -24, -23, -1, 0, 1, 30])
def test_the_shortfall_and_its_slopes_at_a_point(t: int) -> None:
    """Far below, where all but e^t cancels, to nearly as many digits of that."""
    with mpmath.workdps(1000):
        w = mpmath.exp(t)
        k = mpmath.log(mpmath.log(1 + w) / w)
        slope = w / ((1 + w) * mpmath.log(1 + w)) - 1
        bend = (slope + 1) * (1 - w / (1 + w) - slope - 1)
        x = interval(Q(t))
        for found, exact in ((SHORTFALL.value(x), k), (SHORTFALL.slope(x), slope), (SHORTFALL.bend(x), bend)):
            assert number(found.lo) <= exact <= number(found.hi)
            if found is not SHORTFALL.bend(x) and t < -25:
                assert number(found.hi - found.lo) <= max(abs(exact), mpmath.mpf(10) ** -50)
        assert abs(number(SHORTFALL.value(x).hi) - k) <= abs(k) * mpmath.mpf(10) ** -9


def test_the_shortfall_far_out_lies_between_nought_and_half_of_what_vanishes() -> None:
    germ = Germ(Q(16), 6)
    found = vanishing_shortfall(Model(germ, {(0, 1, 0, 0, 0): Q(-2)}))
    ((monomial, factor),) = found.terms.items()
    held = interval(factor)
    assert monomial[0] == Rate(((1, Q(-2)),)) and monomial[1:] == (0, 0, 0, 0)
    assert held.lo <= Decimal("-0.5") and held.hi >= 0


def test_a_softplus_by_its_value_and_by_its_logarithm() -> None:
    node = as_softplus(tree("log(1+exp(-r))"))
    with mpmath.workdps(60):
        exact = mpmath.log(1 + mpmath.exp(-2))
        assert holds(Evaluation(interval(Q(2))).value(node), exact)
        assert holds(Evaluation(interval(Q(2))).log(node)[1], mpmath.log(exact))
        slopes = Evaluation(with_slope(interval(Q(2)))).value(node).du
        assert holds(slopes, -1 / (1 + mpmath.exp(2)))


def test_a_monomial_on_a_box_far_out() -> None:
    """e^(-3 sqrt(t) + t/2) t^(1/3) (log t)^2 at both ends of a box, and between."""
    low, high = Q(20), Q(21)
    monomial = (Rate(((Q(1), Q(1, 2)), (Q(1, 2), Q(-3)))), Q(1, 3), 2, 0, 0)
    found = far_boxes.size(monomial, scales(low, high))
    with mpmath.workdps(60):
        for t in (low, Q(41, 2), high):
            x = number(t)
            assert holds(found, mpmath.exp(-3 * mpmath.sqrt(x) + x / 2) * mpmath.cbrt(x) * mpmath.log(x) ** 2)


def test_a_box_that_is_not_far_enough_for_a_monomial_is_refused() -> None:
    for low, monomial in ((Q(2), (0, 0, 0, 1, 0)), (Q(11), (0, 0, 0, 0, -1)), (Q(3, 2), (0, 0, 0, 0, 1))):
        with pytest.raises(Rejected):
            far_boxes.size(monomial, scales(low, low + 1))
    found = far_boxes.size((0, 0, 0, 0, -1), scales(Q(20), Q(21)))
    with mpmath.workdps(60):
        assert holds(found, 1 / mpmath.log(mpmath.log(mpmath.log(mpmath.mpf(20.5)))))


@pytest.mark.parametrize("text", ["r**r", "r**r/exp(3*r)", "exp(y)/r**r"])
def test_a_monomial_that_outgrows_powers_has_no_size_on_a_box(text: str) -> None:
    """Alone, and with an exponent that is a number beside the one that is a model."""
    ((monomial, _),) = Evaluation(Germ(Q(16), 6).radius()).value(tree(text)).terms.items()
    with pytest.raises(Rejected, match="no size on a box"):
        far_boxes.size(monomial, scales(Q(20), Q(21)))


def test_a_factorial_is_enclosed() -> None:
    """That of the largest dimension too, whose digits would take minutes to read."""
    with mpmath.workdps(60):
        for n in (0, 1, 2, 3, 20, 99, 1000):
            assert holds(supports.factorial(n), mpmath.factorial(n))


@pytest.mark.slow
def test_the_largest_factorial_is_enclosed() -> None:
    found = supports.factorial(10**6 - 1)
    with mpmath.workdps(60):
        exact = mpmath.factorial(10**6 - 1)
        assert holds(found, exact) and number(found.hi) < number(found.lo) * (1 + mpmath.mpf(10) ** -50)


# Profiles


@pytest.mark.parametrize(
    ("value", "cost", "low", "high"),
    [
        (("0.2", "0.3"), ("0.01", "0.05"), "0.05", "0.175"),
        (("-0.2", "-0.1"), ("0", "0.5"), "0", "0.25"),
        (("0.2", "0.3"), ("-0.5", "-0.1"), "0.05", "0.15"),
        (("-0.1", "0.1"), ("0", "0"), "0", "0.05"),
    ],
)
def test_delta_is_the_value_and_at_most_the_cost_more(
    monkeypatch: pytest.MonkeyPatch, value: tuple[str, str], cost: tuple[str, str], low: str, high: str
) -> None:
    pair = tuple(Interval(*map(Decimal, x)) for x in (value, cost))
    z = Interval(Decimal(2), Decimal(4))
    for d, name in ((1, "line"), (3, "spheres")):
        monkeypatch.setattr(profiles, name, lambda noise, step: pair)
        noise: Any = SimpleNamespace(d=d)
        proof: Any = None
        assert profiles.at_point(proof, noise, z, {}) == (Decimal(low), Decimal(high))
        thirds = profiles.at_point(proof, noise, Interval(Decimal(3), Decimal(3)), {})
        assert Fraction(thirds[0]) <= max(Q(0), Q(value[0])) / 3
        assert Fraction(thirds[1]) >= (max(Q(0), Q(value[1])) + max(Q(0), Q(cost[1]))) / 3


def curve(*points: tuple[str, str, str]) -> list[dict[str, Any]]:
    return [{"epsilon": e, "delta": {"lower": low, "upper": high}} for e, low, high in points]


FALLING = curve(("1", "1/10", "1/5"), ("2", "1/100", "1/20"))


@pytest.mark.parametrize(
    ("delta", "lower", "upper", "right"),
    [
        ("1/5", "0", "1", True),
        ("1/10", "1", "2", True),
        ("1/20", "1", "2", True),
        ("1/20", "0", "2", True),
        ("3/20", "0", "1", False),
        ("11/100", "1", "2", False),
        ("1/10", "1/2", "2", False),
        ("1/10", "1", "3", False),
        ("1/25", "1", "2", False),
        ("0", "0", "2", False),
    ],
)
def test_a_quantile_lies_between_points_that_show_it(delta: str, lower: str, upper: str, right: bool) -> None:
    quantile = {"delta": delta, "epsilon": {"lower": lower, "upper": upper}}
    claim = {"points": FALLING, "quantiles": [quantile]}
    if right:
        profiles.quantiles(claim)
    else:
        with pytest.raises(Rejected):
            profiles.quantiles(claim)


def test_a_quantile_of_other_fields_is_refused() -> None:
    whole = {"delta": "1/5", "epsilon": {"lower": "0", "upper": "1"}}
    for quantile in ({**whole, "more": 1}, {"delta": "1/5"}, [], None):
        with pytest.raises(Rejected):
            profiles.quantiles({"points": FALLING, "quantiles": [quantile]})


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CURVES / f"{name}.json").read_bytes())
    return found


def refusal(forged: dict[str, Any]) -> str:
    try:
        check_bytes(json.dumps({**forged, "digest": digest(forged)}).encode())
    except Rejected as error:
        return error.code
    return ""


def test_a_profile_of_an_f_without_a_value_is_refused() -> None:
    forged = read("laplace-d2")
    forged["claim"]["generator"] = "exp(-sqrt(y))*(1+exp(log(-1)))/(1+exp(log(-1)))"
    assert refusal(forged)
    forged["claim"]["generator"] = "exp(-sqrt(y))*(1+exp(log(2)))/(1+exp(log(2)))"
    assert not refusal(forged)


def test_a_profile_has_the_fields_that_it_has() -> None:
    for name in ("laplace-d2", "gaussian-d1"):
        for field in read(name)["proof"]["profile"]:
            forged = read(name)
            del forged["proof"]["profile"][field]
            assert refusal(forged), (name, field)
        forged = read(name)
        forged["proof"]["profile"]["more"] = "1"
        assert refusal(forged), name
    forged = read("gaussian-d1")
    forged["proof"]["profile"]["mass"] = ["1", "2"]
    assert refusal(forged)


def test_measures_of_many_shifts_are_none_of_one_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the worst shift is another for each eps there is no pair of laws of which they would be."""
    subject = SimpleNamespace(assumptions=list)
    proof = SimpleNamespace(steps=Steps({}))
    monkeypatch.setattr(profiles, "opened", lambda claim, steps: (subject, proof, None))
    monkeypatch.setattr(profiles, "bounds", lambda *given: [(D0, D1)] * 3)
    error = {"name": "type II error", "at": "1/10", "value": {"lower": "0", "upper": "9"}}
    claim: dict[str, Any] = dict.fromkeys(profiles.FIELDS)
    claim |= {"verdict": "profile", "quantiles": [], "measures": [error]}
    claim["points"] = curve(("0", "0", "1"), ("1", "0", "1"), ("2", "0", "1"))
    assert profiles.check({**claim, "theorem": "Theorem B"}, {}) == []
    with pytest.raises(Rejected):
        profiles.check({**claim, "theorem": "Theorem E"}, {})


# Measures that follow from a profile


def laplace(last: str = "1", steps: int = 8) -> list[dict[str, Any]]:
    """Bounds of the profile of Laplace noise with Delta/sigma = 1, to ten digits."""
    with mpmath.workdps(30):
        levels = [Q(last) * k / steps for k in range(steps + 1)]
        deltas = [max(Q(0), Q(str(mpmath.nstr(1 - mpmath.exp((number(e) - 1) / 2), 12)))) for e in levels]
    little = Q(1, 10**10)
    return [
        {"epsilon": str(e), "delta": {"lower": str(max(Q(0), x - little)), "upper": str(x + little if x else 0)}}
        for e, x in zip(levels, deltas, strict=True)
    ]


def test_a_profile_begins_at_nought_and_rises() -> None:
    whole = laplace()
    measures.Profile(whole)
    for points in (whole[:2], whole[1:], [*whole[:2], whole[1], *whole[2:]], [whole[0], *whole[:0:-1]], []):
        with pytest.raises(Rejected):
            measures.Profile(points)


@pytest.mark.parametrize("order", ["1/100", "1/2", "1", "3/2", "2", "20"])
def test_a_divergence_of_laplace_noise(order: str) -> None:
    """((L e^(L-1) + (L-1) e^-L)/(2L - 1), logarithm over L - 1) lies between its bounds."""
    found = measures.renyi(measures.Profile(laplace(steps=64)), Q(order))
    with mpmath.workdps(30):
        a = number(Q(order))
        if order == "1/2":
            exact = mpmath.mpf(1) - 2 * mpmath.log(mpmath.mpf(3) / 2)
        elif order == "1":
            exact = mpmath.exp(-1)
        else:
            top = a * mpmath.exp(a - 1) + (a - 1) * mpmath.exp(-a)
            exact = mpmath.log(top / (2 * a - 1)) / (a - 1)
        assert number(found.lo) <= exact <= number(found.hi)
        assert number(found.hi - found.lo) < exact / 10


def test_what_no_measure_follows_from() -> None:
    """Orders and errors out of their range, and what a profile that has not ended does not say."""
    whole, cut = measures.Profile(laplace()), measures.Profile(laplace("1/2"))
    for order in ("0", "-1", "1001"):
        with pytest.raises(Rejected):
            measures.renyi(whole, Q(order))
    for order in ("1", "2"):
        with pytest.raises(Rejected):
            measures.renyi(cut, Q(order))
    for error in ("0", "1", "-1/2", "3/2"):
        with pytest.raises(Rejected):
            measures.trade_off(whole, Q(error))
    measures.gaussian_mu(whole, Q(0), Q(10))
    for profile, low, high in ((cut, "0", "10"), (whole, "-1", "10"), (whole, "0", "0"), (whole, "0", "1/2")):
        with pytest.raises(Rejected):
            measures.gaussian_mu(profile, Q(low), Q(high))
    with pytest.raises(Rejected):
        measures.gaussian_mu(whole, Q(9, 5), Q(10))


def test_a_type_ii_error_of_laplace_noise() -> None:
    """1 - e x for small x, between the bounds."""
    profile = measures.Profile(laplace(steps=64))
    with mpmath.workdps(60):
        for x in (Q(1, 10), Q(1, 20)):
            found, exact = measures.trade_off(profile, x), 1 - mpmath.e * number(x)
            assert holds(found, exact) and found.hi - found.lo < Decimal("0.01")


@pytest.mark.parametrize(
    "given",
    [
        [],
        {},
        "x",
        [None],
        [{"name": "x", "at": None, "value": {"lower": "0", "upper": "1"}}],
        [{"name": "x", "at": "1/10", "value": {"lower": "0", "upper": "9"}}],
        [{"name": [], "at": None, "value": {"lower": "0", "upper": "1"}}],
        [{"name": "Gaussian mu", "at": "1", "value": {"lower": "0", "upper": "9"}}],
        [{"name": "type II error", "at": None, "value": {"lower": "0", "upper": "9"}}],
        [{"name": "Gaussian mu", "at": None, "value": {"lower": "0", "upper": "9"}}] * 101,
    ],
    ids=range(10),
)
def test_measures_that_are_none(given: Any) -> None:
    claim = {"points": laplace(), "measures": given}
    with pytest.raises(Rejected):
        measures.measures(claim, SimpleNamespace(steps=Steps({})))  # type: ignore[arg-type]


def test_a_step_of_measures_that_none_needs_is_refused() -> None:
    mu = {"name": "Gaussian mu", "at": None, "value": {"lower": "0", "upper": "10"}}
    error = {"name": "type II error", "at": "1/10", "value": {"lower": "0", "upper": "9"}}
    proof: Any = SimpleNamespace(steps=Steps({}))
    measures.measures({"points": laplace(), "measures": [mu, error]}, proof)
    for step in ({}, {"orders": ["1", "2"]}, {"more": 1}, {"tail": {}}, [], "x", None):
        proof = SimpleNamespace(steps=Steps({"measures": step}))
        with pytest.raises(Rejected):
            measures.measures({"points": laplace(), "measures": [error]}, proof)


@pytest.mark.parametrize("last", ["1", "1/2"])
def test_lines_above_and_below_a_profile(last: str) -> None:
    """The whole of h = 1 - sqrt(a/e), 1 <= a <= e, lies between, to the last point."""
    for steps in (3, 8):
        profile = measures.Profile(laplace(last, steps))
        with mpmath.workdps(30):
            for line in (*profile.above, *profile.below):
                for share in (Q(0), Q(1, 4), Q(1, 2), Q(1)):
                    level = line.low + (line.high - line.low) * share
                    h = 1 - mpmath.exp((number(level) - 1) / 2)
                    found = line.at(level)
                    high = line in profile.above
                    assert number(found.hi) >= h if high else number(found.lo) <= h


def test_bounds_of_a_measure_hold_to_the_last_digit() -> None:
    third = interval(Q(1, 3))
    assert third.lo < third.hi
    measures.inside((Q(1, 3), Q(1, 2)), Interval(third.hi, Decimal("0.5")), "K230")
    measures.inside((Q(0), Q(1, 3)), Interval(Decimal(-1), third.lo), "K230")
    for bounds, found in (
        ((Q(1, 3), Q(1)), Interval(third.lo, D1)),
        ((Q(0), Q(1, 3)), Interval(D0, third.hi)),
    ):
        with pytest.raises(Rejected):
            measures.inside(bounds, found, "K230")


# Composition


def composition() -> dict[str, Any]:
    for path in sorted((CURVES.parent / "composition").glob("*.json")):
        found: dict[str, Any] = json.loads(path.read_bytes())
        if found["claim"]["kind"] == "composition":
            return found
    raise AssertionError


def test_a_part_is_the_one_that_its_digest_names() -> None:
    """Neither under another name, nor one that is not there, nor one that proves no epsilon."""
    forged = composition()
    (name, *_), other = forged["proof"]["parts"], "0" * 64
    forged["proof"]["parts"][other] = forged["proof"]["parts"].pop(name)
    for part in forged["claim"]["parts"]:
        part["digest"] = other if part["digest"] == name else part["digest"]
    assert refusal(forged) == "K170"
    for digest_of in ("1" * 64, None, [], {}, 1):
        forged = composition()
        forged["claim"]["parts"][0]["digest"] = digest_of
        assert refusal(forged), digest_of


def test_a_composition_has_the_fields_that_it_has() -> None:
    changes: list[Callable[[dict[str, Any]], Any]] = [
        lambda c: c["claim"].update(verdict="private"),
        lambda c: c["claim"].update(theorem="Theorem 3"),
        lambda c: c["claim"].update(verdict=[], theorem={}),
        lambda c: c["claim"].update(more="1"),
        lambda c: c["claim"].pop("quantiles"),
        lambda c: c["claim"].update(parts=[]),
        lambda c: c["claim"].update(parts={}),
        lambda c: c["claim"].update(parts=c["claim"]["parts"] * 51),
        lambda c: c["claim"]["parts"][0].update(more="1"),
        lambda c: c["claim"]["parts"][0].pop("times"),
        lambda c: c["proof"].update(more="1"),
        lambda c: c["proof"].update(parts=list(c["proof"]["parts"].values())),
    ]
    assert not refusal(composition())
    for i, change in enumerate(changes):
        forged = composition()
        change(forged)
        assert refusal(forged), i


def test_an_optimal_composition_is_enclosed() -> None:
    """Twice epsilon 1/2 and once 1/3, by all signs."""
    times, signs = {Q(1, 2): 2, Q(1, 3): 1}, (-1, 1)
    with mpmath.workdps(70):
        for epsilon in (Q(0), Q(1, 3), Q(1, 2), Q(1)):
            exact = mpmath.mpf(0)
            for a, b, c in product(signs, signs, signs):
                each = [number(x) for x in (a * Q(1, 2), b * Q(1, 2), c * Q(1, 3))]
                share = mpmath.fprod(1 / (1 + mpmath.exp(-x)) for x in each)
                exact += share * max(mpmath.mpf(0), 1 - mpmath.exp(number(epsilon) - sum(each)))
            low, high = composed(times, epsilon)
            assert number(low) <= exact <= number(high) and 0 < high - low < Decimal("1e-55")
        assert composed(times, Q(4, 3)) == (D0, D0)

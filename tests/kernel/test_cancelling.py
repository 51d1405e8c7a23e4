"""Boxes by models, log(1 + e^t) as a function of t, vertices and conjugates: beside mpmath, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.conjugates import difference, over_the_sum
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.far_boxes import FarBoxes
from dpverify.kernel.sections.logarithms import of_a_quotient
from dpverify.kernel.sections.models import Germ, power_of_t
from dpverify.kernel.sections.models import Model as KernelModel
from dpverify.kernel.sections.signs import exact_value
from dpverify.kernel.sections.softplus import SHORTFALL, as_softplus
from dpverify.kernel.sections.vertices import about_its_vertex
from dpverify.kernel.steps import Steps
from dpverify.serialise import digest
from tests.kernel.problems import on_charts, tree
from tests.kernel.test_forgeries import PROVED, claim_of, data, refused, sealed
from tests.kernel.test_models import inside

GALLERY = Path(__file__).parents[2] / "certificates"
Q = Fraction

LOGS: dict[str, Callable[[Any], Any]] = {
    "exp(-sqrt(1+y))": lambda r: -mpmath.sqrt(1 + r * r),
    "exp(-r)*(log(2+r)-log(1+r))": lambda r: mpmath.log(mpmath.log1p(1 / (1 + r))) - r,
    "exp(-r**(2/3))*log(2+r)**2/(1+y)": lambda r: (
        -(r ** (mpmath.mpf(2) / 3)) + 2 * mpmath.log(mpmath.log(2 + r)) - mpmath.log1p(r * r)
    ),
    "exp(-2*r)+3*exp(-r)": lambda r: mpmath.log(mpmath.exp(-2 * r) + 3 * mpmath.exp(-r)),
    "(1+log(log(16+r)))**(-3)": lambda r: -3 * mpmath.log1p(mpmath.log(mpmath.log(16 + r))),
}


def far(text: str, start: str = "64", delta: int = 500) -> FarBoxes:
    steps = Steps({"far_boxes": {"radius": start, "order": 6}})
    return FarBoxes(on_charts(text, delta=Q(delta)), steps, 10)


@pytest.mark.sampled(stay=1)
@pytest.mark.parametrize("text", LOGS)
def test_boxes_far_out_contain_log_f_its_slopes_and_its_losses(text: str) -> None:
    problem, log, rnd = far(text), LOGS[text], random.Random(text)
    with mpmath.workdps(80):
        for _ in range(6):
            a = Q(rnd.randint(64, 20000))
            b = a * (1 + Q(rnd.randint(1, 1000), 1000))
            box, loss = problem.on_box(a, b), problem.loss(a, b, Q(500))
            for _ in range(5):
                r = a + (b - a) * Q(rnd.randint(1, 999), 1000)
                x = mpmath.mpf(r.numerator) / r.denominator
                assert inside(box.u, log(x))
                assert inside(box.du, mpmath.diff(log, x))
                assert inside(loss, log(x) - log(x + 500))


def test_slopes_far_out_are_narrower_than_on_boxes() -> None:
    text, (a, b) = "exp(-sqrt(1+y))", (Q(1000), Q(1100))
    plain, by_models = on_charts(text).on_box(a, b).du, far(text).on_box(a, b).du
    assert (by_models.hi - by_models.lo) * 1000 < plain.hi - plain.lo


@pytest.mark.parametrize(
    ("chart", "size", "why"),
    [
        ({"radius": "1", "order": 6}, 10, "radius is too small"),
        ({"radius": "64", "order": 24}, 1000, "order of models on boxes is too large"),
        ({"radius": "64", "order": 0}, 10, "order"),
        ({"radius": "-64", "order": 6}, 10, "radius"),
        ({"radius": "64"}, 10, "far_boxes"),
    ],
)
def test_charts_that_are_none_are_refused(chart: dict[str, Any], size: int, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        FarBoxes(on_charts("exp(-r)"), Steps({"far_boxes": chart}), size).on_box(Q(1), Q(2))


def test_a_step_without_a_box_far_out_is_refused() -> None:
    problem = far("exp(-r)")
    problem.on_box(Q(1), Q(64))
    with pytest.raises(Rejected, match="no box is far out"):
        problem.needed()


def test_jumps_far_out_leave_slopes_open() -> None:
    assert not far("exp(-r)*(1+floor(r/100))").on_box(Q(64), Q(128)).du.finite()


def forged(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def epsilon(**ends: str) -> Callable[[dict[str, Any]], None]:
    return lambda c: c["claim"]["epsilon"].update(ends)


def step(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda c: c["proof"].update({name: value})


def without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda c: c["proof"].pop(name)


# By a search of mpmath's the loss of far-boxes is at most 32.1969635, near r = 0.66, that of softplus
# 21.92484, near 0.62.
@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("far-boxes", epsilon(upper="321969/10000")),
        ("far-boxes", epsilon(lower="32197/1000")),
        ("far-boxes", without("far_boxes")),
        ("far-boxes", step("far_boxes", {"radius": "1/2", "order": 6})),
        ("far-boxes", step("far_boxes", {"radius": "1000000000", "order": 6})),
        ("far-boxes", step("far_boxes", {"radius": "8", "order": 6, "more": 1})),
        ("softplus", epsilon(upper="219248/10000")),
        ("softplus", epsilon(lower="21925/1000")),
        ("softplus", without("softplus")),
        ("softplus", step("softplus", [])),
        ("softplus", step("softplus", [1])),
        ("softplus", step("softplus", [7, 7])),
        ("softplus", step("softplus", [10**6])),
        ("softplus", step("softplus", ["7"])),
        ("softplus", step("softplus", 7)),
    ],
)
def test_forged_certificates_are_refused(name: str, change: Callable[[dict[str, Any]], None]) -> None:
    assert check_bytes((GALLERY / f"{name}.json").read_bytes())
    with pytest.raises(Rejected):
        check_bytes(forged(name, change))


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (step("vertices", [1]), "no sum that is quadratic"),
        (step("vertices", []), "not a list"),
        (step("vertices", [10**6]), "names no node"),
        (epsilon(upper="63/10"), ""),  # the loss is 6.3082 near 0.93
        (epsilon(lower="631/100"), ""),
        (lambda c: c["claim"].update(generator="exp(-r)*(y-4*r+4+1/20000)"), ""),
        (lambda c: c["claim"].update(generator="exp(-r)*(y-4*r+4-1/200)"), ""),
    ],
)
def test_forged_vertices_are_refused(change: Callable[[dict[str, Any]], None], why: str) -> None:
    assert check_bytes((GALLERY / "vertex.json").read_bytes())
    with pytest.raises(Rejected, match=why or None):
        check_bytes(forged("vertex", change))


@pytest.mark.parametrize("text", ["r**2-3*r+5", "2*y-r/3+1/7", "(r-1)*(r-2)+1", "y/(1/3)-r+(1+r)**2", "1-y-r"])
def test_a_quadratic_function_about_its_vertex_is_the_same(text: str) -> None:
    node = tree(f"({text})+0*r")
    other = about_its_vertex(node)
    assert other.kind == "add"
    for r in (Q(0), Q(1), Q(7, 3), Q(-5, 2)):
        assert exact_value(other, r) == exact_value(node, r)


@pytest.mark.parametrize("text", ["1+r", "r**3+y", "sqrt(r)+y", "y*r", "1/y+r", "exp(-r)+y", "1/(1+y)+y"])
def test_what_is_no_quadratic_sum_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="no sum that is quadratic"):
        about_its_vertex(tree(text))


def shortfall(t: Any) -> Any:
    return mpmath.log(mpmath.log1p(mpmath.exp(t)) / mpmath.exp(t))


@pytest.mark.slow
def test_the_shortfall_and_its_slopes_are_within() -> None:
    rnd = random.Random(5)
    with mpmath.workdps(120):
        for _ in range(60):
            low = Q(rnd.randint(-60000, 20000), 1000)
            high = low + Q(rnd.choice([0, 1, 10, 3000, 30000]), 1000)
            box = Interval(interval(low).lo, interval(high).hi)
            t = low + (high - low) * Q(rnd.randint(0, 100), 100)
            x = mpmath.mpf(t.numerator) / t.denominator
            assert inside(SHORTFALL.value(box), shortfall(x))
            assert inside(SHORTFALL.slope(box), mpmath.diff(shortfall, x))
            assert inside(SHORTFALL.bend(box), mpmath.diff(shortfall, x, 2))


def test_the_shortfall_far_out_is_within() -> None:
    x = KernelModel(Germ(Q(16), 4), {power_of_t(1): Q(-2), power_of_t(0): Q(1, 3)})
    value, slope = SHORTFALL.of(x).span(), SHORTFALL.slopes(x).span()
    with mpmath.workdps(120):
        for r in (16, 17, 40, 90):
            t = mpmath.mpf(1) / 3 - 2 * r
            assert inside(value, shortfall(t))
            assert inside(slope, mpmath.diff(shortfall, t))


def test_where_its_argument_grows_the_shortfall_is_not_known() -> None:
    """There log log(1 + e^t) is about log t, and not t: 1/log(1 + e^r) is about 1/r, and has no finite integral."""
    end = Germ(Q(16), 4)
    for terms in ({power_of_t(1): Q(1)}, {power_of_t(1): Q(2), power_of_t(0): Q(1, 3)}):
        for at in (SHORTFALL.of, SHORTFALL.slopes):
            with pytest.raises(Rejected, match="tends to infinity"):
                at(KernelModel(end, terms))
    hypotheses = {"positive": "refuted", "integrable": "proved"}
    proof: dict[str, Any] = {
        "zero": {"radius": "1/2", "order": 4},
        "infinity": {"radius": "16", "order": 4},
        "cover": ["1/2", "1", "2", "16"],
        "defined": [{"at": None}],
        "softplus": [11],
        "integrable": {"tail": "values", "boxes": "values", "centre": "values"},
        "sign": {"kind": "vanishes", "box": ["1/4", "1/2"], "positive": ["2", "3"]},
    }
    text = "1/log(1+exp(r))"
    cut = claim_of(f"Piecewise((0, r < 1), ({text}, True))", "not_private", hypotheses)
    refused(data(sealed(cut, proof)), "K60", "tends to infinity")
    whole = {**proof, "softplus": [5], "integrable": {"tail": "logs", "boxes": "logs"}}
    refused(data(sealed(claim_of(text, "private", PROVED), whole)), "K19", "tends to infinity")


OTHERS = ["log(2+exp(-r))", "log(1+cos(r))", "log(1-exp(-r)+r)", "log(r)", "exp(-r)", "1+exp(-r)"]


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_logarithm_of_one_and_something_positive_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        as_softplus(tree(text))


# epsilon is 1 + asinh(1), since sqrt(1 + r^2) - r = exp(-asinh(r)).
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (step("conjugates", [1]), "no difference"),
        (step("conjugates", []), "not a list"),
        (step("conjugates", 13), "not a list"),
        (step("conjugates", [10**6]), "names no node"),
        (step("conjugates", [13, 13]), "names no node"),
        (without("conjugates"), ""),
        (epsilon(upper="18813735/10000000"), ""),
        (epsilon(lower="18813736/10000000"), ""),
        (lambda c: c["claim"].update(generator="exp(-r)*(sqrt(1+y)-r/2)"), "leave more than"),
        (lambda c: c["claim"].update(generator="exp(-r)*(sqrt(2+y)-r)"), ""),
        (lambda c: c["claim"].update(generator="exp(-r)*(sqrt(y-1)-r)"), "no difference"),
    ],
)
def test_forged_conjugates_are_refused(change: Callable[[dict[str, Any]], None], why: str) -> None:
    assert check_bytes((GALLERY / "roots-that-cancel.json").read_bytes())
    with pytest.raises(Rejected, match=why or None):
        check_bytes(forged("roots-that-cancel", change))


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("sqrt(1+y)-r", lambda r: mpmath.exp(-mpmath.asinh(r))),
        ("r-sqrt(1+y)", lambda r: -mpmath.exp(-mpmath.asinh(r))),
        ("1-r/sqrt(1+y)", lambda r: 1 - mpmath.tanh(mpmath.asinh(r))),
        ("sqrt(2+3*r)-sqrt(1+3*r)", lambda r: mpmath.sqrt(2 + 3 * r) - mpmath.sqrt(1 + 3 * r)),
        ("sqrt(sqrt(2)+y)-r", lambda r: mpmath.sqrt(mpmath.sqrt(2) + r * r) - r),
        ("sqrt(pi+y)-sqrt(1/2+y)", lambda r: mpmath.sqrt(mpmath.pi + r * r) - mpmath.sqrt(0.5 + r * r)),
        ("r-sqrt(y+exp(-3))", lambda r: r - mpmath.sqrt(r * r + mpmath.exp(-3))),
        ("3*sqrt(r+1/9)-3*sqrt(r)", lambda r: mpmath.sqrt(9 * r + 1) - 3 * mpmath.sqrt(r)),
        ("sqrt(1+y)-r-1", lambda r: mpmath.sqrt(1 + r * r) - r - 1),
        ("sqrt(r**4+9*y/7+1)-y", lambda r: mpmath.sqrt(r**4 + 9 * r * r / 7 + 1) - r * r),
        ("y-sqrt(2*sqrt(r)+r**4+5)", lambda r: r * r - mpmath.sqrt(2 * mpmath.sqrt(r) + r**4 + 5)),
    ],
)
def test_a_difference_over_the_sum_is_the_same(text: str, truth: Callable[[mpmath.mpf], mpmath.mpf]) -> None:
    other = over_the_sum(tree(text))
    assert other.kind != "add"
    with mpmath.workdps(60):
        for r in (Q(1, 7), Q(1), Q(1000)):
            assert inside(Evaluation(interval(r)).value(other), truth(mpmath.mpf(r.numerator) / r.denominator))


@pytest.mark.parametrize(
    "text",
    [
        *("sqrt(1+y)+r", "sqrt(1+y)-2*r", "sqrt(y-1)-r", "exp(-r)-r", "1-r", "sqrt(sqrt(2)+r)-r", "sqrt(2+2*y)-r"),
        *("sqrt(1+y+r**4)-2*y", "sqrt(1+r+y**2)-sqrt(r+2*y)*r", "sqrt(sqrt(2)+r+y)-r", "sqrt(1/(1+r)+r+y)-r"),
        *("sqrt(1+y+r**4)-y-2*r", "sqrt(1+y/(1+r)+r**4)-sqrt(1+r**4)", "sqrt(1+r**4)-sqrt(r+r**4)"),
        "sqrt(1+sqrt(r)+exp(-r))-sqrt(1+exp(-r))",
    ],
)
def test_what_is_no_such_difference_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="difference"):
        over_the_sum(tree(text))


def both(generator: str, number: int) -> Callable[[dict[str, Any]], None]:
    """Another generator, and the node of it that the step names."""
    return lambda c: (c["claim"].update(generator=generator), step("logarithms", [number])(c))[1]


# epsilon is 1 + log(log 2/log(3/2)) = 1.536207..., at r = 0: both factors of f are log-convex or exponential.
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (step("logarithms", [1]), "no difference"),
        (step("logarithms", []), "not a list"),
        (step("logarithms", 15), "not a list"),
        (step("logarithms", [10**6]), "names no node"),
        (step("logarithms", [15, 15]), "names no node"),
        (without("logarithms"), ""),
        (epsilon(upper="15362075/10000000"), ""),
        (epsilon(lower="15362076/10000000"), ""),
        (both("exp(-r)*(log(2+r)-log(1+r/2))", 17), "more than a number"),
        (lambda c: c["claim"].update(generator="exp(-r)*(log(2+r)-log(2-r))"), "no difference"),
        (lambda c: c["claim"].update(generator="exp(-r)*(log(3+r)-log(1+r))"), ""),
        (lambda c: c["claim"].update(generator="exp(-r)*(log(1+r)-log(2+r))"), ""),
    ],
)
def test_forged_differences_of_logarithms_are_refused(change: Callable[[dict[str, Any]], None], why: str) -> None:
    assert check_bytes((GALLERY / "logarithms-that-cancel.json").read_bytes())
    with pytest.raises(Rejected, match=why or None):
        check_bytes(forged("logarithms-that-cancel", change))


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("log(2+r)-log(1+r)", lambda r: mpmath.log1p(1 / (1 + r))),
        ("log(1+r)-log(2+r)", lambda r: -mpmath.log1p(1 / (1 + r))),
        ("log(y+1/3)-log(y)", lambda r: mpmath.log1p(1 / (3 * r * r))),
        ("log(sqrt(r)+3)-log(1+sqrt(r))", lambda r: mpmath.log1p(2 / (1 + mpmath.sqrt(r)))),
        ("log((1+r)**2)-log(y+2*r)", lambda r: mpmath.log1p(1 / (r * (r + 2)))),
    ],
)
def test_a_difference_of_logarithms_as_one_is_the_same(text: str, truth: Callable[[mpmath.mpf], mpmath.mpf]) -> None:
    other = of_a_quotient(tree(text))
    with mpmath.workdps(60):
        for r in (Q(1, 7), Q(1), Q(1000)):
            assert inside(Evaluation(interval(r)).value(other), truth(mpmath.mpf(r.numerator) / r.denominator))


@pytest.mark.parametrize(
    "text",
    [
        "log(1+r)+log(2+r)",
        "log(2+r)-2*log(1+r)",
        "log(2+r)-log(r-1)",
        "log(2+r)-log(1+y)",
        "log(1+r)-r",
        "log(2+exp(r))-log(1+exp(r))",
    ],
)
def test_what_is_no_difference_of_logarithms_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match=r"difference|more than a number"):
        of_a_quotient(tree(text))


@pytest.mark.parametrize("text", ["sqrt(1+r**2)-r", "exp(r)-r", "exp(r)+sqrt(1+r)-r-1/(1+r)"])
@pytest.mark.parametrize("other", ["{}-log(r)", "{}+log(r)", "{}+sin(r)-1"])
def test_both_parts_of_a_difference_are_positive_by_their_form(text: str, other: str) -> None:
    """Else their sum, by which the quotient divides, may vanish; and a polynomial of a root of r stays one."""
    pair = difference(tree(text))
    assert pair is not None and all(part.positive for part in pair)
    assert difference(tree(other.format(text))) is None
    for wrong in ("-r-exp(r)", "r+exp(r)", "exp(r)", "sqrt(r)-r", "r-1", "exp(r)*(1-r)"):
        assert difference(tree(wrong)) is None

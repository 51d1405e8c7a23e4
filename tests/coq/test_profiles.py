"""Exports of profiles: what they state, what has none, and coqc's opinion of bounds that are true and of others."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

import dpverify
from dpverify.enclosures.ball import precision
from dpverify.errors import InputError
from dpverify.export.coq import export
from dpverify.export.coq.coqc import run_coqc
from dpverify.export.coq.generator import expression, tree
from dpverify.export.coq.line import ABOVE, BELOW, THIN, Line, Side
from dpverify.export.coq.plan import Plan
from dpverify.export.coq.space import CURVE, WHOLE, Space

PROFILES = Path(__file__).parents[2] / "certificates" / "profiles"
COQ = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


def gallery(name: str) -> dict[str, Any]:
    certificate = json.loads((PROFILES / f"{name}.json").read_bytes())
    return {"claim": certificate["claim"], "proof": certificate["proof"], "assumptions": []}


def sides(text: str, delta: Fraction, epsilon: Fraction) -> tuple[Line, list[Side]]:
    plan = Plan(expression(tree(text, {})), delta)
    line = Line(plan)
    return line, [Side(plan, line.unit, right, epsilon) for right in (False, True)]


def gaussian(s: Any, epsilon: Any) -> Any:
    """Balle and Wang's delta times the integral of exp(-x^2/2)."""
    delta = mpmath.ncdf(s / 2 - epsilon / s) - mpmath.exp(epsilon) * mpmath.ncdf(-s / 2 - epsilon / s)
    return delta * mpmath.sqrt(2 * mpmath.pi)


def laplace(s: Any, epsilon: Any) -> Any:
    """1 - e^((eps - s)/2) times the integral of exp(-|x|)."""
    return 2 * (1 - mpmath.exp((epsilon - s) / 2))


@pytest.mark.parametrize(
    ("text", "closed", "delta", "epsilon"),
    [
        ("exp(-y/2)", gaussian, Fraction(1), Fraction(1)),
        ("exp(-y/2)", gaussian, Fraction(3), Fraction(0)),
        ("exp(-r)", laplace, Fraction(1), Fraction(1, 3)),
        ("exp(-r)", laplace, Fraction(1, 3), Fraction(0)),
    ],
)
def test_the_pieces_of_both_sides_add_up_to_the_divergence(
    text: str, closed: Any, delta: Fraction, epsilon: Fraction
) -> None:
    with precision(150):
        line, both = sides(text, delta, epsilon)
        found = sum(side.size(line.marks(end)) for side, end in zip(both, (Fraction(2**8), delta / 2), strict=True))
    with mpmath.workdps(30):
        s, level = (mpmath.mpf(q.numerator) / q.denominator for q in (delta, epsilon))
        assert abs(mpmath.mpf(found.numerator) / found.denominator - closed(s, level)) < 1e-20


def test_pieces_meet_and_their_signs_are_those_of_the_loss() -> None:
    with precision(150):
        line, both = sides("exp(-y/2)", Fraction(1), Fraction(1))
        marks = line.marks(Fraction(16))
        pieces = both[0].pieces(marks)
    assert [pieces[0].start, *(p.end for p in pieces)] == [*(p.start for p in pieces), marks[-1]]
    # the Gaussian's loss on the left is r + 1/2
    for piece in pieces:
        a, b = (Fraction(x, line.unit) + Fraction(1, 2) - 1 for x in (piece.start, piece.end))
        assert {ABOVE: 0 <= a <= b, BELOW: a <= b <= 0, THIN: a <= 0 <= b}[piece.kind]


def in_space(text: str, delta: Fraction, epsilon: Fraction) -> tuple[Space, list[Any]]:
    plan = Plan(expression(tree(text, {})), delta)
    charts, line = plan.falling(), Line(plan, 2)
    space = Space(plan, line, charts.near, epsilon, Fraction(1, 10**9))
    return space, space.parts(2**6)


@pytest.mark.slow
def test_parts_of_space_add_up_to_the_divergence() -> None:
    """Laplace noise: 2 s E is the integral of r t (e^-r - e^(eps - t))+ over all r and t with |r - s| < t < r + s."""
    epsilon = Fraction(1, 2)
    with precision(200):
        space, parts = in_space("exp(-r)", Fraction(1), epsilon)
        found, last = Fraction(0), None
        for part in parts:
            if last is not None:
                found += space.step(
                    Fraction(part.start, space.unit), space.distance(last, part.start), space.distance(part, part.start)
                )
            found += space.integral(part) if part.kind in (WHOLE, CURVE) else 0
            last = part
        cost = sum(space.cost(part) for part in parts if part.kind == CURVE)
    with mpmath.workdps(20):

        def inner(r: Any) -> Any:
            least = max(abs(r - 1), r + mpmath.mpf(1) / 2)
            return r * mpmath.quad(lambda t: t * (mpmath.exp(-r) - mpmath.exp(0.5 - t)), [least, r + 1])

        wanted = mpmath.quad(inner, [0, 0.25, 1, 4, 16, 64])
        value = mpmath.mpf(found.numerator) / found.denominator
        assert 0 <= wanted - value <= mpmath.mpf(cost.numerator) / cost.denominator + mpmath.mpf(10) ** -15


@pytest.mark.slow
def test_an_export_in_space_says_what_it_does_not_derive() -> None:
    text = export(gallery("student-t-nu3-d3"), alone=False)
    head = " ".join(text[: text.index("(* The library")].split())
    assert "not derived here" in head and "nor is Theorem B" in head
    assert "ex_RInt (on_sphere epsilon r) (-1) 1" in head


@pytest.mark.slow
def test_an_export_states_its_bounds_with_little_room() -> None:
    text = export(gallery("gaussian-d1"), alone=False)
    claim = text[text.index("Definition claim") : text.index("(* The library")]
    low, high = (Fraction(part.split(")")[0].replace(" ", "")) for part in claim.split("(")[-2:])
    with mpmath.workdps(30):
        delta = mpmath.ncdf(-0.5) - mpmath.e * mpmath.ncdf(-1.5)
        assert low.numerator / mpmath.mpf(low.denominator) < delta < high.numerator / mpmath.mpf(high.denominator)
    assert high - low < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("name", "epsilon", "reason"),
    [
        ("laplace-d2", None, "on the line"),
        ("jump", None, "where f is smooth"),
        ("gaussian-whole", None, "at most 4 points"),
        ("gaussian-d1", Fraction(2), "no point at epsilon = 2"),
    ],
)
def test_what_has_no_export_is_told_why(name: str, epsilon: Fraction | None, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        export(gallery(name), epsilon=epsilon)


def test_a_rough_bound_in_space_is_refused() -> None:
    found = dpverify.profile("exp(-sqrt(1+y))", epsilon="1/2", dimension=3, roughly=True, certificate=True)
    assert found.certificate is not None
    with pytest.raises(InputError, match="lower bound is 0"):
        export(found.certificate)


@pytest.mark.campaign
def test_sums_of_exponentials_in_space() -> None:
    """Interval's Taylor models of log(1 + e^v) are wide, which takes a minute; but not too wide."""
    found = dpverify.profile("radial_logistic", epsilon="1/2", dimension=3, certificate=True)
    assert found.certificate is not None
    text = export(found.certificate, alone=False)
    assert "divergence_within epsilon_0" in text
    if shutil.which("coqc") is not None:
        assert run_coqc(text).accepted


def test_an_epsilon_picks_points_of_profiles_alone() -> None:
    certificate = json.loads((PROFILES.parent / "laplace-d1.json").read_bytes())
    with pytest.raises(InputError, match="of a profile's certificate"):
        export(certificate | {"assumptions": []}, epsilon=Fraction(1))


@COQ
@pytest.mark.campaign
@pytest.mark.parametrize(
    ("name", "epsilon"),
    [
        ("laplace-d1", None),
        ("hyperbolic-secant", None),
        ("gaussian-quantile", None),
        ("gaussian-whole", Fraction(0)),
        ("student-t-nu3-d3", None),
    ],
)
def test_coqc_accepts(name: str, epsilon: Fraction | None) -> None:
    report = run_coqc(export(gallery(name), alone=False, epsilon=epsilon))
    assert report.accepted, report.message


@COQ
@pytest.mark.campaign
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_coqc_refuses_a_bound_on_the_wrong_side(end: str) -> None:
    certificate = gallery("gaussian-d1")
    bounds = certificate["claim"]["points"][0]["delta"]
    other = {"lower": "upper", "upper": "lower"}[end]
    bounds[end] = str(Fraction(bounds[other]) * (1 + Fraction(1 if end == "lower" else -1, 10**9)))
    report = run_coqc(export(certificate, alone=False))
    assert not report.accepted and "rejects" in report.message

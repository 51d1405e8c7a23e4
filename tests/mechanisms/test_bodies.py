"""Bodies: exact gauges, uniform points, refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from dpverify.errors import InputError
from dpverify.mechanisms import Ball, Body, Ellipsoid, Polytope, Zonotope
from dpverify.mechanisms.bodies.walks import diagnostics, walk

HALF = Fraction(1, 2)
CUBE = list(product((-1, 1), repeat=3))
CUT = {
    "normals": [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 1, 1), (-1, -1, -1)],
    "offsets": [1, 1, 1, 1, 1, 1, 2, 2],
}
STAR = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 2, -1)]
BODIES: dict[str, Body] = {
    "ball": Ball(3),
    "cross-polytope": Ball(3, 1),
    "cube": Ball(4, "inf"),
    "l_3": Ball(3, 3, [1, 2, 3]),
    "ellipsoid": Ellipsoid([[2, 1], [1, 3]]),
    "cube by vertices": Polytope(CUBE),
    "cut cube": Polytope(**CUT),
    "hexagon": Polytope.symmetrised([(0, 0), (1, 0), (0, 1)]),
    "segment": Polytope([(2,), (-2,)]),
    "zonogon": Zonotope([(1, 0), (0, 1), (1, 1)]),
    "zonotope": Zonotope(STAR),
}


@pytest.mark.parametrize("name", BODIES)
def test_the_gauge_of_a_uniform_point_has_the_law_t_to_the_d(name: str) -> None:
    body = BODIES[name]
    points = body.draw(4000, np.random.default_rng(1))
    assert points.shape == (4000, body.dimension) and body.sampled_exactly
    assert stats.kstest(body.gauge(points) ** body.dimension, "uniform").pvalue > 1e-4
    assert np.abs(points.mean(axis=0)).max() < 0.1


@pytest.mark.parametrize(
    ("body", "moment"),
    [
        (Ball(3), Fraction(1, 5)),  # 1/(d + 2)
        (Ball(3, 1), Fraction(2, 20)),  # 2/((d + 1)(d + 2))
        (Ball(3, "inf"), Fraction(1, 3)),
        (Polytope(CUBE), Fraction(1, 3)),
        (Zonotope([(1, 0, 0), (0, 1, 0), (0, 0, 1)]), Fraction(1, 3)),
        (Ellipsoid([[4, 0], [0, 1]]), Fraction(4, 4)),
    ],
)
def test_second_moments_in_closed_form(body: Body, moment: Fraction) -> None:
    squares = body.draw(20_000, np.random.default_rng(2))[:, 0] ** 2
    assert abs(squares.mean() - float(moment)) < 5 * squares.std() / 20_000**0.5


@pytest.mark.parametrize("name", ["cut cube", "zonotope", "hexagon", "zonogon"])
def test_covariances_against_rejection_from_a_box(name: str) -> None:
    body, rng = BODIES[name], np.random.default_rng(3)
    box = rng.uniform(-5, 5, (60_000 if body.dimension == 3 else 20_000, body.dimension))
    box *= 1 if "zono" in name else 0.25
    inside = box[body.gauge(box) <= 1]
    ours = body.draw(20_000, rng)
    sizes = np.abs(np.cov(inside.T)).max()
    assert np.abs(np.cov(ours.T) - np.cov(inside.T)).max() < 10 * sizes / len(inside) ** 0.5


def test_gauges_are_exact() -> None:
    assert Polytope(CUBE).above((Fraction(1, 3), Fraction(5), Fraction(-7))) == 7
    assert Ball(2, 1, [1, 2]).above((Fraction(1, 3), Fraction(1, 3))) == 1
    assert Ball(2, "inf").above((Fraction(1, 3), Fraction(-1, 7))) == Fraction(1, 3)
    assert Ball(2).above((Fraction(3), Fraction(4))) == 5
    root = Ball(2).above((Fraction(1), Fraction(1)))
    assert 0 <= root**2 - 2 < Fraction(1, 10**11)
    third = Ball(2, 3).above((Fraction(1), Fraction(1)))
    assert 0 <= third**3 - 2 < Fraction(1, 10**30)
    assert Zonotope([(1, 0), (0, 1), (1, 1)]).above((Fraction(2), Fraction(2))) == 1
    assert Ellipsoid([[4, 0], [0, 1]]).above((Fraction(2), Fraction(0))) == 1


@pytest.mark.parametrize("name", BODIES)
def test_exact_gauges_agree_with_those_in_floats(name: str) -> None:
    body, rng = BODIES[name], np.random.default_rng(4)
    for row in rng.integers(-9, 10, (20, body.dimension)).tolist():
        exact = body.above(tuple(map(Fraction, row)))
        assert float(exact) == pytest.approx(float(body.gauge(np.array([row], dtype=float))[0]))
    assert 1 - Fraction(1, 10**9) < body.above(body.border()) <= 1


def test_a_polytope_by_vertices_is_the_one_by_half_spaces() -> None:
    one = BODIES["cut cube"]
    assert isinstance(one, Polytope)
    two, rng = Polytope(one.vertices), np.random.default_rng(5)
    for row in rng.integers(-9, 10, (30, 3)).tolist():
        point = tuple(map(Fraction, row))
        assert one.above(point) == two.above(point) == max(max(map(abs, point)), abs(sum(point)) / 2)


def test_the_symmetrised_body_holds_half_of_every_difference() -> None:
    corners = [(0, 0), (1, 0), (0, 1)]
    body = Polytope.symmetrised(corners)
    differences = [tuple(Fraction(a - b) for a, b in zip(v, w, strict=True)) for v in corners for w in corners]
    assert max(map(body.above, differences)) == 2


def test_the_volume_of_a_zonogon_is_the_sum_of_its_pieces() -> None:
    """By its gauge on a grid: 4 sum |det| for generators (1, 0), (0, 1), (1, 1) is 12."""
    rng = np.random.default_rng(6)
    box = rng.uniform(-2, 2, (20_000, 2))
    assert 16 * (BODIES["zonogon"].gauge(box) <= 1).mean() == pytest.approx(12, abs=0.2)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Polytope([(0, 0), (1, 0), (0, 1)]), "symmetrised"),
        (lambda: Polytope(normals=[(1, 0), (-1, 0), (0, 1), (0, -1)], offsets=[1, 2, 1, 1]), "symmetric"),
        (lambda: Polytope([(1, 1), (-1, -1)]), "flat"),
        (lambda: Polytope(), "either"),
        (lambda: Polytope([(1, "x")]), "row 1"),
        (lambda: Polytope(normals=[(1,), (-1,)], offsets=[1, 0]), "positive"),
        (lambda: Polytope(list(product((-1, 1), repeat=10))), "half-spaces"),
        (lambda: Zonotope([(1, 1), (2, 2)]), "plane"),
        (lambda: Zonotope(np.eye(40)[:, :20].tolist()), "pieces"),
        (lambda: Ball(2, HALF), "convex"),
        (lambda: Ball(2, 2, [1, 0]), "weights"),
        (lambda: Ball(0), "dimension"),
        (lambda: Ellipsoid([[1, 2], [2, 1]]), "positive definite"),
    ],
)
def test_what_is_no_symmetric_body_is_refused_in_one_line(build: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as refusal:
        build()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)


def test_hit_and_run_agrees_with_the_exact_sampler() -> None:
    body = BODIES["cut cube"]
    walked = walk(body.chord, 3, 800, np.random.default_rng(7), thin=8)
    assert walked.agrees and walked.effective > 300 and (body.gauge(walked.points) <= 1).all()
    exact = np.cov(body.draw(20_000, np.random.default_rng(8)).T)
    assert np.abs(np.cov(walked.points.T) - exact).max() < 5 / walked.effective**0.5 * np.abs(exact).max()


def test_chains_that_sit_apart_are_told() -> None:
    rng = np.random.default_rng(9)
    good = rng.standard_normal((4, 200, 1))
    r_hat, effective = diagnostics(good)
    assert r_hat < 1.02 and effective > 600
    r_hat, effective = diagnostics(good + np.arange(4)[:, None, None])
    assert r_hat > 1.5 and effective < 50
    slow = np.cumsum(rng.standard_normal((4, 200, 1)), axis=1)
    assert diagnostics(slow)[1] < 50

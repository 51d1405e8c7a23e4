"""The exact sampler's law: probabilities of cells by independent integration against counts, by exact binomial tests.

Every test draws with its own fixed seed. A family of cells is rejected where one of them has a two-sided
p-value below LEVEL over the number of cells, so that a right sampler would fail one of these tests with a
probability of at most LEVEL each, were the seeds chosen anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import asin, pi
from random import Random
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from dpverify.sampling.exact import ExactNoise

LEVEL = 1e-4
DRAWS = 4000


def confirm(counts: Counter[Any], probabilities: dict[Any, float], total: int) -> None:
    """Counts of cells against their probabilities; what lies in no cell is a cell of its own."""
    probabilities = {**probabilities, "elsewhere": 1 - sum(probabilities.values())}
    counts = Counter(counts)
    counts["elsewhere"] = total - sum(counts[cell] for cell in probabilities if cell != "elsewhere")
    for cell, p in probabilities.items():
        if p < 1e-12:
            assert counts[cell] <= 2 if cell == "elsewhere" else not counts[cell]
            continue
        found = stats.binomtest(counts[cell], total, min(p, 1.0)).pvalue
        assert found > LEVEL / len(probabilities), (cell, counts[cell], p * total)


def cells_of_a_line(density: Callable[[Any], Any], query: Fraction, step: Fraction, reach: int) -> dict[int, float]:
    """P(the lattice point nearest to query + X is n steps), by mpmath at 30 digits, for any multiple of the density."""
    with mp.workdps(30):
        q, h = mp.mpf(query.numerator) / query.denominator, mp.mpf(step.numerator) / step.denominator
        pieces = [-80, -40, -20, *range(-10, 40), 60, 100, 200, 400]
        whole = 2 * mp.quad(lambda s: density(mp.exp(s)) * mp.exp(s), pieces)
        found = {}
        for n in range(-reach, reach + 1):
            low, high = (n - mp.mpf(1) / 2) * h - q, (n + mp.mpf(1) / 2) * h - q
            points = [low, *(x for x in (-4, -3, -2, -1, 0, 1, 2, 3, 4) if low < x < high), high]
            found[n] = float(mp.quad(lambda x: density(abs(x)), points) / whole)
        return found


LINES = [
    ("laplace", {}, lambda r: mp.exp(-r)),
    ("student_t", {"nu": "3"}, lambda r: (1 + r**2 / 3) ** -2),
    ("student_t", {"nu": "2/3"}, lambda r: (1 + 3 * r**2 / 2) ** (-mp.mpf(5) / 6)),
    ("cauchy", {}, lambda r: 1 / (1 + r**2)),
    ("pearson_vii", {"m": "9/4"}, lambda r: (1 + r**2) ** (-mp.mpf(9) / 4)),
    ("gaussian", {}, lambda r: mp.exp(-(r**2) / 2)),
    ("multivariate_laplace", {}, lambda r: mp.exp(-mp.sqrt(2) * r)),
    ("power_exponential", {"beta": "1/3"}, lambda r: mp.exp(-(r ** (mp.mpf(2) / 3)))),
    ("power_exponential", {"beta": "1/4"}, lambda r: mp.exp(-mp.sqrt(r))),
    ("matern", {}, lambda r: (1 + r) * mp.exp(-r)),
    ("sech", {}, mp.sech),
    ("hyperbolic", {"alpha": "2"}, lambda r: mp.exp(-2 * mp.sqrt(1 + r**2))),
    ("generalized_hyperbolic", {"p": "3/2"}, lambda r: (1 + r**2) ** 0.75 * mp.besselk(1.5, mp.sqrt(1 + r**2))),
    ("exp(-sqrt(y))*(3+sin(r))", {}, lambda r: mp.exp(-r) * (3 + mp.sin(r))),
    ("exp(-r)*(2+sin(r)+cos(3*r))", {}, lambda r: mp.exp(-r) * (2 + mp.sin(r) + mp.cos(3 * r))),
    ("exp(-r)*(3+sin(r)+sin(sqrt(2)*r))", {}, lambda r: mp.exp(-r) * (3 + mp.sin(r) + mp.sin(mp.sqrt(2) * r))),
    ("(3+2*sin(r))/(1+r)**4", {}, lambda r: (3 + 2 * mp.sin(r)) / (1 + r) ** 4),
    ("exp(-r)*(2+sin(y))", {}, lambda r: mp.exp(-r) * (2 + mp.sin(r**2))),
    ("Piecewise((2, y < 1), (exp(-sqrt(y)), True))", {}, lambda r: mp.mpf(2) if r < 1 else mp.exp(-r)),
    ("exp(-floor(sqrt(y)))", {}, lambda r: mp.exp(-mp.floor(r))),
    ("exp(-Max(r, 2))", {}, lambda r: mp.exp(-max(r, mp.mpf(2)))),
    ("exp(-y**(1/20))", {}, lambda r: mp.exp(-(r ** mp.mpf("0.1")))),
    ("(1+y)**(-3/4)*log(3+y)**(-2)", {}, lambda r: (1 + r**2) ** (-mp.mpf(3) / 4) * mp.log(3 + r**2) ** -2),
]


@pytest.mark.slow
@pytest.mark.swept(stay=6)
@pytest.mark.parametrize(("text", "parameters", "density"), LINES, ids=[f"{text}-{p}" for text, p, _ in LINES])
def test_the_cells_of_a_line_have_the_probabilities_of_the_law(
    text: str, parameters: dict[str, str], density: Callable[[Any], Any]
) -> None:
    query, step, reach = Fraction(1, 4), Fraction(1, 2), 12
    if text.startswith("exp(-floor"):
        query, step = Fraction(1, 2), Fraction(1)  # so that the density jumps at the cells' ends alone
    noise = ExactNoise(text, 1, lattice=step, parameters=parameters)
    bits = Random(text)
    counts = Counter(int(noise.release(query, random_bits=bits) / step) for _ in range(DRAWS))
    confirm(counts, cells_of_a_line(density, query, step, reach), DRAWS)


@pytest.mark.slow
def test_a_small_lattice_at_a_small_scale() -> None:
    """Noise much smaller than the lattice's step: nearly all of it stays in the query's own cell."""
    noise = ExactNoise("laplace", 1, scale="1/8", lattice=1)
    bits = Random(5)
    counts = Counter(int(noise.release("0.3", random_bits=bits)) for _ in range(DRAWS))
    up, down = float(mp.exp(mp.mpf("-1.6")) / 2), float(mp.exp(mp.mpf("-6.4")) / 2)
    far = float(mp.exp(mp.mpf("-9.6")) / 2)
    confirm(counts, {0: 1 - up - down, 1: up - far, -1: down}, DRAWS)


def square_cells(density: Callable[[Any], Any], total: float, step: float, reach: int) -> dict[tuple[int, int], float]:
    """Cells [i, i+1] x [j, j+1] times the step, by Gauss and Legendre's rule in each: the centre is a corner."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x, w = (nodes + 1) / 2 * step, weights / 2 * step
    found = {}
    for i in range(-reach, reach):
        for j in range(-reach, reach):
            square = (x[:, None] + i * step) ** 2 + (x[None, :] + j * step) ** 2
            found[i, j] = float(w @ density(np.sqrt(square)) @ w) / total
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "parameters", "density", "total"),
    [
        ("laplace", {}, lambda r: np.exp(-r), 2 * pi),
        ("student_t", {"nu": "5/2"}, lambda r: (1 + r * r / 2.5) ** -2.25, 2 * pi),
        ("exp(-sqrt(y)/2)", {}, lambda r: np.exp(-r / 2), 8 * pi),
    ],
)
def test_the_cells_of_a_plane_have_the_probabilities_of_the_law(
    text: str, parameters: dict[str, str], density: Callable[[Any], Any], total: float
) -> None:
    noise = ExactNoise(text, 2, lattice=1, parameters=parameters)
    bits, counts = Random(text), Counter[Any]()
    for _ in range(DRAWS):
        i, j = noise.release([Fraction(1, 2), Fraction(1, 2)], random_bits=bits)
        counts[int(i) - 1, int(j) - 1] += 1
    confirm(counts, square_cells(density, total, 1.0, 4), DRAWS)


def marginal_cells(cdf: Callable[[Any], Any], reach: int) -> dict[int, float]:
    """The cells [n - 1/2, n + 1/2]."""
    return {n: float(cdf(n + 0.5) - cdf(n - 0.5)) for n in range(-reach, reach + 1)}


def laplace_in_space(x: float) -> float:
    """The marginal of exp(-|x|) in R^3 has density (1 + |x|) e^(-|x|) / 4."""
    upper = (2 + abs(x)) * np.exp(-abs(x)) / 4
    return float(1 - upper if x > 0 else upper)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "d", "parameters", "cdf", "draws"),
    [
        ("laplace", 3, {}, laplace_in_space, DRAWS),
        ("exp(-r)", 3, {}, laplace_in_space, DRAWS),
        ("student_t", 10, {"nu": "3"}, stats.t(3).cdf, 1000),
        ("(1+y/3)**(-13/2)", 10, {}, stats.t(3).cdf, 1000),
        ("gaussian", 100, {}, stats.norm.cdf, 200),
        ("exp(-y/2)*(2+y)", 1, {}, lambda x: stats.norm.cdf(x) - x * stats.norm.pdf(x) / 3, DRAWS),
    ],
)
def test_marginals_in_many_dimensions(
    text: str, d: int, parameters: dict[str, str], cdf: Callable[[Any], Any], draws: int
) -> None:
    noise = ExactNoise(text, d, lattice=1, parameters=parameters)
    bits = Random(d)
    rows = [noise.release([0] * d, random_bits=bits) for _ in range(draws)]
    for coordinate in {0, d // 2, d - 1}:
        counts = Counter(int(row[coordinate]) for row in rows)
        confirm(counts, marginal_cells(cdf, 6), draws)


@pytest.mark.slow
def test_the_covariance_gives_spreads_and_a_correlation() -> None:
    """A marginal of the t law is t, times the root of Sigma_ii; both signs agree with probability
    1/2 + arcsin(rho)/pi, whatever the elliptical law."""
    sigma = [["4", "3/2"], ["3/2", 1]]
    noise = ExactNoise("student_t", 2, parameters={"nu": 4}, covariance=sigma, lattice="2**-40", scale=2)
    bits = Random(8)
    rows = [noise.release([0, 0], random_bits=bits) for _ in range(DRAWS)]
    for i, spread in ((0, 4.0), (1, 2.0)):
        cells = {n: stats.t(4).cdf((n + 1) / 2) - stats.t(4).cdf(n / 2) for n in range(-8, 8)}
        confirm(Counter(int(row[i] * 2 / Fraction(spread) // 1) for row in rows), cells, DRAWS)
    agree = sum((row[0] > 0) == (row[1] > 0) for row in rows)
    assert stats.binomtest(agree, DRAWS, 0.5 + asin(0.75) / pi).pvalue > LEVEL


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 10, 31, 100])
@pytest.mark.parametrize("text", ["laplace", "student_t", "hyperbolic"])
def test_every_dimension_to_a_hundred(text: str, d: int) -> None:
    """The noise is on the lattice and about as large as the law says: E R^2 = d (d + 1) for l2-Laplace."""
    noise = ExactNoise(text, d, lattice="1/3")
    bits = Random(d)
    rows = [noise.release([Fraction(1, 7)] * d, random_bits=bits) for _ in range(20)]
    assert all(len(row) == d and all((3 * x).denominator == 1 for x in row) for row in rows)
    if text == "laplace":
        size = np.array([sum(float(x) ** 2 for x in row) for row in rows]).mean()
        assert 0.2 < size / (d * (d + 1)) < 5


@pytest.mark.slow
def test_steps_lie_on_either_side_of_the_density() -> None:
    """The envelope is above h, its floors below, at radii of which none was an end of a panel."""
    text, d = "exp(-sqrt(y))*(3+sin(r))", 3
    envelope = ExactNoise(text, d).envelope
    assert envelope is not None
    rng = Random(1)
    unit = mp.mpf(2) ** envelope.exponent
    for a, b, low, high in zip(envelope.edges, envelope.edges[1:], envelope.floors, envelope.heights, strict=False):
        r = mp.mpf(float(a)) + mp.mpf(rng.random()) * mp.mpf(float(b - a))
        h = r ** (d - 1) * mp.exp(-r) * (3 + mp.sin(r)) / unit
        assert low <= h <= high
    last = mp.mpf(float(envelope.edges[-1]))
    for factor in (1, 2, 10):
        r = last * factor
        h = r ** (d - 1) * mp.exp(-r) * (3 + mp.sin(r)) / unit
        tail = envelope.tail
        assert h <= mp.mpf(float(tail.height)) * mp.mpf(factor) ** -(mp.mpf(float(tail.fall)) + 1)  # type: ignore[union-attr]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "exp(-sqrt(1+y))",
        "exp(-y**(1/100))",
        "(1+y)**(-0.501)",
        "exp(-10**6*r)",
        "exp(-floor(sqrt(y)))",
        "exp(-Max(r,3))",
    ],
)
@pytest.mark.parametrize("d", [1, 30])
def test_draws_under_the_steps_are_seldom_rejected(text: str, d: int) -> None:
    """The floors carry most of the steps' mass, whatever the generator's width and tail."""
    if text.startswith("(1+y)") and d > 1:
        text = "(1+y)**(-15.001)"
    envelope = ExactNoise(text, d).envelope
    assert envelope is not None
    widths = [b - a for a, b in zip(envelope.edges, envelope.edges[1:], strict=False)]
    under, over = (
        sum((x * w for x, w in zip(steps, widths, strict=True)), Fraction(0))
        for steps in (envelope.floors, envelope.heights)
    )
    assert under > Fraction(9, 10) * over

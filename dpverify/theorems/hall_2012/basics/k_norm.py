"""Section 1.3.3: the K-norm mechanism, its sensitivity, and how to draw it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from dpverify.mechanisms.hall import DIAMETER, radius_law
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.basics.losses import Norm, Point, loss_check
from dpverify.theorems.tools.balls import ball

PRIVATE_QUOTED = Quotation(
    r"dP_D(x) \propto \exp \left\{ -\frac{\alpha}{\Delta_K} \|\theta_D - x\|_K \right\},$$ *achieves the  $\alpha$ "
    "-differential privacy"
)
WITHIN_QUOTED = Quotation(
    r"\{\theta_D : D \in \mathcal{D}\} \subseteq K \subset \mathbb{R}^d,$$ for some convex set  $K$ , then evidently  "
    r"$\Delta_K \leq 2$ ."
)
DRAWN_QUOTED = Quotation(
    r"r \sim \Gamma \left( d+1, \frac{\Delta_K}{\alpha} \right), \quad V \sim \text{Uniform}(K)",
    note="Gamma(shape, scale)",
)


def faces(dimension: int, seed: int) -> list[tuple[int, ...]]:
    """Normals a of the symmetric body |a . x| <= 1: the unit vectors, and as many random integer ones."""
    random = Random(seed)
    found = [tuple(int(i == j) for j in range(dimension)) for i in range(dimension)]
    return found + [tuple(random.randint(-3, 3) for _ in range(dimension)) for _ in range(dimension)]


def gauge(normals: list[tuple[int, ...]], x: Point, symmetric: bool = True) -> Fraction:
    """The gauge of the body with these normals; with `symmetric` a norm, that of the body and its mirror image."""
    values = [sum((a * b for a, b in zip(n, x, strict=True)), Fraction(0)) for n in normals]
    return max(map(abs, values)) if symmetric else max(values)


def check_body(exponent: Any, effort: Effort) -> str:
    """Random polytopes, every second of them not symmetric (a simplex with the origin inside)."""

    def norm(normals: list[tuple[int, ...]], symmetric: bool) -> Norm:
        return lambda x: ball(gauge(normals, x, symmetric))

    bodies = []
    for seed in range(effort.pick(6, 9)):
        d = 1 + seed % 3
        simplex = [tuple(-2 * int(i == j) for j in range(d)) for i in range(d)] + [(1,) * d]
        one = norm(simplex, False) if seed % 2 else norm(faces(d, seed), True)
        measured = (lambda x, one=one: max(one(x), one(tuple(-a for a in x)))) if seed % 2 else one
        bodies.append((d, measured, one))
    return loss_check(bodies, exponent, effort)


def _corners(normals: list[tuple[int, ...]]) -> list[Point]:
    """The vertices of a symmetric polygon."""
    found: list[Point] = []
    for (a, b), (c, d) in combinations(normals, 2):
        if a * d != b * c:
            for s in (1, -1):
                x = Fraction(d - s * b, a * d - b * c), Fraction(s * a - c, a * d - b * c)
                found += [x, (-x[0], -x[1])] if gauge(normals, x) <= 1 else []
    return found


def check_diameter(formula: Any, effort: Effort) -> str:
    """formula = (diameter, only symmetric bodies): K = [-a, 1] and random symmetric polygons, in their own gauge."""
    claimed, symmetric = formula
    widths = [] if symmetric else [Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)]
    for a in widths:
        diameter = max(1 + a, (1 + a) / a)  # gauge of 1 - (-a), and of -a - 1
        if diameter > claimed:
            raise Refuted(f"K = [-{a}, 1], theta = -{a}, theta' = 1: ||theta - theta'||_K = {diameter}.")
    polygons = effort.pick(10, 40)
    for seed in range(polygons):
        normals = faces(2, seed)
        corners = _corners(normals)
        true = max(gauge(normals, (v[0] - w[0], v[1] - w[1])) for v in corners for w in corners)
        if true != claimed:
            raise Refuted(f"the polygon |a . x| <= 1, a in {normals}, has the diameter {true}, not {claimed}.")
    return f"{polygons} symmetric polygons, vertices and diameters exact, each diameter 2"


def check_uniform(formula: Any, effort: Effort) -> str:
    """formula(d, k) = (shape, rate) of r: r V at gauge t has density int_t^oo r^-d f(r) dr, slope -t^-d f(t)."""
    import sympy

    d, k, t = sympy.symbols("d k t", positive=True)
    shape, rate = formula(d, k)
    slope = sympy.diff((shape - 1 - d) * sympy.log(t) - rate * t, t)  # of log(t^-d f(t))
    if sympy.simplify(slope + k) != 0:
        raise Refuted(f"log t^-d f(t) has the slope {sympy.simplify(slope)} in t; exp(-k t) needs -k.")
    return "for all d, rates and bodies: minus the slope of the density of r V is that of exp(-k t) (SymPy)"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.3.4",
        place="Proposition 1.3.4",
        quotation=PRIVATE_QUOTED,
        statement="The K-norm mechanism of a convex body is alpha-DP.",
        printed="dP_D(x) ~ exp(-(alpha/Delta_K) ||theta_D - x||_K)",
        hypotheses="||theta_D - theta_D'||_K <= Delta_K, the origin inside K",
        check=check_body,
        formula=lambda t: t,
        near=(
            Near(lambda t: t * 101 / 100, "the rate 1 % larger"),
            Near(lambda t: t * 2, "twice the rate"),
            Near(lambda t: t * t, "the squared norm in the exponent"),
        ),
        strength="verified",
        argument="noise.txt",
    ),
    Claim(
        id="hall-2012:section-1.3.3-sensitivity",
        place="Section 1.3.3",
        quotation=WITHIN_QUOTED,
        statement="If all outputs lie in a convex set K, then Delta_K is at most 2.",
        printed="{theta_D} subset of K for some convex set K: Delta_K <= 2",
        hypotheses="K convex",
        check=check_diameter,
        formula=(2, False),
        near=(
            Near((Fraction(99, 50), True), "1.98 for symmetric K"),
            Near((1, True), "1 for symmetric K"),
            Near((4, True), "4 for symmetric K"),
        ),
        strength="verified",
        argument="noise.txt",
        correction=Correction(
            "Delta_K <= 2 for centrally symmetric K; otherwise the diameter of K in its own gauge can be any number",
            (DIAMETER, True),
            "Yes: a K-norm mechanism of an unsymmetric K run with Delta_K = 2 has a loss of up to half of the true "
            "diameter times alpha; Section 4.4.2 does this.",
            "Take the symmetric body (K - K)/2, or compute the diameter.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-1.3.3-sampler",
        place="Section 1.3.3",
        quotation=DRAWN_QUOTED,
        statement="X = r V with V uniform on K and r Gamma of shape d + 1.",
        printed="r ~ Gamma(d + 1, Delta_K/alpha), V ~ Uniform(K)",
        hypotheses="K in R^d",
        check=check_uniform,
        formula=radius_law,
        near=(
            Near(lambda d, k: (d, k), "shape d"),
            Near(lambda d, k: (d + 1, k * 99 / 100), "the rate 1 % smaller"),
            Near(lambda d, k: (d + 1, 1 / k), "scale and rate exchanged"),
        ),
        strength="proved",
        argument="noise.txt",
    ),
)

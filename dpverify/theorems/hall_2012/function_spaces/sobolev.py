"""Section 3.3.2: the Sobolev space on [0, 1], its tensor products, and which functions they hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from flint import arb, arb_mat

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

NORM_QUOTED = Quotation(
    r"\frac{1}{2} (f(0)^2 + f(1)^2) + \frac{1}{2\gamma} \int_0^1 (\partial f(x))^2 + \gamma^2 f(t)^2 d\lambda(t). "
    r"\quad (3.7)",
    "restored",
    "the parentheses around the two terms of the integrand",
)
PRODUCT_QUOTED = Quotation(r"\|f\|_{\mathcal{G}_0}^2 = \prod_{j=1}^d \|f_j\|_{\mathcal{H}}^2. \quad (3.8)")
DOMAIN_QUOTED = Quotation(
    r"the norm in the completed space is defined for all  $f$  possessing all first partial derivatives which "
    "are all in  "
    r"$\mathcal{L}_2$ ."
)


def check_sobolev(formula: Any, effort: Effort) -> str:
    """formula = (boundary factor, integral factor(gamma)): <f, K_y> = f(y) for an undetermined function f."""
    import sympy

    boundary, integral = formula
    t, y, gamma = sympy.symbols("t y gamma", positive=True)
    f = sympy.Function("f")
    below, above = sympy.exp(-gamma * (y - t)), sympy.exp(-gamma * (t - y))
    for k, sign in ((below, 1), (above, -1)):  # the integrand is an exact derivative on either side of y
        inside = sympy.diff(f(t), t) * sympy.diff(k, t) + gamma**2 * f(t) * k
        if sympy.simplify(inside - sign * gamma * sympy.diff(f(t) * k, t)) != 0:
            raise Refuted("the integrand is not the derivative of gamma f K_y.")
    left, right = f(0) * below.subs(t, 0), f(1) * above.subs(t, 1)
    inner = boundary * (left + right) + integral(gamma) * gamma * ((f(y) - left) - (right - f(y)))
    if sympy.simplify(inner - f(y)) != 0:
        one = inner.subs(f(0), 1).subs(f(1), 1).subs(f(y), 1)
        value = sympy.simplify(one.subs({gamma: 2, y: sympy.Rational(1, 2)}))
        raise Refuted(f"f = 1, gamma = 2, y = 1/2: <f, K_y> = {value}, and f(y) = 1.")
    return (
        "for every f in H^1[0,1], gamma and y: exact derivatives on both sides of y, and the boundary cancels (SymPy)"
    )


def _gram(points: list[Fraction], gamma: arb) -> arb_mat:
    return arb_mat(len(points), len(points), [(-gamma * ball(abs(x - y))).exp() for x in points for y in points])


def _form(table: arb_mat, weights: list[int]) -> arb:
    return sum(
        (a * b * table[i, j] for (i, a), (j, b) in product(enumerate(weights), repeat=2)),
        arb(0),
    )


def check_tensor(kernel: Any, effort: Effort) -> str:
    """kernel(x, y, gamma) on [0,1]^2: the squared norm of f1 f2 in its space against the product of those of f1, f2."""
    grid = [Fraction(0), Fraction(1, 3), Fraction(1)]
    count = 0
    for gamma in (arb(1), arb("2.5")):
        one = _gram(grid, gamma)
        points = list(product(grid, repeat=2))
        both = arb_mat(9, 9, [kernel(x, y, gamma) for x in points for y in points])
        for a, b in product(([1, 0, 0], [1, -1, 0], [2, 1, -1]), repeat=2):
            true = _form(one, a) * _form(one, b)
            found = _form(both, [s * t for s in a for t in b])
            count += 1
            if not abs(found - true) < arb("1e-12"):
                raise Refuted(
                    f"gamma = {show(gamma)}, f1 and f2 the sums of kernels at 0, 1/3, 1 with weights {a}, {b}: "
                    "the squared "
                    f"norms multiply to {show(true)}, and the kernel gives {show(found)}."
                )
    return f"{count} product functions (balls): the norm of the kernel's space is the product of norms"


def _squared_norm(values: Any, m: int) -> arb:
    """The squared norm of the interpolant on an m x m grid: a lower bound of that of the function, gamma = 1."""
    points = [Fraction(i, m - 1) for i in range(m)]
    gram = _gram(points, arb(1))
    table = arb_mat(m, m, [ball(Fraction(values(x, y))) for x in points for y in points])
    weights = gram.solve(gram.solve(table).transpose())
    return sum((weights[i, j] * table[j, i] for i in range(m) for j in range(m)), arb(0))


HALF = Fraction(1, 2)
FUNCTIONS: list[tuple[str, Any, bool, bool]] = [  # first partial derivatives in L2, mixed derivative in L2
    ("|x - y|", lambda x, y: abs(x - y), True, False),
    ("max(x, y)", max, True, False),
    ("xy", lambda x, y: x * y, True, True),
    ("x + y", lambda x, y: x + y, True, True),
    ("|x - 1/2| |y - 1/2|", lambda x, y: abs(x - HALF) * abs(y - HALF), True, True),
    ("1{x > 1/2}", lambda x, y: int(x > HALF), False, True),
]


def check_domain(admits: Any, effort: Effort) -> str:
    """admits(first, mixed derivatives in L2): does the norm settle, or grow twice as fast on each finer grid?"""
    for name, values, first, mixed in FUNCTIONS:
        norms = [_squared_norm(values, m) for m in effort.pick((9, 17, 33), (9, 17, 33, 65))]
        steps = [b - a for a, b in pairwise(norms)]
        doubles = all(b > arb("1.5") * a > arb("0.1") for a, b in pairwise(steps))
        if not doubles and not all(b < a / 2 for a, b in pairwise(steps)):
            raise Undecided(Gap.NORMS_OPEN(name=name, norms=", ".join(map(show, norms))))
        if admits(first, mixed) == doubles:
            shown = ", ".join(map(show, norms))
            raise Refuted(
                f"f = {name}, gamma = 1: first partial derivatives in L2: {first}, mixed: {mixed}; on finer "
                f"and finer grids the squared norm is at least {shown}: it {'grows' if doubles else 'settles'}."
            )
    return (
        f"lower bounds of the norms of {len(FUNCTIONS)} functions by Proposition 3.2.3 on finer and finer grids (balls)"
    )


CLAIMS = (
    Claim(
        id="hall-2012:equation-3.7",
        place="(3.7)",
        quotation=NORM_QUOTED,
        statement="The norm of H^1[0,1] whose kernel is exp(-gamma |x - y|).",
        printed="(f(0)^2 + f(1)^2)/2 + (1/(2 gamma)) int (f'^2 + gamma^2 f^2)",
        hypotheses="gamma > 0",
        check=check_sobolev,
        formula=(Fraction(1, 2), lambda gamma: 1 / (2 * gamma)),
        near=(
            Near((Fraction(1), lambda gamma: 1 / (2 * gamma)), "without the factor 1/2 on the boundary"),
            Near((Fraction(1, 2), lambda gamma: 1 / (2 * gamma**2)), "gamma squared"),
            Near((Fraction(101, 200), lambda gamma: 1 / (2 * gamma)), "the boundary 1 % larger"),
        ),
        strength="proved",
    ),
    Claim(
        id="hall-2012:equation-3.8",
        place="(3.8)",
        quotation=PRODUCT_QUOTED,
        statement="The tensor product has the product kernel, and product functions the product norm.",
        printed="K(x, y) = exp(-gamma ||x - y||_1)",
        hypotheses="d-fold tensor product of H^1[0,1]",
        check=check_tensor,
        formula=lambda x, y, gamma: (-gamma * ball(abs(x[0] - y[0]) + abs(x[1] - y[1]))).exp(),
        near=(
            Near(lambda x, y, gamma: (-gamma * ball(max(abs(x[0] - y[0]), abs(x[1] - y[1])))).exp(), "the sup norm"),
            Near(
                lambda x, y, gamma: (-gamma * ball((x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2).sqrt()).exp(),
                "the Euclidean norm",
            ),
            Near(
                lambda x, y, gamma: (arb("-1.01") * gamma * ball(abs(x[0] - y[0]) + abs(x[1] - y[1]))).exp(),
                "gamma 1 % larger",
            ),
        ),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-3.3.2-domain",
        place="Section 3.3.2, after (3.8)",
        quotation=DOMAIN_QUOTED,
        statement="Which functions of several variables lie in the completed space.",
        printed="all f possessing all first partial derivatives which are all in L2",
        hypotheses="d > 1",
        check=check_domain,
        formula=lambda first, mixed: first,
        near=(
            Near(lambda first, mixed: mixed, "the mixed derivative alone"),
            Near(lambda first, mixed: not mixed, "those without a mixed derivative"),
            Near(lambda first, mixed: True, "all functions"),
        ),
        strength="verified",
        correction=Correction(
            "all mixed partial derivatives, each variable at most once, must be in L2; first derivatives do not "
            "suffice for d > 1",
            lambda first, mixed: first and mixed,
            "Yes: for a family that is outside the space the sensitivity is infinite, and the noise hides nothing of "
            "it.",
            "Check the derivative d^d f/(dx_1 ... dx_d) before bounding the norm.",
            "verified",
        ),
    ),
)

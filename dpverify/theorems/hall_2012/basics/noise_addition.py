"""Section 1.3.1: Laplace noise, its elliptical version, and how to draw it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.basics.losses import Point, loss_check
from dpverify.theorems.tools.balls import ball

LAPLACE_QUOTED = Quotation(
    r"dP_D(x) \propto \exp \left\{ -\frac{\alpha}{\Delta_1} \|x - \theta_D\|_1 \right\}, \quad (1.4)$$ *achieves the  "
    r"$\alpha$ -differential privacy"
)
ELLIPTICAL_QUOTED = Quotation(
    r"dP_D(x) \propto \exp\left\{-\frac{\alpha}{\Delta_\Sigma}\|x - \theta_D\|_\Sigma\right\}, \tag{1.7}$$ "
    "*fulfils the  "
    r"$\alpha$ -differential privacy",
    note="(1.6): the squared norm of x is x' Sigma^-1 x",
)
DRAWN_QUOTED = Quotation(
    r"We recognize this to be the Gamma distribution, having “shape” parameter  $d$  and “scale” parameter  "
    r"$\Delta_\Sigma/\alpha$ ."
)
MATRICES = (  # with their inverses
    (((2, 1), (1, 2)), ((Fraction(2, 3), Fraction(-1, 3)), (Fraction(-1, 3), Fraction(2, 3)))),
    (((9, 0), (0, Fraction(1, 4))), ((Fraction(1, 9), 0), (0, 4))),
    (((1, 0, 1), (0, 1, 0), (1, 0, 2)), ((2, 0, -1), (0, 1, 0), (-1, 0, 1))),
)


def l1(x: Point) -> arb:
    """The l1 norm."""
    return ball(sum(map(abs, x), Fraction(0)))


def _root(table: Any) -> Any:
    def norm(x: Point) -> arb:
        return ball(sum((x[i] * table[i][j] * x[j] for i, j in product(range(len(x)), repeat=2)), Fraction(0))).sqrt()

    return norm


def _noise_norms(power: int) -> list[tuple[int, Any, Any]]:
    """(dimension, norm of the sensitivity, norm of the noise): x' S^power x is what the noise has."""
    return [(len(s), _root(inverse), _root(inverse if power == -1 else s)) for s, inverse in MATRICES]


def check_laplace(exponent: Any, effort: Effort) -> str:
    """The loss of Laplace noise in one to three dimensions, in the l1 norm."""
    return loss_check([(1, l1, l1), (2, l1, l1), (3, l1, l1)], exponent, effort)


def check_elliptical(formula: Any, effort: Effort) -> str:
    """formula = (exponent, power of S in the norm of the noise)."""
    exponent, power = formula
    return loss_check(_noise_norms(power), exponent, effort)


def check_radius(formula: Any, effort: Effort) -> str:
    """formula(d, k) = (shape, rate): the Gamma density over S_d(r) exp(-k r) must not depend on r; S_d too."""
    import sympy

    d, k, r = sympy.symbols("d k r", positive=True)
    surface = 2 * sympy.pi ** (d / 2) * r ** (d - 1) / sympy.gamma(d / 2)
    volume = sympy.pi ** (d / 2) * r**d / sympy.gamma(d / 2 + 1)
    if sympy.gammasimp(sympy.diff(volume, r) / surface) != 1:
        raise Refuted("the surface is not the derivative of the volume of the ball.")
    shape, rate = formula(d, k)
    slope = sympy.simplify(sympy.diff((shape - 1) * sympy.log(r) - rate * r, r))  # of the logarithms
    true = (d - 1) / r - k
    if sympy.simplify(slope - true) != 0:
        raise Refuted(f"the logarithm of the density of r has the slope {true}, and the claimed law {slope}.")
    return "for all d, alpha/Delta and r the logarithms of the two densities have the same slope (SymPy)"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.3.1",
        place="Proposition 1.3.1",
        quotation=LAPLACE_QUOTED,
        statement="The Laplace mechanism: scale Delta_1/alpha in each coordinate is alpha-DP.",
        printed="dP_D(x) ~ exp(-(alpha/Delta_1) ||x - theta_D||_1)",
        hypotheses="l1 sensitivity at most Delta_1",
        check=check_laplace,
        formula=lambda t: t,
        near=(
            Near(lambda t: t * 101 / 100, "the rate 1 % larger"),
            Near(lambda t: t * 99 / 100, "the rate 1 % smaller"),
            Near(lambda t: t * t, "the squared norm in the exponent"),
        ),
        strength="verified",
        argument="noise.txt",
    ),
    Claim(
        id="hall-2012:proposition-1.3.2",
        place="Proposition 1.3.2, with the norm (1.6)",
        quotation=ELLIPTICAL_QUOTED,
        statement="The elliptical version with the norm (x' S^-1 x)^(1/2) is alpha-DP.",
        printed="dP_D(x) ~ exp(-(alpha/Delta_S) ||x - theta_D||_S), ||x||_S^2 = x' S^-1 x",
        hypotheses="Mahalanobis sensitivity at most Delta_S",
        check=check_elliptical,
        formula=(lambda t: t, -1),
        near=(
            Near((lambda t: t * 101 / 100, -1), "the rate 1 % larger"),
            Near((lambda t: t, 1), "the noise with x' S x"),
            Near((lambda t: t * t, -1), "the squared norm in the exponent"),
        ),
        strength="verified",
        argument="noise.txt",
    ),
    Claim(
        id="hall-2012:section-1.3.1-noise",
        place="Section 1.3.1, Noise Generation",
        quotation=DRAWN_QUOTED,
        statement="y = r theta with theta uniform on the sphere and r Gamma distributed; x = S^(1/2) y.",
        printed="r ~ Gamma(shape d, scale Delta_S/alpha)",
        hypotheses="density exp(-(alpha/Delta_S) ||y||_2)/Z",
        check=check_radius,
        formula=lambda d, k: (d, k),
        near=(
            Near(lambda d, k: (d + 1, k), "shape d + 1"),
            Near(lambda d, k: (d, k * 101 / 100), "the rate 1 % larger"),
            Near(lambda d, k: (d, 1 / k), "scale and rate exchanged"),
        ),
        strength="proved",
    ),
)

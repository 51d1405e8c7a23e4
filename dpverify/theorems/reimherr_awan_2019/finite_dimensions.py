"""Section 4.1: the Cameron-Martin norm, Theorem 3 and Corollary 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show


def check_norm(power: Any, effort: Effort) -> str:
    """(g' S^-1 g)^power against ||S^-1/2 g||_2, on diagonal S and rational g."""
    count = 0
    for k in range(1, effort.pick(4, 20)):
        for s in range(1, effort.pick(4, 12)):
            quadratic = Fraction(k * k, s * s)  # g = (k, 0), S = diag(s^2, 1)
            true = Fraction(k, s)
            claimed = true ** int(2 * power)
            if claimed != true:
                raise Refuted(
                    f"g = ({k}, 0), S = diag({s * s}, 1): ||S^-1/2 g|| = {true} and the formula gives {claimed}."
                )
            count += quadratic == true * true
    return f"exact on {count} pairs; the two sides are the same expression"


def _t_ratio(c: arb, shift: arb, nu: arb, d: int) -> arb:
    return (nu + d) / 2 * ((1 + c * c / nu) / (1 + (c - shift) ** 2 / nu)).log()


def _supremum(family: str, start: arb, shift: arb, nu: arb, d: int) -> arb:
    """sup over c >= start of log f((c - shift)^2) / f(c^2), in closed form."""
    if family == "Laplace":
        return shift if shift >= 0 else arb(0)
    best = (shift + (shift * shift + 4 * nu).sqrt()) / 2
    return _t_ratio(best if best > start else start, shift, nu, d)


def _loss(family: str, x: tuple[arb, arb], centre: arb, sigma: arb, nu: arb) -> arb:
    """log density at x under the database at (centre, 0) over that at 0; S = diag(1, 4), d = 2."""

    def quadratic(u: arb) -> arb:
        return (u * u + x[1] * x[1] / 4) / (sigma * sigma)

    here, there = quadratic(x[0] - centre), quadratic(x[0])
    if family == "Laplace":
        return there.sqrt() - here.sqrt()
    return (nu + 2) / 2 * ((1 + there / nu) / (1 + here / nu)).log()


def check_supremum(formula: Any, effort: Effort) -> str:
    """formula = (start, shift) as functions of Delta, sigma: losses on a lattice of R^2, and attainment."""
    start, shift = formula
    nu, count = arb(3), 0
    deltas = effort.pick((1,), (1, 2, Fraction(1, 2)))
    for sigma in (Fraction(2), Fraction(1), Fraction(1, 2), Fraction(3)):
        for delta in map(Fraction, deltas):
            for family in ("Laplace", "Student t"):
                claimed = _supremum(family, ball(start(delta, sigma)), ball(shift(delta, sigma)), nu, 2)
                reach = ball(delta / sigma)
                peak = ((reach + (reach * reach + 4 * nu).sqrt()) / 2 if family == "Student t" else 2 * reach) * ball(
                    sigma
                )
                lattice = [(arb(i), arb(j)) for i in range(-4, 9, 2) for j in (-3, 0, 3) if (i, j) != (0, 0)]
                losses = [_loss(family, x, ball(delta), ball(sigma), nu) for x in [(peak, arb(0)), *lattice]]
                count += len(losses)
                words = f"{family}, Delta = {delta}, sigma = {sigma}: the formula gives epsilon = {show(claimed)}, "
                for loss in losses:
                    if loss > claimed + arb("1e-12"):
                        raise Refuted(f"{words}but the loss reaches {show(loss)}.")
                if claimed > losses[0] + arb("1e-12"):
                    raise Refuted(f"{words}but no loss exceeds {show(losses[0])}.")
    return (
        f"{count} losses in R^2 with S = diag(1, 4), for two families and four scales (balls); the largest is attained"
    )


def check_functionals(formula: Any, effort: Effort) -> str:
    """Corollary 1: Theorem 3's formula, and when the functionals have a density at all."""
    *both, condition = formula
    evidence = check_supremum(both, effort)
    for g1, g2 in (((1, 0), (0, 1)), ((1, 0), (1, 1)), ((1, 2), (2, 4))):
        determinant = (g1[0] * g2[1] - g1[1] * g2[0]) ** 2  # of S = {C(g_i, g_j)} with C the identity
        if condition(g1, g2) and determinant == 0:
            raise Refuted(f"g1 = {g1} and g2 = {g2} are distinct, S is singular and there is no density.")
        if not condition(g1, g2) and determinant != 0:
            raise Refuted(f"g1 = {g1} and g2 = {g2} have a density.")
    return f"{evidence}; S is regular for three pairs of functionals exactly when they are independent"


def check_poster(formula: Any, effort: Effort) -> str:
    """The poster's version also lets f vanish: f(y) = (1 - y)_+ has f(0) = 1 and is decreasing."""
    *both, zero_allowed = formula
    evidence = check_supremum(both, effort)
    numerator, denominator = Fraction(3, 4), Fraction(0)  # f((c - Delta)^2) and f(c^2) at Delta = 1, c = 3/2
    if zero_allowed and numerator > 0 == denominator:
        raise Refuted("f(y) = max(1 - y, 0), Delta = 1: at c = 3/2 the ratio is (3/4)/0.")
    return evidence


def check_supplement(formula: Any, effort: Effort) -> str:
    """The supplement replaces Delta by Delta/sigma; also that the supremum over c < Delta is no larger."""
    evidence = check_supremum(formula, effort)
    for k in range(1, 40):
        c = Fraction(k, 40)  # Delta = 1, and its reflection b = 2 - c
        at_most(
            _t_ratio(ball(c), arb(1), arb(3), 2),
            _t_ratio(ball(2 - c), arb(1), arb(3), 2),
            f"c = {c}: the ratio is larger than at its reflection {2 - c}.",
        )
    return f"{evidence}; reflection about Delta raises the ratio at 39 points"


PRINTED = (lambda delta, sigma: delta / sigma, lambda delta, sigma: delta / sigma**2)
RIGHT = (lambda delta, sigma: delta / sigma, lambda delta, sigma: delta / sigma)
WRONG = (lambda delta, sigma: delta / sigma, lambda delta, sigma: delta)
COST = (
    "Yes: for sigma > 1 the printed epsilon is too small by a factor up to sigma, so noise calibrated by it is too "
    "small. At Delta = 1, sigma = 2, f = exp(-sqrt(y)) it prints 1/4 where the loss is 1/2."
)
FIX = "Put Delta/sigma, not Delta/sigma^2, into the shift; only delta = Delta/sigma enters."


def _distinct(g1: tuple[int, int], g2: tuple[int, int]) -> bool:
    return g1 != g2


def _independent(g1: tuple[int, int], g2: tuple[int, int]) -> bool:
    return g1[0] * g2[1] != g1[1] * g2[0]


CLAIMS = (
    Claim(
        id="reimherr-awan-2019:section-4.1-norm",
        place="Section 4.1, before Theorem 3",
        statement="The Cameron-Martin norm of R^d with covariance S.",
        printed="||g||_H = g' S^-1 g",
        hypotheses="S positive definite",
        check=check_norm,
        formula=1,
        near=(Near(2, "the square of the quadratic form"),),
        strength="proved",
        correction=Correction(
            "||g||_H = (g' S^-1 g)^(1/2) = ||S^-1/2 g||_2",
            Fraction(1, 2),
            "Yes: a sensitivity below 1 computed by the printed norm is its square, which is smaller, and the noise "
            "with it.",
            "Take the root, as Theorem 3 does in its own definition of Delta.",
        ),
    ),
    Claim(
        id="reimherr-awan-2019:theorem-3",
        place="Theorem 3",
        statement="For a decreasing positive generator f with f(0) finite and a bounded tail ratio, T + sigma X is "
        "epsilon-DP, epsilon being a one-dimensional supremum.",
        printed="exp(eps) = sup over c >= Delta/sigma of f((c - sigma^-2 Delta)^2) / f(c^2)",
        hypotheses="f decreasing and positive, f(0) < oo, limsup f((c - Delta)^2)/f(c^2) < oo, Delta < oo",
        check=check_supremum,
        formula=PRINTED,
        near=(Near(WRONG, "with the shift Delta, whatever sigma is"),),
        strength="verified",
        correction=Correction(
            "exp(eps) = sup over c >= Delta/sigma of f((c - sigma^-1 Delta)^2) / f(c^2)", RIGHT, COST, FIX, "verified"
        ),
        restored="epsilon, which the text loses",
    ),
    Claim(
        id="reimherr-awan-2019:theorem-3-poster",
        place="poster, Theorem (Finite Dimensional Privacy)",
        statement="Theorem 3 on the poster, where f may take the value 0.",
        printed="f: [0,oo) -> [0,oo) decreasing; exp(eps) = sup over c >= Delta/sigma of f((c - sigma^-2 "
        "Delta)^2)/f(c^2)",
        hypotheses="f decreasing (not said to be positive), f(0) < oo, bounded tail ratio",
        check=check_poster,
        formula=(*PRINTED, True),
        near=(Near((*RIGHT, True), "the right shift, but f still allowed to vanish"),),
        strength="verified",
        correction=Correction(
            "the shift is Delta/sigma, and f > 0 everywhere: f(y) = max(1 - y, 0) meets every printed hypothesis and "
            "is "
            "private for no epsilon",
            (*RIGHT, False),
            f"{COST} A generator of compact support gives no privacy at all.",
            FIX,
            "verified",
        ),
    ),
    Claim(
        id="reimherr-awan-2019:theorem-3-supplement",
        place="supplement, proof of Theorem 3",
        statement="The proof takes sigma = 1 and then replaces Delta by Delta/sigma: sup over c >= Delta/sigma with "
        "the "
        "shift Delta/sigma; the supremum is never at c < Delta.",
        printed="sup over c >= Delta of f((c - Delta)^2)/f(c^2), with sigma^-1 Delta for Delta",
        hypotheses="f decreasing and positive",
        check=check_supplement,
        formula=RIGHT,
        near=(Near(PRINTED, "the shift of the printed theorem, sigma^-2 Delta"),),
        strength="verified",
    ),
    Claim(
        id="reimherr-awan-2019:corollary-1",
        place="Corollary 1",
        statement="Theorem 3 for d functionals of a summary in any space, uniformly over the functionals.",
        printed="distinct g_i; exp(eps) = sup over c >= Delta/sigma of f((c - sigma^-2 Delta)^2)/f(c^2)",
        hypotheses="distinct g_i in K, f(0) < oo, bounded tail ratio",
        check=check_functionals,
        formula=(*PRINTED, _distinct),
        near=(Near((*RIGHT, _distinct), "the right shift, the functionals still only distinct"),),
        strength="verified",
        correction=Correction(
            "the shift is Delta/sigma, and the g_i are linearly independent (g and 2g are distinct, and have no "
            "density)",
            (*RIGHT, _independent),
            COST,
            FIX,
            "verified",
        ),
    ),
)

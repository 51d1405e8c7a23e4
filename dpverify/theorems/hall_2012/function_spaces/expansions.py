"""Sections 3.1.1 and 3.2.2: expansions of a function, and the sensitivity of its coordinates."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.function_spaces.space import (
    FUNCTIONS,
    KERNEL,
    LAMBDA,
    PSI,
    dot,
    function,
    inner,
    minus,
    theta,
)

ERROR_QUOTED = Quotation(
    r"\left( \xi[\theta(f_D)](x) - \tilde{f}_D(x) \right)^2 d\lambda(x). \quad (3.1)",
    note="the end of the display; the left side is the squared error of the release, the first term that of truncation",
)
COORDINATES_QUOTED = Quotation(r"where  $\theta_i(f) = \lambda_i \langle f, \psi_i \rangle_{\mathcal{H}(K)}$ ")
SENSITIVITY_QUOTED = Quotation(
    r"\sup_{D \sim D'} \|\theta^m(f_D) - \theta^m(f_{D'})\|_{\Sigma} \leq \Delta_K, \quad (3.3)$$ for any  $m$ ."
)


def check_decomposition(total: Any, effort: Effort) -> str:
    """||f - f~||^2 against total(approximation error, noise), for truncations in an orthonormal basis."""
    count = 0
    for f, m in product(FUNCTIONS, range(1, 4)):
        kept = function(theta(f)[:m])
        for noise in product((Fraction(-1), Fraction(2)), repeat=m):
            out = tuple(a + b for a, b in zip(kept, function(noise), strict=True))
            error, bias, spread = (dot(d, d) for d in (minus(f, out), minus(f, kept), minus(kept, out)))
            count += 1
            if total(bias, spread) != error:
                raise Refuted(
                    f"f = {tuple(map(str, f))}, m = {m}: the squared error is {error}, not {total(bias, spread)}."
                )
    return f"{count} truncated releases in R^3, exact"


def check_coordinates(factor: Any, effort: Effort) -> str:
    """theta_i(f) = factor(lambda_i) <f, psi_i>_H, the norm by coordinates, and <K_x, f> = f(x)."""
    for f in FUNCTIONS:
        for i in range(3):
            claimed = factor(LAMBDA[i]) * inner(f, PSI[i])
            if theta(f)[i] != claimed:
                raise Refuted(f"lambda = {LAMBDA[i]}: theta(f) = {theta(f)[i]}, and the formula gives {claimed}.")
        if inner(f, f) != sum(t * t / w for t, w in zip(theta(f), LAMBDA, strict=True)):
            raise Refuted("the norm is not sum theta^2 / lambda.")
        if any(inner(KERNEL[x], f) != f[x] for x in range(3)):
            raise Refuted("the kernel does not reproduce f.")
    return f"{len(FUNCTIONS)} functions, a kernel of rank 3 on three points, exact; in general term by term"


def check_truncation(weight: Any, effort: Effort) -> str:
    """sum over i <= m of weight(lambda_i) theta_i^2 against the squared norm in H(K), equal for m = 3."""
    for f, m in product(FUNCTIONS, range(1, 4)):
        part = sum((weight(LAMBDA[i]) * theta(f)[i] ** 2 for i in range(m)), Fraction(0))
        if part > inner(f, f) or (m == 3 and part != inner(f, f)):
            raise Refuted(f"f = {tuple(map(str, f))}, m = {m}: {part}, and the squared norm is {inner(f, f)}.")
    return f"{len(FUNCTIONS)} functions at three m, exact; equality with all terms"


CLAIMS = (
    Claim(
        id="hall-2012:equation-3.1",
        place="(3.1)",
        quotation=ERROR_QUOTED,
        statement="The error of a truncated private expansion is approximation error plus noise.",
        printed="E int (f - f~)^2 = int (f - xi)^2 + E int (xi - f~)^2",
        hypotheses="orthonormal basis, noise on the first m coordinates",
        check=check_decomposition,
        formula=lambda bias, spread: bias + spread,
        near=(
            Near(lambda bias, spread: max(bias, spread), "the larger of the two"),
            Near(lambda bias, spread: bias + spread * 101 / 100, "the noise 1 % larger"),
        ),
        strength="verified",
        argument="functions.txt",
    ),
    Claim(
        id="hall-2012:section-3.2.2-coordinates",
        place="Sections 3.2.1 and 3.2.2",
        quotation=COORDINATES_QUOTED,
        statement="Coordinates and inner product in the basis of eigenfunctions; the reproducing property.",
        printed="theta_i(f) = lambda_i <f, psi_i>_H; <f, g>_H = sum theta_i(f) theta_i(g)/lambda_i; <K_x, f> = f(x)",
        hypotheses="f in H(K)",
        check=check_coordinates,
        formula=lambda w: w,
        near=(
            Near(lambda w: Fraction(1), "theta_i(f) = <f, psi_i>_H"),
            Near(lambda w: w * w, "lambda_i^2"),
            Near(lambda w: w * 99 / 100, "1 % less"),
        ),
        strength="verified",
    ),
    Claim(
        id="hall-2012:proposition-3.2.1",
        place="Proposition 3.2.1",
        quotation=SENSITIVITY_QUOTED,
        statement="The Mahalanobis sensitivity of the first m coordinates is at most the sensitivity in H(K).",
        printed="||theta^m(f_D) - theta^m(f_D')||_S <= Delta_K, S = diag(lambda)",
        hypotheses="any m",
        check=check_truncation,
        formula=lambda w: 1 / w,
        near=(
            Near(lambda w: w, "with S in place of its inverse"),
            Near(lambda w: 1 / w**2, "with its inverse squared"),
            Near(lambda w: Fraction(101, 100) / w, "1 % more"),
        ),
        strength="verified",
        argument="functions.txt",
    ),
)

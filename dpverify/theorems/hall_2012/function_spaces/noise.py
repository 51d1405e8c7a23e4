"""Section 3.2.3: the factor c, the error, and the limit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.function_spaces.curve import FIX, GAUSSIAN, c1, c2, check_variance
from dpverify.theorems.hall_2012.function_spaces.space import (
    FUNCTIONS,
    KERNEL,
    LAMBDA,
    ROOTS,
    dot,
    function,
    minus,
    theta,
)

C_QUOTED = Quotation(
    r"c(\alpha, \beta, \Delta) = \sqrt{2 \log \frac{2}{\beta} \frac{\Delta}{\alpha}}. \quad (3.5)",
    "uncertain",
    "how far the bar of the root reaches may be the extraction's",
)
ERROR_QUOTED = Quotation(
    r"= \sum_{i=m+1}^{\infty} \theta_i^2(f_D) + c^2(\alpha, \beta, \Delta_K) \sum_{i=1}^m \lambda_i,"
)
LIMIT_QUOTED = Quotation(
    r"\tilde{f}_D^{\infty,(\alpha,\beta)}(\cdot) = f_D(\cdot) + \sum_{i=1}^{\infty} \sqrt{\lambda_i} Z_i \psi_i(\cdot),"
)


def check_error(multiple: Any, effort: Effort) -> str:
    """E ||f - f~||^2 over all signs Z, noise c sqrt(lambda) Z, against multiple(c) sum lambda_i over i <= m."""
    count = 0
    for c, f, m in product((Fraction(2), Fraction(1, 3)), FUNCTIONS, range(1, 4)):
        signs = list(product((-1, 1), repeat=m))
        true = Fraction(0)
        for z in signs:
            out = function(tuple(t + c * r * s for t, r, s in zip(theta(f)[:m], ROOTS, z, strict=False)))
            true += dot(minus(f, out), minus(f, out)) / len(signs)
        claimed = sum((t * t for t in theta(f)[m:]), Fraction(0)) + multiple(c) * sum(LAMBDA[:m])
        count += 1
        if true != claimed:
            raise Refuted(f"c = {c}, m = {m}, eigenvalues 9, 4, 1/4: the error is {true}, the formula gives {claimed}.")
    if sum(KERNEL[x][x] for x in range(3)) != sum(LAMBDA):
        raise Refuted("sum lambda is not the integral of K(x, x).")
    return f"{count} releases with all signs Z, exact; sum lambda_i is the integral of K(x, x)"


CLAIMS = (
    Claim(
        id="hall-2012:equation-3.5",
        place="(3.4) and (3.5)",
        quotation=C_QUOTED,
        statement="The factor c on the noise sqrt(lambda_i) Z_i.",
        printed="c(alpha, beta, Delta) = sqrt(2 log(2/beta) Delta/alpha), the root over everything",
        hypotheses="sensitivity Delta in H(K)",
        check=check_variance,
        formula=lambda beta, delta, alpha: 2 * (2 / beta).log() * delta / alpha,
        near=(
            Near(lambda *s: c2(*s) / 2, "c = sqrt(log(2/beta)) Delta/alpha"),
            Near(lambda *s: c2(*s) * 99 / 100, "c^2 1 % smaller"),
            Near(lambda beta, delta, alpha: c2(beta, delta, alpha) / delta, "Delta for its square"),
        ),
        strength="verified",
        rests_on=GAUSSIAN,
        correction=Correction(
            "c = sqrt(2 log(2/beta)) Delta/alpha, as Proposition 1.3.3 has it, for alpha <= 4 log 2; if the root ends "
            "after 2/beta, this is what the thesis prints",
            c2,
            "Possibly: only who reads the root over everything adds too little noise, where Delta/alpha > 1.",
            FIX,
            "verified",
            "ambiguous",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.3-error",
        place="Section 3.2.3, after (3.5)",
        quotation=ERROR_QUOTED,
        statement="The expected integrated squared error of the truncated release.",
        printed="sum over i > m of theta_i^2 + c^2 sum over i <= m of lambda_i; sum lambda_i = int K(x, x)",
        hypotheses="noise c sqrt(lambda_i) Z_i",
        check=check_error,
        formula=lambda c: c * c,
        near=(Near(lambda c: c, "c in place of c^2"), Near(lambda c: c * c * 101 / 100, "1 % more")),
        strength="verified",
        argument="functions.txt",
    ),
    Claim(
        id="hall-2012:section-3.2.3-limit",
        place="Section 3.2.3, the release without truncation",
        quotation=LIMIT_QUOTED,
        statement="The function released in the limit m -> oo.",
        printed="f~ = f_D + sum sqrt(lambda_i) Z_i psi_i",
        hypotheses="sensitivity Delta in H(K)",
        check=check_variance,
        formula=lambda beta, delta, alpha: arb(1),
        near=(Near(c1, "with the factor sqrt(c)"), Near(lambda *s: c2(*s) * 99 / 100, "c^2 1 % smaller")),
        strength="verified",
        rests_on=GAUSSIAN,
        correction=Correction(
            "f~ = f_D + c sum sqrt(lambda_i) Z_i psi_i, c = sqrt(2 log(2/beta)) Delta/alpha, the limit of (3.4)",
            c2,
            "None for who carries c over from (3.4); without c the noise would not depend on alpha, beta or Delta.",
            FIX,
            "verified",
            "slip",
        ),
    ),
)

"""Section 3.2.3: the factor c, the error, the limit, and the Gaussian process."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb, arb_mat

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
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
from dpverify.theorems.tools.balls import at_most, ball, gaussian_delta, show
from dpverify.theorems.tools.finite import events, excess, laws, mass, pairs_text

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
PROCESS_QUOTED = Quotation(
    r"covariance function  $c(\alpha, \beta, \Delta_K)$ , with  $c$  defined as in (3.5).",
    note="K is not printed; the covariance is read as c K, which is how Section 3.2.5 prints it",
)
PROOF_QUOTED = Quotation(
    r"by  $A = \bigcap_{i \geq 1} A_i$  where  $A_i$  is a set of infinite sequences in  $\mathbb{R}$  in which the  "
    r"$i^{\text{th}}$  is restricted to lie in some measurable set.",
    note="it is to be 'an arbitrary measurable set'",
)
REMARK_QUOTED = Quotation(
    r"which is  $\lambda(T)c(\alpha, \beta, \Delta) \sup_{x \in T} K(x, x)$ , where we use  $\lambda$  to mean the "
    "Lebesgue measure"
)


def c2(beta: arb, delta: arb, alpha: arb) -> arb:
    """c^2 as it must be."""
    return 2 * (2 / beta).log() * (delta / alpha) ** 2


def c1(beta: arb, delta: arb, alpha: arb) -> arb:
    return c2(beta, delta, alpha).sqrt()


def figure(variance: Any) -> str:
    """What the variance would be in the thesis's Figure 3.2: n = 100, h = 0.1, alpha = 1, beta = 0.1."""
    delta = arb(2).sqrt() / (100 * (2 * arb.pi()).sqrt() * arb("0.1"))
    settings = arb("0.1"), delta, arb(1)
    times = variance(*settings) / c2(*settings)
    return f"In Figure 3.2 c is {show(c1(*settings))} and the variance {show(times)} times what is needed."


def check_covariance(covariance: Any, effort: Effort) -> str:
    """covariance(Gram matrix, beta, Delta, alpha) of the noise; f_D - f_D' = Delta K_x: the exact curve."""
    count = 0
    for points in ((Fraction(0),), (Fraction(0), Fraction(1)), (Fraction(0), Fraction(1, 2), Fraction(2))):
        m = len(points)
        gram = arb_mat(m, m, [(-ball(abs(x - y))).exp() for x in points for y in points])
        for beta in map(arb, ("1e-6", "1e-2", "0.5", "1e-3000")):
            for delta, alpha in product(map(arb, ("10", "0.1", "1", "100")), map(arb, ("1", "0.5", "2"))):
                table = covariance(gram, beta, delta, alpha)
                change = arb_mat(m, 1, [delta * gram[i, 0] for i in range(m)])
                try:
                    mu = (change.transpose() * table.solve(change))[0, 0].sqrt()
                except ZeroDivisionError:
                    raise Refuted(
                        f"{m} points: the covariance matrix is singular, a contrast of f is released without noise."
                    ) from None
                true = gaussian_delta(alpha, mu)
                count += 1
                at_most(
                    true,
                    beta,
                    f"Delta = {show(delta)}, alpha = {show(alpha)}, beta = {beta.str(2, radius=False)}, K(x, y) = "
                    f"exp(-|x - y|) at {m} points: the noise at x has variance {show(table[0, 0])} and the exact "
                    "beta is "
                    f"{true.str(3, radius=False)}. {figure(lambda *s: covariance(arb_mat([[1]]), *s)[0, 0])}",
                )
    return f"{count} points of the exact Gaussian curve on one to three points of T (balls)"


def check_variance(variance: Any, effort: Effort) -> str:
    """The same for noise with covariance variance(beta, Delta, alpha) K."""
    return check_covariance(lambda gram, *settings: gram * variance(*settings), effort)


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


def check_sets(chosen: Any, effort: Effort) -> str:
    """Does P <= e^alpha Q + beta on the chosen sets of {0, 1}^2 give it on all sets?"""
    count, ratio = 0, Fraction(2)
    for p, q in product(laws(4, effort.pick(2, 4)), repeat=2):
        beta = max(mass(p, s) - ratio * mass(q, s) for s in events(4) if chosen(s))
        count += 1
        if excess(p, q, ratio) > beta:
            raise Refuted(
                f"on 00, 01, 10, 11: {pairs_text(p, q)}, e^alpha = 2: on the chosen sets beta = {beta} suffices, "
                "on all "
                f"sets it must be {excess(p, q, ratio)}."
            )
    return f"{count} pairs of laws on {{0, 1}}^2, exact"


def rectangle(s: tuple[int, ...]) -> bool:
    return set(s) == {i for i in range(4) if i // 2 in {j // 2 for j in s} and i % 2 in {j % 2 for j in s}}


YES = (
    "Yes: whenever c exceeds 1 (small beta, small alpha, or large Delta) the printed noise is too small, by the factor "
)
YES += "c in variance; where c is below 1, as in the thesis's own figures, it is too large."
FIX = "Covariance c^2 K with c = sqrt(2 log(2/beta)) Delta/alpha, alpha at most 4 log 2."
ROOT = "hall-2012:proposition-3.2.2"
GAUSSIAN = ("hall-2012:proposition-1.3.3",)
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
    Claim(
        id=ROOT,
        place="Proposition 3.2.2",
        quotation=PROCESS_QUOTED,
        statement="Adding a Gaussian process to a function of H(K) is (alpha, beta)-DP.",
        printed="the Gaussian process with mean f_D and covariance function c(alpha, beta, Delta_K) [K]",
        hypotheses="sensitivity Delta_K in H(K)",
        check=check_covariance,
        formula=lambda gram, *s: gram * c1(*s),
        near=(
            Near(lambda gram, *s: gram * (c2(*s) * 99 / 100), "1 % less than c^2"),
            Near(lambda gram, *s: gram * (c2(*s) / s[1]), "Delta for its square"),
            Near(lambda gram, *s: arb_mat(gram.nrows(), gram.ncols(), [c2(*s)] * gram.nrows() ** 2), "a constant c^2"),
        ),
        strength="verified",
        rests_on=GAUSSIAN,
        argument="functions.txt",
        correction=Correction(
            "covariance function c^2 K(x, y), c = sqrt(2 log(2/beta)) Delta_K/alpha, alpha <= 4 log 2",
            lambda gram, *s: gram * c2(*s),
            YES,
            f"{FIX} (A covariance function that is a constant would release all differences of values exactly.)",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.3-proof",
        place="Section 3.2.3, proof of Proposition 3.2.2",
        quotation=PROOF_QUOTED,
        statement="Which sets of coefficients the inequality must be shown for.",
        printed="products of sets, one for each coefficient",
        hypotheses="beta > 0",
        check=check_sets,
        formula=rectangle,
        near=(
            Near(lambda s: len(s) <= 1, "single points"),
            Near(lambda s: s == () or 0 in s, "sets that contain 00"),
        ),
        strength="verified",
        argument="functions.txt",
        correction=Correction(
            "all events of the first m coefficients, and for each m; these determine the inequality for all events",
            lambda s: True,
            "None: the finite releases are private on all events, so the conclusion stands.",
            "Nothing.",
            "verified",
            "slip",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.3-remark",
        place="Section 3.2.3, the remark after Proposition 3.2.2",
        quotation=REMARK_QUOTED,
        statement="The mean squared error due to privacy.",
        printed="lambda(T) c(alpha, beta, Delta) sup K(x, x)",
        hypotheses="T compact",
        check=check_error,
        formula=lambda c: c,
        near=(
            Near(lambda c: c * c * 99 / 100, "1 % less than c^2"),
            Near(lambda c: 2 * c, "2c"),
            Near(lambda c: c**3, "c^3"),
        ),
        strength="verified",
        correction=Correction(
            "c^2 times the integral of K(x, x), at most lambda(T) c^2 sup K(x, x)",
            lambda c: c * c,
            "Indirect: who calibrates by this error reads c as a variance, as Section 3.2.5 does.",
            "The error is quadratic in c.",
            "verified",
            cause=ROOT,
        ),
    ),
)

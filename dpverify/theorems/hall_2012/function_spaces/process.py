"""Section 3.2.3: the Gaussian process of Proposition 3.2.2, its proof, and its error."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb_mat

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.function_spaces.curve import FIX, GAUSSIAN, ROOT, YES, c1, c2, check_covariance
from dpverify.theorems.hall_2012.function_spaces.noise import check_error
from dpverify.theorems.tools.finite import events, excess, laws, mass, pairs_text

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
    """Whether a set of the four corners is a product of two sets."""
    return set(s) == {i for i in range(4) if i // 2 in {j // 2 for j in s} and i % 2 in {j % 2 for j in s}}


CLAIMS = (
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

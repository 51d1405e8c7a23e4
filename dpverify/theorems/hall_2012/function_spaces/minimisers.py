"""Section 3.3.3: minimisers of regularised functionals on neighbouring databases."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.mechanisms.sensitivities import minimiser_sensitivity
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted

BOUND_QUOTED = Quotation(
    r"\|f_D - f_{D'}\|_{\mathcal{H}} \leq \frac{M}{\lambda n} \sqrt{\sup_x K(x, x)}.$$ For a soft-margin kernel SVM"
)
CHAIN_QUOTED = Quotation(
    r"&\geq 2\lambda \|\eta(f_{D'} - f_D)\|_{\mathcal{H}}^2 - L_D(f_{D'})",
    note="eta is any number in [0, 1]; the display goes on with the losses",
)


def check_minimiser(bound: Any, effort: Effort) -> str:
    """Hinge loss (M = 1), all x_i equal, K(x, x) = kappa^2: the exact minimisers against bound(kappa, lambda, n)."""
    count = attained = 0
    for n in range(1, effort.pick(5, 9)):
        for positive, lam, kappa in product(
            range(n), map(Fraction, ("1/10", "1", "3")), map(Fraction, ("1", "2", "1/2"))
        ):
            # labels +1 are `positive` or one more; minimise (a (1-v)_+ + b (1+v)_+)/n + lam v^2/kappa^2
            free = [kappa**2 * (2 * a - n) / (2 * lam * n) for a in (positive, positive + 1)]
            one, two = (max(Fraction(-1), min(Fraction(1), v)) for v in free)
            change, allowed = abs(two - one) / kappa, bound(kappa, lam, n)
            count += 1
            attained += change == allowed
            if change > allowed:
                raise Refuted(
                    f"n = {n}, {positive} and {positive + 1} labels +1, lambda = {lam}, K(x, x) = {kappa**2}: the "
                    f"minimisers are {change} apart, the bound is {allowed}."
                )
    if not attained:
        raise Refuted(f"over {count} pairs the bound is never reached.")
    return f"{count} pairs of exact minimisers of the hinge loss; {attained} attain the bound"


def check_chain(coefficient: Any, effort: Effort) -> str:
    """The four squared norms against coefficient(eta) ||f' - f||^2 for eta in (0, 1], and where the chain ends."""
    count = 0
    etas = [Fraction(k, 20) for k in range(20, 0, -1)]
    for f, g, eta in product(range(-2, 3), range(-2, 3), etas):
        d = g - f
        true = f**2 - (f + eta * d) ** 2 + g**2 - (g - eta * d) ** 2
        count += 1
        if true < coefficient(eta) * d**2:
            raise Refuted(
                f"f_D = {f}, f_D' = {g} in R, eta = {eta}: the norms sum to {true}, below {coefficient(eta) * d**2}."
            )
    # with coefficient(eta) ||d||^2 <= 2 eta M ||d||_oo/(lambda n): the best eta, among ever smaller ones
    best = min(2 * eta / coefficient(eta) for eta in (*etas[1:], Fraction(1, 10**9)))
    if not best < Fraction(1001, 1000):
        raise Refuted(f"the chain ends at {float(best):.4g} M/(lambda n), not at M/(lambda n).")
    return f"{count} cases, exact, an equality for all of them; the chain ends at M/(lambda n) as eta falls to 0"


CLAIMS = (
    Claim(
        id="hall-2012:section-3.3.3-minimisers",
        place="Section 3.3.3",
        quotation=BOUND_QUOTED,
        statement="Regularised minimisers on neighbouring databases are close; hinge loss is 1-admissible.",
        printed="||f_D - f_D'||_H <= (M/(lambda n)) sqrt(sup K(x, x))",
        hypotheses="loss convex and M-Lipschitz; objective mean loss + lambda ||g||^2",
        check=check_minimiser,
        formula=minimiser_sensitivity,
        near=(
            Near(lambda kappa, lam, n: kappa / (lam * n) * 99 / 100, "1 % less"),
            Near(lambda kappa, lam, n: kappa / (lam * n) * 101 / 100, "1 % more"),
            Near(lambda kappa, lam, n: kappa**2 / (lam * n), "K(x, x) for its root"),
            Near(lambda kappa, lam, n: kappa / (2 * lam * n), "half of it"),
        ),
        strength="verified",
        argument="functions.txt",
    ),
    Claim(
        id="hall-2012:section-3.3.3-chain",
        place="Section 3.3.3, the display before the bound",
        quotation=CHAIN_QUOTED,
        statement="What the four squared norms of the two minimality conditions sum to.",
        printed="at least 2 lambda eta^2 ||f_D' - f_D||^2",
        hypotheses="0 < eta <= 1",
        check=check_chain,
        formula=lambda eta: 2 * eta**2,
        near=(
            Near(lambda eta: 2 * eta * (1 - eta) * 101 / 100, "1 % more"),
            Near(lambda eta: eta * (1 - eta), "half of it"),
            Near(lambda eta: 2 * eta * (1 - eta) ** 2, "(1 - eta)^2", "it is smaller, and the same as eta falls to 0"),
        ),
        strength="verified",
        argument="functions.txt",
        correction=Correction(
            "equal to 2 lambda eta (1 - eta) ||f_D' - f_D||^2, which is smaller for eta > 1/2; for eta -> 0 the bound "
            "follows as printed",
            lambda eta: 2 * eta * (1 - eta),
            "None: the bound on the sensitivity stands.",
            "Nothing.",
            "verified",
            "slip",
        ),
    ),
)

"""Section 2.4.1: histograms with few occupied cells."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.mechanisms.hall import sparse_risk, threshold
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

THRESHOLD_QUOTED = Quotation(
    r"*has risk smaller than* $$\frac{2q + 1}{\alpha} (\log p + 1),$$ *whenever at most  $q$  cells of the input "
    "histogram are non-zero.*"
)
KNOWN_QUOTED = Quotation(r"&\leq \frac{3q}{\alpha} \left( \log \frac{p}{q} + 1 \right).")
BOUND_QUOTED = Quotation(
    r"\geq c \frac{q \log [(p-1)/q]}{\alpha},",
    note="'for sufficiently large n and p', every q, 'for some universal constant c > 0'",
)


def _cell_risk(theta: arb, tau: arb, b: arb) -> arb:
    """E|theta - released| for a cell with theta > 0, Laplace noise of scale b, threshold tau."""
    t = tau - theta
    tail = (-abs(t) / b).exp() / 2
    if t >= 0:
        return (t + b) * tail + theta * (1 - tail)
    return b - (abs(t) + b) * tail + theta * tail


def _check_sparse(bound: Any, effort: Effort, known: bool) -> str:
    count, nearest = 0, arb(0)
    for p in effort.pick((4, 64, 10**3000), (2, 4, 16, 64, 10**4, 2**16, 10**3000)):
        for q in sorted({1, 2, min(p // 2, 10**6), min(p, 10**6)}):
            for alpha in map(arb, ("0.1", "1", "5")):
                b = 2 / alpha
                tau = threshold(arb(p) / (q if known else 1), alpha, arb.log)
                empty = (p - q) * (-tau / b).exp() / 2 * (tau + b)
                deep = max(1, int(float((tau - 8 * b).mid())))  # counts that the threshold most likely hides
                for theta in (1, 2, 5, 10, 30, 100, 1000, deep):
                    risk, allowed = empty + q * _cell_risk(arb(theta), tau, b), bound(arb(p), q, alpha)
                    count += 1
                    if not risk < allowed:
                        raise Refuted(
                            f"p = {show(arb(p).log() / arb(10).log())} in powers of 10, q = {q}, alpha = "
                            f"{show(alpha)}, "
                            f"all occupied cells {theta}: the risk is {show(risk)}, the bound {show(allowed)}."
                        )
                    nearest = risk / allowed if risk / allowed > nearest else nearest
    return f"{count} exact risks (balls), the largest {show(nearest)} of the bound"


def check_threshold(bound: Any, effort: Effort) -> str:
    """bound(p, q, alpha) against the exact risk with the threshold (2/alpha) log p."""
    return _check_sparse(bound, effort, known=False)


def check_known(bound: Any, effort: Effort) -> str:
    """bound(p, q, alpha) against the exact risk with the threshold (2/alpha) log(p/q)."""
    return _check_sparse(bound, effort, known=True)


def _found(n: arb, p: arb, alpha: arb) -> arb:
    """The risk of choosing one cell with weight exp(alpha theta_j/2) and releasing n there, when q = 1."""
    return 2 * n * (p - 1) / ((alpha * n / 2).exp() + p - 1)


def check_sparse_bound(formula: Any, effort: Effort) -> str:
    """formula = (least q, c, or None for some universal c): below a method's risk, above a lower bound for all."""
    least, c = formula
    if c is None:
        for k in range(0, 40, 4):
            for p in (10**3, 10**6):
                small, n = arb(10) ** -k, 8 * (arb(p).log() + k * arb(10).log() + 10)
                if not _found(n, arb(p), arb(1)) < small * arb(p - 1).log():
                    raise Undecided(Gap.CONSTANT_OPEN(constant=f"p = {p}, c", power=k))
        raise Refuted(
            "q = 1, alpha = 1, every c > 0, n >= 8 (log p + log(1/c) + 10): choose one cell j with weight "
            "exp(alpha theta_j/2) and release n there; the risk is below c log(p - 1) (run for c down to 1e-36)."
        )
    bounds = []
    for q in filter(lambda q: q >= least, (1, 2, 3, 10)):
        for alpha in map(arb, ("0.1", "1", "2")):
            for p in (10**3, 10**4, 10**6, 10**3000):
                claimed = ball(c) * q * (arb(p - 1) / q).log() / alpha
                upper = (2 * q + 1) / alpha * (arb(p).log() + 1)
                upper = _found(arb(10**6), arb(p), alpha) if q == 1 and p < 10**9 else upper
                if claimed > upper:
                    raise Refuted(
                        f"q = {q}, p = {show(arb(p))}, alpha = {show(alpha)}: a method has risk {show(upper)}."
                    )
                cells = (p - 1) // max(q - 1, 1)
                lower = (q - 1) * (arb(cells - 1).log() / alpha).floor()
                bounds.append((q, p, lower, claimed))
    for q, p, lower, claimed in bounds:
        if not lower >= claimed:
            raise Undecided(
                Gap.BOUND_NOT_REACHED(instance=f"q = {q}, p = {show(arb(p))}", lower=show(lower), claimed=show(claimed))
            )
    return f"{len(bounds)} lower bounds from q - 1 groups of cells (balls)"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-2.4.3",
        place="Proposition 2.4.3, with (2.3) and (2.4)",
        quotation=THRESHOLD_QUOTED,
        statement="Laplace noise thresholded at (2/alpha) log p has a risk linear in the occupied cells.",
        printed="risk smaller than ((2q + 1)/alpha)(log p + 1)",
        hypotheses="at most q cells occupied; noise of rate alpha/2",
        check=check_threshold,
        formula=lambda p, q, alpha: sparse_risk(p, q, alpha, arb.log),
        near=(
            Near(lambda p, q, alpha: (2 * q + 1) / alpha * (p.log() + 1) * arb("0.99"), "1 % less"),
            Near(lambda p, q, alpha: 2 * q / alpha * (p.log() + 1), "2q for 2q + 1"),
            Near(lambda p, q, alpha: (2 * q + 1) / alpha * p.log().sqrt() * 3, "the root of log p"),
        ),
        strength="verified",
        argument="bounds.txt",
    ),
    Claim(
        id="hall-2012:section-2.4.1-known-q",
        place="Section 2.4.1, after Proposition 2.4.4",
        quotation=KNOWN_QUOTED,
        statement="With q known and the threshold (2/alpha) log(p/q) the risk is smaller.",
        printed="at most (3q/alpha)(log(p/q) + 1)",
        hypotheses="at most q cells occupied",
        check=check_known,
        formula=lambda p, q, alpha: 3 * q / alpha * ((p / q).log() + 1),
        near=(
            Near(lambda p, q, alpha: 3 * q / alpha * ((p / q).log() + 1) * arb("0.99"), "1 % less"),
            Near(lambda p, q, alpha: 2 * q / alpha * ((p / q).log() + 1), "2q for 3q"),
            Near(lambda p, q, alpha: 3 * q / alpha**2 * ((p / q).log() + 1), "alpha squared"),
        ),
        strength="verified",
        argument="bounds.txt",
    ),
    Claim(
        id="hall-2012:proposition-2.4.4",
        place="Proposition 2.4.4",
        quotation=BOUND_QUOTED,
        statement="Private histograms with at most q occupied cells have l1 risk of order q log(p/q)/alpha somewhere.",
        printed="sup over Theta_{p,q} >= c q log((p - 1)/q)/alpha, for every q",
        hypotheses="n and p sufficiently large",
        check=check_sparse_bound,
        formula=(1, None),
        near=(
            Near((1, Fraction(1, 8)), "c = 1/8, q = 1 too"),
            Near((2, Fraction(3)), "c = 3, q at least 2"),
            Near((2, Fraction(101, 800)), "c 1 % larger", "the largest c lies between 1/8 and 5/2"),
        ),
        strength="verified",
        argument="bounds.txt",
        correction=Correction(
            "for q >= 2: at least (q - 1) floor(log(floor((p-1)/(q-1)) - 1)/alpha), hence of the printed order; "
            "for q = 1 "
            "the cell that holds all n records is found almost surely, and the risk tends to 0 as n grows. (The "
            "printed "
            "construction occupies q + 1 cells, and its Fano bracket is negative; both are mended.)",
            (2, Fraction(1, 8)),
            "None: it is a lower bound on the error.",
            "Use it for q >= 2.",
            "verified",
            "slip",
        ),
    ),
)

"""Section 2.4: packings, histograms, sparse histograms and margins."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, comb
from typing import Any

from flint import arb

from dpverify.enclosures.ball import Undecided
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show


def check_packing(formula: Any, effort: Effort) -> str:
    """formula = (distance/m, c0): the Gilbert-Varshamov count against exp(c0 m), and 2^m as a cap."""
    fraction, c0 = formula
    for m in range(6, effort.pick(60, 400)):
        wanted = ball(c0 * m).exp()
        if wanted > arb(2) ** m:
            raise Refuted(f"m = {m}: exp(c0 m) = {show(wanted)} points are asked of a cube with 2^{m}.")
        inside = sum(comb(m, i) for i in range(m) if i < fraction * m)
        if not arb(2) ** m / inside >= wanted:
            raise Refuted(
                f"m = {m}: Gilbert and Varshamov give {show(arb(2) ** m / inside)} points, {show(wanted)} are claimed."
            )
    h = -(arb(1) / 3 * (arb(1) / 3).log() + arb(2) / 3 * (arb(2) / 3).log())
    if fraction <= Fraction(1, 3) and not arb(2).log() - h > ball(c0):
        raise Refuted(f"as m grows the exponent is log 2 - H(1/3) = {show(arb(2).log() - h)}, below {c0}.")
    return "Gilbert-Varshamov counts, exact, for m < 400; for all m the entropy bound, log 2 - H(1/3) = 0.0566 > 1/20"


def _histogram_upper(p: int, alpha: arb) -> arb:
    """The l1 risk of two-sided geometric noise with parameter alpha/2 in each of p bins."""
    return p / (alpha / 2).sinh()


def check_histogram(formula: Any, effort: Effort) -> str:
    """formula = (c1, largest alpha, least p): c1 (p - 1)/alpha between a bound for every method and one risk."""
    c1, largest, least = formula
    for i in range(100):  # u/(1 + e^u) on [1, 2], where k alpha lies
        u = arb(1) + arb(2 * i + 1) / 200 + arb(0, arb(1) / 200)
        if not u / (1 + u.exp()) > arb("0.23"):
            raise Refuted("u/(1 + e^u) falls below 0.23 on [1, 2].")
    for rational in map(Fraction, ("1/100", "1/10", "1/2", "1", "10", "100")):
        alpha = ball(rational)
        if largest is not None and rational > largest:
            continue
        for p in (2, 3, 7, 8, 20, effort.pick(50, 1000)):
            if p < least:
                continue
            claimed = ball(c1) * (p - 1) / alpha
            if claimed > _histogram_upper(p, alpha):
                raise Refuted(
                    f"p = {p}, alpha = {show(alpha)}, any n: geometric noise has risk "
                    f"{show(_histogram_upper(p, alpha))}, and c1 (p - "
                    f"1)/alpha is {show(claimed)} even for c1 = {show(c1)}."
                )
            k = ceil(1 / rational)
            lower = 2 * (p // 2) * arb(k) / (1 + (k * alpha).exp())
            if not lower >= claimed:
                raise Undecided(
                    f"p = {p}, alpha = {show(alpha)}: the lower bound {show(lower)} does not reach {show(claimed)}"
                )
    return (
        "floor(p/2) pairs of bins, k = ceil(1/alpha) records in one of each pair: every method has risk at least "
        "2 floor(p/2) k/(1 + e^(k alpha)) (Assouad with the two-point bound), and u/(1 + e^u) > 0.23 on [1, 2]. The "
        "printed "
        "proof takes tau = c0/alpha, for which Fano's bracket is negative"
    )


def check_sensitivity(claimed: Any, effort: Effort) -> str:
    """The l1 distance of histograms of neighbouring databases."""
    bins, n = 3, effort.pick(2, 4)
    worst = 0
    for d in product(range(bins), repeat=n):
        for new in range(bins):
            other = (*d[:-1], new)
            worst = max(worst, sum(abs(d.count(b) - other.count(b)) for b in range(bins)))
    if worst != claimed:
        raise Refuted(f"n = {n}, three bins: one record changes the histogram by {worst} in l1, not {claimed}.")
    return "all databases of four records in three bins; one record leaves a bin and enters another"


def _cell_risk(theta: arb, tau: arb, b: arb) -> arb:
    """E|theta - released| for a cell with theta > 0, Laplace noise of scale b, threshold tau."""
    t = tau - theta
    tail = (-abs(t) / b).exp() / 2
    if t >= 0:
        return (t + b) * tail + theta * (1 - tail)
    return b - (abs(t) + b) * tail + theta * tail


def _sparse_check(known: bool) -> Any:
    def check(bound: Any, effort: Effort) -> str:
        """bound(p, q, alpha) against the exact risk; the threshold uses log p, or log(p/q) when q is known."""
        count = 0
        for p in effort.pick((4, 64), (2, 4, 16, 64, 10**4, 2**16)):
            for q in (1, 2, p // 2, p):
                for alpha in map(arb, ("0.1", "1", "5")):
                    b = 2 / alpha
                    tau = b * (arb(p) / (q if known else 1)).log()
                    empty = (p - q) * (-tau / b).exp() / 2 * (tau + b)
                    for theta in (1, 2, 5, 10, 30, 100, 1000):
                        risk = empty + q * _cell_risk(arb(theta), tau, b)
                        count += 1
                        at_most(
                            risk,
                            bound(p, q, alpha) * (1 + arb("1e-20")),
                            f"p = {p}, q = {q}, alpha = {show(alpha)}, all occupied cells {theta}: the risk is "
                            f"{show(risk)}, the bound "
                            f"{show(bound(p, q, alpha))}.",
                        )
        return (
            f"{count} exact risks (balls); in general a truncated cell has theta <= tau - L, so the error is at most "
            "tau + |L|, "
            "and E|L| = 2/alpha"
        )

    return check


def check_sparse_bound(formula: Any, effort: Effort) -> str:
    """formula = (least q, c): c q log((p-1)/q)/alpha between a lower bound for every method and a method's risk."""
    least, c = formula
    for q in (1, 2, 3, 10):
        if q < least:
            continue
        for alpha in map(arb, ("0.1", "1", "2")):
            for p in (10**3, 10**4, effort.pick(10**5, 10**6)):
                claimed = ball(c) * q * (arb(p - 1) / q).log() / alpha
                n = 10**4
                if q == 1:
                    upper = 2 * n * (p - 1) / ((alpha * n / 2).exp() + p - 1)
                    how = f"choose the cell j with weight exp(alpha theta_j/2) and release n = {n} there"
                else:
                    upper = (2 * q + 1) / alpha * (arb(p).log() + 1)
                    how = "the thresholding of Proposition 2.4.3"
                if claimed > upper:
                    raise Refuted(
                        f"q = {q}, p = {p}, alpha = {show(alpha)}: {how}; the risk is {show(upper)}, below "
                        f"{show(claimed)}."
                    )
                groups, cells = q - 1, (p - 1) // (q - 1)
                k = (arb(cells - 1).log() / alpha).floor()
                if not groups * k >= claimed:
                    raise Undecided(
                        f"q = {q}, p = {p}: the lower bound {show(groups * k)} does not reach {show(claimed)}"
                    )
    return (
        "q - 1 groups of b = floor((p-1)/(q-1)) cells with k = floor(log(b - 1)/alpha) records in one cell each, the "
        "rest of n in "
        "one more cell: every method has risk at least (q - 1) k, since min(t k, (b - 1) k) = t k for ratios t <= "
        "e^(k alpha)"
    )


def check_margins(formula: Any, effort: Effort) -> str:
    """formula = (c1, least n(k, alpha), largest alpha(k)): c1 k^2/alpha against bounds from both sides."""
    c1, least, largest = formula
    for k in (1, 2, 3, 5, 10, 30, effort.pick(50, 300)):
        for alpha in map(arb, ("1e-7", "0.01", "0.25", "1", "5")):
            if largest is not None and not alpha <= largest(k):
                continue
            claimed = ball(c1) * k * k / alpha
            n = arb(least(k, alpha)).ceil()
            if claimed > k * n / 2:
                raise Refuted(
                    f"k = {k}, alpha = {show(alpha)}, n = {show(n)}: answering n/2 for every margin has risk at most "
                    f"{show(k * n / 2)}, "
                    f"and c1 k^2/alpha is {show(claimed)} for c1 = {show(c1)}."
                )
            naive = k / (alpha / k).sinh()
            if claimed > naive:
                raise Refuted(
                    f"k = {k}, alpha = {show(alpha)}: geometric noise with alpha/k has risk {show(naive)} < "
                    f"{show(claimed)}."
                )
            tau = (k / (4 * alpha)).floor()
            lower = tau / 2 * k / 10 * (1 - (-arb(7) / 100 * k).exp())
            if not lower >= claimed:
                raise Undecided(
                    f"k = {k}, alpha = {show(alpha)}: the lower bound {show(lower)} does not reach {show(claimed)}"
                )
    return (
        "tau = floor(k/(4 alpha)) records at one vertex of the cube: likelihood ratios are at most e^(k/4), at most "
        "e^(-0.32 k) of "
        "the vertices lie within k/10 of a point (Hoeffding), so the risk is at least (tau/2)(k/10)(1 - e^(-0.07 k)) "
        "(balls)"
    )


NO_COST = "None: a lower bound on the error."
CLAIMS = (
    Claim(
        id="hall-2012:lemma-2.4.1",
        place="Lemma 2.4.1",
        statement="The cube {0,1}^m holds exponentially many points at mutual distance at least m/3.",
        printed="|S| >= exp(c0 m) for a universal c0 > 0, m >= 6",
        hypotheses="m >= 6",
        check=check_packing,
        formula=(Fraction(1, 3), Fraction(1, 20)),
        near=(Near((Fraction(1, 3), Fraction(7, 10)), "c0 = 0.7"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-2.4.2",
        place="Proposition 2.4.2",
        statement="Private histograms with p bins have l1 risk of order p/alpha somewhere.",
        printed="n >= c0 (p - 1)/alpha, p > 6: R* >= c1 (p - 1)/alpha for a universal c1, for every alpha",
        hypotheses="p > 6",
        check=check_histogram,
        formula=(Fraction(1, 10**6), None, 7),
        near=(Near((Fraction(5), 1, 7), "c1 = 5, alpha at most 1"),),
        strength="verified",
        correction=Correction(
            "for 0 < alpha <= 1, p >= 2 and n >= floor(p/2) ceil(1/alpha): R* >= (p - 1)/(5 alpha)",
            (Fraction(1, 5), 1, 2),
            NO_COST,
            "For large alpha the error of geometric noise falls like exp(-alpha/2), and no bound of order 1/alpha "
            "holds.",
        ),
    ),
    Claim(
        id="hall-2012:section-2.4-laplace",
        place="Section 2.4",
        statement="Laplace noise on a histogram uses the l1 sensitivity 2.",
        printed="the technique of Proposition 1.3.1, with Delta_1 = 2",
        hypotheses="neighbours differ in one record",
        check=check_sensitivity,
        formula=2,
        near=(Near(1, "sensitivity 1"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-2.4.3",
        place="Proposition 2.4.3, with (2.3) and (2.4)",
        statement="Laplace noise thresholded at (2/alpha) log p has a risk linear in the occupied cells.",
        printed="risk smaller than ((2q + 1)/alpha)(log p + 1)",
        hypotheses="at most q cells occupied; noise of rate alpha/2",
        check=_sparse_check(known=False),
        formula=lambda p, q, alpha: (2 * q + 1) / alpha * (arb(p).log() + 1),
        near=(Near(lambda p, q, alpha: (q + arb("0.5")) / alpha * (arb(p).log() + 1), "half of it"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-2.4.1-known-q",
        place="Section 2.4.1, after Proposition 2.4.4",
        statement="With q known and the threshold (2/alpha) log(p/q) the risk is smaller.",
        printed="at most (3q/alpha)(log(p/q) + 1)",
        hypotheses="at most q cells occupied",
        check=_sparse_check(known=True),
        formula=lambda p, q, alpha: 3 * q / alpha * ((arb(p) / q).log() + 1),
        near=(Near(lambda p, q, alpha: q / alpha * ((arb(p) / q).log() + 1), "a third of it"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-2.4.4",
        place="Proposition 2.4.4",
        statement="Private histograms with at most q occupied cells have l1 risk of order q log(p/q)/alpha somewhere.",
        printed="sup over Theta_{p,q} >= c q log((p - 1)/q)/alpha, for every q",
        hypotheses="n and p sufficiently large",
        check=check_sparse_bound,
        formula=(1, Fraction(1, 10**6)),
        near=(Near((2, Fraction(10)), "c = 10, q at least 2"),),
        strength="verified",
        correction=Correction(
            "for q >= 2: at least (q - 1) floor(log(floor((p-1)/(q-1)) - 1)/alpha), hence of the printed order; for q "
            "= 1 the cell "
            "that holds all n records is found almost surely, and the risk tends to 0 as n grows",
            (2, Fraction(1, 8)),
            NO_COST,
            "The printed construction uses q + 1 occupied cells; the printed Fano bracket is negative for its choice "
            "of eta.",
        ),
    ),
    Claim(
        id="hall-2012:proposition-2.4.5",
        place="Proposition 2.4.5",
        statement="All one-way margins of a 2^k table have l1 risk of order k^2/alpha somewhere.",
        printed="sup_D E ||M theta - m||_1 >= c1 k^2/alpha, for every n and alpha",
        hypotheses="none on n and alpha",
        check=check_margins,
        formula=(Fraction(1, 10**6), lambda k, alpha: 1, None),
        near=(
            Near(
                (Fraction(5), lambda k, alpha: k / (4 * alpha), lambda k: arb(k) / 4),
                "c1 = 5, under the right hypotheses",
            ),
        ),
        strength="verified",
        correction=Correction(
            "for n >= k/(4 alpha) and alpha <= k/4: at least k^2/(4000 alpha)",
            (Fraction(1, 4000), lambda k, alpha: k / (4 * alpha), lambda k: arb(k) / 4),
            NO_COST,
            "For few records a constant answer does better than the printed bound.",
        ),
    ),
)

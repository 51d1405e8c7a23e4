"""Section 4.2: what (epsilon, delta) remains in infinite dimension (Theorem 5 and the remark after it)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, gaussian_delta, show

PAPER = "reimherr-awan-2019:"
LAWS = (  # of V: values and weights
    ((Fraction(1, 2), 1),),
    ((Fraction(1), 1),),
    ((Fraction(2), 1),),
    ((Fraction(1, 4), 1), (Fraction(2), 3)),
)


def check_calibration(formula: Any, effort: Effort) -> str:
    """formula = (delta(law of V, delta'), largest epsilon): the exact Gaussian curve, averaged over V."""
    delta, largest = formula
    count, tightest = 0, arb(0)
    sizes = effort.pick(("0.1", "1", "2.77", "20"), ("0.1", "0.5", "1", "2", "2.77", "2.8", "3", "5", "20"))
    for epsilon, law, exponent in product(map(arb, sizes), LAWS, ("0.7", "1", "2", "5", "10", "30", "100")):
        if not epsilon <= largest:
            continue
        total = sum(w for _, w in law)
        inner = (-arb(exponent)).exp()  # delta'
        s = (2 * (2 / inner).log()).sqrt()
        true = sum((gaussian_delta(epsilon, epsilon / (s * ball(v))) * w / total for v, w in law), arb(0))
        claimed = delta(law, inner)
        count += 1
        if true > claimed:
            values = ", ".join(f"{v} (weight {w}/{total})" for v, w in law) if total > 1 else f"{law[0][0]} always"
            raise Refuted(
                f"V = {values}, delta' = exp(-{exponent}), epsilon = {show(epsilon)}, sigma as small as allowed: the "
                f"formula promises delta = {show(claimed)}, the exact curve gives {show(true)}."
            )
        tightest = true / claimed if true / claimed > tightest else tightest
    return (
        f"{count} instances of V, delta' and epsilon against the exact Gaussian curve (balls): the true delta is at "
        f"most {show(tightest)} of the promised one"
    )


def moment(law: Any, inner: arb, power: int, factor: arb | int = 2) -> arb:
    """factor E (delta'/2)^(V^power)."""
    total = sum(w for _, w in law)
    return factor * sum((((inner / 2).log() * ball(v**power)).exp() * w / total for v, w in law), arb(0))


ANY = arb(10**6)
LARGEST = 4 * arb(2).log()
RIGHT = (lambda law, inner: moment(law, inner, 2), LARGEST)
FIX = Correction(
    "delta = 2 M_{V^2}(log(delta'/2)), for 0 < eps <= 4 log 2 = 2.77 (and sigma^2 >= 2 log(2/delta') Delta^2/eps^2 as "
    "printed)",
    RIGHT,
    "Yes: the noise given V has variance sigma^2 V^2, so a V below 1 gives less protection than M_V says, by orders of "
    "magnitude; and for large epsilon even V = 1 fails.",
    "Use the moment generating function of V^2, and keep epsilon at most 4 log 2, or use the exact Gaussian curve.",
    "verified",
)
THEOREM = Claim(
    id=PAPER + "theorem-5",
    place="Theorem 5",
    statement="Elliptical noise of scale sigma is (epsilon, delta)-DP, delta' being what the Gaussian mechanism has.",
    quotation=Quotation(
        "for any eps > 0 and delta > 0, T~_D = T_D + sigma X, with sigma^2 >= 2 log(2/delta') Delta^2/eps^2 achieves "
        "(eps, delta)-DP, where delta' satisfies delta = 2 M_V(log(delta'/2)) and M_V is the moment generating "
        "function of mixing coefficient V",
        "restored",
        "the fraction is torn apart; X = V Z, so the noise given V = v has variance sigma^2 v^2",
    ),
    printed="sigma^2 >= 2 log(2/delta') Delta^2/eps^2, delta = 2 M_V(log(delta'/2)), for any eps > 0",
    hypotheses="X = V Z, sensitivity Delta",
    check=check_calibration,
    formula=(lambda law, inner: moment(law, inner, 1), ANY),
    near=(
        Near((lambda law, inner: moment(law, inner, 1), arb(1)), "M_V, with epsilon at most 1"),
        Near((lambda law, inner: moment(law, inner, 2), ANY), "V^2, for any epsilon"),
        Near((lambda law, inner: moment(law, inner, 3), LARGEST), "the moment generating function of V^3"),
        Near((lambda law, inner: moment(law, inner, 2, 1), LARGEST), "without the factor 2"),
        Near((lambda law, inner: moment(law, inner, 2, arb("1.98")), LARGEST), "1.98 in place of 2",
             passes="the bound is not sharp; the evidence says how far the true delta stays below it"),
    ),
    strength="verified",
    correction=FIX,
)  # fmt: skip
REPEAT = replace(FIX, cause=THEOREM.id)
SUPPLEMENT = replace(
    THEOREM,
    id=PAPER + "theorem-5-supplement",
    place="supplement, proof of Theorem 5",
    quotation=Quotation(
        "the noise is scaled by v. If we absorb this into the delta' then v log(2/delta') = log((2/delta')^v)."
    ),
    correction=REPEAT,
)
POSTER = replace(
    THEOREM,
    id=PAPER + "theorem-5-poster",
    place="poster, Theorem (Infinite Dimensional Privacy), second part",
    quotation=Quotation(
        "delta' satisfies delta = 2M_V(log(delta'/2)) and M_V is the moment generating function of mixing coefficient V"
    ),
    correction=REPEAT,
)  # fmt: skip


def _blocks(s: Fraction, reach: int) -> list[arb]:
    """Lower bounds of the parts of E exp(s V^2), V^2 = 1/G with G exponential, where 2^-k-1 < G <= 2^-k."""
    half = arb("0.5")
    return [(ball(s) * arb(2) ** k).exp() * (-(half**k)).exp() * half ** (k + 1) for k in range(reach)]


def check_remark(formula: Any, effort: Effort) -> str:
    """formula = (largest s with M(s) finite for every V, whether V = 0 may have positive probability)."""
    largest, zero = formula
    reach = effort.pick(11, 12)
    if largest > 0:
        parts = _blocks(Fraction(largest), 17)
        if parts[-1] > parts[-2] > 1:
            raise Refuted(
                f"V^2 = 1/G with G exponential: E exp({largest} V^2) is infinite, its part where G is about 2^-17 "
                f"alone exceeds {show(parts[-1])}."
            )
    reached = []
    for law in LAWS:
        law = (*law, (Fraction(0), 1)) if zero else law
        values = [moment(law, 2 * (-(arb(2) ** k)).exp(), 2) for k in range(reach)]
        if largest < 0 and not values[0] < 2:
            raise Refuted("the moment generating function is at most 1 on the negative axis.")
        if any(b > a for a, b in pairwise(values)):
            raise Refuted("delta does not fall with delta'.")
        if not values[-1] < arb("1e-9"):
            raise Refuted(f"V = 0 with probability {Fraction(1, sum(w for _, w in law))}: delta stays above "
                          f"{show(values[-1])}, however small delta' is.")  # fmt: skip
        reached.append(values[-1])
    if largest < 0:
        raise Refuted(f"M(s) is at most 1 for every s <= 0, also between {largest} and 0.")
    return (
        f"M(s) <= 1 for s <= 0; {len(LAWS)} laws of V: delta falls as delta' does, below "
        f"{show(max(reached, key=float))}"
    )


REMARK = Claim(
    id=PAPER + "section-4.2-remark",
    place="after Theorem 5",
    statement="M_V(log(delta'/2)) is finite for delta' in (0, 1), whatever V is, and every small delta has its delta'.",
    quotation=Quotation(
        "for delta' in (0, 1), log(delta'/2) < 0, so M_V(log(delta'/2)) is finite and all quantities are well defined"
    ),
    printed="M_V(s) < oo for s <= 0, V > 0",
    hypotheses="V > 0; the same for V^2, which Theorem 5 needs",
    check=check_remark,
    formula=(Fraction(0), False),
    near=(
        Near((Fraction(1, 100), False), "finite also at s = 1/100"),
        Near((Fraction(-1, 100), False), "finite only below -1/100"),
        Near((Fraction(0), True), "V = 0 with positive probability"),
    ),
    strength="verified",
)
CLAIMS = (THEOREM, SUPPLEMENT, POSTER, REMARK)

"""Section 7: what is left of differential privacy when the sample is only close to the mechanism."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.mechanisms.near import delta_of_distance
from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import both_excess, excess, laws


def _distance(p: Any, q: Any) -> Fraction:
    return sum((abs(a - b) for a, b in zip(p, q, strict=True)), Fraction(0)) / 2


def check_closeness(delta: Any, effort: Effort) -> str:
    """delta(e^eps, t) for samples within total variation t of an epsilon-DP pair; it must hold, and be attained."""
    count, attained = 0, 0
    for ratio in (Fraction(2), Fraction(3)):
        grain = effort.pick(6, 8)
        every = list(laws(2, grain)) if grain else []
        pairs = [(p, q) for p, q in product(every, repeat=2) if both_excess(p, q, ratio) == 0]
        for (p, q), near_p, near_q in product(pairs, every, every):
            t = max(_distance(p, near_p), _distance(q, near_q))
            if t == 0:
                continue
            true, claimed = excess(near_p, near_q, ratio), delta(ratio, t)
            count += 1
            if true > claimed:
                raise Refuted(
                    f"e^eps = {ratio}, P = {_show(p)} and Q = {_show(q)} are eps-DP; {_show(near_p)} and "
                    f"{_show(near_q)} are within {t} of them and need delta' = {true}, not {claimed}."
                )
            attained += true == claimed
    if not attained:
        raise Refuted("the claimed delta' is nowhere attained: a smaller one is enough.")
    return (
        f"{count} quadruples of laws on two points, exact, the bound attained by {attained}; the proof is three lines "
        "of events"
    )


def _show(law: Any) -> str:
    return "(" + ", ".join(map(str, law)) + ")"


CLOSENESS = Claim(
    id="awan-2019:section-7-total-variation",
    place="Section 7",
    statement="A sample within total variation t of an epsilon-DP mechanism is (eps', delta')-DP: here eps' = eps and "
    "delta' = (1 + e^eps) t.",
    quotation=Quotation(
        "if the sample is drawn from a distribution within a specified total variation of the eps-DP distribution, "
        "then the sample satisfies (eps', delta')-DP for some eps' and delta'",
        note="the paper names no eps' and delta'; these are ours",
    ),
    printed="(eps', delta')-DP for some eps', delta'",
    hypotheses="both databases' samples are within t",
    check=check_closeness,
    formula=delta_of_distance,
    near=(
        Near(lambda ratio, t: t, "delta' = t"),
        Near(lambda ratio, t: 2 * t, "delta' = 2 t"),
        Near(lambda ratio, t: ratio * t, "delta' = e^eps t"),
        Near(lambda ratio, t: Fraction(99, 100) * (1 + ratio) * t, "1 % smaller"),
        Near(lambda ratio, t: Fraction(101, 100) * (1 + ratio) * t, "1 % larger, which is not sharp"),
    ),
    strength="verified",
)
CLAIMS = (CLOSENESS,)

"""Section 1.2.1: the power of a test between neighbouring databases."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.finite import events, excess, laws, mass, pairs_text

QUOTED = Quotation(
    r"any test function  $\Psi(a)$  with size  $\gamma$  has power smaller than  $e^\alpha \gamma + \beta$ ."
)


def bound(size: Fraction, ratio: Fraction, beta: Fraction) -> Fraction:
    """The largest power of a test of this size: ratio * size + beta."""
    return ratio * size + beta


def check_power(formula: Any, effort: Effort) -> str:
    """formula = (bound(size, e^alpha, beta), strict): every rejection region, beta being the smallest that fits."""
    largest, strict = formula
    count = attained = 0
    for ratio in (Fraction(2), Fraction(3, 2)):
        for p, q in product(laws(3, effort.pick(4, 6)), repeat=2):
            beta = excess(q, p, ratio)
            for region in events(3):
                power, allowed = mass(q, region), largest(mass(p, region), ratio, beta)
                count += 1
                attained += power == allowed
                if power > allowed or (strict and beta > 0 and power == allowed < 1):
                    raise Refuted(
                        f"e^alpha = {ratio}, beta = {beta}, {pairs_text(p, q)}, rejection region {region}: "
                        f"the power is {power}, the bound {allowed}."
                    )
    if not attained:
        raise Refuted(f"over {count} tests the power never reaches the bound.")
    return f"{count} tests on three points, exact; {attained} of them attain the bound"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.2.2",
        place="Proposition 1.2.2",
        quotation=QUOTED,
        statement="Any test between neighbouring databases of size gamma has power at most e^alpha gamma + beta.",
        printed="power smaller than e^alpha gamma + beta",
        hypotheses="(alpha, beta)-DP",
        check=check_power,
        formula=(bound, True),
        near=(
            Near((lambda size, ratio, beta: ratio * size, False), "without beta"),
            Near((lambda size, ratio, beta: ratio * size * 99 / 100 + beta, False), "e^alpha 1 % smaller"),
            Near((lambda size, ratio, beta: ratio * size + beta * 99 / 100, False), "beta 1 % smaller"),
            Near((lambda size, ratio, beta: (ratio * size + beta) * 101 / 100 + 1, False), "a bound that is too large"),
        ),
        strength="verified",
        argument="privacy.txt",
        correction=Correction(
            "power at most e^alpha gamma + beta, as its proof has it",
            (bound, False),
            "None.",
            "Read 'smaller than' as 'at most'.",
            "verified",
            "slip",
        ),
    ),
)

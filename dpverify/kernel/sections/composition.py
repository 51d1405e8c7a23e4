"""Composition: what several releases guarantee together, from certificates of their pure epsilons."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb, prod

from ..certificate import KINDS, check_certificate
from ..intervals import D0, ONE, Interval, add_up, interval, outward_arithmetic, outward_functions
from ..rules import require, rule
from ..steps import Steps, ends, rational, record, whole
from .profiles import listed, quantiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIELDS = {"kind", "verdict", "parts", "theorem", "points", "quantiles"}
MOST_TERMS, MOST_TIMES, MOST_PARTS = 200_000, 100_000, 50


@rule("K170")
def parts(claim: Any, given: Any) -> tuple[dict[Fraction, int], list[str]]:
    """How often each pure epsilon is released, and what its proofs assume.

    Lemma.  A certificate that is accepted, whose digest is the one named, and whose claim is that
    noise is private, proves every epsilon from its upper bound on.
    """
    require(isinstance(claim, list) and 0 < len(claim) <= MOST_PARTS, "parts is not a list", "format")
    require(isinstance(given, dict), "the parts are not given by their digests", "format")
    times: dict[Fraction, int] = {}
    assumptions: list[str] = []
    named = set()
    for part in claim:
        record(part, "part", {"digest", "times", "epsilon"})
        known = isinstance(part["digest"], str) and part["digest"] in given
        require(known, "a part is named whose certificate is not there")
        checked = check_certificate(given[part["digest"]])
        require(checked.digest == part["digest"], "a part is not the one that is named")
        private = checked.claim.get("verdict") == "private"
        require(private, "a part does not prove an epsilon")
        epsilon = rational(part["epsilon"], "part.epsilon")
        proved = Fraction(checked.claim["epsilon"]["upper"]) <= epsilon
        require(proved, "a part does not prove the epsilon that is named")
        count = whole(part["times"], "part.times", 1, MOST_TIMES)
        times[epsilon] = times.get(epsilon, 0) + count
        named.add(part["digest"])
        assumptions += [a for a in checked.assumptions if a not in assumptions]
    require(named == set(given), "a certificate is given that no part names", "steps")
    return times, assumptions


@rule("K171")
def composed(times: dict[Fraction, int], epsilon: Fraction) -> tuple[Decimal, Decimal]:
    """The least delta that pure epsilons guarantee together, between two bounds.

    Lemma (Kairouz, Oh and Viswanath 2015, Theorem 3.3; Murtagh and Vadhan 2016, Theorem 1.5).
    Releases that are private with e_1, ..., e_k, chosen adaptively, are (eps, delta)-private
    together for delta = sum over signs of P(signs) (1 - e^(eps - L))_+, L the sum of the signed
    e_i, P the product of e^e_i / (1 + e^e_i) for + and 1 / (1 + e^e_i) for -; for randomised
    response with these e_i no smaller delta will do.  Signs are grouped by equal e_i.
    """
    terms = prod(n + 1 for n in times.values())
    require(terms <= MOST_TERMS, "there are too many different sums of the epsilons", "limits")
    odds = {e: (interval(e).exp() + 1).inverse() for e in times}
    laws = []
    for e, n in times.items():
        low, high = odds[e], (interval(-e).exp() + 1).inverse()
        laws.append([(e * (2 * k - n), power(high, k) * power(low, n - k) * comb(n, k))
                     for k in range(n + 1)])
    gains = []
    for choice in product(*laws):
        loss = sum((x for x, _ in choice), Fraction(0))
        if loss > epsilon:
            gain = ONE - interval(epsilon - loss).exp()
            for _, share in choice:
                gain = gain * share
            gains.append(gain)
    total = add_up([Interval(D0, D0), *gains])
    return max(D0, total.lo), total.hi


def power(x: Interval, n: int) -> Interval:
    result = ONE
    while n:
        result, x, n = (result * x if n % 2 else result), x * x, n // 2
    return result


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a composition, proved by its parts."""
    outward_arithmetic()
    outward_functions()
    record(claim, "claim", FIELDS)
    right = claim["verdict"] == "composition" and claim["theorem"] == "optimal composition"
    require(right, "the verdict or the theorem is not that of a composition", "claim")
    steps = Steps(given)
    times, assumptions = parts(claim["parts"], steps.take("parts"))
    listed = isinstance(claim["points"], list) and bool(claim["points"])
    require(listed, "points is not a list", "format")
    for point in claim["points"]:
        record(point, "point", {"epsilon", "delta"})
        epsilon = rational(point["epsilon"], "epsilon")
        require(epsilon >= 0, "an epsilon is negative", "claim")
        low, high = composed(times, epsilon)
        least, most = ends(point["delta"], "delta")
        holds = (interval(least).hi <= low or least == 0) and high <= interval(most).lo
        require(holds, "delta is not shown between its bounds", "K171")
    if claim["quantiles"] != []:
        quantiles(claim)
    steps.finish()
    return assumptions


def said(claim: Any) -> str:
    """The claim in one line."""
    releases = " and ".join(f"{p['times']} times epsilon {p['epsilon']}" for p in claim["parts"])
    return f"composition: of {releases}, {listed(claim['points'])}"


KINDS["composition"] = (check, said)

"""Composition: what several releases guarantee together, from certificates of their pure
epsilons."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import prod

from ..certificate import KINDS, Checked
from ..intervals import D0, ONE, Interval, add_up, interval
from ..rules import brought, require, rule
from ..steps import Steps, rational, record, whole
from .accepted import accepted
from .points import hold, levels, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIELDS = {"kind", "verdict", "parts", "theorem", "points", "quantiles"}
MOST_TERMS, MOST_TIMES, MOST_PARTS, MOST_SUMS = 200_000, 100_000, 50, 2_000_000


@rule("K170")
def parts(claim: Any, given: Any) -> tuple[dict[Fraction, int], list[str]]:
    """How often each pure epsilon is released, and what its proofs assume.

    Lemma.  A certificate that is accepted, whose digest is the one named, and whose claim is that
    noise is private, proves every epsilon from its upper bound on.
    """
    permitted = isinstance(claim, list) and 0 < len(claim) <= MOST_PARTS
    require(permitted, "parts is not a list", "format")
    require(isinstance(given, dict), "the parts are not given by their digests", "format")
    times: dict[Fraction, int] = {}
    assumptions: list[str] = []
    named: dict[str, Checked] = {}
    for part in claim:
        record(part, "part", {"digest", "times", "epsilon"})
        digest = part["digest"]
        known = isinstance(digest, str) and digest in given
        require(known, "a part is named whose certificate is not there")
        checked = named[digest] if digest in named else accepted(given[digest])
        require(checked.digest == digest, "a part is not the one that is named")
        private = checked.claim.get("verdict") == "private"
        require(private, "a part does not prove an epsilon")
        epsilon = rational(part["epsilon"], "part.epsilon")
        proved = Fraction(checked.claim["epsilon"]["upper"]) <= epsilon
        require(proved, "a part does not prove the epsilon that is named")
        count = whole(part["times"], "part.times", 1, MOST_TIMES)
        times[epsilon] = times.get(epsilon, 0) + count
        named[digest] = checked
        assumptions += [a for a in checked.assumptions if a not in assumptions]
    require(set(named) == set(given), "a certificate is given that no part names", "steps")
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
    gains = []
    for choice in product(*(law(e, n) for e, n in times.items())):
        loss = sum((x for x, _ in choice), Fraction(0))
        if loss > epsilon:
            gain = ONE - interval(epsilon - loss).exp()
            for _, share in choice:
                gain = gain * share
            gains.append(gain)
    total = add_up([Interval(D0, D0), *gains])
    return max(D0, total.lo), total.hi


def law(e: Fraction, n: int) -> list[tuple[Fraction, Interval]]:
    """The sums of n signed e, and their probabilities: each is the one before times e^e
    (n-k)/(k+1)."""
    share, odds, found = power((interval(e).exp() + 1).inverse(), n), interval(e).exp(), []
    for k in range(n + 1):
        found.append((e * (2 * k - n), share))
        share = share * odds * Fraction(n - k, k + 1)
    return found


def power(x: Interval, n: int) -> Interval:
    result = ONE
    while n:
        result, x, n = (result * x if n % 2 else result), x * x, n // 2
    return result


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a composition, proved by its parts."""
    record(claim, "claim", FIELDS)
    right = claim["verdict"] == "composition" and claim["theorem"] == "optimal composition"
    require(right, "the verdict or the theorem is not that of a composition", "claim")
    steps = Steps(given)
    times, assumptions = parts(claim["parts"], steps.take("parts"))
    at = levels(claim["points"])
    terms = prod(n + 1 for n in times.values())
    few = terms <= MOST_TERMS and terms * len(at) <= MOST_SUMS
    require(few, "there are too many different sums of the epsilons", "limits")
    hold(claim["points"], [composed(times, epsilon) for epsilon in at], "K171")
    if claim["quantiles"] != []:
        brought("quantiles of delta")(claim)
    steps.finish()
    return assumptions


def said(claim: Any) -> str:
    """The claim in one line."""
    releases = " and ".join(f"{p['times']} times epsilon {p['epsilon']}" for p in claim["parts"])
    return f"composition: of {releases}, {listed(claim['points'])}"


KINDS["composition"] = (check, said)

"""What a bundle says of each certificate, and whether the certificate, once the kernel has accepted it, proves it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .refusal import rational, record, require

ABOUT = ("generator", "mixing", "parameters", "dimension", "sensitivity", "scale")


def about(claim: Mapping[str, Any]) -> dict[str, Any]:
    """The noise that a claim is about, or the releases of a composition, as the claim has them."""
    if "parts" in claim:
        return {"parts": claim["parts"]}
    return {name: claim[name] for name in ABOUT if name in claim}


def proved(claim: Mapping[str, Any]) -> list[tuple[Fraction, Fraction]]:
    """Every (epsilon, delta) of which the claim says that the mechanism is (epsilon, delta)-private."""
    if "points" not in claim:
        private = claim["verdict"] == "private"
        return [(Fraction(claim["epsilon"]["upper"]), Fraction(0))] if private else []
    found = [(Fraction(p["epsilon"]), Fraction(p["delta"]["upper"])) for p in claim["points"]]
    found += [(Fraction(q["epsilon"]["upper"]), Fraction(q["delta"])) for q in claim["quantiles"]]
    return [(epsilon, delta) for epsilon, delta in found if delta < 1]


def require_proved(says: Any, claim: Mapping[str, Any]) -> str:
    """What is said, in a sentence; raises Refusal where the claim is of something else, or proves less."""
    record(says, "what it says", {"epsilon", "delta", "about"})
    epsilon, delta = rational(says["epsilon"], "epsilon"), rational(says["delta"], "delta")
    require(says["about"] == about(claim), "the certificate is of another noise than the bundle says")
    enough = any(e <= epsilon and d <= delta for e, d in proved(claim))
    require(
        0 <= delta < 1 and enough,
        f"the certificate proves less than ({epsilon}, {delta})-privacy, which the bundle says",
    )
    return f"epsilon <= {epsilon}" if delta == 0 else f"({epsilon}, {delta})-private"

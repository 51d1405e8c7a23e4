"""What an audit's JSON says of a certificate: that it is about it, and whether it was violated."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .refusal import Refusal, require


def consistent(audit: Any, claim: Mapping[str, Any], digest: str) -> str:
    """The audit in a sentence; raises Refusal for one of another certificate, and for one that is violated."""
    require(isinstance(audit, dict) and "epsilon_lower" in audit, "it is no audit")
    return _of_curve(audit, claim) if "certified" in audit else _of_epsilon(audit, claim, digest)


def _of_epsilon(audit: Mapping[str, Any], claim: Mapping[str, Any], digest: str) -> str:
    named = audit.get("certificate")
    if not isinstance(named, dict) or named.get("digest") != digest:
        raise Refusal("it is an audit of another certificate, or of none")
    if not claim.get("epsilon") or named.get("epsilon_upper") != claim["epsilon"]["upper"]:
        raise Refusal("it states another epsilon than its certificate")
    upper, seen = claim["epsilon"]["upper"], _number(audit["epsilon_lower"])
    require(seen <= Fraction(upper), f"it is violated: the samples show epsilon >= {float(seen):.6g}, above {upper}")
    fit = audit.get("fit")
    same = fit is None or (isinstance(fit, dict) and fit.get("rejected") is False)
    require(same, "its samples do not have the law that the certificate is about")
    return f"epsilon >= {float(seen):.6g}, {_verdict(audit)}"


def _of_curve(audit: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    """A whole curve names no certificate, but the points that it was held against."""
    points = {(p["epsilon"], p["delta"]["upper"]) for p in claim.get("points", ())}
    held = audit["certified"]
    require(isinstance(held, list) and bool(held), "it was held against no certificate")
    for each in held:
        mine = isinstance(each, dict) and (each.get("epsilon"), each.get("delta_upper")) in points
        require(mine, "it is an audit of another certificate")
        require(
            _number(each.get("delta_lower")) <= Fraction(each["delta_upper"]),
            f"it is violated: the samples show a larger delta at epsilon = {each['epsilon']}",
        )
    return f"{len(held)} point(s) of the curve, {_verdict(audit)}"


def _verdict(audit: Mapping[str, Any]) -> str:
    require(audit.get("verdict") in ("consistent", "inconclusive"), "it is violated, or says nothing of a claim")
    return f"{audit['verdict']} at confidence {float(_number(audit.get('confidence'))):.6g}"


def _number(value: object) -> Fraction:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
        return Fraction(value)
    raise Refusal("a number in it is none")

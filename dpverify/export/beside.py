"""What dp_accounting says of a mechanism, beside a certificate: its numbers are checked, and prove nothing here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.api import check
from dpverify.errors import InputError


@dataclass(frozen=True)
class Beside:
    """delta(eps) by floats, and the certificate's enclosure: "below" it, "inside" or "above"."""

    epsilon: Fraction
    theirs: float
    lower: Fraction
    upper: Fraction

    @property
    def place(self) -> str:
        value = Fraction(self.theirs)
        return "below" if value < self.lower else "above" if value > self.upper else "inside"

    def __str__(self) -> str:
        told = {
            "below": "their value lies below ours: nothing that small is true",
            "inside": "their value lies inside ours",
            "above": "their value lies above ours",
        }
        ours = f"[{float(self.lower):.15g}, {float(self.upper):.15g}]"
        return f"delta({self.epsilon}): theirs {self.theirs:.15g}, ours {ours}; {told[self.place]}"


def beside(source: str | Path | bytes | Mapping[str, Any], theirs: Any) -> list[Beside]:
    """The points of a certificate of a profile or of a composition, beside what dp_accounting says at the same eps.

    Args:
        source: the certificate, as a file, bytes or data.
        theirs: a PrivacyLossDistribution, or a DpEvent, of dp_accounting.

    Raises:
        InputError: for a certificate that does not hold or has no points, and for what is neither of the two.
    """
    report = check(source)
    claim = report.claim
    if claim is None or not report.accepted:
        raise InputError(f"the certificate does not hold: {report.refusal()}")
    if "points" not in claim:
        raise InputError("the certificate is of an epsilon; certify points with dpverify profile or compose")
    value = _values(theirs)
    found = []
    for point in claim["points"]:
        epsilon = Fraction(point["epsilon"])
        lower, upper = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        found.append(Beside(epsilon, float(value(float(epsilon))), lower, upper))
    return found


def _values(theirs: Any) -> Any:
    if hasattr(theirs, "get_delta_for_epsilon"):
        return theirs.get_delta_for_epsilon
    try:
        from dp_accounting import dp_event
        from dp_accounting.pld import PLDAccountant
    except ImportError:
        raise InputError("this needs dp_accounting: pip install dp-accounting") from None
    if not isinstance(theirs, dp_event.DpEvent):
        raise InputError("give a PrivacyLossDistribution or a DpEvent of dp_accounting")
    return PLDAccountant().compose(theirs).get_delta

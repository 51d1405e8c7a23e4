"""What dp_accounting says of a mechanism, beside a certificate: its numbers are checked, and prove nothing here."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.api import check
from dpverify.errors import InputError

LIKE = "write it like SelfComposedDpEvent(GaussianDpEvent(10.0), 64)"


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

    def to_json(self) -> dict[str, Any]:
        """Plain data; the certificate's numbers exact."""
        ours = {"lower": str(self.lower), "upper": str(self.upper)}
        return {"epsilon": str(self.epsilon), "theirs": self.theirs, "ours": ours, "place": self.place}

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
    if report.claim is None or not report.accepted:
        raise InputError(f"the certificate does not hold: {report.refusal()}")
    return placed(report.claim, theirs)


def placed(claim: Mapping[str, Any], theirs: Any) -> list[Beside]:
    """The same for a claim that has been checked."""
    if "points" not in claim:
        raise InputError("the certificate is of an epsilon; certify points with dpverify profile or compose")
    value = _values(theirs)
    found = []
    for point in claim["points"]:
        epsilon = Fraction(point["epsilon"])
        lower, upper = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        found.append(Beside(epsilon, float(value(float(epsilon))), lower, upper))
    return found


def event_of(text: str) -> Any:
    """The DpEvent that a text writes down, as `str` of one does: names of events, numbers and lists, and no other code.

    Raises InputError where it is none.
    """
    try:
        found = _built(ast.parse(text, mode="eval").body)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise InputError(f"this writes no DpEvent down: {text[:80]!r}; {LIKE}") from None
    if not isinstance(found, _events().DpEvent):
        raise InputError(f"this writes no DpEvent down: {text[:80]!r}; {LIKE}")
    return found


def _built(node: ast.expr) -> Any:
    """The value of a text of which each call is that of an event's class."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        made = getattr(_events(), node.func.id, None)
        if isinstance(made, type) and issubclass(made, _events().DpEvent):
            named = {str(keyword.arg): _built(keyword.value) for keyword in node.keywords}
            return made(*map(_built, node.args), **named)
    if isinstance(node, ast.List):
        return [_built(part) for part in node.elts]
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    raise ValueError("no event, number or list")


def _events() -> Any:
    try:
        from dp_accounting import dp_event
    except ImportError:
        raise InputError("this needs dp_accounting: pip install dp-accounting") from None
    return dp_event


def _values(theirs: Any) -> Any:
    if hasattr(theirs, "get_delta_for_epsilon"):
        return theirs.get_delta_for_epsilon
    if not isinstance(theirs, _events().DpEvent):
        raise InputError("give a PrivacyLossDistribution or a DpEvent of dp_accounting")
    from dp_accounting import UnsupportedEventError
    from dp_accounting.pld import PLDAccountant

    try:
        return PLDAccountant().compose(theirs).get_delta
    except UnsupportedEventError as error:
        raise InputError(f"dp_accounting has no distribution for this event: {error}") from None

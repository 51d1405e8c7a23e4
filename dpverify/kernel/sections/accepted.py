"""Certificates within another one, each replayed once where a process wants that."""

from __future__ import annotations

from contextvars import ContextVar

from ..certificate import Checked, check_certificate, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACCEPTED: ContextVar[dict[str, Checked] | None] = ContextVar("accepted", default=None)
"""What is accepted, by the digest of its content."""


def accepted(certificate: Any) -> Checked:
    """What a part proves; raises Rejected."""
    kept = ACCEPTED.get()
    if kept is None or not isinstance(certificate, dict):
        return check_certificate(certificate)
    known = kept.get(digest(certificate))
    if known is not None and certificate.get("digest") == known.digest:
        return known
    checked = check_certificate(certificate)
    kept[checked.digest] = checked
    return checked

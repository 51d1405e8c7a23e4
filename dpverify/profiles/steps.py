"""Steps of certificates that several kinds of profiles share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.prover.profile.joints import Step


def joint(steps: Sequence[Step]) -> dict[str, Any]:
    """One joint's pieces, from the nearest radius on."""
    ordered = sorted(steps, key=lambda s: min(s.low, s.high))
    cuts = [min(s.low, s.high) for s in ordered][1:]
    return {"cuts": [str(c) for c in cuts], "rules": "".join(s.word for s in ordered)}

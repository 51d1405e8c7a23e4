"""Why there is no number to give."""

from __future__ import annotations

from dpverify.errors import DpverifyError


class Refusal(DpverifyError):
    """There is no scale, or no curve, to give: `verdict` says why, and the message in one line what is proved.

    "not_private" (private for no epsilon), "invalid" (no density generator), "unreachable" (a jump of f
    keeps epsilon above the target at every scale), or "undecided".
    """

    def __init__(self, verdict: str, reason: str) -> None:
        super().__init__(" ".join(reason.split()))
        self.verdict = verdict

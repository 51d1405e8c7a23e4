"""Why there is no number to give."""

from __future__ import annotations

from typing import Literal

from dpverify.errors import DpverifyError
from dpverify.results import Verdict


class Refusal(DpverifyError):
    """There is no scale, or no curve, to give: `verdict` says why, and the message in one line what is proved.

    "not_private" (private for no epsilon), "invalid" (no density generator), "unreachable" (a jump of f
    keeps epsilon above the target at every scale), or "undecided".
    """

    def __init__(self, verdict: Verdict | Literal["unreachable"], reason: str) -> None:
        super().__init__(" ".join(reason.split()))
        self.verdict = verdict

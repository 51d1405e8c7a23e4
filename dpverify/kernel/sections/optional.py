"""Rules that a proof can do without: where one is not listed, another way is taken."""

from __future__ import annotations

from ..rules import LEDGER


def may_use(number: str) -> bool:
    """Whether a rule that a proof can do without may be entered: it is listed, or nothing is."""
    ledger = LEDGER.get(None)
    return ledger is None or ledger.listed is None or number in ledger.listed

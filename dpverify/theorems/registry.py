"""All claims, in the order of the papers."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from dpverify.errors import InputError
from dpverify.theorems.awan_2019 import CLAIMS as AWAN
from dpverify.theorems.claim import PAPERS, Claim
from dpverify.theorems.hall_2012 import CLAIMS as HALL
from dpverify.theorems.reimherr_awan_2019 import CLAIMS as REIMHERR_AWAN

CLAIMS: dict[str, Claim] = {claim.id: claim for claim in (*REIMHERR_AWAN, *AWAN, *HALL)}


def choose(ids: Iterable[str] = (), source: str | None = None) -> list[Claim]:
    """The claims with these ids, or all, or all of one paper; raises InputError for an unknown name."""
    if source is not None and source not in PAPERS:
        raise InputError(f"there is no paper {source[:40]!r}; known: {', '.join(PAPERS)}")
    chosen = list(dict.fromkeys(ids))
    for name in chosen:
        if name not in CLAIMS:
            near = get_close_matches(name, CLAIMS, 3, 0.5)
            hint = f"; near it: {', '.join(near)}" if near else "; `dpverify theorems --list` lists all"
            raise InputError(f"there is no claim {name[:60]!r}{hint}")
    claims = [CLAIMS[name] for name in chosen] if chosen else list(CLAIMS.values())
    return [c for c in claims if source is None or c.paper == source]

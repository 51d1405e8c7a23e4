"""Lists of rules of older certificates, from before some rules left the core."""

from __future__ import annotations

from ..rules import BROUGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ONCE_CORE = {
    "K3": "exponentials", "K14": "exponentials", "K15": "exponentials", "K10": "series",
    "K12": "series", "K13": "series", "K25": "near_zero", "K7": "signs", "K6": "definedness",
    "K8": "analytic", "K20": "falling", "K33": "closed_forms", "K9": "undefined"}
"""Rules that older certificates list under the core: where they are now."""


def as_now(rules: dict[str, list[str]], steps: Any) -> dict[str, list[str]]:
    """The same rules by today's sections; second ways were once taken without one."""
    now = {section: list(numbers) for section, numbers in rules.items()}
    for number in rules.get("core", ()):
        if number in ONCE_CORE:
            now["core"].remove(number)
            now.setdefault(ONCE_CORE[number], []).append(number)
    if isinstance(steps, dict) and "ways" in steps:
        now.setdefault("ways", ["K106"])
    return now


BROUGHT["an older list of rules"] = as_now

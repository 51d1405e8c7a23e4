"""Lists of rules of older certificates, from before some rules left the core."""

from __future__ import annotations

import re

from ..rules import BROUGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ONCE_CORE = {
    "K3": "exponentials", "K14": "exponentials", "K15": "exponentials", "K10": "series",
    "K12": "series", "K13": "series", "K25": "near_zero", "K7": "signs", "K6": "definedness",
    "K8": "analytic", "K20": "falling", "K33": "closed_forms", "K9": "undefined",
    "K17": "increments", "K18": "increments", "K21": "by_form", "K22": "ends", "K23": "ends",
    "K24": "ends", "K32": "ends", "K26": "theorem_3", "K27": "theorem_3", "K29": "witness",
    "K30": "witness", "K31": "witness"}
"""Rules that older certificates list under the core: where they are now."""
SINCE = {
    "models", "increments", "ends", "by_form", "theorem_3", "witness", "hyperbolic"}
"""Sections that no such list names."""
IN_SHORT = re.compile(r"\b(sinh|cosh|tanh|asinh|acosh|log1p|expm1)\b")
TEXTS = ("generator", "mixing", "closed_form")


def as_now(rules: dict[str, list[str]], claim: Any, steps: Any) -> dict[str, list[str]]:
    """The same rules by today's sections; models, functions that are others in short, and second
    ways were once taken without one."""
    if not set(rules).isdisjoint(SINCE):
        return rules
    now = {section: list(numbers) for section, numbers in rules.items()}
    for number in rules.get("core", ()):
        if number in ONCE_CORE:
            now["core"].remove(number)
            now.setdefault(ONCE_CORE[number], []).append(number)
    texts = [claim.get(name) for name in TEXTS] if isinstance(claim, dict) else []
    if any(isinstance(text, str) and IN_SHORT.search(text) for text in texts):
        now["hyperbolic"] = ["K35"]
    if isinstance(steps, dict) and "zero" in steps:
        now["models"] = ["K11"]
    if isinstance(steps, dict) and "ways" in steps:
        now.setdefault("ways", ["K106"])
    return now


BROUGHT["an older list of rules"] = as_now

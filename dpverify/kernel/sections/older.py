"""Lists of rules of older certificates, from before some rules left the core or a section."""

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
    "K30": "witness", "K31": "witness", "K16": "slopes", "K19": "hypotheses", "K28": "tail"}
"""Rules that older certificates list under the core: where they are now."""
ONCE_TOGETHER = {
    "special": {
        "gamma": ("K80", "K92"),
        "besselk": ("K81", "K82", "K83", "K84", "K85", "K86", "K90", "K254"),
        "erfc": ("K87", "K88", "K89", "K91", "K253")},
    "gammas": {
        "loggamma": ("K130", "K131", "K132", "K133", "K134", "K141", "K257"),
        "incomplete_gamma": (
            "K135", "K136", "K137", "K138", "K139", "K140", "K142", "K255", "K258")}}
"""Sections that are several now, and what each of these has."""
PLACES = {
    "core": ONCE_CORE,
    **{once: {number: section for section, numbers in now.items() for number in numbers}
       for once, now in ONCE_TOGETHER.items()}}
SINCE = {
    "models", "increments", "ends", "by_form", "theorem_3", "witness", "hyperbolic", "slopes",
    "hypotheses", "tail"}
"""Sections that no list names which is from before models were a rule."""
IN_SHORT = re.compile(r"\b(sinh|cosh|tanh|asinh|acosh|log1p|expm1)\b")
TEXTS = ("generator", "mixing", "closed_form")


def as_now(rules: dict[str, list[str]], claim: Any, steps: Any) -> dict[str, list[str]]:
    """The same rules by today's sections; models, functions that are others in short, and second
    ways were once taken without one."""
    now: dict[str, list[str]] = {}
    for once, numbers in rules.items():
        for number in numbers:
            now.setdefault(PLACES.get(once, {}).get(number, once), []).append(number)
    if not set(rules).isdisjoint(SINCE):
        return now
    texts = [claim.get(name) for name in TEXTS] if isinstance(claim, dict) else []
    if any(isinstance(text, str) and IN_SHORT.search(text) for text in texts):
        now["hyperbolic"] = ["K35"]
    if isinstance(steps, dict) and "zero" in steps:
        now["models"] = ["K11"]
    if isinstance(steps, dict) and "ways" in steps:
        now.setdefault("ways", ["K106"])
    return now


BROUGHT["an older list of rules"] = as_now

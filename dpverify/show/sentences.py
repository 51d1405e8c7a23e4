"""A result's sentence as a page shows it: Greek letters, and the radius at which the loss is largest as a formula."""

from __future__ import annotations

import re

from dpverify.show.formulas import latex

PLACE = re.compile(r"(?<=\bat )c = (?P<radius>.+?)(?=\.(?:\s|$))")
SIGNS = {"Delta/sigma": "Δ/σ", "epsilon": "ε", "sigma": "σ", "delta": "δ", ">=": "≥", "<=": "≤", "-> oo": "→ ∞"}
NAMES = re.compile("|".join(re.escape(name) if not name.isalpha() else rf"\b{name}\b" for name in SIGNS))


def typeset(sentence: str) -> list[tuple[str, str]]:
    """The sentence in pieces, each words and the LaTeX of the formula that follows them, or ""."""
    found = PLACE.search(sentence)
    formula = latex(found["radius"].replace("Delta/sigma", "delta")) if found else None
    if found is None or formula is None:
        return [(_in_letters(sentence), "")]
    return [(_in_letters(sentence[: found.start()]), f"c = {formula}"), (_in_letters(sentence[found.end() :]), "")]


def _in_letters(words: str) -> str:
    return NAMES.sub(lambda name: SIGNS[name[0]], words)

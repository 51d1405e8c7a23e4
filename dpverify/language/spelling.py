"""Natural spellings: |u| is read as abs(u), and what is not read gets a hint."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from dpverify.errors import InputError

OPENING, CLOSING = "abs(", ")"
HINTS = {
    "\u2016": "write r for the norm of x",
    "\u03bb": "call the parameter lam",
    "\u221e": "every number of a formula is finite",
    **dict.fromkeys("\u00bc\u00bd\u00be", "write a fraction such as 1/2"),
}
AWAITING = set("(,+-*/<>=&|~^")
"""After one of these, and at the beginning, an operand comes; a bar there opens |u|."""
WORDS = ("and", "or", "not")
TRUTHS = ("True", "False", *WORDS)
FACTOR = re.compile(r"\s*(?!(?:and|or|if|else)\b)(?:([\w.]+)|\()", re.ASCII)
"""A factor that begins here, after an absolute value."""
LAST = re.compile(r"(?:(?<!\w)(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\w*)$", re.ASCII)
NAME = re.compile(r"\w*$", re.ASCII)
SIGN = re.compile(r"(\*\*|/)\s*[-+]?\s*$", re.ASCII)


def hint(character: str) -> str:
    """What to write in the place of a character that the language does not have."""
    return HINTS.get(character, "use plain ASCII on one line")


def bars(text: str, typed: Callable[[int], int] = lambda column: column) -> dict[int, str]:
    """The places of the bars that enclose an absolute value, and what each is read as.

    A bar where an operand is awaited opens one; a bar after an operand closes the innermost that is
    open between the same parentheses, or opens a factor, as in 3|r|, where no comparison stands before
    it; any other is the `or` of conditions.  Raises InputError for one that stays open, and for a
    factor that can be read in two ways.
    """
    found: dict[int, str] = {}
    levels = [_Level()]
    compared = False  # whether the parentheses that were closed last hold a comparison
    for place, character in enumerate(text):
        level = levels[-1]
        if character == "(":
            levels.append(_Level())
        elif character == ")" and len(levels) > 1:
            _check_closed(levels.pop().bars, typed)
            compared = level.compared
        elif character in "<>,":
            level.compared = character != ","
        elif character == "|":
            before = text[:place].rstrip()
            awaited = not before or (before[-1] in AWAITING and not found.get(len(before) - 1, "").startswith(CLOSING))
            if awaited or before.endswith(tuple(f" {word}" for word in WORDS)):
                found[place] = OPENING
                level.bars.append(place)
            elif level.bars:
                opened = level.bars.pop()
                factor = FACTOR.match(text, place + 1)
                if factor:
                    _unambiguous(text, opened, place + 1, factor[1] or "(...)", typed)
                found[place] = CLOSING + "*" * bool(factor)
            elif not level.compared and not (before[-1] == ")" and compared) and not before.endswith(TRUTHS):
                closes = found.get(len(before) - 1, "")
                if not closes:
                    _unambiguous(text, _beginning(before), place, "|...|", typed)
                found[place] = ("*" if not closes.endswith("*") else "") + OPENING
                level.bars.append(place)
    for level in levels:
        _check_closed(level.bars, typed)
    return found


@dataclass(slots=True)
class _Level:
    """What stands between two parentheses: the bars that are open, and whether there was a comparison."""

    bars: list[int] = field(default_factory=list)
    compared: bool = False


def _beginning(before: str) -> int:
    """Where the factor begins with which the text ends: a number, a name, or parentheses with the function's name."""
    end, depth = len(before), 0
    while end and before.endswith(")"):
        end -= 1
        depth += {")": 1, "(": -1}.get(before[end], 0)
        while end and depth:
            end -= 1
            depth += {")": 1, "(": -1}.get(before[end], 0)
        return end - len(NAME.search(before[:end])[0])  # type: ignore[index]
    return end - len(LAST.search(before)[0])  # type: ignore[index]


def _unambiguous(text: str, begins: int, ends: int, other: str, typed: Callable[[int], int]) -> None:
    """Raise InputError for a factor below a line or in an exponent: what follows may belong there too, or not."""
    if sign := SIGN.search(text[:begins]):
        one = text[begins:ends].strip()[:40]
        raise InputError(
            f"column {typed(ends + 1)}: between {one} and {other} a sign is missing, which can be read in two ways; "
            f"write {sign[1]}({one}*{other}) or {sign[1]}{one}*{other}"
        )


def _check_closed(places: list[int], typed: Callable[[int], int]) -> None:
    if places:
        raise InputError(f"column {typed(places[0] + 1)}: the bar | of an absolute value is not closed; write Abs(...)")


def without_bars(text: str) -> str:
    """The text with abs(u) for |u|."""
    found = bars(text)
    return "".join(found.get(place, character) for place, character in enumerate(text)) if found else text


def columns_of_bars(text: str, typed: Callable[[int], int]) -> Callable[[int], int]:
    """From a column of the text without bars to that of the text with them, both from 1.

    `typed` is from there to the column that was typed, for messages.
    """
    found = bars(text, typed)
    columns = [place + 1 for place, character in enumerate(text) for _ in found.get(place, character)]
    return lambda column: columns[column - 1] if 0 < column <= len(columns) else column - len(columns) + len(text)

"""Natural spellings: |u| is read as abs(u), and what is not read gets a hint."""

from __future__ import annotations

from collections.abc import Callable

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


def hint(character: str) -> str:
    """What to write in the place of a character that the language does not have."""
    return HINTS.get(character, "use plain ASCII on one line")


def bars(text: str, typed: Callable[[int], int] = lambda column: column) -> dict[int, str]:
    """The places of the bars that enclose an absolute value, and what each is read as.

    A bar where an operand is awaited opens one; a bar after an operand closes the innermost that is
    open between the same parentheses; any other is the `or` of conditions.  Raises InputError for one
    that stays open.
    """
    found: dict[int, str] = {}
    open_bars: list[list[int]] = [[]]
    for place, character in enumerate(text):
        if character == "(":
            open_bars.append([])
        elif character == ")" and len(open_bars) > 1:
            _check_closed(open_bars.pop(), typed)
        elif character == "|":
            before = text[:place].rstrip()
            awaited = not before or (before[-1] in AWAITING and found.get(len(before) - 1) != CLOSING)
            if awaited or before.endswith(tuple(f" {word}" for word in WORDS)):
                found[place] = OPENING
                open_bars[-1].append(place)
            elif open_bars[-1]:
                found[place] = CLOSING
                open_bars[-1].pop()
    for places in open_bars:
        _check_closed(places, typed)
    return found


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

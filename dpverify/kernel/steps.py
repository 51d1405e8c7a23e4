"""The steps of a proof: data of the expected shape, each taken when a claim needs it."""

from __future__ import annotations

from fractions import Fraction

from .reader import MAX_DIGITS
from .rules import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")


def record(value: Any, name: str, fields: set[str]) -> dict[str, Any]:
    require(isinstance(value, dict), f"{name} is not an object", "format")
    missing, extra = sorted(fields - set(value)), sorted(set(value) - fields)
    require(not missing, f"{name} has no field {', '.join(missing)}", "format")
    require(not extra, f"{name} has the unknown field {', '.join(extra)[:60]!r}", "format")
    return value


def optional(value: Any, *names: str) -> set[str]:
    """Which of the fields that an object may have it has."""
    return set(names) & set(value) if isinstance(value, dict) else set()


def named(table: dict[str, T], word: Any, message: str, code: str = "steps") -> T:
    """What a table has under a word of the certificate."""
    require(isinstance(word, str) and word in table, message, code)
    return table[word]


def digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def rational(value: Any, name: str) -> Fraction:
    written = isinstance(value, str) and len(value) <= MAX_DIGITS
    top, slash, bottom = value.partition("/") if written else ("", "", "")
    plain = digits(top.removeprefix("-")) and (not slash or (digits(bottom) and bottom[0] != "0"))
    found = Fraction(int(top), int(bottom or 1)) if plain else Fraction(0)
    lowest = plain and str(found) == value
    require(lowest, f"{name} is not a rational p/q in lowest terms", "format")
    return found


def whole(value: Any, name: str, low: int, high: int) -> int:
    within = type(value) is int and low <= value <= high
    require(within, f"{name} is not an integer from {low} to {high}", "format")
    return value


class Steps:
    """The steps of a proof by name: each is taken at least once, or the proof is refused."""

    def __init__(self, proof: Any) -> None:
        require(isinstance(proof, dict), "proof is not an object", "format")
        self.proof, self.taken = proof, set[str]()
        self.at_end: list[Callable[[], None]] = []

    def has(self, name: str) -> bool:
        return name in self.proof

    def take(self, name: str) -> Any:
        require(name in self.proof, f"the proof has no step {name!r}", "steps")
        self.taken.add(name)
        return self.proof[name]

    def finish(self) -> None:
        """Nothing of the proof is left over."""
        for ended in self.at_end:
            ended()
        left = sorted(set(self.proof) - self.taken)
        named = ", ".join(left)[:60]
        require(not left, f"the proof has a step that no claim needs: {named!r}", "steps")

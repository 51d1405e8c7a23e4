"""What every step of a replay obeys: one way to refuse, and rules that have numbers.

A rule is a function: its docstring states a lemma with its conditions, its code checks these and
returns what follows.  A rule that is entered without being listed is refused, as is one in vain.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Step = TypeVar("Step", bound=Callable[..., Any])


class Rejected(Exception):
    """The certificate does not prove what it claims, in one line.  `code` is the number of the rule
    whose condition failed, or "format", "limits", "claim", "steps" or "rules"."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Unreadable(Rejected):
    """The file cannot be read as a certificate at all."""


def require(condition: bool, message: str, code: str = "") -> None:
    if not condition:
        raise Rejected(message, code)


class Ledger:
    """The rules entered in one replay, and those that may be: all where `listed` is None."""

    def __init__(self, listed: frozenset[str] | None = None) -> None:
        self.listed, self.used = listed, set[str]()
        self.spent: dict[Any, int] = {}  # by what is costly, how much work it took
        self.known: dict[Any, Any] = {}  # what is found once, by what it is found of

    def enter(self, number: str) -> None:
        if number not in self.used:
            listed = self.listed is None or number in self.listed
            require(listed, f"the proof uses {number}, which it does not list", "rules")
            self.used.add(number)


LEDGER: ContextVar[Ledger] = ContextVar("ledger")
RULES: dict[str, Callable[..., Any]] = {}
BROUGHT: dict[str, Callable[..., Any]] = {}
"""What sections bring to the core, by a phrase that says what it is."""


def brought(what: str) -> Callable[..., Any]:
    require(what in BROUGHT, f"the proof needs {what}, which no section listed brings", "rules")
    return BROUGHT[what]


def rule(number: str) -> Callable[[Step], Step]:
    """Give a function its number: it enters the ledger, and what it refuses bears its number."""

    def numbered(function: Step) -> Step:
        @wraps(function)
        def replayed(*args: Any, **options: Any) -> Any:
            ledger = LEDGER.get(None)
            if ledger is not None:
                ledger.enter(number)
            try:
                return function(*args, **options)
            except Rejected as refusal:
                refusal.code = refusal.code or number
                raise

        RULES[number] = replayed
        return replayed  # type: ignore[return-value]

    return numbered


def section_of(number: str) -> str:
    """The section that holds a rule, "core" for the files beside this one; "" for what is none."""
    if number not in RULES:
        return ""
    place, _, name = RULES[number].__module__.rpartition(".")
    return name if place.endswith(".sections") else "core"

"""A room that bears the name of its one function, so that both are found at the top of the package.

`dpverify.audit(...)` calls the function `audit` of the room, and `dpverify.audit.BuiltIn` is still the room's:
without this the room, once imported, would hide the function.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any


class Called(ModuleType):
    """A module that may be called."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        return getattr(self, self.__name__.rpartition(".")[2])(*args, **named)

"""Rings over which functions are evaluated, and functions that are one for each of them.

functools.singledispatch says the same, but loads typing and weakref, which the rest does without.
"""

from __future__ import annotations

from functools import wraps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar

    Element = TypeVar("Element", bound="Ring")

    class Registered(Protocol):
        """A function with a table of what it is over each ring."""

        def __call__(self, element: Any, *others: Any) -> Any: ...

        register: Callable[[type], Callable[[Callable[..., Any]], Callable[..., Any]]]


class Ring:
    """What a function may be evaluated over, as over intervals: models, and pairs of either.  They
    have const, + - *, inverse, power, exp, log and sign."""

    __slots__ = ()

    def __sub__(self: Element, other: Any) -> Element:
        return self + -other  # type: ignore[operator,no-any-return]


def by_ring(function: Callable[..., Any]) -> Registered:
    """The function that was registered for the element's class, or for the nearest it is made of;
    where there is none, the one given."""
    table: dict[type, Callable[..., Any]] = {object: function}

    @wraps(function)
    def chosen(element: Any, *others: Any) -> Any:
        if hasattr(element, "through"):  # of several elements, each of which the function is of
            return element.through(chosen, *others)
        nearest = next(kind for kind in type(element).__mro__ if kind in table)
        return table[nearest](element, *others)

    def register(kind: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def entered(each: Callable[..., Any]) -> Callable[..., Any]:
            table[kind] = each
            return each

        return entered

    chosen.register = register  # type: ignore[attr-defined]
    return chosen  # type: ignore[return-value]

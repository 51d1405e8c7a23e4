"""What a notebook asks of a result, answered by a room above it.

A result is plain data, and knows nothing of how it is shown; yet IPython looks for its methods on the result's
own class. So the class has the methods from here, and the package registers, when it is first imported, who answers:
the room `show`, which is loaded when a notebook first asks.
"""

from __future__ import annotations

from collections.abc import Callable

Answer = Callable[[object, str], str]
_answers: list[Answer] = []


def answer_with(answer: Answer) -> None:
    """Register what turns a result and a format, "html" or "markdown", into text."""
    _answers[:] = [answer]


class Shown:
    """A result that notebooks show as its sheet."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _answers[0](self, "html")

    def _repr_markdown_(self) -> str:
        return _answers[0](self, "markdown")

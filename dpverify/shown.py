"""What a notebook asks of a result, answered by a room above it.

A result is plain data, and knows nothing of how it is shown; yet IPython looks for its methods on the result's
own class. So the class has the methods from here, and the package registers, when it is first imported, who answers:
the room `show`, which is loaded when a notebook first asks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

Answer = Callable[[object, str], str]
Draw = Callable[[object, Path], None]
_answers: list[Answer] = []
_drawings: list[Draw] = []


def answer_with(answer: Answer, draw: Draw) -> None:
    """Register what turns a result and a format, "html" or "markdown", into text, and what draws it to a file."""
    _answers[:], _drawings[:] = [answer], [draw]


class Drawing:
    """A picture that a notebook shows: the text of an SVG file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return "<Drawing; notebooks show it, and plot(FILE) writes it>"

    def _repr_svg_(self) -> str:
        return self.svg


class Drawn:
    """A result that has a plot."""

    __slots__ = ()

    def plot(self, path: str | Path | None = None) -> Drawing | Path:
        """Draw it to a .png or .svg file and return its path; without one, a picture that a notebook shows.

        Raises InputError where there is no plot of it, and where matplotlib is not installed.
        """
        if path is not None:
            _drawings[0](self, Path(path))
            return Path(path)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "plot.svg"
            _drawings[0](self, file)
            return Drawing(file.read_text(encoding="utf-8"))


class Shown(Drawn):
    """A result that notebooks show as its sheet."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _answers[0](self, "html")

    def _repr_markdown_(self) -> str:
        return _answers[0](self, "markdown")

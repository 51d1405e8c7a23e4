"""A picture of a study as plain data, which `dpverify.show` draws."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Series:
    """Points (x, y) under one label; as a line, a faint line among many, points, steps, or a filled outline.

    `error` is a standard error at each point, drawn as a bar; for a "band" it is half its height.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    error: tuple[float, ...] = ()
    kind: Literal["line", "faint", "points", "steps", "area", "band"] = "line"


@dataclass(frozen=True, slots=True)
class Graph:
    """Series on one pair of axes; `alt` is what those who cannot see it are told, `name` is the file's."""

    name: str
    title: str
    alt: str
    x: str
    y: str
    series: tuple[Series, ...]
    logarithmic: str = ""

    def to_json(self) -> dict[str, Any]:
        """The picture as plain data."""
        return asdict(self)

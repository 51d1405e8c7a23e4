"""The places in a certificate, and the values that are put there: numbers near its own, and nasty ones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from soundness.corpus import Certificate

Path = tuple[Any, ...]
NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**63, 0.5, 1e300, float("nan"), float("inf"), [], {}, [[]], "", " ", "\u0663"),
    *("0", "1", "-1", "1/0", "0/1", "2/4", "-0", "+1", "1/-2", "-1/2", "1e5", "1E-5", "0.5", ".5", "1.", "1_0", "01"),
    *("nan", "inf", "-inf", "Infinity", "NaN", "0x10", "\uff11", "1/1", "1\n", " 1", "1/10000000000", "9" * 400),
    *("1/" + "9" * 400, "9" * 2500, "proved", "refuted", "undecided", "private", "Theorem 3", "Theorem A", "zero"),
    *("infinity", "box", "negative", "vanishes", "centre", "\ud800", "\x00", "\x1b[31m", "K1", "K999", "core"),
    *("form", "logs", "values", "value", "factors", "touches", "tail", "models", "slopes", "r", "m", "h", "rmh"),
)


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """The places in a certificate."""
    if at:
        yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))


def look(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def put(certificate: Certificate, path: Path, value: Any) -> None:
    look(certificate, path[:-1])[path[-1]] = value


def number(text: Any) -> Fraction | None:
    exact = isinstance(text, str) and re.fullmatch(r"-?[0-9]{1,500}(/[1-9][0-9]{0,499})?", text)
    return Fraction(text) if exact else None


def near(rnd: random.Random, value: Fraction) -> Fraction:
    """A number near another, by a relative change from 1/10 down to 1e-15, or of another size."""
    if rnd.random() < 0.15:
        return value * rnd.choice((2, 10, 1000, Fraction(1, 2), Fraction(1, 1000), -1)) + rnd.choice((0, 0, 1, -1))
    change = Fraction(rnd.choice((-1, 1)), 10 ** rnd.randint(1, 15))
    return value * (1 + change) if value else change

"""What is refused, and numbers and records read from data that nobody vouches for."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

LONGEST = 2000
RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")


class Refusal(Exception):
    """Something does not hold, or cannot be read; the message is one line that says what and where."""


def require(holds: bool, why: str) -> None:
    """Raise Refusal unless it holds."""
    if not holds:
        raise Refusal(why)


def rational(value: object, what: str) -> Fraction:
    """A text such as "5/2" as a number; raises Refusal."""
    if isinstance(value, str) and len(value) <= LONGEST and RATIONAL.fullmatch(value):
        top, _, bottom = value.partition("/")
        if not bottom or int(bottom):
            return Fraction(int(top), int(bottom or 1))
    raise Refusal(f"{what}: {str(value)[:40]!r} is no rational such as 5/2")


def record(value: object, what: str, fields: set[str]) -> Mapping[str, Any]:
    """An object with exactly these fields; raises Refusal."""
    if not isinstance(value, dict) or set(value) != fields:
        raise Refusal(f"{what}: it has not the fields {', '.join(sorted(fields))}, or others too")
    return value


def vector(value: object, what: str) -> tuple[Fraction, ...]:
    """A list of rationals, not empty; raises Refusal."""
    if not isinstance(value, list) or not value:
        raise Refusal(f"{what}: a list of rationals is expected")
    return tuple(rational(x, f"{what}, entry {i}") for i, x in enumerate(value, start=1))


def matrix(value: object, what: str) -> list[tuple[Fraction, ...]]:
    """Rows of rationals of one length; raises Refusal."""
    if not isinstance(value, list) or not value:
        raise Refusal(f"{what}: rows of rationals are expected")
    rows = [vector(row, f"{what}, row {i}") for i, row in enumerate(value, start=1)]
    require(len({len(row) for row in rows}) == 1, f"{what}: its rows have different lengths")
    return rows


def parsed(data: bytes, what: str) -> Any:
    """JSON in UTF-8, without a key twice in one object; raises Refusal."""
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_unique)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Refusal(f"{what}: not JSON that can be read ({type(error).__name__})") from None


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a document without its digest, as compact JSON with sorted keys."""
    content = {k: v for k, v in document.items() if k != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found

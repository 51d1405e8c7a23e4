"""The sensitivity Delta as evidence: the question, Delta^2 between two rationals, and why; checked from the question.

The checker derives the set of differences anew, and the largest squared norm on it: exactly, or, for a ball in the
plain norm and a Sigma that is not diagonal, by a bound that is checked and a direction that comes near it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .norms import square_root
from .questions import Question, question, reasons
from .refusal import digest, parsed, rational, record, require, vector

FORMAT, VERSION = "dpverify-sensitivity", 1
FIELDS = {"format", "version", "program", "question", "squared", "sensitivity", "difference", "because", "digest"}


def derive(data: Mapping[str, Any], program: Mapping[str, str]) -> dict[str, Any]:
    """The evidence that answers a question; raises Refusal where it cannot be asked."""
    asked = question(data)
    found = asked.largest()
    require(found.upper > 0, "all differences are 0: the statistic says nothing, and needs no noise")
    document = {
        "format": FORMAT,
        "version": VERSION,
        "program": dict(program),
        "question": dict(data),
        "squared": {"lower": str(found.lower), "upper": str(found.upper)},
        "sensitivity": _root(found.lower, found.upper),
        "difference": [str(x) for x in found.at] or None,
        "because": reasons(asked),
    }
    return {**document, "digest": digest(document)}


def check(document: Any) -> tuple[Question, Fraction]:
    """The question of a piece of evidence, and Delta^2's upper bound, derived anew; raises Refusal."""
    known = isinstance(document, dict) and document.get("format") == FORMAT and document.get("version") == VERSION
    require(known, "this is no evidence of a sensitivity, or one of another version")
    record(document, "the evidence", FIELDS)
    require(document["digest"] == digest(document), "the digest does not match the content: the file was altered")
    asked = question(document["question"])
    squared = record(document["squared"], "squared", {"lower", "upper"})
    lower, upper = rational(squared["lower"], "squared, lower"), rational(squared["upper"], "squared, upper")
    bounded = asked.bounded(upper)
    if bounded is None:
        found = asked.largest()
        require(lower == found.lower and upper == found.upper, f"Delta^2 is {found.upper}, not {upper}")
        require(
            document["difference"] == ([str(x) for x in found.at] or None), "the difference is not one that attains it"
        )
    else:
        require(bounded, f"Delta^2 is more than {upper}, or not shown to be at most that")
        direction = vector(document["difference"], "the difference")
        require(len(direction) == asked.norm.size, "the difference is of another dimension")
        length = sum((x * x for x in direction), Fraction(0))
        require(length > 0, "the difference is zero")
        reached = (asked.ball**2) * asked.norm.squared(direction) / length
        require(lower == reached, f"in the direction of the difference Delta^2 is {reached}, not {lower}")
    require(document["sensitivity"] == _root(lower, upper), "the root of Delta^2 is another one")
    require(document["because"] == reasons(asked), "the sentences are not those of this question")
    return asked, upper


def check_bytes(data: bytes) -> tuple[Question, Fraction, Mapping[str, Any]]:
    """The same for a file's bytes, and the document; raises Refusal."""
    document = parsed(data, "the evidence")
    return *check(document), document


def _root(lower: Fraction, upper: Fraction) -> dict[str, str | None]:
    low, high = square_root(lower)[0], square_root(upper)[1]
    exact = None
    if lower == upper:
        exact = str(low) if low == high else f"sqrt({lower})"
    return {"lower": str(low), "upper": str(high), "exact": exact}

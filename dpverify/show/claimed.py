"""The claim of a certificate of a profile, of a composition or of a mixture, in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.numerals import brief, exact, stated
from dpverify.show.sheet import Row
from dpverify.show.words import THEOREMS

MANY = 12


def claim_of_kind(claim: Mapping[str, Any]) -> list[Row]:
    """The claim of a certificate that is not about a generator's pure epsilon."""
    return _of_mixture(claim) if claim["kind"] == "mixture" else _of_points(claim)


def _of_mixture(claim: Mapping[str, Any]) -> list[Row]:
    """The mixing density, and its epsilon if it has one."""
    rows = [Row("V", code=claim["mixing"]), Row("with", _setting(claim))]
    if claim["epsilon"] is None:
        return rows
    lower, upper = (exact(Fraction(claim["epsilon"][end])) for end in ("lower", "upper"))
    return [*rows, Row("at least", lower), Row("at most", upper), Row("by", THEOREMS[claim["theorem"]])]


def _setting(claim: Mapping[str, Any]) -> str:
    bound = "".join(f", {name} = {value}" for name, value in sorted(claim["parameters"].items()))
    sensitivity, scale = (brief(Fraction(claim[name])) for name in ("sensitivity", "scale"))
    space = "infinite dimension" if claim["dimension"] == "infinity" else f"d = {claim['dimension']}"
    return f"{space}{bound}, Delta = {sensitivity}, sigma = {scale}"


def _on(part: Mapping[str, Any]) -> str:
    sampling = part["sampling"]
    return f", on a {sampling['kind']} sample of {sampling['rate']}" if sampling else ""


def _of_points(claim: Mapping[str, Any]) -> list[Row]:
    """What was released, and each point of its profile."""
    rows = []
    if claim["kind"] == "composition":
        rows += [Row("release", f"{part['times']} times epsilon <= {part['epsilon']}") for part in claim["parts"]]
    elif claim["kind"] == "releases":
        rows += [Row("release", f"{part['times']} times {part['digest']}{_on(part)}") for part in claim["parts"]]
    elif "mixing" in claim:
        rows += [Row("V", code=claim["mixing"]), Row("with", _setting(claim))]
    else:
        rows += [Row("f(y)", code=claim["generator"]), Row("with", _setting(claim))]
    points = claim["points"] if len(claim["points"]) <= MANY else [claim["points"][0], claim["points"][-1]]
    if points is not claim["points"]:
        rows.append(Row("points", f"{len(claim['points'])}, of which the first and the last"))
    for point in points:
        lower, upper = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        rows += [
            Row("epsilon", stated(Fraction(point["epsilon"]))),
            Row("delta from", exact(lower)),
            Row("to", exact(upper)),
        ]
    for quantile in claim["quantiles"]:
        lower, upper = (Fraction(quantile["epsilon"][end]) for end in ("lower", "upper"))
        rows += [
            Row("delta", stated(Fraction(quantile["delta"]))),
            Row("eps from", exact(lower)),
            Row("to", exact(upper)),
        ]
    return [*rows, Row("by", THEOREMS.get(claim["theorem"], str(claim["theorem"])))]

"""The claim of a certificate of a profile or of a composition, in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.numerals import exact
from dpverify.show.sheet import Row
from dpverify.show.words import THEOREMS

MANY = 12


def _on(part: Mapping[str, Any]) -> str:
    sampling = part["sampling"]
    return f", on a {sampling['kind']} sample of {sampling['rate']}" if sampling else ""


def claim_of_points(claim: Mapping[str, Any]) -> list[Row]:
    """The claim of a certificate of a profile or of a composition: what was released, and each point."""
    rows = []
    if claim["kind"] == "composition":
        rows += [Row("release", f"{part['times']} times epsilon <= {part['epsilon']}") for part in claim["parts"]]
    elif claim["kind"] == "releases":
        rows += [Row("release", f"{part['times']} times {part['digest']}{_on(part)}") for part in claim["parts"]]
    else:
        bound = "".join(f", {name} = {value}" for name, value in sorted(claim["parameters"].items()))
        setting = f"d = {claim['dimension']}{bound}, Delta = {claim['sensitivity']}, sigma = {claim['scale']}"
        rows += [Row("f(y)", code=claim["generator"]), Row("with", setting)]
    points = claim["points"] if len(claim["points"]) <= MANY else [claim["points"][0], claim["points"][-1]]
    if points is not claim["points"]:
        rows.append(Row("points", f"{len(claim['points'])}, of which the first and the last"))
    for point in points:
        lower, upper = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        rows += [Row("epsilon", point["epsilon"]), Row("delta from", exact(lower)), Row("to", exact(upper))]
    for quantile in claim["quantiles"]:
        lower, upper = (Fraction(quantile["epsilon"][end]) for end in ("lower", "upper"))
        rows += [Row("delta", quantile["delta"]), Row("eps from", exact(lower)), Row("to", exact(upper))]
    return [*rows, Row("by", THEOREMS.get(claim["theorem"], str(claim["theorem"])))]

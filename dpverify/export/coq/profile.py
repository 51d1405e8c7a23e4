"""A profile's certificate as a Coq file: delta(eps) on the line or in space, between the bounds of each point."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.enclosures.ball import precision
from dpverify.errors import InputError
from dpverify.export.coq.claim import ProfileClaim, read_profile
from dpverify.export.coq.expression import VAR, Expr
from dpverify.export.coq.generator import NotCovered, expression, tree
from dpverify.export.coq.in_space import SpaceExport
from dpverify.export.coq.numbers import BITS
from dpverify.export.coq.on_the_line import LineExport
from dpverify.export.coq.statement import ProfileExport


def export(certificate: Mapping[str, Any], epsilon: Fraction | None, alone: bool) -> str:
    """The Coq file that states and proves a profile's points, or the one at epsilon; raises InputError."""
    try:
        claim = read_profile(certificate)
        if claim.theorem != "Theorem B":
            raise NotCovered("f is not shown to fall, and the library has no theorem for another")
        with precision(BITS):
            return way(claim)(claim, epsilon).text(alone)
    except NotCovered as error:
        raise InputError(f"no export to Coq: {error}") from None


def way(claim: ProfileClaim) -> type[ProfileExport]:
    """By which integrals the noise's divergence is stated."""
    about = claim.about
    if about.dimension == 1 or is_gaussian(expression(tree(about.generator, about.values))):
        return LineExport
    if about.dimension != 3:
        raise NotCovered("profiles are covered on the line and in space (d = 3), and Gaussians in every dimension")
    if any(low == 0 < high for _, low, high in claim.points):
        raise NotCovered("in space a delta whose lower bound is 0 has no width for its integrals to keep to")
    return SpaceExport


def is_gaussian(e: Expr) -> bool:
    """Whether f is exp(-k r^2), k a number, by its form."""
    rate = e.args[0] if e.kind == "Exp" else None
    if rate is not None and rate.kind == "Opp":
        rate = rate.args[0]
    if rate is not None and rate.kind == "Mul" and rate.args[0].kind in ("Rat", "Int"):
        rate = rate.args[1]
    return rate == Expr("Nat", (VAR, 2))

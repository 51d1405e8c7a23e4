"""Special functions, each one class: its value, its slope, and how it behaves far out.

A node of one of these kinds holds the function's rational parameters, if any, and its argument last.
Of those in LOGARITHMIC it is the logarithm that is enclosed, since they are positive and may be large
or small; of the others the value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dpverify.enclosures.special.arctangent import Arctangent, Complement
from dpverify.enclosures.special.base import Special
from dpverify.enclosures.special.besseli import LogBesselI
from dpverify.enclosures.special.incomplete import LogKummer, LogLowerGamma, LogUpperGamma
from dpverify.enclosures.special.lambert import Lambert
from dpverify.enclosures.special.loggamma import LogGamma
from dpverify.enclosures.special.softplus import LogSoftplus

LOGARITHMIC: dict[str, Callable[..., Special]] = {
    "lowergamma": LogLowerGamma,
    "uppergamma": LogUpperGamma,
    "kummer": LogKummer,
    "besseli": LogBesselI,
    "softplus": LogSoftplus,
}
PLAIN: dict[str, Callable[..., Special]] = {
    "atan": Arctangent,
    "acot": Complement,
    "loggamma": LogGamma,
    "lambertw": Lambert,
}
FALLING = ("acot", "uppergamma", "kummer")
RISING = ("atan", "lambertw", "lowergamma", "softplus")
ANALYTIC = ("atan", "acot", "besseli", "kummer", "softplus")
"""Kinds that are analytic on the whole line."""
ANALYTIC_WHERE_POSITIVE = ("lowergamma", "uppergamma", "loggamma", "lambertw")


@lru_cache(200)
def special(kind: str, *parameters: Any) -> Special:
    """The function of a node of that kind with those parameters."""
    return {**LOGARITHMIC, **PLAIN}[kind](*parameters)


__all__ = [
    "ANALYTIC",
    "ANALYTIC_WHERE_POSITIVE",
    "FALLING",
    "LOGARITHMIC",
    "PLAIN",
    "RISING",
    "Special",
    "special",
]

"""The catalogue: one family a module, each with its closed form, its source and when it is private."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from dpverify.errors import InputError
from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec

MODULES = (
    "laplace",
    "student_t",
    "gaussian",
    "multivariate_laplace",
    "power_exponential",
    "hyperbolic",
    "cauchy",
    "pearson_vii",
    "sech",
    "matern",
    "generalized_hyperbolic",
    "nig",
    "variance_gamma",
    "matern_nu",
    "kotz",
    "slash",
    "q_gaussian",
    "smooth_sensitivity",
    "huber",
    "charbonnier",
    "barron",
    "champernowne",
    "radial_logistic",
    "elliptical_logistic",
    "contaminated_normal",
    "staircase",
    "pearson_ii",
)


@cache
def families() -> dict[str, Family]:
    """Every family by its name."""
    found = (import_module(f"{__name__}.{module}").FAMILY for module in MODULES)
    return {family.name: family for family in found}


def family_of(text: str) -> Family | None:
    """The family of that name, which case and hyphens do not change; None for a text of another kind.

    Raises InputError for a single word that is no family's name: it is none of the generators either.
    """
    known, word = families(), text.strip()
    name = re.sub(r"[-\s]+", "_", word).lower()
    if name in known:
        return known[name]
    if not re.fullmatch(r"[A-Za-z][A-Za-z_-]{2,40}", word) or {"y", "r"} & set(re.split(r"\W", word)):
        return None
    close = get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else "`dpverify families` lists them"
    raise InputError(f"no family is called {word[:40]!r}: {hint}")


__all__ = ["ClosedForm", "Family", "ParameterSpec", "families", "family_of"]

"""The catalogue: one family a module, each with its closed form, its source and when it is private."""

from __future__ import annotations

from functools import cache
from importlib import import_module

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


__all__ = ["ClosedForm", "Family", "ParameterSpec", "families"]

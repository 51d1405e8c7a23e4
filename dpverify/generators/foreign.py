"""Generators in the words of other programs: SymPy's expressions and SciPy's frozen multivariate distributions.

Neither is imported: whoever hands one over has it. What is taken from it is text, which the allowlist reads.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpverify.errors import InputError

FAMILIES = {"multivariate_t_frozen": "student_t", "multivariate_normal_frozen": "gaussian"}
"""SciPy's distributions that are elliptical; y is (x - loc)' Sigma^-1 (x - loc) with their own shape matrix Sigma."""


def translated(
    given: object, dimension: object, parameters: dict[str, object]
) -> tuple[object, object, dict[str, object]]:
    """A generator's text, dimension and parameters, where something else was given for the text.

    Raises InputError for a distribution of SciPy's that is not known to be elliptical, or of another dimension.
    """
    home, name = type(given).__module__, type(given).__name__
    if home.startswith("sympy."):
        return re.sub(r"\bE\b", "e", str(given)), dimension, parameters
    if not home.startswith("scipy.stats"):
        return given, dimension, parameters
    if name not in FAMILIES:
        known = " and ".join(sorted(n.removesuffix("_frozen") for n in FAMILIES))
        raise InputError(f"scipy.stats' {name} is not read, only {known}; give the generator f as a text")
    law: Any = given
    if dimension not in (1, int(law.dim)):
        raise InputError(f"the distribution is of dimension {law.dim}, not {dimension}")
    own = {"nu": _exact(law.df)} if hasattr(law, "df") else {}
    return FAMILIES[name], int(law.dim), {**own, **parameters}


def _exact(value: Any) -> Fraction:
    """The decimal that was typed, not the nearest double."""
    return Fraction(Decimal(repr(float(value))))

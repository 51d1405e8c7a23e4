"""Numbers as they are given: a claim and a delta of any type, read exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpverify.language import parse_rational


def exact_number(value: object, what: str) -> Fraction:
    """The exact value of an int, Fraction, Decimal, text, float or NumPy number.

    A float is the decimal that Python prints for it: 0.1 is 1/10. Raises InputError, naming `what`.
    """
    if isinstance(value, (np.bool_, np.ndarray)) and value.ndim == 0:
        value = value.item()
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, np.floating):
        value = str(value)
    if isinstance(value, float):
        value = repr(value)
    return parse_rational(value, what)

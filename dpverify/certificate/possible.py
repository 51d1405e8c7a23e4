"""Trying the kernel's own functions: what they refuse is not possible."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section

for section in SECTIONS:
    load_section(section)

Box = tuple[Fraction, Fraction]


def possible(step: Callable[[], Any]) -> bool:
    """Whether the kernel does not refuse the step, nor answers that it does not hold."""
    try:
        return step() is not False
    except (Rejected, ArithmeticError):
        return False

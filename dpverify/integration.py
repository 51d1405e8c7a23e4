"""Arb's rigorous integration, with the exceptions of the integrand let through.

Source: Johansson (2018), Numerical integration in arbitrary-precision ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb

Integrand = Callable[[acb, bool], acb]


def integral(function: Integrand, low: arb, high: arb, **options: Any) -> acb:
    """The integral over [low, high]; `function(z, analytic)` is not finite where it is not known to be analytic.

    acb.integral calls back from C, where an exception (a time limit, an interrupt) would be lost or
    turned into a SystemError. Here it ends the evaluations and is raised again.
    """
    failure: list[BaseException] = []

    def careful(z: acb, analytic: bool) -> acb:
        if failure:
            return acb(arb.nan())
        try:
            return function(z, analytic)
        except BaseException as error:
            failure.append(error)
            return acb(arb.nan())

    try:
        value = acb.integral(careful, acb(low), acb(high), **options)
    except SystemError as error:
        raise (failure[0] if failure else error.__cause__ or error) from None
    if failure:
        raise failure[0]
    return value

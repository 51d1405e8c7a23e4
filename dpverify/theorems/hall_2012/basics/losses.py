"""The privacy loss of noise with density exp(-exponent(||x - theta_D||/Delta) alpha), on lattices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Effort, Refuted
from dpverify.theorems.tools.balls import show

Point = tuple[Fraction, ...]
Norm = Callable[[Point], arb]
SLACK = arb("1e-12")


def loss_check(norms: Sequence[tuple[int, Norm, Norm]], exponent: Any, effort: Effort) -> str:
    """Refute a loss above alpha, or one that stays below it; norms are (dimension, of Delta, of the noise).

    The two outputs are theta and 0, Delta = ||theta||, and the loss is counted in units of alpha.
    """
    count = 0
    for dimension, measured, added in norms:
        largest = arb(0)
        wide = 1 if dimension > 2 else effort.pick(1, 2)
        reach = range(-wide, wide + 1)
        grid = [tuple(map(Fraction, x)) for x in product(reach, repeat=dimension)]
        for theta in filter(any, grid):
            delta = measured(theta)
            for x in grid:
                away = added(tuple(a - b for a, b in zip(x, theta, strict=True)))
                loss = exponent(added(x) / delta) - exponent(away / delta)
                count += 1
                if loss > 1 + SLACK:
                    raise Refuted(
                        f"theta = {tuple(map(str, theta))} and 0, Delta = {show(delta)}, x = {tuple(map(str, x))}: "
                        f"the loss is {show(loss)} alpha."
                    )
                largest = loss if loss > largest else largest
        if not largest > 1 - SLACK:
            raise Refuted(f"in R^{dimension} the loss stays below {show(largest)} alpha: more noise than is needed.")
    return f"{count} losses at lattice points for {len(norms)} norms (balls), the largest of each norm being alpha"

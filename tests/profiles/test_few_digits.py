"""Integrals, heights and losses of a noise hold what they are with intervals of a few digits, which rounding widens."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel.intervals import Interval
from tests.profiles.coarse import digits
from tests.profiles.panel import noise, number

Q = Fraction
DENSITIES: dict[str, Callable[[Any], Any]] = {
    "exp(-r)": lambda r: mp.exp(-r),
    "(1+r)**(-9)": lambda r: (1 + r) ** -9,
    "exp(-sqrt(1+y))*(1+r)": lambda r: mp.exp(-mp.sqrt(1 + r * r)) * (1 + r),
}


def holds(found: Interval, low: Any, high: Any | None = None) -> None:
    most = low if high is None else high
    little = (1 + abs(low) + abs(most)) * mp.mpf(10) ** -24
    assert number(found.lo) - little <= low and most <= number(found.hi) + little


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("text", DENSITIES)
def test_a_noise_of_few_digits(text: str, d: int) -> None:
    f, h = DENSITIES[text], mp.mpf(1) / 3

    def weight(r: Any) -> Any:
        return r ** (d - 1) * f(r)

    def log(r: Any) -> Any:
        return mp.log(f(r))

    with mp.workdps(30):
        boxes = [(Q(1), Q(5, 4)), (Q(1, 3), Q(1, 2)), (Q(7, 3), Q(5, 2))]
        exact = [mp.quad(weight, [number(a), number(b)]) for a, b in boxes]
        beyond, inside = mp.quad(weight, [20, 40, 160, mp.inf]), mp.quad(weight, [0, mp.mpf(1) / 16])
        for count in (3, 5, 8):
            with digits(count):
                n = noise(text, d)
                for (a, b), whole in zip(boxes, exact, strict=True):
                    near, far = number(a), number(b)
                    losses = sorted(log(r) - log(r + h) for r in (near, far, (near + far) / 2))
                    holds(n.integral(a, b), whole)
                    holds(n.bound(a, b), 0, whole)
                    holds(n.p.on_box(a, b).u, log(far), log(near))
                    holds(n.p.on_box(a, b).du, mp.diff(log, (near + far) / 2))
                    holds(n.p.loss(a, b, Q(1, 3)), losses[0], losses[-1])
                    assert number(n.p.loss(a, b, Q(1, 3), True).hi) + mp.mpf(10) ** -24 >= losses[-1]
                holds(n.by_powers(Q(20), True), beyond)
                holds(n.by_powers(Q(1, 16), False), inside)

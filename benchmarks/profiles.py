"""`python -m benchmarks.profiles [POINTS]`: profiles against 50-digit references by independent methods, and the cost.

Times are of the processor, for one point at the default width of 1e-9, and of dp_accounting's at an interval of 1e-4.

References: Balle and Wang's closed form of the Gaussian in any dimension, that of Laplace noise, the distribution
function of Student's t between the roots of a quadratic, and mpmath's quadrature for the logistic law.  dp_accounting,
where it is installed, stands beside: its values below the exact one are round-off, and are called that.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp

import dpverify
from dpverify.profiles import Enclosed

Reference = Callable[[mp.mpf, mp.mpf], mp.mpf]


@dataclass(frozen=True)
class Case:
    """A family in one dimension with its reference, of eps and Delta/sigma."""

    name: str
    dimension: int
    parameters: dict[str, object]
    exact: Reference


def gaussian(e: mp.mpf, s: mp.mpf) -> mp.mpf:
    return mp.ncdf(s / 2 - e / s) - mp.exp(e) * mp.ncdf(-s / 2 - e / s)


def laplace(e: mp.mpf, s: mp.mpf) -> mp.mpf:
    return max(mp.mpf(0), 1 - mp.exp((e - s) / 2))


def student_t_3(e: mp.mpf, s: mp.mpf) -> mp.mpf:
    """nu = 3: the loss exceeds eps between the roots of (1 + (x - s)^2/3) = e^(eps/2) (1 + x^2/3)."""

    def below(x: mp.mpf) -> mp.mpf:
        z = x / mp.sqrt(3)
        return mp.mpf(1) / 2 + (mp.atan(z) + z / (1 + z * z)) / mp.pi

    k = mp.exp(e / 2)
    square = s * s - (k - 1) * (3 * (k - 1) - s * s)
    if square <= 0:
        return mp.mpf(0)
    a, b = ((-s + sign * mp.sqrt(square)) / (k - 1) for sign in (-1, 1))
    return below(b) - below(a) - mp.exp(e) * (below(b - s) - below(a - s))


def on_the_line(f: Callable[[mp.mpf], mp.mpf]) -> Reference:
    """The integral of (p - e^eps q)_+, cut where its sign changes, for a law with exponential tails."""

    def exact(e: mp.mpf, s: mp.mpf) -> mp.mpf:
        def gain(x: mp.mpf) -> mp.mpf:
            return f(abs(x)) - mp.exp(e) * f(abs(x - s))

        places = [mp.mpf(k) / 8 for k in range(-400, 9)]
        cuts = [_root(gain, a, b) for a, b in pairwise(places) if gain(a) * gain(b) < 0]
        marks = [-mp.inf, -50, *cuts, s / 2]
        total = sum(max(mp.mpf(0), mp.quad(gain, [a, b])) for a, b in pairwise(marks))
        return total / (2 * mp.quad(f, [0, 1, 5, 50, mp.inf]))

    return exact


def _root(g: Callable[[mp.mpf], mp.mpf], a: mp.mpf, b: mp.mpf) -> mp.mpf:
    rising = g(b) > 0
    for _ in range(180):
        middle = (a + b) / 2
        a, b = (a, middle) if (g(middle) > 0) == rising else (middle, b)
    return a


CASES = (
    *(Case("gaussian", d, {}, gaussian) for d in (1, 3, 10)),
    Case("laplace", 1, {}, laplace),
    Case("student_t", 1, {"nu": 3}, student_t_3),
    Case("1/cosh(r/2)**2", 1, {}, on_the_line(lambda r: mp.sech(r / 2) ** 2)),
)


def points(count: int) -> Iterator[tuple[Fraction, Fraction]]:
    """eps and Delta/sigma, spread over (0, 3/2) and (1/4, 2) by the golden ratio."""
    for k in range(1, count + 1):
        yield Fraction(k * 618 % 1000, 700), Fraction(1, 4) + Fraction(k * 377 % 1000, 580)


def rival(case: Case, epsilon: Fraction, shift: Fraction) -> float | None:
    """dp_accounting's delta where it knows the family; None otherwise, or where it is not installed."""
    try:
        from dp_accounting.pld import privacy_loss_distribution as pld
    except ImportError:
        return None
    makers: dict[str, Any] = {"gaussian": pld.from_gaussian_mechanism, "laplace": pld.from_laplace_mechanism}
    if case.name not in makers:
        return None
    made = makers[case.name](float(1 / shift), value_discretization_interval=1e-4)
    return float(made.get_delta_for_epsilon(float(epsilon)))


def main(count: int) -> None:
    outside = 0
    heads = f"{'family':16} {'d':>3} {'points':>7} {'outside':>8} {'ms each':>8} {'theirs':>8}"
    print(f"{heads} {'dp_accounting below (round-off)':>32}")
    for case in CASES:
        wrong = lower = seen = 0
        spent = their_time = 0.0
        for epsilon, shift in points(count):
            started = time.process_time()
            found = dpverify.profile(
                case.name, dimension=case.dimension, sensitivity=shift, parameters=case.parameters, epsilon=epsilon
            )
            spent += time.process_time() - started
            value = found.points[0].delta
            assert isinstance(value, Enclosed), found.reason
            with mp.workdps(50):
                e, s = (mp.mpf(x.numerator) / x.denominator for x in (epsilon, shift))
                exact = case.exact(e, s)
                low, high = (mp.mpf(x.numerator) / x.denominator for x in (value.lower, value.upper))
                slack = exact * mp.mpf("1e-25")
                wrong += not low - slack <= exact <= high + slack
                started = time.process_time()
                theirs = rival(case, epsilon, shift)
                their_time += time.process_time() - started
                seen += theirs is not None
                lower += theirs is not None and theirs < exact
        outside += wrong
        beside = f"{lower} of {seen}" if seen else "not known to it"
        cost = f"{1000 * spent / count:>8.0f} {(f'{1000 * their_time / count:.0f}' if seen else '-'):>8}"
        print(f"{case.name:16} {case.dimension:>3} {count:>7} {wrong:>8} {cost} {beside:>32}")
    print(f"outside in all: {outside}")
    sys.exit(1 if outside else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

"""How many guesses may be right in one run, for a mechanism with a whole trade-off curve.

Let F(x) be the largest power of a test of level x between two runs that differ in one canary: F = 1 - f, rising and
concave, and G its inverse. Of m canaries r are guessed; W guesses are right. For every j from 1 to r

    E[W; W >= j] <= m F(E[r - W; W >= j - 1] / m).

Proof. Take a canary and the other coins as they fell. That its guess is right, and j - 1 of the others at least, is an
event of the output under one coin; under the other coin the same outputs have a wrong guess, and j - 1 right ones at
least. So the probability of the first is at most F of that of the second; the mean over both coins, all canaries and
all other coins keeps the inequality, F being concave. (Mahloujifar, Melis and Chaudhuri 2024, Theorem 9.)

Let P(W >= v) = beta. The least mass below v that these inequalities leave possible is put down from v - 1 on, at each
number no more than it needs, all of beta lying at v: with a = E[W; W >= j] and b = E[r - W; W >= j], more mass at w
adds w to a and r - w to b, and w/(r - w) is smaller at smaller w, so what it saves later it has cost before. If that
mass and beta exceed 1, P(W >= v) < beta.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp

from scipy import special

Least = Callable[[float], float]
"""G: the least level of a test with this power, rounded down."""
DOWN = 1 - 1e-9
"""What each G is multiplied by, against rounding errors, and by how much 1 must be exceeded."""


def approximate(epsilon: float, delta: float) -> Least:
    """G under (epsilon, delta)-privacy."""
    factor = exp(-epsilon)
    return lambda y: DOWN * max(0.0, (y - delta) * factor, 1 - delta - (1 - y) / factor)


def gaussian(mu: float) -> Least:
    """G under mu-Gaussian privacy."""
    return lambda y: DOWN * float(special.ndtr(special.ndtri(y) - mu))


def by_points(points: Sequence[tuple[float, float]]) -> Least:
    """G under (epsilon, delta)-privacy at all of these points at once, such as those of a certified profile."""
    parts = [approximate(epsilon, delta) for epsilon, delta in points]
    return lambda y: max(part(y) for part in parts)


def so_many_are_rare(least: Least, canaries: int, guesses: int, correct: int, alpha: float) -> bool:
    """Whether so many right guesses, or more, have a probability below alpha."""
    right, wrong = alpha * correct / canaries, alpha * (guesses - correct) / canaries
    for number in range(correct - 1, -1, -1):
        needed = max(0.0, least(min(1.0, right)) - wrong)
        wrong += needed
        right += needed * number / (guesses - number)
        if (right + wrong) * canaries * DOWN > guesses:
            return True
    return False


def largest_refuted(
    family: Callable[[float], Least], grid: float, most: float, refuted: Callable[[Least], bool]
) -> float:
    """A lower bound on the parameter of a growing family, on a grid: refuting a larger one refutes all before it."""
    low, high = 0, int(most / grid)
    if not refuted(family(0.0)):
        return 0.0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if refuted(family(middle * grid)) else (low, middle)
    return low * grid

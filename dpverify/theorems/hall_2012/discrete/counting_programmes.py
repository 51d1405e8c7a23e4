"""The linear programmes of Section 1.3.5 for counts 0 to n and absolute loss, with exact optima."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpverify.theorems.tools.programmes import Optimum, Programme, Row, minimum

ONE, ZERO = Fraction(1), Fraction(0)
Entries = dict[int, Fraction]


class Methods:
    """The methods Q[i, j] = P(output i | count j) that are private at e^alpha = ratio; `extra` more unknowns."""

    def __init__(self, n: int, ratio: Fraction, extra: int = 0) -> None:
        self.size = n + 1
        self.unknowns = self.size**2 + extra
        cells = list(product(range(self.size), range(n)))
        pairs = [((i, j), (i, j + 1)) for i, j in cells] + [((i, j + 1), (i, j)) for i, j in cells]
        self.limits = [(self.row({self.at(*a): ONE, self.at(*b): -ratio}), ZERO) for a, b in pairs]
        self.equations = [(self.row({self.at(i, j): ONE for i in range(n + 1)}), ONE) for j in range(n + 1)]

    def at(self, i: int, j: int) -> int:
        return i * self.size + j

    def row(self, entries: Entries) -> Row:
        return [entries.get(i, ZERO) for i in range(self.unknowns)]

    def risk(self, j: int, weight: Fraction = ONE) -> Entries:
        return {self.at(i, j): weight * abs(i - j) for i in range(self.size)}


def bayes(n: int, ratio: Fraction, prior: list[Fraction]) -> Optimum:
    """The smallest risk on average under the prior."""
    m = Methods(n, ratio)
    cost = {k: v for j in range(n + 1) for k, v in m.risk(j, prior[j]).items()}
    return minimum(Programme(m.row(cost), m.limits, m.equations))


def minimax(n: int, ratio: Fraction, equal: Fraction | str | None = None) -> Optimum:
    """The smallest worst risk; `equal` makes the other risks that multiple of the first, or all laws the same."""
    m = Methods(n, ratio, 1)
    worst = m.size**2
    limits = m.limits + [(m.row({**m.risk(j), worst: -ONE}), ZERO) for j in range(m.size)]
    equations = list(m.equations)
    if isinstance(equal, Fraction):
        first = m.risk(0, -equal)
        equations += [(m.row({**m.risk(j), **first}), ZERO) for j in range(1, m.size)]
    if equal == "laws":
        cells = product(range(m.size), range(1, m.size))
        equations += [(m.row({m.at(i, j): ONE, m.at(i, 0): -ONE}), ZERO) for i, j in cells]
    return minimum(Programme(m.row({worst: ONE}), limits, equations))


def least_somewhere(n: int, ratio: Fraction, cap: Fraction, count: int) -> Optimum:
    """The smallest risk at this count of a method whose risk is at most `cap` everywhere."""
    m = Methods(n, ratio)
    limits = m.limits + [(m.row(m.risk(j)), cap) for j in range(m.size)]
    return minimum(Programme(m.row(m.risk(count)), limits, m.equations))

"""What the kernel encloses of H at a shift, and of its slopes, from random sets, letters and rows, against sums.

Whatever set a certificate names, P - e^eps Q on it and its cost enclose H; whatever pieces or rows it names, the
slopes enclose how H changes.  So sets, letters and rows are drawn at random here, most of them near the right ones,
and the enclosures are confronted with sums over the line, or over radii and angles.

python -m soundness.sets --seed 1 --count 1000 --jobs 2
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from dpverify.deadline import OutOfTime, deadline
from dpverify.kernel import SECTIONS, Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.intervals import ZERO, Interval
from dpverify.kernel.sections import layers, leaps, shifts, turning
from dpverify.kernel.sections.charts import Problem, Subject
from dpverify.kernel.sections.panels import Noise
from soundness import shards
from soundness.corpus import without_value

Array = NDArray[np.float64]
Function = Callable[[Array], Array]
LIMIT, END = 20, Fraction(12)
CLOSE = {1: 1e-3, 2: 3e-3, 3: 3e-3}
"""How close a sum comes to Z H, by dimension."""
FORMS: dict[str, tuple[Function, tuple[Fraction, ...]]] = {
    "exp(-r)*(1+y)": (lambda r: np.exp(-r) * (1 + r * r), ()),
    "exp(-y)*(1+3*y)": (lambda r: np.exp(-r * r) * (1 + 3 * r * r), ()),
    "exp(-r)*(2+cos(3*r))": (lambda r: np.exp(-r) * (2 + np.cos(3 * r)), ()),
    "exp(-Abs(r-1))": (lambda r: np.exp(-np.abs(r - 1)), ()),
    "exp(-(r-2)**2)": (lambda r: np.exp(-((r - 2) ** 2)), ()),
    "Piecewise((exp(-r), r < 1), (3*exp(-r), True))": (
        lambda r: np.exp(-r) * np.where(r < 1, 1.0, 3.0), (Fraction(1),)),
    "Piecewise((exp(-r), r < 1), (3*exp(-r), r < 2), (exp(-r)/2, True))": (
        lambda r: np.exp(-r) * np.where(r < 1, 1.0, np.where(r < 2, 3.0, 0.5)), (Fraction(1), Fraction(2))),
    "Piecewise((2*exp(-r), y < 2), (exp(-2*r), True))": (
        lambda r: np.where(r * r < 2, 2 * np.exp(-r), np.exp(-2 * r)), ()),
}  # fmt: skip
"""Generators, as functions of arrays, and the rational radii at which they jump."""
IRRATIONAL = "y < 2"
PATCH = (Fraction(14142, 10000), Fraction(14143, 10000))


@lru_cache(4096)
def divergence(text: str, d: int, t: Fraction, epsilon: Fraction) -> float:
    """Z H(t), twice that in one dimension: a sum over the line, or over radii and angles."""
    f, s, growth = FORMS[text][0], float(t), exp(epsilon)
    if d == 1:
        x = np.linspace(-40, 40 + s, 2_000_001) + 1.3e-7
        return float(np.maximum(f(np.abs(x)) - growth * f(np.abs(x - s)), 0).sum() * (x[1] - x[0]))
    u, angles = (np.arange(9000) + 0.5) / 9000, (np.arange(300) + 0.5) / 300
    rho, widths = 30 * u * u, 60 * u / 9000
    cosines = 2 * angles - 1 if d == 3 else np.cos(np.pi * angles)
    there = np.sqrt(np.maximum(rho[:, None] ** 2 - 2 * rho[:, None] * s * cosines + s * s, 0))
    gain = np.maximum(f(rho)[:, None] - growth * f(there), 0).mean(axis=1)
    return float((gain * rho ** (d - 1) * widths).sum())


class Case:
    """One generator with its sensitivity and eps, of which sets, pieces and rows are drawn."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd, self.text = rnd, rnd.choice(list(FORMS))
        self.f, self.jumps = FORMS[self.text]
        self.d, delta = rnd.randint(1, 3), Fraction(rnd.randint(4, 40), 16)
        self.epsilon = Fraction(rnd.randint(0, 4), 8)
        subject = Subject({**without_value(self.text), "dimension": self.d})
        problem = Problem(subject.tree, self.d, delta, (Fraction(1, 16), 6), (Fraction(rnd.choice((16, 24))), 6))
        self.noise = Noise(problem, rnd.choice((6, 8)), self.epsilon)

    def between(self, low: Fraction, high: Fraction, most: int) -> set[Fraction]:
        """Up to so many sixteenths between two numbers."""
        first, last = int(low * 16) + 1, -int(-high * 16 // 1) - 1
        return {Fraction(self.rnd.randint(first, last), 16) for _ in range(most) if first <= last}

    def word(self, here: Fraction, there: Fraction, others: str, share: float = 0.05) -> str:
        """ "f" where the loss from one radius to another exceeds eps, else "e"; now and then another letter."""
        if self.rnd.random() < share:
            return self.rnd.choice(others)
        p, q = self.f(np.array([float(here), float(there)]))
        return "f" if p > exp(self.epsilon) * q else "e"

    def on_line(self) -> Interval:
        """2 Z H at the longest shift, from stretches of the line."""
        s = self.noise.s
        given: dict[str, Any] = {}
        start = self.rnd.choice((Fraction(0), Fraction(1, 16)))
        for side, name in ((-1, "left"), (1, "right")):
            beside = {x for j in self.jumps for x in (j, j + s, abs(j - s)) if start < x < END}
            marks = sorted({start, s, END} | beside | self.between(start, END, 90))
            words = (self.word((a + b) / 2, abs(side * (a + b) / 2 - s), "efu") for a, b in pairwise(marks))
            given |= {name: written(marks), f"{name}_sets": "".join(words)}
        return shifts.at_shift(self.noise, {"shift": str(s), **given})

    def in_space(self) -> Interval:
        """Z H at the longest shift, from layers of strips."""
        s, panels = self.noise.s, []
        start = self.rnd.choice((Fraction(0), Fraction(1, 16)))
        marks = sorted({start, s, END, *self.jumps} | self.between(start, END, self.rnd.randint(10, 60)))
        for a, b in pairwise(marks):
            low, high = max(s - b, a - s, Fraction(0)), b + s
            least, most = max(abs(a - s), abs(b - s)), a + s
            inside = self.between(least, most, 12) | {j for j in self.jumps if least < j < most}
            strips = sorted({low, high} | inside)
            words = "".join(self.word((a + b) / 2, (x + y) / 2, "ef") for x, y in pairwise(strips))
            panels.append({"strips": written(strips), "words": words, "boundaries": []})
        given = {"shift": str(s), "marks": written(marks), "layers": panels, "joints": self.joints(marks, panels)}
        return layers.at_shift(self.noise, given)

    def joints(self, marks: list[Fraction], panels: list[dict[str, Any]]) -> list[dict[str, Any]]:
        s, order = self.noise.s, self.noise.order
        found = [layers.Layer(a, b, s, order, x) for (a, b), x in zip(pairwise(marks), panels, strict=True)]
        sides = [([], found[0].ends(-1)), *((x.ends(1), y.ends(-1)) for x, y in pairwise(found)),
                 (found[-1].ends(1), [])]  # fmt: skip
        steps = []
        for rho, edges in zip(marks, sides, strict=True):
            for ends in layers.apart(rho, s, *edges) if rho else ():
                low, high = sorted(ends)
                cuts = sorted(x for x in {*self.jumps} | self.between(low, high, 2) if low < x < high)
                rules = "".join(self.rnd.choice("cct") for _ in range(len(cuts) + 1))
                steps.append({"cuts": written(cuts), "rules": rules})
        return steps

    def cell(self) -> tuple[Fraction, Fraction]:
        a = Fraction(self.rnd.randint(1, 16), 17) * self.noise.s
        return a, min(self.noise.s, a + Fraction(1, self.rnd.choice((8, 16, 64))))

    def slopes_on_line(self, cell: tuple[Fraction, Fraction], cut: Fraction | None) -> tuple[Interval, Interval]:
        """2 Z H' on a cell of shifts from pieces with letters, and what is left out."""
        marks = sorted({Fraction(0), END, *self.jumps} | self.between(Fraction(0), END, 120))
        pieces = shifts.Slopes(self.noise, list(self.jumps), cut)
        step: dict[str, Any] = {"marks": written(marks)}
        for side, name in ((1, "ahead"), (-1, "back")):
            step[name] = "".join(self.letter(side, piece, cell, cut) for piece in pairwise(marks))
        left = shifts.left_out(self.noise, cut) if cut else ZERO
        return pieces.on_cell(cell, step), left

    def letter(self, side: int, piece: Any, cell: Any, cut: Fraction | None) -> str:
        try:
            over = shifts.gain(self.noise.p, side, piece, cell) - self.noise.epsilon
        except Rejected:
            return "u"
        beyond = side > 0 and cut is not None and piece[1] + cell[1] > cut
        known = "f" if over.lo > 0 and not beyond else "e" if over.hi <= 0 else "u"
        return "u" if self.rnd.random() < 0.03 else known

    def slopes_in_space(self, cell: tuple[Fraction, Fraction], cut: Fraction | None) -> tuple[Interval, Interval]:
        """Z H' on a cell of shifts from rows, and what is left out."""
        jumps, patches = list(self.jumps), []
        if IRRATIONAL in self.text:
            jumps, patches = [PATCH[1]], [PATCH]
        elif jumps and self.rnd.random() < 0.4:
            patches = [(jumps[-1] - Fraction(1, self.rnd.choice((16, 64, 1000))), jumps[-1])]
        step = {"jumps": written(jumps), "patches": [written(x) for x in patches]}
        found = leaps.Leaps(self.noise, step) if jumps else None
        start = self.rnd.choice((Fraction(0), Fraction(1, 16)))
        rows = {start, END, *jumps, *(x for patch in patches for x in patch)} | self.between(start, END, 200)
        rows |= set() if cut else {END + self.noise.s * Fraction(k, 4) for k in range(1, 5)}
        grid = {"rows": written(sorted(rows)), "start": str(start), "end": str(END)}
        left = found.patched() if found and patches else ZERO
        left = left + leaps.cut_in_space(self.noise, cut) if cut else left
        return turning.Turns(self.noise, grid, found, cut).on_cell(cell), left


def written(numbers: Iterable[Fraction]) -> list[str]:
    return [str(x) for x in numbers]


def missed(found: Interval, truth: float, close: float) -> bool:
    return not float(found.lo) - close <= truth <= float(found.hi) + close


def tried(rnd: random.Random) -> tuple[str, str | None]:
    """What was confronted, and what is wrong."""
    case = Case(rnd)
    n, cell, cut = case.noise, case.cell(), rnd.choice((None, END))
    about = f"{case.text}, d = {case.d}, eps = {case.epsilon}"
    if rnd.random() < 0.5:
        found = case.on_line() if case.d == 1 else case.in_space()
        truth = divergence(case.text, case.d, n.s, case.epsilon)
        wrong = missed(found, truth, CLOSE[case.d])
        return f"H, d = {case.d}", f"H of {about}, t = {n.s}: {truth} is not in {found.lo, found.hi}" if wrong else None
    found, left = (case.slopes_on_line if case.d == 1 else case.slopes_in_space)(cell, cut)
    first, last = (divergence(case.text, case.d, t, case.epsilon) for t in cell)
    width = float(cell[1] - cell[0])
    wrong = missed(found, (last - first) / width, (2 * CLOSE[case.d] + float(left.hi)) / width)
    what = f"slope of H of {about}, t in {cell}: {(last - first) / width} is not in {found.lo, found.hi}"
    return f"slopes of H, d = {case.d}", what if wrong else None


def shard(seed: int, number: int, count: int) -> dict[str, Any]:
    for section in SECTIONS:
        kernel.load_section(section)
    rnd = random.Random(f"{seed}/{number}")
    done: Counter[str] = Counter()
    wrong: list[str] = []
    for _ in range(count):
        try:
            with deadline(LIMIT, of_work=True):
                what, found = tried(rnd)
        except OutOfTime:
            what, found = "out of time", None
        except (Rejected, ArithmeticError):
            what, found = "refused", None
        done[what] += 1
        wrong += [found] if found else []
    return {"done": done, "wrong": wrong}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the sets.")
@click.option("--count", default=1000, show_default=True, help="How many.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """Confront enclosures of H and of its slopes, from random sets and rows, with sums."""
    found = shards.run(shard, seed=seed, count=count, size=20, jobs=jobs, log=log)
    shards.concluded(found, "done")


if __name__ == "__main__":
    main()

"""The kernel's models at the ends, and Theorem A's bounds on boxes, against mpmath at points of them.

For random generators: log f and the loss of the models at zero and at infinity, at radii of theirs; the same and the
slopes on boxes; and the loss by each way to bound it for an interval of shifts.

python -m soundness.ends --seed 1 --count 3000 --jobs 2
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import mpmath

from dpverify.deadline import OutOfTime, deadline
from dpverify.kernel import SECTIONS, Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import theorem_a
from dpverify.kernel.sections.charts import Problem, Subject
from dpverify.kernel.sections.models import Known, Model
from soundness import raw, shards
from soundness.corpus import without_value
from soundness.differential import generator
from soundness.plain import Function, exact, function

DIGITS, CLOSE, LIMIT = 60, 25, 20
"""Digits of a value, digits to which an enclosure may miss it for being rounded, and seconds for one generator."""
Value = Any


def exponent(p: Any) -> Value:
    """An exponent of a monomial, to the digits of its lower end where it is no rational."""
    return mpmath.mpf(str(p.lo)) if isinstance(p, Known) else exact(Fraction(p))


def at_radius(model: Model, r: Value, inward: bool) -> tuple[Value, Value]:
    """What a model says at one radius: its coefficients times its monomials, t being r, or 1/r at zero."""
    t = 1 / r if inward else r
    low = high = mpmath.mpf(0)
    for m, c in model.terms.items():
        size = mpmath.exp(sum(exponent(k) * t ** exponent(p) for p, k in m[0].terms)) if m[0] else 1
        scale = t
        for power in m[1:]:
            size *= scale ** exponent(power) if power else 1
            scale = mpmath.log(scale) if scale > 0 else mpmath.nan
        ends = [end(x) * size for x in (interval(c).lo, interval(c).hi)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def end(x: Any) -> Value:
    return mpmath.mpf(str(x)) if x.is_finite() else mpmath.inf * (1 if x > 0 else -1)


def misses(low: Value, high: Value, truth: Value) -> bool:
    slack = (abs(truth) + mpmath.mpf(10) ** -20) * mpmath.mpf(10) ** -CLOSE
    return bool(truth < low - slack or truth > high + slack)


class Tried:
    """What became of the bounds of one generator."""

    def __init__(self, text: str) -> None:
        self.text, self.done, self.wrong = text, Counter[str](), list[str]()

    def bounds(self, what: str, given: Callable[[], Any], truths: Sequence[tuple[Value, Callable[..., Any]]]) -> None:
        """Confront an enclosure, which may be refused, with values at points of it."""
        try:
            found = given()
        except (Rejected, ArithmeticError, RecursionError):
            self.done["refused"] += 1
            return
        for truth, at in truths:
            if not mpmath.isfinite(truth):
                continue
            low, high = at(found)
            self.done[what] += 1
            if misses(low, high, truth):
                named = [mpmath.nstr(x, 20) for x in (low, high, truth)]
                self.wrong.append(f"{what} of {self.text}: {named}")


def span(x: Any) -> tuple[Value, Value]:
    return end(x.lo), end(x.hi)


def slope_of(log: Function, r: Value) -> Value:
    step = r * mpmath.mpf(10) ** -18
    return (log(r + step) - log(r - step)) / (2 * step)


def at_end(tried: Tried, p: Problem, log: Function, rnd: random.Random, inward: bool) -> None:
    edge = exact(p.r0 if inward else p.r1)
    factors = [mpmath.mpf(10) ** (rnd.random() * 6) for _ in range(3)]
    radii = [edge / k if inward else edge * k for k in factors]
    truths = [(log(r), lambda model, r=r: at_radius(model, r, inward)) for r in radii]
    name = "zero" if inward else "infinity"
    tried.bounds(f"log f at {name}", lambda: (p.near_zero() if inward else p.far(p.infinity)).u, truths)
    if inward:
        return
    delta = exact(p.delta)
    losses = [(log(r) - log(r + delta), lambda model, r=r: at_radius(model, r, False)) for r in radii]
    tried.bounds("the loss at infinity", lambda: p.far_loss(p.infinity), losses)


def on_boxes(tried: Tried, p: Problem, log: Function, rnd: random.Random) -> None:
    a = Fraction(rnd.randint(1, 4000), rnd.choice((7, 50, 1000)))
    b = a * (1 + Fraction(1, rnd.choice((2, 5, 30, 1000, 10**9))))
    radii = [raw.generic(rnd, float(a), float(b)) for _ in range(2)]
    radii = [r for r in radii if exact(a) < r < exact(b)]
    tried.bounds("log f on a box", lambda: p.on_box(a, b).u, [(log(r), span) for r in radii])
    smooth = [(slope_of(log, r), span) for r in radii if "floor" not in tried.text]
    wide = b - a > a / 10**6
    tried.bounds("slopes on a box", lambda: p.on_box(a, b).du, smooth if wide else [])
    low = Fraction(rnd.randint(0, 8), 8) * p.delta
    high = low + (p.delta - low) * Fraction(1, rnd.choice((1, 2, 50))) if low < p.delta else p.delta
    low = low if low < p.delta else Fraction(0)
    shifts = [exact(low) + (exact(high) - exact(low)) * mpmath.mpf(rnd.getrandbits(60)) / 2**60 for _ in range(3)]
    losses = [(log(r) - log(r + h), span) for r in radii for h in shifts]
    tried.bounds(
        "the loss on a box", lambda: p.loss(a, b, high), [(log(r) - log(r + exact(high)), span) for r in radii]
    )
    for word, name in {**theorem_a.WORDS, **dict.fromkeys(theorem_a.ON_BOXES, "heights by slopes")}.items():
        cuts = sorted(Fraction(k, 3) for k in range(1, 40))
        bound = functools.partial(theorem_a.on_box, p, word, (a, b), (low, high), cuts)
        tried.bounds(f"Theorem A, {name}", bound, losses)


def tried(rnd: random.Random) -> Tried:
    text, d = generator(rnd, rnd.random() < 0.5), rnd.randint(1, 4)
    result, names = Tried(text), {"d": Fraction(d)}
    try:
        with deadline(LIMIT, of_work=True), mpmath.workdps(DIGITS):
            if raw.missing(text, names) is not None:
                result.done["without a value"] += 1
                return result
            subject = Subject({**without_value(text), "dimension": d})
            delta = Fraction(rnd.choice(("1/4", "1", "5/2")))
            ends = (
                (Fraction(1, 2 ** rnd.randint(2, 14)), rnd.randint(3, 12)),
                (
                    Fraction(2 ** rnd.randint(2, 16)),
                    rnd.randint(3, 12),
                ),
            )
            p, f = Problem(subject.tree, d, delta, *ends), function(text, names)

            def log(r: Value) -> Value:
                value = f(r)
                return mpmath.log(value) if value > 0 else mpmath.nan

            for inward in (True, False):
                at_end(result, p, log, rnd, inward)
            for _ in range(4):
                on_boxes(result, p, log, rnd)
    except OutOfTime:
        result.done["out of time"] += 1
    except (Rejected, mpmath.libmp.libhyper.NoConvergence, OverflowError, ValueError, TypeError) as error:
        result.done[f"not followed: {type(error).__name__}"] += 1
    return result


def shard(seed: int, number: int, count: int) -> dict[str, Any]:
    for section in SECTIONS:
        kernel.load_section(section)
    rnd = random.Random(f"{seed}/{number}")
    done: Counter[str] = Counter()
    wrong: list[str] = []
    for _ in range(count):
        found = tried(rnd)
        done += found.done
        wrong += found.wrong
    return {"done": done, "wrong": wrong}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the generators.")
@click.option("--count", default=3000, show_default=True, help="How many generators.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """Compare the kernel's bounds at the ends and of Theorem A with mpmath."""
    found = shards.run(shard, seed=seed, count=count, size=20, jobs=jobs, log=log)
    shards.concluded(found, "done")


if __name__ == "__main__":
    main()

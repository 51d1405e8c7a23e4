"""The kernel's decimal intervals against Arb: every result encloses the value at a point of its arguments.

python -m soundness.arithmetic --seed 1 --count 1000000 --jobs 2
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import click
from flint import arb, ctx, fmpq

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import (
    besseli,
    besselk,
    composition,
    erfc,
    exponentials,
    floors,
    gamma,
    incomplete_gamma,
    inverse,
    jets,
    loggamma,
    waves,
)
from dpverify.kernel.sections.constants import PI
from soundness import shards

PRECISION = 500
WIDE = Context(prec=100, Emin=MIN_EMIN, Emax=MAX_EMAX)


def ball(q: Fraction) -> arb:
    return arb(fmpq(q.numerator, q.denominator))


def end(x: Decimal) -> arb:
    if x.is_infinite():
        return arb.pos_inf() if x > 0 else arb.neg_inf()
    _, _, exponent = x.as_tuple()
    return arb(int(x.scaleb(-int(exponent), WIDE))) * arb(10) ** int(exponent)


def encloses(x: Interval, truth: arb) -> bool:
    """Not shown to miss the true value: no end lies strictly on the wrong side of it."""
    return not (end(x.lo) > truth) and not (end(x.hi) < truth)


def close(x: Interval, truth: arb) -> bool:
    """An enclosure of a point argument is narrow: else a test of enclosure could not fail."""
    size = end(x.hi) - end(x.lo)
    return bool(size <= abs(truth) * arb("1e-25") + arb("1e-25"))


def number(rnd: random.Random) -> Fraction:
    """A rational of any of many sizes and shapes, of either sign, sometimes an integer or a power of ten."""
    what = rnd.randrange(6)
    if what == 0:
        value = Fraction(rnd.randint(0, 40))
    elif what == 1:
        value = Fraction(rnd.randint(0, 10**6), rnd.randint(1, 10**6))
    elif what == 2:
        value = Fraction(10) ** rnd.randint(-70, 4)
    elif what == 3:
        value = Fraction(rnd.getrandbits(220), 2 ** rnd.randint(150, 230))
    elif what == 4:
        value = rnd.randint(1, 9) + Fraction(1, 10 ** rnd.randint(1, 65))
    else:
        value = Fraction(rnd.getrandbits(64), 2**60)
    return value if rnd.random() < 0.5 else -value


def interval_at(rnd: random.Random) -> tuple[Interval, Fraction, bool]:
    """An interval, a point of it, and whether it is as narrow as can be."""
    a = number(rnd)
    if rnd.random() < 0.6:
        return interval(a), a, True
    b = a + abs(number(rnd)) * Fraction(1, 10 ** rnd.choice((0, 0, 1, 6, 30)))
    at = a + (b - a) * Fraction(rnd.randint(0, 64), 64)
    return Interval(interval(a).lo, interval(b).hi), at, False


def exponent(rnd: random.Random) -> Fraction:
    return rnd.choice((Fraction(rnd.randint(-70, 70)), Fraction(rnd.randint(-9, 9), rnd.randint(1, 7)), Fraction(1, 2)))


def to_power(t: arb, p: Fraction) -> arb:
    return t ** int(p) if p.denominator == 1 else (t.log() * fmpq(p.numerator, p.denominator)).exp()


Case = Callable[[random.Random, Interval, arb, Fraction], tuple[Interval, arb]]


def binary(ours: Callable[[Interval, Interval], Interval], theirs: Callable[[arb, arb], arb]) -> Case:
    def case(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
        y, s, _ = interval_at(rnd)
        return ours(x, y), theirs(t, ball(s))

    return case


def unary(ours: Callable[[Interval], Interval], theirs: Callable[[arb], arb]) -> Case:
    return lambda rnd, x, t, q: (ours(x), theirs(t))


def powers(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    p = exponent(rnd)
    return x.power(p), to_power(t, p)


def signed(name: str) -> Case:
    def case(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
        sign = rnd.choice((1, -1))
        w = 1 + t.exp() * sign
        return getattr(exponentials, name)(x, sign), w.log() if name == "softplus" else t.exp() * sign / w

    return case


def circular(name: str) -> Case:
    def case(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
        turns = rnd.random() < 0.5
        angle = t * arb.pi() if turns else t
        return getattr(waves, name)(x, turns), getattr(angle, name)()

    return case


def gamma_of_number(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    p = Fraction(rnd.randint(-200, 4000), rnd.choice((1, 2, 3, 7, 64)))
    return gamma.gamma(p), ball(p).gamma()


def matern(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    p = Fraction(rnd.randint(0, 30), rnd.choice((1, 2, 3, 10)))
    return besselk.log_matern(x, p), p_matern(t, p).log()


def p_matern(t: arb, p: Fraction) -> arb:
    return to_power(t, p) * t.bessel_k(ball(p))


def ratio(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    p = Fraction(rnd.randint(0, 30), rnd.choice((1, 2, 3, 10)))
    return besselk.besselk_ratio(x, p), t.bessel_k(ball(p - 1)) / t.bessel_k(ball(p))


def of_function(name: str) -> Callable[[Fraction], Any]:
    return {
        "lower": lambda a: incomplete_gamma.Part(a, False),
        "upper": lambda a: incomplete_gamma.Part(a, True),
        "kummer": incomplete_gamma.Kummer,
        "besseli": besseli.LogBesselI,
        "loggamma": lambda a: loggamma.LOG_GAMMA,
        "atan": lambda a: inverse.ATAN,
        "lambertw": lambda a: inverse.LAMBERT,
    }[name]


def lower(t: arb, a: arb) -> arb:
    """P(a, t)."""
    return t.gamma_lower(a, regularized=1)


def kummer(t: arb, a: arb) -> arb:
    return (lower(t, a).log() + (a + 1).lgamma() - a * t.log()) if t != 0 else arb(0)


def log_b(t: arb, p: arb) -> arb:
    """log(I_p(t) t^-p), which is even."""
    return (abs(t).bessel_i(p) * abs(t) ** -p).log() if t != 0 else -p * arb(2).log() - (p + 1).lgamma()


def lambert(t: arb) -> arb:
    return t.lambertw()


VALUES: dict[str, Callable[[arb, arb], arb]] = {
    "lower": lambda t, a: lower(t, a).log(),
    "upper": lambda t, a: t.gamma_upper(a, regularized=1).log(),
    "kummer": kummer,
    "besseli": log_b,
    "loggamma": lambda t, a: t.lgamma(),
    "atan": lambda t, a: t.atan(),
    "lambertw": lambda t, a: lambert(t),
}
SLOPES: dict[str, Callable[[arb, arb], arb]] = {
    "lower": lambda t, a: density(t, a) / lower(t, a),
    "upper": lambda t, a: -density(t, a) / t.gamma_upper(a, regularized=1),
    "kummer": lambda t, a: density(t, a) / lower(t, a) - a / t,
    "besseli": lambda t, a: abs(t).bessel_i(a + 1) / abs(t).bessel_i(a) * (-1 if t < 0 else 1),
    "loggamma": lambda t, a: t.digamma(),
    "atan": lambda t, a: 1 / (1 + t * t),
    "lambertw": lambda t, a: 1 / (t + lambert(t).exp()),
}


def density(t: arb, a: arb) -> arb:
    return ((a - 1) * t.log() - t - a.lgamma()).exp()


ORDERS = tuple(Fraction(x) for x in ("1/2", "1", "3/2", "2", "7/3", "1/10", "5", "25/2", "31"))


def smooth(name: str, slope: bool) -> Case:
    """A function of a section on an interval that lies where it has values, or its slope."""
    signed_too = name in ("atan", "besseli")

    def case(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
        a = Fraction(rnd.choice(ORDERS))
        if not signed_too and q < 0:
            x, t = -x, -t
        function = of_function(name)(a)
        return (function.slope if slope else function.value)(x), (SLOPES if slope else VALUES)[name](t, ball(a))

    return case


def dotted(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    """The scalar product of series."""
    pairs = [(interval_at(rnd), interval_at(rnd)) for _ in range(rnd.randint(1, 6))]
    total = sum((ball(a[1]) * ball(b[1]) for a, b in pairs), arb(0))
    return jets.dot([a[0] for a, _ in pairs], [b[0] for _, b in pairs]), total


def share_of_sphere(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    d = rnd.choice((2, 3, 4, 5, 8, 21))
    s = min(Fraction(1), max(Fraction(-1), q))
    half = (ball(1 - s * s)).beta_lower(ball(Fraction(d - 1, 2)), ball(Fraction(1, 2)), regularized=1) / 2
    return jets.share(x, d), half if s < 0 else 1 - half


def arctangent(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    s = Fraction(rnd.getrandbits(80), 2**80)
    return jets.arctangent(interval(s)), ball(s).atan()


def binomial_law(rnd: random.Random, x: Interval, t: arb, q: Fraction) -> tuple[Interval, arb]:
    e, n = Fraction(rnd.randint(1, 300), 100), rnd.randint(1, 40)
    k = rnd.randrange(n + 1)
    p = 1 / (1 + (-ball(e)).exp())
    return composition.law(e, n)[k][1], p**k * (1 - p) ** (n - k) * comb(n, k)


CASES: dict[str, tuple[float, Case]] = {
    "+": (20, binary(lambda x, y: x + y, lambda t, s: t + s)),
    "-": (20, binary(lambda x, y: x - y, lambda t, s: t - s)),
    "*": (30, binary(lambda x, y: x * y, lambda t, s: t * s)),
    "inverse": (20, unary(Interval.inverse, lambda t: 1 / t)),
    "exp": (20, unary(Interval.exp, lambda t: t.exp())),
    "log": (20, unary(Interval.log, lambda t: t.log())),
    "power": (30, powers),
    "softplus": (10, signed("softplus")),
    "logistic": (10, signed("logistic")),
    "cos": (15, circular("cos")),
    "sin": (15, circular("sin")),
    "floor": (5, unary(floors.floor, lambda t: t.floor())),
    "log erfc": (0.5, unary(erfc.log_erfc, lambda t: t.erfc().log())),
    "erfc hazard": (
        0.2,
        unary(erfc.erfc_hazard, lambda t: 2 * (-t * t).exp() / (arb.pi().sqrt() * t.erfc())),
    ),
    "gamma": (0.2, gamma_of_number),
    "log x^p K_p": (0.01, matern),
    "K_(p-1)/K_p": (0.01, ratio),
    "dot": (5, dotted),
    "share of a sphere": (0.5, share_of_sphere),
    "atan in [0, 1]": (0.5, arctangent),
    "binomial law": (0.2, binomial_law),
    **{f"log {name}" if name not in ("atan", "lambertw") else name: (0.3, smooth(name, False)) for name in VALUES},
    **{f"slope of {name}": (0.3, smooth(name, True)) for name in SLOPES},
}


def shard(seed: int, number_: int, count: int) -> dict[str, Any]:
    """So many results; a refused operation is tried again with other arguments."""
    rnd, ctx.prec = random.Random(f"{seed}/{number_}"), PRECISION
    names, weights = list(CASES), [weight for weight, _ in CASES.values()]
    done: Counter[str] = Counter()
    wide: Counter[str] = Counter()
    refused, wrong = 0, []
    while sum(done.values()) < count:
        name = rnd.choices(names, weights)[0]
        x, q, narrow = interval_at(rnd)
        if name == "floor" and q.denominator != 1 and x.lo == x.hi:
            narrow = False
        try:
            ours, truth = CASES[name][1](rnd, x, ball(q), q)
        except (Rejected, ArithmeticError):
            refused += 1
            continue
        if not truth.is_finite() or (truth.rel_accuracy_bits() < 200 and truth != 0):
            continue
        done[name] += 1
        if not encloses(ours, truth):
            wrong.append(f"{name} of [{x.lo}, {x.hi}] at {q}: [{ours.lo}, {ours.hi}] misses {truth}")
        wide[name] += narrow and not close(ours, truth)
    return {"done": done, "wide": wide, "refused": refused, "wrong": wrong, "pi": encloses(PI, arb.pi())}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the operations.")
@click.option("--count", default=1_000_000, show_default=True, help="How many results.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """Compare the kernel's interval operations with Arb at 500 bits."""
    found = shards.run(shard, seed=seed, count=count, size=10_000, jobs=jobs, log=log)
    done = sum((Counter(f["done"]) for f in found), Counter[str]())
    wide = sum((Counter(f["wide"]) for f in found), Counter[str]())
    for name, n in done.most_common():
        print(f"{n:8d}  {name:12s}  wider than 25 digits at points: {wide[name]}")
    wrong = [w for f in found for w in f["wrong"]]
    print(
        f"{sum(done.values())} results, {sum(f['refused'] for f in found)} refusals, {len(wrong)} that do not enclose"
    )
    print(*wrong[:20], sep="\n")
    sys.exit(bool(wrong) or not all(f["pi"] for f in found))


if __name__ == "__main__":
    main()

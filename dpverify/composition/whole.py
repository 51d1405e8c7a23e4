"""Composition of whole profiles: what the kernel is told of the grid and of the lower bounds, and what it finds.

Nothing here is trusted: the measures that dominate are made by the kernel from the certified points, those that are
dominated are written down here and checked by it (K174, K175), and the products are the kernel's own (K176).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.errors import InputError
from dpverify.kernel.sections import releases as kernel
from dpverify.kernel.sections.losses import Grid, Losses, dominated, dominating
from dpverify.kernel.steps import Steps
from dpverify.language import parse_rational

DIGITS, MARGIN = 45, 25
FAR = 7
USUAL_STEPS, MOST_STEPS = 400, 20_000


@dataclass(frozen=True)
class Sampling:
    """On which part of the records a release is made: each with probability `rate`, or a fixed share of them."""

    kind: str
    rate: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", parse_rational(self.rate, "the rate of a sample"))
        if self.kind not in kernel.SAMPLINGS or not 0 < self.rate < 1:
            raise InputError("a sample is poisson or fixed, with a rate between 0 and 1")

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "rate": str(self.rate)}


@dataclass(frozen=True)
class Release:
    """One part as the kernel knows it, how often it is made, and on which sample."""

    profile: kernel.Profile
    times: int
    sampling: Sampling | None

    @property
    def spacing(self) -> Fraction | None:
        """The step of its grid, where it is a whole profile."""
        levels = sorted(self.profile)
        step = levels[1] if len(levels) > 2 and levels[0] == 0 else None
        return step if step and levels == [step * k for k in range(len(levels))] else None

    @property
    def largest(self) -> float:
        """The largest loss that is told from others, on the sample."""
        e = float(max(self.profile))
        return e if self.sampling is None else math.log1p(float(self.sampling.rate) * math.expm1(min(e, 600)))

    def json_sampling(self) -> dict[str, str] | None:
        return self.sampling.to_json() if self.sampling else None


def proof(releases: Sequence[Release], levels: Sequence[Fraction], targets: Sequence[Fraction]) -> dict[str, Any]:
    """The grid and the dominated measures: the steps of the kernel's replay, the parts apart."""
    step = _step(releases)
    reach = [max(2, _reach(r, step)) for r in releases]
    rough = [_rough(r, step, n) for r, n in zip(releases, reach, strict=True)]
    mean = sum(r.times * m for r, (m, _) in zip(releases, rough, strict=True))
    spread = math.sqrt(sum(r.times * v for r, (_, v) in zip(releases, rough, strict=True))) or 1.0
    logs = [-math.log(t) if t > Fraction(1, 10**300) else 690.0 for t in targets]
    far = [abs(float(e) - mean) / spread for e in levels] + [math.sqrt(2 * x) + 1 for x in logs]
    farthest = max(far)
    digits = max(DIGITS, MARGIN + math.ceil(min(farthest**2 / 2, 600) / math.log(10)))
    bound = sum(r.times * n for r, n in zip(releases, reach, strict=True))
    longest = max(r.largest for r in releases)
    wide = (abs(mean) + (farthest + FAR) * spread + longest) / float(step)
    most = min(bound, math.ceil(wide), kernel.MOST_KNOTS)
    most = max(most, math.ceil(max(levels, default=Fraction(0)) / step) + 1)
    size = max(most, *reach)
    if size * digits > kernel.MOST_WORK:
        digits = kernel.MOST_WORK // size
        if digits < MARGIN:
            raise InputError("the profiles' grid is too fine for so many releases; certify them with a larger --step")
    grid = Grid(step, digits, most)
    lower = [_below(grid, r) for r in releases]
    listed = {"step": str(step), "digits": digits, "most": most, "reach": reach}
    return {"grid": listed, "lower": lower}


def measured(releases: Sequence[Release], given: dict[str, Any]) -> kernel.Measured:
    """The measures of all releases together."""
    return kernel.Measured([(r.profile, r.times, r.json_sampling()) for r in releases], Steps(dict(given)))


def quantile(together: kernel.Measured, target: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Two eps: delta is at least the target at the first, or the first is 0, and at most the target at the second.

    Raises InputError where no eps of the grid reaches the target.
    """
    high = _crossing(together, target, True)
    low = _crossing(together, target, False)
    reach = max(high, Fraction(1, 10**6)) * min(tolerance, Fraction(1, 10**9)) / 8
    above, below = _short(high + reach), max(Fraction(0), _short(low - reach))
    if Fraction(together.delta(above).hi) > target:
        raise InputError(f"no eps is found at which delta is at most {float(target):.3g}: it may never be that small")
    if below and Fraction(together.delta(below).lo) < target:
        below = Fraction(0)
    return below, above


def _crossing(together: kernel.Measured, target: Fraction, upper: bool) -> Fraction:
    """About where the bound of delta, the largest of both orders, meets the target."""
    found = together.above if upper else [together.low]
    return max(_level(together.grid, w, target) for w in found if w is not None)


def _level(grid: Grid, w: Losses, target: Fraction) -> Fraction:
    """About the eps at which h_w(e^eps) is the target: 0 where it is less from there on, and the largest loss where it
    is nowhere so small.

    From the largest loss down, until h exceeds the target one step below k: there h(e^eps) is the mass from k on less
    e^(eps - k step) times the sum of these masses, each times e^((k - j) step).
    """
    context = Context(prec=grid.digits + 30)
    step = context.divide(Decimal(grid.step.numerator), Decimal(grid.step.denominator))
    ratio, beyond = context.exp(-step), Decimal(int(target * grid.scale) - w.infinite)
    if beyond <= 0:
        return grid.step * grid.most
    total, weighted, k = Decimal(0), Decimal(0), w.first + len(w.masses)
    while k > max(w.first, 1) and context.subtract(total, context.multiply(ratio, weighted)) <= beyond:
        k -= 1
        total = context.add(total, w.masses[k - w.first])
        weighted = context.add(context.multiply(ratio, weighted), w.masses[k - w.first])
    if total <= beyond:
        return Fraction(0)
    part = context.ln(context.divide(context.subtract(total, beyond), weighted))
    return max(Fraction(0), _short(grid.step * k + Fraction(part)))


def _step(releases: Sequence[Release]) -> Fraction:
    """The finest grid of a whole profile; of what is sampled, as much finer as its losses are smaller."""
    steps = []
    for r in releases:
        if r.spacing is not None and r.sampling is None:
            steps.append(r.spacing)
        elif r.spacing is not None and r.sampling is not None:
            finest = max(float(r.spacing * r.sampling.rate), r.largest / MOST_STEPS)
            steps.append(Fraction(1, math.ceil(1 / finest)))
    if steps:
        return min(steps)
    finest = max(r.largest for r in releases) / USUAL_STEPS
    return Fraction(1, math.ceil(1 / finest)) if finest else Fraction(1)


def _reach(release: Release, step: Fraction) -> int:
    if release.sampling is None:
        return math.ceil(max(release.profile) / step)
    return math.ceil(release.largest / float(step)) + 1


def _rough(release: Release, step: Fraction, reach: int) -> tuple[float, float]:
    """The mean and the variance of the loss, on a coarse grid."""
    n = min(reach, 200)
    grid = Grid(Fraction(reach, n) * step, 30, 2 * n)
    (bounds, *_) = kernel.sampled(release.profile, release.json_sampling())
    w = dominating(grid, bounds, n)
    losses = [float(grid.step) * (w.first + k) for k in range(len(w.masses))]
    total = sum(w.masses) or 1
    mean = sum(x * (m / total) for x, m in zip(losses, w.masses, strict=True))
    return mean, sum((x - mean) ** 2 * (m / total) for x, m in zip(losses, w.masses, strict=True))


def _below(grid: Grid, release: Release) -> list[str] | None:
    """The dominated measure of a whole profile on the grid; None for any other, or where none is found."""
    from dpverify.kernel import Rejected

    if release.sampling is not None or release.spacing != grid.step:
        return None
    context = Context(prec=max(60, grid.digits + 20))
    held = kernel.mirrored(release.profile)
    try:
        found = _masses(context, grid, held, release.profile.infinite)
        dominated(grid, [(low, high) for _, _, low, high in held], found, release.profile.infinite)
    except Rejected:
        return None
    return list(map(str, found))


def _masses(context: Context, grid: Grid, held: list[Any], atom: Fraction) -> list[int]:
    """The measure of the convex hull of values that lie far enough below the bounds, the atom at infinity apart."""
    atom_above = Context(prec=context.prec, rounding=ROUND_CEILING).divide(atom.numerator, atom.denominator)
    rest = context.subtract(1, atom_above)
    low, high = (
        [context.subtract(x, atom_above) for x in ends]
        for ends in ([item[2].lo for item in held], [item[3].hi for item in held])
    )
    n = len(held) // 2
    places = [context.exp(context.divide(Decimal(e.numerator), Decimal(e.denominator))) for e, *_ in held]
    take, minus, plus, over = context.multiply, context.subtract, context.add, context.divide

    def line(far: int, near: int, at: Decimal) -> Decimal:
        part = over(minus(at, places[near]), minus(places[near], places[far]))
        return minus(take(low[near], plus(1, part)), take(high[far], part))

    values = list(low)
    spare = Decimal("1.000001")
    for i in range(2 * n):
        middle = over(plus(places[i], places[i + 1]), Decimal(2))
        left = line(i - 1, i, middle) if i else take(rest, minus(Decimal(1), middle))
        right = line(i + 2, i + 1, middle) if i < 2 * n - 1 else low[2 * n]
        level = over(plus(low[i], low[i + 1]), Decimal(2))
        excess = max(Decimal(0), take(minus(level, min(left, right)), spare))
        if excess > min(low[i + 1], minus(low[i], low[i + 1])):
            values[i] = min(values[i], low[i + 1])
        else:
            values[i] = min(values[i], minus(low[i], excess))
            values[i + 1] = min(values[i + 1], minus(low[i + 1], excess))
    values[0] = min(values[0], take(take(rest, minus(Decimal(1), places[0])), minus(Decimal(1), Decimal("1e-40"))))
    hull = [(Decimal(0), rest)]
    for point in [*zip(places, values, strict=True)]:
        while len(hull) > 1 and _bends_down(context, hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    slopes = [over(minus(v, u), minus(b, a)) for (a, u), (b, v) in pairwise(hull)] + [Decimal(0)]
    masses = dict.fromkeys(places, 0)
    for (a, _), (before, after) in zip(hull[1:], pairwise(slopes), strict=True):
        mass = take(take(a, minus(after, before)), minus(Decimal(1), Decimal("1e-40")))
        masses[a] = max(0, int(context.scaleb(mass, grid.digits)))
    return list(masses.values())


def _bends_down(context: Context, a: tuple[Decimal, ...], b: tuple[Decimal, ...], c: tuple[Decimal, ...]) -> bool:
    first = context.multiply(context.subtract(b[1], a[1]), context.subtract(c[0], b[0]))
    second = context.multiply(context.subtract(c[1], b[1]), context.subtract(b[0], a[0]))
    return first >= second


def _short(x: Fraction) -> Fraction:
    bits = 60 - (x.numerator.bit_length() - x.denominator.bit_length())
    return Fraction(round(x * 2**bits), 2**bits) if bits > 0 else x


__all__ = ["Losses", "Release", "Sampling", "measured", "proof", "quantile"]

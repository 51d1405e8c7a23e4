"""What several releases guarantee together, from certificates of their profiles."""

from __future__ import annotations

from fractions import Fraction

from ..certificate import KINDS
from ..intervals import ONE, ZERO, Interval, interval
from ..rules import require, rule
from ..steps import Steps, rational, record, whole
from .accepted import accepted
from .losses import Bounds, Grid, Losses, divergence, dominated, dominating, power, product
from .points import hold, levels, listed
from .profiles import quantiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIELDS = {"kind", "verdict", "parts", "theorem", "points", "quantiles"}
MOST_PARTS, MOST_TIMES, MOST_KNOTS, MOST_DIGITS = 50, 1_000_000, 400_000, 1_000
MOST_WORK, MOST_PRODUCTS = 6_000_000, 500_000_000
SAMPLINGS = ("poisson", "fixed")


class Profile(dict[Fraction, tuple[Fraction, Fraction]]):
    """Bounds of delta at some eps, and at least how much of the loss is infinite."""

    infinite = Fraction(0)


@rule("K172")
def known(claim: Any) -> Profile:
    """What a certificate says of delta(eps), eps >= 0.

    Lemma.  The points of a profile say it; noise that is private with eps has delta(eps') = 0 for
    eps' >= eps; and what was composed has the upper bounds of its points.  A profile whose worst
    shift may be another for each eps has its upper bounds too, and of lower ones those of one pair
    (K344), whose h is at most the profile's.  Every delta is at least 0, and at most 1, and at
    least the atom at infinity (K244).  In infinite dimension the longest shift has all of it
    (K405).
    """
    if "points" not in claim:
        require(claim["verdict"] == "private", "a part proves neither an epsilon nor a profile")
        return Profile({Fraction(claim["epsilon"]["upper"]): (Fraction(0), Fraction(0))})
    found = Profile()
    found.infinite = Fraction(claim.get("infinite", 0))
    of_one_pair = claim["theorem"] in ("Theorem B", "Theorem C")
    pair = claim["pair"]["lower"] if "pair" in claim else ["0"] * len(claim["points"])
    for point, least in zip(claim["points"], pair, strict=True):
        low, high = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        low = max(low, found.infinite) if of_one_pair else max(Fraction(0), Fraction(least))
        found[Fraction(point["epsilon"])] = (low, high)
    return found


def mirrored(profile: Profile) -> list[tuple[Fraction, Interval, Interval, Interval]]:
    """eps, e^eps, and bounds of h below and above, on both sides of 0.

    Both orders of the pair have the same h, so h(a) = 1 - a + a h(1/a).
    """
    found = []
    for epsilon, (low, high) in sorted(profile.items()):
        least, most = interval(low), interval(high)
        found.append((epsilon, interval(epsilon).exp(), least, most))
        if epsilon:
            a = interval(-epsilon).exp()
            found.append((-epsilon, a, ONE - a + a * least, ONE - a + a * most))
    return sorted(found, key=lambda item: item[0])


@rule("K173")
def sampled(profile: Profile, sampling: Any) -> list[Bounds]:
    """Bounds of h for both orders of the pair, of a release on a sample of the records.

    Lemma (Balle, Barthe and Gaboardi 2018).  Without sampling both orders are alike.  If each
    record is taken with probability g (poisson), and neighbours have one record more or less,
    h_1(1 - g + g a) <= g h(a), and the other order is h_2(a) = 1 - a + a h_1(1/a).  If a fixed
    share g of the records is taken, and neighbours differ in one record, h(1 + g (a - 1)) <= g h(a)
    for a >= 1 in both orders.  So not both are together, nor in what parts are composed of.
    """
    both = mirrored(profile)
    if sampling is None:
        levels = {e: high for e, _, _, high in both}
        return [Bounds([(ZERO, ONE), *((a, high) for _, a, _, high in both)], levels)] * 2
    g = interval(rational(sampling["rate"], "rate"))
    if sampling["kind"] == "fixed":
        right = [((a - 1) * g + 1, high * g) for e, a, _, high in both if e > 0]
        return [Bounds([(ZERO, ONE), *turned(right), *right], {})] * 2
    first = [(ONE - g, g), *((ONE - g + a * g, high * g) for _, a, _, high in both)]
    return [Bounds([(ZERO, ONE), *points], {}) for points in (first, turned(first))]


def turned(points: list[tuple[Interval, Interval]]) -> list[tuple[Interval, Interval]]:
    """The other order: h(a) = 1 - a + a h'(1/a)."""
    return [(a.inverse(), ONE - a.inverse() + a.inverse() * u) for a, u in reversed(points)]


def sampling_of(given: Any) -> Any:
    if given is None:
        return None
    sampling = record(given, "sampling", {"kind", "rate"})
    kind = isinstance(sampling["kind"], str) and sampling["kind"] in SAMPLINGS
    rate = rational(sampling["rate"], "rate")
    unknown = "the sampling is not one that is known, with a rate inside (0, 1)"
    require(kind and 0 < rate < 1, unknown, "claim")
    return sampling


def parts(claim: Any, given: Any) -> tuple[list[tuple[Profile, int, Any]], list[str]]:
    """Each part's profile, how often it is released, and on which sample; what its proof
    assumes."""
    fits = isinstance(claim, list) and 0 < len(claim) <= MOST_PARTS and isinstance(given, dict)
    require(fits, "the parts are not given by their digests", "format")
    found, assumptions, proved = [], list[str](), {}
    for name, certificate in given.items():
        proved[name] = accepted(certificate)
        require(proved[name].digest == name, "a part is not the one that is named", "K172")
    for part in claim:
        record(part, "part", {"digest", "times", "sampling"})
        there = isinstance(part["digest"], str) and part["digest"] in proved
        require(there, "a part is named whose certificate is not there", "K172")
        times = whole(part["times"], "part.times", 1, MOST_TIMES)
        checked = proved[part["digest"]]
        found.append((known(checked.claim), times, sampling_of(part["sampling"])))
        assumptions += [a for a in checked.assumptions if a not in assumptions]
    asked = {p["digest"] for p in claim} == set(given)
    require(asked, "a certificate is given that no part names", "steps")
    return found, assumptions


def ways(claim: Any, given: Any) -> set[str]:
    """In which ways records are sampled, in what the parts are composed of too."""
    if claim.get("kind") != "releases":
        return set()
    found = {part["sampling"]["kind"] for part in claim["parts"] if part["sampling"] is not None}
    for part in given["parts"].values():
        found |= ways(part["claim"], part["proof"])
    return found


def masses(value: Any) -> list[int]:
    """Whole numbers, each as digits."""
    listed = isinstance(value, list) and len(value) <= MOST_KNOTS
    whole = listed and all(
        isinstance(m, str) and m.isdecimal() and m.isascii() and len(m) <= MOST_DIGITS
        for m in value)
    require(whole, "a measure is not a list of whole numbers", "format")
    return list(map(int, value))


def below(grid: Grid, profile: Profile, sampling: Any, given: Any) -> Losses:
    """The dominated measure of one part; where none is given all mass is at the loss 0."""
    if given is None:
        return Losses(0, [grid.scale], 0)
    held = [(low, high) for e, _, low, high in mirrored(profile)]
    aligned = sorted(profile) == [grid.step * k for k in range(len(profile))]
    usable = sampling is None and aligned
    require(usable, "a dominated measure needs a whole profile on the grid", "K175")
    return dominated(grid, held, masses(given), profile.infinite)


class Measured:
    """The measures of all releases together: dominating, for both orders, and dominated."""

    def __init__(self, releases: list[tuple[Profile, int, Any]], steps: Steps) -> None:
        step = record(steps.take("grid"), "grid", {"step", "digits", "most", "reach"})
        width = rational(step["step"], "grid.step")
        require(0 < width <= 1, "grid.step is not inside (0, 1]", "format")
        self.grid = grid = Grid(width, whole(step["digits"], "grid.digits", 1, MOST_DIGITS),
                                whole(step["most"], "grid.most", 1, MOST_KNOTS))
        reach, lower = step["reach"], steps.take("lower")
        fits = all(isinstance(x, list) and len(x) == len(releases) for x in (reach, lower))
        require(fits, "grid.reach or lower does not match the parts", "format")
        size = grid.digits * max([grid.most, *(n for n in reach if type(n) is int)])
        products = sum(2 * times.bit_length() for _, times, _ in releases)
        fits = size <= MOST_WORK and size * products <= MOST_PRODUCTS
        require(fits, "the measures are too long, or too many", "limits")
        orders = 2 if any(s is not None and s["kind"] == "poisson" for _, _, s in releases) else 1
        self.above: list[Losses | None] = [None] * orders
        self.low: Losses | None = None
        for (profile, times, sampling), n, given in zip(releases, reach, lower):
            n = whole(n, "grid.reach", 1, MOST_KNOTS)
            for k, bounds in enumerate(sampled(profile, sampling)[:orders]):
                self.above[k] = self.joined(self.above[k], dominating(grid, bounds, n), times, True)
            self.low = self.joined(self.low, below(grid, profile, sampling, given), times, False)

    def joined(self, first: Losses | None, w: Losses, times: int, above: bool) -> Losses:
        w = power(self.grid, w, times, above)
        return w if first is None else product(self.grid, first, w, above)

    def delta(self, epsilon: Fraction) -> Interval:
        found = [divergence(self.grid, w, epsilon).hi for w in self.above if w is not None]
        assert self.low is not None
        return Interval(divergence(self.grid, self.low, epsilon).lo, max(found))


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a composition of profiles, proved by its parts."""
    record(claim, "claim", FIELDS)
    right = claim["verdict"] == "releases" and claim["theorem"] == "composition of profiles"
    require(right, "the verdict or the theorem is not that of a composition", "claim")
    steps = Steps(given)
    releases, assumptions = parts(claim["parts"], steps.take("parts"))
    alike = len(ways(claim, given)) <= 1
    require(alike, "records are sampled in two ways, each for other neighbours", "K173")
    together = Measured(releases, steps)
    found = [together.delta(epsilon) for epsilon in levels(claim["points"])]
    hold(claim["points"], [(delta.lo, delta.hi) for delta in found], "K177")
    if claim["quantiles"] != []:
        quantiles(claim)
    steps.finish()
    return assumptions


def said(claim: Any) -> str:
    """The claim in one line."""
    releases = " and ".join(
        f"{p['times']} times {p['digest'][:12]}{on(p['sampling'])}" for p in claim["parts"])
    return f"releases: of {releases}, {listed(claim['points'])}"


def on(sampling: Any) -> str:
    return "" if sampling is None else f" on a {sampling['kind']} sample of {sampling['rate']}"


KINDS["releases"] = (check, said)

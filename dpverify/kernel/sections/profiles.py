"""Profiles: delta(eps) of one release, by Theorem B, from an approximate boundary and its cost.

p is the density, q the same shifted by u, |u| = s = delta; w(r) = r^(d-1) f(r^2), and Z is its
integral over r > 0.  Theorem B: f being non-increasing, the longest shift is the worst, so
delta(eps) = P(S) - e^eps Q(S), S = {x : g(|x - u|) > g(|x|) + eps}; on |x| = rho that is
{|x - u| > b(rho)}, since g does not fall.  A certificate names for each panel of rho a set
S' = {|x - u| > B(rho)}.  Then P(S') - e^eps Q(S') is at most delta(eps), and what it lacks, its
cost, is the integral of |p - e^eps q| over the difference of S and S'.
"""

from __future__ import annotations

from decimal import Decimal

from ..certificate import KINDS
from ..intervals import D0, Interval
from ..rules import BROUGHT, brought, require, rule
from ..steps import Steps, named, rational, record, whole
from .charts import CLAIM, Subject, charted, said_of
from .epsilon import THEOREMS
from .fields import ends
from .hypotheses import PROVED, Proof, defined
from .jets import series
from .panels import Noise, line, mass, spheres, tail_named
from .points import hold, levels, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

APART = {"boundaries", "grids"}
ABOUT = {"generator", "parameters", "dimension", "sensitivity", "scale"}
MOST_WORK = 100_000_000
"""Panels, times what each takes: the square of the order for every node of the tree and for some
twenty series besides, and the dimension for the share of a sphere."""
MORE_WORK, LONGEST = 600_000, 1_000
"""What each point of a curve may take besides, up to so many points."""
FIELDS = {*ABOUT, "kind", "verdict", "theorem", "points", "quantiles"}


@rule("K161")
def at_point(proof: Proof, noise: Noise, z: Interval, step: Any) -> tuple[Decimal, Decimal]:
    """delta(eps) between two bounds.

    Lemma (Theorem B).  For non-increasing f the divergence does not fall as the shift grows, so
    delta(eps) is the one at the longest shift: the sum of the panels over Z, and at most their cost
    over Z more.  It is 0 where eps is at least the pure epsilon (Theorem 3).
    """
    if step == "pure":
        return D0, D0
    value, cost = (line if noise.d == 1 else spheres)(noise, step)
    high = (Interval(max(D0, value.hi), max(D0, value.hi)) + Interval(D0, max(D0, cost.hi)))
    low = Interval(max(D0, value.lo), max(D0, value.lo))
    return (low * z.inverse()).lo, (high * z.inverse()).hi


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a profile, proved by the steps that are given."""
    more = {"measures", "infinite", "pair"} & set(claim) if isinstance(claim, dict) else set()
    record(claim, "claim", FIELDS | more)
    right = claim["verdict"] == "profile" and claim["theorem"] in list(WAYS)
    require(right, "the verdict or the theorem is not that of a profile", "claim")
    steps = Steps(given)
    require(claim.get("infinite", "") is not None, "infinite is not a rational", "format")
    subject, proof, cut = opened(claim, steps)
    return concluded(subject, proof, claim, cut, bounds(subject, proof, claim, cut))


def concluded(subject: Subject, proof: Proof, claim: Any, cut: Any,
              found: list[tuple[Decimal, Decimal]]) -> list[str]:
    """The assumptions of a profile whose points lie between the bounds found."""
    hold(claim["points"], found, "K161")
    quantiles(claim)
    if "measures" in claim:
        require(claim["theorem"] == "Theorem B", "measures need one pair of laws", "claim")
        brought("measures from a profile")(claim, proof)
    if "pair" in claim:
        require(cut is None, "a pair's divergence is that of f where it is not cut", "steps")
        brought("the divergence of one pair")(proof, claim)
    proof.steps.finish()
    return subject.assumptions()


def opened(claim: Any, steps: Steps) -> tuple[Subject, Proof, Any]:
    """What the claim is about, its proof, and where the proof cuts or patches f, if it does."""
    subject = Subject(dict.fromkeys(CLAIM) | {k: claim[k] for k in ABOUT})
    cut = brought("a cut of f")(subject, steps) if steps.has("cut") else None
    if steps.has("faint"):
        require(cut is None, "f is cut twice", "steps")
        cut = brought("a cut of f where little is left")(subject, steps)
    if steps.has("patches"):
        require(cut is None or cut.end is None, "f is cut and patched", "steps")
        patched = brought("patches of f")(subject, steps)
        patched.lost, cut = patched.lost if cut is None else patched.lost + cut.lost, patched
    subject.rewrite(steps)
    return subject, Proof(charted(steps, subject), steps), cut


def bounds(subject: Subject, proof: Proof, claim: Any, cut: Any) -> list[tuple[Decimal, Decimal]]:
    """The bounds that the proof gives of delta at each of the points claimed; it shows the atom
    too."""
    series()
    claimed, theorem = claim["points"], claim["theorem"]
    hypotheses, of_pure, at = WAYS[theorem]
    defined(proof, subject.reader.needs)
    for name in hypotheses:
        named(PROVED, name, f"no section listed shows {name} proved", "rules")(proof)
    step = proof.steps.take("profile")
    more = {"tail", "bounded", "values"} & set(step) if isinstance(step, dict) else set()
    record(step, "profile", {"order", "mass", "points"} | more)
    tail = tail_named(step["tail"]) if "tail" in more else None
    for name in ("bounded", "values"):
        require(isinstance(step.get(name, []), list), f"{name} is not a list", "format")
    order = 2 * whole(step["order"], "profile.order", 1, 24)
    known = isinstance(claimed, list) and isinstance(step["points"], list)
    matched = known and 0 < len(claimed) == len(step["points"])
    require(matched, "the steps do not match the points", "steps")
    p = proof.problem
    work = panels(step) * ((p.tree.size + 20) * order**2 + 20 * p.dimension)
    most = MOST_WORK + MORE_WORK * min(len(claimed), LONGEST)
    require(work <= most, "the panels are too many for such an order, f and dimension", "limits")
    z, found = None, []
    asked = levels(claimed)
    pure = [epsilon for epsilon, how in zip(asked, step["points"], strict=True) if how == "pure"]
    require(not pure or cut is None, "an f that vanishes has no pure epsilon", "steps")
    if pure:
        at_most, _ = named(THEOREMS, of_pure, "no section listed bounds a pure loss", "rules")
        at_most(proof, min(pure))
    for epsilon, how in zip(asked, step["points"], strict=True):
        noise = Noise(p, order, epsilon, tail)
        if how == "normal" and cut is None and theorem == "Theorem B":
            found.append(brought("the profile of a Gaussian")(noise.p, noise.epsilon))
            continue
        if rough(how):
            require(cut is None, "an f that vanishes has no pure epsilon", "steps")
            pure_bound, _ = named(THEOREMS, of_pure, "no section listed bounds a loss", "rules")
            if "set" in how["rough"]:
                z = z or positive_mass(noise, step)
            found.append(brought("rough bounds")(proof, noise, z, how, theorem, pure_bound))
            continue
        z = z or positive_mass(noise, step)
        found.append(at(proof, noise, z, how))
        if cut is not None:
            widened = brought(CUT[theorem])
            found[-1] = widened(found[-1], cut, z, noise.epsilon)
    if "infinite" in claim:
        vanishes = cut is not None and cut.end is not None
        require(vanishes and z is not None, "an f that does not vanish has no atom", "K244")
        brought("an atom at infinity")(noise, cut, z, claim["infinite"], proof.steps.take("atom"))
    unasked = step["mass"] is None and not (step.get("bounded") or step.get("values"))
    require(z is not None or unasked, "the integral of w is not asked for", "steps")
    return found


def positive_mass(noise: Noise, step: Any) -> Interval:
    z = mass(noise, step["mass"], step.get("bounded", ()), step.get("values", ()))
    require(z.lo > 0, "the integral of w is not shown positive", "K154")
    return z


def rough(how: Any) -> bool:
    """Whether a step names bounds that rest on the pure epsilon, or on a set."""
    return isinstance(how, dict) and set(how) == {"rough"} and isinstance(how["rough"], dict)


WAYS: dict[str, tuple[tuple[str, ...], str, Any]] = {
    "Theorem B": (("positive", "decreasing", "integrable"), "Theorem 3", at_point)}
"""What each theorem asks of f, whose bound of a pure loss it takes, and how it bounds delta."""
CUT = {"Theorem B": "delta(eps) from that of a cut",
       "Theorem E": "the worst of all shifts from that of a cut"}
"""What each theorem says of f where it holds for a cut of f."""


def panels(step: Any) -> int:
    """How many panels a step names at most: its marks and cuts; coefficients of boundaries, and
    rows, which have no order, apart."""
    if isinstance(step, dict):
        return sum(panels(value) for name, value in step.items() if name not in APART)
    return sum(map(panels, step)) if isinstance(step, list) else 1


@rule("K162")
def quantiles(claim: Any) -> None:
    """eps(delta) between two bounds.

    Lemma.  delta(eps) does not rise with eps, and falls where it is not 0; so where it is at least
    the target, which is positive, the least eps is no smaller, and where it is at most the target
    no larger.
    """
    require(isinstance(claim["quantiles"], list), "quantiles is not a list", "format")
    at = {rational(p["epsilon"], "epsilon"): ends(p["delta"], "delta") for p in claim["points"]}
    for quantile in claim["quantiles"]:
        record(quantile, "quantile", {"delta", "epsilon"})
        target = rational(quantile["delta"], "delta")
        low, high = ends(quantile["epsilon"], "epsilon")
        require(target > 0, "the delta of a quantile is not positive", "K162")
        known = high in at and at[high][1] <= target and (low == 0 or low in at)
        known = known and (low == 0 or at[low][0] >= target)
        require(known, "no point shows an epsilon between its bounds")


def said(claim: Any) -> str:
    """The claim in one line."""
    points = listed(claim["points"])
    if "infinite" in claim:
        points += f"; at least {claim['infinite']} of the loss is infinite"
    measures = "".join(
        f"; {m['value']['lower']} <= {m['name']}{'' if m['at'] is None else ' at ' + m['at']}"
        f" <= {m['value']['upper']}" for m in claim.get("measures", ()))
    return f"profile: {said_of(claim)}, {points}{measures}"


KINDS["profile"] = (check, said)
BROUGHT["quantiles of delta"] = quantiles

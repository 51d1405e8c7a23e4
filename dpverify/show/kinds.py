"""Reports on certificates of profiles, compositions and mixtures: the claim in words and formulas, and its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpverify.numerals import short
from dpverify.show.claims import NOISE as MECHANISM
from dpverify.show.claims import claim_rows, down, theorem, up
from dpverify.show.formulas import latex
from dpverify.show.sheet import Part, Row, Sheet
from dpverify.show.words import HEADLINES, TONES, shortened

MANY, SHOWN = 24, 12
FLOATS = (
    "It is about real numbers. A sampler that computes in floating point draws another law, whose low bits can "
    "give data away; no certificate covers it."
)
SENSITIVITY = (
    "The sensitivity Δ is the user's claim, and so is the positive definite matrix Σ in whose norm it is measured."
)
NOISE = (
    "It is about noise that is drawn fresh, independent of the data, and as f says; not about how the noise is "
    "drawn, what else is released, or who sees timings and seeds."
)
DIVERGENCE = r"\delta(\varepsilon) = \sup_{A}\, \left(P(A) - e^{\varepsilon} Q(A)\right)"
THEOREM_B = (
    "By Theorem B: for an f that never rises, neighbours at the distance Δ are the easiest to tell apart, so that "
    "their divergence is the profile."
)
THEOREM_E = (
    "By Theorem E: the profile is the supremum of the divergences of neighbours at all distances up to Δ, since f is "
    "not shown to fall."
)
THEOREM_C = (
    "By Theorem C: in infinite dimension whoever sees the release knows V, so that the profile is the mean over V of "
    "the Gaussian's, for neighbours at the distance Δ."
)
OPTIMAL = (
    "By the optimal composition theorem of Kairouz, Oh and Viswanath (2015): the best guarantee that follows from the "
    "parts' epsilons, for releases that may depend on what was released before."
)
EXACTLY = (
    "By exact products of privacy loss measures on a grid: one that dominates each part's profile, and where a lower "
    "bound is told one that is dominated by it."
)
PATH = "A mechanism that releases T(D) + σX in a Hilbert space, X the Gaussian scale mixture below, is"
BLEND = "A mechanism that releases T(D) + σX in d dimensions, X the Gaussian scale mixture below, is"
WHAT = {"profile": MECHANISM, "mixture profile": PATH, "spatial mixture profile": BLEND}
PROFILES = tuple(WHAT)
WAYS = {
    "Theorem B": THEOREM_B,
    "Theorem C": THEOREM_C,
    "Theorem E": THEOREM_E,
    "optimal composition": OPTIMAL,
    "composition of profiles": EXACTLY,
}
"""How each theorem of a claim leads to its points."""


def report_of_kind(claim: Mapping[str, Any], ending: Sequence[Part], about: Sheet) -> Sheet:
    """The report on an accepted certificate whose claim has a kind; `ending` are the parts that all reports have,
    `about` a sheet that has its names."""
    if claim["kind"] == "mixture":
        return _mixture(claim, ending, about)
    profile = claim["kind"] in PROFILES
    coda = WAYS[claim["theorem"]]
    title = "A privacy profile" if profile else "A composition"
    rows = _releases(claim["parts"]) if not profile else _noise(claim) if "generator" in claim else _law(claim)
    parts = [Part("The claim", rows=tuple(rows), coda=coda), _points(claim), *ending]
    parts.append(Part("What it does not cover", points=_limits(claim)))
    return replace(about, title=title, tone="good", lead=_lead(claim), statement=DIVERGENCE, parts=tuple(parts))


def _lead(claim: Mapping[str, Any]) -> str:
    """The first point in a sentence."""
    what = WHAT.get(claim["kind"], "The releases below are together")
    point = claim["points"][0]
    epsilon, delta = short(Fraction(point["epsilon"]), 8, "up"), Fraction(point["delta"]["upper"])
    more = len(claim["points"]) - 1
    others = f", and so for {more} more points" if more else ""
    return f"{what} (ε, δ)-differentially private for ε = {epsilon}, δ = {up(delta)}{others}."


def _noise(claim: Mapping[str, Any]) -> list[Row]:
    """Generator, dimension, parameters, Δ and σ, as the report of an epsilon has them."""
    bare = dict.fromkeys(("epsilon", "closed_form", "tail_log_ratio"))
    return claim_rows({**claim, **bare})


def _law(claim: Mapping[str, Any]) -> list[Row]:
    """The law of V, and what else the claim is about."""
    atoms = ":" in claim["mixing"]
    density = None if atoms else latex(claim["mixing"])
    law = Row(
        "Mixing law",
        "X = V Z, Z standard Gaussian; "
        + ("weight: value of each atom of V" if atoms else "the density of V in v, up to a factor"),
        None if density is None else f"p(v) = {density}",
        shortened(claim["mixing"], 1000),
    )
    bare = dict.fromkeys(("epsilon", "closed_form", "tail_log_ratio"))
    return [law, *claim_rows({**bare, **claim, "generator": "1"})[1:]]


def _releases(parts: Sequence[Mapping[str, Any]]) -> list[Row]:
    found = []
    for part in parts:
        sampling = part.get("sampling")
        on = f" on a {sampling['kind']} sample of {sampling['rate']} of the records" if sampling else ""
        each = f" of ε ≤ {up(Fraction(part['epsilon']))}" if "epsilon" in part else ""
        found.append(Row("Release", f"{part['times']} times{each}{on}, certificate", code=part["digest"]))
    return found


def _points(claim: Mapping[str, Any]) -> Part:
    """Every point, or some of many, with both bounds."""
    points = claim["points"]
    chosen = range(len(points))
    if len(points) > MANY:
        chosen = sorted({round(k * (len(points) - 1) / (SHOWN - 1)) for k in range(SHOWN)})  # type: ignore[assignment]
    notes = (f"{len(chosen)} of its {len(points)} points; the file has all.",) if len(points) > MANY else ()
    rows = []
    for k in chosen:
        lower, upper = (Fraction(points[k]["delta"][end]) for end in ("lower", "upper"))
        epsilon = short(Fraction(points[k]["epsilon"]), 12, "near")
        rows.append(Row(f"ε = {epsilon}", f"δ between {down(lower)} and {up(upper)}"))
    for quantile in claim["quantiles"]:
        lower, upper = (Fraction(quantile["epsilon"][end]) for end in ("lower", "upper"))
        rows.append(
            Row(f"δ = {short(Fraction(quantile['delta']), 12)}", f"the least ε between {down(lower)} and {up(upper)}")
        )
    return Part("The points", notes, tuple(rows))


def _mixture(claim: Mapping[str, Any], ending: Sequence[Part], about: Sheet) -> Sheet:
    """A Gaussian scale mixture X = V Z by the density of V."""
    rows = _law(claim)
    private = claim["verdict"] == "private"
    noise = "A mechanism that releases T(D) + σX, X the Gaussian scale mixture below, is"
    lead = f"{noise} differentially private for no ε, whatever σ and Δ > 0."
    if private:
        lower, upper = (Fraction(claim["epsilon"][end]) for end in ("lower", "upper"))
        lead = f"{noise} ε-differentially private for ε = {up(upper)}, and for no ε below {down(lower)}."
    parts = [Part("The claim", rows=tuple(rows), coda=theorem(claim)), *ending]
    parts.append(Part("What it does not cover", points=(FLOATS, SENSITIVITY, NOISE)))
    verdict = claim["verdict"]
    return replace(about, title=HEADLINES[verdict], tone=TONES[verdict], lead=lead, parts=tuple(parts))


def _limits(claim: Mapping[str, Any]) -> tuple[str, ...]:
    if claim["kind"] in PROFILES:
        return FLOATS, SENSITIVITY, "It is about one release; `dpverify compose` joins several.", NOISE
    parts = "Of each part it covers what the part's own certificate covers, and no more."
    return FLOATS, parts, "The parts' sensitivities are their users' claims.", NOISE

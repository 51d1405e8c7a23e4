"""From the prover's panels to a certificate: the kernel replays them, and its own bounds are what is claimed.

Nothing here is trusted, since whoever receives the certificate has it checked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

from dpverify.attempts import WIDER, Attempts
from dpverify.certificate.farther import farther, movable
from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections.charts import Problem
from dpverify.profiles.covered import with_cover
from dpverify.profiles.pair import of_one_pair
from dpverify.profiles.reach import TooNear, must_reach
from dpverify.profiles.replay import WIDTH, TooFew, as_known, followed, shown_atom
from dpverify.profiles.result import Enclosed, Measure, Point, Profile, rounded, said_of, width_of
from dpverify.profiles.steps import joint
from dpverify.profiles.worst import beside, one_shift, written
from dpverify.prover.profile import RISING, Rising
from dpverify.prover.profile.cut import Cut
from dpverify.prover.profile.generator import STEPPING

if TYPE_CHECKING:
    from dpverify.certificate.seal import Support
    from dpverify.profiles.question import Question
    from dpverify.prover.profile import Divergence
    from dpverify.prover.profile import Profile as Prover
    from dpverify.prover.profile.mass import Part
    from dpverify.prover.profile.panels import Panel
    from dpverify.results import Result

SECTIONS = (
    "profiles", "normal", "staircases", "supports", "atoms", "measures", "suprema", "moments", "gaussians", "shifts",
    "layers", "turning", "shells", "values", "mills", "powers", "leaps", "pairs",
    "rough", "riccati", "brims", "majorants", "cuts_that_rise", "units", "directions", "renyi",
    "brackets", "brinks", "patches", "balls", "vanishing", "kullback", "faint",
)  # fmt: skip
DIGITS = 13
ROUGHLY, PURELY, WIDEST = Fraction(1), Fraction(2), max(WIDER)
"""In place of a width: by the pure epsilon and one shift, and by the pure epsilon alone."""
REPLAYED = "the checker replays the proof"
REPLAY = Fraction(1, 2)
"""The part of the time left that a certificate may take while a wider one can follow."""
TOO_LONG = "the checker was not through it in time"


def certified(
    found: Profile,
    question: Question,
    verified: Result,
    prover: Prover,
    asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]],
) -> Profile:
    """The profile with its certificate, and the measures that it claims as it claims them; without one, and with the
    reason, where the kernel does not follow."""
    fine, failure, certificate = max(WIDTH, width_of(found.points)), "", None
    attempts, known = Attempts[dict[str, Any]](fine, REPLAY, REPLAY), dict[str, Any]()
    widths = list[Fraction]() if prover.pure is None or asked[1] else [ROUGHLY, PURELY]
    for width in chain(attempts, widths):
        wider = None if width == fine else width
        try:
            certificate = attempts.tried(
                lambda _, at=wider: _certificate(found, question, verified, prover, asked, at, known)  # type: ignore[misc]
            )
        except (Undecided, Rejected) as error:
            failure = failure or " ".join(str(error).split())
            if asked[1] or prover.cut is not None or not _wider_helps(error):
                break
        if certificate is not None:
            break
    if certificate is None:
        return replace(found, reason=f"{found.reason} There is no certificate: {failure or TOO_LONG}.")
    if not asked[1] and not isinstance(prover.cut, Cut):
        claimed = _as_claimed(found, certificate["claim"], question)
        if width_of(claimed.points) > 2 * max(question.tolerance, width_of(found.points)):
            found = claimed
    claim = certificate["claim"]
    proved = {(m["name"], m["at"]): _enclosed(m["value"]) for m in claim.get("measures", ())}
    measures, reason = tuple(_certified(m, proved) for m in found.measures), found.reason
    for before, after in zip(found.measures, measures, strict=True):
        reason = reason.replace(str(before), str(after))
    assumptions = tuple(certificate["assumptions"])
    return replace(found, reason=reason, measures=measures, certificate=certificate, assumptions=assumptions)


def _wider_helps(error: Exception) -> bool:
    """Whether the kernel might follow a wider enclosure, as it does not where it does not show the hypotheses."""
    return not (isinstance(error, Undecided) and error.finding.why is Reason.CHECKER_NOT_FOLLOWING)


def _as_claimed(found: Profile, claim: dict[str, Any], question: Question) -> Profile:
    """The points as the certificate has them, which are known less well than the prover knows them, as the reason
    says."""
    points = [Point(Fraction(p["epsilon"]), _enclosed(p["delta"])) for p in claim["points"]]
    closer = said_of(found.points, question.tolerance)
    told, _, rest = found.reason.partition(closer)
    said = f"{told}{said_of(points, question.tolerance)}{rest} The prover alone, without the checker, finds: {closer}."
    return replace(found, points=tuple(points), reason=said)


def _certified(measure: Measure, proved: dict[tuple[str, str | None], Enclosed]) -> Measure:
    """The measure as the certificate has it, if it does."""
    value = proved.get((measure.name, None if measure.at is None else str(measure.at)))
    return measure if value is None else replace(measure, value=value, decided=True, certified=True)


def _enclosed(ends: dict[str, str]) -> Enclosed:
    return Enclosed(Fraction(ends["lower"]), Fraction(ends["upper"]))


def _certificate(
    found: Profile,
    question: Question,
    verified: Result,
    prover: Prover,
    asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]],
    wider: Fraction | None,
    known: dict[str, Any],
) -> dict[str, Any]:
    """The certificate; that of the pure epsilon is kept from one attempt to the next."""
    from dpverify.certificate.complete import Incomplete, certified
    from dpverify.certificate.seal import sealed

    if verified.draft is None:
        raise Undecided(Reason.NO_PROOF_TO_REPLAY())
    question.progress(REPLAYED, 0)
    try:
        draft = {**verified.draft, "shared": True}
        pure = known.get("pure") or verified.certificate or certified(replace(verified, draft=draft)).certificate
    except Incomplete as error:
        raise Undecided(Reason.CHECKER_NOT_FOLLOWING(failure=str(error))) from None
    assert pure is not None
    known["pure"] = pure
    for section in SECTIONS:
        kernel.load_section(section)
    for section in pure["rules"]:
        if section != "core":
            kernel.load_section(section)
    while True:
        try:
            claim, proof, support = _followed(found, question, prover, asked, wider, pure)
        except TooNear as error:
            prover.further(error.end)
        except TooFew:
            prover.as_many()
        else:
            return sealed(claim, proof, support)


def _followed(
    found: Profile,
    question: Question,
    prover: Prover,
    asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]],
    wider: Fraction | None,
    pure: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any], Support]:
    """What the kernel shows, the steps by which it does, and what these rest on."""
    points, quantiles = _points(prover, asked, wider)
    claim = _claim(question, points, quantiles) | {"theorem": prover.theorem}
    shift = None
    if isinstance(prover, Rising) and question.curve is not None and prover.cut is None:
        points, shift = of_one_pair(prover, points)
    proof = {**pure["proof"], "profile": _steps(prover, points)}
    if prover.theorem == RISING or any(p.rough for p in points):
        beside(proof, claim, pure["claim"]["epsilon"])
    if proof.get("torus"):
        proof["torus"] = {**proof["torus"], "peak": None}  # which shows a lower bound of the pure epsilon alone
    if prover.cut is not None:
        proof |= prover.cut.steps()
        if isinstance(prover.cut, Cut) and Fraction(proof["infinity"]["radius"]) == prover.cut.end and movable(proof):
            proof = farther(proof, 2)  # at its very end an f is not 0 by its model yet
    if pure["claim"]["hypotheses"]["positive"] != "proved" and "cover" in proof:
        proof = with_cover(claim, proof)
    must_reach(claim, proof, prover.reach)
    if found.infinite is not None:
        atom = prover.atom(WIDTH)
        assert atom is not None
        proof["atom"] = atom.step()
        shown = min(atom.lower * (1 - WIDTH / 10**3), shown_atom(claim, proof))
        claim["infinite"] = str(max(Fraction(0), rounded(shown, DIGITS, False)))
    token = LEDGER.set(Ledger())
    try:
        replay = followed(question, claim, proof, points, prover.fewer)
        proof = replay.proof
        for point, (low, high) in zip(claim["points"], replay.bounds, strict=True):
            least, most = (rounded(x, DIGITS, way) for x, way in zip(as_known(low, high), (False, True), strict=True))
            point["delta"] = {"lower": str(max(least, Fraction(0))), "upper": str(min(most, Fraction(1)))}
        if shift is not None:
            claim["pair"] = {"shift": str(shift), "lower": _pair(replay.problem, shift, points)}
        if question.wanted and (question.curve is not None or prover.rate or found.measures):
            more, steps = _measures(claim, proof, question, prover, found.measures)
            claim, proof = claim | more, proof | steps
    finally:
        LEDGER.reset(token)
    return claim, proof, replay.support(claim, proof)


def _points(
    prover: Prover, asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], wider: Fraction | None
) -> tuple[list[Divergence], list[dict[str, Any]]]:
    """What the prover found for the kernel, narrower than is claimed, at every eps of the claim; or wider, anew."""
    from dpverify.prover.profile import nearly

    points = [_point(prover, e, wider) for e in asked[0]]
    quantiles = []
    for delta in asked[1]:
        ends = nearly(prover, delta, WIDTH)
        points += [_anew(prover, x, delta) for x in ends if x.epsilon or not _rests_on_pure(ends)]
        low, high = (str(x.epsilon) for x in ends)
        quantiles.append({"delta": str(delta), "epsilon": {"lower": low, "upper": high}})
    return points, quantiles


def _point(prover: Prover, epsilon: Fraction, wider: Fraction | None) -> Divergence:
    if wider is None:
        return prover.nearly(epsilon, WIDTH)
    found = prover.roughly(epsilon) if wider >= ROUGHLY else None
    if found is None:
        return prover.found(epsilon, min(wider, WIDEST))
    if wider == ROUGHLY or found.rough is None:
        return found
    return replace(found, lower=Fraction(0), accuracy=None, rough=replace(found.rough, anchor=None))


def _rests_on_pure(ends: Sequence[Divergence]) -> bool:
    """Whether the larger end of a quantile follows from the pure epsilon, the smaller being 0."""
    return ends[-1].rough is not None or ends[-1].accuracy is None


def _anew(prover: Prover, end: Divergence, target: Fraction) -> Divergence:
    """The end of a quantile, where delta is to be told from the target, for the kernel."""
    if end.rough is not None or (end.accuracy is None and not end.normal):
        return end
    slack = abs(end.lower - target) / target
    return prover.at(end.epsilon, max(WIDTH / 400, min(WIDTH / 4, slack / 8)))


def _claim(question: Question, points: Sequence[Divergence], quantiles: list[dict[str, Any]]) -> dict[str, Any]:
    generator = question.generator
    unknown = {"lower": "0", "upper": "1"}
    return {
        "kind": "profile",
        "verdict": "profile",
        "generator": generator.text,
        "parameters": {name: str(value) for name, value in generator.parameters.items()},
        "dimension": generator.dimension,
        "sensitivity": str(question.sensitivity),
        "scale": str(question.scale),
        "points": [{"epsilon": str(p.epsilon), "delta": dict(unknown)} for p in points],
        "quantiles": quantiles,
    }


def _measures(
    claim: dict[str, Any], proof: dict[str, Any], question: Question, prover: Prover, known: Sequence[Measure]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the checker derives of the measures wanted, for the claim, and what it is told for that."""
    from dpverify.profiles.proofs import by_points, gaussian, of_orders, of_rho

    wanted = question.wanted
    assert wanted is not None
    if prover.rate:
        found, step = gaussian(prover, wanted)
    else:
        found, step = of_orders(claim, proof, known, prover)
        if question.curve is not None:
            rest = replace(wanted, renyi=tuple(x for x in wanted.renyi if x not in {at for _, at, *_ in found}))
            first = of_rho(claim, proof, known, prover)
            others, more = by_points(claim, proof, rest, prover, marks_of, first)
            integrals = {x["at"]: x for way in (step, more) for x in way.get("integrals", ())}
            found, step = found + others, step | more
            if integrals:
                step["integrals"] = list(integrals.values())
    listed = [
        {
            "name": name,
            "at": None if at is None else str(at),
            "value": {
                "lower": str(rounded(max(low, Fraction(0)), DIGITS, False)),
                "upper": str(rounded(high, DIGITS, True)),
            },
        }
        for name, at, low, high in found
    ]
    return ({"measures": listed} if listed else {}), ({"measures": step} if listed and step else {})


def _steps(prover: Prover, points: Sequence[Divergence]) -> dict[str, Any]:
    if points and all(p.normal or (p.rough and not p.rough.anchor) for p in points):
        return {"order": 6, "mass": None, "points": [steps_of(p) for p in points]}
    known = [p.accuracy for p in points if p.accuracy is not None]
    accuracy = max(known, key=lambda a: a.order) if known else prover.usual(WIDTH)
    mass = marks_of(prover.parts[accuracy])
    more = _tail(prover.radial().tail(Fraction(mass[-1])))
    bounded = _bounded(prover.parts[accuracy], mass)
    if bounded:
        more["bounded"] = bounded
    values = [k for k, a in enumerate(mass[:-1]) if a in {str(x.a) for x in prover.parts[accuracy] if x.values}]
    if values:
        more["values"] = values
    return {"order": accuracy.order // 2, "mass": mass, "points": [steps_of(p) for p in points], **more}


def _bounded(parts: Sequence[Part], marks: list[str]) -> list[int]:
    """The places of the panels on which w has a bound alone, as f may have a kink there."""
    kinks = {str(x.a) for x in parts if x.b is not None and not x.centre and x.value == 0 and x.cost > 0}
    return [k for k, a in enumerate(marks[:-1]) if a in kinks]


def _tail(known: tuple[str, Fraction] | None) -> dict[str, Any]:
    if known is None:
        return {}
    way, number = known
    return {"tail": str(number) if way == STEPPING else {way: str(number)}}


def marks_of(parts: Sequence[Part] | Sequence[Panel]) -> list[str]:
    """The ends of all panels between the centre's, if that is not a panel, and the tail."""
    inner = [p for p in parts if p.b is not None]
    first = 0 if inner[0].a or not _is_centre(inner[0]) else 1
    return [str(inner[first].a), *(str(p.b) for p in inner[first:])]


def _is_centre(part: Any) -> bool:
    return bool(getattr(part, "centre", False))


def steps_of(point: Divergence) -> Any:
    """What the kernel is told of one point."""
    if point.normal:
        return "normal"
    if point.rough is not None:
        anchor = point.rough.anchor
        more = {} if anchor is None else {"set": one_shift(anchor)}
        return {"rough": {"pure": str(point.rough.pure), **more}}
    if point.accuracy is None:
        return "pure"
    if point.worst is not None:
        return written(point.worst)
    if point.stretches:
        found: dict[str, Any] = {}
        for name, side in (("left", -1), ("right", 1)):
            ordered = sorted((x for x in point.stretches if x.side == side and x.b is not None), key=lambda x: x.a)
            kept = [x for x in ordered if not _is_centre(x)]
            found[name] = [str(kept[0].a), *(str(x.b) for x in kept)] if kept else []
            found[f"{name}_sets"] = "".join(x.kind for x in kept)
        return found
    panels = [p for p in point.panels if p.b is not None and not _is_centre(p)]
    return {
        "marks": [str(panels[0].a), *(str(p.b) for p in panels)],
        "sets": "".join(p.word for p in panels),
        "boundaries": [[str(c) for c in p.boundary] for p in panels],
        "joints": [joint(list(steps)) for _, steps in groupby(point.steps, key=lambda s: s.rho)],
    }


def _pair(problem: Problem, shift: Fraction, points: Sequence[Divergence]) -> list[str]:
    """At least the divergence of one pair at each point, as the kernel encloses it."""
    found = [problem.known.get(("H", point.epsilon, shift)) for point in points]
    return [str(rounded(Fraction(x.lo), DIGITS, False)) if x is not None and x.lo > 0 else "0" for x in found]

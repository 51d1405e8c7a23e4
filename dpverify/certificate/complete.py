"""The untrusted completer: from what a prover found to a certificate that the kernel replays.

The prover says where: charts, boxes, shifts, phases, a witness.  The kernel wants to be told how as
well: which rule meets each need, bounds each piece and evaluates each node.  The likeliest rules are
tried first, then `hints` and `ways` search for them with the kernel's own functions, then `finer` bisects
what the kernel's arithmetic cannot follow, and `farther` moves the tail; `coarser` merges what it follows in
larger boxes, and each time the kernel replays the whole.  Nothing here is trusted, since the certificate is
checked again by whoever receives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

from dpverify.certificate.coarser import coarser
from dpverify.certificate.farther import FACTORS, IN_THE_TAIL, STARTS, farther, movable, nearer, sooner
from dpverify.certificate.finer import finer
from dpverify.certificate.hints import Hints
from dpverify.certificate.idle import NEEDED
from dpverify.certificate.orders import lower_orders
from dpverify.certificate.possible import possible
from dpverify.certificate.readings import Readings
from dpverify.certificate.seal import Support, replayed, sealed
from dpverify.certificate.ways import without_idle_ways
from dpverify.errors import DpverifyError
from dpverify.kernel import Rejected
from dpverify.kernel.sections import waves
from dpverify.kernel.sections.fields import points
from dpverify.numerals import rounded, simplest_between
from dpverify.results import Result

ORNAMENTS = {"K32": "tail_log_ratio", "K33": "closed_form"}
"""What a claim may leave out, by the rule that refused it: the rest is proved with it or without."""
FINAL = {"K4", "K9", "K33", "format", "limits", "claim"}
"""Refusals that no other rule and no smaller box mends."""
MANY = 12
"""Boxes of which a tail that begins sooner may spare some."""
BY_CHANCE = 10
"""How many numbers of so many characters may lie in an enclosure where one of them is tried as the exact epsilon."""
LITTLE, DIGITS = Fraction(1, 10**14), 15
"""By how much, and to how many digits, a lower bound is rounded down that the kernel does not reach."""
Replayed = tuple[dict[str, Any], Support]
"""A proof, and what the kernel says that it rests on."""


class Incomplete(DpverifyError):
    """No certificate was found that the kernel accepts; the message is its reason, with the rule."""


def certified(result: Result, tick: Callable[[], None] = lambda: None) -> Result:
    """The result with its certificate, and with those ornaments of the claim that the kernel can enclose.

    Raises Incomplete where the kernel does not follow.
    """
    assert result.draft is not None
    draft, readings = result.draft, Readings(result.draft["claim"])
    shorter = _level(draft, tick, readings) or _narrower(draft, tick, readings)
    certificate = shorter or complete(draft, tick, readings=readings)
    claim = certificate["claim"]
    epsilon = result.epsilon
    if epsilon is not None:
        lower, upper = (Fraction(claim["epsilon"][end]) for end in ("lower", "upper"))
        epsilon = replace(epsilon, lower=lower, upper=upper)
    if epsilon is not None and claim["closed_form"] is None:
        epsilon = replace(epsilon, closed_form=None)
    tail = result.tail_log_ratio if claim["tail_log_ratio"] is not None else None
    assumptions = tuple(certificate["assumptions"])
    return replace(
        result,
        certificate=certificate,
        epsilon=epsilon,
        tail_log_ratio=tail,
        assumptions=assumptions,
    )


def _level(draft: Mapping[str, Any], tick: Callable[[], None], readings: Readings) -> dict[str, Any] | None:
    """The certificate of an epsilon that is one short number: the limit of a loss that is level, or rises to it, or a
    loss that no slope lets be larger."""
    if draft["claim"]["epsilon"] is None:
        return None
    by_slopes = _by_slopes(draft)
    if draft["proof"]["witness"]["near"] == "box" and by_slopes is None:
        return None
    low, high = (Fraction(draft["claim"]["epsilon"][end]) for end in ("lower", "upper"))
    exact = str(simplest_between(low, high))
    if not high or (high - low) / high * 10 ** len(exact) > BY_CHANCE or 2 * low < high:
        return None
    ends = {"lower": exact, "upper": exact}
    found = _within(draft, ends, tick, readings)
    return found or (_within(by_slopes, ends, tick, readings) if by_slopes else None)


def _by_slopes(draft: Mapping[str, Any]) -> dict[str, Any] | None:
    """The draft with slopes in the place of other boxes, where the prover has both, or these alone."""
    step = draft["proof"]["supremum"]
    if not step.get("slopes"):
        return None
    return {**draft, "proof": {**draft["proof"], "supremum": {**step, "cover": []}}}


def _within(
    draft: Mapping[str, Any], ends: Mapping[str, str], tick: Callable[[], None], readings: Readings
) -> dict[str, Any] | None:
    """The certificate of the draft with other ends of epsilon, if the kernel follows at once."""
    try:
        return complete({**draft, "claim": {**draft["claim"], "epsilon": ends}}, tick, False, readings)
    except Incomplete:
        return None


def _narrower(draft: Mapping[str, Any], tick: Callable[[], None], readings: Readings) -> dict[str, Any] | None:
    """The certificate of the draft with an enclosure as narrow as was asked for, where the prover's is not.

    At a jump a ball's radius, of thirty bits, hides what the kernel's ends of intervals show, and so it does
    beyond the chart at the centre, which is then made smaller.
    """
    if "narrower" not in draft:
        return None
    claim, found = draft["claim"], draft["proof"]
    if claim["theorem"] == "Theorem A":
        found = nearer(found, Fraction(claim["sensitivity"]) / Fraction(claim["scale"]))
    return _within({**draft, "proof": found}, {**claim["epsilon"], "upper": draft["narrower"]}, tick, readings)


def complete(
    draft: Mapping[str, Any],
    tick: Callable[[], None] = lambda: None,
    patient: bool = True,
    readings: Readings | None = None,
) -> dict[str, Any]:
    """The certificate of a draft: the claim, and the steps as a prover, or an old file, names them.

    `patient` is to bisect what the kernel cannot follow. On the steps of a draft that is "shared" claims of another
    kind are to rest too: what is enough for its epsilon alone is not chosen.

    Raises Incomplete where the kernel does not follow.
    """
    claim, readings = dict(draft["claim"]), readings or Readings(draft["claim"])
    while True:
        try:
            return _complete(draft, claim, tick, patient, readings)
        except Rejected as refusal:
            ornament = ORNAMENTS.get(refusal.code)
            if refusal.code == "K29" and patient and claim["epsilon"] == draft["claim"]["epsilon"]:
                claim["epsilon"] = _a_little_lower(claim["epsilon"])
                continue
            if ornament is None or claim[ornament] is None:
                why = f"{refusal} [{refusal.code}]" if refusal.code else str(refusal)
                raise Incomplete(why) from None
            claim[ornament] = None


def _a_little_lower(epsilon: Mapping[str, str]) -> dict[str, str]:
    """The ends of epsilon, the lower one rounded down once more: a loss that is exactly that large the kernel encloses
    from a last digit below on."""
    low = Fraction(epsilon["lower"])
    return {**epsilon, "lower": str(rounded(low * (1 - LITTLE), DIGITS, "down"))}


def _complete(
    draft: Mapping[str, Any], claim: dict[str, Any], tick: Callable[[], None], patient: bool, readings: Readings
) -> dict[str, Any]:
    found, shared = draft["proof"], "shared" in draft
    by_order = [Hints(claim, lower, tick, shared, readings) for lower in (*lower_orders(draft), found)]
    try:
        proof, support = _attempted(by_order, patient)
    except Rejected as refusal:
        if not (patient and refusal.code in IN_THE_TAIL and movable(found)):
            raise
        proof, support = _with_a_later_tail(by_order[-1])
    return sealed(claim, proof, support, draft["program"])


def _attempted(by_order: Sequence[Hints], patient: bool) -> Replayed:
    """What the kernel follows of the likeliest rules, of those that are seen to hold, and of smaller boxes; with models
    of the lowest order, since what they take grows with its third power."""
    attempts: list[tuple[Callable[[Hints], dict[str, Any]], Hints]]
    attempts = [(step, hints) for step in (Hints.plain, Hints.searched) for hints in by_order]
    attempts += [(finer, by_order[-1])] if patient else []
    refused: list[dict[str, Any]] = []
    failure = Rejected("nothing was tried")
    for step, hints in attempts:
        try:
            proof = step(hints)
            if proof in refused:
                raise failure
            refused.append(proof)
            if not patient:
                _outermost_below(hints)
                _below_at_the_peak(hints, proof)
            return _shortest(hints, proof)
        except Rejected as refusal:
            failure = refusal
            if refusal.code in FINAL:
                break
    raise failure


def _outermost_below(hints: Hints) -> None:
    """Raise Rejected where the loss on one of the outermost boxes is not below the claim: that is soon seen."""
    if hints.claim["theorem"] != "Theorem 3" or not hints.found["supremum"]["cover"]:
        return
    boxes, c = list(pairwise(points(hints.found["supremum"]["cover"], "supremum.cover"))), hints.largest()
    for a, b in boxes[: -MANY - 1 : -1]:
        hints.tick()
        if (c is None or not a < c < b) and not hints.below(a, b):
            raise Rejected("the loss is not below the claim on an outermost box")


def _below_at_the_peak(hints: Hints, proof: Mapping[str, Any]) -> None:
    """Raise Rejected where the loss is not below the claim on the phases at which it is about largest in the tail."""
    tail, marks = hints.replay.tail, proof.get("supremum", {}).get("phases")
    if hints.claim["theorem"] != "Theorem 3" or not isinstance(tail, waves.Phases) or not marks:
        return
    peak = Fraction(proof["phase"]["peak"])
    cell = next((cell for cell in pairwise(points(marks, "phases")) if cell[0] <= peak <= cell[1]), None)
    if cell is not None and not possible(lambda: tail.loss(tail.germ(*cell), hints.problem.delta).hi <= hints.most()):
        raise Rejected("the loss is not below the claim at the peak of a wave")


def _with_a_later_tail(hints: Hints) -> Replayed:
    for factor in FACTORS:
        other = hints.of(farther(hints.found, factor))
        try:
            return _shortest(other, finer(other))
        except Rejected as refusal:
            if factor == FACTORS[-1] or refusal.code not in IN_THE_TAIL:
                raise
    raise AssertionError("there are factors")


def _shortest(hints: Hints, proof: dict[str, Any]) -> Replayed:
    """The proof with merged boxes where the kernel follows it, else with those of the prover, and what it rests on."""
    if "undefined" not in proof:
        for other, longer in chain(_with_a_sooner_tail(hints, proof), [(hints, proof)]):
            try:
                shorter = coarser(other, longer)
                if shorter != proof:
                    return _replayed(other, shorter)
            except Rejected:
                hints.tick()
    return _replayed(hints, proof)


def _with_a_sooner_tail(hints: Hints, proof: dict[str, Any]) -> Iterator[tuple[Hints, dict[str, Any]]]:
    """Proofs whose tails, where nothing but the models' remainders is lost, take in many of the boxes."""
    if hints.shared or hints.claim["theorem"] != "Theorem 3" or not movable(hints.found):
        return
    for least in STARTS if len(proof["supremum"]["cover"]) > MANY else ():
        found = sooner(hints.found, least)
        if found is None:
            continue
        try:
            other = hints.of(found)
            plain = other.plain()
            if other.problem.far_loss(other.problem.infinity).span().hi <= other.most():
                yield other, plain
        except Rejected:
            hints.tick()


def _replayed(hints: Hints, proof: dict[str, Any]) -> Replayed:
    """The proof, less the second ways that are not taken and a step that no box and no loss makes use of, and what the
    kernel says that it rests on."""
    try:
        return proof, replayed(hints.claim, proof)
    except Rejected as refusal:
        if refusal.code != "steps" or not {"ways", *NEEDED} & set(proof):
            raise
    proof = without_idle_ways(hints.claim, proof)
    for name in NEEDED:
        if name in proof:
            plain = {other: step for other, step in proof.items() if other != name}
            with suppress(Rejected):
                return plain, replayed(hints.claim, plain)
    return proof, replayed(hints.claim, proof)

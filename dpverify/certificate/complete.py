"""The untrusted completer: from what a prover found to a certificate that the kernel replays.

The prover says where: charts, boxes, shifts, phases, a witness.  The kernel wants to be told how as
well: which rule meets each need, bounds each piece and evaluates each node.  The likeliest rules are
tried first, then `hints` and `ways` search for them with the kernel's own functions, then `finer` bisects
what the kernel's arithmetic cannot follow; `coarser` merges what it follows in larger boxes, and each time the kernel
replays the whole.  Nothing here is
trusted, since the certificate is checked again by whoever receives it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpverify.certificate.coarser import coarser
from dpverify.certificate.finer import finer
from dpverify.certificate.hints import Hints
from dpverify.certificate.ways import without_idle_ways
from dpverify.errors import DpverifyError
from dpverify.kernel import FORMAT, VERSION, Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import Ledger, by_section
from dpverify.results import Result, equals, spoken
from dpverify.serialise import digest

ORNAMENTS = {"K32": "tail_log_ratio", "K33": "closed_form"}
"""What a claim may leave out, by the rule that refused it: the rest is proved with it or without."""
FINAL = {"K4", "K9", "K33", "format", "limits", "claim"}
"""Refusals that no other rule and no smaller box mends."""


TOO_WIDE = re.compile(r" The enclosure is \S+ wide, more than was asked: [^.]*\.")


class Incomplete(DpverifyError):
    """No certificate was found that the kernel accepts; the message is its reason, with the rule."""


def certified(result: Result, tick: Callable[[], None] = lambda: None) -> Result:
    """The result with its certificate, and with those ornaments of the claim that the kernel can enclose.

    Raises Incomplete where the kernel does not follow.
    """
    assert result.draft is not None
    certificate = _narrower(result.draft, tick) or complete(result.draft, tick)
    claim = certificate["claim"]
    epsilon, reason = result.epsilon, result.reason
    if epsilon is not None and str(epsilon.upper) != claim["epsilon"]["upper"]:
        narrow = replace(epsilon, upper=Fraction(claim["epsilon"]["upper"]))
        reason = TOO_WIDE.sub("", reason).replace(equals(epsilon.decimal), equals(narrow.decimal))
        epsilon = narrow
    if epsilon is not None and claim["closed_form"] is None:
        reason = reason.replace(f"epsilon = {spoken(epsilon.closed_form or '')} = ", "epsilon = ")
        epsilon = replace(epsilon, closed_form=None)
    tail = result.tail_log_ratio if claim["tail_log_ratio"] is not None else None
    assumptions = tuple(certificate["assumptions"])
    return replace(
        result,
        certificate=certificate,
        epsilon=epsilon,
        reason=reason,
        tail_log_ratio=tail,
        assumptions=assumptions,
    )


def _narrower(draft: Mapping[str, Any], tick: Callable[[], None]) -> dict[str, Any] | None:
    """The certificate of the draft with an enclosure as narrow as was asked for, where the prover's is not.

    At a jump a ball's radius, of thirty bits, hides what the kernel's ends of intervals show.
    """
    if "narrower" not in draft:
        return None
    epsilon = {**draft["claim"]["epsilon"], "upper": draft["narrower"]}
    try:
        return complete({**draft, "claim": {**draft["claim"], "epsilon": epsilon}}, tick, patient=False)
    except Incomplete:
        return None


def complete(
    draft: Mapping[str, Any], tick: Callable[[], None] = lambda: None, patient: bool = True
) -> dict[str, Any]:
    """The certificate of a draft: the claim, and the steps as a prover, or an old file, names them.

    `patient` is to bisect what the kernel cannot follow.

    Raises Incomplete where the kernel does not follow.
    """
    claim = dict(draft["claim"])
    while True:
        try:
            return _complete(draft, claim, tick, patient)
        except Rejected as refusal:
            ornament = ORNAMENTS.get(refusal.code)
            if ornament is None or claim[ornament] is None:
                why = f"{refusal} [{refusal.code}]" if refusal.code else str(refusal)
                raise Incomplete(why) from None
            claim[ornament] = None


def _complete(
    draft: Mapping[str, Any], claim: dict[str, Any], tick: Callable[[], None], patient: bool
) -> dict[str, Any]:
    hints = Hints(claim, draft["proof"], tick)
    attempts: list[Callable[[], dict[str, Any]]] = [hints.plain, hints.searched]
    if patient:
        attempts.append(lambda: finer(hints))
    for attempt in attempts:
        try:
            proof, assumptions, rules = _shortest(hints, attempt())
            break
        except Rejected as refusal:
            if attempt is attempts[-1] or refusal.code in FINAL:
                raise
    certificate = {
        "format": FORMAT,
        "version": VERSION,
        "program": draft["program"],
        "claim": claim,
        "rules": rules,
        "proof": proof,
        "assumptions": assumptions,
    }
    certificate["digest"] = digest(certificate)
    return certificate


def _shortest(hints: Hints, proof: dict[str, Any]) -> tuple[dict[str, Any], list[str], dict[str, list[str]]]:
    """The proof with merged boxes where the kernel follows it, else with those of the prover, and what it rests on."""
    if "undefined" not in proof:
        try:
            shorter = without_idle_ways(hints.claim, coarser(hints, proof))
            return shorter, *_replayed(hints.claim, shorter)
        except Rejected:
            hints.tick()
    proof = without_idle_ways(hints.claim, proof)
    return proof, *_replayed(hints.claim, proof)


def _replayed(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> tuple[list[str], dict[str, list[str]]]:
    ledger = Ledger()
    assumptions = kernel.replay(claim, proof, ledger)
    return assumptions, by_section(ledger.used)

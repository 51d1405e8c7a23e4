"""A claim and the proof that the kernel has replayed, as a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from dpverify.kernel import FORMAT, VERSION, Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import Ledger, section_of
from dpverify.serialise import digest
from dpverify.version import __version__

PROGRAM = {"name": "dpverify", "version": __version__}
Support = tuple[list[str], dict[str, list[str]]]
"""The assumptions of a proof, and the rules it rests on by section."""


NARROWING = frozenset({"K287", "K490", "K560", "K565"})
"""Rules that a replay takes wherever it may, and that are left out of the list where it follows without them."""


class Sparing(frozenset[str]):
    """All rules but some of those that narrow, and which of these a replay asked for."""

    def __new__(cls, left_out: frozenset[str] = NARROWING) -> Sparing:
        return super().__new__(cls)

    def __init__(self, left_out: frozenset[str] = NARROWING) -> None:
        self.left_out, self.asked = left_out, set[str]()

    def __contains__(self, number: object) -> bool:
        if number in NARROWING:
            self.asked.add(str(number))
        return number not in self.left_out


def replayed(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> Support:
    """What the kernel says that a proof rests on, without rules that narrow what it follows without; raises its
    Rejected where it does not follow."""
    rules = Sparing()
    try:
        return _under(Ledger(rules), claim, proof)
    except (Rejected, ArithmeticError):
        if not rules.asked:
            raise
    all_rules, left_out = Sparing(frozenset()), frozenset[str]()
    found = _under(Ledger(all_rules), claim, proof)
    for number in sorted(all_rules.asked) if len(all_rules.asked) > 1 else ():
        with suppress(Rejected, ArithmeticError):
            found = _under(Ledger(Sparing(left_out | {number})), claim, proof)
            left_out |= {number}
    return found


def _under(ledger: Ledger, claim: Mapping[str, Any], proof: Mapping[str, Any]) -> Support:
    return kernel.replay(claim, proof, ledger), by_section(ledger.used)


def sealed(
    claim: Mapping[str, Any],
    proof: Mapping[str, Any],
    support: Support,
    program: Mapping[str, str] = PROGRAM,
) -> dict[str, Any]:
    """The certificate, with its digest."""
    assumptions, rules = support
    certificate = {
        "format": FORMAT,
        "version": VERSION,
        "program": program,
        "claim": claim,
        "rules": rules,
        "proof": proof,
        "assumptions": assumptions,
    }
    return {**certificate, "digest": digest(certificate)}


def by_section(numbers: set[str]) -> dict[str, list[str]]:
    """Rules in the order of their numbers, by section, as a certificate lists them."""
    listed: dict[str, list[str]] = {}
    for number in sorted(numbers, key=lambda n: int(n[1:])):
        listed.setdefault(section_of(number), []).append(number)
    return listed

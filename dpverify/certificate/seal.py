"""A claim and the proof that the kernel has replayed, as a certificate."""

from __future__ import annotations

from collections.abc import Mapping
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
    """All rules but those that narrow, and whether a replay asked for one of these."""

    asked = False

    def __contains__(self, number: object) -> bool:
        self.asked = self.asked or number in NARROWING
        return number not in NARROWING


def replayed(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> Support:
    """What the kernel says that a proof rests on; raises its Rejected where it does not follow."""
    rules = Sparing()
    try:
        return _under(Ledger(rules), claim, proof)
    except (Rejected, ArithmeticError):
        if not rules.asked:
            raise
    return _under(Ledger(), claim, proof)


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

"""What the tests of the kernel start from: every section loaded, problems on charts, and sealed certificates."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from dpverify.certificate.seal import by_section
from dpverify.kernel import RULES, SECTIONS
from dpverify.kernel import certificate as kernel
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import Ledger
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import Germ
from dpverify.kernel.sections.waves import Phases
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node
from dpverify.serialise import digest

for section in SECTIONS:
    kernel.load_section(section)

ENDS: dict[str, Any] = {"zero": {"radius": "1/1024", "order": 6}, "infinity": {"radius": "16", "order": 6}}


def tree(text: str, **names: Fraction) -> Node:
    return Reader(text, names).tree()


def on_charts(text: str, radius: int = 16, delta: Fraction = Fraction(1)) -> Problem:
    return Problem(tree(text, d=Fraction(1)), 1, delta, (Fraction(1, 64), 6), (Fraction(radius), 6))


def in_phases(text: str, turns: bool, radius: int = 16, delta: Fraction = Fraction(1)) -> Proof:
    """A proof whose tail is divided into cells of phases of frequency 1: here, one cell."""
    step = {"turns": turns, "frequency": "1", "cover": ["0", "2" if turns else "7"], "peak": "0"}
    return Proof(on_charts(text, radius, delta), Steps({"phase": step}))


def cell(proof: Proof, low: Fraction, high: Fraction) -> Germ:
    assert isinstance(proof.tail, Phases)
    return proof.tail.germ(low, high)


def written(text: str, verdict: str, hypotheses: dict[str, str], proof: dict[str, Any], **claim: Any) -> dict[str, Any]:
    """A certificate, not sealed; what is not said of the hypotheses is undecided, but f is defined."""
    return {
        "format": "dpverify-certificate",
        "version": 2,
        "program": {"name": "forger", "version": "1"},
        "claim": {
            "generator": text,
            "parameters": {},
            "dimension": 1,
            "sensitivity": "1",
            "scale": "1",
            "verdict": verdict,
            "epsilon": None,
            "closed_form": None,
            "tail_log_ratio": None,
            "hypotheses": {**dict.fromkeys(HYPOTHESES, "undecided"), "defined": "proved", **hypotheses},
            "theorem": None,
            **claim,
        },
        "rules": {},
        "proof": proof,
        "assumptions": [],
    }


def sealed(certificate: dict[str, Any], rules: dict[str, list[str]] | None = None) -> bytes:
    """With the rules given, or with all that there are, and with a fresh digest."""
    certificate["rules"] = by_section(set(RULES)) if rules is None else rules
    certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()


def proven(certificate: dict[str, Any]) -> bytes:
    """With the rules and the assumptions that its replay needs; raises Rejected where it does not hold."""
    ledger = Ledger()
    certificate["assumptions"] = kernel.replay(certificate["claim"], certificate["proof"], ledger)
    return sealed(certificate, by_section(ledger.used))

"""Running coqc on an export, and reading which axioms it printed."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from dpverify.export.coq import library
from dpverify.export.coq.text import QUESTION

NAME = "certificate.v"
REALS = (
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
)
ASKS = re.compile("^Print Assumptions ", re.MULTILINE)
MACHINE_INTEGERS = ("PrimInt63.", "Uint63.", "Int63.", "Sint63.")
PERMITTED = {
    "classical real numbers": "Coq's real numbers: classical logic, and functions are equal where their values are",
    "machine integers": "the processor's 63-bit integers, which the intervals compute with, and the laws they obey",
}
"""The families of axioms that an export may rest on, and what each says."""


@dataclass(frozen=True, slots=True)
class CoqReport:
    """What coqc said of an export: accepted or not, why not, and the axioms it rests on, by family."""

    accepted: bool
    message: str
    axioms: dict[str, list[str]]


def family(axiom: str) -> str | None:
    """The permitted family of an axiom, or None."""
    if axiom in REALS:
        return "classical real numbers"
    return "machine integers" if axiom.startswith(MACHINE_INTEGERS) else None


def printed_axioms(output: str) -> list[str]:
    """The names in what `Print Assumptions` printed."""
    _, found, listing = output.partition("Axioms:\n")
    return sorted(set(re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", listing, re.MULTILINE))) if found else []


def run_coqc(text: str, seconds: Fraction | None = None) -> CoqReport:
    """Have coqc check an export, in a folder of its own that is removed afterwards.

    An export that loads the library is given the compiled one, which is compiled first where need be, and is asked for
    its axioms too.
    A proof that rests on any other axiom than the permitted ones is not accepted. Raises InputError
    where coqc or the interval library is not installed, and where coqc takes longer than it may.
    """
    load = ("-R", str(library.compiled(seconds)), "Dpverify") if library.REQUIRE in text else ()
    with tempfile.TemporaryDirectory(prefix="dpverify-coq-") as folder:
        (Path(folder) / NAME).write_text(text if ASKS.search(text) else f"{text}{QUESTION}\n")
        done = library.run(Path(folder), NAME, seconds, *load)
    if done.returncode:
        return CoqReport(False, "coqc rejects the export: " + " ".join(done.stderr.split())[:300], {})
    return report(done.stdout)


def report(output: str) -> CoqReport:
    """The report on an export that compiled, from what it printed."""
    axioms: dict[str, list[str]] = {name: [] for name in PERMITTED}
    names = printed_axioms(output)
    if not names and "Closed under the global context" not in output:
        return CoqReport(False, "coqc did not print what the proof rests on", {})
    for axiom in names:
        where = family(axiom)
        if where is None:
            return CoqReport(False, f"the proof rests on an axiom of its own: {axiom}", {"own": [axiom]})
        axioms[where].append(axiom)
    return CoqReport(True, "accepted by coqc", axioms)

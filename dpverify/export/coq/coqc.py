"""Running coqc on an export, and reading which axioms it printed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from dpverify.errors import InputError

NAME = "certificate.v"
INSTALL = "coqc is not installed; on Debian: apt-get install coq libcoq-interval"
REALS = (
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
)
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


def coqc_path() -> str:
    """The compiler on this machine; raises InputError where there is none."""
    path = shutil.which("coqc")
    if path is None:
        raise InputError(INSTALL)
    return path


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

    A proof that rests on any other axiom than the permitted ones is not accepted. Raises InputError
    where coqc or the interval library is not installed, and where coqc takes longer than it may.
    """
    with tempfile.TemporaryDirectory(prefix="dpverify-coq-") as folder:
        (Path(folder) / NAME).write_text(text)
        command = [coqc_path(), "-q", "-w", "-all", NAME]
        limit = None if seconds is None else float(seconds)
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            raise InputError(f"coqc did not end within {limit:g} s: nothing is said; see --coq-timeout") from None
    if done.returncode:
        if "Cannot find a physical path bound to logical path" in done.stderr:
            raise InputError("coqc finds no Coquelicot or Interval; on Debian: apt-get install libcoq-interval")
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

"""coqc's own opinion; skipped where Coq is not installed."""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpverify.export.coq import export
from dpverify.export.coq.coqc import run_coqc
from tests.coq.generators import certificate

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
PROOFS = sorted((Path(__file__).parents[2] / "proofs").glob("*.v"))


@pytest.mark.parametrize("text", ["exp(-sqrt(1+y))", "y**(-1/100)*exp(-r)"])
def test_coq_accepts(text: str) -> None:
    report = run_coqc(export(certificate(text)))
    assert report.accepted, report.message
    assert all(report.axioms.values())


def test_coq_rejects_a_bound_that_is_too_small() -> None:
    true = certificate("(1+y)**-2")
    upper = Fraction(true["claim"]["epsilon"]["upper"])
    lower = upper - Fraction(1, 1000)
    text = export(true)
    for old, new in ((upper, lower),):
        text = text.replace(f"{old.numerator} / {old.denominator}", f"{new.numerator} / {new.denominator}")
        text = text.replace(f" {old.numerator} {old.denominator} ", f" {new.numerator} {new.denominator} ")
    report = run_coqc(text)
    assert not report.accepted and report.message.startswith("coqc rejects the export")


def test_an_axiom_of_its_own_is_not_accepted() -> None:
    theorem = "Theorem certificate : 1 = 2.\nProof. destruct cheat. Qed.\nPrint Assumptions certificate.\n"
    report = run_coqc("Axiom cheat : False.\n" + theorem)
    assert not report.accepted and "cheat" in report.message


@pytest.mark.parametrize("path", PROOFS, ids=lambda p: p.stem)
def test_the_theorem_itself(path: Path) -> None:
    text = path.read_text()
    assert not re.search(
        r"\b(Admitted|admit|Axiom|Parameter|Conjecture)\b", re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    )
    for theorem in re.findall(r"^Theorem (\w+)", text, re.M):
        text += f"\nCheck {theorem}."
    report = run_coqc(text + "\nPrint Assumptions differentially_private_elliptical.\n")
    assert report.accepted, report.message
    assert not report.axioms["machine integers"]


def test_the_command_line(tmp_path: Path) -> None:
    import dpverify
    from dpverify.cli.app import app

    path = tmp_path / "gaussian.json"
    dpverify.verify("exp(-y)").save(path)
    done = CliRunner().invoke(app, ["check", "--coq", str(path)], standalone_mode=False)
    assert done.return_value == 0
    assert "coq        accepted by coqc" in done.output and "Classical_Prop.classic" in done.output
    assert all(len(line) <= 80 for line in done.output.replace(str(path), "").splitlines())

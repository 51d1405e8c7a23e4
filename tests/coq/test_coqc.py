"""coqc's own opinion; skipped where Coq is not installed."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpverify.errors import InputError
from dpverify.export.coq import export, library
from dpverify.export.coq.coqc import run_coqc
from tests.coq.generators import PIECES, certificate

pytestmark = [
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed"),
    pytest.mark.campaign,
]


def joined(exports: list[str], refused: tuple[str, ...] = ()) -> str:
    """Many exports as one file that loads the library; coqc is to accept each, and none of the refused."""
    start, end = "Definition f (y", library.REQUIRE
    text = exports[0][: exports[0].index(start)] + end + "\n"
    for k, export_text in enumerate([*exports, *refused]):
        claim = export_text[export_text.index(start) : export_text.index(end)]
        proof = export_text[export_text.index("Import Library.") :]
        if k >= len(exports):  # only the theorem is to fail, not the lemma before it
            before, theorem, script = proof.partition("Theorem certificate")
            proof = before + theorem + script.replace("Qed.", "Fail Qed.\nAbort.")
        text += f"Module Claim{k}.\n{claim}\n{proof}\nEnd Claim{k}.\n"
    accepted = ", ".join(f"Claim{k}.certificate" for k in range(len(exports)))
    return f"{text}Definition accepted := ({accepted}, tt).\nPrint Assumptions accepted.\n"


def altered(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def shifted(source: str, end: str, by: Fraction) -> str:
    """The export of a certificate with one of its bounds moved."""
    true = certificate(source)
    bounds = true["claim"]["epsilon"]
    if bounds["lower"] == bounds["upper"]:  # an exact claim: the other bound is told apart from the one that moves
        other, apart = ("lower", -1) if end == "upper" else ("upper", 1)
        bounds[other] = str(Fraction(bounds[other]) + Fraction(apart, 10**9))
    value = Fraction(bounds[end])
    false = value + by
    return altered(
        export(true, alone=False),
        (
            f"{end} : R := {value.numerator} / {value.denominator}.",
            f"{end} : R := {false.numerator} / {false.denominator}.",
        ),
        (f" {value.numerator} {value.denominator} ", f" {false.numerator} {false.denominator} "),
    )


ACCEPTED = (
    ("exp(-sqrt(1+y))", "exp(-y/(1+r))", "(1+r*log(1+log(1+r)))**-5", "y**(-1/100)*exp(-r)", "exp(-log(1+r))"),
    ("exp(-log(cosh(r/3)))", "r/sinh(r)", "(2-y)**2*exp(-r)", "1/(1+log(1+r))", "exp(-r)/(r*log(2+1/r))"),
    ("exp(-2*r)*(2+cos(r)/(1+r))", "(1+y)**-2*(4+cos(r)/(1+y))", "exp(-y)*(2+cos(r))", "sin(r)*exp(-r)/r"),
    (PIECES[0], *PIECES[4:]),
)


@pytest.mark.parametrize("texts", ACCEPTED, ids=len)
def test_coq_accepts(texts: tuple[str, ...]) -> None:
    """Each kind of statement: limits and points, both ends, and what cancels there."""
    report = run_coqc(joined([export(certificate(text), alone=False) for text in texts]))
    assert report.accepted, report.message
    assert all(report.axioms.values())


def test_coq_rejects_bounds_that_are_too_tight_and_integrals_that_converge() -> None:
    """An upper bound below the supremum, lower bounds above it (at a point, a limit, two radii), 1/(1+r)^2 in R."""
    small = Fraction(1, 1000)
    false = (
        shifted("(1+y)**-2", "upper", -small),
        shifted("(1+y)**-2", "lower", small),
        shifted("exp(-3*sqrt(1+y))", "lower", small),
        shifted("exp(-r/10)*(1+3*r)", "lower", small),
        shifted("exp(-r/10)*(1+3*r)", "upper", -small),
        altered(
            export(certificate("1/(1+r)"), alone=False),
            ("(1 + sqrt y)", "(1 + sqrt y) ^ 2"),
            ("(Add (Int 1) Var)", "(Nat (Add (Int 1) Var) 2)"),
        ),
    )
    report = run_coqc(joined([export(certificate("(1+y)**-2"), alone=False)], false))
    assert report.accepted, report.message


def test_coq_rejects_false_waves_and_pieces() -> None:
    """Bounds moved; a piece that rises at its junction; a piece taken for another; a wave that is not damped."""
    small, step = Fraction(1, 1000), "Piecewise((2*exp(-r), y<4), (exp(-r), True))"
    false = (
        shifted("exp(-2*Max(r, 1))", "upper", -small),
        shifted("exp(-2*Max(r, 1))", "lower", small),
        shifted(step, "upper", -small),
        shifted(step, "lower", small),
        altered(
            export(certificate(step), alone=False),
            ("else exp", "else 4 * exp"),
            ("(Exp (Opp Var))).", "(Mul (Int 4) (Exp (Opp Var))))."),
        ),
        altered(
            export(certificate("exp(-Max(r, 1))"), alone=False),
            ("Rmax (sqrt y) 1", "Rmax (sqrt y) 3"),
            ("(Max Var (Int 1))", "(Max Var (Int 3))"),
        ),
        shifted("exp(-r)*(3+sin(r)/(1+y))", "upper", -small),
        shifted("exp(-r)*(3+sin(r)/(1+y))", "lower", small),
        altered(
            export(certificate("exp(-r)*(3+sin(r)/(1+y))"), alone=False),
            ("/ (1 + y)", "* (1 + y)"),
            ("(Inv (Add (Int 1) (Nat Var 2)))", "(Add (Int 1) (Nat Var 2))"),
        ),
    )
    report = run_coqc(joined([export(certificate("exp(-Max(r, 1))"), alone=False)], false))
    assert report.accepted, report.message


def test_a_file_that_stands_alone_is_accepted() -> None:
    report = run_coqc(export(certificate("exp(-Max(r, 1))")))
    assert report.accepted, report.message


def test_the_library_is_compiled_once_for_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(library, "text", lambda: "Definition one := 1.\n")
    first = library.compiled()
    built = (first / "Library.vo").stat().st_mtime_ns
    assert library.compiled() == first and (first / "Library.vo").stat().st_mtime_ns == built
    monkeypatch.setattr(library, "text", lambda: "Definition two := 2.\n")
    assert library.compiled() != first
    monkeypatch.setattr(library, "text", lambda: "Definition three := x.\n")
    with pytest.raises(InputError, match="does not compile the library"):
        library.compiled()
    assert sorted(p.name for p in first.parent.iterdir() if p.name.startswith(("building", "built"))) == []


def test_a_rejection_is_reported() -> None:
    report = run_coqc(shifted("(1+y)**-2", "upper", -Fraction(1, 1000)))
    assert not report.accepted and report.message.startswith("coqc rejects the export")


def test_an_axiom_of_its_own_is_not_accepted() -> None:
    theorem = "Theorem certificate : 1 = 2.\nProof. destruct cheat. Qed.\nPrint Assumptions certificate.\n"
    report = run_coqc("Axiom cheat : False.\n" + theorem)
    assert not report.accepted and "cheat" in report.message


def test_the_command_line(tmp_path: Path) -> None:
    import dpverify
    from dpverify.cli.app import app

    path = tmp_path / "gaussian.json"
    dpverify.verify("exp(-y)").save(path)
    done = CliRunner().invoke(app, ["check", "--coq", str(path)], standalone_mode=False)
    assert done.return_value == 0
    assert "coq        accepted by coqc" in done.output and "Classical_Prop.classic" in done.output
    assert all(len(line) <= 80 for line in done.output.replace(str(path), "").splitlines())

"""The theorems of `proofs/`, and what they rest on."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MATHCOMP = Path("/usr/lib/ocaml/coq/user-contrib/mathcomp/analysis/lebesgue_integral.vo")


@pytest.fixture
def axioms() -> ModuleType:
    spec = importlib.util.spec_from_file_location("axioms", ROOT / "proofs" / "axioms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_proof_is_in_the_list_and_has_no_gap(axioms: ModuleType) -> None:
    assert sorted(axioms.PROOFS) == sorted(path.name for path in (ROOT / "proofs").glob("*.v"))
    for name in axioms.PROOFS:
        text = re.sub(r"\(\*.*?\*\)", "", (ROOT / "proofs" / name).read_text(), flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort)\b", text)


def test_the_list_names_every_part(axioms: ModuleType) -> None:
    named = [line for line in axioms.PINNED.read_text().splitlines() if line[:1].isalpha()]
    assert named == ["privacy.*", "measures.*", "rules.*", "Library.*"]


def test_every_theorem_is_asked_about(axioms: ModuleType) -> None:
    asked = axioms.questions()
    for name in axioms.PROOFS:
        for theorem in axioms.theorems((ROOT / "proofs" / name).read_text()):
            assert re.search(rf"\b{name.removesuffix('.v')}\.{theorem}\b", asked), theorem
    assert {"@profiles.K230_identity", "@measures.event_bound", "@measures.lebesgue"} <= set(re.split(r"[(), ]", asked))


def test_one_axiom_more_or_less_fails(axioms: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = axioms.PINNED.read_text()
    for found in (pinned + "  cheat\n", pinned.replace("  Classical_Prop.classic\n", "", 1)):
        monkeypatch.setattr(axioms, "printed", lambda found=found: found)
        assert axioms.main([]) == 1
    monkeypatch.setattr(axioms, "printed", lambda: pinned)
    assert axioms.main([]) == 0


def test_answers_are_read(axioms: ModuleType) -> None:
    output = (
        '     = "theorem a.one"\n     : string\nAxioms:\nb : nat\nA.c\n  : forall x, x\n'
        '     = "theorem a.two"\n     : string\nClosed under the global context\n'
    )
    assert axioms.answers(output).endswith("a.one\n  A.c\n  b\na.two\n")
    with pytest.raises(ValueError, match="two"):
        axioms.answers(output.replace("Closed", "Error"))


@pytest.mark.campaign
@pytest.mark.skipif(
    shutil.which("coqc") is None or not MATHCOMP.is_file(), reason="coqc or mathcomp-analysis is not installed"
)
def test_coq_prints_what_the_list_says(axioms: ModuleType) -> None:
    assert axioms.main([]) == 0

"""What a run finds: the status of every claim, the JSON, the page of the docs."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from dpverify.cli.app import app
from dpverify.theorems import Claim, Correction, Effort, Near, Refuted, run
from dpverify.theorems.registry import CLAIMS

ROOT = Path(__file__).parents[2]
REFUTED = {
    "reimherr-awan-2019": """
        example-1 definition-1 theorem-1 theorem-1-poster section-4.1-norm theorem-3 theorem-3-poster corollary-1
        example-3-marginals example-3-bessel theorem-4 theorem-4-poster section-4.2-estimator theorem-4-supplement
        section-1-levelling theorem-5 theorem-5-supplement theorem-5-poster""",
    "awan-2019": """
        proposition-3.1 section-3-instance theorem-3.2 theorem-3.3 example-3.5-base-measure
        section-5-density section-5-sampler section-6.1-variance-ratio section-6.1-rescaling""",
    "hall-2012": """
        proposition-1.2.2 section-1.2.2-converse
        proposition-1.3.3 section-1.3.3-sensitivity section-1.3.5-range section-1.3.5-interior
        proposition-2.3.1 section-2.3.1-markov proposition-2.3.2 section-2.3.3-n-70
        proposition-2.4.2 proposition-2.4.4 proposition-2.4.5
        equation-3.5 section-3.2.3-limit proposition-3.2.2 section-3.2.3-proof section-3.2.3-remark section-3.2.4-gram
        section-3.2.5-batch section-3.2.5-online section-3.2.5-online-variance
        section-3.3.1-rate section-3.3.2-domain section-3.3.3-chain
        equation-4.5 lemma-4.3.1 proposition-4.3.2 section-4.3-tail-sum section-4.3-product section-4.3-transform
        proposition-4.3.3 section-4.4.1-scale section-4.4.1-error
        section-4.4.2-radius section-4.4.2-volume section-4.4.2-sensitivity
        section-4.4.2-sensitivity-d proposition-4.4.1 section-4.4.2-trace equation-4.13 section-4.4.2-chain
        section-4.4.2-rate
        section-4.4.3-cross-moment section-4.4.4-rejection section-4.4.4-toeplitz
        proposition-5.1.2 section-5.2.2-conditional section-5.3-smooth section-5.3-law section-5.3-scale
        section-5.3-bahadur section-5.3-difference section-5.4-predictive""",
}
CITED = {"awan-2019:section-6.2-tables", "hall-2012:section-5.2.3-figure-5.1"}
COSTLY = {  # where who implements the printed version adds too little noise
    "reimherr-awan-2019": """
        theorem-3 theorem-3-poster corollary-1 theorem-5 theorem-5-supplement theorem-5-poster""",
    "hall-2012": """
        proposition-1.3.3 section-1.3.3-sensitivity proposition-3.2.2
        section-3.2.5-batch section-3.2.5-online-variance section-3.3.2-domain section-4.4.1-scale
        section-4.4.2-radius section-4.4.2-sensitivity
        section-4.4.2-sensitivity-d section-4.4.4-toeplitz
        proposition-5.1.2 section-5.3-smooth section-5.4-predictive""",
}
RECORD = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "source": {"type": "string"},
        "statement": {"type": "string"},
        "status": {"enum": ["proved", "verified", "argued", "cited", "error", "slip", "ambiguous", "vacuous"]},
        "refuted_as_printed": {"type": "boolean"},
        "cause": {"type": ["string", "null"]},
        "correction": {"type": ["string", "null"]},
        "privacy_impact": {"type": ["string", "null"]},
        "evidence": {"type": "string", "minLength": 10},
    },
    "required": [
        *("id", "source", "statement", "status", "refuted_as_printed", "cause", "correction", "privacy_impact"),
        "evidence",
    ],
    "additionalProperties": False,
}


def spelled(lists: dict[str, str]) -> set[str]:
    return {f"{paper}:{name}" for paper, names in lists.items() for name in names.split()}


@pytest.mark.slow
def test_a_quick_run_of_everything(tmp_path: Path) -> None:
    page = tmp_path / "theorems.md"
    done = CliRunner().invoke(
        app, ["theorems", "--quick", "--json", "--jobs", "2", "--markdown", str(page)], standalone_mode=False
    )
    assert done.exception is None
    records = json.loads(done.stdout)
    jsonschema.validate(records, {"type": "array", "items": RECORD})
    assert [r["id"] for r in records] == list(CLAIMS)
    status = {r["id"]: r["status"] for r in records}
    assert {r["id"] for r in records if r["refuted_as_printed"]} == spelled(REFUTED)
    assert {name for name in status if status[name] == "cited"} == CITED
    for r in records:
        refuted = r["refuted_as_printed"]
        assert refuted == (r["status"] in ("error", "slip", "ambiguous", "vacuous")), r["id"]
        assert (r["correction"] is not None) == (r["privacy_impact"] is not None) == refuted, r["id"]
    assert {r["id"] for r in records if (r["privacy_impact"] or "").startswith("Yes")} == spelled(COSTLY)
    assert page.read_text() == (ROOT / "docs" / "reference" / "theorems.md").read_text(), "run `make theorems`"


def below(formula: int, effort: Effort) -> str:
    """A check whose truth is 3."""
    if formula != 3:
        raise Refuted(f"it is 3, not {formula}.")
    return "counted"


def claim(formula: int, corrected: int | None = None) -> Claim:
    correction = None if corrected is None else Correction("3", corrected, "None.", "Write 3.")
    return Claim(
        id="hall-2012:section-0",
        place="nowhere",
        statement="A number.",
        printed=str(formula),
        hypotheses="none",
        check=below,
        formula=formula,
        near=(Near(4, "4"),),
        strength="proved",
        correction=correction,
    )


def test_a_claim_that_holds_has_its_strength_for_a_status() -> None:
    outcome = run(claim(3))
    assert (outcome.status, outcome.counterexample, outcome.correction) == ("proved", None, None)


def test_a_refuted_claim_shows_the_counterexample_and_the_correction() -> None:
    record = run(claim(2, 3)).to_json()
    assert (record["status"], record["refuted_as_printed"]) == ("error", True)
    assert record["correction"] == "3"
    assert "it is 3, not 2" in str(record["evidence"])


@pytest.mark.parametrize(
    "defect", [claim(2), claim(2, 5), claim(3, 3)], ids=["no correction", "wrong one", "needless one"]
)
def test_a_defect_of_the_registry_is_no_status(defect: Claim) -> None:
    with pytest.raises(AssertionError, match="hall-2012:section-0"):
        run(defect)

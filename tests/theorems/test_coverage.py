"""The registry holds every numbered statement of the papers, listed here by hand from their texts."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import get_args

import pytest

from dpverify.theorems.claim import PAPERS, Claim, Strength
from dpverify.theorems.registry import CLAIMS

NUMBERED = {
    "reimherr-awan-2019": """
        definition-1 theorem-1 theorem-2 theorem-3 theorem-4 theorem-5 corollary-1 lemma-1
        example-1 example-2 example-3 example-4 example-5 example-6
        theorem-1-poster theorem-2-poster theorem-3-poster theorem-4-poster theorem-5-poster
        theorem-3-supplement theorem-4-supplement theorem-5-supplement""",
    "awan-2019": """
        definition-2.1 proposition-2.3 proposition-3.1 theorem-3.2 theorem-3.3 example-3.5 theorem-4.1 theorem-4.2""",
    "hall-2012": """
        proposition-1.2.2 proposition-1.2.3 proposition-1.2.4 proposition-1.2.5
        proposition-1.3.1 proposition-1.3.2 proposition-1.3.3 proposition-1.3.4 proposition-1.3.5
        proposition-2.3.1 proposition-2.3.2 lemma-2.4.1
        proposition-2.4.2 proposition-2.4.3 proposition-2.4.4 proposition-2.4.5
        proposition-3.2.1 proposition-3.2.2 proposition-3.2.3
        lemma-4.3.1 proposition-4.3.2 proposition-4.3.3 proposition-4.4.1 proposition-4.4.2
        proposition-5.1.2 proposition-5.2.1 proposition-5.2.2 proposition-5.2.3 proposition-5.2.4""",
}
UNNUMBERED = {  # displayed mechanisms, noise, samplers, sensitivities, and the numbers and limits of examples
    "reimherr-awan-2019": """
        section-1-levelling section-3-multiple section-4.1-norm example-3-marginals example-3-bessel
        section-examples-poster section-4.2-estimator section-4.2-gluing section-4.2-remark""",
    "awan-2019": """
        section-3-instance section-3-location section-3-remark-3.4
        example-3.5-base-measure section-4-sensitivity section-4-uniform
        section-5-density section-5-sampler section-5-gibbs
        section-6.1-variance-ratio section-6.1-subspace-norm section-6.1-covariance section-6.1-rescaling
        section-6.2-tables section-7-total-variation""",
    "hall-2012": """
        section-1.2.2-converse section-1.3.1-noise section-1.3.3-sensitivity section-1.3.3-sampler section-1.3.4-metric
        section-1.3.5-range section-1.3.5-interior section-1.3.5-programme section-1.5-table section-2.1.1-decomposition
        equation-2.2 section-2.2-divergence section-2.3.1-markov
        section-2.3.3-equalizer section-2.3.3-figure-2.2 section-2.3.3-n-70
        section-2.4-laplace section-2.4.1-known-q
        equation-3.1 section-3.2.2-coordinates equation-3.5 section-3.2.3-error section-3.2.3-limit section-3.2.3-remark
        section-3.2.3-proof section-3.2.4-gram section-3.2.5-batch section-3.2.5-online section-3.2.5-online-variance
        section-3.3.1-sensitivity section-3.3.1-rate equation-3.7 equation-3.8 section-3.3.2-domain
        section-3.3.3-minimisers section-3.3.3-chain
        equation-4.2 equation-4.3
        equation-4.4 equation-4.5 section-4.3-tail-sum section-4.3-product equation-4.9 section-4.3-transform
        equation-4.10 equation-4.12
        section-4.4.1-scale section-4.4.1-error section-4.4.1-rate
        section-4.4.2-radius section-4.4.2-volume section-4.4.2-sensitivity section-4.4.2-sensitivity-d
        section-4.4.2-shape section-4.4.2-trace section-4.4.2-rate-line equation-4.13 section-4.4.2-chain
        section-4.4.2-rate
        equation-4.14 equation-4.16 equation-4.18 equation-4.19 section-4.4.3-cross-moment
        section-4.4.4-rejection section-4.4.4-toeplitz section-4.4.4-endpoints
        section-5.2-probability section-5.2.2-conditional section-5.2.3-figure-5.1
        section-5.3-smooth equation-5.7 section-5.3-law section-5.3-quantile section-5.3-scale section-5.3-bahadur
        section-5.3-difference section-5.3-conclusion section-5.4-predictive""",
}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("listed", [NUMBERED, UNNUMBERED], ids=["numbered", "unnumbered"])
def test_every_statement_has_its_entry(paper: str, listed: dict[str, str]) -> None:
    assert [name for name in listed[paper].split() if f"{paper}:{name}" not in CLAIMS] == []


def test_no_entry_is_left_out_of_the_lists() -> None:
    listed = {
        f"{paper}:{name}" for both in (NUMBERED, UNNUMBERED) for paper, names in both.items() for name in names.split()
    }
    assert set(CLAIMS) == listed


def test_ids_follow_the_pattern() -> None:
    kind = r"(theorem|proposition|corollary|lemma|example|definition|equation|section)"
    pattern = re.compile(rf"^({'|'.join(PAPERS)}):{kind}-[0-9a-z.]+(-[a-z0-9.-]+)?$")
    assert [name for name in CLAIMS if not pattern.match(name)] == []


@pytest.mark.sampled(stay=40)
@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.id)
def test_every_entry_says_what_is_printed_where_and_when(claim: Claim) -> None:
    assert all((claim.statement, claim.printed, claim.place, claim.hypotheses)), claim.id
    if claim.correction:
        assert re.match(r"None|Yes|Indirect|Possibly", claim.correction.privacy), claim.id
        assert claim.correction.text and claim.correction.meaning, claim.id


@pytest.mark.sampled(stay=20)
@pytest.mark.parametrize("claim", [c for c in CLAIMS.values() if c.correction], ids=lambda claim: claim.id)
def test_a_repeat_names_an_earlier_entry_with_the_mistake(claim: Claim) -> None:
    order = list(CLAIMS)
    root = CLAIMS[claim.cause]
    assert root.correction is not None and root.cause == root.id
    assert order.index(root.id) <= order.index(claim.id)


@pytest.mark.sampled(stay=40)
@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.id)
def test_nothing_is_firmer_than_what_it_rests_on(claim: Claim) -> None:
    ranks = get_args(Strength)
    mine = ranks.index(claim.correction.strength if claim.correction else claim.strength)
    for name in claim.rests_on:
        lemma = CLAIMS[name]
        assert mine >= ranks.index(lemma.correction.strength if lemma.correction else lemma.strength), name


@pytest.mark.sampled(stay=40)
@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.id)
def test_who_argues_names_the_text(claim: Claim) -> None:
    strengths = {claim.strength} | ({claim.correction.strength} if claim.correction else set())
    assert ("argued" in strengths) <= bool(claim.argument)
    if claim.argument:
        written = Path(sys.modules[claim.check.__module__].__file__ or "").parent / claim.argument
        assert len(written.read_text()) > 200


def test_every_claim_is_quoted_in_the_paper_s_words() -> None:
    assert [claim.id for claim in CLAIMS.values() if claim.quotation is None] == []

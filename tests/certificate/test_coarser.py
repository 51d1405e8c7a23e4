"""The completer merges boxes: fewer, from among the given ends, over the same radii, and the proof holds."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpverify
from dpverify.certificate.coarser import coarser
from dpverify.certificate.hints import Hints
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import Ledger, Rejected

TEXTS = ["exp(-sqrt(y))", "(1+y/3)**(-5/2)", "exp(-2*r-cos(3*r)/4)", "exp(-log(2+y)**2)", "(1+1/(1+r))*exp(-r)"]


def hints(text: str) -> Hints:
    result = dpverify.verify(text, replay=False)
    assert result.verdict == "private" and result.draft is not None
    return Hints(dict(result.draft["claim"]), result.draft["proof"], lambda: None)


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_merged_boxes_are_fewer_and_reach_as_far(text: str) -> None:
    found = hints(text)
    proof = found.searched()
    merged = coarser(found, proof)
    for before, after in (
        (proof["cover"], merged["cover"]),
        (proof["supremum"]["cover"], merged["supremum"]["cover"]),
        (proof["supremum"].get("phases", ["0", "1"]), merged["supremum"].get("phases", ["0", "1"])),
    ):
        assert set(after) <= set(before) and len(after) <= len(before)
        assert (after[0], after[-1]) == (before[0], before[-1])
        assert [Fraction(x) for x in after] == sorted(map(Fraction, after))
    assert len(merged["supremum"]["cover"]) < len(proof["supremum"]["cover"])
    for whole in (proof, merged):
        kernel.replay(found.claim, whole, Ledger())


@pytest.mark.slow
def test_radii_where_f_may_jump_are_not_merged_away() -> None:
    """Where f falls by its slopes, a box may begin where f jumps down."""
    found = hints("Piecewise((2*exp(-r)*(2+cos(r)/9), r < 4), (exp(-r), True))")
    proof = found.searched()
    assert proof["decreasing"]["drops"] == ["4"]
    merged = coarser(found, proof)
    assert "4" in merged["cover"] and len(merged["cover"]) < len(proof["cover"])
    kernel.replay(found.claim, merged, Ledger())
    without = [x for x in merged["cover"] if x != "4"]
    for step in (merged["decreasing"], {**merged["decreasing"], "drops": []}):
        with pytest.raises(Rejected):
            kernel.replay(found.claim, {**merged, "decreasing": step, "cover": without}, Ledger())


@pytest.mark.slow
@pytest.mark.parametrize(("text", "most"), [("exp(-y**(2/5))", 10), ("exp(-sqrt(r+y))", 10), ("exp(-sqrt(1+y))", 20)])
def test_few_boxes_and_low_orders_prove_what_many_do(text: str, most: int) -> None:
    """Near the centre nothing of g ahead cancels against g here, and far out models reach in to small radii."""
    result = dpverify.verify(text)
    assert result.certificate is not None and result.draft is not None
    proof = result.certificate["proof"]
    assert len(proof["supremum"]["cover"]) <= most < len(result.draft["proof"]["supremum"]["cover"])
    assert proof["infinity"]["order"] < result.draft["proof"]["infinity"]["order"]
    tight = {**result.certificate["claim"], "epsilon": {"lower": "0", "upper": "999999/1000000"}, "closed_form": None}
    with pytest.raises(Rejected):
        kernel.replay(tight, proof, Ledger())

"""The completer merges boxes: fewer, from among the given ends, over the same radii, and the proof holds."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpverify
from dpverify.certificate.coarser import coarser
from dpverify.certificate.hints import Hints
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import Ledger

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
    assert proof["decreasing"] != "form"
    assert coarser(found, proof)["cover"] == proof["cover"]

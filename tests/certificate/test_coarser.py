"""The completer merges boxes: fewer, from among the given ends, over the same radii, and the proof holds."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpverify
from dpverify.certificate.coarser import coarser
from dpverify.certificate.finer import box_holds
from dpverify.certificate.hints import Hints
from dpverify.certificate.possible import possible
from dpverify.deadline import OutOfShare
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


@pytest.mark.slow
@pytest.mark.parametrize("ticks", [0, 3, 25])
def test_where_time_runs_out_what_is_merged_stays_and_holds(ticks: int) -> None:
    """Whenever the clock interrupts, covers reach as far as before, and the kernel follows."""
    found = hints("exp(-y**(2/5))")
    proof, left = found.searched(), ticks

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OutOfShare

    found.tick = tick
    merged = coarser(found, proof)
    assert merged["supremum"]["cover"][-1] == proof["supremum"]["cover"][-1]
    sizes = [len(p["cover"]) + len(p["supremum"]["cover"]) for p in (merged, proof)]
    assert sizes[0] < sizes[1] if ticks else sizes[0] == sizes[1]
    kernel.replay(found.claim, merged, Ledger())


def test_a_hypothesis_that_no_box_shows_is_seen_before_boxes_are_merged() -> None:
    """f falls everywhere, and its slopes on one box around all the others do not tell: boxes have to be smaller."""
    found = hints("(1+y)**(-3)*log(3+y)**2")
    proof = found.plain()
    assert coarser(found, proof)["cover"][-1] == proof["cover"][-1]
    whole = [proof["cover"][0], proof["cover"][-1]]
    assert not possible(lambda: box_holds(found, *map(Fraction, whole)))
    with pytest.raises(Rejected):
        coarser(found, {**proof, "cover": whole})


def test_radii_where_f_might_jump_and_does_not_are_merged_away() -> None:
    """The form of 1 + log(1 + y) does not show it positive, so that a box has to show f to fall across each radius."""
    result = dpverify.verify("exp(-sqrt(y)*log(1+log(1+y)))")
    assert result.certificate is not None and result.draft is not None
    found, proof = (whole["proof"]["cover"] for whole in (result.draft, result.certificate))
    assert result.verdict == "not_private" and len(proof) < len(found) and {proof[0], proof[-1]} <= set(found)


def test_bounds_on_a_box_are_computed_once_for_claims_of_one_text() -> None:
    """What was bounded for one epsilon is there for the next, and decides it by its own end."""
    found = hints("(1+y/3)**(-5/2)")
    readings, claim = found.readings, found.claim
    found.plain()
    a, b = (Fraction(x) for x in found.found["supremum"]["cover"][1:3])
    assert found.below(a, b)
    known = len(found.replay.bounds)
    lower = {**claim, "epsilon": {**claim["epsilon"], "upper": "1/1000"}}
    other = Hints(lower, found.found, lambda: None, readings=readings)
    with pytest.raises(Rejected):
        other.plain()
    assert other.replay is found.replay and not other.below(a, b) and len(found.replay.bounds) == known

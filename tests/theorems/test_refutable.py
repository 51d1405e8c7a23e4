"""No check is one that cannot fail: each refutes versions of its claim that are a little off."""

from __future__ import annotations

import pytest

from dpverify.theorems import Claim, Effort, Near, Refuted
from dpverify.theorems.registry import CLAIMS

pytestmark = pytest.mark.slow
MISSES = [(claim, near) for claim in CLAIMS.values() for near in claim.near]
NAMES = [f"{claim.id}-{near.text}" for claim, near in MISSES]


@pytest.mark.swept(stay=130)
@pytest.mark.parametrize(("claim", "near"), MISSES, ids=NAMES)
def test_a_near_miss_is_refuted_or_said_to_pass(claim: Claim, near: Near) -> None:
    assert near.text
    if near.passes:
        claim.check(near.formula, Effort(quick=True))
        return
    with pytest.raises(Refuted) as refutation:
        claim.check(near.formula, Effort(quick=True))
    assert len(str(refutation.value)) > 20, "a refutation names its counterexample"


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.id)
def test_every_check_can_fail(claim: Claim) -> None:
    assert any(not near.passes for near in claim.near)

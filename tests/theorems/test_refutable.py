"""No check is one that cannot fail: each refutes a version of its claim that is wrong on purpose."""

from __future__ import annotations

import pytest

from dpverify.theorems import Claim, Effort, Refuted
from dpverify.theorems.registry import CLAIMS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.id)
def test_a_wrong_version_is_refuted(claim: Claim) -> None:
    assert claim.wrong_text
    with pytest.raises(Refuted) as refutation:
        claim.check(claim.wrong, Effort(quick=True))
    assert len(str(refutation.value)) > 20, "a refutation names its counterexample"

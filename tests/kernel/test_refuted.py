"""What refutes privacy of an f whose hypotheses have been decided."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections import refutations
from dpverify.kernel.sections.refutations import not_private


@pytest.mark.parametrize(
    ("changed", "sign", "why"),
    [
        ({}, "zero", None),
        ({}, "none", "no density by its sign"),
        ({"integrable": "refuted"}, "zero", "integrable density"),
        ({"integrable": "open"}, "zero", "integrable density"),
        ({"positive": "open"}, "zero", "needs positivity"),
        ({"positive": "proved"}, "zero", "nothing shows the loss unbounded"),
        ({"positive": "proved", "finite_at_zero": "refuted"}, "zero", None),
        ({"positive": "proved", "tail_ratio_bounded": "refuted"}, "zero", None),
    ],
)
def test_what_is_no_density_is_not_called_not_private(
    changed: dict[str, str], sign: str, why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """f that is negative somewhere is no density, and nothing is said of its privacy."""
    monkeypatch.setattr(refutations, "refute_positive", lambda proof: sign)
    proof: Any = SimpleNamespace(steps=SimpleNamespace(has=lambda name: False))
    known = {"integrable": "proved", "positive": "refuted", "finite_at_zero": "open", "tail_ratio_bounded": "open"}
    if why is None:
        not_private(known | changed, proof)
        return
    with pytest.raises(Rejected, match=why):
        not_private(known | changed, proof)

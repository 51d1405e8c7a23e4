"""A profile's certificate is replayed once while it is made: the rest of the claim is concluded from that replay."""

from __future__ import annotations

from typing import Any

import pytest

import dpverify
from dpverify.certificate.seal import replayed
from dpverify.kernel.sections import profiles
from dpverify.profiles import replay

ASKED: dict[str, dict[str, Any]] = {
    "point": {"generator": "laplace", "dimension": 2, "epsilon": "1/2"},
    "quantile": {"generator": "laplace", "delta": "1/10"},
    "measures": {"generator": "laplace", "curve": True, "step": "1/4", "renyi": "2", "zcdp": True},
    "atom": {"generator": "Piecewise((1, r < 1), (0, True))", "epsilon": "1"},
}
PAIR = {"generator": "exp(-Abs(r - 2))", "curve": True, "step": "1/2", "tolerance": "1e-3"}
CASES = [
    *(pytest.param(asked, id=name) for name, asked in ASKED.items()),
    pytest.param(PAIR, id="pair", marks=pytest.mark.campaign),
]


@pytest.mark.parametrize("asked", CASES)
def test_its_points_are_bounded_once(asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    counted, bounds = list[str](), profiles.bounds

    def counting(*arguments: Any) -> Any:
        counted.append("bounds")
        return bounds(*arguments)

    monkeypatch.setattr(profiles, "bounds", counting)
    certificate = dpverify.profile(**asked, certificate=True).certificate
    assert counted == ["bounds"] and certificate is not None
    monkeypatch.setattr(profiles, "bounds", bounds)
    assert (certificate["assumptions"], certificate["rules"]) == replayed(certificate["claim"], certificate["proof"])
    assert dpverify.check(certificate)


def test_a_proof_from_which_something_was_left_out_is_replayed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, support = list[bool](), replay.Followed.support

    def changed(found: Any, claim: dict[str, Any], proof: dict[str, Any]) -> Any:
        object.__setattr__(found, "changed", True)
        object.__setattr__(found, "bounds", [])  # of no use to what is replayed
        seen.append(True)
        return support(found, claim, proof)

    monkeypatch.setattr(replay.Followed, "support", changed)
    certificate = dpverify.profile("laplace", epsilon="1/2", certificate=True).certificate
    assert seen == [True] and dpverify.check(certificate or {})

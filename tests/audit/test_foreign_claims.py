"""Certificates that are not about one noise: an audit says so in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpverify.audit.report import proved_by
from dpverify.errors import InputError
from tests.command import run

GALLERY = Path(__file__).parents[2] / "certificates"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("composition/laplace-10-times", "several releases together"),
        ("composition/gaussians-16-times", "several releases together"),
        ("profiles/gaussian-d1", "--curve"),
    ],
)
def test_the_claim_is_not_of_one_epsilon(name: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        proved_by(GALLERY / f"{name}.json")


@pytest.mark.slow
def test_a_mixture_has_an_epsilon_and_no_noise_to_draw(tmp_path: Path) -> None:
    mixture = GALLERY / "mixtures" / "gaussian-tail.json"
    proved, claim = proved_by(mixture)
    assert proved.upper is not None and "generator" not in claim
    done = run("audit", "--certificate", mixture, "--samples", "1000", "--output", tmp_path / "a.json")
    assert done.returncode == 2 and "nothing to audit" in done.stderr and len(done.stderr.splitlines()) == 1

"""What every mechanism shares: numbers read exactly, tables that hold numbers, one-line errors."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpverify.errors import InputError
from dpverify.mechanisms import Ball, KNorm
from dpverify.mechanisms.claims import STATUS
from dpverify.mechanisms.mechanism import positive, rational, table
from dpverify.theorems.registry import CLAIMS

ROOM = Path(__file__).parents[2] / "dpverify" / "mechanisms"

GIVEN = [("1/3", Fraction(1, 3)), (0.1, Fraction(1, 10)), (np.float64(2), Fraction(2))]


@pytest.mark.parametrize(("given", "value"), GIVEN)
def test_numbers_are_read_exactly(given: object, value: Fraction) -> None:
    assert rational(given, "epsilon") == value


@pytest.mark.parametrize("given", ["much", 0, -1, float("nan"), None])
def test_what_is_not_positive_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="epsilon"):
        positive(given, "epsilon")


@pytest.mark.parametrize("given", [[["a"]], [], [[np.nan]], [[[1.0]]], [[1.0], [1.0, 2.0]]])
def test_what_is_no_table_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="data"):
        table(given)


def test_a_vector_is_one_column() -> None:
    assert table([1, 2, 3]).shape == (3, 1)
    with pytest.raises(InputError, match="2 columns"):
        table([[1, 2]], columns=3)


def test_the_status_of_each_claim_is_what_its_check_reaches() -> None:
    for name, status in STATUS.items():
        claim = CLAIMS[name]
        reached = claim.correction.strength if claim.correction else claim.strength
        assert status == reached + (", as corrected" if claim.correction else ""), name


def test_every_claim_that_a_mechanism_names_has_a_status() -> None:
    named = {
        x
        for path in ROOM.rglob("*.py")
        for x in re.findall(r'"((?:hall|awan|reimherr)[a-z-]*-20\d\d:[^"]+)"', path.read_text())
    }
    assert named == set(STATUS)


def test_a_release_is_shown_without_its_certificate() -> None:
    noise = KNorm(Ball(1, 2), epsilon=1, sensitivity=1)
    assert noise.privacy.certificate is not None and noise.privacy.status == STATUS["hall-2012:proposition-1.3.4"]
    assert len(repr(noise.release([0], random_state=1))) < 600

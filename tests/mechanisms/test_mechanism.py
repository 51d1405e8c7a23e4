"""What every mechanism shares: numbers read exactly, tables that hold numbers, one-line errors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import positive, rational, table

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

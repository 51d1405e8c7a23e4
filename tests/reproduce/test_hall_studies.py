"""The thesis's table and figures: units against closed forms, the user's file, and what is shown."""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
import pytest

from dpverify.errors import InputError
from dpverify.mechanisms import Histogram
from dpverify.reproduce import choose, reproduce
from dpverify.reproduce.studies import edwards, long_term_care, risk_body, sparse_trials
from dpverify.show import reproductions

HALL = ["hall-table-1.1", *(f"hall-figure-{x}" for x in ("2.1", "2.2", "2.3", "2.4", "5.1"))]


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize("name", HALL)
def test_studies_run_and_fit_the_terminal(name: str) -> None:
    made = reproduce(name, quick=True)
    assert made.cells and max(map(len, reproductions.lines(made))) <= 80
    differing = [cell.name for cell in made.cells if cell.verdict == "differs"]
    assert differing == (["1/alpha less risk, alpha = 0.1, not 0.2"] if name == "hall-figure-2.2" else [])


@pytest.mark.slow
def test_the_risk_body_has_the_corners_of_randomised_response() -> None:
    found = risk_body.corners("1", np.random.default_rng(0))
    least = 1 / (1 + exp(1))
    wanted = [(1, 0), (1 - least, 1 - least), (0, 1), (least, least)]
    assert len(found) == 4
    for corner, near in zip(sorted(map(tuple, found)), sorted(wanted), strict=True):
        assert corner == pytest.approx(near, abs=1e-5)


def test_trials_have_the_errors_of_the_closed_form() -> None:
    """Of counts that are never 0 a negative is rare; of the sparse histogram there are none at all."""
    pairs = [[3, 4], [30, 2]]
    found = np.array(sparse_trials.errors(64, pairs, 1500, 0, np.random.default_rng(1)))
    counts = np.repeat([3.0, 30, 0], [4, 2, 58])
    sparse = Histogram(range(64), epsilon=1, noise="laplace", threshold="sparse").risk(counts)
    assert abs(found[1].mean() - sparse) < 5 * found[1].std() / 1500**0.5
    laplace = 58 * 1.0 + 2 * 2.0 + 4 * (2 - exp(-1.5))  # E max(L, 0) = 1, E|max(3 + L, 0) - 3| = 2 - e^(-3/2)
    assert abs(found[0].mean() - laplace) < 5 * found[0].std() / 1500**0.5


def test_stand_ins_have_the_printed_sizes() -> None:
    assert (len(edwards.STAND_IN), sum(edwards.STAND_IN)) == (22, 70)
    assert (len(long_term_care.STAND_IN), sum(long_term_care.STAND_IN)) == (3152, 21_574)
    assert 2 * long_term_care.STAND_IN[0] > 21_574


@pytest.mark.slow
def test_the_users_file_is_read_and_one_of_another_layout_refused(tmp_path: Path) -> None:
    file = tmp_path / "edwards.csv"
    file.write_text("cell,count\n" + "\n".join(f"{i},{c}" for i, c in enumerate(edwards.STAND_IN)))
    made = reproduce("hall-figure-2.3", quick=True, data=file)
    cells = {cell.name: cell for cell in made.cells}
    assert cells["occupied cells q"].verdict == cells["records n"].verdict == "agrees"
    assert made.data == "edwards.csv"
    for text in ("n\n1\n", "count\nmany\n", "count\n0\n", "count\n", "count\n" + "1\n" * 65):
        file.write_text(text)
        with pytest.raises(InputError, match=r"edwards\.csv"):
            reproduce("hall-figure-2.3", quick=True, data=file)


def test_all_are_listed() -> None:
    assert [study.id for study in choose(HALL)] == HALL

"""What the studies find, against what is known otherwise; the files that users bring."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpverify.errors import InputError
from dpverify.reproduce import reproduce
from dpverify.reproduce.studies import growth_and_tracts, simulated_curves
from dpverify.reproduce.studies.awan_figure_2 import scenario
from dpverify.theorems.awan_2019.section_6_tables import RATIOS

STAND_IN = growth_and_tracts.STAND_IN


def test_simulated_curves_have_the_stated_variances() -> None:
    rng = np.random.default_rng(0)
    coefficients = simulated_curves.basis().coefficients(simulated_curves.curves(4000, rng))
    expected = np.concatenate([0.1 * simulated_curves.weights() ** 2, np.zeros(19)]) + 1 / 100
    assert np.abs(coefficients.var(axis=0) / expected - 1).max() < 5 * (2 / 4000) ** 0.5


@pytest.mark.slow
def test_more_records_and_a_larger_budget_find_more() -> None:
    rows = [np.mean(scenario(n, epsilon, 6, 60, np.random.default_rng(1)), axis=0)
            for n, epsilon in ((100, "1/8"), (400, "1"), (1000, "8"))]  # fmt: skip
    assert rows[0][0] < rows[1][0] < rows[2][0] and rows[0][1] > rows[1][1] > rows[2][1]
    assert rows[2][0] > 0.95 and rows[2][1] < 0.05


@pytest.mark.slow
def test_the_stand_in_is_in_the_documented_layout_and_compared_with_nothing() -> None:
    sets = growth_and_tracts.read(STAND_IN)
    assert set(sets) == {"Berkeley", "DTI"}
    for name, (grid, rows) in sets.items():
        assert rows.shape[1] == len(grid) and np.isfinite(rows).all()
        for version in growth_and_tracts.VERSIONS:
            records, base = growth_and_tracts.scores(str(STAND_IN), name, version)
            assert (
                records.shape == (len(rows), 5)
                and len(base) == 5
                and np.linalg.norm(records, axis=1).max() <= 1 + 1e-12
            )


@pytest.mark.slow
def test_the_right_version_looks_at_one_record_at_a_time(tmp_path: Path) -> None:
    """A neighbour with a giant changes its own record alone; in the printed version it changes every one."""
    lines = STAND_IN.read_text().splitlines()
    giant = [line.rsplit(",", 1)[0] + ",250" if line.startswith("Berkeley,1,") else line for line in lines]
    other = tmp_path / "neighbour.csv"
    other.write_text("\n".join(giant) + "\n")
    right, printed = (
        [growth_and_tracts.scores(str(path), "Berkeley", version)[0] for path in (STAND_IN, other)]
        for version in ("right", "printed")
    )
    assert (right[0][1:] == right[1][1:]).all() and not (right[0][0] == right[1][0]).all()
    assert np.abs(printed[0][1:] - printed[1][1:]).min() > 0


@pytest.mark.slow
def test_a_table_of_the_user_s_data_has_a_verdict_in_every_printed_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth_and_tracts, "BUDGETS", ("1/8",))
    data = tmp_path / "mine.csv"
    kept = [line for line in STAND_IN.read_text().splitlines() if not line.startswith("DTI")]
    data.write_text("\n".join([*kept, "Berkeley,41,1,NA"]) + "\n")
    made = reproduce("awan-table-1", quick=True, data=data)
    printed = [cell for cell in made.cells if cell.printed]
    assert {cell.verdict for cell in printed} <= {"agrees", "differs"} and len(printed) == 6
    assert printed[3].printed == f"{RATIOS['Berkeley'][0][0][0] / 1000:.3f}" and made.data == "mine.csv"
    stand_in = reproduce("awan-table-1", quick=True)
    assert set(stand_in.counts) == {"cannot be compared"} and "stand-in" in stand_in.data


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "first line"),
        ("set,curve,t,value\nBerkeley,1,one,2\n", "line 2"),
        ("set,curve,t,value\nBerlin,1,1,2\n", "neither"),
        ("set,curve,t,value\nDTI,1,1,2\n", "whole curves"),
        ("", "first line"),
    ],
)
def test_another_layout_is_refused_in_a_line(text: str, said: str, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text(text)
    with pytest.raises(InputError, match=said):
        reproduce("awan-table-2", data=data)


@pytest.mark.slow
def test_the_limit_law_agrees_where_n_is_large() -> None:
    made = reproduce("awan-theorem-3.2", quick=True)
    assert made.counts["agrees"] >= 6 and not made.counts["differs"]


def test_the_share_that_forty_functions_explain_is_not_the_printed_one() -> None:
    """Noise of variance 1 at 100 points: 0.4 of it, and the signal, over 1 and the signal."""
    (cell,) = reproduce("awan-figure-1", quick=True).cells
    signal = 0.1 * float((simulated_curves.weights() ** 2).sum())
    assert cell.verdict == "differs" and abs(float(cell.ours) - (signal + 0.4) / (signal + 1)) < 0.01

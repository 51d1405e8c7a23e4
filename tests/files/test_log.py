"""No row that was kept is lost, wherever a kill falls."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify import InputError
from dpverify.log import Log

ROOT = Path(__file__).parents[2]
ROWS = [{"n": 1, "text": "a\nb"}, {"n": 2, "text": "ü\u2028"}, {"n": 3, "deep": {"x": [1, None, "}"]}}]
VALUES = st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5)


def kept(path: Path) -> bytes:
    for row in ROWS:
        Log(path).keep(row)
    return path.read_bytes()


def test_what_is_kept_is_read_in_order(tmp_path: Path) -> None:
    kept(tmp_path / "log")
    assert Log(tmp_path / "log").rows() == ROWS


@pytest.mark.slow
def test_a_log_cut_anywhere_loses_the_last_row_alone(tmp_path: Path) -> None:
    whole = kept(tmp_path / "log")
    ends = [i for i, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole) + 1):
        file = tmp_path / "cut"
        file.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends)
        assert Log(file).rows() == ROWS[:complete]
        Log(file).keep({"new": size})
        assert Log(file).rows() == [*ROWS[:complete], {"new": size}]
        assert file.read_bytes().startswith(whole[:size])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.dictionaries(st.text(), VALUES, max_size=3), max_size=4), cut=st.integers(0, 200))
def test_any_rows_cut_anywhere(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]], cut: int
) -> None:
    file = tmp_path_factory.mktemp("log") / "log"
    log = Log(file)
    for row in rows:
        log.keep(row)
    data = file.read_bytes() if rows else b""
    file.write_bytes(data[: max(0, len(data) - cut)])
    left = log.rows()
    assert left == rows[: len(left)]
    log.keep({"more": 1})
    assert log.rows() == [*left, {"more": 1}]


def test_nothing_is_kept_without_a_path() -> None:
    log = Log(None)
    log.keep({"n": 1})
    log.remove()
    assert log.rows() == []


def test_a_log_that_is_removed_is_empty(tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    assert log.rows() == []
    log.keep({"n": 1})
    log.remove()
    log.remove()
    assert log.rows() == [] and not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["nonsense", "[1, 2]", "17", "\x00", "[" * 100_000, "{}{}"])
def test_lines_that_are_no_rows_are_not_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "log"
    file.write_text(text + "\n")
    Log(file).keep({"n": 1})
    assert Log(file).rows() == [{"n": 1}]


@pytest.mark.parametrize("name", ["", "none/log"])
def test_a_log_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="the log cannot be written"):
        Log(tmp_path / name).keep({})
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_writers_that_are_killed_lose_no_row_that_they_told_of(tmp_path: Path) -> None:
    """A row counts as kept once `keep` has returned; the writer tells that on its standard output."""
    file, told = tmp_path / "log", list[int]()
    code = (
        "import sys\nfrom dpverify.log import Log\nlog = Log(sys.argv[1])\n"
        "for n in range(int(sys.argv[2]), 10**9):\n log.keep({'n': n, 'text': 'x' * 5000})\n print(n, flush=True)"
    )
    for first in (0, 10_000, 20_000):
        command = [sys.executable, "-c", code, str(file), str(first)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            told.append(int(writer.stdout.readline()))
            time.sleep(0.05)
            writer.send_signal(signal.SIGKILL)
            told += [int(line) for line in writer.stdout.read().split()]
    rows = Log(file).rows()
    assert all(len(row["text"]) == 5000 for row in rows)
    assert set(told) <= {row["n"] for row in rows} and len(told) >= 3

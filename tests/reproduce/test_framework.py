"""Verdicts of cells; work that a kill does not lose; what is shown."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpverify.errors import InputError
from dpverify.reproduce import Cell, all_studies, choose, reproduce
from dpverify.show import reproductions
from tests.command import run
from tests.reproduce import sample

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    sample.RAN.clear()
    sample.STOP_AT.clear()


def test_numbers_agree_within_their_errors_and_the_printed_digits() -> None:
    assert Cell("x", 0.2644, None, "0.264").verdict == "agrees"
    assert Cell("x", 0.2646, None, "0.264").verdict == "differs"
    assert Cell("x", 0.30, 0.01, "0.264", ".004").verdict == "agrees"  # 3.3 errors of the difference
    far = Cell("x", 0.31, 0.01, "0.264", ".004")
    assert far.verdict == "differs" and far.apart == pytest.approx(0.0455 / 0.000116**0.5)
    assert Cell("x", 7.0, None, "7").verdict == "agrees"


def test_what_is_not_printed_is_not_compared() -> None:
    assert Cell("x", 1.0).verdict == "cannot be compared"
    assert Cell("x", 1.0, printed="1.0", why="stand-in").verdict == "cannot be compared"
    assert Cell("x", "no", printed="yes").verdict == "differs"
    assert Cell("x", 1.0, judged=False).verdict == "differs"


def test_an_interrupted_run_goes_on_and_ends_as_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = reproduce(sample.STUDY).to_json()
    sample.RAN.clear()
    sample.STOP_AT.append(4)
    with pytest.raises(KeyboardInterrupt):
        reproduce(sample.STUDY, folder=tmp_path)
    assert sample.RAN == [0, 1, 2, 3]
    (log,) = tmp_path.glob("sample-*.work")
    log.write_bytes(log.read_bytes()[:-5])  # the kill cut the last line
    sample.STOP_AT.clear()
    sample.RAN.clear()
    assert reproduce(sample.STUDY, folder=tmp_path).to_json() == whole
    assert sample.RAN == [3, 4, 5]


@pytest.mark.slow
def test_what_was_done_before_a_kill_is_not_done_again(tmp_path: Path) -> None:
    code = "from tests.reproduce import sample; from dpverify.reproduce import reproduce; import sys; "
    code += "sample.KILL_AT.append(3); reproduce(sample.STUDY, folder=sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    found = reproduce(sample.STUDY, folder=tmp_path)
    assert sample.RAN == [3, 4, 5] and found == reproduce(sample.STUDY)


@pytest.mark.slow
def test_a_worker_that_is_killed_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every worker imports the sample anew: the line is told of the process that joblib lost."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def lost(**options: object) -> None:
        raise TerminatedWorkerError

    monkeypatch.setattr("joblib.Parallel", lost)
    with pytest.raises(InputError, match="a worker was killed"):
        reproduce(sample.STUDY, jobs=2)


def test_another_seed_is_other_work_and_a_full_run_takes_over_what_a_quick_one_found(tmp_path: Path) -> None:
    quick = reproduce(sample.STUDY, folder=tmp_path, quick=True)
    assert reproduce(sample.STUDY, folder=tmp_path).cells[:3] == quick.cells[:3] and sample.RAN == [0, 1, 2, 3, 4, 5]
    assert reproduce(sample.STUDY, folder=tmp_path, seed=1).cells[:3] != quick.cells[:3]


@pytest.mark.slow
def test_numbers_do_not_depend_on_the_number_of_processes() -> None:
    assert reproduce(sample.STUDY, jobs=2).cells == reproduce(sample.STUDY).cells


@pytest.mark.slow
def test_the_terminal_and_the_page_say_the_same(tmp_path: Path) -> None:
    made = reproduce(sample.STUDY, quick=True)
    lines = reproductions.lines(made)
    assert max(map(len, lines)) <= 80 and "5 cells: 4 agree, 1 cannot be compared; quick" in "\n".join(lines)
    assert any("the paper's data are not public" in line for line in lines)
    page, numbers, picture = reproductions.write(made, tmp_path)
    text = page.read_text()
    assert "It rises." in text and "<svg" in text and text.count("<tr>") == 6
    assert json.loads(numbers.read_text())["cells"] == [cell.to_json() for cell in made.cells]
    assert picture.read_bytes().startswith(b"<?xml")


def test_every_study_has_its_place_and_id() -> None:
    found = all_studies()
    assert len({study.id for study in found}) == len(found) > 0
    assert max(map(len, reproductions.catalogue(found))) <= 80


def test_the_command_lists_and_refuses(tmp_path: Path) -> None:
    done = run("reproduce", "--json")
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout)
    assert [row["id"] for row in listed] == [study.id for study in all_studies()]
    for arguments, said in (
        (("awan-tabel-1",), "there is no study"),
        (("awan-theorem-3.2", "--data", "x.csv"), "takes no data"),
        (("awan-theorem-3.2", "--jobs", "0"), "--jobs"),
    ):
        done = run("reproduce", *arguments, "-o", str(tmp_path))
        assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_an_unknown_study_is_refused() -> None:
    with pytest.raises(InputError, match="there is no study"):
        choose(["nothing"])

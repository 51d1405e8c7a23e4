"""What a command prints goes to a file where -o says so, with the same exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import run

GALLERY = Path(__file__).parents[2] / "certificates"
STUDENT = str(GALLERY / "student-t-nu3-d2.json")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["check", STUDENT], 0),
        (["check", STUDENT, "--at-most", "1", "--json"], 1),
        (["families", "student_t"], 0),
        (["schema", "verify"], 0),
        (["equivalence", "--eigenvalues", "n**-2", "--difference", "n**-1"], 1),
    ],
)
def test_what_is_printed_is_written(words: list[str], status: int, tmp_path: Path) -> None:
    file = tmp_path / "said.txt"
    said = run(*words)
    written = run(*words, "-o", str(file))
    assert said.returncode == written.returncode == status and said.stdout
    assert file.read_text() == said.stdout and not written.stdout and "wrote" in written.stderr
    assert run(*words, "-o", "-").stdout == said.stdout


def test_a_file_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    done = run("schema", "verify", "-o", str(tmp_path / "none" / "s.json"))
    assert done.returncode == 2 and done.stdout == run("schema", "verify").stdout and done.stderr.count("\n") == 1

"""A file is read no further than its limit, and written whole or not at all, whenever the writer is killed."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpverify import InputError, files

ROOT = Path(__file__).parents[2]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    files.write(file, b"one")
    files.write(file, "zweitens: ü\n")
    assert files.read(file) == "zweitens: ü\n".encode()
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(("size", "fits"), [(0, True), (9, True), (10, True), (11, False), (5000, False)])
def test_no_more_is_read_than_the_limit(tmp_path: Path, size: int, fits: bool) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * size)
    if fits:
        assert len(files.read(file, 10)) == size
    else:
        with pytest.raises(InputError, match="larger than 10 bytes"):
            files.read(file, 10)


def test_an_endless_file_is_refused() -> None:
    with pytest.raises(InputError, match="/dev/zero: larger than 1000 bytes"):
        files.read("/dev/zero", 1000)


@pytest.mark.parametrize("name", ["none", "folder", "folder/none", "a\0b", "x" * 300])
def test_what_is_no_file_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be read") as said:
        files.read(tmp_path / name)
    assert len(str(said.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["folder", "none/a", "a\0b", "x" * 300])
def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        files.write(tmp_path / name, b"data")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_the_permissions_stay_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    usual, new, old = (tmp_path / name for name in ("usual", "new", "old"))
    usual.write_bytes(b"")
    files.write(new, b"")
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    old.write_bytes(b"former")
    old.chmod(0o640)
    files.write(old, b"latter")
    assert (stat.S_IMODE(old.stat().st_mode), old.read_bytes()) == (0o640, b"latter")


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    files.write(tmp_path / "link", b"through")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_bytes() == b"through"
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write(tmp_path / "pipe", b"into it")
        assert os.read(end, 100) == b"into it"
    finally:
        os.close(end)
    files.write(os.devnull, b"away")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failure_leaves_the_former_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    file = tmp_path / "a"
    files.write(file, b"former")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"):
        files.write(file, b"latter")
    assert file.read_bytes() == b"former" and list(tmp_path.iterdir()) == [file]


def test_the_bytes_are_on_the_disk_before_they_have_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, told = tmp_path / "a", list[str]()
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda number: (told.append("fsync"), fsync(number)))
    monkeypatch.setattr(os, "replace", lambda *paths: (told.append("replace"), replace(*paths)))
    files.write(file, b"data")
    assert told == ["fsync", "replace"]


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    code = (
        "import sys\nfrom dpverify import files\n"
        "for n in range(10**9): files.write(sys.argv[1], str(n % 10).encode() * 300_000)"
    )
    for _ in range(3):
        command = [sys.executable, "-c", code, str(file)]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as writer:
            while not file.exists() and writer.poll() is None:
                time.sleep(0.01)
            time.sleep(0.05)
            writer.send_signal(signal.SIGKILL)
        assert writer.returncode == -signal.SIGKILL
        data = file.read_bytes()
        assert len(data) == 300_000 and len(set(data)) == 1

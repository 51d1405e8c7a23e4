"""Certificates in a process that has checked none before: what one needs, no other one has loaded for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "certificates"
EACH = """
import os, sys
from dpverify import kernel

def refused(name):
    try:
        kernel.check_bytes(open(name, "rb").read())
    except kernel.Rejected as error:
        print(name, error)
    return 0

for name in sys.argv[1:]:
    if not (child := os.fork()):
        refused(name)
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print(name, "ends otherwise")
"""
"""Each in a child of its own, which has loaded no section."""


def refused(*paths: Path) -> str:
    """What a kernel says of those that it does not accept."""
    line = [sys.executable, "-c", EACH, *map(str, paths)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_a_few(tmp_path: Path) -> None:
    assert not refused(GALLERY / "unlike-far-out.json", GALLERY / "slash.json")
    (tmp_path / "cut.json").write_bytes((GALLERY / "slash.json").read_bytes().replace(b"1", b"2"))
    assert "the digest does not match" in refused(tmp_path / "cut.json")


@pytest.mark.sweep
@pytest.mark.parametrize("folder", [".", "profiles", "composition", "mixtures"])
def test_all(folder: str) -> None:
    assert not refused(*sorted((GALLERY / folder).glob("*.json")))

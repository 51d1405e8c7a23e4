"""The Coq library: its text, and where it lies compiled.

It is compiled once for each text and each coqc, into the user's own cache. What coqc then loads it
believes without proving it anew, so `check --coq` trusts that folder as it trusts coqc itself; an
export as one file, which carries the text, trusts nothing but coqc.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from dpverify.errors import InputError

PARTS = (
    "expressions.v", "models.v", "logarithms.v", "theorem.v", "modulus.v", "pieces.v",
    "integrals.v", "line.v", "space.v",
)  # fmt: skip
NAME, REQUIRE = "Library", "From Dpverify Require Library."
"""Its module, and how an export loads it compiled, with coqc -R FOLDER Dpverify."""

HEAD = """\
From Coq Require Import Reals ZArith List QArith Lra Lia Psatz Qreals Qround Ranalysis5.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Real.Xreal Float.Basic Interval.Interval Float.Specific_bigint Float.Specific_ops
  Interval.Float Interval.Float_full.
Import ListNotations.
Open Scope R_scope.

(* x to the power p; 0 where x is not positive. *)
Definition power (x p : R) : R := if Rlt_dec 0 x then Rpower x p else 0.
"""
INSTALL = "coqc is not installed; on Debian: apt-get install coq libcoq-interval"
FLAGS = ("-q", "-w", "-all")


@cache
def body() -> str:
    """The library, to stand within a module after the head."""
    return "\n".join(files(__package__).joinpath("library", part).read_text() for part in PARTS)


def text() -> str:
    """The library as a file of its own."""
    return f"{HEAD}\n{body()}"


def coqc_path() -> str:
    """The compiler on this machine; raises InputError where there is none."""
    path = shutil.which("coqc")
    if path is None:
        raise InputError(INSTALL)
    return path


def run(folder: Path, file: str, seconds: Fraction | None, *load: str) -> subprocess.CompletedProcess[str]:
    """coqc on a file in a folder, for so long at most; raises InputError where it takes longer."""
    done = coqc(*FLAGS, *load, file, folder=folder, seconds=seconds)
    if done.returncode and "Cannot find a physical path bound to logical path" in done.stderr:
        raise InputError("coqc finds no Coquelicot or Interval; on Debian: apt-get install libcoq-interval")
    return done


def coqc(*arguments: str, folder: Path | None, seconds: Fraction | None) -> subprocess.CompletedProcess[str]:
    """coqc with its arguments, for so long at most; raises InputError where it takes longer."""
    limit = None if seconds is None else float(seconds)
    command = [coqc_path(), *arguments]
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        raise InputError(f"coqc did not end within {limit:g} s: nothing is said; see --coq-timeout") from None


def cache_folder() -> Path:
    """Where the compiled library is kept."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "dpverify" / "coq"


def digest(seconds: Fraction | None = None) -> str:
    """Of the library's text, of coqc's version, and of the libraries that coqc would load."""
    version = coqc("--print-version", folder=None, seconds=seconds).stdout
    where = coqc("-where", folder=None, seconds=seconds).stdout.strip()
    parts = [text(), version]
    for name in ("Interval/Float/Specific_ops.vo", "Interval/Interval/Float_full.vo", "Coquelicot/Coquelicot.vo"):
        file = Path(where) / "user-contrib" / name
        parts.append(sha256(file.read_bytes()).hexdigest() if file.is_file() else "")
    return sha256("\0".join(parts).encode()).hexdigest()


def compiled(seconds: Fraction | None = None) -> Path:
    """The folder with the compiled library, compiled now where that has not been done."""
    folder = cache_folder() / digest(seconds)[:32]
    if (folder / f"{NAME}.vo").is_file():
        return folder
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="building-", dir=folder.parent) as build:
        (Path(build) / f"{NAME}.v").write_text(text())
        done = run(Path(build), f"{NAME}.v", seconds, "-R", ".", "Dpverify")
        if done.returncode:
            raise InputError("coqc does not compile the library: " + " ".join(done.stderr.split())[:300])
        finished = Path(tempfile.mkdtemp(prefix="built-", dir=folder.parent))
        for suffix in ("v", "vo"):
            shutil.copy2(Path(build) / f"{NAME}.{suffix}", finished)
        try:
            finished.rename(folder)
        except OSError:  # somebody else was faster
            shutil.rmtree(finished)
    return folder

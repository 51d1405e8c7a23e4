"""`dpverify release` and `dpverify ledger` as a stranger would type them; the ledger under kills and rivals."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from math import e, erfc, sqrt
from pathlib import Path
from typing import Any

import pytest

import dpverify
from dpverify.errors import InputError, Refused
from dpverify.ledger import Ledger, Loss
from tests import command
from tests.command import Done

CERTIFICATES = Path(dpverify.__file__).parents[1] / "certificates"
STUDENT = CERTIFICATES / "student-t-nu3-d2.json"
LAPLACE = CERTIFICATES / "laplace-d1.json"
GAUSSIAN = CERTIFICATES / "profiles" / "gaussian-d1.json"

pytestmark = pytest.mark.slow


def run(*arguments: object) -> Done:
    return command.run(*map(str, arguments))


def test_the_json_of_a_release() -> None:
    done = run("release", STUDENT, "--query", "1.5, -2/3", "--lattice", "1/1000", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == {"released", "lattice", "epsilon", "certificate"}
    assert found["lattice"] == "1/1000"
    assert len(found["released"]) == 2 and all((Fraction(x) * 1000).denominator == 1 for x in found["released"])
    upper = json.loads(STUDENT.read_text())["claim"]["epsilon"]["upper"]
    assert found["epsilon"] == {"upper": upper, "decimal": "1.424045250092"}
    assert found["certificate"] == sha256(STUDENT.read_bytes()).hexdigest()


def test_a_release_in_words_fits_a_terminal() -> None:
    done = run("release", STUDENT, "--query", "1.5, -2/3")
    assert done.returncode == 0
    assert done.stdout.startswith("RELEASED\n")
    assert "1.424045250092" in done.stdout and sha256(STUDENT.read_bytes()).hexdigest() in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 86


def test_a_query_in_a_file_is_read_exactly(tmp_path: Path) -> None:
    for text in ("1e300, 1e-300\n", "# means\n1e300\n1e-300\n"):
        file = tmp_path / "query.csv"
        file.write_text(text)
        done = run("release", STUDENT, "--query", file, "--json")
        assert done.returncode == 0, done.stderr
        first, second = (Fraction(x) for x in json.loads(done.stdout)["released"])
        assert 0 < abs(first - 10**300) < 10**6 and abs(second) < 10**6


def test_a_covariance_spreads_the_noise() -> None:
    done = run("release", STUDENT, "--query", "0, 0", "--covariance", "1e40,0;0,1", "--json")
    first, second = (abs(Fraction(x)) for x in json.loads(done.stdout)["released"])
    assert first > 10**12 > 10**6 > second


REFUSED: list[list[object]] = [
    [STUDENT, "--query", "1"],
    [STUDENT, "--query", "1, 2, 3"],
    [STUDENT, "--query", "1, 2", "--lattice", "auto"],
    [STUDENT, "--query", "1, 2", "--lattice", "query/1000"],
    [CERTIFICATES / "gaussian-d1.json", "--query", "1"],
    [CERTIFICATES / "composition" / "laplace-10-times.json", "--query", "1"],
]
BAD: list[list[object]] = [
    [STUDENT, "--query", "1, x"],
    [STUDENT, "--query", "nan, 1"],
    [STUDENT, "--query", "1, 2", "--lattice", "0"],
    [STUDENT, "--query", "1, 2", "--lattice=-1/2"],
    [STUDENT, "--query", "1, 2", "--lattice", "1/0"],
    [STUDENT, "--query", "1, 2; 3, 4"],
    [STUDENT, "--query", "/nowhere/query.csv"],
    ["/nowhere/certificate.json", "--query", "1"],
    [STUDENT, "--query", "1, 2", "--budget", "1"],
    [STUDENT, "--query", "1, 2", "--budget-delta", "1"],
    [STUDENT, "--query", "1, 2", "--ledger", "/nowhere/ledger.db"],
    [STUDENT, "--query", "1, 2", "--covariance", "1,2;2,1"],
    [STUDENT],
]


@pytest.mark.parametrize(("arguments", "status"), [(a, 1) for a in REFUSED] + [(a, 2) for a in BAD])
def test_what_is_refused_and_what_is_bad_input(arguments: list[object], status: int) -> None:
    done = run("release", *arguments)
    assert done.returncode == status and not done.stdout
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("dpverify: ")


def test_a_certificate_that_the_kernel_does_not_accept_is_refused(tmp_path: Path) -> None:
    forged = tmp_path / "forged.json"
    forged.write_text(STUDENT.read_text().replace('"upper": "14240452500921', '"upper": "13240452500921'))
    done = run("release", forged, "--query", "1, 2", "--json")
    assert done.returncode == 1 and not done.stdout


def test_the_ledger_never_goes_over_its_budget(tmp_path: Path) -> None:
    book = tmp_path / "budget.db"
    arguments = ["release", LAPLACE, "--query", "1", "--json", "--ledger", book]
    released = []
    for status in (0, 0, 1, 1):
        done = run(*arguments, "--budget", "5/2")
        assert done.returncode == status, done.stderr
        released += [json.loads(done.stdout)["released"]] if status == 0 else []
    shown = json.loads(run("ledger", book, "--json").stdout)
    upper = Fraction(json.loads(LAPLACE.read_text())["claim"]["epsilon"]["upper"])
    assert Fraction(shown["budget"]) == Fraction(5, 2) and Fraction(shown["spent"]) == 2 * upper
    assert [row["released"] for row in shown["releases"]] == released
    assert run(*arguments, "--budget", "100").returncode == 2
    assert "left" in run("ledger", book).stdout


def test_the_ledger_adds_epsilons_and_deltas(tmp_path: Path) -> None:
    book, mixed = tmp_path / "budget.db", [GAUSSIAN, LAPLACE, GAUSSIAN]
    limits = ["--ledger", book, "--budget", "10", "--budget-delta", "1/5"]
    assert [run("release", c, "--query", "1", *limits).returncode for c in mixed] == [0, 0, 1]
    spent = json.loads(run("ledger", book, "--json").stdout)
    claims = [json.loads(c.read_text())["claim"] for c in (GAUSSIAN, LAPLACE)]
    assert Fraction(spent["spent"]) == 1 + Fraction(claims[1]["epsilon"]["upper"])
    assert spent["spent_delta"] == claims[0]["points"][0]["delta"]["upper"]
    assert [row["delta"] for row in spent["releases"]] == [spent["spent_delta"], "0"]


def test_a_budget_of_epsilon_alone_allows_no_delta(tmp_path: Path) -> None:
    done = run("release", GAUSSIAN, "--query", "1", "--ledger", tmp_path / "l.db", "--budget", "10")
    assert done.returncode == 1 and not done.stdout and "over the budget" in done.stderr


def test_a_ledger_of_version_1_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    with sqlite3.connect(file) as old:
        old.execute("CREATE TABLE budget (total TEXT)")
        old.execute(
            "CREATE TABLE releases (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, "
            "epsilon TEXT NOT NULL, certificate TEXT NOT NULL, lattice TEXT NOT NULL, released TEXT NOT NULL)"
        )
        old.execute("INSERT INTO budget VALUES ('5/2')")
        old.execute(
            "INSERT INTO releases (at, epsilon, certificate, lattice, released) VALUES ('x', '2', 'y', '1', '[\"3\"]')"
        )
        old.execute("PRAGMA application_id = 1685091940")
        old.execute("PRAGMA user_version = 1")
    book = Ledger(file)
    assert book.budget == Loss(Fraction(5, 2)) and book.spent() == Loss(Fraction(2))
    assert book.entries()[0].released == (3,)
    with pytest.raises(Refused):
        book.spend(Loss(Fraction(1)), "z", Fraction(1), [])
    with pytest.raises(Refused):
        book.spend(Loss(Fraction(0), Fraction(1, 10**9)), "z", Fraction(1), [])
    book.spend(Loss(Fraction(1, 2)), "z", Fraction(1), [])
    assert Ledger(file).spent() == Loss(Fraction(5, 2))


def test_a_profile_is_released_at_its_point() -> None:
    """delta(1) of the Gaussian at Delta = sigma: Phi(-1/2) - e Phi(-3/2), Balle and Wang (2018)."""
    done = run("release", GAUSSIAN, "--query", "1.5", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["epsilon"] == {"upper": "1", "decimal": "1"}
    exact = (erfc(1 / sqrt(8)) - e * erfc(3 / sqrt(8))) / 2
    assert 0 < Fraction(found["delta"]["upper"]) - Fraction(exact) < Fraction(1, 10**9)
    assert "delta" in run("release", GAUSSIAN, "--query", "1.5").stdout


def test_of_several_points_one_is_picked(tmp_path: Path) -> None:
    file = tmp_path / "two.json"
    assert run("profile", "gaussian", "--epsilon", "1/2", "--epsilon", "1", "--certificate", file).returncode == 0
    refused = run("release", file, "--query", "1")
    assert refused.returncode == 2 and "1/2, 1" in refused.stderr
    assert (
        json.loads(run("release", file, "--query", "1", "--epsilon", "1/2", "--json").stdout)["epsilon"]["upper"]
        == "1/2"
    )
    assert run("release", file, "--query", "1", "--epsilon", "3/4").returncode == 2
    assert run("release", LAPLACE, "--query", "1", "--epsilon", "1").returncode == 2


def test_a_ledger_without_a_budget_only_writes_down(tmp_path: Path) -> None:
    for _ in range(2):
        done = run("release", LAPLACE, "--query", "1", "--ledger", tmp_path / "l.db")
        assert done.returncode == 0 and "no budget is set" in done.stdout
    assert len(Ledger(tmp_path / "l.db").entries()) == 2


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be read as one" * 20, None])
def test_what_is_no_ledger(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    if content is not None:
        file.write_bytes(content)
    else:
        with sqlite3.connect(file) as other:
            other.execute("CREATE TABLE releases (epsilon TEXT)")
    with pytest.raises(InputError):
        Ledger.open(file, Loss(Fraction(1)))
    assert run("release", LAPLACE, "--query", "1", "--ledger", file).returncode == 2
    assert run("ledger", file).returncode == 2
    assert run("ledger", tmp_path / "nowhere.db").returncode == 2


def test_a_budget_is_spent_to_the_last_and_not_beyond(tmp_path: Path) -> None:
    book = Ledger.open(tmp_path / "l.db", Loss(Fraction(1)))
    for k in range(3):
        assert book.spend(Loss(Fraction(1, 3)), "c", Fraction(1), [Fraction(k)]) == Loss(Fraction(k + 1, 3))
    with pytest.raises(Refused):
        book.spend(Loss(Fraction(1, 10**30)), "c", Fraction(1), [])
    assert book.spent() == book.budget == Loss(Fraction(1))
    with pytest.raises(InputError):
        Ledger.open(tmp_path / "l.db", Loss(Fraction(2)))
    with pytest.raises(InputError):
        Ledger.open(tmp_path / "m.db", Loss(Fraction(-1)))
    with pytest.raises(InputError):
        Ledger.open(tmp_path / "m.db", Loss(Fraction(1), Fraction(-1)))


SPENDER = """
import sys
from fractions import Fraction
from dpverify.errors import Refused
from dpverify.ledger import Ledger, Loss
book = Ledger.open(sys.argv[1], Loss(Fraction(sys.argv[2])))
while True:
    try:
        book.spend(Loss(Fraction(1, 7)), sys.argv[3], Fraction(1), [Fraction(1)])
    except Refused:
        break
    print("spent", flush=True)
"""


def spender(book: Path, budget: str, name: str) -> subprocess.Popen[str]:
    spending = [sys.executable, "-c", SPENDER, str(book), budget, name]
    return subprocess.Popen(spending, stdout=subprocess.PIPE, text=True)


def test_two_processes_at_once_spend_no_more_than_there_is(tmp_path: Path) -> None:
    book = tmp_path / "l.db"
    rivals = [spender(book, "5", name) for name in "ab"]
    said = [rival.communicate(timeout=120)[0].count("spent") for rival in rivals]
    assert [rival.returncode for rival in rivals] == [0, 0]
    counts = Counter(entry.certificate for entry in Ledger(book).entries())
    assert sum(said) == 35 == counts["a"] + counts["b"]
    assert Ledger(book).spent() == Loss(Fraction(5)) and [counts["a"], counts["b"]] == said


def test_a_kill_in_the_middle_of_a_write_neither_loses_nor_doubles(tmp_path: Path) -> None:
    """Every release that was told is in the ledger once; at most one more was written when the kill came."""
    book, told, before = tmp_path / "l.db", 0, 0
    for k in range(12):
        victim = spender(book, "100000", "v")
        assert victim.stdout is not None
        victim.stdout.readline()
        time.sleep(0.003 * k)
        os.kill(victim.pid, signal.SIGKILL)
        told = 1 + victim.stdout.read().count("spent")
        victim.wait()
        written = len(Ledger(book).entries())
        assert told <= written - before <= told + 1
        assert Ledger(book).spent() == Loss(Fraction(written, 7))
        before = written


def test_a_kill_between_a_write_and_its_commit_leaves_nothing(tmp_path: Path) -> None:
    """The process is killed by itself, inside the transaction, once the row is in SQLite's file."""
    book = tmp_path / "l.db"
    Ledger.open(book, Loss(Fraction(1))).spend(Loss(Fraction(1, 2)), "c", Fraction(1), [Fraction(1)])
    code = (
        "import os, signal, sys; from fractions import Fraction; from dpverify.ledger import Ledger\n"
        "book = Ledger(sys.argv[1])\n"
        "with book._transaction() as found:\n"
        "    found.execute('PRAGMA cache_size = 0')\n"
        "    for k in range(2000):\n"
        '        found.execute("INSERT INTO releases (at, epsilon, delta, certificate, lattice, released) "\n'
        "                      \"VALUES ('', '1/2', '0', 'c', '1', '[]')\")\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(book)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert Ledger(book).spent() == Loss(Fraction(1, 2))
    assert Ledger(book).spend(Loss(Fraction(1, 2)), "c", Fraction(1), []) == Loss(Fraction(1))


def test_what_was_paid_for_is_not_lost(tmp_path: Path) -> None:
    """A reader that goes away before the release is printed: it is spent, and it can be read again."""
    book = tmp_path / "l.db"
    arguments = [sys.executable, "-m", "dpverify", "release", str(LAPLACE), "--query", "1", "--ledger", str(book)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait()
    shown: dict[str, Any] = json.loads(run("ledger", book, "--json").stdout)
    assert len(shown["releases"]) == 1 and len(shown["releases"][0]["released"]) == 1

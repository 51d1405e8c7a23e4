"""A budget ledger in SQLite: what was released, at what epsilon, and never more than the budget in all.

One release is one transaction: the sum so far is read, the new epsilon is compared with what is left, and
the release itself is written, or none of it. A process that is killed before the commit has spent nothing
and shown nothing; one that is killed after it has lost nothing, as what it paid for can be read again.
Epsilons are exact rationals, and they add up (basic composition, Dwork and Roth 2014, Theorem 3.14).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.errors import InputError, Refused

MARK = 0x64707664
"""The application_id by which the file is known as a ledger."""
VERSION = 1
PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
TABLES = (
    "CREATE TABLE budget (total TEXT)",
    """CREATE TABLE releases (
        number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, epsilon TEXT NOT NULL,
        certificate TEXT NOT NULL, lattice TEXT NOT NULL, released TEXT NOT NULL)""",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One release: its epsilon, the SHA-256 of its certificate, the lattice, and what was released."""

    number: int
    at: str
    epsilon: Fraction
    certificate: str
    lattice: Fraction
    released: tuple[Fraction, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "at": self.at,
            "epsilon": str(self.epsilon),
            "certificate": self.certificate,
            "lattice": str(self.lattice),
            "released": [str(x) for x in self.released],
        }


class Ledger:
    """The ledger in a file; `budget` is what may be spent in all, None where no limit was ever set.

    Raises InputError for a file that is no ledger.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise InputError(f"{path}: there is no ledger")
        with self._transaction():
            pass

    @classmethod
    def open(cls, path: str | Path, budget: Fraction | None = None) -> Ledger:
        """The ledger in the file, made with this budget where there is none yet.

        Raises InputError where there is one already with another budget: a budget does not change.
        """
        if budget is not None and budget < 0:
            raise InputError(f"the budget: {budget} is negative")
        if not Path(path).parent.is_dir():
            raise InputError(f"{path}: there is no folder {Path(path).parent}")
        Path(path).touch()
        ledger = cls.__new__(cls)
        ledger.path = Path(path)
        with ledger._transaction(budget) as found:
            (total,) = found.execute("SELECT total FROM budget").fetchone()
        if budget is not None and total != str(budget):
            set_to = "no limit" if total is None else f"a budget of {total}"
            raise InputError(f"{path}: this ledger has {set_to}, and a budget does not change")
        return ledger

    @property
    def budget(self) -> Fraction | None:
        with self._transaction() as found:
            return _total(found)

    def spent(self) -> Fraction:
        """The sum of the epsilons of all releases."""
        with self._transaction() as found:
            return _spent(found)

    def entries(self) -> list[Entry]:
        with self._transaction() as found:
            rows = found.execute("SELECT * FROM releases ORDER BY number").fetchall()
        return [
            Entry(
                number, at, Fraction(epsilon), certificate, Fraction(lattice), tuple(map(Fraction, json.loads(points)))
            )
            for number, at, epsilon, certificate, lattice, points in rows
        ]

    def spend(self, epsilon: Fraction, certificate: str, lattice: Fraction, released: Sequence[Fraction]) -> Fraction:
        """Write a release, and return what is spent in all; raises Refused where it would go over the budget.

        What is released must not be shown before this returns.
        """
        with self._transaction() as found:
            total, spent = _total(found), _spent(found) + epsilon
            if total is not None and spent > total:
                raise Refused(
                    f"{self.path}: a release at epsilon {epsilon} would go over the budget of {total}, "
                    f"of which {spent - epsilon} is spent; nothing is released"
                )
            points = json.dumps([str(x) for x in released])
            now = datetime.now(UTC).isoformat(timespec="seconds")
            row = (now, str(epsilon), certificate, str(lattice), points)
            found.execute(
                "INSERT INTO releases (at, epsilon, certificate, lattice, released) VALUES (?, ?, ?, ?, ?)", row
            )
            return spent

    @contextmanager
    def _transaction(self, budget: Fraction | None = None) -> Iterator[sqlite3.Connection]:
        """Alone with the file: everything inside happens, durably, or nothing does."""
        connection = None
        try:
            connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("BEGIN IMMEDIATE")
            self._require_ledger(connection, budget)
            yield connection
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise InputError(f"{self.path}: not a ledger that can be used ({error})") from None
        finally:
            if connection is not None:
                connection.close()  # which takes back what was not committed

    def _require_ledger(self, found: sqlite3.Connection, budget: Fraction | None) -> None:
        (mark,), (version,) = (
            found.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
        (tables,) = found.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not (mark or version or tables):
            for table in TABLES:
                found.execute(table)
            found.execute("INSERT INTO budget VALUES (?)", (None if budget is None else str(budget),))
            found.execute(f"PRAGMA application_id = {MARK}")
            found.execute(f"PRAGMA user_version = {VERSION}")
        elif (mark, version) != (MARK, VERSION):
            raise InputError(f"{self.path}: this is no ledger of dpverify")


def _total(found: sqlite3.Connection) -> Fraction | None:
    (total,) = found.execute("SELECT total FROM budget").fetchone()
    return None if total is None else Fraction(total)


def _spent(found: sqlite3.Connection) -> Fraction:
    rows = found.execute("SELECT epsilon FROM releases")
    return sum((Fraction(epsilon) for (epsilon,) in rows), Fraction(0))

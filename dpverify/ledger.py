"""A budget ledger in SQLite: what was released, at what (epsilon, delta), and never more than the budget in all.

One release is one transaction: the sums so far are read, the new loss is compared with what is left, and
the release itself is written, or none of it. A process that is killed before the commit has spent nothing
and shown nothing; one that is killed after it has lost nothing, as what it paid for can be read again.
Epsilons and deltas are exact rationals, and they add up (basic composition, Dwork and Roth 2014, Theorem 3.16).
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
VERSION = 2
PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
TABLES = (
    "CREATE TABLE budget (epsilon TEXT, delta TEXT)",
    """CREATE TABLE releases (
        number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL,
        certificate TEXT NOT NULL, lattice TEXT NOT NULL, released TEXT NOT NULL)""",
)
FROM_VERSION_1 = (
    "ALTER TABLE budget RENAME COLUMN total TO epsilon",
    "ALTER TABLE budget ADD COLUMN delta TEXT",
    "UPDATE budget SET delta = '0' WHERE epsilon IS NOT NULL",
    "ALTER TABLE releases ADD COLUMN delta TEXT NOT NULL DEFAULT '0'",
    f"PRAGMA user_version = {VERSION}",
)
"""Ledgers of version 1 had pure losses only."""


@dataclass(frozen=True, slots=True)
class Loss:
    """An (epsilon, delta): what one release costs, what is spent in all, or what may be."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __add__(self, other: Loss) -> Loss:
        return Loss(self.epsilon + other.epsilon, self.delta + other.delta)

    def __sub__(self, other: Loss) -> Loss:
        return Loss(self.epsilon - other.epsilon, self.delta - other.delta)

    def within(self, other: Loss) -> bool:
        return self.epsilon <= other.epsilon and self.delta <= other.delta

    def __str__(self) -> str:
        return f"({self.epsilon}, {self.delta})" if self.delta else str(self.epsilon)


@dataclass(frozen=True, slots=True)
class Entry:
    """One release: its loss, the SHA-256 of its certificate, the lattice, and what was released."""

    number: int
    at: str
    loss: Loss
    certificate: str
    lattice: Fraction
    released: tuple[Fraction, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "at": self.at,
            "epsilon": str(self.loss.epsilon),
            "delta": str(self.loss.delta),
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
    def open(cls, path: str | Path, budget: Loss | None = None) -> Ledger:
        """The ledger in the file, made with this budget where there is none yet.

        Raises InputError where there is one already with another budget: a budget does not change.
        """
        if budget is not None and not Loss(Fraction(0)).within(budget):
            raise InputError(f"the budget: {budget} is negative")
        if not Path(path).parent.is_dir():
            raise InputError(f"{path}: there is no folder {Path(path).parent}")
        Path(path).touch()
        ledger = cls.__new__(cls)
        ledger.path = Path(path)
        with ledger._transaction(budget) as found:
            total = _total(found)
        if budget is not None and total != budget:
            set_to = "no limit" if total is None else f"a budget of {total}"
            raise InputError(f"{path}: this ledger has {set_to}, and a budget does not change")
        return ledger

    @property
    def budget(self) -> Loss | None:
        with self._transaction() as found:
            return _total(found)

    def spent(self) -> Loss:
        """The sums of the epsilons and of the deltas of all releases."""
        with self._transaction() as found:
            return _spent(found)

    def entries(self) -> list[Entry]:
        with self._transaction() as found:
            rows = found.execute(
                "SELECT number, at, epsilon, delta, certificate, lattice, released FROM releases ORDER BY number"
            ).fetchall()
        return [
            Entry(number, at, _loss(epsilon, delta), sha, Fraction(lattice), tuple(map(Fraction, json.loads(points))))
            for number, at, epsilon, delta, sha, lattice, points in rows
        ]

    def spend(self, loss: Loss, certificate: str, lattice: Fraction, released: Sequence[Fraction]) -> Loss:
        """Write a release, and return what is spent in all; raises Refused where it would go over the budget.

        What is released must not be shown before this returns.
        """
        with self._transaction() as found:
            total, before = _total(found), _spent(found)
            if total is not None and not (before + loss).within(total):
                what = "(epsilon, delta)" if loss.delta else "epsilon"
                raise Refused(
                    f"{self.path}: a release at {what} {loss} would go over the budget of {total}, "
                    f"of which {before} is spent; nothing is released"
                )
            points = json.dumps([str(x) for x in released])
            now = datetime.now(UTC).isoformat(timespec="seconds")
            row = (now, str(loss.epsilon), str(loss.delta), certificate, str(lattice), points)
            found.execute(
                "INSERT INTO releases (at, epsilon, delta, certificate, lattice, released) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
            return before + loss

    @contextmanager
    def _transaction(self, budget: Loss | None = None) -> Iterator[sqlite3.Connection]:
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

    def _require_ledger(self, found: sqlite3.Connection, budget: Loss | None) -> None:
        (mark,), (version,) = (
            found.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
        (tables,) = found.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not (mark or version or tables):
            for table in TABLES:
                found.execute(table)
            limits = (None, None) if budget is None else (str(budget.epsilon), str(budget.delta))
            found.execute("INSERT INTO budget VALUES (?, ?)", limits)
            found.execute(f"PRAGMA application_id = {MARK}")
            found.execute(f"PRAGMA user_version = {VERSION}")
        elif (mark, version) == (MARK, 1):
            for change in FROM_VERSION_1:
                found.execute(change)
        elif (mark, version) != (MARK, VERSION):
            raise InputError(f"{self.path}: this is no ledger of dpverify")


def _loss(epsilon: str, delta: str) -> Loss:
    return Loss(Fraction(epsilon), Fraction(delta))


def _total(found: sqlite3.Connection) -> Loss | None:
    epsilon, delta = found.execute("SELECT epsilon, delta FROM budget").fetchone()
    return None if epsilon is None else _loss(epsilon, delta)


def _spent(found: sqlite3.Connection) -> Loss:
    rows = found.execute("SELECT epsilon, delta FROM releases")
    return sum((_loss(*row) for row in rows), Loss(Fraction(0)))

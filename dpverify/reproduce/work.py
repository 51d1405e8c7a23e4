"""The units of a study's work: each is done once, whatever interrupts it, on any number of processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dpverify.audit.engine import lost_a_worker
from dpverify.errors import InputError
from dpverify.log import Log
from dpverify.theorems.claim import Effort

Report = Callable[[int, int], None]
"""Called with how many units are done and how many there are."""


class Work:
    """What a study computes with: its effort, the user's data, and repetitions that a kill does not lose.

    effort  how much to do: `effort.pick(few, all)`
    data    the file that the user brings, or None
    seed    from which every unit has a stream of random numbers of its own
    """

    def __init__(
        self,
        name: str,
        effort: Effort,
        *,
        folder: Path | None = None,
        data: Path | None = None,
        jobs: int | None = 1,
        seed: int = 0,
        report: Report = lambda done, total: None,
    ) -> None:
        self.effort, self.data, self.jobs, self.seed, self.report = effort, data, jobs, seed, report
        mark = "" if data is None else hashlib.sha256(data.read_bytes()).hexdigest()
        self.identity = f"{name} {seed} {mark} {program()}"
        digest = hashlib.sha256(self.identity.encode()).hexdigest()[:12]
        self.log = Log(None if folder is None else folder / f"{name}-{digest}.work")
        self.kept = {row["unit"]: row["value"] for row in self.log.rows() if "unit" in row}

    def each(self, unit: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> list[Any]:
        """What `unit` makes of each task and an `rng` after it, in the tasks' order.

        `unit` is a function of a module, its task and its result are plain data (what JSON holds), and it draws from
        `rng` alone: its numbers depend on the seed, on its name and on its task, not on when or where it runs.
        """
        keys = [json.dumps([unit.__module__, unit.__qualname__, *task]) for task in tasks]
        missing = [place for place, key in enumerate(keys) if key not in self.kept]
        done = len(keys) - len(missing)
        self.report(done, len(keys))
        for place, value in self._values(unit, [(k, keys[k], tasks[k]) for k in missing]):
            self.log.keep({"unit": keys[place], "value": value})
            self.kept[keys[place]] = value
            done += 1
            self.report(done, len(keys))
        return [self.kept[key] for key in keys]

    def _values(
        self, unit: Callable[..., Any], left: list[tuple[int, str, tuple[Any, ...]]]
    ) -> Iterator[tuple[int, Any]]:
        if self.jobs == 1 or len(left) < 2:
            for place, key, task in left:
                yield _one(unit, place, key, task, self.seed)
            return
        import joblib

        calls = (joblib.delayed(_one)(unit, place, key, task, self.seed) for place, key, task in left)
        try:
            yield from joblib.Parallel(n_jobs=self.jobs, return_as="generator_unordered")(calls)
        except Exception as error:
            if lost_a_worker(error):
                raise InputError("a worker was killed; start again, and it goes on: with fewer jobs?") from None
            raise


def _one(unit: Callable[..., Any], place: int, key: str, task: tuple[Any, ...], seed: int) -> tuple[int, Any]:
    import numpy as np

    own = int.from_bytes(hashlib.sha256(key.encode()).digest()[:16])
    value = unit(*task, np.random.default_rng([seed, own]))
    return place, json.loads(json.dumps(value))  # the same value now as when it is read again


def program() -> str:
    """A digest of what computes: what another text of the mechanisms or the studies has found is not taken over."""
    here = Path(__file__).parent
    found = hashlib.sha256()
    for folder in (here, here.parent / "mechanisms"):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()

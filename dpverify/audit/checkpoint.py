"""Checkpoints: what a killed run needs to go on, written so that a kill never leaves half a file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dpverify import files
from dpverify.audit.bounds import Counts
from dpverify.audit.plan import Plan
from dpverify.errors import InputError

VERSION = 4


@dataclass(frozen=True)
class Checkpoint:
    """The run it belongs to, its seed and plan, and the counts of all chunks before `chunks`."""

    run: dict[str, Any]
    seed: int
    plan: Plan
    chunks: int
    counts: tuple[Counts, ...]

    def save(self, path: Path) -> None:
        """Write it whole; raises InputError where that fails."""
        data = {
            "dpverify_audit_checkpoint": VERSION,
            "run": self.run,
            "seed": self.seed,
            "plan": self.plan.to_json(),
            "chunks": self.chunks,
            "counts": [asdict(counts) for counts in self.counts],
        }
        files.write(path, json.dumps(data))

    @classmethod
    def load(cls, path: Path) -> Checkpoint | None:
        """The checkpoint in a file, None where there is no file; raises InputError for any other file."""
        if not path.exists():
            return None
        try:
            data = json.loads(files.read(path))
        except (ValueError, RecursionError):
            data = None
        try:
            if data["dpverify_audit_checkpoint"] != VERSION:
                raise ValueError
            counts = tuple(Counts(**counts) for counts in data["counts"])
            return cls(data["run"], data["seed"], Plan.from_json(data["plan"]), data["chunks"], counts)
        except (TypeError, KeyError, ValueError, AttributeError):
            raise InputError(f"{path}: not a checkpoint of an audit; remove it or name another file") from None

"""The parent's end of the child process that runs SymPy: ask, wait within a limit, end.

The limit is of the child's work, which it keeps itself (`worker.limit_work`), so that what is found does not
depend on how busy the machine is; a child that neither works nor answers is ended after a longer wait.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import IO, Any

from dpverify.errors import InputError

PATIENCE = 10
"""How many times as long the child is waited for as it may work, and as it takes to start."""
OUT_OF_WORK = -getattr(signal, "SIGVTALRM", 0) or None
"""How a child ends whose work is over its limit, where the system can tell."""


class Algebra:
    """A context manager; `ask` yields the child's candidates until it is done or out of time.

    Raises InputError where SymPy is not installed.
    """

    def __init__(self) -> None:
        if find_spec("sympy") is None:
            raise InputError("closed forms need SymPy; install it with: pip install 'dpverify[symbolic]'")
        self.child: subprocess.Popen[str] | None = None
        self.lines: Queue[str | None] = Queue()

    def __enter__(self) -> Algebra:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """End the child process, if there is one."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            assert self.child.stdin is not None
            with suppress(OSError):  # what it has not read
                self.child.stdin.close()
            self.child = None

    def ask(self, question: dict[str, Any], seconds: float) -> Iterator[dict[str, Any]]:
        """The candidates as they are found; {"error": why} where the child fails or works longer than `seconds`."""
        child = self._child()
        late = {"error": f"SymPy was not done after {seconds:.0f} s"}
        end = time.monotonic() + PATIENCE * (1 + seconds)
        try:
            assert child.stdin is not None
            child.stdin.write(json.dumps({**question, "seconds": seconds}) + "\n")
            child.stdin.flush()
        except OSError:
            self.end()
            yield {"error": "SymPy's process ended"}
            return
        finished = False
        try:
            while not finished:
                try:
                    line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
                except Empty:
                    yield late
                    return
                if line is None:
                    yield late if child.wait() == OUT_OF_WORK else {"error": "SymPy's process ended"}
                    return
                reply = json.loads(line)
                finished = "done" in reply
                if not finished:
                    yield reply
        finally:
            if not finished:  # what it would still say belongs to this question, not to the next
                self.end()

    def _child(self) -> subprocess.Popen[str]:
        if self.child is None or self.child.poll() is not None:
            self.lines = Queue()
            # -P and an explicit path: nothing in the working directory is imported
            paths = [str(Path(__file__).parents[2]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
            self.child = subprocess.Popen(
                [sys.executable, "-P", "-m", "dpverify.symbolic.worker"],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in paths if p)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            assert self.child.stdout is not None
            Thread(target=_read, args=(self.child.stdout, self.lines), daemon=True).start()
        return self.child


def _read(stream: IO[str], lines: Queue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)

"""Proofs in a process of their own: the page stays alive, and the time limit holds at any instant.

In the page's own thread the time limit would be looked at only between steps of a proof, and a long step
would hold up everything; the child's main thread has an alarm, and is killed if even that does not ring.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from threading import Event, Thread
from time import monotonic
from typing import Any

GRACE, OFTEN, MAX_ANSWER = 5.0, 0.1, 50_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, why, each hypothesis with its status and reason, and the certificate where there is one."""

    verdict: str
    reason: str
    hypotheses: Mapping[str, tuple[str, str]]
    certificate: Mapping[str, Any] | None

    @property
    def file(self) -> bytes | None:
        """The certificate as the bytes of its file."""
        from dpverify.certificate import serialise

        return None if self.certificate is None else serialise(self.certificate)


def prove(question: Mapping[str, Any], limit: Fraction, wanted: Callable[[], bool] = lambda: True) -> Answer:
    """Verify in a child process, within `limit` seconds; `question` holds the arguments of `dpverify.verify`.

    The child is ended once `wanted`, which is asked ten times a second, is False: another question has been asked.
    """
    command = [sys.executable, "-m", "dpverify.app.proving"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as child:  # type: ignore[call-overload]
        answered = Event()
        Thread(target=_end, args=(child, answered, float(limit) + GRACE, wanted), daemon=True).start()
        try:
            child.stdin.write(json.dumps({**question, "timeout": str(limit)}) + "\n")
            child.stdin.flush()  # and left open: the child ends when it closes
            told = child.stdout.read(MAX_ANSWER)
        except BrokenPipeError:
            told = ""
        finally:
            answered.set()
            with suppress(BrokenPipeError):  # what a child that was ended has not read cannot be flushed
                child.stdin.close()
    if child.returncode == -signal.SIGKILL:
        return _nothing(f"Undecided: the time limit of {limit} s ran out.")
    if child.returncode != 0:
        return _nothing("Undecided: the proof's process failed.")
    data = json.loads(told)
    hypotheses = {name: (status, why) for name, (status, why) in data["hypotheses"].items()}
    return Answer(data["verdict"], data["reason"], hypotheses, data["certificate"])


def _end(child: subprocess.Popen[str], answered: Event, seconds: float, wanted: Callable[[], bool]) -> None:
    """Kill the child where it is late or nobody waits for it any more."""
    until = monotonic() + seconds
    while not answered.wait(max(0.0, min(OFTEN, until - monotonic()))):
        if monotonic() >= until or not wanted():
            return child.kill()


def _nothing(reason: str) -> Answer:
    return Answer("undecided", reason, {}, None)


def _end_with_the_page() -> None:
    """Wait for the end of standard input: then nobody is left to be answered."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def main() -> None:
    """Answer one question from standard input."""
    from dpverify.api import verify
    from dpverify.errors import DpverifyError
    from dpverify.generators import Generator

    question = json.loads(sys.stdin.readline())
    Thread(target=_end_with_the_page, daemon=True).start()
    try:
        generator = Generator(question["generator"], question["dimension"], question["parameters"])
        result = verify(
            generator,
            sensitivity=question["sensitivity"],
            scale=question["scale"],
            timeout=question["timeout"],
            replay=True,
        )
    except DpverifyError as error:
        answer: dict[str, Any] = {"verdict": "undecided", "reason": str(error), "hypotheses": {}, "certificate": None}
    else:
        answer = {
            "verdict": result.verdict,
            "reason": result.reason,
            "hypotheses": {name: (h.status, h.explanation) for name, h in result.hypotheses.items()},
            "certificate": result.certificate,
        }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()

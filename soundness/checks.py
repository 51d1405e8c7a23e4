"""What may notice a mutant of the kernel: certificates whose outcome is known, and the tests in tests/kernel/.

Every check runs in a child of its own, made by fork once all is imported and collected. First each runs on the
kernel as it is, which tells its processor time and which lines of the kernel it executes; a mutant then meets the
checks that execute the changed statement, the quick ones first, and one that takes five times as long is hanging.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from dpverify import kernel
from soundness.corpus import corpus, gallery
from soundness.mutate import mutant, sealed

ROOT = Path(__file__).parents[1]
KERNEL = ROOT / "dpverify" / "kernel.py"
FORGED, EXAMPLES, CALLS, MEMORY = 250, 25, 60, 4 * 2**30
"""Certificates mutated, Hypothesis' examples of each test, calls of a function that are traced, bytes of a child."""


@dataclass(frozen=True)
class Check:
    """Something that fails or not; `forged` where only a certificate mutated at random would notice."""

    name: str
    origin: Path
    passes: Callable[[], bool]
    forged: bool = False


@dataclass(frozen=True)
class Usual:
    """What a check takes with the kernel as it is."""

    passes: bool
    seconds: float
    lines: frozenset[int]


def accepted(data: bytes) -> bool:
    try:
        kernel.check_bytes(data)
    except kernel.Rejected:
        return False
    return True


def certificates(seed: int) -> list[Check]:
    """The gallery and the corpus of the campaign, which are accepted, and forgeries as they are judged now."""

    def check(name: str, data: bytes, expected: bool, forged: bool = False) -> Check:
        return Check(name, Path(__file__).with_name("mutate.py"), lambda: accepted(data) is expected, forged)

    rnd = random.Random(seed)
    forgeries = [mutant(rnd, corpus())[2] for _ in range(FORGED)]
    whole = [*gallery(), *(sealed(c) for c in corpus())]
    return [check(f"certificate {i}", data, True) for i, data in enumerate(whole)] + [
        check(f"forgery {i}", data, accepted(data), True) for i, data in enumerate(forgeries)
    ]


def tests(work: Callable[[list[Check]], None]) -> None:
    """Do some work with the tests in tests/kernel/, collected but not run."""
    import flint  # noqa: F401  before any child is made
    import hypothesis
    import mpmath  # noqa: F401
    import pytest
    from _pytest.runner import runtestprotocol

    whole, phases = hypothesis.settings.__init__, (hypothesis.Phase.explicit, hypothesis.Phase.generate)

    def capped(self: Any, parent: Any = None, **options: Any) -> None:
        examples = min(EXAMPLES, options.pop("max_examples", EXAMPLES))
        options |= {"max_examples": examples, "derandomize": True, "database": None, "phases": phases}
        whole(self, parent, **options)

    hypothesis.settings.__init__ = capped  # type: ignore[method-assign]

    class Collected:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            work([Check(item.nodeid, item.path, functools.partial(passes, item)) for item in session.items])
            return True

    def passes(item: pytest.Item) -> bool:
        return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))

    pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", str(ROOT / "tests/kernel")], [Collected()])


def child(work: Callable[[Callable[[Any], None]], bool]) -> tuple[int, int]:
    """Do some work in a child, which says what it has to say through a pipe: its process, and the pipe's end."""
    out, into = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        os.close(into)
        return process, out
    try:
        os.close(out)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os._exit(0 if work(lambda x: _say(into, x)) else 1)
    except BaseException:
        os._exit(1)


def _say(into: int, what: Any) -> None:
    os.write(into, (json.dumps(what) + "\n").encode())


def children(works: Iterable[Callable[[Callable[[Any], None]], bool]], jobs: int) -> Iterable[tuple[int, bool, Any]]:
    """The number of each work as it ends, whether it succeeded, and the last thing that it said."""
    running: dict[int, tuple[int, int]] = {}
    pending = enumerate(works)
    while True:
        while len(running) < jobs and (item := next(pending, None)) is not None:
            process, out = child(item[1])
            running[process] = (item[0], out)
        if not running:
            return
        process, status = os.wait()
        if process in running:
            number, out = running.pop(process)
            with os.fdopen(out) as pipe:
                said = pipe.read().splitlines()
            yield number, status == 0, json.loads(said[-1]) if said else None


def usual(checks: list[Check], jobs: int, known: Path) -> list[Usual]:
    """Each check with the kernel as it is; kept in a file for the next time."""
    written: dict[str, Any] = json.loads(known.read_text()) if known.exists() else {}

    def key(check: Check) -> str:
        sources = (path.read_bytes() for path in (KERNEL, Path(__file__), check.origin))
        return f"{check.name} {hashlib.sha256(b''.join(sources)).hexdigest()[:16]}"

    def measured(check: Check, say: Callable[[Any], None]) -> bool:
        start = time.process_time()
        passes = check.passes()
        seconds = time.process_time() - start
        forget()
        say([passes, seconds, sorted(traced(check.passes))])
        return True

    keys = [key(check) for check in checks]
    new = [i for i, k in enumerate(keys) if k not in written]
    for number, _, said in children((functools.partial(measured, checks[i]) for i in new), jobs):
        written[keys[new[number]]] = said or [False, 0.0, []]
    known.parent.mkdir(parents=True, exist_ok=True)
    known.write_text(json.dumps({k: written[k] for k in keys}))
    return [Usual(passes, seconds, frozenset(lines)) for passes, seconds, lines in (written[k] for k in keys)]


def traced(work: Callable[[], Any]) -> set[int]:
    """The lines of the kernel that some work executes, in the first calls of each function."""
    lines: set[int] = set()
    calls: dict[CodeType, int] = {}
    name = kernel.__file__

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        lines.add(frame.f_lineno)
        return line

    def call(frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename != name:
            return None
        calls[code] = calls.get(code, 0) + 1
        lines.add(code.co_firstlineno)
        return line if calls[code] <= CALLS else None

    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(None)
    return lines


def forget() -> None:
    """Empty the kernel's caches."""
    for value in vars(kernel).values():
        for inner in [value, *(vars(value).values() if isinstance(value, type) else ())]:
            if hasattr(inner, "cache_clear"):
                inner.cache_clear()


def install(code: CodeType, whole: bool) -> None:
    """Put the functions, methods and constants of a changed kernel, or of a piece of it, in the place of its own.

    The objects stay the same, so that whoever has imported them has the new ones.
    """
    names = {"__name__": kernel.__name__} if whole else dict(vars(kernel))
    exec(code, names)
    for name, new in names.items():
        if name != "__builtins__" and new is not vars(kernel).get(name):
            _replace(vars(kernel), name, new)
    forget()


def _replace(where: dict[str, Any], name: str, new: Any) -> None:
    old: Any = where.get(name)
    if isinstance(old, type) and isinstance(new, type):
        for key, value in list(vars(new).items()):
            _recode(vars(old).get(key), value)
    elif hasattr(_plain(old), "__code__"):
        _recode(old, new)
    elif type(old).__name__ == "Interval":
        old.lo, old.hi = new.lo, new.hi
    elif type(old).__name__ == "Context":
        old.prec, old.rounding, old.Emin, old.Emax = new.prec, new.rounding, new.Emin, new.Emax
    elif repr(old) != repr(new):
        where[name] = new


def _plain(function: Any) -> Any:
    """The function of a property or a static method, without its cache."""
    function = getattr(function, "fget", function)
    return getattr(function, "__wrapped__", function)


def _recode(old: Any, new: Any) -> None:
    old, new = _plain(old), _plain(new)
    if hasattr(old, "__code__") and hasattr(new, "__code__"):
        old.__code__, old.__defaults__ = new.__code__, new.__defaults__


def endure(checks: list[tuple[Check, Usual]], say: Callable[[Any], None]) -> bool:
    """Run checks one after the other, up to the first that fails."""
    for check, known in checks:
        say(check.name)
        forget()
        signal.setitimer(signal.ITIMER_PROF, 5 * known.seconds + 1)
        if not check.passes():
            return False
    return True

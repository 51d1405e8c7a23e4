"""What may notice a mutant of the kernel: certificates whose outcome is known, and the tests in tests/kernel/.

Every check runs in a child of its own, made by fork once all is imported and collected. First each runs on the
kernel as it is, which marks its lines as it executes them, and that tells these and the processor time; a mutant then
meets the checks that execute the changed statement, the quick ones first, and one that takes five times as long hangs.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.abc
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from dpverify import files, kernel
from soundness.corpus import FAST, corpus, gallery, whole
from soundness.marked import Spans, executed, mark
from soundness.mutate import mutant, sealed

ROOT = Path(__file__).parents[1]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


KERNEL = ROOT / "dpverify" / "kernel"
FILES = sorted(path for path in KERNEL.rglob("*.py") if not path.stem.startswith("__"))
MODULES = {path.stem: importlib.import_module(module_of(path)) for path in FILES}
"""The kernel's modules by their names, which are different in the sections too."""
FORGED, FORGED_KINDS, EXAMPLES, MEMORY, LONGEST, KEEP = 150, 60, 25, 4 * 2**30, 1.5, 30
"""Certificates mutated, Hypothesis' examples of each test, bytes of a child, seconds of processor time
beyond which a check is left out, and seconds after which what is measured is kept."""


TESTS = (
    "kernel",
    "profiles",
    "composition",
    "mixtures",
    "certificate/test_rules.py",
)


@dataclass(frozen=True)
class Check:
    """Something that fails or not; `forged` where only a certificate mutated at random would notice; `data` are the
    bytes of a certificate, where it is one."""

    name: str
    origin: Path
    passes: Callable[[], bool]
    forged: bool = False
    data: bytes = b""


@dataclass(frozen=True)
class Usual:
    """What a check takes with the kernel as it is."""

    passes: bool
    seconds: float
    lines: frozenset[str]


def accepted(data: bytes) -> bool:
    try:
        kernel.check_bytes(data)
    except kernel.Rejected:
        return False
    return True


def certificates(seed: int, forged: bool = True) -> list[Check]:
    """The gallery and the corpus of the campaign, which are accepted, and forgeries as they are judged now."""

    def check(name: str, data: bytes, expected: bool) -> Check:
        made = Path(__file__).with_name("mutate.py")
        return Check(name, made, lambda: accepted(data) is expected, name.startswith("forgery"), data)

    rnd = random.Random(seed)
    forgeries = [] if not forged else [mutant(rnd, corpus()[:FAST])[2] for _ in range(FORGED)]
    forgeries += [mutant(rnd, whole()[0], kinds())[2] for _ in range(FORGED_KINDS if forged else 0)]
    intact = [*gallery(), *(sealed(c) for c in corpus())]
    return [check(f"certificate {i}", data, True) for i, data in enumerate(intact)] + [
        check(f"forgery {i}", data, accepted(data)) for i, data in enumerate(forgeries)
    ]


def kinds() -> list[float]:
    """The weights of the smaller profiles and compositions, and of no other certificate."""
    return [float("kind" in c["claim"] and len(json.dumps(c)) < 10_000) for c in whole()[0]]


def tests(work: Callable[[list[Check]], None], places: Sequence[str] = TESTS) -> None:
    """Do some work with the tests of some places in tests/, collected but not run."""
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

    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--continue-on-collection-errors"]
    pytest.main([*options, *(str(ROOT / "tests" / place) for place in places)], [Collected()])


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
    """Each check with the kernel as it is; kept in a file, and measured again where the check, or a file of the
    kernel that it executes, has changed."""
    written: dict[str, Any] = json.loads(known.read_text()) if known.exists() else {}
    kernel_files = {name: _digest(Path(module.__file__ or "").read_bytes()) for name, module in MODULES.items()}
    origins = {path: _digest(path.read_bytes()) for path in {check.origin for check in checks}}
    keys = [f"{check.name} {origins[check.origin]} {_digest(check.data)}" for check in checks]

    wanted = set(keys)

    def stays(key: str) -> bool:
        return key in wanted and all(kernel_files.get(x) == y for x, y in written[key]["files"].items())

    names = {check.name for check in checks}
    written = {key: found for key, found in written.items() if key.rsplit(" ", 2)[0] not in names or stays(key)}
    new = {key: check for key, check in zip(keys, checks, strict=True) if key not in written}
    known.parent.mkdir(parents=True, exist_ok=True)
    files.write(known, json.dumps(written))
    if new:
        process = os.fork()
        if not process:
            try:
                _measure(new, jobs, known, kernel_files)
                os._exit(0)
            finally:
                os._exit(1)
        _, status = os.waitpid(process, 0)
        if status:
            raise SystemExit("the checks could not be measured")
        written = json.loads(known.read_text())
    return [_usual(written[key]) for key in keys]


def _measure(new: dict[str, Check], jobs: int, known: Path, kernel_files: dict[str, str]) -> None:
    """Write what checks take and execute, each in a child of this process, whose kernel gets marks."""
    spans = mark({name: module.__file__ or "" for name, module in MODULES.items()})
    written, keys, due = json.loads(known.read_text()), list(new), time.monotonic() + KEEP
    works = (functools.partial(_measured, check, spans) for check in new.values())
    for n, (number, _, said) in enumerate(children(works, jobs), 1):
        passes, seconds, lines = said or [False, 0.0, {}]
        files_of = {name: kernel_files[name] for name in lines or kernel_files}
        found = {"passes": passes, "seconds": round(seconds, 4), "lines": lines, "files": files_of}
        written[keys[number]] = found
        if time.monotonic() > due or n == len(new):
            due = time.monotonic() + KEEP
            files.write(known, json.dumps(written))
            print(f"\r{n} of {len(new)} checks measured", end="", file=sys.stderr, flush=True)


def _usual(kept: dict[str, Any]) -> Usual:
    lines = frozenset(f"{name}:{line}" for name, found in kept["lines"].items() for line in found)
    return Usual(kept["passes"], kept["seconds"], lines)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _measured(check: Check, spans: Spans, say: Callable[[Any], None]) -> bool:
    """Say whether a check passes, its processor time, and its lines where it does not take too long."""
    say([True, 2 * LONGEST, {}])
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    forget()
    start = time.process_time()
    passes, lines = executed(spans, check.passes)
    seconds = time.process_time() - start
    say([passes, seconds, lines])
    return True


@functools.cache
def _caches() -> tuple[Any, ...]:
    found = []
    for module in list(MODULES.values()):
        for value in vars(module).values():
            for inner in [value, *(vars(value).values() if isinstance(value, type) else ())]:
                while inner is not None:
                    if hasattr(inner, "cache_clear") and not isinstance(inner, type):
                        found.append(inner)
                    inner = getattr(inner, "__wrapped__", None)
    return tuple({id(cache): cache for cache in found}.values())


def forget() -> None:
    """Empty the kernel's caches."""
    for cache in _caches():
        cache.cache_clear()


def install(code: CodeType, module: str) -> None:
    """Put what a changed statement of a module of the kernel defines in the place of what it defined.

    The objects stay the same, or are exchanged wherever they were imported, so that whoever has imported them has
    the new ones.
    """
    own = vars(MODULES[module])
    names = dict(own)
    exec(code, names)
    for name, new in names.items():
        if name != "__builtins__" and new is not own.get(name):
            _replace(name, own.get(name), new)
    forget()


def _replace(name: str, old: Any, new: Any) -> None:
    if isinstance(old, type) and isinstance(new, type):
        for key, value in list(vars(new).items()):
            _recode(vars(old).get(key), value)
            if isinstance(value, int | tuple) and not key.startswith("__"):
                setattr(old, key, value)  # a number of the class
    elif hasattr(_plain(old), "__code__"):
        _recode(old, new)
    elif type(old).__name__ == "Interval":
        old.lo, old.hi = new.lo, new.hi
    elif type(old).__name__ == "Context":
        old.prec, old.rounding, old.Emin, old.Emax = new.prec, new.rounding, new.Emin, new.Emax
    elif isinstance(old, dict) and isinstance(new, dict):
        old.update(new)  # and keep what sections have added
    elif repr(old) != repr(new):
        for module in list(sys.modules.values()):
            if vars(module).get(name) is old:
                setattr(module, name, new)


def _plain(function: Any) -> Any:
    """The function of a property, a static method or a rule, without its cache."""
    function = getattr(function, "fget", function)
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _recode(old: Any, new: Any) -> None:
    old, new = _plain(old), _plain(new)
    if hasattr(old, "__code__") and hasattr(new, "__code__"):
        old.__code__, old.__defaults__ = new.__code__, new.__defaults__


def afresh(source: ast.Module, module: str) -> None:
    """Load the whole kernel again, one of its modules changed; only who asks the kernel by name has the new one."""
    own, path = MODULES[module].__name__, MODULES[module].__file__
    for name in [n for n in sys.modules if n == "dpverify.kernel" or n.startswith("dpverify.kernel.")]:
        del sys.modules[name]

    class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
            return importlib.util.spec_from_loader(name, self) if name == own else None

        def exec_module(self, module: Any) -> None:
            module.__file__ = path
            exec(compile(source, str(path), "exec"), vars(module))

    sys.meta_path.insert(0, Changed())
    global kernel
    kernel = importlib.import_module("dpverify.kernel")


def endure(checks: list[tuple[Check, Usual]], say: Callable[[Any], None]) -> bool:
    """Run checks one after the other, up to the first that fails."""
    for check, known in checks:
        say(check.name)
        forget()
        signal.setitimer(signal.ITIMER_PROF, 5 * known.seconds + 1)
        if not check.passes():
            return False
    return True

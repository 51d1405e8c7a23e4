"""A kill loses nothing: interrupted, spread over processes or on Dask, the result is the same to the bit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor

from dpverify.audit import AuditReport, BuiltIn, Files, Mechanism, audit, campaign, forks
from dpverify.audit.counting import Task
from dpverify.audit.sources import CHUNK
from dpverify.errors import InputError
from dpverify.sampling import EllipticalNoise
from tests.audit import mechanisms

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MANY = 10 * CHUNK
BUILT_IN = BuiltIn(MANY, EllipticalNoise("student_t", 2, parameters={"nu": 5}), np.array([1.0, 0.0]))
KILLER = Mechanism(MANY // 2, "tests.audit.mechanisms:kills_its_worker_once", (np.zeros(1), np.ones(1)))


def told(report: AuditReport) -> str:
    return json.dumps(report.to_json(), sort_keys=True)


class Stop(Exception):
    pass


def test_an_interrupted_run_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "SAVE_EVERY", 0.0)
    whole = audit(BUILT_IN, seed=5)
    file = tmp_path / "audit.json"

    def stop_at(limit: int) -> None:
        def progress(done: int, total: int) -> None:
            if done == limit:
                raise Stop

        with pytest.raises(Stop):
            audit(BUILT_IN, seed=5, checkpoint=file, progress=progress)

    stop_at(3)
    before = json.loads(file.read_text())
    assert before["chunks"] == 2
    stop_at(7)
    seen: list[int] = []
    resumed = audit(BUILT_IN, checkpoint=file, progress=lambda done, total: seen.append(done))
    assert told(resumed) == told(whole)
    assert seen == [7, 8, 9, 10]
    assert not file.exists()


def test_a_killed_process_resumes_with_the_identical_result(tmp_path: Path) -> None:
    file, script = tmp_path / "audit.json", tmp_path / "run.py"
    script.write_text(
        "import sys, json, time, numpy as np\n"
        "from dpverify.audit import Mechanism, audit, campaign\n"
        "campaign.SAVE_EVERY = 0.0\n"
        "source = Mechanism(200_000, 'tests.audit.mechanisms:laplace', (np.zeros(1), np.ones(1)))\n"
        "def progress(done, total):\n"
        "    if done == 2 and sys.argv[2:] == ['halt']:\n"
        "        print('halted', flush=True), time.sleep(600)\n"
        "checkpoint = sys.argv[1] if len(sys.argv) > 1 else None\n"
        "report = audit(source, seed=11, checkpoint=checkpoint, progress=progress)\n"
        "print(json.dumps(report.to_json(), sort_keys=True))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(script), str(file), "halt"]
    with subprocess.Popen(command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None and killed.stdout.readline() == "halted\n"
        killed.send_signal(signal.SIGKILL)
    assert json.loads(file.read_text())["chunks"] == 1
    outputs = [
        subprocess.run(
            [sys.executable, str(script), *more], env=env, cwd=tmp_path, capture_output=True, check=True
        ).stdout
        for more in ([str(file)], [])
    ]
    assert outputs[0] == outputs[1]


def test_a_checkpoint_survives_a_mechanism_that_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "SAVE_EVERY", 0.0)
    marker, file = tmp_path / "marker", tmp_path / "audit.json"
    monkeypatch.setenv("DPVERIFY_TEST_MARKER", str(marker))
    source = Mechanism(MANY // 2, mechanisms.raises_late, (np.zeros(1), np.ones(1)))
    with pytest.raises(InputError, match="raised RuntimeError: late"):
        audit(source, seed=2, checkpoint=file, progress=lambda done, total: marker.touch() if done == 2 else None)
    assert json.loads(file.read_text())["chunks"] == 2
    marker.unlink()
    assert told(audit(source, checkpoint=file)) == told(audit(source, seed=2))


def test_a_checkpoint_of_another_audit_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "audit.json"

    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        audit(BUILT_IN, seed=5, checkpoint=file, progress=stop)
    for settings in ({"seed": 6}, {"confidence": 0.9}, {"delta": 0.1}):
        with pytest.raises(InputError, match="belongs to another audit"):
            audit(BUILT_IN, checkpoint=file, **settings)  # type: ignore[arg-type]
    assert file.exists()
    for text in ("", "[]", '{"dpverify_audit_checkpoint": 1}', "nonsense"):
        file.write_text(text)
        with pytest.raises(InputError, match="not a checkpoint"):
            audit(BUILT_IN, checkpoint=file)


def test_processes_do_not_change_the_result(tmp_path: Path) -> None:
    assert told(audit(BUILT_IN, seed=5, jobs=2)) == told(audit(BUILT_IN, seed=5))
    for name, centre, seed in (("p", 0.0, 1), ("q", 1.0, 2)):
        x = mechanisms.laplace(np.array([centre]), 3 * CHUNK, np.random.default_rng(seed))
        np.save(tmp_path / f"{name}.npy", x)
    files = Files.open(tmp_path / "p.npy", tmp_path / "q.npy")
    assert told(audit(files, seed=5, jobs=2)) == told(audit(files, seed=5))


FORKED = """\
import json, os, sys, time
import numpy as np
from dpverify.audit import BuiltIn, audit, forks
from dpverify.audit.sources import CHUNK
from dpverify.sampling import EllipticalNoise
children = lambda: open(f"/proc/self/task/{os.getpid()}/children").read().split()
def progress(done, total):
    if done == 3 and sys.argv[2:] == ["halt"]:
        print(*children(), flush=True)
        time.sleep(600)
    if done == 3 and sys.argv[2:] == ["interrupt"]:
        raise KeyboardInterrupt
    used.update(children())
used = set()
noise = EllipticalNoise("student_t", 2, parameters={"nu": 5})
report = audit(BuiltIn(10 * CHUNK, noise, np.array([1.0, 0.0])), seed=5, jobs=int(sys.argv[1]), progress=progress)
print(len(used), json.dumps(report.to_json(), sort_keys=True))
"""


def forked(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """An audit by forks, in a process where no other thread runs."""
    (folder / "forked.py").write_text(FORKED)
    command = [sys.executable, str(folder / "forked.py"), *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, **pipes)  # type: ignore[call-overload,no-any-return]


@pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux alone")
def test_forks_do_not_change_the_result(tmp_path: Path) -> None:
    with forked(tmp_path, "1") as alone, forked(tmp_path, "2") as two:
        (none, expected), (used, found) = (each.communicate()[0].split(" ", 1) for each in (alone, two))
    assert (none, used) == ("0", "2")
    assert found == expected


@pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux alone")
def test_forks_end_with_their_parent_however_it_ends(tmp_path: Path) -> None:
    with forked(tmp_path, "2", "halt") as killed:
        assert killed.stdout is not None
        forks_of_it = [Path("/proc", pid) for pid in killed.stdout.readline().split()]
        assert len(forks_of_it) == 2
        killed.send_signal(signal.SIGKILL)
    for _ in range(600):
        if not any(map(is_running, forks_of_it)):
            break
        time.sleep(0.1)
    assert not any(map(is_running, forks_of_it))
    with forked(tmp_path, "2", "interrupt") as broken_off:
        said = broken_off.communicate()[1]
    assert said.count("Traceback") == 1
    assert said.endswith("KeyboardInterrupt\n")


def is_running(process: Path) -> bool:
    """Whether it exists, and is more than an entry that nobody has asked for."""
    try:
        return "Z" not in (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False


def test_only_what_cannot_wait_for_a_thread_is_forked() -> None:
    ours, theirs = (Task(source, (), 0) for source in (BUILT_IN, KILLER))
    assert not forks.serve(theirs)
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    assert not forks.serve(ours)
    stop.set()
    other.join()


def test_what_forks_make_comes_in_order_and_a_killed_one_is_told() -> None:
    assert list(forks.each(lambda chunk: chunk**2, range(1000), 3)) == [chunk**2 for chunk in range(1000)]
    assert list(forks.each(lambda chunk: chunk, range(0), 2)) == []
    parent = os.getpid()
    with pytest.raises(BrokenProcessPool):
        list(forks.each(lambda chunk: os._exit(9) if os.getpid() != parent and chunk == 7 else chunk, range(20), 2))


def test_a_killed_fork_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = tmp_path / "killed"
    monkeypatch.setenv("DPVERIFY_TEST_MARKER", str(marker))
    monkeypatch.setenv("DPVERIFY_TEST_PARENT", str(os.getpid()))
    monkeypatch.setattr(forks, "serve", lambda task: True)
    spread = audit(KILLER, seed=4, jobs=2)
    assert marker.exists(), "no fork was killed"
    assert told(spread) == told(audit(KILLER, seed=4))


def test_a_killed_worker_of_loky_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = tmp_path / "killed"
    monkeypatch.setenv("DPVERIFY_TEST_MARKER", str(marker))
    monkeypatch.setenv("DPVERIFY_TEST_PARENT", str(os.getpid()))
    get_reusable_executor().shutdown()  # workers of an earlier test do not know the marker
    spread = audit(KILLER, seed=4, jobs=2)
    assert marker.exists(), "no worker was killed"
    assert told(spread) == told(audit(KILLER, seed=4))


@pytest.mark.sweep
def test_the_same_call_on_a_dask_cluster_whose_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client, LocalCluster

    marker = tmp_path / "killed"
    monkeypatch.setenv("DPVERIFY_TEST_MARKER", str(marker))
    monkeypatch.setenv("DPVERIFY_TEST_PARENT", str(os.getpid()))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        spread = audit(KILLER, seed=4, jobs=None)
    assert marker.exists(), "no worker was killed"
    assert told(spread) == told(audit(KILLER, seed=4))


def test_what_breaks_off_a_spread_audit_is_told_in_one_line(recwarn: pytest.WarningsRecorder) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit(BUILT_IN, seed=5, jobs=2, progress=stop)
    with joblib.parallel_config(backend="multiprocessing"), pytest.raises(InputError, match="loky, threading and dask"):
        audit(BUILT_IN, seed=5, jobs=None)
    assert not [each for each in recwarn if "tasks" in str(each.message)]


def test_memory_does_not_grow_with_the_samples() -> None:
    import tracemalloc

    peaks = []
    for chunks in (2, 12):
        source = BuiltIn(chunks * CHUNK, EllipticalNoise("laplace", 2), np.array([1.0, 0.0]))
        tracemalloc.start()
        audit(source, seed=0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]
    assert peaks[1] < 64 * 2**20

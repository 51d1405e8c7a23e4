"""`dpverify audit` as a stranger would type it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from dpverify.audit import BuiltIn, Mechanism
from dpverify.audit.events import Event
from dpverify.audit.sources import CHUNK
from dpverify.cli import app
from dpverify.cli.audit import _jobs
from dpverify.sampling import EllipticalNoise
from tests import command
from tests.audit import mechanisms

ROOT = Path(__file__).parents[2]
KEYS = {"epsilon_lower", "delta", "confidence", "samples", "claim", "verdict", "event", "method"}
run = partial(command.run, "audit")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        (["laplace", "--dimension", "2", "--claim", "1"], 0, "consistent"),
        (["laplace", "--sensitivity", "3/2", "--claim", "1"], 1, "violated"),
        (["laplace", "--sensitivity", "2", "--scale", "2", "--claim", "1"], 0, "consistent"),
        (["exp(-sqrt(y)*(1+y)**(1/4))", "--samples", "20000"], 0, "no_claim"),
        (["gaussian", "--claim", "1", "--delta", "1e-5", "--samples", "200000"], 1, "violated"),
        (["--mechanism", "tests.audit.mechanisms:naive_laplace", "--claim", "1", "--samples", "20000"], 1, "violated"),
        (["--mechanism", "tests.audit.mechanisms:laplace", "--claim", "1", "--samples", "20000"], 0, "consistent"),
        (
            ["student_t", "--param", "nu=5", "--dimension", "2", "--claim", "1.553", "--mechanism"]
            + ["tests.audit.mechanisms:t5", "--samples", "20000"],
            0,
            "consistent",
        ),
    ],
)
def test_exit_status_and_json(arguments: list[str], status: int, verdict: str) -> None:
    done = run(*arguments, "--seed", "1", "--json")
    assert done.returncode == status, done.stderr
    assert done.stdout.count("\n") == 1
    data = json.loads(done.stdout)
    assert set(data) >= KEYS
    assert data["verdict"] == verdict
    assert data["epsilon_lower"] > 0.5
    assert data["confidence"] == 0.99
    assert (data["claim"] is None) == ("--claim" not in arguments)
    assert isinstance(data["event"], str)
    assert isinstance(data["method"], str)


def test_a_seed_repeats_the_audit_and_a_fresh_one_is_told() -> None:
    first = json.loads(run("laplace", "--samples", "1000", "--json").stdout)
    again = json.loads(run("laplace", "--samples", "1000", "--json", "--seed", str(first["seed"])).stdout)
    assert first == again
    assert json.loads(run("laplace", "--samples", "1000", "--json").stdout)["seed"] != first["seed"]


@pytest.mark.slow
def test_files_and_the_event_that_can_be_counted_again(tmp_path: Path) -> None:
    for name, centre, seed in (("p", 0.0, 1), ("q", 1.0, 2)):
        x = mechanisms.laplace_small_scale(np.array([centre]), 20_000, np.random.default_rng(seed))
        np.savetxt(tmp_path / f"{name}.csv", x)
    done = run("--p", "p.csv", "--q", "q.csv", "--claim", "1", "--output", "r.json", "--seed", "0", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "VIOLATED" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    data = json.loads((tmp_path / "r.json").read_text())
    event = Event.from_json(data["test"]["event"])
    fresh = [mechanisms.laplace_small_scale(np.array([c]), 50_000, np.random.default_rng(9)) for c in (0.0, 1.0)]
    shares = sorted(event.contains(x).mean() for x in fresh)
    assert np.log(shares[1] / shares[0]) > 1


@pytest.mark.slow
def test_a_report_beside_a_certificate(tmp_path: Path) -> None:
    proof = tmp_path / "laplace.json"
    proof.write_bytes((ROOT / "certificates" / "laplace-d1.json").read_bytes())
    done = run("--certificate", str(proof), "--seed", "1")
    assert done.returncode == 0, done.stderr
    for words in ("CONSISTENT", "proved    epsilon <= 1", "observed  epsilon >= 0.9", "at 99 % confidence"):
        assert words in done.stdout
    data = json.loads((tmp_path / "laplace.audit.json").read_text())
    assert data["verdict"] == "consistent"
    assert data["certificate"]["digest"] == json.loads(proof.read_text())["digest"]
    wrong = "tests.audit.mechanisms:laplace_small_scale"
    first = (tmp_path / "laplace.audit.json").read_bytes()
    other = ["--certificate", str(proof), "--mechanism", wrong, "--seed", "1", "--json"]
    done = run(*other, "--output", str(tmp_path / "wrong.json"))
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "violated"
    assert json.loads((tmp_path / "wrong.json").read_text())["verdict"] == "violated"
    assert not list(tmp_path.glob("*.audit-2.json")), "--output says where, and nowhere else"
    assert run(*other).returncode == 1
    assert json.loads((tmp_path / "laplace.audit-2.json").read_text())["verdict"] == "violated"
    assert (tmp_path / "laplace.audit.json").read_bytes() == first
    assert run("laplace", "--samples", "1000", "--output", str(proof)).returncode == 2  # no file is written over
    proof.write_text(proof.read_text().replace('"upper": "1', '"upper": "0', 1))
    assert run("--certificate", str(proof)).returncode == 2


BAD = [
    [],
    ["laplace", "--samples", "10"],
    ["laplace", "--samples", "0"],
    ["laplace", "--samples", "many"],
    ["laplace", "--claim", "high"],
    ["laplace", "--claim", "nan"],
    ["laplace", "--delta", "1"],
    ["laplace", "--delta", "-1"],
    ["laplace", "--confidence", "1"],
    ["laplace", "--confidence", "99"],
    ["laplace", "--seed", "-1"],
    ["laplace", "--seed", "x"],
    ["laplace", "--scale", "0"],
    ["laplace", "--sensitivity", "-1"],
    ["laplace", "--dimension", "0"],
    ["laplace", "--axis", "2"],
    ["laplace", "--axis", "across"],
    ["laplace", "--shift", "1,2"],
    ["laplace", "--shift", "x"],
    ["laplace", "--shift", "1", "--sensitivity", "2"],
    ["laplace", "--centre", "1"],
    ["laplace", "--neighbours", "missing.json"],
    ["--mechanism", "tests.audit.mechanisms:laplace", "--neighbours", "missing.json"],
    ["--mechanism", "tests.audit.mechanisms:laplace", "--neighbours", "missing.npz"],
    ["--mechanism", "tests.audit.mechanisms:laplace", "--neighbours", "missing.json", "--shift", "1"],
    ["laplace", "--jobs", "0"],
    ["laplace", "--param", "nu=3"],
    ["laplace", "--mechanism", "tests.audit.mechanisms:raises"],
    ["--mechanism", "tests.audit.mechanisms:wrong_shape"],
    ["--mechanism", "tests.audit.mechanisms:fixed_seed", "--dimension", "2"],
    ["--mechanism", "tests.audit.mechanisms:nothing"],
    ["--mechanism", "nonsense"],
    ["--p", "missing.npy", "--q", "missing.npy"],
    ["--p", "missing.npy"],
    ["--p", "a.npy", "--q", "b.npy", "--mechanism", "m:f"],
    ["1/(1+r)"],
    ["exp(-a*y)"],
    ["exp(-y"],
    ["--certificate", "missing.json"],
    ["laplace", "--certificate", "missing.json"],
    ["laplace", "--checkpoint", "/nonexistent/folder/x.json"],
    ["laplace", "--output", "/nonexistent/folder/x.json", "--samples", "200"],
    ["laplace", "extra"],
    ["laplace", "--nonsense"],
]


@pytest.mark.parametrize("arguments", BAD, ids=lambda a: " ".join(a)[:50])
def test_bad_input_is_one_line_on_standard_error_and_status_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["dpverify", "audit", *arguments])
    with pytest.raises(SystemExit) as end:
        app.main()
    out, err = capsys.readouterr()
    assert end.value.code == 2
    assert len(err.splitlines()) == 1, err
    assert err.startswith("dpverify: ")
    assert out == ""


@pytest.mark.slow
def test_a_mechanism_of_the_current_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "def noisy(centre, size, rng):\n"
        "    return np.round((centre + rng.laplace(size=(size, len(centre)))) * 1024) / 1024\n"
    )
    arguments = ["--mechanism", "mine:noisy", "--claim", "1/2", "--samples", "5000", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "dpverify", "audit", *arguments],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1, done.stderr


@pytest.mark.slow
def test_inputs_from_a_file_vectors_and_the_diagonal(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('[["ux", "vy"], ["ux"]]')
    np.savez(tmp_path / "arrays.npz", a=np.zeros(2), b=np.array([0.6, 0.8]))
    histogram, l2 = "tests.audit.mechanisms:noisy_histogram", "tests.audit.mechanisms:l2_laplace"
    for arguments, dimension in (
        (["--mechanism", histogram, "--neighbours", "data.json"], 6),
        (["--mechanism", l2, "--neighbours", "arrays.npz"], 2),
        (["--mechanism", l2, "--dimension", "2", "--centre", "5,-3", "--shift", "0.6,4/5"], 2),
        (["--mechanism", l2, "--dimension", "2", "--axis", "diagonal"], 2),
        (["laplace", "--dimension", "2", "--shift", "0.6,0.8"], 2),
    ):
        done = run(*arguments, "--claim", "1", "--samples", "20000", "--seed", "1", "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        data = json.loads(done.stdout)
        assert data["verdict"] == "consistent"
        assert data["epsilon_lower"] > 0.6, dimension


@pytest.mark.slow
def test_a_second_audit_keeps_what_the_first_one_found(tmp_path: Path) -> None:
    proof = tmp_path / "laplace.json"
    proof.write_bytes((ROOT / "certificates" / "laplace-d1.json").read_bytes())
    wrong = "tests.audit.mechanisms:laplace_small_scale"
    assert run("--certificate", str(proof), "--mechanism", wrong, "--seed", "1").returncode == 1
    evidence = (tmp_path / "laplace.audit.json").read_bytes()
    assert run("--certificate", str(proof), "--seed", "1").returncode == 0
    assert (tmp_path / "laplace.audit.json").read_bytes() == evidence
    assert json.loads((tmp_path / "laplace.audit-2.json").read_text())["verdict"] == "consistent"
    done = run("laplace", "--output", str(tmp_path / "laplace.audit.json"))
    assert done.returncode == 2
    assert "is not written over" in done.stderr


def test_what_was_not_examined_is_said_in_json_and_on_the_terminal() -> None:
    arguments = ["--mechanism", "tests.audit.mechanisms:laplace", "--samples", "1000", "--no-leaks"]
    assert "not examined" in run(*arguments).stdout
    assert json.loads(run(*arguments, "--json").stdout)["bits_examined"] is False


def test_processes_are_started_for_long_work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting them takes as long as millions of draws of dpverify's own."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    one, many = np.eye(1)[0], np.eye(64)[0]
    slow = Mechanism(10 * CHUNK, mechanisms.laplace, (0 * one, one))
    assert _jobs(None, BuiltIn(100 * CHUNK, EllipticalNoise("laplace"), one)) == 1
    assert _jobs(None, BuiltIn(600 * CHUNK, EllipticalNoise("laplace"), one)) == 2
    assert _jobs(None, BuiltIn(10 * CHUNK, EllipticalNoise("laplace", 64), many)) == 2
    assert _jobs(None, slow) == 2
    assert _jobs(None, replace(slow, samples=CHUNK)) == 1
    assert _jobs("3", replace(slow, samples=CHUNK)) == 3

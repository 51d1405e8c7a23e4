"""Files of every kind give the same samples; what cannot be audited is refused in one line."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from dpverify.audit import Files, Mechanism, audit
from dpverify.audit.tables import open_table
from dpverify.errors import InputError
from tests.audit import mechanisms

SAMPLES = mechanisms.laplace(np.zeros(3), 3000, np.random.default_rng(0))
CENTRES = (np.zeros(2), np.array([1.0, 0.0]))


def write(path: Path, x: np.ndarray) -> Path:
    columns = {f"c{i}": x[:, i] for i in range(x.shape[1])}
    match path.suffix:
        case ".npy":
            np.save(path, x)
        case ".npz":
            np.savez(path, x=x)
        case ".csv":
            header = "a,b,c" if path.stem.startswith("headed") else ""
            np.savetxt(path, x, delimiter=",", fmt="%.17g", header=header, comments="")
        case ".parquet":
            parquet.write_table(pa.table(columns), path, row_group_size=500)
    return path


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.csv", "headed.csv", "x.parquet", "X.NPY"])
def test_every_format_gives_the_same_numbers(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "X.NPY":
        with open(path, "wb") as file:
            np.save(file, SAMPLES)
    else:
        write(path, SAMPLES)
    table = open_table(path)
    assert (table.rows, table.columns) == SAMPLES.shape
    rows = np.array([0, 17, 1500, 2999])
    assert np.array_equal(table.read(rows).numbers, SAMPLES[rows])


@pytest.mark.slow
def test_files_of_two_formats_in_sorted_order_are_audited_alike(tmp_path: Path) -> None:
    p = mechanisms.laplace(np.zeros(1), 20_000, np.random.default_rng(1))
    q = mechanisms.laplace(np.ones(1), 15_000, np.random.default_rng(2))
    bounds = []
    for kind, order in ((".npy", slice(None)), (".csv", np.argsort(p[:, 0]))):
        files = Files.open(write(tmp_path / f"p{kind}", p[order]), write(tmp_path / f"q{kind}", q))
        bounds.append(audit(files, seed=1, confidence=0.95).epsilon_lower)
    assert all(0.85 < bound < 1 for bound in bounds)


def test_a_flat_array_and_integers_are_samples_in_one_dimension(tmp_path: Path) -> None:
    np.save(tmp_path / "p.npy", np.arange(500))
    assert open_table(tmp_path / "p.npy").columns == 1


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f8", ">f8", "<f4", "<f2", "<i8", ">i4", "u1"])
def test_numbers_of_every_type_and_order_are_read_as_they_are(kind: str, order: str, tmp_path: Path) -> None:
    numbers = np.random.default_rng(4).integers(0, 200, (70_000, 2)).astype(kind)
    np.save(tmp_path / "x.npy", np.asarray(numbers, order=order))
    rows = np.array([0, 1, 65_535, 65_536, 69_999])
    assert np.array_equal(open_table(tmp_path / "x.npy").read(rows).numbers, numbers[rows].astype(float))


REPLACED = {
    "other numbers": lambda x: x + 1,
    "another type": lambda x: x.astype(np.float32),
    "fewer rows": lambda x: x[:10],
}


@pytest.mark.parametrize("change", REPLACED)
def test_a_file_that_is_rewritten_is_read_anew_and_never_halfway(change: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, SAMPLES)
    before = open_table(path)
    assert np.array_equal(before.read(np.arange(5)).numbers, SAMPLES[:5])
    other = REPLACED[change](SAMPLES)
    np.save(path, other)
    with pytest.raises(InputError, match="was changed while it was audited"):
        before.read(np.arange(5))
    assert np.array_equal(open_table(path).read(np.arange(5)).numbers, other[:5].astype(float))


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, SAMPLES)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(InputError, match="shorter than its header says"):
        open_table(path)


def bad_files(folder: Path) -> dict[str, Callable[[], object]]:
    def pair(p: np.ndarray, q: np.ndarray, samples: int | None = None) -> object:
        np.save(folder / "p.npy", p)
        np.save(folder / "q.npy", q)
        return audit(Files.open(folder / "p.npy", folder / "q.npy", samples), seed=0)

    def text(name: str, content: bytes) -> object:
        (folder / name).write_bytes(content)
        return open_table(folder / name)

    shifted = mechanisms.laplace(np.ones(3), 3000, np.random.default_rng(9))
    return {
        "dimension": lambda: pair(SAMPLES, SAMPLES[:, :2]),
        "too few samples": lambda: pair(SAMPLES[:50], shifted[:50]),
        "too few samples ": lambda: pair(SAMPLES, shifted, 20),
        "too few samples  ": lambda: pair(SAMPLES[:0], shifted[:0]),
        "wanted numbers": lambda: pair(np.array([1j] * 500), shifted),
        "wanted numbers ": lambda: pair(np.zeros((5, 5, 5)), shifted),
        "cannot be read": lambda: open_table(folder / "missing.npy"),
        "cannot be read as npy": lambda: text("x.npy", b"no array"),
        "cannot be read as npz": lambda: text("x.npz", b"no archive"),
        "cannot be read as parquet": lambda: text("x.parquet", b"no table"),
        "e.npy: is empty": lambda: text("e.npy", b""),
        "e.npz: is empty": lambda: text("e.npz", b""),
        "e.csv: is empty": lambda: text("e.csv", b""),
        "e.parquet: is empty": lambda: text("e.parquet", b""),
        "h.csv: holds no rows": lambda: text("h.csv", b"a,b\n"),
        "cannot be read as csv": lambda: text("x.csv", b"a,b\n1,2\n2,y,3\n"),
        "not a .npy": lambda: text("x.txt", b"1,2\n"),
    }


with tempfile.TemporaryDirectory() as _folder:
    NAMES = list(bad_files(Path(_folder)))


@pytest.mark.parametrize("message", NAMES)
def test_files_that_cannot_be_audited_are_refused_in_one_line(message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message.strip()) as error:
        bad_files(tmp_path)[message]()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("raises", "raised RuntimeError: the data base is away"),
        ("wrong_shape", r"returned 3 output\(s\), not 2"),
        ("no_outputs", "NoneType is no array and no list"),
        ("nameless", "outputs of type object cannot be told apart"),
        ("changes_shape", r"of 1 coordinate\(s\), and of 2 before"),
        ("fixed_seed", "share their noise"),
    ],
)
def test_mechanisms_that_misbehave_are_told_in_one_line(function: str, message: str) -> None:
    for given in (getattr(mechanisms, function), f"tests.audit.mechanisms:{function}"):
        with pytest.raises(InputError, match=message) as error:
            audit(Mechanism(1000, given, CENTRES), seed=0)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "name",
    ["nonsense", "tests.audit.mechanisms:nothing", "no.such.module:f", "tests.audit.mechanisms:np.pi", ":f", "m:"],
)
def test_names_that_lead_to_no_function_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        audit(Mechanism(1000, name, CENTRES), seed=0)


@pytest.mark.parametrize(
    "settings",
    [
        {"confidence": 1.0},
        {"confidence": 0.2},
        {"delta": -0.1},
        {"delta": 1.0},
        {"seed": -1},
        {"claim": "much"},
        {"claim": float("nan")},
        {"delta": float("inf")},
        {"seed": 1.5},
    ],
)
def test_settings_without_meaning_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InputError):
        audit(Mechanism(1000, mechanisms.laplace, CENTRES), **{"seed": 0, **settings})  # type: ignore[arg-type]

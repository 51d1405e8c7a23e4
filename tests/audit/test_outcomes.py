"""Outcomes are exact: integers of any size, words, tuples, NaN; an event looks at one output alone."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from math import inf, log, nan
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from dpverify.audit import AuditReport, Files, Mechanism, audit
from dpverify.audit.events import Event
from dpverify.audit.outcomes import Outcomes, outcomes
from dpverify.audit.tables import open_table
from dpverify.errors import InputError
from tests.audit import mechanisms

KINDS = [
    [0, 1, 2**53, 2**53 + 1, 2**60, 2**60 + 3, 10**400, 10**400 + 1, -(10**400)],
    [0.5, Fraction(1, 3), Decimal("0.1"), Fraction(1, 10) + Fraction(1, 10**30), nan, inf, -inf],
    ["a", "b", "1.0", "", "nan", b"a", None, "None", "\ud800"],
    [(1, 2), (2, 1), (1, 2, 3), [1, 2], (1, "2"), {1, 2, 3}, {1: 2}, ("a", None)],
]


@pytest.mark.parametrize("values", KINDS)
def test_different_values_are_different_outcomes(values: list[object]) -> None:
    seen = outcomes(values, 1)
    told = [t or repr(float(x)) for t, (x,) in zip(seen.texts, seen.numbers, strict=True)]
    assert len(set(told)) == len(values)
    assert len(set(seen.keys.tolist())) == len(values)


@pytest.mark.parametrize(
    "values",
    [
        [1, 1.0, True, np.int8(1), np.float32(1), Fraction(1), Decimal(1), np.bool_(True)],
        [0.0, -0.0, 0, False],
        [2**60 + 3, np.int64(2**60 + 3), Fraction(2**60 + 3), Decimal(2**60 + 3), np.uint64(2**60 + 3)],
        [nan, np.float32("nan"), np.nan, Decimal("nan")],
        [inf, np.float16("inf"), Decimal("Infinity")],
        ["a", np.str_("a")],
        [{"x": 1, "y": (2, 3)}, {"y": (2.0, 3), "x": True}],
    ],
)
def test_equal_values_are_one_outcome_whatever_their_type(values: list[object]) -> None:
    seen = outcomes(values, 1)
    assert len(set(seen.keys.tolist())) == 1
    assert len(set(seen.texts.tolist())) == 1


@pytest.mark.parametrize(
    "raw", [np.array([2**60 + k for k in range(50)], dtype=np.int64), KINDS[0], KINDS[1], KINDS[2]]
)
def test_a_row_is_the_same_whatever_stands_beside_it(raw: object) -> None:
    whole = outcomes(raw, 1)
    for at in range(len(whole)):
        alone = outcomes(raw[at : at + 1], 1)  # type: ignore[index]
        assert alone.texts[0] == whole.texts[at]
        assert alone.keys[0] == whole.keys[at]
        assert np.array_equal(alone.numbers[0], whole.numbers[at], equal_nan=True)


def test_arrays_of_any_shape_have_the_coordinates_of_one_item() -> None:
    assert outcomes(np.zeros((4, 3, 2))).dimension == 6
    assert outcomes([np.zeros((3, 2))] * 4).dimension == 6
    assert outcomes([[1.0, 2.0]] * 4).dimension == 2
    assert outcomes(["word"] * 4).dimension == 1
    longer = outcomes([(1.0, 2.0), (1.0, 2.0, 3.0)], 2)
    assert longer.texts.tolist() == ["", "(1.0, 2.0, 3.0)"]
    for raw in ("text", 3, None, np.zeros(())):
        with pytest.raises(InputError):
            outcomes(raw)


def on(function: object, samples: int = 5000, **rest: object) -> AuditReport:
    inputs = {"neighbours": (True, False)} if function in SPOKEN else {"centres": (np.zeros(1), np.ones(1))}
    return audit(Mechanism(samples, function, **inputs), seed=3, **rest)  # type: ignore[arg-type]


SPOKEN = (mechanisms.randomised_response, mechanisms.pairs_and_none)
LEAKS = [
    (mechanisms.nan_leak, "1"),
    (mechanisms.infinity_leak, "1"),
    (mechanisms.large_integers, "2"),
    (mechanisms.huge_wide_integers, "2"),
    (mechanisms.randomised_response, "1"),
    (mechanisms.pairs_and_none, "1"),
]


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize(("function", "claim"), LEAKS, ids=lambda v: getattr(v, "__name__", v))
def test_a_leak_by_any_outcome_is_a_violation_that_can_be_counted_again(function: object, claim: str) -> None:
    report = on(function, 20_000, claim=claim)
    assert report.verdict == "violated"
    told = json.loads(json.dumps(report.to_json(), allow_nan=False))
    event = Event.from_json(told["test"]["event"])
    rng = np.random.default_rng(8)
    inputs = (True, False) if function in SPOKEN else (np.zeros(1), np.ones(1))
    first, second = inputs if event.direction == "P/Q" else inputs[::-1]
    shares = [(event.contains(outcomes(function(x, 20_000, rng), 1)).mean() + 1e-4) for x in (first, second)]  # type: ignore[operator]
    assert log(shares[0] / shares[1]) > float(claim)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("function", SPOKEN)
def test_randomised_responses_keep_their_epsilon(function: object) -> None:
    bounds = [
        audit(Mechanism(2000, function, neighbours=(True, False)), seed=s, confidence=0.8).epsilon_lower  # type: ignore[arg-type]
        for s in range(60)
    ]
    assert sum(bound > log(3) for bound in bounds) <= 28  # 60 draws of 0.2 exceed that with probability below 1e-5
    assert np.mean(bounds) > 0.8 * log(3)


@pytest.mark.slow
def test_files_of_words_and_large_integers_are_read_as_they_are(tmp_path: Path) -> None:
    whole = [2**60 + 3, -1, 2**63 - 1, 7]
    mixed = ["yes", "nan", "1.5", str(2**60 + 3)]
    np.save(tmp_path / "a.npy", np.array(whole))
    np.save(tmp_path / "b.npy", np.array(mixed))
    (tmp_path / "c.csv").write_text("k,word\n" + "".join(f"{k},{w}\n" for k, w in zip(whole, mixed, strict=True)))
    parquet.write_table(pa.table({"k": whole, "word": mixed}), tmp_path / "d.parquet")
    rows = np.arange(4)
    assert open_table(tmp_path / "a.npy").read(rows).values[:, 0].tolist() == whole  # type: ignore[index]
    assert open_table(tmp_path / "b.npy").read(rows).values[:, 0].tolist() == mixed  # type: ignore[index]
    for name, second in (("c.csv", ["yes", nan, 1.5, 2**60 + 3]), ("d.parquet", mixed)):
        read = open_table(tmp_path / name).read(rows)
        assert read.texts.tolist() == outcomes(list(zip(whole, second, strict=True)), 2).texts.tolist()


@pytest.mark.slow
def test_files_of_large_integers_and_of_words_are_audited(tmp_path: Path) -> None:
    for name, side in (("p", 0), ("q", 1)):
        rng = np.random.default_rng(side)
        np.save(tmp_path / f"{name}.npy", np.array(mechanisms.large_integers(np.array([side]), 5000, rng)))
        words = mechanisms.randomised_response(bool(side), 5000, rng)
        (tmp_path / f"{name}.csv").write_text("answer\n" + "\n".join(words) + "\n")
    for kind, least, most in ((".npy", 2.3, 3.0), (".csv", 0.9, log(3))):
        report = audit(Files.open(tmp_path / f"p{kind}", tmp_path / f"q{kind}"), seed=1)
        assert least < report.epsilon_lower <= most


def test_numbers_alone_carry_nothing_beside_them() -> None:
    assert outcomes(np.zeros((5, 2), dtype=np.int64)).values is None
    assert outcomes([1, 2.5, True]).values is None
    assert not Outcomes(np.zeros((5, 2))).texts.any()

"""Replays: the bits of a draw lead to its lattice points, by arithmetic that shares nothing with the sampler's."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import mpmath as mp
import pytest

from dpverify.sampling.exact import ExactNoise
from dpverify.sampling.exact.decimals import Digits, Interval
from dpverify.sampling.exact.replay import check, record

LAWS: list[tuple[str, dict[str, Any]]] = [
    ("laplace", {}),
    ("student_t", {"nu": 3}),
    ("student_t", {"nu": "7/3"}),
    ("gaussian", {}),
    ("pearson_vii", {"m": 4}),
    ("multivariate_laplace", {}),
    ("power_exponential", {"beta": "1/3"}),
    ("matern", {}),
    ("sech", {}),
    ("hyperbolic", {"alpha": 2}),
    ("generalized_hyperbolic", {"p": "3/2"}),
    ("exp(-sqrt(y))*(3+sin(r))", {}),
    ("exp(-floor(sqrt(y)))", {}),
    ("exp(-Max(r,3))", {}),
    ("erfc(r)", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "parameters"), LAWS)
def test_draws_are_confirmed(text: str, parameters: dict[str, Any]) -> None:
    bits = Random(text)
    for d, covariance in ((1, None), (3, [[2, 1, 0], [1, 2, 0], [0, 0, "1/3"]])):
        noise = ExactNoise(text, d, covariance=covariance, lattice="1/1000", scale="3/7", parameters=parameters)
        for query in ([0] * d, [1e300] * d, [Fraction(1, 3)] * d):
            log = json.loads(json.dumps(record(noise, query, bits)))
            assert check(log), check(log).message


@pytest.mark.slow
def test_a_replay_does_without_arb_and_numpy(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text(json.dumps(record(ExactNoise("exp(-r)*(3+sin(r))", 2), [1, 2], Random(1))))
    code = (
        "import sys; from dpverify.sampling.exact.replay import main\n"
        "assert main(sys.argv[1:]) == 0\n"
        "sys.exit(any(name in sys.modules for name in ('flint', 'numpy', 'scipy')))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "confirmed" in done.stdout


def changed(log: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(log)), **changes}


def test_logs_that_say_anything_else_are_not_confirmed() -> None:
    log = record(ExactNoise("student_t", 2, parameters={"nu": 3}), [Fraction(1, 3), 2], Random(3))
    first, *others = log["bits"]
    assert check(log)
    released = Fraction(log["released"][0])
    other = [str(released + Fraction(1, 2**20)), log["released"][1]]
    low, high = map(int, log["enclosure"][0])
    moved = [[str(low + 3), str(high + 3)], log["enclosure"][1]]
    wider = [[str(low - 1), str(high)], log["enclosure"][1]]
    flipped = ("1" if first[0] == "0" else "0") + first[1:]
    for wrong in (
        changed(log, released=other),
        changed(log, enclosure=moved),
        changed(log, enclosure=wider),
        changed(log, bits=[flipped, *others]),
        changed(log, bits=others),
        changed(log, bits=[first[:-1], *others]),
        changed(log, bits=[*log["bits"], first]),
        changed(log, query=["5", "2"]),
        changed(log, scale="2"),
        changed(log, lattice="1/2"),
        changed(log, parameters={"nu": "4"}),
        changed(log, version=2),
        {},
    ):
        assert not check(wrong)


def test_a_tie_is_confirmed_at_its_last_precision() -> None:
    noise = ExactNoise("laplace", 1, lattice="1/4")
    first = noise.drawn(0, Random(2))
    edge = Fraction(1, 8) - (first.low[0] + 1) * noise.lattice / 2**first.guard
    log = record(noise, edge, Random(2))
    assert len(log["passes"]) == 2 and check(log)
    assert not check(changed(log, passes=log["passes"][:1], guard=first.guard, enclosure=[["0", "3"]]))


@pytest.mark.slow
@pytest.mark.parametrize("digits", [30, 80, 200])
def test_decimal_intervals_hold_what_they_enclose(digits: int) -> None:
    at, rng = Digits(digits), Random(digits)
    with mp.workdps(digits + 40):

        def holds(x: Interval, value: Any, width: int) -> None:
            low, high = (mp.mpf(str(end)) for end in (x.low, x.high))
            assert low <= value <= high
            assert high - low <= mp.mpf(10) ** (width - digits) * max(1, abs(value))

        holds(at.pi, mp.pi, 2)
        for _ in range(40):
            q = Fraction(rng.getrandbits(60) + 1, rng.getrandbits(50) + 1)
            x, value = at.number(q), mp.mpf(q.numerator) / q.denominator
            holds(x.log(), mp.log(value), 3)
            holds(x.sqrt(), mp.sqrt(value), 3)
            holds(x.power(Fraction(3, 7)), value ** (mp.mpf(3) / 7), 4)
            u = Fraction(rng.getrandbits(60), 2**59)
            sine, cosine = at.number(u).sin_cos_pi()
            angle = mp.mpf(u.numerator) / u.denominator
            holds(sine, mp.sinpi(angle), 3)
            holds(cosine, mp.cospi(angle), 3)
            holds(at.number(-u).exp(), mp.exp(-angle), 3)
            y = at.number(-u - 1)
            holds(x * y / (y * y) - x + y, value / -(angle + 1) - value - angle - 1, 26)


def test_wide_intervals_hold_every_value() -> None:
    at = Digits(30)
    x = Interval(Decimal("0.2"), Decimal("0.9"), at)
    sine, cosine = x.sin_cos_pi()
    for k in range(20, 91):
        assert float(sine.low) <= mp.sinpi(k / 100) <= float(sine.high)
        assert float(cosine.low) <= mp.cospi(k / 100) <= float(cosine.high)

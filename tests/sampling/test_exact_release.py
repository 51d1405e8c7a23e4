"""The exact mechanism as a function of its bits and the query: what it reads, in which order, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import dpverify
from dpverify.errors import InputError
from dpverify.sampling.exact import BitsExhausted, ExactNoise, Refused
from dpverify.sampling.exact.covariance import factors

CERTIFICATES = Path(dpverify.__file__).parents[1] / "certificates"
LAWS: list[tuple[str, int, dict[str, Any]]] = [
    ("laplace", 3, {}),
    ("student_t", 2, {"nu": "5/3"}),
    ("cauchy", 1, {}),
    ("exp(-sqrt(y))*(3+sin(r))", 2, {}),
]


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize(("text", "d", "parameters"), LAWS)
def test_the_order_of_work_does_not_depend_on_the_query(text: str, d: int, parameters: dict[str, Any]) -> None:
    """Equal bits: the same strings are read, to the same lengths, in passes of the same precisions."""
    noise = ExactNoise(text, d, parameters=parameters)
    queries = ([0] * d, [0.1] * d, [1e300] * d, [1e-300] * d, [Fraction(10**40, 7)] * d, [-5e-324] * d)
    for seed in range(25):
        draws = [noise.drawn(query, Random(seed)) for query in queries]
        assert len({(drawn.passes, drawn.strings, drawn.low, drawn.guard) for drawn in draws}) == 1


@pytest.mark.parametrize(("text", "d", "parameters"), LAWS)
def test_noise_is_added_before_it_is_rounded(text: str, d: int, parameters: dict[str, Any]) -> None:
    """With equal bits a shift by lattice points shifts what is released, however large; any other query is rounded."""
    noise = ExactNoise(text, d, lattice="1/10", parameters=parameters)
    fine = ExactNoise(text, d, lattice="1/7000000000", parameters=parameters)
    for seed in range(10):
        at_zero = noise.release([0] * d, random_bits=Random(seed))
        assert noise.release([10**300] * d, random_bits=Random(seed)) == [10**300 + x for x in at_zero]
        assert noise.release([1e-300] * d, random_bits=Random(seed)) == at_zero
        query = [Fraction(k, 3) for k in range(d)]
        near = fine.release(query, random_bits=Random(seed))
        for x, y in zip(noise.release(query, random_bits=Random(seed)), near, strict=True):
            assert abs(x - y) <= Fraction(1, 20) + Fraction(1, 14000000000)


def test_a_float_is_the_number_it_is() -> None:
    noise = ExactNoise("laplace", 1, lattice="2**-60")
    below, above = (noise.release(q, random_bits=Random(1)) for q in (0.1, Fraction(1, 10)))
    assert below != above and abs(below - above - (Fraction(0.1) - Fraction(1, 10))) <= Fraction(1, 2**59)


@pytest.mark.parametrize(
    "query",
    [
        [Fraction(3, 2), -2],
        (Decimal("1.5"), Decimal(-2)),
        [1.5, -2.0],
        ["3/2", "-2"],
        np.array([1.5, -2.0]),
        np.array([1.5, -2.0], dtype=np.float32),
        [np.float64(1.5), np.int8(-2)],
    ],
)
def test_queries_of_every_exact_kind(query: Any) -> None:
    noise = ExactNoise("student_t", 2, parameters={"nu": 3})
    assert noise.release(query, random_bits=Random(1)) == noise.release([1.5, -2], random_bits=Random(1))


def test_one_number_in_gives_one_number_out() -> None:
    noise = ExactNoise("laplace")
    assert isinstance(noise.release(1), Fraction)
    assert noise.release(np.float64(1.0), random_bits=Random(3)) == noise.release([1], random_bits=Random(3))[0]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "nan", "one", None, 1j, Decimal("nan")])
def test_queries_that_are_no_numbers(bad: Any) -> None:
    with pytest.raises(InputError):
        ExactNoise("laplace").release([bad])


def test_a_table_is_no_query() -> None:
    with pytest.raises(InputError):
        ExactNoise("laplace", 2).release(np.zeros((2, 2)))


@pytest.mark.parametrize("query", [[1, 2, 3], [], 1, [[1, 2], [3, 4], [5, 6]]])
def test_queries_of_another_dimension_are_refused(query: Any) -> None:
    with pytest.raises(Refused):
        ExactNoise("laplace", 2).release(query)


def counted(seed: int) -> tuple[Callable[[int], int], list[int]]:
    asked: list[int] = []
    source = Random(seed)

    def take(n: int) -> int:
        asked.append(n)
        return source.getrandbits(n)

    return take, asked


@pytest.mark.parametrize(("text", "d", "parameters"), LAWS)
def test_bits_that_end_in_the_middle_of_a_draw(text: str, d: int, parameters: dict[str, Any]) -> None:
    noise = ExactNoise(text, d, parameters=parameters)
    take, asked = counted(4)
    whole = noise.release([0] * d, random_bits=take)
    source = Random(4)
    stream = [int(b) for n in asked for b in f"{source.getrandbits(n):0{n}b}"]
    assert noise.release([0] * d, random_bits=stream) == whole
    for missing in (1, len(stream) // 2, len(stream)):
        with pytest.raises(BitsExhausted):
            noise.release([0] * d, random_bits=stream[: len(stream) - missing])


def test_bytes_are_bits() -> None:
    noise, data = ExactNoise("laplace", 1), bytes(range(7, 7 + 25))
    bits = "".join(f"{byte:08b}" for byte in data)
    assert noise.release(0, random_bits=data) == noise.release(0, random_bits=bits)
    with pytest.raises(BitsExhausted):
        noise.release(0, random_bits=data[:-1])


@pytest.mark.parametrize("bits", ["012", [2], 7, [None]])
def test_what_is_no_source_of_bits(bits: Any) -> None:
    with pytest.raises(InputError):
        ExactNoise("laplace").release(0, random_bits=bits)


def test_bits_that_never_decide_are_given_up() -> None:
    """All zeros are a uniform number at 0, whose logarithm no number of bits encloses."""
    with pytest.raises(BitsExhausted):
        ExactNoise("laplace", 1).release(0, random_bits=lambda n: 0)


def test_a_tie_reads_more_of_the_same_bits() -> None:
    """A query made so that the enclosure of query + noise meets the edge of two cells."""
    noise = ExactNoise("student_t", 1, parameters={"nu": 3}, lattice="1/4")
    for seed in range(20):
        first = noise.drawn(0, Random(seed))
        unit = noise.lattice / 2**first.guard
        edge = Fraction(1, 8) - (first.low[0] + 1) * unit
        tied = noise.drawn(edge, Random(seed))
        assert tied.passes == (*first.passes, 2 * first.passes[-1])
        for (short, k), (long, n) in zip(first.strings, tied.strings, strict=True):
            assert (n == 2 * k and long >> k == short) or (n == k == 1 and long == short)
        exact = tied.low[0] * noise.lattice / 2**tied.guard + edge
        assert abs(exact - tied.released[0]) <= noise.lattice / 2
        assert tied.released[0] in (0, Fraction(1, 4))


def test_no_two_releases_share_their_bits() -> None:
    noise = ExactNoise("laplace", 1, lattice="2**-60")
    assert len({noise.release(0) for _ in range(200)}) == 200


def test_a_draw_with_its_bits_is_for_tests_alone() -> None:
    with pytest.raises(InputError):
        ExactNoise("laplace").drawn(0, None)


@pytest.mark.parametrize("lattice", [0, -1, "0", "-1/2", "1/0", "", "2**", "2**99999", "0**-1", 0.5, None, [1, 2]])
def test_lattices_that_are_no_positive_numbers(lattice: Any) -> None:
    with pytest.raises(InputError):
        ExactNoise("laplace", lattice=lattice)


@pytest.mark.parametrize("lattice", ["auto", "max(query)/1000", "y", lambda query: 1, "scale"])
def test_a_lattice_that_depends_on_anything_is_refused(lattice: Any) -> None:
    with pytest.raises(Refused):
        ExactNoise("laplace", lattice=lattice)


@pytest.mark.parametrize(
    ("lattice", "step"),
    [
        ("2**-20", Fraction(1, 2**20)),
        ("2**(-3)", Fraction(1, 8)),
        ("1e-3", Fraction(1, 1000)),
        ("10**2", Fraction(100)),
    ],
)
def test_lattices(lattice: str, step: Fraction) -> None:
    assert ExactNoise("laplace", lattice=lattice).lattice == step


def test_the_factors_of_a_covariance() -> None:
    rng = Random(2)
    root = [[Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(6)] for _ in range(6)]
    sigma = [[sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in root] for x in root]
    found = factors(sigma)
    lower = [[*row, Fraction(1), *[Fraction(0)] * (5 - i)] for i, row in enumerate(found.lower)]
    for i in range(6):
        for j in range(6):
            product = sum((lower[i][k] * lower[j][k] * found.pivots[k] for k in range(6)), Fraction(0))
            assert product == sigma[i][j]


@pytest.mark.parametrize(
    "sigma",
    [[[1, 2], [2, 1]], [[1, 0], [1, 1]], [[1]], [[1, 0], [0]], [[0, 0], [0, 1]], ["10", "01"], [[1, "x"], [0, 1]]],
)
def test_what_is_no_covariance(sigma: Any) -> None:
    with pytest.raises(InputError):
        ExactNoise("laplace", 2, covariance=sigma)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["1/(1+y)**(1/2)", "sin(r)", "exp(y)", "1/y", "exp(-sqrt(y))-1/2"])
def test_what_is_no_density_has_no_sampler(text: str) -> None:
    with pytest.raises(InputError):
        ExactNoise(text, 1)


@pytest.mark.parametrize(("family", "parameters"), [("pearson_vii", {"m": "1/2"}), ("student_t", {"nu": 0})])
def test_families_that_are_no_densities(family: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ExactNoise(family, 1, parameters=parameters)


@pytest.mark.slow
def test_a_certificate_in_every_form() -> None:
    path = CERTIFICATES / "student-t-nu3-d2.json"
    result = dpverify.verify("student_t", dimension=2, parameters={"nu": 3})
    for source in (path, str(path), path.read_bytes(), json.loads(path.read_text()), result):
        noise = ExactNoise(source)
        assert noise.certified is not None and noise.dimension == 2
        assert noise.certified.upper == result.epsilon.upper  # type: ignore[union-attr]
        assert noise.release([1, 2], random_bits=Random(1)) == ExactNoise("student_t", 2, parameters={"nu": 3}).release(
            [1, 2], random_bits=Random(1)
        )


def test_the_certificate_s_scale_is_the_noise_s() -> None:
    result = dpverify.verify("laplace", dimension=1, scale="5/2")
    assert ExactNoise(result).scale == ExactNoise(result, scale="2.5").scale == Fraction(5, 2)
    with pytest.raises(InputError):
        ExactNoise(result, scale=1)
    with pytest.raises(InputError):
        ExactNoise(result, 1)


def test_certificates_that_prove_no_epsilon_are_refused() -> None:
    with pytest.raises(Refused):
        ExactNoise(CERTIFICATES / "gaussian-d1.json")
    with pytest.raises(Refused):
        ExactNoise(dpverify.verify("gaussian", replay=False))


def test_a_certificate_with_one_changed_byte_is_refused() -> None:
    """In the claim, in the proof, in white space: every change is noticed."""
    data = (CERTIFICATES / "laplace-d3.json").read_bytes()
    rng = Random(6)
    for place in [rng.randrange(len(data)) for _ in range(40)]:
        changed = data[:place] + bytes([data[place] ^ 1 << rng.randrange(7)]) + data[place + 1 :]
        with pytest.raises((Refused, InputError)):
            ExactNoise(changed)

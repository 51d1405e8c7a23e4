"""Replays, for tests: a draw written down, and a checker in the standard library's arithmetic.

`record` makes a log of a draw whose bits were given: the mechanism, the query, the bits, the enclosure of the
noise, and what was released. `check` runs the same recipe on the same bits in decimal intervals, and confirms
that the noise lies in the enclosure, and that these bits lead to these lattice points and to no others. Its
arithmetic shares nothing with the sampler's; the recipes (gamma, direction, laws, envelope) are the same, and the
page on the exact sampler proves them. `python -m dpverify.sampling.exact.replay LOG` checks a file.
A log is the noise: it is never made of a draw that protects anybody.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify.generators import Generator
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval as KernelInterval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.tree import Node
from dpverify.sampling.exact.bits import Ambiguous
from dpverify.sampling.exact.covariance import factors, rational_rows
from dpverify.sampling.exact.decimals import Digits, Interval
from dpverify.sampling.exact.draw import located_cell
from dpverify.sampling.exact.envelope import Envelope
from dpverify.sampling.exact.lattice import exact_pair, lattice_of, point
from dpverify.sampling.exact.laws import Law, Radial, known_law
from dpverify.sampling.exact.spread import Spread

if TYPE_CHECKING:
    from dpverify.sampling.exact.noise import ExactNoise

FORMAT, VERSION = "dpverify-replay", 1


@dataclass(frozen=True, slots=True)
class Replay:
    """Whether a log holds, and if not, in one line, why."""

    confirmed: bool
    message: str

    def __bool__(self) -> bool:
        return self.confirmed


def record(noise: ExactNoise, query: Any, random_bits: Any) -> dict[str, Any]:
    """One draw with given bits as plain data; every number exact."""
    drawn = noise.drawn(query, random_bits)
    return {
        "format": FORMAT,
        "version": VERSION,
        "generator": noise.generator.text,
        "parameters": {name: str(value) for name, value in noise.generator.parameters.items()},
        "dimension": noise.dimension,
        "scale": str(noise.scale),
        "covariance": None if noise.sigma is None else [[str(x) for x in row] for row in noise.sigma],
        "lattice": str(noise.lattice),
        "envelope": None if noise.envelope is None else noise.envelope.to_json(),
        "query": [str(x) for x in drawn.query],
        "passes": list(drawn.passes),
        "bits": [format(value, f"0{width}b") for value, width in drawn.strings],
        "guard": drawn.guard,
        "enclosure": [[str(low), str(high)] for low, high in zip(drawn.low, drawn.high, strict=True)],
        "released": [str(x) for x in drawn.released],
    }


def check(log: Mapping[str, Any]) -> Replay:
    """Repeat a log's draw in decimal intervals."""
    try:
        return _checked(log)
    except (Ambiguous, Rejected) as error:
        return Replay(False, f"the bits of the log do not decide the draw ({type(error).__name__})")
    except (KeyError, TypeError, ValueError, IndexError) as error:
        return Replay(False, f"this is no log of a draw ({type(error).__name__})")


def _checked(log: Mapping[str, Any]) -> Replay:
    if (log["format"], log["version"]) != (FORMAT, VERSION):
        return Replay(False, "this is no log of a draw")
    generator = Generator(log["generator"], log["dimension"], log["parameters"])
    bits, guard, strings = log["passes"][-1], log["guard"], log["bits"]
    scale, step = Fraction(log["scale"]), lattice_of(log["lattice"])
    sigma = None if log["covariance"] is None else factors(rational_rows(log["covariance"], generator.dimension))
    at = DecimalDraw(strings, bits, generator)
    try:
        x = _law(generator, log["envelope"]).sample(at)
    except IndexError:
        return Replay(False, "the draw needs more strings of bits than the log has")
    if at.next != len(strings):
        return Replay(False, f"the draw needs {at.next} strings of bits, and the log has {len(strings)}")
    noise = Spread.of(at, scale, step, sigma, guard)(x)
    for i, (y, q, p, ends) in enumerate(zip(noise, log["query"], log["released"], log["enclosure"], strict=True), 1):
        low, high = map(int, ends)
        if not (low <= y.low and y.high <= high):
            return Replay(False, f"coordinate {i}: the noise is not shown to lie in the enclosure")
        if high - low != 3 or point(exact_pair(q), step.as_integer_ratio(), low + 1, guard) * step != Fraction(p):
            return Replay(False, f"coordinate {i}: these bits do not lead to {p}")
    return Replay(True, f"these bits lead to ({', '.join(log['released'])}) and to no other point")


def _law(generator: Generator, envelope: Mapping[str, Any] | None) -> Law:
    law = known_law(generator) if envelope is None else None
    if law is not None:
        return law
    if envelope is None:
        raise KeyError("envelope")
    return Radial(generator.dimension, Envelope.from_json(envelope).radius)


class DecimalDraw:
    """A draw over strings that are written down; see `draw.Draw`."""

    def __init__(self, strings: Sequence[str], bits: int, generator: Generator) -> None:
        self.strings, self.bits, self.subject = strings, bits, generator
        self.digits = Digits(int(bits * 0.302) + 20)
        self.next = 0

    def _integer(self, bits: int) -> int:
        string = self.strings[self.next]
        self.next += 1
        if len(string) < bits:
            raise ValueError("a string of bits is too short")
        return int(string[:bits], 2)

    def uniform(self) -> Interval:
        j, whole = self._integer(self.bits), 2**self.bits
        return self.digits.between(Fraction(j, whole), Fraction(j + 1, whole))

    def sign(self) -> int:
        return 1 if self._integer(1) else -1

    def below(self, a: Interval, b: Interval | int) -> bool:
        b = self.digits.number(b) if isinstance(b, int) else b
        if a.high < b.low:
            return True
        if a.low >= b.high:
            return False
        raise Ambiguous

    def number(self, value: Fraction) -> Interval:
        return self.digits.number(value)

    def power(self, x: Interval, p: Fraction) -> Interval:
        return x.power(p)

    def located(self, edges: Sequence[int]) -> tuple[int, Interval]:
        j, whole = self._integer(self.bits), 2**self.bits
        cell = located_cell(j, self.bits, edges)
        low, high = (Fraction(i * edges[-1], whole) - edges[cell] for i in (j, j + 1))
        return cell, self.digits.between(low, high)

    def generator(self, r: Interval) -> Interval:
        """By the certificate checker's own evaluation, to its 60 digits."""
        node = _tree(self.subject)
        value = Evaluation(KernelInterval(r.low, r.high)).value(node)
        return Interval(value.lo, value.hi, self.digits)


@cache
def _tree(generator: Generator) -> Node:
    for section in SECTIONS:
        load_section(section)
    bound = {**generator.parameters, "d": Fraction(generator.dimension)}
    return Reader(generator.text, bound).tree()


def main(files: Sequence[str]) -> int:
    """Check logs in files: 0 where every one holds."""
    worst = 0
    for file in files:
        found = check(json.loads(Path(file).read_text()))
        print(f"{file}: {'confirmed' if found else 'NOT CONFIRMED'}: {found.message}")
        worst |= not found
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

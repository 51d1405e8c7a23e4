"""The exact mechanism: the lattice point nearest to query + sigma Sigma^(1/2) X, X exactly of the certified law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from flint import arb, ctx

from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.errors import InputError, Refused
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.results import Result
from dpverify.sampling.exact.balls import ArbDraw
from dpverify.sampling.exact.bits import Ambiguous, BitsExhausted, Strings, bits_of
from dpverify.sampling.exact.certified import Certified, certified
from dpverify.sampling.exact.covariance import Factors, factors, rational_rows
from dpverify.sampling.exact.dominating import envelope as envelope_of
from dpverify.sampling.exact.lattice import exact_pair, lattice_of, point
from dpverify.sampling.exact.laws import Law, Radial, known_law
from dpverify.sampling.exact.spread import EXTRA, Schedule, Spread

Pairs = list[tuple[int, int]]
"""Numbers p/q."""
LAST_LEVEL = 8
"""Bits given in a test that are of no use after so many doublings are refused; the operating system's never are."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One draw in test mode: all that a checker needs to repeat it. It holds the noise: never keep it of real data.

    `strings` are the bits, as pairs of a value and a number of bits; `passes` the bits of a string in each pass;
    the noise lies between `low` and `high`, in units of 2^-guard steps of the lattice, coordinate by coordinate.
    """

    query: tuple[Fraction, ...]
    released: tuple[Fraction, ...]
    strings: tuple[tuple[int, int], ...]
    passes: tuple[int, ...]
    guard: int
    low: tuple[int, ...]
    high: tuple[int, ...]


class ExactNoise:
    """A mechanism whose epsilon is the certificate's: what it returns is made of the exact real output alone.

    Args:
        source: a certificate (a Path, a name that ends in .json, bytes, data, or a Result), a Generator,
            the name of a catalogue family, or f as text. Without a certificate, nothing is said of epsilon.
        dimension: d, for a generator that is given by name or as text (default 1).
        parameters: the generator's parameters by name, where it is given by name or as text.
        scale: sigma, exact (default 1); a certificate has its own.
        covariance: Sigma, d rows of d exact numbers (the identity by default). The sensitivity of a
            certificate is a Mahalanobis distance, sup ||Sigma^(-1/2) (T(D) - T(D'))||.
        lattice: the distance of neighbouring lattice points, a positive rational, one for all
            coordinates, fixed before the data are seen.
        epsilon: which point of a profile certificate the release is to spend, where it has several.

    Raises:
        Refused: for a certificate that the kernel does not accept or that proves no epsilon, and for a
            lattice that is no constant.
        InputError: for numbers that cannot be used, and for a generator that is not proved a density.

    >>> noise = ExactNoise("laplace", 2, scale="1/2", lattice="1/8")
    >>> [8 % point.denominator for point in noise.release([1, 0.25])]
    [0, 0]
    """

    certified: Certified | None

    def __init__(
        self,
        source: str | Path | bytes | Mapping[str, Any] | Result | Generator,
        dimension: int | None = None,
        *,
        parameters: Mapping[str, object] | None = None,
        scale: object = None,
        covariance: Iterable[Iterable[object]] | None = None,
        lattice: object = "2**-20",
        epsilon: object = None,
    ) -> None:
        point = None if epsilon is None else parse_rational(epsilon, "the epsilon")
        self.certified = _certified(source, point)
        if self.certified is not None:
            if parameters or dimension is not None:
                raise InputError("a certificate has its own dimension and parameters; do not give them again")
            self.generator = self.certified.generator
            self.scale = self.certified.scale
            if scale is not None and parse_rational(scale, "the scale") != self.scale:
                raise InputError(f"the certificate is of the scale {self.scale}; prove epsilon at the scale wanted")
        else:
            assert isinstance(source, str | Generator)
            if point is not None:
                raise InputError("epsilon picks a point of a profile certificate; without one nothing is said of it")
            self.generator = _generator(source, dimension, parameters)
            self.scale = Fraction(1) if scale is None else parse_rational(scale, "the scale")
        if self.scale <= 0:
            raise InputError(f"the scale: {self.scale} is not positive")
        self.lattice = lattice_of(lattice)
        self.dimension = self.generator.dimension
        self.sigma = None if covariance is None else rational_rows(covariance, self.dimension)
        self.covariance: Factors | None = None if self.sigma is None else factors(self.sigma)
        self._node: Node = lower(self.generator.expression)
        law = known_law(self.generator)
        self.envelope = envelope_of(self._node, self.dimension) if law is None else None
        """What the radius is drawn under, for a generator without known sums or ratios."""
        self.law: Law = Radial(self.dimension, self.envelope.radius) if self.envelope else cast(Law, law)
        self.schedule = Schedule.of(self.scale, self.lattice, self.covariance)
        self._step = self.lattice.numerator, self.lattice.denominator
        self._spreads: dict[int, Spread] = {}

    def release(self, query: Any, *, random_bits: Any = None) -> Any:
        """The lattice point nearest to query + noise: a Fraction for one number, a list of d for d of them.

        Args:
            query: exact numbers, d of them (int, Fraction, Decimal, a float as the number it is, text), in
                any sequence or array; for d = 1 also a number by itself.
            random_bits: for tests alone: a random.Random, a callable n -> an integer of n bits, bytes, or
                zeros and ones, in place of the operating system's random numbers.

        Raises:
            Refused: where the query is not of the noise's dimension.
            InputError: where it holds something that is no finite number.
            BitsExhausted: where the given bits end. Nothing is released.
        """
        pairs, alone = self._pairs(query)
        numbers, _ = self._released(pairs, Strings(bits_of(random_bits)), random_bits is not None)
        p, q = self._step
        points = [Fraction(n * p, q) for n in numbers]
        return points[0] if alone else points

    def drawn(self, query: Any, random_bits: Any) -> Drawn:
        """A release together with its bits and its enclosure, for a replay; only with bits that are given."""
        if random_bits is None:
            raise InputError("a draw with its bits is for tests: give random_bits; the bits are the noise")
        pairs, _ = self._pairs(query)
        strings = Strings(bits_of(random_bits))
        numbers, passes = self._released(pairs, strings, True)
        units, guard = self._noise(strings, len(passes) - 1, passes=[], tested=True)
        return Drawn(
            query=tuple(Fraction(*pair) for pair in pairs),
            released=tuple(n * self.lattice for n in numbers),
            strings=tuple(zip(strings.values, strings.widths, strict=True)),
            passes=tuple(passes),
            guard=guard,
            low=tuple(u - 1 for u in units),
            high=tuple(u + 2 for u in units),
        )

    def _pairs(self, query: Any) -> tuple[Pairs, bool]:
        alone = isinstance(query, str) or not hasattr(query, "__len__") or getattr(query, "shape", None) == ()
        values = [query] if alone else list(query)
        if len(values) != self.dimension:
            raise Refused(f"the query is of dimension {len(values)}, the noise of dimension {self.dimension}")
        return [exact_pair(value) for value in values], alone

    def _released(self, pairs: Pairs, strings: Strings, tested: bool) -> tuple[list[int], list[int]]:
        """The lattice points in whole steps, and the bits of a string in each pass."""
        level, passes, step = 0, list[int](), self._step
        while True:
            units, guard = self._noise(strings, level, passes, tested)
            try:
                return [point(q, step, u, guard) for q, u in zip(pairs, units, strict=True)], passes
            except Ambiguous:
                level = len(passes)

    def _noise(self, strings: Strings, level: int, passes: list[int], tested: bool) -> tuple[list[int], int]:
        """The noise in whole units, each coordinate u of it in (u - 1, u + 2): no query is looked at."""
        former = ctx.prec
        try:
            while True:
                if tested and level > LAST_LEVEL:
                    raise BitsExhausted("the bits that were given do not decide; nothing is released")
                bits, guard = self.schedule.level(level)
                ctx.prec = bits + EXTRA
                passes.append(bits)
                at = ArbDraw(strings, bits, self._node)
                try:
                    spread = self._spreads.get(level)
                    if spread is None:
                        spread = self._spreads[level] = Spread.of(at, self.scale, self.lattice, self.covariance, guard)
                    return [_unit(y) for y in spread(self.law.sample(at))], guard
                except Ambiguous:
                    level += 1
        finally:
            ctx.prec = former


ONE = arb(1)


def _unit(y: arb) -> int:
    """A whole u with y in (u - 1, u + 2), however y is rounded."""
    if not (y.is_finite() and y.rad() < ONE):
        raise Ambiguous
    mantissa, exponent = y.mid().man_exp()
    shift = int(exponent)
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift


def _certified(source: object, epsilon: Fraction | None) -> Certified | None:
    if isinstance(source, Result):
        if source.certificate is None:
            raise Refused(f"there is no certificate: {source.reason}")
        return certified(source.certificate, epsilon)
    if isinstance(source, Path | bytes | Mapping) or (isinstance(source, str) and source.endswith(".json")):
        return certified(source, epsilon)
    return None


def _generator(source: str | Generator, dimension: int | None, parameters: Mapping[str, object] | None) -> Generator:
    if not isinstance(source, Generator):
        return Generator(source, 1 if dimension is None else dimension, parameters)
    if parameters or dimension not in (None, source.dimension):
        raise InputError("a Generator has its own dimension and parameters; do not give them again")
    return source

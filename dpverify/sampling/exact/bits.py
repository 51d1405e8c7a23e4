"""Fair bits, drawn when they are needed and never twice: each uniform number is a string of bits that grows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from dpverify.errors import DpverifyError, InputError

Bits = Callable[[int], int]
"""n -> an integer from 0 to 2^n - 1, made of the next n bits."""


class BitsExhausted(DpverifyError):
    """The random bits that were given ended in the middle of a draw; nothing is released."""


class Ambiguous(Exception):
    """The bits drawn so far do not decide; more bits of the same strings will."""


def system_bits(n: int) -> int:
    """n bits of the operating system's generator; none are kept, so a forked process shares none."""
    return int.from_bytes(os.urandom((n + 7) >> 3), "big") >> (-n & 7)


def bits_of(given: Any) -> Bits:
    """The bits that a test gives: random.Random or the like, a callable n -> n bits, bytes, or zeros and ones.

    Raises InputError for anything else; what it returns raises BitsExhausted at the end of a finite source.
    """
    if given is None:
        return system_bits
    if hasattr(given, "getrandbits"):
        return given.getrandbits  # type: ignore[no-any-return]
    if callable(given):
        return given  # type: ignore[no-any-return]
    if isinstance(given, bytes | bytearray):
        return _from(int(bit) for byte in bytes(given) for bit in f"{byte:08b}")
    if isinstance(given, Iterable):
        return _from(map(_bit, given))
    raise InputError("random_bits: bytes, zeros and ones, or a callable n -> an integer of n bits are expected")


def _bit(value: object) -> int:
    if str(value) not in ("0", "1"):
        raise InputError(f"random_bits: {str(value)[:20]!r} is no bit")
    return int(str(value))


def _from(stream: Iterator[int]) -> Bits:
    def take(n: int) -> int:
        taken = list(islice(stream, n))
        if len(taken) < n:
            raise BitsExhausted("the random bits ended in the middle of a draw; nothing is released")
        return int("0" + "".join(map(str, taken)), 2)

    return take


class Strings:
    """The bit strings of one draw, in the order in which they were first asked for.

    String i stands for a number uniform on (0, 1); after k bits, with value j, it lies in
    [j, j + 1] / 2^k. To be refined, a string is lengthened; no bit is ever changed.
    """

    __slots__ = ("take", "values", "widths")

    def __init__(self, take: Bits) -> None:
        self.take = take
        self.values: list[int] = []
        self.widths: list[int] = []

    def at(self, i: int, k: int) -> int:
        """The first k bits of string i."""
        if i == len(self.values):
            self.values.append(self.take(k))
            self.widths.append(k)
        missing = k - self.widths[i]
        if missing > 0:
            self.values[i] = self.values[i] << missing | self.take(missing)
            self.widths[i] = k
        return self.values[i] >> (self.widths[i] - k)

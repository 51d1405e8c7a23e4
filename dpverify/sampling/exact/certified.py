"""What a certificate that the kernel accepts says of the noise to be drawn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify import files
from dpverify.api import check
from dpverify.errors import Refused
from dpverify.generators import Generator
from dpverify.results import decimal_between
from dpverify.serialise import serialise


@dataclass(frozen=True, slots=True)
class Certified:
    """A private mechanism, as its certificate proves it: lower <= epsilon <= upper at Delta and sigma.

    `sha256` is the digest of the certificate's bytes.
    """

    generator: Generator
    sensitivity: Fraction
    scale: Fraction
    lower: Fraction
    upper: Fraction
    assumptions: tuple[str, ...]
    sha256: str

    @property
    def decimal(self) -> str:
        return decimal_between(self.lower, self.upper)


def certified(source: str | Path | bytes | Mapping[str, Any]) -> Certified:
    """The claim of a certificate, given as a file, as bytes or as data.

    Raises Refused where the kernel does not accept it, where its bytes are not the ones that were
    written (a space more changes no claim, but the digest by which it is named), and where it does
    not prove an epsilon; InputError where a file cannot be read as a certificate at all.
    """
    data, name = bytes_of(source)
    report = check(data)
    if not report.accepted or report.claim is None:
        raise Refused(f"{name}: the kernel does not accept it: {report.refusal()}")
    if data != _canonical(data):
        raise Refused(f"{name}: these are not the bytes that dpverify wrote, though they say the same; write it again")
    claim = report.claim
    if claim["verdict"] != "private" or claim["epsilon"] is None:
        raise Refused(f"{name}: it proves that this noise is private for no epsilon")
    return Certified(
        Generator(claim["generator"], claim["dimension"], claim["parameters"]),
        Fraction(claim["sensitivity"]),
        Fraction(claim["scale"]),
        Fraction(claim["epsilon"]["lower"]),
        Fraction(claim["epsilon"]["upper"]),
        report.assumptions,
        hashlib.sha256(data).hexdigest(),
    )


def bytes_of(source: str | Path | bytes | Mapping[str, Any]) -> tuple[bytes, str]:
    """A certificate's bytes, and what to call it; raises InputError where a file cannot be read."""
    if isinstance(source, Mapping):
        return serialise(source), "the certificate"
    if isinstance(source, bytes):
        return source, "the certificate"
    return files.read(source), str(source)


def _canonical(data: bytes) -> bytes:
    return serialise(json.loads(data))

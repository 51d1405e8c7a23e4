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
from dpverify.errors import InputError, Refused
from dpverify.generators import Generator
from dpverify.results import decimal_between
from dpverify.serialise import serialise


@dataclass(frozen=True, slots=True)
class Certified:
    """A private mechanism, as its certificate proves it at Delta and sigma.

    It is (upper, delta)-private: delta is 0 and lower <= epsilon <= upper, or lower and upper are both the
    epsilon of one point of a profile. `sha256` is the digest of the certificate's bytes.
    """

    generator: Generator
    sensitivity: Fraction
    scale: Fraction
    lower: Fraction
    upper: Fraction
    delta: Fraction
    assumptions: tuple[str, ...]
    sha256: str

    @property
    def decimal(self) -> str:
        return decimal_between(self.lower, self.upper)


def certified(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None) -> Certified:
    """The claim of a certificate, given as a file, as bytes or as data; `epsilon` picks a point of a profile.

    Raises Refused where the kernel does not accept it, where its bytes are not the ones that were
    written (a space more changes no claim, but the digest by which it is named), and where it does
    not prove an epsilon of one mechanism; InputError where a file cannot be read as a certificate at
    all, and where it has no such point or several.
    """
    data, name = bytes_of(source)
    report = check(data)
    if not report.accepted or report.claim is None:
        raise Refused(f"{name}: the kernel does not accept it: {report.refusal()}")
    if data != _canonical(data):
        raise Refused(f"{name}: these are not the bytes that dpverify wrote, though they say the same; write it again")
    lower, upper, delta = _proved(report.claim, epsilon, name)
    return Certified(
        Generator(report.claim["generator"], report.claim["dimension"], report.claim["parameters"]),
        Fraction(report.claim["sensitivity"]),
        Fraction(report.claim["scale"]),
        lower,
        upper,
        delta,
        report.assumptions,
        hashlib.sha256(data).hexdigest(),
    )


def _proved(claim: Mapping[str, Any], epsilon: Fraction | None, name: str) -> tuple[Fraction, Fraction, Fraction]:
    """The bounds of epsilon, and delta."""
    kind = claim.get("kind", "pure")
    if kind == "profile":
        return _point({Fraction(p["epsilon"]): Fraction(p["delta"]["upper"]) for p in claim["points"]}, epsilon, name)
    if "mixing" in claim:
        raise Refused(f"{name}: it is about a mixing law, which has no sampler; prove the mixture's generator")
    if kind != "pure":
        raise Refused(f"{name}: it is about several releases together; release with the certificate of one of them")
    if epsilon is not None:
        raise InputError(f"{name}: it proves one epsilon; none is picked but of a profile")
    if claim["verdict"] != "private" or claim["epsilon"] is None:
        raise Refused(f"{name}: it proves that this noise is private for no epsilon")
    return Fraction(claim["epsilon"]["lower"]), Fraction(claim["epsilon"]["upper"]), Fraction(0)


def _point(
    points: Mapping[Fraction, Fraction], epsilon: Fraction | None, name: str
) -> tuple[Fraction, Fraction, Fraction]:
    wanted = next(iter(points)) if epsilon is None and len(points) == 1 else epsilon
    if wanted is None or wanted not in points:
        known = ", ".join(str(x) for x in sorted(points)[:10]) + (", ..." if len(points) > 10 else "")
        raise InputError(f"{name}: give the epsilon of one of its points: {known}")
    return wanted, wanted, points[wanted]


def bytes_of(source: str | Path | bytes | Mapping[str, Any]) -> tuple[bytes, str]:
    """A certificate's bytes, and what to call it; raises InputError where a file cannot be read."""
    if isinstance(source, Mapping):
        return serialise(source), "the certificate"
    if isinstance(source, bytes):
        return source, "the certificate"
    return files.read(source), str(source)


def _canonical(data: bytes) -> bytes:
    return serialise(json.loads(data))

"""Certificates of version 1 renewed: the same claim, proved by the present kernel from what the old file names.

An old file is as foreign as any: its shape is looked at first, and what the completer makes of it is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpverify.certificate.complete import ORNAMENTS, Incomplete, complete
from dpverify.errors import InputError
from dpverify.kernel import FORMAT, VERSION
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.serialise import digest, load
from dpverify.version import __version__

OLD = 1
MAX_POINTS, MAX_ORDER = 200_001, 24
Shape = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Renewed:
    """A new certificate, and what of the old claim it leaves out since the kernel cannot enclose it."""

    certificate: dict[str, Any]
    left_out: tuple[str, ...]


def upgraded(path: str | Path, tick: Callable[[], None] = lambda: None) -> Renewed:
    """The certificate that renews an old one's file; `tick` is called as the work goes on.

    Old claims do not say that f is defined; the new one does, and the kernel has to find it so.
    Raises InputError for what is no certificate of version 1, and where the kernel does not follow its proof.
    """
    old = load(path)
    _require_old(path, old)
    hypotheses = {"defined": "proved", **old["claim"]["hypotheses"]}
    claim = {**old["claim"], "hypotheses": hypotheses}
    try:
        certificate = complete({"program": _program(), "claim": claim, "proof": old["proof"]}, tick)
    except Incomplete as error:
        raise InputError(f"{path}: the kernel does not follow its proof: {error}") from None
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
        why = f"a step is not what it should be ({type(error).__name__})"
        raise InputError(f"{path}: the kernel does not follow its proof: {why}") from None
    lost = [name for name in ORNAMENTS.values() if certificate["claim"][name] != claim[name]]
    return Renewed(certificate, tuple(name.replace("_", " ") for name in lost))


def _program() -> dict[str, str]:
    return {"name": "dpverify", "version": __version__}


def _require_old(path: str | Path, old: Mapping[str, Any]) -> None:
    if old.get("format") != FORMAT:
        raise InputError(f"{path}: not a dpverify certificate")
    version = old.get("version")
    if type(version) is int and version == VERSION:
        raise InputError(f"{path}: already has version {VERSION}; there is nothing to renew")
    if type(version) is not int or version != OLD:
        raise InputError(f"{path}: its version is unknown")
    if old.get("digest") != digest(old):
        raise InputError(f"{path}: the digest does not match the content: the file was altered")
    for name, shape in SHAPES.items():
        place: Any = old
        for part in name.split("."):
            place = place.get(part, _MISSING) if isinstance(place, dict) else _MISSING
        if not shape(place):
            raise InputError(f"{path}: {name} is not what version {OLD} has there")


_MISSING = object()


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _rational(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 2000 and bool(re.fullmatch(r"-?[0-9]+(/[1-9][0-9]*)?", value))


def _optional(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def _one_of(*words: Any) -> Shape:
    return lambda value: any(value is word or (isinstance(value, str) and value == word) for word in words)


def _list_of(shape: Shape, least: int = 0, most: int = MAX_POINTS) -> Shape:
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(shape, value))


def _record(**fields: Shape) -> Shape:
    return lambda value: (
        isinstance(value, dict) and set(value) == set(fields) and all(fields[k](v) for k, v in value.items())
    )


def _map(shape: Shape) -> Shape:
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def _whole(low: int, high: int) -> Shape:
    return lambda value: type(value) is int and low <= value <= high


_points = _list_of(_rational, least=2)
_pair = _list_of(_rational, least=2, most=2)
_enclosure = _record(lower=_rational, upper=_rational)
_chart = _record(radius=_rational, order=_whole(1, MAX_ORDER))
_phase = _record(
    turns=lambda value: isinstance(value, bool), frequency=_rational, cover=_points, peak=_optional(_rational)
)
_supremum = _record(
    cover=_points,
    shifts=_optional(_list_of(_points)),
    phases=_optional(_points),
    phase_shifts=_optional(_list_of(_points)),
    ahead=_optional(_points),
)
SHAPES: dict[str, Shape] = {
    "claim": _record(
        generator=_text,
        parameters=_map(_rational),
        dimension=_whole(1, 10**6),
        sensitivity=_rational,
        scale=_rational,
        verdict=_one_of("private", "not_private", "invalid"),
        epsilon=_optional(_enclosure),
        closed_form=_optional(_text),
        tail_log_ratio=_optional(_enclosure),
        hypotheses=_record(**{name: _one_of("proved", "refuted", "undecided") for name in HYPOTHESES[1:]}),
        theorem=_one_of("Theorem 3", "Theorem A", None),
    ),
    "proof.zero": _chart,
    "proof.infinity": _chart,
    "proof.phase": _optional(_phase),
    "proof.cover": _optional(_points),
    "proof.supremum": _optional(_supremum),
    "proof.witness": _optional(
        _record(near=_one_of("zero", "infinity", "box"), box=_optional(_pair), shift=_optional(_rational))
    ),
    "proof.sign": _optional(
        _record(
            kind=_one_of("centre", "negative", "touches", "vanishes"), box=_optional(_pair), positive=_optional(_pair)
        )
    ),
    "proof.rise": _optional(_pair),
}
"""What version 1 has in each place that is used, as its schema says."""

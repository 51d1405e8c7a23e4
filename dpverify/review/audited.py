"""An audit's JSON beside a certificate: what was observed and what is proved, of one and the same claim."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NoReturn

from dpverify import files
from dpverify.errors import InputError

MAX_BYTES = 5_000_000
ROUNDED = Fraction(1, 100)  # a claim made by hand is the proved epsilon rounded, not another one


@dataclass(frozen=True, slots=True)
class Audited:
    """Observed: epsilon >= `lower` with the stated confidence; proved: epsilon <= `upper` (None: no epsilon)."""

    lower: float
    delta: float
    confidence: float
    samples: int
    event: str
    method: str
    source: str
    seed: int
    upper: Fraction | None
    file: str

    @property
    def verdict(self) -> Literal["consistent", "violated"]:
        return "violated" if self.upper is not None and Fraction(self.lower) > self.upper else "consistent"


def read_audit(path: str | Path, claim: Mapping[str, Any], digest: str) -> Audited:
    """The audit in a file, of the mechanism that an accepted certificate of this claim and digest is about.

    Raises InputError where the file is no audit, or one of another generator, sensitivity or claim.
    """
    data = _Reader(Path(path))
    if claim["verdict"] == "invalid":
        data.refuse("the certificate shows that there is no mechanism, so there is nothing to audit")
    upper = None if claim["epsilon"] is None else Fraction(claim["epsilon"]["upper"])
    _same_claim(data, claim, digest, upper)
    audited = Audited(
        lower=data.number("epsilon_lower", 0, math.inf),
        delta=data.number("delta", 0, 1),
        confidence=data.number("confidence", 0, 1),
        samples=data.count("samples"),
        event=data.text("event"),
        method=data.text("method"),
        source=data.text("source"),
        seed=data.count("seed"),
        upper=upper,
        file=Path(path).name,
    )
    if not 0 < audited.confidence < 1:
        data.refuse("its confidence is not between 0 and 1")
    return audited


def _same_claim(data: _Reader, claim: Mapping[str, Any], digest: str, upper: Fraction | None) -> None:
    """The audit names this certificate, or measures the loss of the same noise at the same distance."""
    again = "audit this one with `dpverify audit --certificate FILE`"
    named = data.fields.get("certificate")
    if named is not None:
        if not isinstance(named, dict) or named.get("digest") != digest:
            data.refuse(f"it is an audit of another certificate; {again}")
        if named.get("epsilon_upper") != (None if upper is None else str(upper)):
            data.refuse("it states another epsilon than the certificate that it names")
        return
    test = data.fields.get("test")
    event = test.get("event") if isinstance(test, dict) else None
    score = event.get("score") if isinstance(event, dict) else None
    if not isinstance(score, dict) or score.get("kind") != "privacy_loss":
        data.refuse(f"it does not say of which noise it is an audit; {again}")
    expected = {
        "generator": claim["generator"],
        "dimension": claim["dimension"],
        "parameters": [[name, value] for name, value in sorted(claim["parameters"].items())],
        "unit": float(Fraction(claim["scale"])),
        "whitening": None,
    }
    for name, value in expected.items():
        if score.get(name) != value:
            data.refuse(f"its {'scale' if name == 'unit' else name} is not the certificate's; {again}")
    shift = score.get("shift")
    centres = [x for x in shift if x != 0] if isinstance(shift, list) else []
    if centres != [float(Fraction(claim["sensitivity"]))]:
        data.refuse(f"its sensitivity is not the certificate's; {again}")
    claimed = data.fields.get("claim")
    if claimed is not None:
        stated = Fraction(data.number("claim", 0, math.inf))
        if upper is None or abs(stated - upper) > ROUNDED * upper:
            proved = "that there is no epsilon" if upper is None else f"epsilon <= {float(upper):.6g}"
            data.refuse(f"it is an audit of the claim epsilon <= {float(stated):.6g}; the certificate proves {proved}")


class _Reader:
    """The fields of an audit's JSON, each with its type checked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        raw = files.read(path, MAX_BYTES)
        try:
            fields = json.loads(raw.decode("utf-8"), parse_constant=self._no_number)
        except (UnicodeDecodeError, ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict) or "epsilon_lower" not in fields:
            self.refuse("not the JSON of an audit; make one with `dpverify audit ... --output FILE`")
        self.fields: dict[str, Any] = fields

    def refuse(self, why: str) -> NoReturn:
        raise InputError(f"{self.path}: {why}")

    def _no_number(self, text: str) -> NoReturn:
        raise ValueError(text)

    def number(self, name: str, low: float, high: float) -> float:
        value = self.fields.get(name)
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
        if not good or not low <= value <= high:  # type: ignore[operator]
            self.refuse(f"its {name} is not a number that an audit has")
        return float(value)  # type: ignore[arg-type]

    def count(self, name: str) -> int:
        value = self.fields.get(name)
        if type(value) is not int or not 0 <= value < 10**40:
            self.refuse(f"its {name} is not a number that an audit has")
        return value

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        if not isinstance(value, str):
            self.refuse(f"its {name} is not a text")
        return value

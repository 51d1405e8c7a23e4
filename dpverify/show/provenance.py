"""Where a report comes from: the day, the program, the files, the kernel and how to get it, the people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from dpverify import source
from dpverify.generators import families
from dpverify.show.sheet import Part, Row
from dpverify.show.words import bound, printable, shortened
from dpverify.version import __version__

BLANK = "not said: to be filled in by hand"
GET = f"python -m dpverify.source {source.PACKED}"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What nobody can derive: the day, the mechanism's name, who reviews it."""

    day: date = field(default_factory=lambda: datetime.now(UTC).date())
    mechanism: str = ""
    reviewer: str = ""


def provenance_part(said: Provenance, inputs: Mapping[str, str]) -> Part:
    """The rows of a report's provenance; `inputs` are the SHA-256 of the files that it is about, by their names."""
    rows = [
        Row("Date", said.day.isoformat()),
        Row("Mechanism", shortened(said.mechanism, 300) or BLANK),
        Row("Reviewer", shortened(said.reviewer, 300) or BLANK),
        Row("Program", f"dpverify {__version__}"),
        Row("Kernel", "SHA-256 of the packed kernel that replayed the proof:", code=source.digest()),
        Row(
            "To get this kernel",
            f"it is in share/dpverify of the wheel of dpverify {__version__}, or made by",
            code=GET,
        ),
        *(Row("Input", f"{shortened(name, 120)}:", code=digest) for name, digest in inputs.items()),
    ]
    return Part("Provenance", rows=tuple(rows))


def records_part(name: str, exported: bool) -> Part:
    """The commands that write the certificate for a register and a signer, where there is such a form, and a bundle."""
    registry, attestation = (f"dpverify export {name} --to {system}" for system in ("registry", "in-toto"))
    rows = [
        Row("Deployments Registry", "a draft record:", code=registry),
        Row("in-toto", "a statement about the certificate's bytes, to be signed:", code=attestation),
    ]
    bundle = Row("Bundle", "evidence and kernel in one file:", code=f"dpverify bundle make {name} -o bundle.zip")
    return Part("Records", rows=(*(rows if exported else ()), bundle))


def noise_name(claim: Mapping[str, Any]) -> str:
    """The family of a claim's noise and its setting, or its text: "Multivariate Student t, d = 2, nu = 3"."""
    if "parts" in claim:
        return f"Composition of {sum(part['times'] for part in claim['parts'])} releases"
    setting = f"d = {claim['dimension']}{bound(dict(sorted(claim['parameters'].items())))}"
    if "mixing" in claim:
        return f"Mixture by {shortened(claim['mixing'], 60)}, {setting}"
    titles = {family.text: family.title for family in families().values()}
    text = claim["generator"]
    return f"{titles.get(text, 'f = ' + shortened(text, 60))}, {setting}"


def headline(claim: Mapping[str, Any] | None, size: str, day: date) -> str:
    """What a report is called among many: family, epsilon, date."""
    told = [printable(noise_name(claim)), size] if claim is not None else []
    return "; ".join([*filter(None, told), day.isoformat()])

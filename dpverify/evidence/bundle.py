"""A bundle checked: every digest, every certificate by the kernel, every audit, and the sensitivity's derivation.

The manifest says which certificate carries what statement, with which evidence. Nothing in it is believed that can be
derived; what cannot (the mechanism's name, who has signed off and when) is printed as said.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .archive import named_well, unpacked
from .audits import consistent
from .refusal import Refusal, digest, parsed, record, require
from .sensitivity import check as check_sensitivity
from .statement import require_proved

FORMAT, VERSION = "dpverify-bundle", 1
MANIFEST, KERNEL = "bundle.json", "dpverify-kernel.pyz"
FIELDS = {"format", "version", "program", "signed_off", "releases", "files", "digest"}
SIGNED = {"mechanism", "reviewer", "date", "remarks"}
RELEASE = {"certificate", "says", "sensitivity", "audits"}

Kernel = Callable[[bytes], Any]
"""A certificate's bytes to what is proved (`claim`, `digest`, `assumptions`); raises Rejected or Unreadable."""


@dataclass(frozen=True)
class Checked:
    """A bundle that holds: its manifest, and what was found, line by line."""

    manifest: Mapping[str, Any]
    lines: tuple[tuple[str, str], ...]
    sha256: str
    kernel: str


def check(data: bytes, kernel: Kernel) -> Checked:
    """Check a bundle's bytes; raises Refusal with the first thing that does not hold."""
    files = unpacked(data)
    require(MANIFEST in files, f"there is no {MANIFEST} in it")
    manifest = parsed(files[MANIFEST], MANIFEST)
    known = isinstance(manifest, dict) and manifest.get("format") == FORMAT and manifest.get("version") == VERSION
    require(known, f"{MANIFEST} is not that of a bundle, or one of another version")
    record(manifest, MANIFEST, FIELDS)
    require(manifest["digest"] == digest(manifest), f"the digest of {MANIFEST} does not match: it was altered")
    _files(manifest["files"], files)
    require(KERNEL in files, f"there is no {KERNEL} in it")
    lines = list(_signed(manifest["signed_off"]))
    releases = manifest["releases"]
    require(isinstance(releases, list) and bool(releases), "the bundle has no certificate")
    for release in releases:
        lines += _release(record(release, "a release", RELEASE), files, kernel)
    carried = hashlib.sha256(files[KERNEL]).hexdigest()
    return Checked(manifest, tuple(lines), hashlib.sha256(data).hexdigest(), carried)


def _files(listed: Any, files: Mapping[str, bytes]) -> None:
    """Every file is listed, and every listed file is there, with its digest."""
    require(isinstance(listed, dict) and all(isinstance(name, str) for name in listed), "the files are not listed")
    for name in sorted(set(listed) | set(files) - {MANIFEST}):
        require(name in files, f"{name[:80]} is missing")
        require(name in listed, f"{name[:80]} is not listed")
        require(listed[name] == hashlib.sha256(files[name]).hexdigest(), f"{name[:80]} was changed")


def _signed(given: Any) -> list[tuple[str, str]]:
    record(given, "signed_off", SIGNED)
    short = all(isinstance(x, str) and len(x) <= 2000 for x in given.values())
    require(short, "signed_off is not made of texts")
    require(
        re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", given["date"]) is not None, "the date is no date such as 2026-11-22"
    )
    return [(name, given[name] or "not said") for name in ("mechanism", "reviewer", "date", "remarks")]


def _release(release: Mapping[str, Any], files: Mapping[str, bytes], kernel: Kernel) -> list[tuple[str, str]]:
    name = release["certificate"]
    proof = kernel_says(kernel, _file(name, files), name)
    try:
        said = require_proved(release["says"], proof.claim)
    except Refusal as refusal:
        raise Refusal(f"{name}: {refusal}") from None
    lines = [("certificate", f"{name}: holds, {said}"), *(("assuming", a) for a in proof.assumptions)]
    evidence, audits = release["sensitivity"], release["audits"]
    if evidence is None:
        lines.append(("sensitivity", f"{_distance(proof.claim)}: as the mechanism's owner says, with no derivation"))
    else:
        lines.append(("sensitivity", f"{evidence}: {_covered(_file(evidence, files), evidence, proof.claim)}"))
    require(isinstance(audits, list), "the audits are not listed")
    for audit in audits:
        try:
            found = consistent(parsed(_file(audit, files), audit), proof.claim, proof.digest)
        except Refusal as refusal:
            raise Refusal(f"{audit}: {refusal}") from None
        lines.append(("audit", f"{audit}: {found}"))
    return lines


def kernel_says(kernel: Kernel, data: bytes, name: str) -> Any:
    """What the kernel proves of a certificate; raises Refusal where it does not."""
    try:
        return kernel(data)
    except Exception as error:
        if type(error).__name__ not in ("Rejected", "Unreadable"):
            raise
        raise Refusal(f"{name}: the kernel rejects it: {error}") from None


def _distance(claim: Mapping[str, Any]) -> str:
    return f"Delta = {claim['sensitivity']}" if "sensitivity" in claim else "the Delta of each part"


def _covered(data: bytes, name: str, claim: Mapping[str, Any]) -> str:
    """That Delta of the evidence is at most that of the claim, in as many dimensions; raises Refusal."""
    try:
        document = parsed(data, "the evidence")
        asked, squared = check_sensitivity(document)
    except Refusal as refusal:
        raise Refusal(f"{name}: {refusal}") from None
    require("sensitivity" in claim, f"{name}: the certificate is of several releases, each with a Delta of its own")
    size = asked.norm.size
    require(size == claim["dimension"], f"{name}: is of {size} dimension(s), the certificate of {claim['dimension']}")
    least = document["sensitivity"]["exact"] or document["sensitivity"]["upper"]
    fits = squared <= Fraction(claim["sensitivity"]) ** 2
    require(fits, f"{name}: Delta is {least}, more than the certificate's {claim['sensitivity']}")
    return f"Delta = {least}, derived, and at most the certificate's {claim['sensitivity']}"


def _file(name: object, files: Mapping[str, bytes]) -> bytes:
    require(isinstance(name, str) and named_well(name) and name in files, f"{str(name)[:80]} is missing")
    assert isinstance(name, str)
    return files[name]

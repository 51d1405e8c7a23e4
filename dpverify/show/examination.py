"""What there is to report: the kernel's word on a certificate, the file's hash, and an audit of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpverify import files
from dpverify.api import CheckReport, check
from dpverify.errors import InputError
from dpverify.show.audited import Audited, read_audit
from dpverify.show.kinds import PROFILES
from dpverify.show.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Examination:
    """A certificate's file, read once, by the kernel: `check` has the claim and the proof that it accepts.

    `name` is the file's name without its folder, and `sha256` the hash of its bytes.
    """

    name: str
    sha256: str
    size: int
    check: CheckReport
    audited: Audited | None
    said: Provenance = field(default_factory=Provenance)

    @property
    def inputs(self) -> dict[str, str]:
        """The SHA-256 of each file, by name."""
        audit = {} if self.audited is None else {self.audited.file: self.audited.sha256}
        return {self.name: self.sha256, **audit}

    @property
    def claim(self) -> Mapping[str, Any] | None:
        """The claim, only where the kernel has proved it."""
        return self.check.claim


def examine(certificate: str | Path, audit: str | Path | None = None, said: Provenance | None = None) -> Examination:
    """Have the kernel replay a certificate's file, and join an audit's JSON to it, and what is said of both.

    Raises InputError where a file cannot be read, and for an audit of something else.
    """
    path = Path(certificate)
    return examine_bytes(files.read(path), path.name, audit, said)


def examine_bytes(
    data: bytes, name: str, audit: str | Path | None = None, said: Provenance | None = None
) -> Examination:
    """The same for a file's bytes."""
    try:
        report = check(data)
    except InputError as error:
        raise InputError(f"{name}: {str(error).removeprefix('the certificate: ')}") from None
    joined = None
    if audit is not None and report.claim is not None:
        if report.kind in (*PROFILES, "composition"):
            raise InputError(
                f"{name}: an audit beside a certificate of a {report.kind} goes into a bundle, not a report"
            )
        joined = read_audit(audit, report.claim, report.digest)
    sha256 = hashlib.sha256(data).hexdigest()
    return Examination(name, sha256, len(data), report, joined, said or Provenance())

"""One file for whoever signs off: certificates, audits, the sensitivity's derivation, the kernel, and their digests.

The file is a zip that Python runs: `python -I -S BUNDLE.zip` has the kernel in it replay the certificates in it.
`check` does the same with this installation's own kernel and checker, which is what a reviewer should trust.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from dpverify import files, kernel, source
from dpverify.errors import InputError, Refused
from dpverify.evidence import archive, sensitivity
from dpverify.evidence import bundle as form
from dpverify.evidence.refusal import Refusal, digest, parsed
from dpverify.evidence.statement import about, proved
from dpverify.serialise import serialise
from dpverify.version import __version__

PROGRAM = {"name": "dpverify", "version": __version__}
CHECKER = Path(__file__).parent / "evidence"
START = '"""Check this bundle: python -I -S BUNDLE.zip"""\n\nfrom evidence.run import run\n\nrun()\n'
README = """A bundle of evidence that a mechanism is differentially private, made by dpverify {version}.

Check it, in this order of trust:

  dpverify bundle check FILE.zip     with the kernel and the checker of dpverify {version}, which you have installed
  python -I -S FILE.zip              with those in the bundle, on any Python from 3.11 on; nothing to install

The second is as good as the program in the bundle: compare the SHA-256 of dpverify-kernel.pyz,
  {kernel}
with that of a kernel you trust (dpverify check --about), and read evidence/*.py, which is short.

bundle.json           who says what: the statement about each certificate, its evidence, every file's SHA-256
certificates/         the proofs: dpverify check FILE, or python -I -S dpverify-kernel.pyz FILE
sensitivity/          how Delta follows from the data's description, the neighbours and Sigma
audits/               what samples showed; an audit proves no privacy
attachments/          what was added as it is; nothing checks it but its digest
dpverify-kernel.pyz   the kernel that replays the proofs: standard library only
evidence/             the checker of sensitivities and bundles: standard library only

The digests tell whether something was changed, not who made the bundle: sign the file itself.
"""


@dataclass(frozen=True, slots=True)
class Release:
    """A certificate's file, the (epsilon, delta) that is said of it (None: all that it proves), and its evidence."""

    certificate: Path
    at_most: Fraction | None = None
    delta: Fraction | None = None
    sensitivity: Path | None = None
    audits: tuple[Path, ...] = ()


def derive(question: Mapping[str, Any]) -> dict[str, Any]:
    """The sensitivity that a question asks for, as evidence; `dpverify.evidence.questions` has the fields.

    Raises InputError where it cannot be asked.
    """
    try:
        return sensitivity.derive(question, PROGRAM)
    except Refusal as refusal:
        raise InputError(str(refusal)) from None


def derived(path: str | Path) -> Mapping[str, Any]:
    """The evidence in a file, derived anew; raises Refused where it does not hold."""
    try:
        document: Mapping[str, Any] = sensitivity.check_bytes(files.read(path))[2]
    except Refusal as refusal:
        raise Refused(f"{path}: {refusal}") from None
    return document


def make(
    releases: Sequence[Release],
    *,
    mechanism: str = "",
    reviewer: str = "",
    remarks: str = "",
    day: date | None = None,
    attachments: Sequence[Path] = (),
) -> bytes:
    """A bundle's bytes: the same content and day give the same bytes.

    Raises Refused where it would not hold (a certificate that is rejected or proves less, an audit of another
    certificate or a violated one, a sensitivity that does not follow), and InputError where a file cannot be read.
    """
    content = {
        "__main__.py": START.encode(),
        "README.txt": README.format(version=__version__, kernel=source.digest()).encode(),
        form.KERNEL: source.packed(),
        **{f"evidence/{path.name}": path.read_bytes() for path in sorted(CHECKER.glob("*.py"))},
    }
    replay = cache(kernel.check_bytes)
    listed = [_release(release, content, replay) for release in releases]
    for path in attachments:
        _add(path, "attachments", content)
    signed = {"mechanism": mechanism, "reviewer": reviewer, "remarks": remarks}
    manifest: dict[str, Any] = {
        "format": form.FORMAT,
        "version": form.VERSION,
        "program": PROGRAM,
        "signed_off": {**signed, "date": (day or datetime.now(UTC).date()).isoformat()},
        "releases": listed,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in content.items()},
    }
    content[form.MANIFEST] = serialise({**manifest, "digest": digest(manifest)})
    try:
        data = archive.packed(content)
        form.check(data, replay)
    except Refusal as refusal:
        raise Refused(str(refusal)) from None
    return data


def check(path: str | Path) -> form.Checked:
    """Check a bundle with this installation's kernel; raises Refused with the first thing that does not hold."""
    data = files.read(path, archive.MOST_BYTES)
    try:
        return form.check(data, kernel.check_bytes)
    except Refusal as refusal:
        raise Refused(f"{path}: {refusal}") from None


def _release(release: Release, content: dict[str, bytes], replay: form.Kernel) -> dict[str, Any]:
    name = _add(release.certificate, "certificates", content)
    try:
        claim = form.kernel_says(replay, content[name], str(release.certificate)).claim
    except Refusal as refusal:
        raise Refused(str(refusal)) from None
    evidence = None if release.sensitivity is None else _add(release.sensitivity, "sensitivity", content)
    return {
        "certificate": name,
        "says": {**_said(release, claim), "about": about(claim)},
        "sensitivity": evidence,
        "audits": [_add(path, "audits", content) for path in release.audits],
    }


def _said(release: Release, claim: Mapping[str, Any]) -> dict[str, str]:
    """The (epsilon, delta) that was asked for, or the first that is proved, at that delta if one is given."""
    points = proved(claim)
    if not points:
        raise Refused(f"{release.certificate}: it proves no privacy, and there is nothing to sign off")
    within = [point for point in points if release.delta is None or point[1] <= release.delta]
    epsilon, delta = within[0] if release.delta is None else min(within, default=points[0])
    epsilon = epsilon if release.at_most is None else release.at_most
    return {"epsilon": str(epsilon), "delta": str(delta if release.delta is None else release.delta)}


def _add(path: Path, folder: str, content: dict[str, bytes]) -> str:
    """Put a file into a folder of the bundle, under its own name; the same file twice is one."""
    name, data = f"{folder}/{path.name}", files.read(path)
    if content.setdefault(name, data) != data:
        raise InputError(f"{path}: another file of this name is in the bundle; give it another name")
    return name


def audit_of(path: Path) -> str | None:
    """The digest of the certificate that an audit names; None where it names none."""
    try:
        named = parsed(files.read(path), str(path)).get("certificate")
    except (Refusal, AttributeError):
        raise InputError(f"{path}: not the JSON of an audit") from None
    return str(named["digest"]) if isinstance(named, dict) and "digest" in named else None

"""`dpverify bundle`: one file of evidence for whoever signs off, and the command that checks it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.options import date_of
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.bundle import Release

FILE = click.Path(path_type=Path)


@click.group()
def bundle() -> None:
    """Put proofs and evidence into one file that checks itself.

    \b
    dpverify bundle make laplace.json --sensitivity count.json -o release.zip
    dpverify bundle check release.zip
    """


@bundle.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=FILE)
@click.option("-o", "--output", metavar="FILE.zip", type=FILE, required=True, help="The bundle.")
@click.option("--sensitivity", metavar="FILE", type=FILE, multiple=True, help="One for all certificates, or one each.")
@click.option("--audit", metavar="FILE", type=FILE, multiple=True, help="An audit of one of them; repeatable.")
@click.option("--at-most", metavar="Q", multiple=True, help="The epsilon to be said.  [default: what is proved]")
@click.option("--delta", metavar="Q", multiple=True, help="The delta to be said with it.  [default: what is proved]")
@click.option("--mechanism", metavar="TEXT", default="", help="What the mechanism is called.")
@click.option("--reviewer", metavar="TEXT", default="", help="Who signs off.")
@click.option("--remarks", metavar="TEXT", default="", help="What else is to be said.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="When.  [default: today]")
@click.option("--attach", metavar="FILE", type=FILE, multiple=True, help="Add a file as it is, such as a report.")
def make(
    certificates: tuple[Path, ...],
    output: Path,
    sensitivity: tuple[Path, ...],
    audit: tuple[Path, ...],
    at_most: tuple[str, ...],
    delta: tuple[str, ...],
    mechanism: str,
    reviewer: str,
    remarks: str,
    day: str | None,
    attach: tuple[Path, ...],
) -> int:
    """Make a bundle, once all of it holds.

    It has the certificates, the derivation of the sensitivity, audits, the kernel, a checker, and every
    file's SHA-256. The same content and date give the same bytes. `python -I -S FILE.zip` checks it with
    the standard library alone. --at-most and --delta are given once for all certificates, or one each.

    \b
    dpverify bundle make laplace.json --sensitivity count.json -o release.zip
    dpverify bundle make t.json --audit t.audit.json --reviewer "A. N." -o t.zip

    Exit status: 0 made, 1 something in it does not hold, 2 bad input.
    """
    import hashlib

    from dpverify import bundle as bundles
    from dpverify import files
    from dpverify.errors import Refused
    from dpverify.show.words import printable

    if output.suffix != ".zip":
        raise InputError(f"{output}: the bundle's name must end in .zip")
    try:
        data = bundles.make(
            _releases(certificates, sensitivity, audit, at_most, delta),
            mechanism=mechanism,
            reviewer=reviewer,
            remarks=remarks,
            day=None if day is None else date_of(day),
            attachments=attach,
        )
    except Refused as error:
        click.echo(printable(f"dpverify: no bundle is made: {error}"), err=True)
        return 1
    files.write(output, data)
    click.echo(printable(f"wrote {output}  (dpverify bundle check {output})"))
    click.echo(f"sha256 {hashlib.sha256(data).hexdigest()}")
    return 0


@bundle.command()
@click.argument("file", metavar="FILE.zip", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(file: Path, as_json: bool) -> int:
    """Check a bundle with the installed kernel.

    Every digest, every certificate, every audit and the sensitivity are checked anew; a bundle in which
    one thing does not hold is rejected, with the first that does not.

    Exit status: 0 it holds, 1 it does not, 2 it cannot be read.
    """
    from dpverify import bundle as bundles
    from dpverify import source
    from dpverify.errors import Refused
    from dpverify.show.sheet import Part, Row, Sheet
    from dpverify.show.terminal import show
    from dpverify.show.words import printable

    try:
        found = bundles.check(file)
    except Refused as error:
        if as_json:
            click.echo(json.dumps({"file": str(file), "holds": False, "reason": str(error)}))
        click.echo(printable(f"dpverify: {error}: REJECTED"), err=True)
        return 1
    own = found.kernel == source.digest()
    if as_json:
        kernel = {"sha256": found.kernel, "installed": own}
        lines = [{"about": label, "text": text} for label, text in found.lines]
        record = {"holds": True, "sha256": found.sha256, "kernel": kernel, "found": lines, "manifest": found.manifest}
        click.echo(json.dumps({"file": str(file), **record}))
        return 0
    carried = "the installed one" if own else "ANOTHER than the installed one, which has checked this bundle"
    rows = [Row(label, printable(text)) for label, text in found.lines]
    rows += [Row("kernel in it", carried), Row("", f"sha256 {found.kernel}"), Row("bundle", f"sha256 {found.sha256}")]
    show(Sheet(f"{printable(str(file))}: holds", "good", parts=(Part(rows=tuple(rows)),)))
    return 0


def _releases(
    certificates: Sequence[Path],
    evidence: Sequence[Path],
    audits: Sequence[Path],
    at_most: Sequence[str],
    delta: Sequence[str],
) -> list[Release]:
    from dpverify import serialise
    from dpverify.bundle import Release, audit_of
    from dpverify.language import parse_rational

    def spread(given: Sequence[object], option: str) -> list[object]:
        if len(given) not in (0, 1, len(certificates)):
            raise InputError(f"{option}: {len(given)} for {len(certificates)} certificates; give one, or one each")
        return list(given) * (len(certificates) if len(given) == 1 else 1) or [None] * len(certificates)

    named = {path: audit_of(path) for path in audits}
    digests = [serialise.load(path).get("digest") for path in certificates]
    for path, digest in named.items():
        if digest is not None and digest not in digests:
            raise InputError(f"{path}: it is an audit of another certificate")
        if digest is None and len(certificates) > 1:
            raise InputError(f"{path}: it names no certificate, and there are several")
    found = []
    rows = zip(
        certificates,
        digests,
        spread(evidence, "--sensitivity"),
        spread(at_most, "--at-most"),
        spread(delta, "--delta"),
        strict=True,
    )
    for certificate, digest, derived, epsilon, allowed in rows:
        own = tuple(path for path, name in named.items() if name is None or name == digest)
        bounds = (
            None if epsilon is None else parse_rational(epsilon, "--at-most"),
            None if allowed is None else parse_rational(allowed, "--delta"),
        )
        assert derived is None or isinstance(derived, Path)
        found.append(Release(certificate, *bounds, derived, own))
    return found

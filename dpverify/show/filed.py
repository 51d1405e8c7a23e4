"""A reviewer's report, from a certificate's file to a file."""

from __future__ import annotations

from pathlib import Path

from dpverify.show.document import write
from dpverify.show.examination import examine
from dpverify.show.provenance import Provenance


def report(
    certificate: str | Path,
    output: str | Path,
    *,
    audit: str | Path | None = None,
    mechanism: str = "",
    reviewer: str = "",
) -> list[Path]:
    """Write what the kernel accepts of a certificate's file, and how that was proved, as HTML, Markdown or PDF.

    Of a certificate that it rejects the report says so, and why.

    Args:
        certificate: the certificate's file.
        output: the report's file; its suffix says the form (.html, .md, .pdf).
        audit: the JSON of an audit of the same noise, to be shown beside the proof.
        mechanism: what the mechanism is called.
        reviewer: who reviews it.

    Returns:
        The files that were written; Markdown has its plots beside it.

    Raises:
        InputError: for files that cannot be read or written, an audit of something else, and where the
            libraries for reports are missing.
    """
    return write(examine(certificate, audit, Provenance(mechanism=mechanism, reviewer=reviewer)), output)

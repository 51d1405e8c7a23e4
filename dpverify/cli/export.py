"""`dpverify export`: a certificate in another system's form: a proof in Coq, a measurement, a record, a statement."""

from __future__ import annotations

from pathlib import Path

import click

from dpverify import files
from dpverify.errors import InputError, Refused

SYSTEMS = ["coq", "opendp", "dp-accounting", "registry", "in-toto"]


@click.command()
@click.argument("certificate", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@click.option("--to", "system", type=click.Choice(SYSTEMS), required=True, help="The system to write for.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Default: standard output.")
@click.option("--library", is_flag=True, help="Coq: write the proof's library beside FILE.v, to be compiled once.")
@click.option("--epsilon", metavar="Q", help="Which point of a profile certificate is meant, where it has several.")
def export(certificate: Path, system: str, output: Path | None, library: bool, epsilon: str | None) -> int:
    """Write a certificate for another system.

    coq: a self-contained file that states the claim in ordinary real analysis, in the paper's
    letters, and proves it with no axiom of its own; of a profile its points on the line, or the one
    at --epsilon. `coqc FILE.v` checks it (Debian: coq and libcoq-interval). Generators that the Coq
    library does not cover are refused with the reason.

    opendp: a Python file with an OpenDP measurement, whose function is the exact sampler and whose
    privacy map holds for every d_in. dp-accounting: a Python file with a pessimistic privacy loss
    distribution; rigour ends at its first FFT. registry: a YAML draft for the Deployments Registry.
    in-toto: a Statement v1 about the certificate's bytes.

    \b
    dpverify export laplace.json --to coq -o laplace.v
    dpverify export laplace.json --to opendp -o laplace_opendp.py

    Exit status: 0 written, 1 the certificate does not hold, 2 no export.
    """
    if system == "coq":
        return _to_coq(certificate, output, library, epsilon)
    if library:
        raise InputError("--library is of Coq's proofs: use it with --to coq")
    from dpverify.export import export as written
    from dpverify.show.words import printable

    try:
        text = written(certificate, system, epsilon=epsilon)
    except Refused as error:
        click.echo(f"{printable(str(error))}: REJECTED", err=True)
        return 1
    if output is None:
        click.echo(text, nl=False)
    else:
        files.write(output, text)
        click.echo(f"wrote {printable(str(output))}")
    return 0


def _to_coq(certificate: Path, output: Path | None, library: bool, epsilon: str | None) -> int:
    from dpverify.api import check
    from dpverify.export.coq import export as to_coq
    from dpverify.export.coq.library import text as library_text
    from dpverify.language import parse_rational
    from dpverify.show.words import printable

    if output is not None and not (output.suffix == ".v" and output.stem.isidentifier() and output.stem.isascii()):
        raise InputError(f"{output}: Coq wants FILE.v, with only letters, digits and _ in FILE")
    if library and (output is None or output.name == "Library.v"):
        raise InputError("--library writes Library.v beside another file; name that one with -o FILE.v")
    report = check(certificate)
    if not report.accepted:
        click.echo(f"{printable(str(certificate))}: REJECTED: {printable(report.refusal())}", err=True)
        return 1
    point = None if epsilon is None else parse_rational(epsilon, "the epsilon")
    text = to_coq(report.content(), alone=not library, epsilon=point)
    if output is None:
        click.echo(text, nl=False)
    else:
        files.write(output, text)
        if library:
            axioms = output.with_name(f"{output.stem}_axioms.v")
            files.write(output.with_name("Library.v"), library_text())
            files.write(axioms, f"From Dpverify Require {output.stem}.\nPrint Assumptions {output.stem}.certificate.\n")
            click.echo(f"wrote {printable(str(output))}, and beside it Library.v and {axioms.name}; there:")
            for file in ("Library.v", output.name, axioms.name):
                click.echo(f"  coqc -R . Dpverify {file}")
        else:
            click.echo(f"wrote {printable(str(output))}  (coqc {printable(str(output))})")
    return 0

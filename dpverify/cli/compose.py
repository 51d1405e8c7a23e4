"""`dpverify compose`: what several certified releases guarantee together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.options import Several, integer
from dpverify.cli.profile import told
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.composition import Sampling


@click.command(cls=Several)
@click.argument("certificates", metavar="CERTIFICATE[:TIMES]...", nargs=-1, required=True)
@click.option("--epsilon", metavar="Q", multiple=True, help="Enclose delta at this eps; several may follow.")
@click.option("--delta", metavar="Q", multiple=True, help="Enclose eps at this delta; several may follow.")
@click.option("--poisson", metavar="Q", help="Each record is in the sample with this probability.")
@click.option("--fixed", metavar="Q", help="A fixed share of the records is the sample.")
@click.option("--tolerance", metavar="Q", help="Width of an enclosed eps, relative to it.  [default: 1e-9]")
@click.option("-o", "--certificate", metavar="FILE", type=click.Path(path_type=Path), help="Write the proof here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compose(
    certificates: tuple[str, ...],
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    poisson: str | None,
    fixed: str | None,
    tolerance: str | None,
    certificate: Path | None,
    as_json: bool,
) -> int:
    """Enclose what several releases guarantee together.

    They are given by their certificates.

    Certificates of a pure epsilon compose by the optimal theorem of Kairouz, Oh and Viswanath: the
    best bound for all mechanisms with these epsilons. Certificates of profiles compose by exact
    products of dominating loss distributions, from as much of the profile as each certifies; ask
    `dpverify profile --curve` for whole ones. --poisson and --fixed make every release on a sample
    of the records; to mix samples, use Python. The composed certificate carries its parts.

    \b
    dpverify compose laplace.json:10 --epsilon 2
    dpverify compose laplace.json:5 student.json --delta 1e-6
    dpverify compose curve.json:64 --epsilon 7 --certificate all.json

    Exit status: 0 proved, 2 bad input.
    """
    if not epsilon and not delta:
        raise InputError("give --epsilon Q or --delta Q; see `dpverify compose --help`")
    from dpverify.composition import compose as run

    sampling = _sampling(poisson, fixed)
    releases = [(*_release(given), sampling) for given in certificates]
    found = run(releases, epsilon=epsilon, delta=delta, tolerance=tolerance, certificate=certificate is not None)
    return told(found, certificate, as_json)


def _release(given: str) -> tuple[str, int]:
    """A file, or FILE:TIMES."""
    name, colon, times = given.rpartition(":")
    return (name, integer(times, f"TIMES of {name[:40]}")) if colon and times.isdigit() else (given, 1)


def _sampling(poisson: str | None, fixed: str | None) -> Sampling | None:
    if poisson is not None and fixed is not None:
        raise InputError("give either --poisson or --fixed, not both")
    if poisson is None and fixed is None:
        return None
    from dpverify.composition import Sampling
    from dpverify.language import parse_rational

    kind = "poisson" if fixed is None else "fixed"
    return Sampling(kind, parse_rational(poisson if fixed is None else fixed, f"--{kind}"))

"""`dpverify audit`: from samples to a lower bound on epsilon, beside what is claimed or proved."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.audited import SAMPLES, InputPair, Setting, source_of, whole_number
from dpverify.cli.options import OfText, complete_family
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.audit import BuiltIn, CurveReport, Files, Mechanism, SequentialReport
    from dpverify.audit.curves import Certified
    from dpverify.audit.report import Proved


EXIT_STATUS = {"consistent": 0, "inconclusive": 0, "no_claim": 0, "violated": 1}
MANY_CHUNKS = 8  # from here on all cores are worth starting processes for, where what draws may be slow
MANY_NUMBERS = 512  # the same in chunks times coordinates for dpverify's own noise and files: about two seconds of work
FILE = click.Path(path_type=Path)


@click.command(cls=OfText, context_settings={"ignore_unknown_options": True})
@click.argument("generator", required=False, shell_complete=complete_family)
@click.option("--p", "p_file", metavar="FILE", type=FILE, help="Samples around one centre (npy, npz, csv, parquet).")
@click.option("--q", "q_file", metavar="FILE", type=FILE, help="Samples around its neighbour.")
@click.option("--mechanism", metavar="MODULE:FUNCTION", help="A sampler, called as function(centre, size, rng).")
@click.option("--dimension", metavar="N", help="Dimension d.  [default: 1]")
@click.option("--sensitivity", metavar="Q", help="Sensitivity Delta: how far apart the centres are.  [default: 1]")
@click.option("--scale", metavar="Q", help="Scale sigma of the noise of GENERATOR.  [default: 1]")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option("--claim", metavar="EPS", help="The epsilon that is claimed.")
@click.option("--certificate", metavar="FILE", type=FILE, help="Audit what this proof says.")
@click.option("--delta", metavar="D", default="0", show_default=True, help="delta of (epsilon, delta)-privacy.")
@click.option("--samples", metavar="N", help=f"Samples a side.  [default: {SAMPLES}, or all in the files]")
@click.option("--confidence", metavar="C", default="0.99", show_default=True, help="Confidence of the bound.")
@click.option("--seed", metavar="S", help="An integer from 0.  [default: a fresh one]")
@click.option("--axis", metavar="K", help="Coordinate along which the centres differ, or `diagonal`.  [default: 1]")
@click.option("--shift", metavar="X,Y,...", help="What the centres differ by, instead of a sensitivity and an axis.")
@click.option("--centre", metavar="X,Y,...", help="The first centre, for --mechanism.  [default: 0]")
@click.option(
    "--neighbours", metavar="FILE", type=FILE, help="Inputs of --mechanism: JSON [D, D'], or two arrays (npz)."
)
@click.option("--no-leaks", is_flag=True, help="Do not examine bits and lattices.")
@click.option("--curve", is_flag=True, help="The whole curve: epsilon at every delta, mu, rho, trade-off.")
@click.option("--plot", metavar="FILE", type=FILE, help="With --curve, draw the trade-off (svg, png).")
@click.option(
    "--canaries", metavar="FILE", type=FILE, help="One run: a score and 1 (put in) or 0 a row, by a fair coin each."
)
@click.option("--mu", is_flag=True, help="With --canaries: also bound mu of Gaussian privacy.")
@click.option("--until-violated", is_flag=True, help="Draw on until --claim is refuted, at most --samples a side.")
@click.option("--checkpoint", metavar="FILE", type=FILE, help="Save progress here, and resume from it.")
@click.option("--jobs", metavar="N", help="Processes to count with.  [default: all cores for long work]")
@click.option(
    "-o", "--output", metavar="FILE", type=FILE, help="Write the report as JSON here.  [default: beside --certificate]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def audit(
    generator: str | None,
    p_file: Path | None,
    q_file: Path | None,
    mechanism: str | None,
    dimension: str | None,
    sensitivity: str | None,
    scale: str | None,
    param: tuple[str, ...],
    claim: str | None,
    certificate: Path | None,
    delta: str,
    samples: str | None,
    confidence: str,
    seed: str | None,
    axis: str | None,
    shift: str | None,
    centre: str | None,
    neighbours: Path | None,
    no_leaks: bool,
    curve: bool,
    plot: Path | None,
    canaries: Path | None,
    mu: bool,
    until_violated: bool,
    checkpoint: Path | None,
    jobs: str | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Bound epsilon from below by what samples show.

    Two outputs are compared: P around 0 and Q around Delta on one axis, or around centres and for inputs
    of your own. They come from dpverify's own
    sampler of GENERATOR, from a function of yours, or from files, n x d. GENERATOR beside files or a
    function is what they are thought to be: its exact privacy loss is then tried as a score. The bound
    holds with the stated confidence; the event that shows it is chosen on separate samples. What the law
    of the outputs shows and what their bits show are told apart.

    \b
    dpverify audit laplace --dimension 2 --claim 1
    dpverify audit --p p.npy --q q.npy --claim 1 --confidence 0.95
    dpverify audit --mechanism mine:noisy --claim 1/2 --samples 20000
    dpverify audit --mechanism mine:answers --neighbours data.json --claim 1
    dpverify audit --certificate laplace.json --mechanism mine:noisy
    dpverify audit --certificate profile.json --curve
    dpverify audit --mechanism mine:noisy --claim 1 --until-violated
    dpverify audit --canaries run.csv --claim 8 --delta 1e-5

    The report goes to --output, or beside the certificate; no file is written over.

    Exit status: 0 consistent, inconclusive or no claim, 1 violated, 2 bad input.
    """
    from dpverify.audit import BuiltIn, Files, audit_until
    from dpverify.audit import audit as run
    from dpverify.audit.curves import audit_curve, certified_by
    from dpverify.audit.report import proved_by

    points: tuple[Certified, ...] = ()
    if canaries is not None:
        if (generator, p_file, mechanism) != (None, None, None) or curve or until_violated:
            raise InputError(
                "--canaries is an audit of one run by itself: leave other sources, --curve and the like out"
            )
        points = () if certificate is None else certified_by(certificate)[0]
        return _one_run(canaries, claim, delta, confidence, mu, points, seed, as_json)
    if mu:
        raise InputError("--mu goes with --canaries; --curve tells mu by itself")
    if plot is not None and not curve:
        raise InputError("--plot draws what --curve finds; give both")
    if curve and (claim is not None or delta != "0" or checkpoint is not None):
        raise InputError("--curve has every delta: leave --claim, --delta and --checkpoint out")
    if until_violated and (claim is None or curve or p_file is not None or checkpoint is not None):
        raise InputError("--until-violated needs a --claim and draws; leave --curve, --checkpoint, --p and --q out")
    points = ()
    proved: Proved | None = None
    proof: Mapping[str, Any] | None = None
    if curve and certificate is not None:
        points, proof = certified_by(certificate)
    else:
        proved, proof = proved_by(certificate) if certificate is not None else (None, None)
    if proof is not None and (generator, dimension, sensitivity, scale, param) != (None, None, None, None, ()):
        raise InputError("--certificate says generator, dimension, parameters, sensitivity and scale; leave them out")
    if output is not None and output.exists():
        raise InputError(f"{output}: exists, and an audit is not written over; name another file")
    place = InputPair(axis, shift, centre, neighbours)
    setting = Setting.read(proof, generator, dimension, sensitivity, scale, param, place)
    source = source_of(setting, p_file, q_file, mechanism, samples)
    target = output or _beside(certificate)
    noise = setting.noise()
    model = None if noise is None else BuiltIn(0, noise, setting.shift(source.dimension))
    number = None if seed is None else whole_number(seed, "--seed")
    if until_violated and claim is not None and not isinstance(source, Files):
        with _progress() as progress:
            stopped = audit_until(
                source,
                claim=claim,
                delta=delta,
                confidence=confidence,
                seed=number,
                model=model,
                leaks=not no_leaks,
                progress=progress,
            )
        return _show_stopped(stopped, as_json)
    if curve:
        with _progress() as progress:
            found = audit_curve(
                source,
                confidence=confidence,
                seed=number,
                model=model,
                certified=points,
                file=None if certificate is None else str(certificate),
                jobs=_jobs(jobs, source),
                progress=progress,
            )
        return _show_curve(found, [] if target is None else [found.save(target)], plot, as_json)
    with _progress() as progress:
        report = run(
            source,
            claim=claim,
            proved=proved,
            delta=delta,
            confidence=confidence,
            seed=number,
            model=model,
            leaks=not no_leaks,
            jobs=_jobs(jobs, source),
            checkpoint=checkpoint,
            progress=progress,
        )
    saved = [] if target is None else [report.save(target)]
    if as_json:
        click.echo(json.dumps(report.to_json()))
    else:
        from dpverify.show.audits import audit_sheet
        from dpverify.show.terminal import show

        show(audit_sheet(report, saved))
    return EXIT_STATUS[report.verdict]


def _one_run(
    path: Path,
    claim: str | None,
    delta: str,
    confidence: str,
    mu: bool,
    certified: tuple[Certified, ...],
    seed: str | None,
    as_json: bool,
) -> int:
    import numpy as np

    from dpverify.audit import audit_one_run
    from dpverify.audit.tables import open_table
    from dpverify.show.audits import one_run_sheet
    from dpverify.show.terminal import show

    table = open_table(path)
    if table.columns != 2:
        raise InputError(f"{path}: has {table.columns} column(s), not a score and whether it was put in")
    rows = table.read(np.arange(table.rows)).numbers
    number = None if seed is None else whole_number(seed, "--seed")
    report = audit_one_run(
        rows[:, 0],
        rows[:, 1],
        claim=claim,
        delta=delta,
        confidence=confidence,
        mu=mu,
        certified=certified,
        seed=number,
    )
    if as_json:
        click.echo(json.dumps(report.to_json()))
    else:
        show(one_run_sheet(report))
    return EXIT_STATUS[report.verdict]


def _show_stopped(report: SequentialReport, as_json: bool) -> int:
    from dpverify.show.audits import sequential_sheet
    from dpverify.show.terminal import show

    if as_json:
        click.echo(json.dumps(report.to_json()))
    else:
        show(sequential_sheet(report))
    return EXIT_STATUS[report.verdict]


def _show_curve(report: CurveReport, saved: list[Path], plot: Path | None, as_json: bool) -> int:
    from dpverify.show.audits import curve_sheet, draw_trade_off
    from dpverify.show.terminal import show

    if plot is not None:
        saved = [*saved, draw_trade_off(report, plot)]
    if as_json:
        click.echo(json.dumps(report.to_json()))
    else:
        show(curve_sheet(report, saved))
    return EXIT_STATUS[report.verdict]


def _jobs(text: str | None, source: BuiltIn | Mechanism | Files) -> int:
    import os

    from dpverify.audit import Mechanism

    if text is not None:
        jobs = whole_number(text, "--jobs")
        if jobs < 1:
            raise InputError("--jobs: at least 1")
        return jobs
    slow = isinstance(source, Mechanism)
    many = source.chunks() >= MANY_CHUNKS if slow else source.chunks() * source.dimension >= MANY_NUMBERS
    return (os.cpu_count() or 1) if many else 1


def _beside(certificate: Path | None) -> Path | None:
    """The first free name, X.audit.json, X.audit-2.json, ...: what an earlier audit found is kept."""
    if certificate is None:
        return None
    names = (certificate.with_suffix(f".audit{f'-{k}' if k > 1 else ''}.json") for k in count(1))
    return next(name for name in names if not name.exists())


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar with the time left, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("auditing"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("auditing", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

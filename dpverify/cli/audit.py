"""`dpverify audit`: from samples to a lower bound on epsilon, beside what is claimed or proved."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.options import complete_family, integer, parameters
from dpverify.errors import InputError
from dpverify.files import read

if TYPE_CHECKING:
    from dpverify.audit import BuiltIn, Files, Mechanism
    from dpverify.sampling import EllipticalNoise

EXIT_STATUS = {"consistent": 0, "no_claim": 0, "violated": 1}
SAMPLES = "100000"
MANY_CHUNKS = 8  # from here on both cores are worth starting processes for
FILE = click.Path(path_type=Path)


@click.command(context_settings={"ignore_unknown_options": True})
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
@click.option("--axis", metavar="K", default="1", show_default=True, help="Coordinate along which the centres differ.")
@click.option("--no-leaks", is_flag=True, help="Leave out events on bits and lattices.")
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
    axis: str,
    no_leaks: bool,
    checkpoint: Path | None,
    jobs: str | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Bound epsilon from below by what samples show.

    Two outputs are compared: P around 0 and Q around Delta on one axis. They come from dpverify's own
    sampler of GENERATOR, from a function of yours, or from files, n x d. GENERATOR beside files or a
    function is what they are thought to be: its exact privacy loss is then tried as a score. The bound
    holds with the stated confidence; the event that shows it is chosen on separate samples.

    \b
    dpverify audit laplace --dimension 2 --claim 1
    dpverify audit --p p.npy --q q.npy --claim 1 --confidence 0.95
    dpverify audit --mechanism mine:noisy --claim 1/2 --samples 20000
    dpverify audit --certificate laplace.json --mechanism mine:noisy

    The report goes to --output, or beside the certificate; a file there with an audit of another source
    is not touched.

    Exit status: 0 consistent or no claim, 1 violated, 2 bad input.
    """
    from dpverify.audit import BuiltIn
    from dpverify.audit import audit as run
    from dpverify.audit.report import proved_by

    proved, proof = proved_by(certificate) if certificate is not None else (None, None)
    if proof is not None and (generator, dimension, sensitivity, scale, param) != (None, None, None, None, ()):
        raise InputError("--certificate says generator, dimension, parameters, sensitivity and scale; leave them out")
    setting = _Setting.read(proof, generator, dimension, sensitivity, scale, param, axis)
    source = _source(setting, p_file, q_file, mechanism, samples)
    target = output if output is not None else _beside(certificate)
    if target is not None:
        _same_source(target, source.text)
    noise = setting.noise()
    with _progress() as progress:
        report = run(
            source,
            claim=claim,
            proved=proved,
            delta=_number(delta, "--delta"),
            confidence=_number(confidence, "--confidence"),
            seed=None if seed is None else _whole(seed, "--seed"),
            model=None if noise is None else BuiltIn(0, noise, setting.shift(source.dimension)),
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


class _Setting:
    """The generator, if any, and how the two centres lie."""

    def __init__(
        self,
        generator: str | None,
        parameters: Mapping[str, Any],
        dimension: int | None,
        sensitivity: Fraction,
        scale: Fraction,
        axis: int,
    ) -> None:
        self.generator, self.parameters, self.dimension = generator, parameters, dimension
        self.sensitivity, self.scale, self.axis = sensitivity, scale, axis

    @classmethod
    def read(
        cls,
        proof: Mapping[str, Any] | None,
        generator: str | None,
        dimension: str | None,
        sensitivity: str | None,
        scale: str | None,
        param: tuple[str, ...],
        axis: str,
    ) -> _Setting:
        """From a certificate's claim, or from the options; raises InputError for what cannot be used."""
        if proof is not None:
            sensitivity_proved, scale_proved = (Fraction(proof[name]) for name in ("sensitivity", "scale"))
            return cls(
                proof["generator"],
                proof["parameters"],
                int(proof["dimension"]),
                sensitivity_proved,
                scale_proved,
                _whole(axis, "--axis"),
            )
        return cls(
            generator,
            parameters(param),
            None if dimension is None else integer(dimension),
            _positive(sensitivity or "1", "the sensitivity"),
            _positive(scale or "1", "the scale"),
            _whole(axis, "--axis"),
        )

    def noise(self) -> EllipticalNoise | None:
        """The noise that GENERATOR stands for."""
        from dpverify.generators import Generator
        from dpverify.sampling import EllipticalNoise

        if self.generator is None:
            if self.parameters:
                raise InputError("--param needs a GENERATOR")
            return None
        generator = Generator(self.generator, 1 if self.dimension is None else self.dimension, self.parameters)
        return EllipticalNoise(generator, scale=self.scale)

    def shift(self, dimension: int) -> Any:
        """The second centre, an array of d numbers; the first is 0."""
        import numpy as np

        if not 1 <= self.axis <= dimension:
            raise InputError(f"--axis: {self.axis} is no coordinate of {dimension} dimension(s)")
        shift = np.zeros(dimension)
        shift[self.axis - 1] = float(self.sensitivity)
        return shift


def _source(
    setting: _Setting, p_file: Path | None, q_file: Path | None, mechanism: str | None, samples: str | None
) -> BuiltIn | Mechanism | Files:
    from dpverify.audit import BuiltIn, Files, Mechanism

    if (p_file is None) != (q_file is None):
        raise InputError(f"--{'q' if q_file is None else 'p'} is missing: samples come in two files, --p and --q")
    if p_file is not None and mechanism is not None:
        raise InputError("give files (--p, --q) or --mechanism, not both")
    number = None if samples is None else _whole(samples, "--samples")
    if p_file is not None and q_file is not None:
        files = Files.open(p_file, q_file, number)
        if setting.dimension not in (None, files.dimension):
            raise InputError(f"the files have {files.dimension} dimension(s), not {setting.dimension}")
        setting.dimension = files.dimension
        return files
    number = int(SAMPLES) if number is None else number
    d = 1 if setting.dimension is None else setting.dimension
    if d < 1:
        raise InputError(f"--dimension: {d} is not a positive integer")
    if mechanism is not None:
        shift = setting.shift(d)
        return Mechanism(number, mechanism, (0 * shift, shift))
    noise = setting.noise()
    if noise is None:
        raise InputError("nothing to audit: give a GENERATOR, --p and --q, --mechanism, or --certificate")
    return BuiltIn(number, noise, setting.shift(d))


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InputError(f"{name}: {text[:40]!r} is not an integer from 0 to 10^18")
    return int(text)


def _number(text: str, name: str) -> float:
    from dpverify.language import parse_rational

    return float(parse_rational(text, name))


def _positive(text: str, what: str) -> Fraction:
    from dpverify.language import parse_rational

    value = parse_rational(text, what)
    if not 0 < value < 10**300:
        raise InputError(f"{what}: {text[:40]} is not a positive number that floating point can hold")
    return value


def _jobs(text: str | None, source: BuiltIn | Mechanism | Files) -> int:
    import os

    if text is not None:
        jobs = _whole(text, "--jobs")
        if jobs < 1:
            raise InputError("--jobs: at least 1")
        return jobs
    return (os.cpu_count() or 1) if source.chunks() >= MANY_CHUNKS else 1


def _beside(certificate: Path | None) -> Path | None:
    return None if certificate is None else certificate.with_suffix(".audit.json")


def _same_source(path: Path, source: str) -> None:
    """Refuse to write over what is no audit of the same samples, before the work."""
    if not path.is_file():
        return
    try:
        former = json.loads(read(path))["source"]
    except (ValueError, KeyError, TypeError):
        former = None
    if former != source:
        what = f"an audit of {former[:60]}" if isinstance(former, str) else "no audit"
        raise InputError(f"{path}: is {what}, and not written over; say where to write with --output")


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

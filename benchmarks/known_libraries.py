"""Known libraries, audited: the table of docs/reference/known-libraries.md, of the packages that are installed.

python -m benchmarks.known_libraries [SAMPLES] > table.md

A violation that is not public is listed without the names of package and mechanism until its maintainers were told:
who runs this command on a machine of their own sees the names with --names.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from importlib import import_module, metadata
from typing import Any

import numpy as np

from dpverify.audit import AuditReport, Mechanism, audit
from dpverify.audit.adapters import diffprivlib_sampler, each, exact_sampler, opendp_sampler
from dpverify.errors import InputError

SAMPLES, SEED, CONFIDENCE = 5_000, 0, 1 - 1e-6
ONE = np.zeros(1), np.ones(1)
PUBLIC = {"diffprivlib Laplace", "NumPy Laplace"}
"""Findings that anybody can read of already: floating-point Laplace noise (Mironov 2012)."""
Row = tuple[str, str, Any, tuple[Any, Any], str, str]
"""Package, mechanism, sampler, inputs, epsilon, delta."""


def opendp() -> Iterator[Row]:
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    yield "opendp", "Laplace", opendp_sampler(dp.m.make_laplace(*real, scale=1.0)), ONE, "1", "0"
    yield "opendp", "geometric", opendp_sampler(dp.m.make_geometric(*whole, scale=1.0)), ONE, "1", "0"
    answer = opendp_sampler(dp.m.make_randomized_response_bool(prob=0.75))
    yield "opendp", "randomised response", answer, (True, False), "1.0987", "0"


def diffprivlib() -> Iterator[Row]:
    made = import_module("diffprivlib.mechanisms")
    for name, more, delta in (
        ("Laplace", {}, "0"),
        ("GaussianDiscrete", {"delta": 0.01}, "1/100"),
        ("Geometric", {}, "0"),
        ("GeometricTruncated", {"lower": 0, "upper": 5}, "0"),
        ("GeometricFolded", {"lower": 0, "upper": 5}, "0"),
        ("Snapping", {"lower": -10, "upper": 10}, "0"),
    ):
        mechanism = getattr(made, name)(epsilon=1, sensitivity=1, **more)
        yield "diffprivlib", name, diffprivlib_sampler(mechanism), ONE, "1", delta
    binary = diffprivlib_sampler(made.Binary(epsilon=1, value0="a", value1="b"))
    yield "diffprivlib", "Binary", binary, ("a", "b"), "1", "0"


def pydp() -> Iterator[Row]:
    numerical = import_module("pydp.algorithms.numerical_mechanisms")
    noise = numerical.LaplaceMechanism(1.0, 1.0)
    yield "python-dp", "LaplaceMechanism", each(lambda x: noise.add_noise(float(x[0]))), ONE, "1", "0"
    laplacian = import_module("pydp.algorithms.laplacian")
    rows = [1, 2, 3], [1, 2, 3, 4]
    yield "python-dp", "Count", each(lambda data: laplacian.Count(1.0).quick_result(data)), rows, "1", "0"


def ours() -> Iterator[Row]:
    exact = import_module("dpverify.sampling.exact")
    yield "dpverify", "exact Laplace", exact_sampler(exact.ExactNoise("laplace")), ONE, "1", "0"
    naive = lambda centre, size, rng: centre + rng.laplace(size=(size, 1))  # noqa: E731
    yield "NumPy", "Laplace", naive, ONE, "1", "0"


def rows(samples: int, names: bool) -> Iterator[str]:
    for library in (opendp, diffprivlib, pydp, ours):
        try:
            for package, mechanism, sampler, inputs, epsilon, delta in library():
                source = Mechanism(samples, sampler, neighbours=inputs)
                report = audit(source, claim=epsilon, delta=delta, confidence=CONFIDENCE, seed=SEED)
                yield _row(package, mechanism, epsilon, delta, report, names)
        except (ImportError, InputError) as error:
            print(f"{library.__name__}: left out ({error})", file=sys.stderr)


def _row(package: str, mechanism: str, epsilon: str, delta: str, report: AuditReport, names: bool) -> str:
    told = names or report.verdict != "violated" or f"{package} {mechanism}" in PUBLIC
    who = f"{package} {metadata.version(package)} | {mechanism}" if told else "a package | withheld"
    part = "law" if report.leading is report.law else "bits"
    event = f"`{report.event}`" if told and report.verdict == "violated" else ""
    bound = f"{report.epsilon_lower:.3f}"
    return f"| {who} | {epsilon} | {delta} | {report.verdict} | {bound} | {part} | {event} |"


def main() -> None:
    warnings.filterwarnings("ignore")
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    samples = numbers[0] if numbers else SAMPLES
    print(f"{samples} samples a side, seed {SEED}, all at 99.9999 %.\n")
    print("| package | mechanism | claimed ε | δ | verdict | observed ε ≥ | seen in | event |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows(samples, "--names" in sys.argv):
        print(row, flush=True)


if __name__ == "__main__":
    main()

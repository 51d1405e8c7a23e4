"""Known libraries, audited: the table of docs/reference/known-libraries.md, of the packages that are installed.

python benchmarks/known_libraries.py [SAMPLES] > table.md

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

from dpverify.audit import Mechanism, audit
from dpverify.audit.adapters import diffprivlib_sampler, each, exact_sampler, opendp_sampler
from dpverify.errors import InputError

SAMPLES, SEED, CONFIDENCE = 5_000, 0, 1 - 1e-6
ONE = np.zeros(1), np.ones(1)
GAUSSIAN = "12694/100000"
"""delta(1) of the Gaussian where sigma is the distance, rounded up."""
CONCENTRATED = "3.5349", "1/100"
"""epsilon and delta of 1/2-concentrated privacy: rho + 2 sqrt(rho log(1/delta)), Bun and Steinke 2016."""
PUBLIC = {"diffprivlib Laplace", "NumPy Laplace", "opacus Gaussian noise of gradients"}
"""Findings that anybody can read of already: floating-point Laplace noise (Mironov 2012), and Gaussian noise (Jin,
McMurtry, Rubinstein and Ohrimenko 2022), against which opacus has its secure mode."""
Row = tuple[str, str, Any, tuple[Any, Any], str, str]
"""Package, mechanism, sampler, inputs, epsilon, delta."""


def opendp() -> Iterator[Row]:
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    make = dp.m
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    three = dp.vector_domain(dp.atom_domain(T=float, nan=False), 3), dp.l1_distance(T=float)
    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int), dp.max_divergence()
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance(), dp.max_divergence()
    first, second = [1, 0, 0], [0, 1, 1]
    pure = {
        "Laplace": (make.make_laplace(*real, scale=1.0), ONE, 1.0),
        "Laplace, a vector": (make.make_laplace(*three, scale=1.0), (np.zeros(3), np.eye(3)[0]), 1.0),
        "geometric": (make.make_geometric(*whole, scale=1.0), ONE, 1),
        "randomised response, true or false": (make.make_randomized_response_bool(prob=0.75), (True, False), 1),
        "randomised response": (make.make_randomized_response(["a", "b", "c"], prob=0.5), ("a", "b"), 1),
        "noisy maximum": (make.make_noisy_max(*scores, scale=2.0), (first, second), 1),
        "noisy top two": (make.make_noisy_top_k(*scores, k=2, scale=4.0), (first, second), 1),
        "quantile": (
            make.make_private_quantile(*rows, candidates=[0, 1, 2, 3], alpha=0.5, scale=1.0),
            ([1, 2, 3], [1, 2, 3, 3]),
            1,
        ),
    }
    for name, (measurement, inputs, distance) in pure.items():
        yield "opendp", name, opendp_sampler(measurement), inputs, _up(measurement.map(distance)), "0"
    yield "opendp", "Gaussian", opendp_sampler(make.make_gaussian(*real, scale=1.0)), ONE, "1", GAUSSIAN
    whole_gaussian = opendp_sampler(make.make_gaussian(*whole, scale=1.0))
    yield "opendp", "discrete Gaussian", whole_gaussian, ONE, *CONCENTRATED
    canonical = make.make_canonical_noise(*real, d_in=1.0, d_out=(1.0, 0.01))
    yield "opendp", "canonical noise", opendp_sampler(canonical), ONE, "1", "1/100"


def _up(epsilon: float) -> str:
    """What the library claims, in five digits rounded up."""
    return f"{np.ceil(epsilon * 1e5) / 1e5:g}" if epsilon != int(epsilon) else f"{epsilon:.0f}"


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


def tumult() -> Iterator[Row]:
    made = import_module("tmlt.core.measurements.noise_mechanisms")
    reals = import_module("tmlt.core.domains.numpy_domains").NumpyFloatDomain()
    laplace, geometric = made.AddLaplaceNoise(reals, 1), made.AddGeometricNoise(1)
    yield "tmlt.core", "AddLaplaceNoise", each(lambda x: laplace(np.float64(x[0]))), ONE, "1", "0"
    yield "tmlt.core", "AddGeometricNoise", each(lambda x: geometric(np.int64(x[0]))), ONE, "1", "0"
    whole = made.AddDiscreteGaussianNoise(1)
    yield "tmlt.core", "AddDiscreteGaussianNoise", each(lambda x: whole(np.int64(x[0]))), ONE, *CONCENTRATED


def opacus() -> Iterator[Row]:
    torch = import_module("torch")
    noise = import_module("opacus.optimizers.optimizer")._generate_noise

    def noisy_gradient(secure: bool) -> Any:
        def sample(given: Any, size: int, rng: Any) -> Any:
            gradients = torch.full((size,), float(given[0]))
            return (gradients + noise(1.0, gradients, secure_mode=secure)).double().numpy()

        return sample

    yield "opacus", "Gaussian noise of gradients", noisy_gradient(False), ONE, "1", GAUSSIAN
    yield "opacus", "Gaussian noise of gradients, secure mode", noisy_gradient(True), ONE, "1", GAUSSIAN


def ours() -> Iterator[Row]:
    exact = import_module("dpverify.sampling.exact")
    yield "dpverify", "exact Laplace", exact_sampler(exact.ExactNoise("laplace")), ONE, "1", "0"
    naive = lambda centre, size, rng: centre + rng.laplace(size=(size, 1))  # noqa: E731
    yield "NumPy", "Laplace", naive, ONE, "1", "0"


def rows(samples: int, names: bool) -> Iterator[str]:
    """One of the table for each mechanism; those without names come last, so that their places do not tell them."""
    withheld = []
    for library in (opendp, diffprivlib, pydp, tumult, opacus, ours):
        try:
            for package, mechanism, sampler, inputs, epsilon, delta in library():
                source = Mechanism(samples, sampler, neighbours=inputs)
                report = audit(source, claim=epsilon, delta=delta, confidence=CONFIDENCE, seed=SEED)
                part, bound = "law" if report.leading is report.law else "bits", f"{report.epsilon_lower:.3f}"
                if names or report.verdict != "violated" or f"{package} {mechanism}" in PUBLIC:
                    who = f"{package} {metadata.version(package)} | {mechanism} | {epsilon} | {delta}"
                    event = f"`{report.event}`" if report.verdict == "violated" else ""
                    yield f"| {who} | {report.verdict} | {bound} | {part} | {event} |"
                else:
                    withheld.append(f"| a package | withheld | | | {report.verdict} | {bound} | {part} | |")
        except (ImportError, InputError) as error:
            print(f"{library.__name__}: left out ({error})", file=sys.stderr)
    yield from sorted(withheld)


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

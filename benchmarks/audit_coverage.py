"""`python -m benchmarks.audit_coverage [REPETITIONS] [--until] [--log FILE]`: is the stated confidence kept?

So many whole audits (1,000) of each of fifteen laws, as of a stranger's mechanism, at 95 %; epsilon is as it is proved,
and at most one bound in twenty may exceed it. With --until the audits stop when the claim of that epsilon is refuted,
and it is counted how often that happens. Each audit is one line of the log (build/audit-coverage.jsonl): a run that is
ended goes on there. A log of other code, whose first bound comes out otherwise today, is refused.
The matrices are small: on a busy machine OPENBLAS_NUM_THREADS=1 saves much.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import dpverify
from dpverify.audit import Mechanism, audit, audit_until
from dpverify.sampling import EllipticalNoise

ALPHA, REPETITIONS, LOG = 0.05, 1000, Path("build/audit-coverage.jsonl")
SAMPLES = {"fixed": 500, "until": 400}
BY_CHANCE = 1e-5
LOT = 50
"""Audits of one law in turn, so that all laws come on alike."""


@dataclass(frozen=True)
class Law:
    """A law of noise, called as a mechanism; outputs lie on a lattice, so that the bits leak nothing."""

    name: str
    dimension: int
    parameters: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        return " ".join([self.name, f"d={self.dimension}", *(f"{name}={value}" for name, value in self.parameters)])

    def source(self, samples: int) -> Mechanism:
        noise = EllipticalNoise(self.name, self.dimension, parameters=dict(self.parameters))

        def draw(centre: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
            return np.round((centre + noise.draw(size, rng)) * 2**20) / 2**20

        shift = np.eye(self.dimension)[0]
        return Mechanism(samples, draw, (0 * shift, shift))

    def epsilon(self) -> Fraction:
        """What is proved."""
        found = dpverify.verify(self.name, dimension=self.dimension, parameters=dict(self.parameters)).epsilon
        assert found is not None
        return found.upper


LAWS = (
    Law("laplace", 1),
    Law("laplace", 3),
    Law("laplace", 10),
    Law("student_t", 1, (("nu", 3),)),
    Law("student_t", 2, (("nu", 5),)),
    Law("student_t", 5, (("nu", 10),)),
    Law("cauchy", 1),
    Law("cauchy", 3),
    Law("sech", 1),
    Law("sech", 2),
    Law("hyperbolic", 2, (("alpha", 1),)),
    Law("radial_logistic", 1),
    Law("radial_logistic", 3),
    Law("matern", 1),
    Law("pearson_vii", 2, (("m", 3),)),
)


def audited(kind: str, law: Law, source: Mechanism, epsilon: Fraction, seed: int) -> dict[str, Any]:
    """The log's line of one audit: the bound, and whether it is too large."""
    if kind == "until":
        stopped = audit_until(source, claim=epsilon, confidence=1 - ALPHA, seed=seed)
        bound, wrong = stopped.epsilon_lower, stopped.verdict == "violated"
    else:
        bound = audit(source, confidence=1 - ALPHA, seed=seed).epsilon_lower
        wrong = bound > epsilon
    return {"kind": kind, "law": law.text, "seed": seed, "bound": bound, "wrong": wrong}


def wrong_allowed(repetitions: int) -> int:
    """More than that are wrong by chance once in 10^5."""
    return int(stats.binom.isf(BY_CHANCE, repetitions, ALPHA))


def run(kind: str, repetitions: int, log: Path) -> Iterator[tuple[int, int]]:
    """Audit what the log lacks; yields how many audits are done and how many there will be."""
    done = read(log)
    lots = [(law, start) for start in range(0, repetitions, LOT) for law in LAWS]
    epsilons = {law: law.epsilon() for law in LAWS}
    sources = {law: law.source(SAMPLES[kind]) for law in LAWS}
    for law in LAWS:
        first = done.get((kind, law.text, 0))
        if first is not None and audited(kind, law, sources[law], epsilons[law], 0) != first:
            raise SystemExit(f"{log}: was written by other code ({law.text}); move it away")
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as file:
        for at, (law, start) in enumerate(lots):
            for seed in range(start, min(start + LOT, repetitions)):
                if (kind, law.text, seed) not in done:
                    line = audited(kind, law, sources[law], epsilons[law], seed)
                    print(json.dumps(line), file=file, flush=True)
            yield at + 1, len(lots)


def read(log: Path) -> dict[tuple[str, str, int], dict[str, Any]]:
    """The log's lines; one that a kill cut short is not there."""
    found = {}
    for text in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        found[line["kind"], line["law"], line["seed"]] = line
    return found


def told(kind: str, log: Path) -> bool:
    """Print how often the bounds were too large; whether that is as rare as is said, or may be chance."""
    lines = [line for line in read(log).values() if line["kind"] == kind]
    kept = True
    for law in LAWS:
        of_law = [line for line in lines if line["law"] == law.text]
        wrong = sum(line["wrong"] for line in of_law)
        largest = max((line["bound"] for line in of_law), default=0.0)
        kept = kept and wrong <= wrong_allowed(len(of_law))
        print(f"{law.text:24} {wrong:4} of {len(of_law):5} too large   largest bound {largest:.3f}")
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repetitions", nargs="?", type=int, default=REPETITIONS)
    parser.add_argument("--until", action="store_const", const="until", default="fixed", dest="kind")
    parser.add_argument("--log", type=Path, default=LOG)
    given = parser.parse_args()
    for done, lots in run(given.kind, given.repetitions, given.log):
        print(f"\r{given.kind}: {done} of {lots} lots of {LOT} audits", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if not told(given.kind, given.log):
        raise SystemExit("more bounds are too large than chance allows")


if __name__ == "__main__":
    main()

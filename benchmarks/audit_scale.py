"""`python -m benchmarks.audit_scale [SAMPLES]`: an audit of that many samples a side by one process and by two.

Wall time in each, their ratio, and the largest memory of each process, workers too. Each audit has a process of its
own, so that its memory is its own. For the ratio the machine must have two cores to spare: the load is printed beside.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time

import numpy as np

SAMPLES = 200_000_000


def one(samples: int, jobs: int) -> None:
    """The audit, in this process; prints what it took as JSON."""
    from dpverify.audit import BuiltIn, audit
    from dpverify.sampling import EllipticalNoise

    started = time.perf_counter()
    report = audit(BuiltIn(samples, EllipticalNoise("laplace", 1), np.ones(1)), claim=1, seed=0, jobs=jobs)
    wall = time.perf_counter() - started
    most = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"wall": wall, "memory": most, "epsilon_lower": report.epsilon_lower}))


def main(samples: int) -> None:
    print(f"{samples} samples a side, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    found = []
    for jobs in (1, 2):
        command = [sys.executable, "-m", "benchmarks.audit_scale", str(samples), str(jobs)]
        done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
        found.append(done)
        own, worker = done["memory"]
        print(
            f"--jobs {jobs}: {done['wall']:.1f} s, {own:.0f} MB in the process, {worker:.0f} MB in the largest worker, "
            f"epsilon >= {done['epsilon_lower']:.6f}"
        )
    one_job, two_jobs = found
    same = one_job["epsilon_lower"] == two_jobs["epsilon_lower"]
    print(f"ratio {one_job['wall'] / two_jobs['wall']:.2f}; the same report: {same}")


if __name__ == "__main__":
    given = [int(float(word)) for word in sys.argv[1:]]
    if len(given) == 2:
        one(*given)
    else:
        main(given[0] if given else SAMPLES)

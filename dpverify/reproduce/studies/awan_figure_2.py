"""Figure 2: the two measures of performance over n and epsilon, in the simulation of Section 6.1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from dpverify.mechanisms.components.stiefel import Gibbs
from dpverify.mechanisms.components.subspaces import subspace_norm, variance_ratio
from dpverify.reproduce.cell import LEVEL, Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.studies.simulated_curves import NOTES, basis, curves, mechanism
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

SIZES = (100, 250, 500, 750, 1000)
BUDGETS = ("1/8", "1/4", "1/2", "1", "2")
MEASURES = ("variance ratio", "subspace norm")
NO_NUMBER = "the paper draws curves and prints no number"


def scenario(n: int, epsilon: str, repetitions: int, sweeps: int, rng: np.random.Generator) -> list[list[float]]:
    """Both measures of each repetition: new data, one release."""
    made = mechanism(epsilon)  # type: ignore[arg-type]
    coefficients = [basis().coefficients(curves(n, rng)) for _ in range(repetitions)]
    matrices = np.array([made.matrix(rows) for rows in coefficients])
    chains = Gibbs(matrices, 1, made.inverse, repetitions, rng).run(sweeps)
    return [
        [float(variance_ratio(made.bounded(rows), v)), float(subspace_norm(made.bounded(rows), v))]
        for rows, v in zip(coefficients, chains, strict=True)
    ]


def run(work: Work) -> Iterator[Cell | Graph]:
    """Means over the repetitions; what the text says of them is judged."""
    sizes, budgets = work.effort.pick(SIZES[1::3], SIZES), work.effort.pick(BUDGETS[1::2], BUDGETS)
    repetitions, sweeps = work.effort.pick(6, 10), work.effort.pick(100, 400)
    tasks = [(n, epsilon, repetitions, sweeps) for n, epsilon in product(sizes, budgets)]
    values = dict(zip([task[:2] for task in tasks], map(np.array, work.each(scenario, tasks)), strict=True))
    means = {key: rows.mean(axis=0) for key, rows in values.items()}
    errors = {key: rows.std(axis=0, ddof=1) / repetitions**0.5 for key, rows in values.items()}
    for place, measure in enumerate(MEASURES):
        for n, epsilon in product(sizes, budgets):
            mean, error = float(means[n, epsilon][place]), float(errors[n, epsilon][place])
            yield Cell(f"{measure}, n {n}, eps {epsilon}", mean, error, why=NO_NUMBER)
        rising = 1 if place == 0 else -1
        worst = max(
            rising * (means[a, e][place] - means[b, e][place]) / np.hypot(errors[a, e][place], errors[b, e][place])
            for (a, b), e in product(pairwise(sizes), budgets)
        )
        said = f"{'holds' if worst < LEVEL else 'fails'}, {worst:.1f}"
        name = f"{measure}: larger samples preserve utility (worst loss, in standard errors)"
        yield Cell(name, said, printed="holds", judged=bool(worst < LEVEL))
        yield Graph(
            measure.replace(" ", "-"),
            f"Average {measure} of one private component",
            f"The {measure} against the sample size, a line for each epsilon: it {'rises' if place == 0 else 'falls'} "
            "with the sample size and with epsilon.",
            "n",
            measure,
            tuple(
                Series(
                    f"epsilon = {epsilon}",
                    tuple(float(n) for n in sizes),
                    tuple(float(means[n, epsilon][place]) for n in sizes),
                    tuple(float(errors[n, epsilon][place]) for n in sizes),
                )
                for epsilon in budgets
            ),
        )


STUDY = Study(
    "awan-figure-2",
    "awan-2019",
    "Section 6.1, Figures 2a and 2b",
    "performance over sample size and privacy budget",
    run,
    notes=(*NOTES, "400 sweeps in place of the paper's 20,000 steps: each sweep draws the whole direction anew."),
)

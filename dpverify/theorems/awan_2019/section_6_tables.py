"""Section 6.2: Tables 1 and 2, means of 100 repetitions with their standard errors."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted

Rows = tuple[tuple[tuple[int, int], ...], ...]
RATIOS: dict[str, Rows] = {  # mean, standard error in thousandths; rows eps = 1/8, 1/4, 1/2, 1, 2; columns k = 1, 2, 3
    "Berkeley": (
        ((264, 24), (494, 23), (672, 20)),
        ((343, 24), (523, 23), (681, 20)),
        ((408, 25), (523, 22), (729, 19)),
        ((550, 25), (680, 18), (775, 15)),
        ((743, 18), (787, 12), (855, 10)),
    ),
    "DTI": (
        ((372, 25), (569, 24), (727, 18)),
        ((497, 26), (676, 21), (811, 11)),
        ((726, 20), (812, 14), (876, 9)),
        ((879, 9), (885, 7), (910, 5)),
        ((933, 6), (928, 4), (939, 3)),
    ),
}
NORMS: dict[str, Rows] = {
    "Berkeley": (
        ((776, 25), (1115, 36), (1100, 34)),
        ((701, 25), (1046, 35), (1135, 30)),
        ((633, 27), (1063, 33), (1066, 30)),
        ((484, 27), (883, 31), (962, 32)),
        ((275, 20), (770, 32), (938, 35)),
    ),
    "DTI": (
        ((679, 26), (1098, 35), (1074, 30)),
        ((544, 29), (976, 27), (1079, 29)),
        ((296, 21), (861, 27), (982, 30)),
        ((131, 10), (770, 26), (940, 35)),
        ((73, 6), (640, 30), (758, 35)),
    ),
}
EXPLAINED = {"Berkeley": (82, 95, 98), "DTI": (77, 86, 93)}
REPETITIONS, LEVEL = 100, 4  # a fall by more than four standard errors of the difference counts


def _check(name: str, rows: Rows, top: tuple[int, int, int], rising: int) -> tuple[int, float]:
    """Ranges, standard errors and the direction in epsilon of one table; how many comparisons, the worst in errors."""
    worst, count = 0.0, 0
    for row in rows:
        for k, (mean, error) in enumerate(row):
            if not 0 <= mean <= top[k]:
                raise Refuted(f"{name}: an average of {mean / 1000} is outside 0 to {top[k] / 1000}.")
            if error**2 * (REPETITIONS - 1) > mean * (top[k] - mean) + 1000 * error:  # rounding of both, generously
                raise Refuted(
                    f"{name}: no values between 0 and {top[k] / 1000} with mean {mean / 1000} have a standard error of "
                    f"{error / 1000} over {REPETITIONS} repetitions."
                )
    for one, two in pairwise(rows):
        for (a, s), (b, t) in zip(one, two, strict=True):
            fall = rising * (a - b) / (s * s + t * t) ** 0.5
            worst, count = max(worst, fall), count + 1
            if fall > LEVEL:
                raise Refuted(
                    f"{name}: with more privacy budget {a / 1000} becomes {b / 1000}, {fall:.1f} standard errors."
                )
    return count, worst


def check_tables(tables: Any, effort: Effort) -> str:
    """Each entry where its definition puts it, each standard error possible, each column in its direction; m = 5."""
    del effort
    ratios, norms, explained = tables
    found = [_check(name, rows, (1000, 1000, 1000), 1) for name, rows in ratios.items()]
    found += [_check(name, rows, (1000, 2000, 2000), -1) for name, rows in norms.items()]  # min(k, m - k)
    for name, (first, second, third) in explained.items():
        if not first >= second - first >= third - second >= 0 or third > 100:
            raise Refuted(f"{name}: shares {first}, {second}, {third} are not those of decreasing eigenvalues.")
    return (
        f"cannot be recomputed without the data sets and the seeds; {sum(c for c, _ in found)} comparisons of "
        f"neighbouring epsilons: none in the wrong direction by more than {max(w for _, w in found):.2f} standard "
        "errors"
    )


def _scaled(tables: dict[str, Rows], mean: int, error: int) -> dict[str, Rows]:
    return {
        name: tuple(tuple((m * mean // 100, e * error) for m, e in row) for row in rows)
        for name, rows in tables.items()
    }


def _reversed(tables: dict[str, Rows]) -> dict[str, Rows]:
    return {name: rows[::-1] for name, rows in tables.items()}


TABLES = Claim(
    id="awan-2019:section-6.2-tables",
    place="Tables 1 and 2",
    statement="Averages of the two measures of performance on two data sets, over 100 repetitions.",
    quotation=Quotation(
        "For DTI the cumulative variation is .77, .86, and .93 for the top 1, 2, and 3 components respectively, while "
        "Berkeley has 0.82, 0.95, and 0.98.",
        note="Tables 1 and 2: Standard errors are provided in parenthesis for reference",
    ),
    printed="Tables 1 and 2; cumulative variation .77, .86, .93 and .82, .95, .98",
    hypotheses="m = 5",
    check=check_tables,
    formula=(RATIOS, NORMS, EXPLAINED),
    near=(
        Near((NORMS, RATIOS, EXPLAINED), "the two tables exchanged"),
        Near((_reversed(RATIOS), NORMS, EXPLAINED), "the rows of Table 1 in the other order"),
        Near((RATIOS, _scaled(NORMS, 100, 10), EXPLAINED), "standard deviations for standard errors"),
        Near(
            (_scaled(RATIOS, 101, 1), NORMS, EXPLAINED),
            "averages 1 % larger",
            passes="the averages cannot be recomputed",
        ),
    ),
    strength="cited",
)
CLAIMS = (TABLES,)

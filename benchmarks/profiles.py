"""`python -m benchmarks.profiles [POINTS [FILE [WIDTH]]]`: profiles against 50-digit references by independent methods.

POINTS is how many (eps, Delta) every family is asked for in every dimension (default 2); 63 of them make the table of
1,008 points.  Each outcome is appended to FILE (default build/profiles.jsonl) and not computed again, so that a long
run can be stopped and goes on where it was.

Times are of the processor, for one point of that relative WIDTH (1e-9 by default), and of dp_accounting's and
prv_accountant's at an interval of 1e-4.  The values of dp_accounting below the exact one are round-off, about 1e-11 of
them, and are called that; of prv_accountant's bounds the relative width is told, and how many do not enclose the exact
value.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath as mp

import dpverify
from benchmarks import references
from dpverify.profiles import Enclosed

DIGITS = 60
DIMENSIONS = (1, 3, 10, 50)
STEP, LITTLE = 1e-4, 1e-10
"""The rivals' intervals of the loss, and the error in delta that prv_accountant is allowed."""
Reference = Callable[[mp.mpf, mp.mpf], references.Value]


@dataclass(frozen=True)
class Case:
    """A family in one dimension with its reference, of eps and Delta/sigma."""

    name: str
    dimension: int
    parameters: dict[str, object]
    exact: Reference


CASES = (
    *(Case("gaussian", d, {}, references.gaussian) for d in DIMENSIONS),
    *(Case("laplace", d, {}, references.laplace(d)) for d in DIMENSIONS),
    *(Case("student_t", d, {"nu": 3}, references.student_t(d, 3)) for d in DIMENSIONS),
    *(Case("1/cosh(r/2)**2", d, {}, references.logistic(d)) for d in DIMENSIONS),
)


def points(count: int) -> Iterator[tuple[Fraction, Fraction]]:
    """eps and Delta/sigma, spread over (0, 3/2) and (1/4, 2) by the golden ratio."""
    for k in range(1, count + 1):
        yield Fraction(k * 618 % 1000, 700), Fraction(1, 4) + Fraction(k * 377 % 1000, 580)


def rival(case: Case, epsilon: Fraction, shift: Fraction) -> float | None:
    """dp_accounting's delta where it knows the family; None otherwise, or where it is not installed."""
    try:
        from dp_accounting.pld import privacy_loss_distribution as pld
    except ImportError:
        return None
    makers: dict[str, Any] = {"gaussian": pld.from_gaussian_mechanism, "laplace": pld.from_laplace_mechanism}
    if case.name not in makers or (case.name == "laplace" and case.dimension > 1):
        return None
    made = makers[case.name](float(1 / shift), value_discretization_interval=STEP)
    return float(made.get_delta_for_epsilon(float(epsilon)))


def bounded(case: Case, epsilon: Fraction, shift: Fraction) -> tuple[float, float] | None:
    """prv_accountant's bounds of delta where it knows the family; None otherwise, or where it is not installed."""
    try:
        from prv_accountant import PRVAccountant
        from prv_accountant.privacy_random_variables import GaussianMechanism, LaplaceMechanism
    except ImportError:
        return None
    if case.name == "gaussian":
        variable = GaussianMechanism(noise_multiplier=float(1 / shift))
    elif case.name == "laplace" and case.dimension == 1:
        variable = LaplaceMechanism(mu=float(shift))
    else:
        return None
    try:
        accountant = PRVAccountant(prvs=[variable], max_self_compositions=[1], eps_error=STEP, delta_error=LITTLE)
        low, _, high = accountant.compute_delta(float(epsilon), [1])
    except RuntimeError:  # "Discrete mean differs from continuous mean significantly": it does not answer then
        return None
    return float(low), float(high)


def beside(case: Case, epsilon: Fraction, shift: Fraction, exact: references.Value) -> dict[str, Any]:
    """What the rivals say of a point, and what it cost them."""
    started = time.process_time()
    theirs = rival(case, epsilon, shift)
    between = time.process_time()
    bounds = bounded(case, epsilon, shift)
    told: dict[str, Any] = {
        "their_time": between - started,
        "theirs_below": None if theirs is None else bool(theirs < exact.delta - exact.error),
        "theirs_off": None if theirs is None else float((theirs - exact.delta) / exact.delta) if exact.delta else 0,
        "prv_time": time.process_time() - between,
        "prv_width": None,
    }
    if bounds is not None and exact.delta:
        low, high = bounds
        outside = not low - exact.error <= exact.delta <= high + exact.error
        told |= {"prv_width": float((high - low) / exact.delta), "prv_outside": bool(outside)}
    return told


def outcome(case: Case, epsilon: Fraction, shift: Fraction, width: str) -> dict[str, Any]:
    """One point: whether its enclosure misses the reference, and what it and the rival's cost."""
    started = time.process_time()
    found = dpverify.profile(
        case.name,
        dimension=case.dimension,
        sensitivity=shift,
        parameters=case.parameters,
        epsilon=epsilon,
        tolerance=width,
    )
    spent = time.process_time() - started
    value = found.points[0].delta if found.points else None
    if not isinstance(value, Enclosed):
        return {"undecided": found.reason, "spent": spent}
    with mp.workdps(DIGITS):
        e, s, low, high = (mp.mpf(x.numerator) / x.denominator for x in (epsilon, shift, value.lower, value.upper))
        exact = case.exact(e, s)
        return {
            "outside": bool(not low - exact.error <= exact.delta <= high + exact.error),
            "digits": int(-mp.log10(exact.error / exact.delta)) if exact.delta > exact.error > 0 else DIGITS,
            "delta": mp.nstr(exact.delta, 30),
            "spent": spent,
            **beside(case, epsilon, shift, exact),
        }


def known(file: Path) -> dict[str, dict[str, Any]]:
    """The outcomes that a former run left, by point."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {line["point"]: line for line in map(json.loads, lines)}


def run(count: int, file: Path, width: str) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """All outcomes by family and dimension, what is not known yet being computed."""
    seen, table = known(file), {(c.name, c.dimension): list[dict[str, Any]]() for c in CASES}
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as kept:
        for epsilon, shift in points(count):
            for case in CASES:
                point = f"{case.name} {case.dimension} {epsilon} {shift}"
                if point not in seen:
                    seen[point] = {"point": point, **outcome(case, epsilon, shift, width)}
                    kept.write(json.dumps(seen[point]) + "\n")
                    kept.flush()
                table[case.name, case.dimension].append(seen[point])
    return table


def bounds_of(lines: list[dict[str, Any]]) -> str:
    """prv_accountant's time, its largest relative width, and how many of its bounds miss the exact value."""
    known = [x for x in lines if x.get("prv_width") is not None]
    if not known:
        return f"{'-':>7} {'-':>8} {'-':>8}"
    spent = 1000 * sum(x["prv_time"] for x in known) / len(known)
    return f"{spent:>7.0f} {max(x['prv_width'] for x in known):>8.0e} {sum(x['prv_outside'] for x in known):>8}"


def main(count: int, file: Path, width: str) -> None:
    heads = f"{'family':16} {'d':>3} {'points':>7} {'outside':>8} {'digits':>7} {'ms each':>8} {'theirs':>8}"
    print(f"{heads} {'dp_accounting below (round-off)':>32} {'prv ms':>7} {'width':>8} {'outside':>8}")
    outside = undecided = 0
    for (name, dimension), lines in run(count, file, width).items():
        decided = [x for x in lines if "outside" in x]
        wrong = sum(x["outside"] for x in decided)
        outside, undecided = outside + wrong, undecided + len(lines) - len(decided)
        digits = min((x["digits"] for x in decided), default=0)
        rivals = [x for x in decided if x["theirs_below"] is not None]
        lower = sum(x["theirs_below"] for x in rivals)
        told = f"{lower} of {len(rivals)}" if rivals else "not known to it"
        ours = 1000 * sum(x["spent"] for x in lines) / len(lines)
        theirs = f"{1000 * sum(x['their_time'] for x in rivals) / len(rivals):.0f}" if rivals else "-"
        row = f"{name:16} {dimension:>3} {len(lines):>7} {wrong:>8} {digits:>7} {ours:>8.0f} {theirs:>8}"
        print(f"{row} {told:>32} {bounds_of(decided)}")
    print(f"outside in all: {outside}; undecided: {undecided}")
    sys.exit(1 if outside or undecided else 0)


if __name__ == "__main__":
    chosen = sys.argv[1:]
    count, file, width = (*chosen, *("2", "build/profiles.jsonl", "1e-9")[len(chosen) :])
    main(int(count), Path(file), width)

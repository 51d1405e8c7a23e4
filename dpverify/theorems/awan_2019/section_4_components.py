"""Section 4: private principal components (the sensitivity, Theorems 4.1 and 4.2, the uniform projection)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb, fmpq_mat

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "awan-2019:"
Columns = tuple[tuple[int, ...], ...]


def projection(columns: Columns) -> fmpq_mat:
    """V (V'V)^-1 V' for a basis of integer vectors, not orthonormal, exact."""
    v = fmpq_mat(len(columns), len(columns[0]), [x for column in columns for x in column]).transpose()
    return v * (v.transpose() * v).inv() * v.transpose()


def energy(p: fmpq_mat, x: tuple[Fraction, ...]) -> Fraction:
    """||P x||^2 = x' P x."""
    total = Fraction(0)
    for i, j in product(range(len(x)), repeat=2):
        total += x[i] * x[j] * Fraction(int(p[i, j].p), int(p[i, j].q))
    return total


def _points(m: int) -> list[tuple[Fraction, ...]]:
    """Records of the unit ball of R^m."""
    zero = (Fraction(0),) * (m - 2)
    pairs = (("1", "0"), ("0", "1"), ("0", "0"), ("3/5", "4/5"), ("-5/13", "12/13"))
    return [(Fraction(a), Fraction(b), *zero) for a, b in pairs] + [(*zero, Fraction(0), Fraction(1))]


BASES: dict[int, list[Columns]] = {
    3: [
        ((1, 0, 0),), ((0, 1, 0),), ((1, 1, 0),), ((1, 2, -1),), ((0, 0, 1),),
        ((1, 0, 0), (1, 1, 0)), ((1, 1, 1), (0, 1, 2)),
    ],
    4: [
        ((1, 0, 0, 0), (2, 1, 0, 0)), ((0, 0, 1, 0), (0, 0, 1, 1)), ((1, 1, 0, 0), (0, 0, 1, -1)),
        ((1, 2, 3, 4), (0, 1, 0, 1)), ((1, 0, 0, 0), (0, 0, 1, 0), (1, 1, 1, 1)),
    ],
}  # fmt: skip


def check_sensitivity(claimed: Any, effort: Effort) -> str:
    """How much ||P x||^2 changes between records of the unit ball; both optimisation problems."""
    worst, count = Fraction(0), 0
    for m in effort.pick((3,), (3, 4)):
        for p in map(projection, BASES[m]):
            residual = fmpq_mat(m, m, [int(i == j) for i, j in product(range(m), repeat=2)]) - p
            for x, y in product(_points(m), repeat=2):
                worst, count = max(worst, abs(energy(p, x) - energy(p, y))), count + 1
                if energy(p, x) + energy(residual, x) != sum(c * c for c in x):
                    raise Refuted("Pythagoras fails, and with it the equivalence of the two optimisation problems.")
    if worst > claimed:
        raise Refuted(f"the objective changes by {worst}, more than {claimed}.")
    if worst < claimed:
        raise Refuted(f"the objective changes by at most {worst}: the sensitivity is not {claimed}.")
    return (
        f"{count} changes of a record, exact; 0 <= ||P x||^2 <= ||x||^2 <= 1 gives the bound, P x = x and P y = 0 "
        "attain it"
    )


SENSITIVITY = Claim(
    id=PAPER + "section-4-sensitivity",
    place="Section 4",
    statement="The objective sum ||P X_i||^2 has sensitivity 1, and maximising it minimises sum ||X_i - P X_i||^2.",
    quotation=Quotation("Note that Delta_xi = 1, since ||PX_i||^2 <= ||X_i||^2 <= 1 for any P in P_k"),
    printed="Delta_xi = 1",
    hypotheses="||X_i|| <= 1",
    check=check_sensitivity,
    formula=1,
    near=(Near(Fraction(1, 2), "1/2"), Near(Fraction(99, 100), "0.99"), Near(Fraction(101, 100), "1.01"), Near(2, "2")),
    strength="proved",
)


def _losses(divisor: Any, energies: list[tuple[Fraction, Fraction]], effort: Effort, where: str) -> tuple[int, arb]:
    """The largest loss in units of eps, over base measures with one heavy atom; two records are common."""
    count, worst = 0, arb(0)
    for epsilon, heavy in product((arb("0.5"), arb(3)), range(len(energies))):
        weights = [arb(10**6) if i == heavy else arb(1) for i in range(len(energies))]
        logs = [[epsilon / ball(Fraction(divisor)) * ball(e[side]) for e in energies] for side in (0, 1)]
        one, two = (sum((w * u.exp() for w, u in zip(weights, row, strict=True)), arb(0)) for row in logs)
        for a, b in zip(*logs, strict=True):
            loss = (a - b + (two / one).log()) / epsilon
            count += 1
            if loss > 1 + arb("1e-9"):
                raise Refuted(f"{where}, eps = {show(epsilon)}, one atom of weight 1e6: the loss is {show(loss)} eps.")
            worst = loss if loss > worst else worst
    return count, worst


def check_projections(divisor: Any, effort: Effort) -> str:
    """Density exp((eps/divisor) sum ||P X_i||^2) for base measures on finitely many projections of one rank."""
    count, worst = 0, arb(0)
    for m, rank in effort.pick(((3, 1),), ((3, 1), (3, 2), (4, 2))):
        frames = [projection(c) for c in BASES[m] if len(c) == rank]
        points = _points(m)
        for x, y in product(points, repeat=2):
            common = [energy(p, points[3]) + energy(p, points[4]) for p in frames]
            energies = [(energy(p, x) + e, energy(p, y) + e) for p, e in zip(frames, common, strict=True)]
            more, loss = _losses(divisor, energies, effort, f"rank {rank} in R^{m}, a record {_show(x)} for {_show(y)}")
            count, worst = count + more, loss if loss > worst else worst
    if worst < arb("0.999"):
        raise Refuted(f"no loss exceeds {show(worst)} eps: the divisor is larger than it need be.")
    return (
        f"{count} losses over finite base measures (balls), the largest {show(worst)} eps; every base measure by "
        "Proposition 3.1"
    )


def _show(x: tuple[Fraction, ...]) -> str:
    return "(" + ", ".join(map(str, x)) + ")"


def check_bases(divisor: Any, effort: Effort) -> str:
    """The mechanism on bases: its density depends on the span alone, so the projections are those of 4.1."""
    evidence = check_projections(divisor, effort)
    turns = ((1, 1, 0, 1), (2, 1, 1, 1), (1, 0, -3, 2))
    for (one, two), (a, b, c, d) in product([v for v in (*BASES[3], *BASES[4]) if len(v) == 2], turns):
        other = tuple(tuple(p * x + q * y for x, y in zip(one, two, strict=True)) for p, q in ((a, b), (c, d)))
        if projection((one, two)) != projection(other):
            raise Refuted(f"the bases {(one, two)} and {other} of one span have different projections.")
    return f"{evidence}; the projection of a basis depends on its span alone, exact on 15 changes of basis"


def _theorem(number: int, statement: str, check: Any, quotation: str) -> Claim:
    return Claim(
        id=f"{PAPER}theorem-4.{number}",
        place=f"Theorem 4.{number}",
        statement=statement,
        quotation=Quotation(quotation),
        printed="f_X ~ exp((eps/2) sum ||P X_i||^2) for a fixed base measure",
        hypotheses="||X_i|| <= 1, C of rank at least k",
        check=check,
        formula=2,
        near=(
            Near(1, "eps in place of eps/2"),
            Near(Fraction(99, 50), "eps/1.98 in place of eps/2"),
            Near(Fraction(101, 50), "eps/2.02, which is private, and not sharp"),
            Near(4, "eps/4, which is private, and not sharp"),
        ),
        strength="verified",
        rests_on=(PAPER + "proposition-3.1", PAPER + "section-4-sensitivity"),
    )


THEOREMS = (
    _theorem(
        1,
        "The exponential mechanism on k-dimensional projections is epsilon-DP.",
        check_projections,
        "Let M be the class of probability measures on P_k with densities f_X(P) proportional to exp((eps/2) sum "
        "||PX_i||^2) with respect to nu. Then M satisfies eps-DP.",
    ),
    _theorem(
        2,
        "So is its version on bases (V_1, ..., V_k), P being the projection on their span.",
        check_bases,
        "Define M as the class of probability measures on H^k with densities f_X(V_1, ..., V_k) proportional to "
        "exp((eps/2) sum ||Projection(span(V_1, ..., V_k))X_i||^2) with respect to nu. Then M satisfies eps-DP.",
    ),
)


def check_uniform(eigenvalues: Any, effort: Effort) -> str:
    """The span of one N(0, diag) vector of R^m: its density at v is (v' C^-1 v)^(-m/2); is it constant?"""
    m = len(eigenvalues)
    values = set()
    for v in list(product(range(-2, 3), repeat=m))[:: effort.pick(7, 1)]:
        if any(v):
            values.add(sum(Fraction(x * x) / c for x, c in zip(v, eigenvalues, strict=True)) / sum(x * x for x in v))
    if len(values) > 1:
        ratio = ball(max(values) / min(values)) ** (arb(m) / 2)
        raise Refuted(
            f"C = diag{tuple(map(str, eigenvalues))}: the densities of two directions are {show(ratio)} apart."
        )
    return f"v' C^-1 v is constant on the directions tried in R^{m}, exact; N(0, I) is invariant under every rotation"


UNIFORM = Claim(
    id=PAPER + "section-4-uniform",
    place="Section 4",
    statement="The span of k independent N(0, I) vectors is uniform among the k-dimensional subspaces of R^m.",
    quotation=Quotation(
        "Let V_1, ..., V_k be iid N(0, I) ... Then P =_d Projection(span(V_1, ..., V_k)) (since V_k is invariant under "
        "rotations)."
    ),
    printed="P uniform: C = I",
    hypotheses="H = R^m; checked for k = 1",
    check=check_uniform,
    formula=(Fraction(1), Fraction(1), Fraction(1)),
    near=(
        Near((Fraction(1), Fraction(1), Fraction(101, 100)), "one eigenvalue off by 1 %"),
        Near((Fraction(1), Fraction(2), Fraction(1)), "one eigenvalue doubled"),
    ),
    strength="verified",
    rests_on=(PAPER + "section-5-sampler",),
)
CLAIMS = (SENSITIVITY, *THEOREMS, UNIFORM)

"""Sections 1.3.5, 2.2 and 2.3: linear programmes, information bounds, and counting queries."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show
from dpverify.theorems.tools.finite import both_excess, laws
from dpverify.theorems.tools.programmes import Optimum, Programme, minimum

ONE, ZERO = Fraction(1), Fraction(0)


def _programme(n: int, ratio: Fraction, prior: list[Fraction] | None, equal: str = "") -> Programme:
    """Methods Q[i, j] = P(output i | count j) on {0, ..., n}; without a prior the worst risk, the last unknown.

    `equal` adds constraints: "risks" makes all risks the same, "laws" all columns.
    """
    size = n + 1
    unknowns = size * size + (prior is None)

    def row(entries: dict[int, Fraction]) -> list[Fraction]:
        return [entries.get(i, ZERO) for i in range(unknowns)]

    def at(i: int, j: int) -> int:
        return i * size + j

    def risk(j: int, weight: Fraction = ONE) -> dict[int, Fraction]:
        return {at(i, j): weight * abs(i - j) for i in range(size)}

    limits = []
    for i, j in product(range(size), range(n)):
        limits.append((row({at(i, j): ONE, at(i, j + 1): -ratio}), ZERO))
        limits.append((row({at(i, j + 1): ONE, at(i, j): -ratio}), ZERO))
    equations = [(row({at(i, j): ONE for i in range(size)}), ONE) for j in range(size)]
    if prior is not None:
        cost = row({k: v for j in range(size) for k, v in risk(j, prior[j]).items()})
        return Programme(cost, limits, equations)
    limits += [(row({**risk(j), size * size: -ONE}), ZERO) for j in range(size)]
    if equal == "risks":
        equations += [(row({**risk(j), size * size: -ONE}), ZERO) for j in range(size)]
    if equal == "laws":
        equations += [(row({at(i, j): ONE, at(i, 0): -ONE}), ZERO) for i in range(size) for j in range(1, size)]
    return Programme(row({size * size: ONE}), limits, equations)


def minimax(n: int, ratio: Fraction, equal: str = "") -> Optimum:
    """The exact minimax risk of counting up to n at e^alpha = ratio, absolute loss."""
    return minimum(_programme(n, ratio, None, equal))


def check_range(values: Any, effort: Effort) -> str:
    """values(n) against the counts of all databases of n records."""
    for n in range(1, effort.pick(5, 10)):
        counts = {sum(x) for x in product((0, 1), repeat=n)}
        if set(values(n)) != counts:
            raise Refuted(f"n = {n}: the counts are {sorted(counts)}, and the programme has {sorted(values(n))}.")
    return "all databases of up to nine records"


def check_interior(dimension: Any, effort: Effort) -> str:
    """dimension(m) of the polytope of methods on m values: unknowns less the rank of the equations."""
    from flint import fmpq_mat

    for m in range(2, effort.pick(4, 6)):
        table = fmpq_mat(m, m * m, [int(k // m == j) for j in range(m) for k in range(m * m)])
        true = m * m - table.rank()  # the uniform method is strictly inside all inequalities
        if dimension(m) != true:
            raise Refuted(
                f"m = {m}: the polytope spans {true} of {m * m} dimensions, so its interior in R^{m * m} is empty."
            )
    return "rank of the equations, exact; the uniform method meets every inequality strictly"


def check_bayes(value: Any, effort: Effort) -> str:
    """The optimum of the Bayes programme, certified, against value(e^alpha) for n = 1 and a uniform prior."""
    for ratio in (Fraction(2), Fraction(3, 2), Fraction(5)):
        for n in range(1, effort.pick(3, 5)):
            optimum = minimum(_programme(n, ratio, [Fraction(1, n + 1)] * (n + 1)))
            columns = [[optimum.solution[i * (n + 1) + j] for i in range(n + 1)] for j in range(n + 1)]
            if any(both_excess(columns[j], columns[j + 1], ratio) > 0 for j in range(n)):
                raise Refuted("the optimal method is not private.")
            if n == 1 and optimum.value != value(ratio):
                raise Refuted(f"n = 1, e^alpha = {ratio}: the optimum is {optimum.value}, not {value(ratio)}.")
    return "primal and dual vertices in rationals, n up to 4, three ratios; randomised response is optimal for n = 1"


def check_fano(constant: Any, effort: Effort) -> str:
    """The bound with constant in place of 1/2, against the Bayes risk of the best estimator, zero-one type losses."""
    count = 0
    for laws_ in product(list(laws(2, 4)), repeat=effort.pick(3, 4)):
        n = len(laws_)
        if any(0 in p for p in laws_):
            continue
        for loss in (lambda i, j: abs(i - j), lambda i, j: int(i != j)):
            total = Fraction(0)
            for z in range(2):
                total += min(sum(p[z] * loss(i, j) for j, p in enumerate(laws_)) for i in range(n))
            bayes = total / n
            divergence = arb(0)
            for p, q in product(laws_, repeat=2):
                k = sum((ball(a) * ball(a / b).log() for a, b in zip(p, q, strict=True)), arb(0))
                divergence = k if k > divergence else divergence
            bound = ball(constant) * (1 - (divergence + arb(2).log()) / arb(n).log())
            count += 1
            at_most(
                bound,
                ball(bayes) + arb("1e-20"),
                f"{n} laws {[tuple(map(str, p)) for p in laws_]}: the bound is {show(bound)}, an estimator has "
                f"{bayes}.",
            )
    return f"{count} families of laws on two points: the bound stays below the Bayes risk of a uniform prior (balls)"


def check_divergence(multiple: Any, effort: Effort) -> str:
    """KL divergence of pairs that are alpha-DP, against multiple * alpha, and along paths of databases."""
    count = 0
    for ratio in (Fraction(2), Fraction(9)):
        alpha = ball(ratio).log()
        for p, q in product(laws(3, effort.pick(10, 12)), repeat=2):
            if 0 in p or 0 in q or both_excess(p, q, ratio) > 0:
                continue
            k = sum((ball(a) * ball(a / b).log() for a, b in zip(p, q, strict=True)), arb(0))
            count += 1
            at_most(
                k,
                ball(multiple) * alpha + arb("1e-20"),
                f"e^alpha = {ratio}, P = {tuple(map(str, p))}, Q = {tuple(map(str, q))}: the divergence is "
                f"{show(k / alpha)} alpha.",
            )
    return f"{count} private pairs (balls); the log ratio is at most alpha per step of the path"


def check_counting_bound(least: Any, effort: Effort) -> str:
    """least(alpha): from which n on the risk is at least e^-2/alpha; exact minimax risks, and a two-point bound."""
    floor = arb(-2).exp()
    ratios = [Fraction(11, 10), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(4), Fraction(7)]
    for ratio in ratios:
        alpha = ball(ratio).log()
        for n in range(1, effort.pick(3, 5)):
            if not n >= least(alpha):
                continue
            risk = minimax(n, ratio).value
            at_most(
                floor / alpha,
                ball(risk),
                f"n = {n}, e^alpha = {ratio}: the best method has risk {risk} = {show(risk)}, and e^-2/alpha is "
                f"{show(floor / alpha)}.",
            )
    # u/(1 + e^u) on [1/3, 7/3]: some k <= n has k alpha there, and the two counts 0 and k give k/(1 + e^(k alpha))
    steps = 4000
    for i in range(steps):
        u = ball(Fraction(1, 3) + Fraction(2 * i + 1, 2 * steps) * 2) + arb(0, ball(Fraction(1, steps)))
        if not u / (1 + u.exp()) > floor:
            raise Refuted(f"u/(1 + e^u) falls below e^-2 at u = {show(u)}.")
    return (
        "exact minimax risks by linear programmes with rational certificates; for all n: two counts at distance k "
        "have risks "
        "that sum to at least 2k/(1 + e^(k alpha)), and u/(1 + e^u) > e^-2 on [1/3, 7/3] (balls)"
    )


def check_uniform_bound(least: Any, effort: Effort) -> str:
    """least(c, alpha): from which n on the smallest risk is at least (c/(2 alpha)) e^(-2c - alpha)."""
    for c in (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10)):
        for alpha in (Fraction(1), Fraction(1, 4), Fraction(2)):
            claimed = ball(c / alpha / 2) * ball(-2 * c - alpha).exp()
            for n in range(1, effort.pick(20, 100)):
                if n >= least(c, alpha) and Fraction((n + 1) // 2) <= c / alpha:
                    raise Refuted(
                        f"n = {n}, c = {c}, alpha = {alpha}: the method that always says {n // 2} has risk at most "
                        f"{(n + 1) // 2} <= "
                        f"c/alpha everywhere and risk 0 at {n // 2}, below {show(claimed)}."
                    )
            k = -(-(c + 1) // alpha)  # ceil; then risk >= e^(-k alpha)(k - c/alpha) by the triangle inequality
            true = ball(-k * alpha).exp() * ball(k - c / alpha)
            at_most(claimed, true, f"c = {c}, alpha = {alpha}: the bound exceeds the one from distance {k}.")
    return (
        "for n >= 2k, k = ceil((c + 1)/alpha): P_D' >= e^(-k alpha) P_D and |z - theta'| >= k - |z - theta| give a "
        "risk of at least e^(-k alpha)(k - c/alpha), which exceeds the printed bound (balls; always, since c e^-c <= "
        "1/e). The printed proof applies Markov's inequality without a factor 2"
    )


def check_equalizer(constraint: Any, effort: Effort) -> str:
    """The minimax risk with the constraint added to the programme, against the minimax risk."""
    for ratio in (Fraction(2), Fraction(3, 2), Fraction(6)):
        for n in range(1, effort.pick(3, 5)):
            free, bound = minimax(n, ratio).value, minimax(n, ratio, constraint).value
            if free != bound:
                raise Refuted(f"n = {n}, e^alpha = {ratio}: the minimax risk is {free}, under the constraint {bound}.")
            if minimax(n, ratio, "laws").value > Fraction(n, 2):
                raise Refuted("the method that ignores its input has risk n/2.")
    return "equal rationals for n up to 4 and three ratios, both programmes with exact certificates"


def check_curve(bound: Any, effort: Effort) -> str:
    """The risk of the geometric mechanism, 1/sinh(alpha), an upper bound of the minimax risk, under the curve."""
    for i in range(1, effort.pick(40, 400)):
        alpha = ball(Fraction(i, 80))
        at_most(
            1 / alpha.sinh(),
            bound(alpha),
            f"alpha = {show(alpha)}, n large: the minimax risk tends to 1/sinh(alpha) = {show(1 / alpha.sinh())}.",
        )
    for ratio in (Fraction(2), Fraction(3, 2)):
        if not ball(minimax(3, ratio).value) <= 1 / ball(ratio).log().sinh():
            raise Refuted("the minimax risk for n = 3 exceeds that of the geometric mechanism.")
    return "1/sinh(alpha) < 1/alpha at 399 points (balls), and for all alpha > 0 since sinh(alpha) > alpha"


CLAIMS = (
    Claim(
        id="hall-2012:section-1.3.5-range",
        place="Section 1.3.5",
        statement="The values that a counting query takes on n records, which index the linear programme.",
        printed="theta(D) in N = {1, ..., n}",
        hypotheses="theta(D) = sum of n indicators",
        check=check_range,
        formula=lambda n: range(1, n + 1),
        near=(Near(lambda n: range(n), "{0, ..., n - 1}"),),
        strength="verified",
        correction=Correction(
            "N = {0, ..., n}, n + 1 values",
            lambda n: range(n + 1),
            "Possibly: an implementation on {1, ..., n} has no law for the count 0, and whatever it does there is not "
            "covered by "
            "the constraints.",
            "Index the programme by 0 to n.",
        ),
    ),
    Claim(
        id="hall-2012:section-1.3.5-interior",
        place="Section 1.3.5",
        statement="The constraints (1.10), (1.11) bound a polyhedron with interior points.",
        printed="a bounded closed convex polyhedron with a non-empty interior, in R^(m^2)",
        hypotheses="m values",
        check=check_interior,
        formula=lambda m: m * m,
        near=(Near(lambda m: m * m - 1, "of codimension 1"),),
        strength="proved",
        correction=Correction(
            "it has a non-empty relative interior, of dimension m^2 - m: each column sums to 1",
            lambda m: m * m - m,
            "None.",
            "A solver that needs interior points must eliminate the equations first.",
        ),
    ),
    Claim(
        id="hall-2012:section-1.3.5-programme",
        place="Section 1.3.5, (1.10) and (1.11)",
        statement="Minimising the Bayes risk over these constraints gives an optimal private method.",
        printed="R(Lambda) = sum_i Lambda(i) sum_j l(i, j) P_i(j), linear",
        hypotheses="prior Lambda, loss l",
        check=check_bayes,
        formula=lambda ratio: 1 / (1 + ratio),
        near=(Near(lambda ratio: 1 / (2 * ratio), "optimum 1/(2 e^alpha) for n = 1"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:equation-2.2",
        place="(2.2), Fano's inequality",
        statement="A lower bound on the largest risk of any estimator of the index of one of n laws.",
        printed="inf max R >= (1/2) min l(i, j) (1 - (max K(P_i, P_j) + log 2)/log n)",
        hypotheses="l a metric",
        check=check_fano,
        formula=Fraction(1, 2),
        near=(Near(Fraction(3), "constant 3 in place of 1/2"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-2.2-divergence",
        place="Section 2.2",
        statement="Under alpha-DP the Kullback-Leibler divergence is at most alpha per changed record.",
        printed="K(P_D, P_D') <= alpha d_H(D, D')",
        hypotheses="alpha-DP",
        check=check_divergence,
        formula=Fraction(1),
        near=(Near(Fraction(1, 2), "alpha/2"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-2.3.1",
        place="Proposition 2.3.1",
        statement="Any private counting method has risk at least e^-2/alpha somewhere.",
        printed="sup_D R >= e^-2/alpha = 0.135/alpha for alpha < 2, whatever n is",
        hypotheses="alpha < 2",
        check=check_counting_bound,
        formula=lambda alpha: 1,
        near=(Near(lambda alpha: 1 / (20 * alpha), "for n >= 1/(20 alpha)"),),
        strength="verified",
        correction=Correction(
            "for alpha < 2 and n >= 1/(3 alpha)",
            lambda alpha: 1 / (3 * alpha),
            "None: it is a lower bound on the error; for small n alpha the printed one exceeds the error of doing "
            "nothing.",
            "Do not use the bound for n below 1/(3 alpha).",
        ),
    ),
    Claim(
        id="hall-2012:proposition-2.3.2",
        place="Proposition 2.3.2",
        statement="A method with risk at most c/alpha everywhere has no much smaller risk anywhere.",
        printed="inf_D >= (c/(2 alpha)) e^(-2c - alpha)",
        hypotheses="sup_D at most c/alpha for all n (the text around it says: for large enough n)",
        check=check_uniform_bound,
        formula=lambda c, alpha: 1,
        near=(Near(lambda c, alpha: c / alpha, "for n >= c/alpha"),),
        strength="verified",
        correction=Correction(
            "the same bound for n >= 2 ceil((c + 1)/alpha); there even e^(-c - 1 - alpha)/alpha holds",
            lambda c, alpha: 2 * -(-(c + 1) // alpha),
            "None: a bound on the error.",
            "For small n a constant answer meets the hypothesis and has risk 0 at one input.",
        ),
    ),
    Claim(
        id="hall-2012:section-2.3.3-equalizer",
        place="Section 2.3.3, Minimax Equalizer Rules",
        statement="For absolute loss the best method of constant risk is minimax, and one of constant risk n/2 exists.",
        printed="add sum_i l(i, j) q_ij = sum_i l(i, 1) q_i1 to the programme",
        hypotheses="absolute loss",
        check=check_equalizer,
        formula="risks",
        near=(Near("laws", "with the same law for every input"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-2.3.3-figure-2.2",
        place="Figure 2.2",
        statement="The minimax risk of a count lies under the curve 1/alpha.",
        printed="the minimax risk lies underneath 1/alpha",
        hypotheses="n = 70 in the figure; any n",
        check=check_curve,
        formula=lambda alpha: 1 / alpha,
        near=(Near(lambda alpha: 1 / (2 * alpha), "under 1/(2 alpha)"),),
        strength="proved",
    ),
)

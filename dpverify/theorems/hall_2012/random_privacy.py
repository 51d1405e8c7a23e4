"""Chapter 5: random differential privacy, by counting rearrangements."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import ceil, factorial
from typing import Any

from flint import acb, arb, fmpq, fmpq_mat

from dpverify.enclosures.ball import Undecided
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show
from dpverify.theorems.tools.finite import compose, excess


def check_composition(rule: Any, effort: Effort) -> str:
    """rule(beta, beta') of two mechanisms that reveal all with probability beta, and are alpha-DP otherwise."""
    for one, two in product((Fraction(1, 10), Fraction(1, 3)), repeat=2):
        for ratio in (Fraction(2), Fraction(3)):

            def pair(beta: Fraction, ratio: Fraction = ratio) -> tuple[list[Fraction], list[Fraction]]:
                high, low = ratio / (1 + ratio), 1 / (1 + ratio)
                return [beta, (1 - beta) * high, (1 - beta) * low, Fraction(0)], [
                    Fraction(0),
                    (1 - beta) * low,
                    (1 - beta) * high,
                    beta,
                ]

            (p, q), (r, s) = pair(one), pair(two)
            if excess(p, q, ratio) != one or excess(r, s, ratio) != two:
                raise Refuted("the components do not have the betas they should.")
            total = excess(compose(p, r), compose(q, s), ratio * ratio)
            if total > rule(one, two):
                raise Refuted(
                    f"beta = {one}, beta' = {two}, gamma = 0: the pair of outputs needs beta = {total}, and "
                    f"{rule(one, two)} is claimed."
                )
    return "randomised response that leaks with probability beta, exact; the union bound adds the gammas"


def check_difference(formula: Any, effort: Effort) -> str:
    """formula(p) = P(x_n != x_n') for two independent Bernoulli(p)."""
    for p in (Fraction(1, 10), Fraction(1, 2), Fraction(5, 7)):
        true = sum(
            ((p if a else 1 - p) * (p if b else 1 - p) for a, b in product((0, 1), repeat=2) if a != b), Fraction(0)
        )
        if formula(p) != true:
            raise Refuted(f"p = {p}: the probability is {true}, not {formula(p)}.")
    return "enumeration, exact"


def check_conditional(formula: Any, effort: Effort) -> str:
    """formula(n, s) = P(x_n != x_(n+1)) given s ones among n + 1, over all rearrangements."""
    for n in range(1, effort.pick(4, 7)):
        for s in range(n + 2):
            sample = [1] * s + [0] * (n + 1 - s)
            hits = sum(order[-1] != order[-2] for order in permutations(sample))
            true = Fraction(hits, factorial(n + 1))
            if formula(n, s) != true:
                raise Refuted(
                    f"n = {n}, s = {s}: the fraction of rearrangements is {true}, the formula gives {formula(n, s)}."
                )
            if true > Fraction(2 * s, n):
                raise Refuted("the bound 2s/n fails.")
    return "all rearrangements of up to seven records; the bound 2s/n that is used holds"


def _bounded(u: Any, n: Any, probability: Any) -> bool:
    """Whether 2u/n exceeds the probability by a positive multiple of u/(n(n + 1)), identically (SymPy)."""
    import sympy

    rest = sympy.simplify((2 * u / n - probability) * n * (n + 1) / u)
    return bool(rest.is_positive)


def check_proportion(factor: Any, effort: Effort) -> str:
    """Release p^ exactly when factor (p^ + 1/n) <= gamma: the failure probability given s, for every n, s, gamma."""
    for n in range(1, effort.pick(30, 120)):
        for s in range(1, n + 1):
            probability = Fraction(2 * s * (n + 1 - s), n * (n + 1))  # that x_n and x_(n+1) differ
            for g in range(1, 20):
                gamma = Fraction(g, 20)
                exact_release = factor * Fraction(s, n) <= gamma  # the smaller estimate is (s - 1)/n
                if exact_release and probability > gamma:
                    raise Refuted(
                        f"n = {n}, s = {s} ones among n + 1, gamma = {gamma}: privacy fails with probability "
                        f"{probability}."
                    )
    import sympy

    s_, n_ = sympy.symbols("s n", positive=True)
    if not _bounded(s_, n_, 2 * s_ * (n_ + 1 - s_) / (n_ * (n_ + 1))):
        raise Refuted("the probability is not at most 2s/n.")
    return "exact for n < 120; for all n the probability is 2s/n - 2s^2/(n(n+1)) <= 2s/n <= gamma (SymPy)"


def _either(u: int, n: int) -> Fraction:
    """The probability that x_n or x_(n+1) is among u marked records of n + 1."""
    return 1 - Fraction((n + 1 - u) * (n - u), (n + 1) * n)


def _check_either() -> None:
    """The probability of `_either` is at most 2u/n for all positive u and n."""
    import sympy

    u, n = sympy.symbols("u n", positive=True)
    if not _bounded(u, n, 1 - (n + 1 - u) * (n - u) / ((n + 1) * n)):
        raise Refuted("the probability is not at most 2u/n.")


def check_empty_cells(factor: Any, effort: Effort) -> str:
    """Empty cells are released exactly when factor d <= gamma n; failure needs a record alone in its cell."""
    for d in range(1, effort.pick(6, 15)):
        for n in range(2, effort.pick(40, 150)):
            for g in range(1, 20):
                gamma = Fraction(g, 20)
                if factor * d > gamma * n:
                    continue
                worst = max(_either(u, n) for u in range(min(d, n + 1) + 1))
                if worst > gamma:
                    raise Refuted(
                        f"d = {d}, n = {n}, gamma = {gamma}: with {min(d, n + 1)} single records privacy fails with "
                        f"probability {worst}."
                    )
    _check_either()
    return (
        "failure probabilities for every number u <= d of single records, exact, d < 15, n < 150; for all n they are "
        "at most 2u/n (SymPy)"
    )


def check_small_cells(factor: Any, effort: Effort) -> str:
    """Cells with p^ + 1/n <= gamma/(factor k) are released exactly: all count vectors on the cells 0, ..., k."""
    for k in range(1, effort.pick(3, 4)):
        for n in range(2, effort.pick(8, 24 if k < 3 else 12)):
            for counts in product(range(n + 2), repeat=k + 1):
                if sum(counts) != n + 1:
                    continue
                for g in (1, 4, 10, 16, 19):
                    gamma = Fraction(g, 20)
                    u = sum(c for c in counts if c <= gamma * n / (factor * k))
                    if _either(u, n) > gamma:
                        raise Refuted(
                            f"k = {k}, n = {n}, gamma = {gamma}, counts {counts}: privacy may fail with probability "
                            f"{_either(u, n)}."
                        )
    _check_either()
    return (
        "all count vectors, exact, k <= 3; for all k and n at most k of the k + 1 cells can be small, so u <= gamma "
        "n/2 "
        "records lie in them, and the failure probability is at most 2u/n (SymPy)"
    )


def check_histogram_error(formula: Any, effort: Effort) -> str:
    """formula(r, n, alpha) = E ||theta - theta~||_1 when r cells are occupied and the empty ones released exactly."""
    for r, n in ((1, 10), (3, 100), (7, 50)):
        for alpha in (Fraction(1), Fraction(1, 2)):
            true = r * Fraction(2) / (n * alpha)  # E|L| = 1
            if formula(r, n, alpha) != true:
                raise Refuted(
                    f"r = {r}, n = {n}, alpha = {alpha}: the expected error is {true}, not {formula(r, n, alpha)}."
                )
    return "2r/(n alpha), exact; Markov's inequality makes it O_P(r/(alpha n))"


def _smooth_delta(alpha: arb, beta: arb) -> arb:
    """The exact delta of Laplace noise of scale 2s/alpha whose scale and centre change as (5.5), (5.6) allow."""
    spread = beta.exp() - 1
    near, far = (-(alpha / 2 + beta) / spread).exp(), (-(3 * alpha / 2 + beta) / spread).exp()
    return (1 - (-beta).exp()) / 2 * (near + far)


def check_smooth(delta: Any, effort: Effort) -> str:
    """delta(alpha, beta) against the positive part of p - e^alpha q, integrated, p of scale e^beta, q of scale 1."""
    for a in range(1, effort.pick(9, 25)):
        for beta in (arb("0.05"), arb("0.5"), arb(1), arb(2), arb(3), arb(a) / 2):
            alpha = arb(a)
            if not beta <= alpha / 2:
                continue
            p_rate = (-beta).exp()
            total = arb(0)
            for shift in (alpha / 2, -alpha / 2):  # the two tails, the centre of q on the other side or on this one
                start = (alpha - shift + beta) / (1 - p_rate)
                end = start + 60 / p_rate

                def excess_density(z: acb, _: bool, shift: arb = shift, rate: arb = p_rate, alpha: arb = alpha) -> acb:
                    return rate * (-z * rate).exp() / 2 - (alpha - z - shift).exp() / 2

                total += acb.integral(excess_density, start, end).real + arb(0, arb("1e-20"))
            at_most(
                total,
                delta(alpha, beta) + arb("1e-9"),
                f"alpha = {a}, beta = {show(beta)}: scales 1 and e^beta, centres alpha/2 apart: delta is "
                f"{show(total)}, the formula gives "
                f"{show(delta(alpha, beta))}.",
            )
    return "integrals of the positive part (balls), beta <= alpha/2; the formula sums its two exponential tails"


def _kolmogorov(n: int, d: Fraction) -> Fraction:
    """P(sup |F_n - F| < d), exact (Marsaglia, Tsang and Wang 2003)."""
    k = ceil(n * d)
    m, h = 2 * k - 1, k - n * d
    rows = [[Fraction(int(i - j + 1 >= 0)) for j in range(m)] for i in range(m)]
    for i in range(m):
        rows[i][0] -= h ** (i + 1)
        rows[m - 1][i] -= h ** (m - i)
    if 2 * h > 1:
        rows[m - 1][0] += (2 * h - 1) ** m
    for i, j in product(range(m), repeat=2):
        if i - j + 1 > 0:
            rows[i][j] /= factorial(i - j + 1)
    power = fmpq_mat(m, m, [fmpq(x.numerator, x.denominator) for row in rows for x in row]) ** n
    value = power[k - 1, k - 1]
    return Fraction(int(value.p), int(value.q)) * Fraction(factorial(n), n**n)


def check_dkw(rate: Any, effort: Effort) -> str:
    """P(sup |H - F| >= eps) <= 2 exp(-rate N eps^2) for N = n/2 pairs: the exact law of the statistic."""
    for n in range(1, effort.pick(8, 20)):
        for step in range(1, 20):
            eps = Fraction(step, 20)
            true = 1 - _kolmogorov(n, eps)
            at_most(
                ball(true),
                2 * (-ball(rate * n * eps * eps)).exp(),
                f"n = {2 * n}, eps = {eps}: the probability is {show(true)}, the bound "
                f"{show(2 * (-ball(rate * n * eps * eps)).exp())}.",
            )
    return "the exact law of the Kolmogorov statistic for up to 19 pairs; the constant is Massart's (1990), cited"


def check_two_samples(formula: Any, effort: Effort) -> str:
    """formula(n, eps) bounds P(sup |F(D) - F(D')| >= eps): a changed record moves one of n/2 indicators, surely."""
    for n in range(2, effort.pick(10, 60), 2):
        eps = Fraction(2, n)
        at_most(
            arb(1),
            formula(n, ball(eps)),
            f"n = {n}, h continuous: changing one record moves F by exactly {eps} somewhere, with probability 1, and "
            "the bound is "
            f"{show(formula(n, ball(eps)))}.",
        )
    return (
        "eps = 2/n, where the probability is 1; above it the probability is 0. The bound follows from (5.7) at eps/2, "
        "twice"
    )


def check_quantile(rule: Any, effort: Effort) -> str:
    """P(h > h^) against rule(P(h_theta > h^), P(h > h_theta)), h uniform on four values, h^ any law."""
    for weights in product(range(4), repeat=4):
        if not sum(weights):
            continue
        for true_quantile in range(4):
            law = [Fraction(w, sum(weights)) for w in weights]
            left = sum((Fraction(1, 4) * law[j] for i in range(4) for j in range(4) if i > j), Fraction(0))
            under = sum((law[j] for j in range(4) if true_quantile > j), Fraction(0))
            over = Fraction(3 - true_quantile, 4)
            if left > rule(under, over):
                raise Refuted(
                    f"weights of the estimate {weights}, true quantile {true_quantile}: {left} exceeds "
                    f"{rule(under, over)}."
                )
    return "all laws of the estimate on four values with weights below 4, exact; a union bound"


def check_scale(formula: Any, effort: Effort) -> str:
    """formula(h, n): the s(D) that bounds |g(D) - g(D')| = h/n, here for the mean of n numbers."""
    for n in (2, 10, 100):
        h = Fraction(3)  # |x_n - x_n'|
        change = h / n
        if formula(h, n) < change:
            raise Refuted(f"n = {n}: g changes by {change}, and s is {formula(h, n)}.")
        if formula(h, n) > change:
            raise Refuted(
                f"g the mean, n = {n}, h = 3: g changes by {change}, and s = {formula(h, n)} is "
                f"{formula(h, n) / change} times that."
            )
    return "the mean of n numbers, exact; h(x, x') = n |g(D) - g(D')|"


def check_bahadur(sign: Any, effort: Effort) -> str:
    """The covariance of a sample median with F_N(1/2) - 1/2, uniform sample of odd N: its sign against `sign`."""
    for big in (1, 3, 5, 7)[: effort.pick(2, 4)]:
        rank = (big + 1) // 2
        mean = Fraction(0)
        for k in range(big + 1):  # k points below 1/2
            weight = Fraction(factorial(big), factorial(k) * factorial(big - k) * 2**big)
            if k >= rank:
                median = Fraction(rank, 2 * (k + 1))
            else:
                median = Fraction(1, 2) + Fraction(rank - k, 2 * (big - k + 1))
            mean += weight * median * (Fraction(k, big) - Fraction(1, 2))
        if mean * sign <= 0:
            raise Refuted(
                f"uniform sample, N = {big}: the covariance of the median with F_N(1/2) - 1/2 is {mean}, of the "
                "opposite sign."
            )
    return "exact covariances for N = 1, 3, 5, 7"


def check_predictive(protected: Any, effort: Effort) -> str:
    """protected(D', new record) on records a, b, P(b) = gamma = 1/10, S^ = {a}, n = 3: how often RDP can fail."""
    leak = {"a": (Fraction(1), Fraction(0)), "b": (Fraction(0), Fraction(1))}
    chance = {"a": Fraction(9, 10), "b": Fraction(1, 10)}

    def output(d: tuple[str, ...]) -> tuple[Fraction, Fraction]:
        """Vague where all records are in S^; elsewhere the last record, unless it is the only one outside."""
        if d == ("a", "a", "a"):
            return Fraction(1, 2), Fraction(1, 2)
        return leak["b" if d[2] == "b" and "b" in d[:2] else "a"]

    possible, failing, admissible = Fraction(0), Fraction(0), True
    for *first, old, new in product("ab", repeat=4):
        weight = chance[first[0]] * chance[first[1]] * chance[old] * chance[new]
        fails = excess(output((*first, old)), output((*first, new)), Fraction(2)) > 0
        if protected((*first, new), new):
            admissible = admissible and not fails
            continue
        possible += weight if old != new else 0
        failing += weight if fails else 0
    if possible <= Fraction(1, 10):
        return f"no mechanism fails outside the unprotected pairs, of probability {possible} <= gamma, exact"
    if admissible and failing > Fraction(1, 10):
        raise Refuted(
            "records a, b, P(b) = gamma = 1/10, S^ = {a}, n = 3, e^alpha = 2: a mechanism that is private wherever D' "
            "is "
            f"protected fails with probability {failing}."
        )
    raise Undecided("the mechanism tried does not decide")


NOTHING = "None: the mechanism does not change."
CLAIMS = (
    Claim(
        id="hall-2012:proposition-5.1.2",
        place="Proposition 5.1.2",
        statement="Releases that are (alpha, beta, gamma)-RDP compose.",
        printed="(alpha + alpha', gamma + gamma')-RDP, for any beta and beta'",
        hypotheses="(alpha, beta, gamma)- and (alpha', beta', gamma')-RDP",
        check=check_composition,
        formula=lambda one, two: Fraction(0),
        near=(Near(lambda one, two: max(one, two), "the larger beta"),),
        strength="verified",
        correction=Correction(
            "(alpha + alpha', beta + beta', gamma + gamma')-RDP",
            lambda one, two: one + two,
            "Yes: the betas are dropped, and each may be the probability of releasing everything.",
            "Add the betas too.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-5.2-probability",
        place="Section 5.2",
        statement="The probability that a fresh binary record differs.",
        printed="P(p^ != p^') = 2p(1 - p)",
        hypotheses="independent Bernoulli(p)",
        check=check_difference,
        formula=lambda p: 2 * p * (1 - p),
        near=(Near(lambda p: p * (1 - p), "p(1 - p)"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-5.2.2-conditional",
        place="Section 5.2.2, before (5.1)",
        statement="The probability that the last two of n + 1 records differ, given s ones.",
        printed="2s(n+1-s)(n-1)!/(n+1)! = 2s/n - s/(n(n+1)) <= 2s/n",
        hypotheses="given the order statistics",
        check=check_conditional,
        formula=lambda n, s: Fraction(2 * s, n) - Fraction(s, n * (n + 1)),
        near=(Near(lambda n, s: Fraction(2 * s, n), "2s/n"),),
        strength="verified",
        correction=Correction(
            "2s(n+1-s)/(n(n+1)) = 2s/n - 2s^2/(n(n+1))",
            lambda n, s: Fraction(2 * s, n) - Fraction(2 * s * s, n * (n + 1)),
            "None: only the bound 2s/n is used.",
            "The bound stands.",
        ),
    ),
    Claim(
        id="hall-2012:proposition-5.2.1",
        place="Proposition 5.2.1, technique (5.1)",
        statement="Releasing a small proportion exactly, and a large one with Laplace noise, is (alpha, 0, gamma)-RDP.",
        printed="p~ = p^ if 2(p^ + 1/n) <= gamma, else p^ + L/(n alpha)",
        hypotheses="independent binary records",
        check=check_proportion,
        formula=2,
        near=(Near(1, "p^ + 1/n <= gamma"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-5.2.2",
        place="Proposition 5.2.2, technique (5.2)",
        statement="Releasing the empty cells of a histogram exactly is (alpha, 0, gamma)-RDP when the cells are few.",
        printed="x_j = 0 if theta_j = 0 and 2d <= gamma n, else (2/(n alpha)) L_j",
        hypotheses="independent records, d cells",
        check=check_empty_cells,
        formula=2,
        near=(Near(1, "d <= gamma n"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-5.2.3",
        place="Proposition 5.2.3, technique (5.3)",
        statement="Releasing the small cells of a histogram exactly is (alpha, gamma)-RDP.",
        printed="p~_j = p^_j if p^_j + 1/n <= gamma/(2k), else p^_j + (2/(n alpha)) L",
        hypotheses="independent records in {0, ..., k}",
        check=check_small_cells,
        formula=2,
        near=(Near(1, "gamma/k"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:proposition-5.2.4",
        place="Proposition 5.2.4",
        statement="The error of technique (5.2) with r occupied cells.",
        printed="||theta - theta~||_1 = O_P(r/(alpha n))",
        hypotheses="2d <= gamma n",
        check=check_histogram_error,
        formula=lambda r, n, alpha: Fraction(2 * r) / (n * alpha),
        near=(Near(lambda r, n, alpha: Fraction(2 * r * r) / (n * alpha), "of order r^2"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-5.3-smooth",
        place="Section 5.3, (5.4) to (5.6)",
        statement="Laplace noise scaled to a smooth bound s of the sensitivity is (alpha, delta)-DP.",
        printed="delta(beta) = exp(-alpha/(2 beta)), for every alpha",
        hypotheses="s(D) <= e^beta s(D'), |g(D) - g(D')| <= s(D)",
        check=check_smooth,
        formula=lambda alpha, beta: (-alpha / (2 * beta)).exp(),
        near=(Near(lambda alpha, beta: (-alpha / beta).exp(), "exp(-alpha/beta)"),),
        strength="verified",
        correction=Correction(
            "for beta <= alpha/2 exactly delta = (1 - e^-beta)/2 (exp(-(alpha/2 + beta)/(e^beta - 1)) + exp(-(3 "
            "alpha/2 + beta)/(e^beta - 1))). By a numerical search the printed value is above it for alpha <= 4; the "
            "theorem it "
            "quotes (Nissim and others) has twice the printed value",
            _smooth_delta,
            "Yes for alpha of 5 and more: delta is larger than printed.",
            "Use the exact formula, or keep alpha at most 4.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:equation-5.7",
        place="(5.7)",
        statement="The empirical distribution of n/2 independent values is uniformly close to the true one.",
        printed="P(sup |H(t) - F(D, t)| >= eps) <= 2 e^(-n eps^2)",
        hypotheses="n/2 independent pairs",
        check=check_dkw,
        formula=2,
        near=(Near(4, "2 e^(-2 n eps^2), as if all n values were independent"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-5.3-quantile",
        place="Section 5.3",
        statement="How the sensitivity can exceed a sample quantile.",
        printed="P(h > h^) <= P(h_theta > h^) + P(h > h_theta)",
        hypotheses="h^ independent of the pair",
        check=check_quantile,
        formula=lambda under, over: under + over,
        near=(Near(lambda under, over: max(under, over), "the larger of the two"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:section-5.3-scale",
        place="Section 5.3",
        statement="The function s(D) made of a sample quantile of h.",
        printed="s(D) = n h^_theta",
        hypotheses="|g(D) - g(D')| = h(x, x')/n",
        check=check_scale,
        formula=lambda h, n: n * h,
        near=(Near(lambda h, n: h / n**2, "h/n^2"),),
        strength="verified",
        correction=Correction(
            "s(D) = h^_theta/n",
            lambda h, n: h / n,
            "None: the printed scale is too large, by n^2, and destroys the release.",
            "The page before has it right: P(|g - g'| > tau) = P(h > n tau).",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-5.3-bahadur",
        place="Section 5.3, the Bahadur-Kiefer representation",
        statement="The linear term of a sample quantile.",
        printed="h^_theta - h_theta = (F(D, h_theta) - H(h_theta))/H'(h_theta) + O_p(n^(-1/2))",
        hypotheses="H differentiable",
        check=check_bahadur,
        formula=1,
        near=(Near(0, "no linear term"),),
        strength="verified",
        correction=Correction(
            "h^_theta - h_theta = (H(h_theta) - F(D, h_theta))/H'(h_theta) + o_p(n^(-1/2)): the sign is the other "
            "one. (With a remainder "
            "O_p(n^(-1/2)), as large as the term itself, the printed line says nothing.)",
            -1,
            NOTHING,
            "Only differences of two such terms are used, in absolute value.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-5.3-difference",
        place="Section 5.3",
        statement="The empirical distributions of neighbouring databases are close.",
        printed="P(sup |F(D, t) - F(D', t)| >= eps) <= 4 e^(-2 eps^2 n)",
        hypotheses="by (5.7) and the triangle inequality",
        check=check_two_samples,
        formula=lambda n, eps: 4 * (-2 * eps * eps * n).exp(),
        near=(Near(lambda n, eps: 4 * (-eps * eps * n).exp() / 4, "e^(-eps^2 n)"),),
        strength="verified",
        correction=Correction(
            "4 e^(-n eps^2/4); and in fact the difference is at most 2/n, surely",
            lambda n, eps: 4 * (-n * eps * eps / 4).exp(),
            NOTHING,
            "The printed bound fails for n = 2 and 4 and does not follow from (5.7).",
        ),
    ),
    Claim(
        id="hall-2012:section-5.4-predictive",
        place="Section 5.4, after Definition 5.4.1",
        statement="Predictive differential privacy implies random differential privacy.",
        printed="D' in S^(D)^n, all records of D' in the prediction region; then RDP",
        hypotheses="P(x in S^(D)) >= 1 - gamma",
        check=check_predictive,
        formula=lambda other, new: all(x == "a" for x in other),
        near=(Near(lambda other, new: False, "no neighbour protected"),),
        strength="verified",
        correction=Correction(
            "require only that the new record lies in S^(D)",
            lambda other, new: new == "a",
            "Yes: databases with one record outside the region are not protected at all, and they are common when n "
            "is large.",
            "Define the neighbours by the record that changes.",
            "verified",
        ),
    ),
)

"""Sections 4.2, 4.3 and 4.4.1: the Fourier approximation of a kernel density estimate, and Laplace noise on it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import at_most, ball, normal_tail, show


def _density(x: arb, sigma: arb) -> arb:
    return (-x * x / (2 * sigma * sigma)).exp() / (sigma * (2 * arb.pi()).sqrt())


def check_bandwidth(exponent: Any, effort: Effort) -> str:
    """h = n^exponent(d): the exponents of h^4 and 1/(n h^d) must both be -4/(4 + d)."""
    for d in range(1, effort.pick(10, 50)):
        h = exponent(d)
        if (4 * h, -1 - d * h) != (Fraction(-4, 4 + d), Fraction(-4, 4 + d)):
            raise Refuted(
                f"d = {d}: h^4 = n^({4 * h}) and 1/(n h^d) = n^({-1 - d * h}), and both must be n^(-4/{4 + d})."
            )
    return "exponents, exact, d < 50; 4 h = -1 - d h has the one solution h = -1/(4 + d)"


def check_basis(formula: Any, effort: Effort) -> str:
    """formula = square of the factor on cos and sin: orthonormality on [0, 1], by SymPy."""
    import sympy

    x = sympy.Symbol("x")
    root = sympy.sqrt(formula)
    basis = [sympy.Integer(1)]
    for j in range(1, effort.pick(2, 4)):
        basis += [root * sympy.cos(2 * j * sympy.pi * x), root * sympy.sin(2 * j * sympy.pi * x)]
    for i, f in enumerate(basis):
        for j, g in enumerate(basis[: i + 1]):
            value = sympy.integrate(f * g, (x, 0, 1))
            if value != int(i == j):
                raise Refuted(f"psi_{i + 1} and psi_{j + 1} have inner product {value}.")
    return "inner products of the first seven functions (SymPy)"


def check_coefficient(rate: Any, effort: Effort) -> str:
    """lambda_2j = exp(-rate j^2 sigma^2) against the integral of phi_sigma(x, mu) cos(2 pi j x) over R."""
    for sigma, mu, j in product((arb("0.1"), arb("0.5")), (arb("0.3"), arb("0.7")), (1, 2)[: effort.pick(1, 2)]):
        reach = 12 * sigma
        inside = acb.integral(
            lambda x, _: (-(x - mu) * (x - mu) / (2 * sigma * sigma)).exp() * (2 * arb.pi() * j * x).cos(),
            mu - reach,
            mu + reach,
        ).real / (sigma * (2 * arb.pi()).sqrt())
        inside += arb(0, arb("1e-30"))  # beyond 12 sigma
        claimed = (-rate * j * j * sigma * sigma).exp() * (2 * arb.pi() * j * mu).cos()
        if not claimed.overlaps(inside):
            raise Refuted(
                f"sigma = {show(sigma)}, mu = {show(mu)}, j = {j}: the integral is {show(inside)}, the formula gives "
                f"{show(claimed)}."
            )
    return "integrals in balls; in general the characteristic function exp(-a^2 sigma^2/2) at a = 2 pi j"


def check_periodic(rate: Any, effort: Effort) -> str:
    """sum lambda_i psi_i(x) psi_i(y), with exp(-rate j^2 sigma^2), against the wrapped Gaussian density."""
    for sigma in (arb("0.2"), arb("0.5")):
        for gap in map(arb, ("0", "0.2", "0.5")):
            claimed = 1 + 2 * sum(
                ((-rate * j * j * sigma * sigma).exp() * (2 * arb.pi() * j * gap).cos() for j in range(1, 60)), arb(0)
            )
            wrapped = sum((_density(gap + k, sigma) for k in range(-12, 13)), arb(0))
            if not abs(claimed - wrapped) < arb("1e-12"):
                raise Refuted(
                    f"sigma = {show(sigma)}, x - y = {show(gap)}: the kernel is {show(claimed)}, the wrapped Gaussian "
                    f"{show(wrapped)}."
                )
    return "six values of the kernel against the sum of shifted Gaussians (balls, tails below 1e-12); Poisson summation"


def check_approximation(rate: Any, effort: Effort) -> str:
    """The squared error of the periodic kernel as sigma -> 0, against sigma^4, mu = 1/2."""
    for sigma in map(arb, ("0.02", "0.01")):
        terms = 1200  # 12/sigma and more: what is left out is below exp(-2 * 144)
        periodic = (1 + 2 * sum(((-2 * rate * j * j * sigma * sigma).exp() for j in range(1, terms)), arb(0))).sqrt()
        plain = (
            1 / (2 * arb.pi().sqrt() * sigma)
        ).sqrt()  # norm over R; over [0, 1] it is no larger, and less by 1e-100 at most
        gap = (periodic - plain) ** 2
        if gap > sigma**4:
            raise Refuted(
                f"sigma = {show(sigma)}, mu = 1/2: the norms of the two kernels are {show(periodic)} and "
                f"{show(plain)}, so the squared error "
                f"is at least {show(gap)}, and grows like 1/sigma."
            )
        nearest = 1 - (1 - sigma.sqrt())  # |x - mu| <= 1 - sqrt(sigma)
        above = 2 * sum((_density(nearest + k, sigma) for k in range(effort.pick(3, 6))), arb(0))
        if not above**2 < sigma**10:
            raise Refuted(f"sigma = {show(sigma)}: the tails sum to {show(above)}.")
    return (
        "the error is the squared sum of tails, at most (e^(-1/(2 sigma))/sigma)^2 up to a constant, below sigma^10 "
        "(balls)"
    )


def check_tail_sum(extra: Any, effort: Effort) -> str:
    """sum over j != 0 of phi_sigma(j, u) against phi(1) + extra + integrals over (-oo, -1] and [2, oo)."""
    for sigma in map(arb, ("0.1", "0.2", "0.3")):
        for u in map(arb, ("0", "0.1", "0.4")):
            true = sum((_density(arb(j) - u, sigma) for j in range(-8, 9) if j), arb(0))
            bound = (
                _density(1 - u, sigma) + normal_tail((1 + u) / sigma) + normal_tail((2 - u) / sigma) + extra(u, sigma)
            )
            if true > bound:
                raise Refuted(
                    f"sigma = {show(sigma)}, |mu - x| = {show(u)}: the sum is {show(true)}, the bound {show(bound)}."
                )
    return "nine values (balls); a decreasing sum is at most its first term plus the integral from there"


def check_tensor_error(formula: Any, effort: Effort) -> str:
    """formula = (an equality?, value(a, b, c, e)): ||a x b - c x e||^2 in R^2 x R^2, all inner products exact."""
    equality, value = formula
    vectors = [tuple(map(Fraction, v)) for v in ((1, 0), (1, 1), (2, -1))]

    def norm2(v: Any) -> Fraction:
        return sum((x * x for x in v), Fraction(0))

    for a, b, c, e in product(vectors, repeat=4):
        true = norm2([x * y - z * w for (x, z) in zip(a, c, strict=True) for (y, w) in zip(b, e, strict=True)])
        parts = [
            norm2(v)
            for v in ([x - z for x, z in zip(a, c, strict=True)], [y - w for y, w in zip(b, e, strict=True)], b, c)
        ]
        claimed = value(*map(ball, parts))
        if (not claimed.overlaps(ball(true))) if equality else claimed < ball(true):
            raise Refuted(
                f"two coordinates, kernels a = {tuple(map(int, a))}, b = {tuple(map(int, b))} approximated by "
                f"{tuple(map(int, c))}, "
                f"{tuple(map(int, e))}: the squared error of the product is {true}, the formula gives {show(claimed)}."
            )
    return "81 pairs of products in R^2 x R^2; a b - c e = (a - c) b + c (b - e)"


def check_transform(factor: Any, effort: Effort) -> str:
    """phi_sigma^d(pi(x), pi(y)) = factor(eta, d) phi^d_(sigma/(1 - 2 eta))(x, y), compared at x = y."""
    for eta in (Fraction(1, 4), Fraction(1, 10)):
        for d in range(1, effort.pick(3, 6)):
            true = (1 / (1 - 2 * eta)) ** d  # (1/sigma)^d over ((1 - 2 eta)/sigma)^d
            if factor(eta, d) != true:
                raise Refuted(f"eta = {eta}, d = {d}, x = y: the two sides have ratio {true}, not {factor(eta, d)}.")
    return "exact at x = y; the exponents agree identically"


def check_truncation(power: Any, effort: Effort) -> str:
    """The error of truncation for d = 1, one record, against exp(-m^2 h^2)/(m h^power), uniformly in m and h."""
    worst = arb(0)
    for m, h in (
        [(n, Fraction(1, n)) for n in (10, 1000, 10**6)]
        + [(n, Fraction(3, n)) for n in (10, 10**4)]
        + [(5, Fraction(1, 2))]
    ):
        a = 2 * ball(h) * m
        erfc = arb.pi().sqrt() / 4 / ball(h) * 2  # 2 int e^(-4 h^2 j^2) dj
        lower = erfc * (a + 2 * ball(h)).erfc()
        upper = erfc * a.erfc()
        claimed = (-(ball(h * m) ** 2)).exp() / (m * ball(h) ** power)
        worst = max(worst, lower / claimed, key=lambda z: float(z.mid()))
        if lower / claimed > 100:
            raise Refuted(
                f"d = 1, h = 1/{1 / h}, m = {m}: the error is at least {show(lower)}, and exp(-m^2 h^2)/(m h^{power}) "
                f"is {show(claimed)}; with "
                "m h fixed the ratio grows without bound."
            )
        if not upper <= 100 * claimed:
            raise Refuted("the integral bound does not close.")
    return (
        f"six pairs (m, h), the largest ratio {show(worst)} (balls); 2 int from m of e^(-4 h^2 j^2) dj <= e^(-4 m^2 "
        "h^2)/(4 m h^2), "
        "and S^d - (S - t)^d <= d S^(d-1) t with S = O(1/h)"
    )


def check_cutoff(exponent: Any, effort: Effort) -> str:
    """m = n^exponent(d) log n is log n/h for the h of (4.3), and makes the truncation negligible."""
    for d in range(1, effort.pick(5, 20)):
        if exponent(d) != Fraction(1, 4 + d):
            raise Refuted(f"d = {d}: log n/h is n^(1/{4 + d}) log n.")
    for n in (arb(10) ** 6, arb(10) ** 12):
        if not (-(n.log() ** 2)).exp() * n**3 < 1 / n:
            raise Refuted("exp(-(m h)^2) is not negligible.")
    return "exponents, exact; exp(-(log n)^2) beats every power of n"


def _sensitivity(m: int, d: int) -> arb:
    """A lower bound of n times the l1 sensitivity of the coefficients: the largest change over a grid of pairs."""
    steps = 8 * m if d == 1 else 4 * m

    def curve(x: Fraction) -> list[arb]:
        root = arb(2).sqrt()
        out = [arb(1)]
        for j in range(1, m + 1):
            angle = 2 * arb.pi() * ball(j * x)
            out += [root * angle.cos(), root * angle.sin()]
        return out

    lines = [curve(Fraction(k, steps) + Fraction(1, 16 * m)) for k in range(steps)]
    best = arb(0)
    if d == 1:
        pairs = [(lines[0], other) for other in lines] + [
            (one, other) for one in lines[: steps // 4] for other in lines
        ]
        for one, other in pairs:
            total = sum((abs(x - y) for x, y in zip(one, other, strict=True)), arb(0))
            best = total if total > best else best
        return best
    for one, two, other in product(lines, lines, lines):
        first, second = [x * y for x in one for y in two], [x * y for x in other for y in two]
        total = sum((abs(x - y) for x, y in zip(first, second, strict=True)), arb(0))
        best = total if total > best else best
    return best


def check_laplace_scale(scale: Any, effort: Effort) -> str:
    """The loss of independent Laplace noise of scale(n, alpha, m, d): l1 change over scale, at most alpha."""
    for m, d in ((1, 1), (2, 1), (3, 1), (1, 2))[: effort.pick(3, 4)]:
        change = _sensitivity(m, d)
        for n in (1, 100):
            for alpha in (Fraction(1, 10), Fraction(1), Fraction(4)):
                loss = change / n / ball(Fraction(1)) / scale(n, ball(alpha), m, d)
                at_most(
                    loss,
                    ball(alpha),
                    f"n = {n}, alpha = {alpha}, m = {m}, d = {d}: one record changes the coefficients by "
                    f"{show(change / n)} in l1, and the loss "
                    f"is {show(loss)}.",
                )
    return (
        "changes over a grid of pairs of records (balls); each coefficient changes by at most 2^(d/2 + 1)/n, and for "
        "d = 1 each frequency by 2 sqrt(2) |sin| (|sin| + |cos|) <= 4"
    )


def check_laplace_rate(formula: Any, effort: Effort) -> str:
    """formula = (exponent(d), last dimension at the minimax rate): error m^3d/n^2, m = n^(1/(4+d)) log n."""
    exponent, last = formula
    for d in range(1, effort.pick(10, 30)):
        true = Fraction(3 * d, 4 + d) - 2
        if exponent(d) != true:
            raise Refuted(f"d = {d}: the exponent of n is {true}, not {exponent(d)}.")
        slower = true >= Fraction(-4, 4 + d)  # equal exponents lose by the power of log n
        if slower != (d > last):
            raise Refuted(
                f"d = {d}: the error n^({true}) (log n)^{3 * d} {'exceeds' if slower else 'meets'} the rate "
                f"n^(-4/{4 + d})."
            )
    return "exponents, exact; at d = 4 they agree and the power of the logarithm decides"


def check_laplace_error(term: Any, effort: Effort) -> str:
    """term(lambda, E L, E L^2): one term of E || sum lambda L psi ||^2, L Laplace of a given scale."""
    for scale in (Fraction(1), Fraction(3)):
        for eigenvalue in (Fraction(1), Fraction(1, 2)):
            second = 2 * scale**2
            true, claimed = eigenvalue**2 * second, term(eigenvalue, Fraction(0), second)
            if claimed != true:
                raise Refuted(
                    f"lambda = {eigenvalue}, scale {scale}: the term is {true}, and the formula gives {claimed} in the "
                    "mean."
                )
    return "moments of the Laplace law, exact; the basis is orthonormal"


def _laplace_scale(n: int, alpha: arb, m: int, d: int) -> arb:
    """Each coefficient changes by at most 2^(d/2 + 1)/n; for d = 1 the 2m of one record change by 4m/n in all."""
    if d == 1:
        return arb(4 * m) / (n * alpha)
    return arb(2) ** (arb(d) / 2 + 1) * (2 * m + 1) ** d / (n * alpha)


PI2 = 2 * arb.pi() ** 2
ACCURACY = "None: lambda is public and multiplies noise and data alike; only accuracy changes."
LAMBDA_FIX = Correction(
    "lambda_2j = lambda_(2j+1) = exp(-2 pi^2 j^2 sigma^2)",
    PI2,
    ACCURACY,
    "Put pi^2 into the exponent; without it the kernel has bandwidth sigma/pi.",
    "verified",
)
CLAIMS = (
    Claim(
        id="hall-2012:equation-4.3",
        place="(4.2) and (4.3)",
        statement="The bandwidth that balances squared bias h^4 and variance 1/(n h^d), and the rate it gives.",
        printed="h = O(n^(-1/(4+d))), rate n^(-4/(4+d))",
        hypotheses="(4.2)",
        check=check_bandwidth,
        formula=lambda d: Fraction(-1, 4 + d),
        near=(Near(lambda d: Fraction(-1, 2 + d), "h = n^(-1/(2+d))"),),
        strength="proved",
    ),
    Claim(
        id="hall-2012:equation-4.4",
        place="(4.4)",
        statement="The Fourier basis of the unit interval is orthonormal.",
        printed="1, sqrt(2) cos(2 j pi x), sqrt(2) sin(2 j pi x)",
        hypotheses="x in [0, 1]",
        check=check_basis,
        formula=2,
        near=(Near(1, "without the factor sqrt(2)"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:equation-4.5",
        place="(4.5)",
        statement="The periodic approximation of the Gaussian kernel by its eigenvalues.",
        printed="lambda_2j = lambda_(2j+1) = exp(-2 j^2 sigma^2)",
        hypotheses="phi~ is the wrapped Gaussian, as Lemma 4.3.1 demands",
        check=check_periodic,
        formula=arb(2),
        near=(Near(arb.pi() ** 2, "exp(-pi^2 j^2 sigma^2)"),),
        strength="verified",
        correction=LAMBDA_FIX,
    ),
    Claim(
        id="hall-2012:lemma-4.3.1",
        place="Lemma 4.3.1",
        statement="The Fourier coefficients of phi~ on [0, 1] are those of phi over R.",
        printed="int over [0,1] of phi~ psi_i = int over R of phi psi_i, with lambda_2j = exp(-2 j^2 sigma^2)",
        hypotheses="(4.5)",
        check=check_coefficient,
        formula=arb(2),
        near=(Near(arb.pi() ** 2, "exp(-pi^2 j^2 sigma^2)"),),
        strength="verified",
        correction=LAMBDA_FIX,
    ),
    Claim(
        id="hall-2012:proposition-4.3.2",
        place="Proposition 4.3.2",
        statement="Away from the boundary the periodic approximation is better than any power of sigma.",
        printed="int (phi_sigma - phi~_sigma)^2 = O(sigma^p) for any p, phi~ as in (4.5)",
        hypotheses="sqrt(sigma) < mu < 1 - sqrt(sigma)",
        check=check_approximation,
        formula=arb(2),
        near=(Near(arb.pi() ** 2, "with exp(-pi^2 j^2 sigma^2)"),),
        strength="verified",
        correction=LAMBDA_FIX,
    ),
    Claim(
        id="hall-2012:section-4.3-tail-sum",
        place="Proposition 4.3.2, proof",
        statement="A sum of Gaussian tails is bounded by integrals.",
        printed="sum over j != 0 of phi(j, u) < phi(1, u) + int over (-oo, -1] + int over [2, oo)",
        hypotheses="u = |mu - x| < 1 - sqrt(sigma)",
        check=check_tail_sum,
        formula=lambda u, sigma: arb(0),
        near=(Near(lambda u, sigma: _density(2 - u, sigma), "with phi(2, u) added"),),
        strength="verified",
        correction=Correction(
            "add the terms phi(-1, u) + phi(2, u): the integrals bound a decreasing sum from below, not above",
            lambda u, sigma: _density(1 + u, sigma) + _density(2 - u, sigma),
            "None: the order of the bound in sigma is the same.",
            "A decreasing sum is at most its first term plus the integral.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.3-product",
        place="Section 4.3, after Proposition 4.3.2",
        statement="The squared error of a product kernel from those of its factors.",
        printed="int (phi~^d - phi^d)^2 = prod_j int (phi~ - phi)^2",
        hypotheses="d > 1",
        check=check_tensor_error,
        formula=(True, lambda one, two, b, c: one * two),
        near=(Near((True, lambda one, two, b, c: one + two), "the sum of the factors' errors"),),
        strength="verified",
        correction=Correction(
            "||prod a_j - prod c_j|| <= sum_j ||a_j - c_j|| prod of the other norms (for d = 2: (||a - c|| ||b|| + "
            "||c|| ||b - e||)^2)",
            (False, lambda one, two, b, c: (((one * b).sqrt() + (c * two).sqrt()) ** 2) * (1 + arb("1e-12"))),
            "None: a question of accuracy; the error is still negligible in sigma.",
            "One bad factor spoils the product.",
        ),
    ),
    Claim(
        id="hall-2012:section-4.3-transform",
        place="Section 4.3",
        statement="The kernel after mapping the cube into [eta, 1 - eta]^d.",
        printed="phi_sigma^d(pi(x), pi(y)) = phi^d_(sigma/(1 - 2 eta))(x, y)",
        hypotheses="pi(x) = eta + (1 - 2 eta) x",
        check=check_transform,
        formula=lambda eta, d: Fraction(1),
        near=(Near(lambda eta, d: 1 - 2 * eta, "with the factor (1 - 2 eta)"),),
        strength="proved",
        correction=Correction(
            "... = (1 - 2 eta)^(-d) phi^d_(sigma/(1 - 2 eta))(x, y)",
            lambda eta, d: (1 - 2 * eta) ** (-d),
            "None: a constant factor, which a density estimate must undo.",
            "Multiply by (1 - 2 eta)^d, or the estimate does not integrate to 1.",
        ),
    ),
    Claim(
        id="hall-2012:proposition-4.3.3",
        place="Proposition 4.3.3",
        statement="The error of truncating the expansion at frequency m.",
        printed="O((2^d/(m h^d)) e^(-c1 m^2 h^2))",
        hypotheses="uniformly in m and h (no regime is stated)",
        check=check_truncation,
        formula=1,
        near=(Near(0, "with h^(d-1)"),),
        strength="verified",
        correction=Correction(
            "O((2^d/(m h^(d+1))) e^(-c1 m^2 h^2)): the Gaussian tail gives 1/(m h^2), not 1/(m h)",
            2,
            "None: in the regime m = log n/h of (4.12) both are negligible.",
            "For m h bounded the printed bound is too small by 1/h.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:equation-4.12",
        place="(4.12)",
        statement="The number of frequencies that keeps the rate.",
        printed="m = O(log n/h) = O(n^(1/(4+d)) log n)",
        hypotheses="h as in (4.3)",
        check=check_cutoff,
        formula=lambda d: Fraction(1, 4 + d),
        near=(Near(lambda d: Fraction(1, 2 + d), "n^(1/(2+d))"),),
        strength="verified",
    ),
    Claim(
        id="hall-2012:section-4.4.1-scale",
        place="Section 4.4.1",
        statement="The scale of independent Laplace noise on the Fourier coefficients.",
        printed="L ~ Lap(0, n alpha/(2m + 1)^d)",
        hypotheses="alpha-DP",
        check=check_laplace_scale,
        formula=lambda n, alpha, m, d: n * alpha / (2 * m + 1) ** d,
        near=(
            Near(
                lambda n, alpha, m, d: arb((2 * m + 1) ** d) / (n * alpha), "the reciprocal alone, (2m + 1)^d/(n alpha)"
            ),
        ),
        strength="verified",
        correction=Correction(
            "Lap(0, 4m/(n alpha)) for d = 1; Lap(0, 2^(d/2 + 1) (2m + 1)^d/(n alpha)) for any d",
            _laplace_scale,
            "Yes: the printed scale is upside down. It shrinks as alpha does, so the stricter the demand the less "
            "noise is added; "
            "the reciprocal alone is still too small, by the range of the basis functions.",
            "Scale is sensitivity over alpha.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.1-error",
        place="Section 4.4.1",
        statement="The expected integrated squared error of that noise.",
        printed="E int (...)^2 = sum prod lambda_(a_j) L_(a_1..a_d)",
        hypotheses="orthonormal basis",
        check=check_laplace_error,
        formula=lambda w, first, second: w * first,
        near=(Near(lambda w, first, second: w * second, "lambda E L^2"),),
        strength="proved",
        correction=Correction(
            "sum (prod lambda_(a_j))^2 E L^2 = 2 scale^2 sum (prod lambda_(a_j))^2",
            lambda w, first, second: w * w * second,
            "None: accuracy.",
            "Squares are missing on both factors; the mean of L is zero.",
        ),
    ),
    Claim(
        id="hall-2012:section-4.4.1-rate",
        place="Section 4.4.1",
        statement="The order of that error, and in which dimensions it loses the minimax rate.",
        printed="O(m^(3d)/n^2) = O(n^((d-8)/(4+d)) (log n)^(3d)); fails in dimension greater than 3",
        hypotheses="m as in (4.12)",
        check=check_laplace_rate,
        formula=(lambda d: Fraction(d - 8, 4 + d), 3),
        near=(Near((lambda d: Fraction(d - 8, 4 + d), 4), "fails in dimension greater than 4"),),
        strength="proved",
    ),
)

"""Section 4.3, (4.4) to Proposition 4.3.2: the periodic approximation of the Gaussian kernel."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import normal_tail, show

PI2 = 2 * arb.pi() ** 2
OFF = (
    Near(PI2 * arb("1.01"), "2 pi^2 times 1.01"),
    Near(arb.pi() ** 2, "exp(-pi^2 j^2 sigma^2)"),
    Near(2 * arb.pi(), "exp(-2 pi j^2 sigma^2)"),
)


def slip(cause: str = "") -> Correction:
    """pi^2 is missing in the exponent; the proof of Lemma 4.3.1 has it, at a = 2 pi j."""
    return Correction(
        "lambda_2j = lambda_(2j+1) = exp(-2 pi^2 j^2 sigma^2), which is what the proof of Lemma 4.3.1 gives at a = 2 "
        "pi j",
        PI2,
        "None: lambda is public and multiplies noise and data alike; only accuracy changes.",
        "Put pi^2 into the exponent; without it the kernel has bandwidth sigma/pi, and every rate is the same.",
        "verified",
        "slip",
        cause,
    )


def density(x: arb, sigma: arb) -> arb:
    """The density of N(0, sigma^2) at x."""
    return (-x * x / (2 * sigma * sigma)).exp() / (sigma * (2 * arb.pi()).sqrt())


# --- (4.4) ---


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
    return f"inner products of the first {len(basis)} functions, exact (SymPy)"


BASIS = Claim(
    id="hall-2012:equation-4.4",
    place="(4.4)",
    statement="The Fourier basis of the unit interval is orthonormal.",
    printed="1, sqrt(2) cos(2 j pi x), sqrt(2) sin(2 j pi x)",
    hypotheses="x in [0, 1]",
    check=check_basis,
    formula=2,
    near=(Near(1, "without the factor sqrt(2)"), Near(4, "the factor 2"), Near(Fraction(101, 50), "sqrt(2.02)")),
    strength="verified",
    quotation=Quotation(
        "psi_1(x) = 1, psi_{2j}(x) = sqrt(2) cos(2 j pi x), psi_{2j+1}(x) = sqrt(2) sin(2 j pi x), form an orthonormal "
        "basis for the periodic functions."
    ),
)

# --- (4.5) ---


def check_periodic(rate: Any, effort: Effort) -> str:
    """sum lambda_i psi_i(x) psi_i(y), with exp(-rate j^2 sigma^2), against the wrapped Gaussian density."""
    points = list(product(map(arb, ("0.2", "0.5")), map(arb, ("0", "0.2", "0.5"))))
    for sigma, gap in points:
        claimed = 1 + 2 * sum(
            ((-rate * j * j * sigma * sigma).exp() * (2 * arb.pi() * j * gap).cos() for j in range(1, 60)), arb(0)
        )
        wrapped = sum((density(gap + k, sigma) for k in range(-12, 13)), arb(0))
        if not abs(claimed - wrapped) < arb("1e-12"):
            raise Refuted(
                f"sigma = {show(sigma)}, x - y = {show(gap)}: the kernel of these eigenvalues is {show(claimed)}, the "
                f"wrapped Gaussian, which Lemma 4.3.1 wants, {show(wrapped)}."
            )
    return f"{len(points)} values of the kernel against sums of shifted Gaussians (balls); in general Poisson summation"


PERIODIC = Claim(
    id="hall-2012:equation-4.5",
    place="(4.5)",
    statement="The periodic approximation of the Gaussian kernel by its eigenvalues.",
    printed="lambda_2j = lambda_(2j+1) = exp(-2 j^2 sigma^2)",
    hypotheses="the eigenvalues are meant to make Lemma 4.3.1 true",
    check=check_periodic,
    formula=arb(2),
    near=OFF,
    strength="verified",
    correction=slip(),
    quotation=Quotation(
        "lambda_1 = 1, lambda_{2j} = lambda_{2j+1} = exp{-2 j^2 sigma^2}. ... We defined the lambda_i so as to obtain "
        "the "
        "following result.",
        note="A definition is neither true nor false; it is held against the purpose it states.",
    ),
)

# --- Lemma 4.3.1 ---


def check_coefficient(rate: Any, effort: Effort) -> str:
    """exp(-rate j^2 sigma^2) e^(2 pi i j mu) against the integral of phi_sigma(x, mu) e^(2 pi i j x) over R."""
    cases = list(product((arb("0.1"), arb("0.5")), (arb("0.3"), arb("0.7")), range(1, effort.pick(2, 4))))
    for sigma, mu, j in cases:

        def wave(x: acb, _: bool, sigma: arb = sigma, mu: arb = mu, j: int = j) -> acb:
            return (-(x - mu) * (x - mu) / (2 * sigma * sigma)).exp() * (2 * acb.pi() * j * x * acb(0, 1)).exp()

        inside = acb.integral(wave, mu - 12 * sigma, mu + 12 * sigma)
        integral = inside / (sigma * (2 * arb.pi()).sqrt())
        claimed = (-rate * j * j * sigma * sigma).exp() * (2 * acb.pi() * j * mu * acb(0, 1)).exp()
        if not abs(claimed - integral) < arb("1e-12"):  # beyond 12 sigma the density has mass below 1e-30
            raise Refuted(
                f"sigma = {show(sigma)}, mu = {show(mu)}, j = {j}: the integrals against cos and sin are "
                f"{show(integral.real)} and {show(integral.imag)}, the formula gives {show(claimed.real)} and "
                f"{show(claimed.imag)}."
            )
    return f"{len(cases)} pairs of integrals (balls); in general the characteristic function e^(-a^2 sigma^2/2)"


COEFFICIENT = Claim(
    id="hall-2012:lemma-4.3.1",
    place="Lemma 4.3.1, (4.6)",
    statement="The Fourier coefficients of phi~ on [0, 1] are those of phi over R.",
    printed="int over [0,1] of phi~ psi_i = int over R of phi psi_i, with lambda_2j = exp(-2 j^2 sigma^2)",
    hypotheses="(4.5)",
    check=check_coefficient,
    formula=arb(2),
    near=OFF,
    strength="verified",
    correction=slip("hall-2012:equation-4.5"),
    quotation=Quotation(
        "int_{[0,1]} phi~_sigma(x, y) psi_i(x) dx = int_R phi_sigma(x, y) psi_i(x) dx",
        note="Its proof gives exp(-a^2 sigma^2/2) with a = 2 pi j, hence the eigenvalue with pi^2.",
    ),
)

# --- Proposition 4.3.2 ---


def check_approximation(rate: Any, effort: Effort) -> str:
    """The squared error of the periodic kernel as sigma -> 0, against powers of sigma."""
    worst = arb(0)
    for sigma in map(arb, ("0.02", "0.01")):
        terms = 1200  # 12/sigma and more: what is left out is below exp(-2 * 144)
        periodic = (1 + 2 * sum(((-2 * rate * j * j * sigma * sigma).exp() for j in range(1, terms)), arb(0))).sqrt()
        plain = (1 / (2 * arb.pi().sqrt() * sigma)).sqrt()  # over R; over [0, 1] less by 1e-100 at most, mu = 1/2
        gap = (periodic - plain) ** 2
        if gap > sigma**4:
            raise Refuted(
                f"sigma = {show(sigma)}, mu = 1/2: the two kernels have norms {show(periodic)} and {show(plain)}, so "
                f"the squared error is at least {show(gap)}, above sigma^4 = {show(sigma**4)}."
            )
        tails = 2 * sum((density(sigma.sqrt() + k, sigma) for k in range(6)), arb(0))  # x - mu stays sqrt(sigma) from 1
        worst = max(worst, tails**2 / sigma**10, key=lambda z: float(z.mid()))
        if not tails**2 < sigma**10:
            raise Refuted(f"sigma = {show(sigma)}: the tails sum to {show(tails)}.")
    return (
        f"sigma = 0.02 and 0.01: squared error at most {show(worst)} sigma^10 (balls); it is at most a constant times "
        "(e^(-1/(2 sigma))/sigma)^2, below every power"
    )


APPROXIMATION = Claim(
    id="hall-2012:proposition-4.3.2",
    place="Proposition 4.3.2",
    statement="Away from the boundary the periodic approximation is better than any power of sigma.",
    printed="int (phi_sigma - phi~_sigma)^2 = O(sigma^p) for any p, phi~ as in (4.5)",
    hypotheses="sqrt(sigma) < mu < 1 - sqrt(sigma)",
    check=check_approximation,
    formula=arb(2),
    near=OFF,
    strength="verified",
    correction=slip("hall-2012:equation-4.5"),
    quotation=Quotation(
        "For sqrt(sigma) < mu < 1 - sqrt(sigma), we have int_{[0,1]} (phi_sigma(x, mu) - phi~_sigma(x, mu))^2 dx = "
        "O(sigma^p), for any p."
    ),
    rests_on=("hall-2012:lemma-4.3.1",),
)

# --- its proof ---


def check_tail_sum(extra: Any, effort: Effort) -> str:
    """sum over j != 0 of phi_sigma(j, u) against phi(1) + extra + integrals over (-oo, -1] and [2, oo)."""
    points = list(product(map(arb, ("0.05", "0.1", "0.2", "0.3")), map(arb, ("0", "0.1", "0.4"))))
    for sigma, u in points:
        true = sum((density(arb(j) - u, sigma) for j in range(-8, 9) if j), arb(0))
        bound = density(1 - u, sigma) + normal_tail((1 + u) / sigma) + normal_tail((2 - u) / sigma) + extra(u, sigma)
        last = (-1 / (2 * sigma)).exp() / (sigma * (2 * arb.pi()).sqrt()) + 2 * sigma * (-1 / (2 * sigma**2)).exp()
        if not true < last:
            raise AssertionError("the last line of the proof fails")
        if true > bound:
            raise Refuted(
                f"sigma = {show(sigma)}, |mu - x| = {show(u)}: the sum is {show(true)}, the bound {show(bound)}. "
                "The proof's last line, a weaker bound, holds."
            )
    return (
        f"{len(points)} values (balls), and the proof's last line at each; a decreasing sum is at most its first term "
        "plus the integral"
    )


TAIL_SUM = Claim(
    id="hall-2012:section-4.3-tail-sum",
    place="Proposition 4.3.2, proof",
    statement="A sum of Gaussian tails is bounded by integrals.",
    printed="sum over j != 0 of phi(j, u) < phi(1, u) + int over (-oo, -1] + int over [2, oo)",
    hypotheses="u = |mu - x| < 1 - sqrt(sigma)",
    check=check_tail_sum,
    formula=lambda u, sigma: arb(0),
    near=(
        Near(lambda u, sigma: density(2 - u, sigma), "phi(2, u) alone added"),
        Near(lambda u, sigma: arb("0.99") * (density(1 + u, sigma) + density(2 - u, sigma)), "the two terms less 1 %"),
    ),
    strength="verified",
    correction=Correction(
        "add the terms phi(-1, u) + phi(2, u): the integrals bound a decreasing sum from below, not above. The line "
        "after it, with e^(-1/(2 sigma)), holds as printed",
        lambda u, sigma: density(1 + u, sigma) + density(2 - u, sigma),
        "None: the bound that is used holds.",
        "Nothing; the proposition does not change.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "sum_{j != 0} phi_sigma(j, |mu - x|) < phi_sigma(1, |mu - x|) + int_{(-oo,-1]} phi_sigma(j, |mu - x|) dj + "
        "int_{[2,oo)} phi_sigma(j, |mu - x|) dj",
        "restored",
        "In the first term the extraction has 'y mu'.",
    ),
)

CLAIMS = (BASIS, PERIODIC, COEFFICIENT, APPROXIMATION, TAIL_SUM)

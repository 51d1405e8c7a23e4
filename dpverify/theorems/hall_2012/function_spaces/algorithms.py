"""Section 3.2.5: the batch and the online algorithm."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq_mat

from dpverify.enclosures.ball import exact
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.function_spaces.curve import FIX, GAUSSIAN, ROOT, YES, c1, c2, check_variance

BATCH_QUOTED = Quotation(r"\frac{c(\beta)\Delta}{\alpha} \begin{pmatrix} K(x_1, x_1) & \cdots & K(x_1, x_n)")
ONLINE_QUOTED = Quotation(
    r"\tilde{f}_D(x_i) \sim \mathcal{N} (V_i^T C_i^{-1} G_i, K(x_i, x_i) - V_i^T C_i^{-1} V_i).",
    note="G_i holds the values already released, C_i and V_i are of K",
)


def _weights(kernel: Any, points: tuple[Fraction, ...]) -> list[Fraction]:
    """C^-1 V for the last point given the others."""
    *seen, new = points
    if not seen:
        return []
    table = fmpq_mat(len(seen), len(seen), [exact(Fraction(kernel(x, y))) for x in seen for y in seen])
    found = table.solve(fmpq_mat(len(seen), 1, [exact(Fraction(kernel(x, new))) for x in seen]))
    return [Fraction(int(found[i, 0].p), int(found[i, 0].q)) for i in range(len(seen))]


def online(own: Fraction | int, scaled: Any) -> Any:
    """The next value given f, K, s2 = c^2, the released values and all points: its mean and its variance.

    own: the mean is f(x) + V' C^-1 (G - own f), without f for own = 0; scaled(s2) multiplies the variance.
    """

    def law(f: Any, kernel: Any, s2: Fraction, released: Any, points: Any) -> tuple[Fraction, Fraction]:
        weights, new = _weights(kernel, points), points[-1]
        mean = own * f[len(released)] + sum(
            (w * (g - own * x) for w, g, x in zip(weights, released, f, strict=False)), 0
        )
        rest = kernel(new, new) - sum((w * kernel(x, new) for w, x in zip(weights, points, strict=False)), Fraction(0))
        return Fraction(mean), scaled(s2) * rest

    return law


def check_online(law: Any, effort: Effort) -> str:
    """The joint law of the answers, built up one by one, against N(f, s2 K); the mean is affine in the answers."""
    kernels: dict[str, Any] = {"min(x, y)": min, "1/(x + y)": lambda x, y: 1 / (x + y)}
    points = tuple(map(Fraction, ("1", "3", "1/2", "4", "2")))[: effort.pick(4, 5)]
    f, s2 = tuple(map(Fraction, (5, -2, 1, 0, 7))), Fraction(4)
    for name, kernel in kernels.items():
        means: list[Fraction] = []
        covariance: list[list[Fraction]] = []
        for i in range(len(points)):
            here = points[: i + 1]
            start, variance = law(f, kernel, s2, (Fraction(0),) * i, here)
            slopes = [law(f, kernel, s2, tuple(Fraction(j == k) for k in range(i)), here)[0] - start for j in range(i)]
            means.append(start + sum((b * m for b, m in zip(slopes, means, strict=True)), Fraction(0)))
            across = [sum((b * covariance[j][k] for j, b in enumerate(slopes)), Fraction(0)) for k in range(i)]
            for k in range(i):
                covariance[k].append(across[k])
            spread = variance + sum((b * a for b, a in zip(slopes, across, strict=True)), Fraction(0))
            covariance.append([*across, spread])
            if means[i] != f[i]:
                raise Refuted(
                    f"K = {name}, points {', '.join(map(str, here))}: answer {i + 1} has mean {means[i]}, and f is "
                    f"{f[i]} there."
                )
            for k in range(i + 1):
                if covariance[k][i] != s2 * kernel(points[k], points[i]):
                    raise Refuted(
                        f"K = {name}, c^2 = 4: the answers at {points[k]} and {points[i]} have covariance "
                        f"{covariance[k][i]}, and must have {s2 * kernel(points[k], points[i])}."
                    )
    return f"two kernels, {len(points)} points one after the other: the joint law is N(f, c^2 K), exact"


CLAIMS = (
    Claim(
        id="hall-2012:section-3.2.5-batch",
        place="Section 3.2.5, the batch algorithm",
        quotation=BATCH_QUOTED,
        statement="The covariance matrix of the values released in one batch.",
        printed="N((f_D(x_i)), (c(beta) Delta/alpha) (K(x_i, x_j)))",
        hypotheses="c(beta) = sqrt(2 log(2/beta))",
        check=check_variance,
        formula=c1,
        near=(
            Near(lambda *s: c2(*s) / 2, "half of the squared factor"),
            Near(lambda *s: c2(*s) * 99 / 100, "1 % less than the squared factor"),
        ),
        strength="verified",
        rests_on=GAUSSIAN,
        correction=Correction("covariance (c(beta) Delta/alpha)^2 (K(x_i, x_j))", c2, YES, FIX, "verified", cause=ROOT),
    ),
    Claim(
        id="hall-2012:section-3.2.5-online",
        place="Section 3.2.5, the online algorithm: the mean",
        quotation=ONLINE_QUOTED,
        statement="The mean of the next value given those already released.",
        printed="V' C^-1 G",
        hypotheses="G the values already released",
        check=check_online,
        formula=online(0, lambda s2: s2),
        near=(
            Near(online(-1, lambda s2: s2), "with the sign of f turned"),
            Near(online(2, lambda s2: s2), "with twice f"),
            Near(online(Fraction(99, 100), lambda s2: s2), "with f 1 % smaller"),
        ),
        strength="verified",
        correction=Correction(
            "f_D(x_i) + V' C^-1 (G - f_D(x_1..x_(i-1)))",
            online(1, lambda s2: s2),
            "None: as printed nothing of the data is released at all.",
            "Condition the noise, not the release.",
            "verified",
        ),
    ),
    Claim(
        id="hall-2012:section-3.2.5-online-variance",
        place="Section 3.2.5, the online algorithm: the variance",
        quotation=ONLINE_QUOTED,
        statement="The variance of the next value given those already released.",
        printed="K(x_i, x_i) - V' C^-1 V",
        hypotheses="the mean repaired",
        check=check_online,
        formula=online(1, lambda s2: Fraction(1)),
        near=(
            Near(online(1, lambda s2: s2 / 2), "with the factor c"),
            Near(online(1, lambda s2: s2 * 99 / 100), "1 % less"),
            Near(online(1, lambda s2: s2 * s2), "with c^4"),
        ),
        strength="verified",
        rests_on=GAUSSIAN,
        correction=Correction(
            "(c(beta) Delta/alpha)^2 (K(x_i, x_i) - V' C^-1 V)",
            online(1, lambda s2: s2),
            YES.replace("factor c in", "factor c^2 in"),
            "Scale the variance by c^2.",
            "verified",
            cause=ROOT,
        ),
    ),
)

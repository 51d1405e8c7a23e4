"""The poster's figure: f((c - Delta)^2) / f(c^2) for four families, c in (1, 100), Delta = 1.

Source: Reimherr and Awan (2019), poster, section Examples. The ratios are computed as ball
enclosures of the log ratio, so nothing overflows and what is drawn is right to the pixel.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

CURVES: tuple[tuple[str, str, int, dict[str, str]], ...] = (
    ("Student t, nu = 5, d = 2", "student_t", 2, {"nu": "5"}),
    ("Gaussian", "gaussian", 1, {}),
    ("Laplace (l2, any d)", "laplace", 1, {}),
    ("multivariate Laplace, d = 3", "multivariate_laplace", 3, {}),
)
POINTS = 400


def log_ratio(name: str, dimension: int, bound: dict[str, str], c: Fraction) -> float:
    """log f((c - 1)^2) / f(c^2) at sensitivity 1."""
    from dpverify.enclosures import precision
    from dpverify.enclosures.lowering import lower
    from dpverify.generators import Generator
    from dpverify.prover.problem import Problem

    generator = Generator(name, dimension, **bound)
    with precision(120):
        problem = Problem(lower(generator.expression), dimension, Fraction(1))
        return float(problem.loss_at(c - 1, Fraction(1)).mid())


def poster(path: str | Path) -> None:
    """Draw the poster's figure to a PNG or SVG file, the same bytes each time."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "dpverify"
    from matplotlib import pyplot as plt

    steps = [Fraction(round(10**6 * 100 ** (k / POINTS)), 10**6) for k in range(1, POINTS + 1)]
    figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    for (label, name, dimension, bound), style in zip(CURVES, ("-", "--", "-.", ":"), strict=True):
        heights = [log_ratio(name, dimension, bound, c) for c in steps]
        axes.plot([float(c) for c in steps], heights, style, linewidth=2, label=label)
    axes.set_xscale("log")
    axes.set_ylim(0, 4.5)
    axes.set_xlim(1, 100)
    axes.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
    axes.set_xlabel("c")
    axes.set_ylabel(r"$\log\, f((c-\Delta)^2)\, /\, f(c^2)$,   $\Delta = 1$")
    axes.set_title("Bounded ratio: private.  Unbounded: private for no epsilon.", fontsize=11)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper right", framealpha=0.95)
    path = Path(path)
    metadata = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    figure.savefig(path, dpi=150, metadata=metadata)
    plt.close(figure)

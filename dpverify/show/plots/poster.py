"""The poster's figure: f((c - delta)^2) / f(c^2) for four families, c in (1, 100), delta = 1.

Source: Reimherr and Awan (2019), poster, section Examples.
"""

from __future__ import annotations

from pathlib import Path

from dpverify.generators import Generator
from dpverify.show.plots.families import draw_log_ratio

CURVES = {
    "Student t, nu = 5, d = 2: private": Generator("student_t", 2, parameters={"nu": 5}),
    "Gaussian: private for no ε": Generator("gaussian", 1),
    "Laplace (ℓ₂ norm, any d): private": Generator("laplace", 1),
    "multivariate Laplace, d = 3: for no ε": Generator("multivariate_laplace", 3),
}


def poster(path: str | Path) -> None:
    """Draw the poster's figure to a PNG or SVG file, the same bytes each time."""
    draw_log_ratio(CURVES, path, to=100, logarithmic="x", heights=(0, 4.5))

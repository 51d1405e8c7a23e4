"""Families that people look for and that have no generator in the language: for which of their members there is one."""

from __future__ import annotations

ABSENT = {
    "symmetric stable": "its density has a closed form for alpha = 1 (cauchy) and alpha = 2 (gaussian) only",
    "Linnik": "its characteristic function is 1/(1 + |t|^alpha); its density has a closed form for alpha = 2 only "
    "(multivariate_laplace), and a pole at its centre where alpha <= d",
}
"""The name, and what can be said instead."""

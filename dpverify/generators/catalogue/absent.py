"""Families that people look for and that have no generator in the language: for which of their members there is one."""

from __future__ import annotations

ABSENT = {
    "symmetric stable": "a generator in closed form exists for alpha = 1 (cauchy) and alpha = 2 (gaussian) only; "
    "as Gaussian scale mixtures they are beyond --mixing too, which takes densities and atoms",
    "Linnik": "its characteristic function is 1/(1 + t^alpha); a generator exists for alpha = 2 only "
    "(multivariate_laplace), and for alpha < 2 the density has a pole at its centre in every dimension d >= alpha",
    "Levy": "one-sided; no elliptical law",
}
"""The name, and what can be said instead."""

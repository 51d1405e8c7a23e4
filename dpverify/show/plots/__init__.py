"""Plots of families, of certificates and of calibrations, their curves computed by balls. A plot proves nothing."""

from dpverify.show.plots.families import draw, draw_log_ratio, draw_potential, log_ratio, potential
from dpverify.show.plots.poster import poster

__all__ = ["draw", "draw_log_ratio", "draw_potential", "log_ratio", "poster", "potential"]

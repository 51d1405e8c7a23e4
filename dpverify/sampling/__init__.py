"""Samplers of elliptical noise, in the manners of scipy.stats."""

from dpverify.sampling.density import log_density
from dpverify.sampling.elliptical import EllipticalNoise
from dpverify.sampling.radius import RadialLaw

__all__ = ["EllipticalNoise", "RadialLaw", "log_density"]

"""Samplers of elliptical noise, in the manners of scipy.stats."""

from dpverify.noise.density import log_density
from dpverify.noise.elliptical import EllipticalNoise
from dpverify.noise.radius import RadialLaw

__all__ = ["EllipticalNoise", "RadialLaw", "log_density"]

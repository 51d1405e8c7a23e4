"""Exact release: lattice points whose epsilon is the certificate's, from the operating system's random bits."""

from dpverify.errors import Refused
from dpverify.sampling.exact.bits import BitsExhausted
from dpverify.sampling.exact.noise import Drawn, ExactNoise

__all__ = ["BitsExhausted", "Drawn", "ExactNoise", "Refused"]

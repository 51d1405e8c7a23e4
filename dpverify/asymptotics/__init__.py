"""Rigorous models of functions at infinity and at zero (as t = 1/r grows)."""

from dpverify.asymptotics.germ import CONSTANT, LOG_T, SCALES, Eventually, Germ, OnePhase, Phase
from dpverify.asymptotics.model import Model

__all__ = ["CONSTANT", "LOG_T", "SCALES", "Eventually", "Germ", "Model", "OnePhase", "Phase"]

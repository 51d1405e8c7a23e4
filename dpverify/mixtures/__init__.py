"""Gaussian scale mixtures X = V Z: from a law of V > 0 to a verdict on f_d in dimension d.

law          text -> a density p of V, or finitely many atoms
ends         models of p at zero and at infinity: moments, and the tail
canonical    p as a sum of c v^k exp(-a v^2 - b/v^2), where it is one
recognise    such a sum -> f_d as a formula, by a named lemma; the prover takes it from there
quadrature   otherwise: f_d and its slope at a radius, by rigorous integration
tail         a bound of the slope of -log f_d on [R, oo)
supremum     epsilon between the two
decide       the way through all of it
"""

from dpverify.mixtures.decide import decide
from dpverify.mixtures.law import Mixing

__all__ = ["Mixing", "decide"]

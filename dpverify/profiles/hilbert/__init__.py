"""Profiles in infinite dimension, of Gaussian scale mixtures X = V Z in a Hilbert space (Theorem C).

mean      E[F(s/V)] by Arb: a law of V, and a function F of the shift that the Gaussian then sees
profile   delta(eps) as such a mean
measures  Renyi divergences, the trade-off function, rho and mu
certify   panels of V that the kernel replays
ask       from what was asked to an answer
"""

from dpverify.profiles.hilbert.ask import Asked, in_hilbert_space, law_of

__all__ = ["Asked", "in_hilbert_space", "law_of"]

"""Profiles of Gaussian scale mixtures X = V Z in d dimensions, V of any density.

atoms    the law of V replaced by finitely many atoms, and how far the mixture is off
sums     a sum of Gaussians as the panels of a profile see it
profile  delta(eps) of the mixture from that of the sum
certify  atoms and panels that the kernel replays
ask      from what was asked to an answer
"""

from dpverify.profiles.blends.ask import in_space

__all__ = ["in_space"]

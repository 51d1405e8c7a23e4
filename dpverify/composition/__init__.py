"""What several releases guarantee together, from their certificates."""

from dpverify.composition.releases import compose
from dpverify.composition.whole import Sampling

__all__ = ["Sampling", "compose"]

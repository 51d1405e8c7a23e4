"""What several releases guarantee together, from their certificates."""

from dpverify.composition.releases import compose

__all__ = ["compose"]

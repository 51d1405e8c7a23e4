"""What several releases guarantee together, from their certificates."""

from dpverify.composition.compose import compose

__all__ = ["compose"]

"""The version, a leaf, so that what writes it into a certificate need not ask the top of the package."""

__version__ = "0.1.0"

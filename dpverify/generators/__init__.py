"""Generators of elliptical noise, and the catalogue of named families."""

from dpverify.generators.catalogue import ClosedForm, Family, ParameterSpec, families, family_of
from dpverify.generators.generator import Generator

__all__ = ["ClosedForm", "Family", "Generator", "ParameterSpec", "families", "family_of"]

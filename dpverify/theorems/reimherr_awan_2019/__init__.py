"""Reimherr and Awan (2019): the paper, its supplement and its poster."""

from dpverify.theorems.reimherr_awan_2019 import examples, finite_dimensions, infinite_dimensions, spaces

CLAIMS = (*spaces.CLAIMS, *finite_dimensions.CLAIMS, *examples.CLAIMS, *infinite_dimensions.CLAIMS)

"""Awan, Kenney, Reimherr and Slavkovic (2019)."""

from dpverify.theorems.awan_2019 import components, mechanism, utility

CLAIMS = (*mechanism.CLAIMS, *utility.CLAIMS, *components.CLAIMS)

"""Instruments of the checks: exact finite probability, balls, the Gaussian curve, certified programmes."""

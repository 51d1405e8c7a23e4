"""Hall (2012), chapter 1: what differential privacy says, and the basic methods, section by section."""

from dpverify.theorems.hall_2012.basics import (
    composition,
    exponential,
    failure_sets,
    gaussian_noise,
    k_norm,
    linear_programmes,
    noise_addition,
    techniques,
    tests_of_hypotheses,
)

CLAIMS = (
    *tests_of_hypotheses.CLAIMS,
    *failure_sets.CLAIMS,
    *composition.CLAIMS,
    *noise_addition.CLAIMS,
    *gaussian_noise.CLAIMS,
    *k_norm.CLAIMS,
    *exponential.CLAIMS,
    *linear_programmes.CLAIMS,
    *techniques.CLAIMS,
)

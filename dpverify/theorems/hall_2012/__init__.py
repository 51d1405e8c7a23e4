"""Hall (2012), the thesis, chapter by chapter."""

from dpverify.theorems.hall_2012 import (
    counting,
    kernel_density,
    fourier_kernel,
    fourier_cube,
    truncation,
    coefficient_noise,
    functions,
    histograms,
    noise,
    orbitope,
    privacy,
    random_privacy,
    sampler,
)

CLAIMS = (
    *privacy.CLAIMS,
    *noise.CLAIMS,
    *counting.CLAIMS,
    *histograms.CLAIMS,
    *functions.CLAIMS,
    *kernel_density.CLAIMS,
    *fourier_kernel.CLAIMS,
    *fourier_cube.CLAIMS,
    *truncation.CLAIMS,
    *coefficient_noise.CLAIMS,
    *orbitope.CLAIMS,
    *sampler.CLAIMS,
    *random_privacy.CLAIMS,
)

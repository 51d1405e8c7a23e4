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
    caratheodory_body,
    caratheodory_rate,
    orbitope_inertia,
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
    *caratheodory_body.CLAIMS,
    *caratheodory_rate.CLAIMS,
    *orbitope_inertia.CLAIMS,
    *sampler.CLAIMS,
    *random_privacy.CLAIMS,
)

"""Hall (2012), the thesis, chapter by chapter."""

from dpverify.theorems.hall_2012 import (
    counting,
    fourier,
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
    *fourier.CLAIMS,
    *orbitope.CLAIMS,
    *sampler.CLAIMS,
    *random_privacy.CLAIMS,
)

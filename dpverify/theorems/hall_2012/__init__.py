"""Hall (2012), the thesis, chapter by chapter."""

from dpverify.theorems.hall_2012 import (
    basics,
    discrete,
    fourier,
    function_spaces,
    orbitope,
    random_privacy,
    sampler,
)

CLAIMS = (
    *basics.CLAIMS,
    *discrete.CLAIMS,
    *function_spaces.CLAIMS,
    *fourier.CLAIMS,
    *orbitope.CLAIMS,
    *sampler.CLAIMS,
    *random_privacy.CLAIMS,
)

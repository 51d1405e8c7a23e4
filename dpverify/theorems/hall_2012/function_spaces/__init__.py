"""Hall (2012), chapter 3: functions in a reproducing kernel Hilbert space, section by section."""

from dpverify.theorems.hall_2012.function_spaces import (
    algorithms,
    densities,
    expansions,
    minimisers,
    noise,
    process,
    sobolev,
    values,
)

CLAIMS = (
    *expansions.CLAIMS,
    *noise.CLAIMS,
    *process.CLAIMS,
    *values.CLAIMS,
    *algorithms.CLAIMS,
    *densities.CLAIMS,
    *sobolev.CLAIMS,
    *minimisers.CLAIMS,
)

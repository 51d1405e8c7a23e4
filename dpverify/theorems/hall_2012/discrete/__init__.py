"""Hall (2012), chapter 2: risk, and lower bounds for counts, histograms and margins, section by section."""

from dpverify.theorems.hall_2012.discrete import (
    counting_bounds,
    histograms,
    information,
    margins,
    minimax_methods,
    risk,
    sparse_histograms,
)

CLAIMS = (
    *risk.CLAIMS,
    *information.CLAIMS,
    *counting_bounds.CLAIMS,
    *minimax_methods.CLAIMS,
    *histograms.CLAIMS,
    *sparse_histograms.CLAIMS,
    *margins.CLAIMS,
)

"""A certificate as a privacy loss distribution of Google's dp_accounting, pessimistic.

Every epsilon-DP mechanism is dominated by randomised response at epsilon (Kairouz, Oh and Viswanath 2015), so
that its distribution is too. The rigour of a certificate ends where dp_accounting begins: it rounds in floats,
and at its first FFT nothing is proved any more. For proved composition stay with exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.export.outward import float_above
from dpverify.export.python_text import PROVENANCE, bytes_literal
from dpverify.sampling.exact.certified import Certified, bytes_of, certified

INTERVAL = 1e-4


def privacy_loss_distribution(source: str | Path | bytes | Mapping[str, Any], interval: float = INTERVAL) -> Any:
    """The PrivacyLossDistribution of a certificate, rounded up to multiples of `interval`.

    Raises Refused for a certificate that does not hold or proves no epsilon.
    """
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    (epsilon, delta) = dominating_points(certified(source))[0]
    parameters = common.DifferentialPrivacyParameters(float_above(epsilon), float_above(delta))
    return pld.from_privacy_parameters(parameters, value_discretization_interval=interval)


def dominating_points(claim: Certified) -> list[tuple[Fraction, Fraction]]:
    """Points (epsilon, delta) that are proved of the mechanism: of a pure certificate the one at delta = 0."""
    return [(claim.upper, Fraction(0))]


def text(source: str | Path | bytes | Mapping[str, Any]) -> str:
    """A Python file that makes the distribution, with the certificate in it; raises Refused as above."""
    claim = certified(source)
    return f'''"""The privacy loss distribution of a privacy certificate: `distribution`, a pessimistic one.

Certificate sha256 {claim.sha256},
which the kernel checks again whenever this file runs. {PROVENANCE}
Rigour ends at dp_accounting's first FFT: what it composes is computed in floats, and no longer proved.
"""

from dpverify.export.dp_accounting import privacy_loss_distribution

CERTIFICATE = {bytes_literal(bytes_of(source)[0])}

distribution = privacy_loss_distribution(CERTIFICATE)
'''

"""A certificate as a privacy loss distribution of Google's dp_accounting, pessimistic.

Every epsilon-DP mechanism is dominated by randomised response at epsilon (Kairouz, Oh and Viswanath 2015), so
that its distribution is too; an (epsilon, delta)-private one by the same with a loss of infinity of mass delta.
The rigour of a certificate ends where dp_accounting begins: it rounds in floats,
and at its first FFT nothing is proved any more. For proved composition stay with exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.export.outward import float_above
from dpverify.export.python_text import PROVENANCE, arguments
from dpverify.language import parse_rational
from dpverify.sampling.exact.certified import certified

INTERVAL = 1e-4


def privacy_loss_distribution(
    source: str | Path | bytes | Mapping[str, Any], interval: float = INTERVAL, *, epsilon: object = None
) -> Any:
    """The PrivacyLossDistribution of a certificate, rounded up to multiples of `interval`.

    `epsilon` is the point of a profile that is meant, where it has several. Raises Refused for a
    certificate that does not hold or proves no epsilon.
    """
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    claim = certified(source, None if epsilon is None else parse_rational(epsilon, "the epsilon"))
    parameters = common.DifferentialPrivacyParameters(float_above(claim.upper), float_above(claim.delta))
    return pld.from_privacy_parameters(parameters, value_discretization_interval=interval)


def text(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None) -> str:
    """A Python file that makes the distribution, with the certificate in it; raises Refused as above."""
    claim = certified(source, epsilon)
    return f'''"""The privacy loss distribution of a privacy certificate: `distribution`, a pessimistic one.

Certificate sha256 {claim.sha256},
which the kernel checks again whenever this file runs. {PROVENANCE}
Rigour ends at dp_accounting's first FFT: what it composes is computed in floats, and no longer proved.
"""

from dpverify.export.dp_accounting import privacy_loss_distribution

{arguments(source, epsilon)}

distribution = privacy_loss_distribution(CERTIFICATE, epsilon=EPSILON)
'''

"""dpverify: a proof of the exact epsilon of elliptical noise, or a proof that there is none.

>>> import dpverify
>>> result = dpverify.verify("exp(-sqrt(y))", dimension=3, sensitivity="1/2")
>>> result.verdict, result.epsilon.decimal
('private', '0.500000000000')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from dpverify.api import CheckReport, check, formula, verify
    from dpverify.calibration import Calibration, Curve, Refusal, calibrate, compare, curve
    from dpverify.composition import compose
    from dpverify.errors import DpverifyError, InputError
    from dpverify.generators import Generator, families
    from dpverify.mahalanobis import Sensitivity, sensitivity
    from dpverify.mixtures import Mixing
    from dpverify.profiles import Profile, profile
    from dpverify.results import Result

_HOMES = {
    "verify": "dpverify.api",
    "check": "dpverify.api",
    "formula": "dpverify.api",
    "CheckReport": "dpverify.api",
    "calibrate": "dpverify.calibration",
    "compare": "dpverify.calibration",
    "curve": "dpverify.calibration",
    "Curve": "dpverify.calibration",
    "Calibration": "dpverify.calibration",
    "Refusal": "dpverify.calibration",
    "sensitivity": "dpverify.mahalanobis",
    "Sensitivity": "dpverify.mahalanobis",
    "DpverifyError": "dpverify.errors",
    "InputError": "dpverify.errors",
    "Generator": "dpverify.generators",
    "families": "dpverify.generators",
    "Mixing": "dpverify.mixtures",
    "Profile": "dpverify.profiles",
    "compose": "dpverify.composition",
    "profile": "dpverify.profiles",
    "Result": "dpverify.results",
}

__all__ = [
    "Calibration",
    "CheckReport",
    "Curve",
    "DpverifyError",
    "Generator",
    "InputError",
    "Mixing",
    "Profile",
    "Refusal",
    "Result",
    "Sensitivity",
    "__version__",
    "calibrate",
    "check",
    "compare",
    "compose",
    "curve",
    "families",
    "formula",
    "profile",
    "sensitivity",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'dpverify' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)

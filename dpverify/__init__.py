"""dpverify: a proof of the exact epsilon of elliptical noise, or a proof that there is none.

>>> import dpverify
>>> result = dpverify.verify("exp(-sqrt(y))", dimension=3, sensitivity="1/2")
>>> result.verdict, result.epsilon.decimal
('private', '0.500000000000')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpverify.shown import answer_with
from dpverify.version import __version__

if TYPE_CHECKING:
    from dpverify.api import CheckReport, check, formula, verify
    from dpverify.audit import audit
    from dpverify.calibration import Calibration, Curve, Refusal, calibrate, compare, curve
    from dpverify.composition import compose
    from dpverify.errors import DpverifyError, InputError
    from dpverify.export import export
    from dpverify.generators import Generator, families
    from dpverify.mahalanobis import Sensitivity, sensitivity
    from dpverify.mixtures import Mixing
    from dpverify.profiles import Profile, profile
    from dpverify.recognition import Recognised, recognise
    from dpverify.results import Result, Verdict
    from dpverify.show.filed import report

_HOMES = {
    "audit": "dpverify.audit",
    "export": "dpverify.export",
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
    "report": "dpverify.show.filed",
    "sensitivity": "dpverify.mahalanobis",
    "Sensitivity": "dpverify.mahalanobis",
    "DpverifyError": "dpverify.errors",
    "InputError": "dpverify.errors",
    "Generator": "dpverify.generators",
    "families": "dpverify.generators",
    "Mixing": "dpverify.mixtures",
    "recognise": "dpverify.recognition",
    "Recognised": "dpverify.recognition",
    "Profile": "dpverify.profiles",
    "compose": "dpverify.composition",
    "profile": "dpverify.profiles",
    "Result": "dpverify.results",
    "Verdict": "dpverify.results",
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
    "Recognised",
    "Refusal",
    "Result",
    "Sensitivity",
    "Verdict",
    "__version__",
    "audit",
    "calibrate",
    "check",
    "compare",
    "compose",
    "curve",
    "export",
    "families",
    "formula",
    "profile",
    "recognise",
    "report",
    "sensitivity",
    "verify",
]


def _shown(value: object, form: str) -> str:
    from dpverify.show.notebook import answer

    return answer(value, form)


answer_with(_shown)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'dpverify' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if _HOMES[name] == f"dpverify.{name}" else getattr(home, name)


def __dir__() -> list[str]:
    """The public names, though most are imported when they are first used."""
    return sorted(__all__)

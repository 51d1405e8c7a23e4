"""What a proved epsilon is for: the scale that a target needs, the curve, and families compared by their noise."""

from dpverify.calibration.comparison import Compared, compare
from dpverify.calibration.curves import Curve, CurvePoint, curve
from dpverify.calibration.refusal import Refusal
from dpverify.calibration.scale import Calibration, calibrate
from dpverify.calibration.sized import Sized, of_size

__all__ = [
    "Calibration",
    "Compared",
    "Curve",
    "CurvePoint",
    "Refusal",
    "Sized",
    "calibrate",
    "compare",
    "curve",
    "of_size",
]

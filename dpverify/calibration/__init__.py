"""What a proved epsilon is for: the scale that a target needs, the curve, and families compared by their noise."""

from dpverify.calibration.scale import Calibration, NoScale, calibrate

__all__ = ["Calibration", "NoScale", "calibrate"]

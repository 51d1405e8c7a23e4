"""Approximate privacy with the same promise: delta(eps) and eps(delta) of one release, enclosed and certified."""

from dpverify.profiles.ask import profile
from dpverify.profiles.result import Enclosed, Point, Profile

__all__ = ["Enclosed", "Point", "Profile", "profile"]

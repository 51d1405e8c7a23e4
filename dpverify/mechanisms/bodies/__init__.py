"""Symmetric convex bodies, for the K-norm mechanism: their gauges in exact arithmetic, uniform points in floats."""

from dpverify.mechanisms.bodies.balls import Ball, Ellipsoid
from dpverify.mechanisms.bodies.body import Body
from dpverify.mechanisms.bodies.polytopes import Polytope
from dpverify.mechanisms.bodies.zonotopes import Zonotope

__all__ = ["Ball", "Body", "Ellipsoid", "Polytope", "Zonotope"]

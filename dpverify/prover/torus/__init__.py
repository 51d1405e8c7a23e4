"""Waves whose phases do not hang together: f and its loss on cells of the torus of their phases (Theorem A)."""

from dpverify.prover.torus.tail import (
    FreeTail,
    bounds_for_all_phases,
    falls_for_all_phases,
    free_tail,
    has_several_lines,
    lines_of,
    prefers_freedom,
)

__all__ = [
    "FreeTail",
    "bounds_for_all_phases",
    "falls_for_all_phases",
    "free_tail",
    "has_several_lines",
    "lines_of",
    "prefers_freedom",
]

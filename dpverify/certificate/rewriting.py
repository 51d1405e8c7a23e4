"""What f is rewritten into before it is charted: each rewriting with its step, as the kernel replays them in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpverify.certificate.absent import absent
from dpverify.certificate.alike import sums
from dpverify.certificate.angles import of_one_angle
from dpverify.certificate.common import sharing
from dpverify.certificate.conjugates import differences
from dpverify.certificate.exponents import of_logarithms
from dpverify.certificate.factorings import factorings, with_radicals
from dpverify.certificate.logarithms import of_quotients
from dpverify.certificate.noughts import noughts
from dpverify.certificate.pieces import in_pieces
from dpverify.certificate.softplus import with_softplus
from dpverify.certificate.vertices import about_vertices
from dpverify.kernel.sections import absent as absent_parts
from dpverify.kernel.sections import (
    algebra,
    alike,
    angles,
    common,
    conjugates,
    exponents,
    logarithms,
    nothing,
    pieces,
    radicals,
    softplus,
    vertices,
)
from dpverify.kernel.sections.charts import Subject

REWRITINGS: tuple[tuple[str, Callable[[Any], Any], Callable[[Any, Any], Any]], ...] = (
    ("absent", absent, absent_parts.rewritten),
    ("alike", sums, alike.rewritten),
    ("angles", of_one_angle, angles.rewritten),
    ("common", sharing, common.rewritten),
    ("conjugates", differences, conjugates.rewritten),
    ("exponents", of_logarithms, exponents.rewritten),
    ("factored", factorings, algebra.factored),
    ("logarithms", of_quotients, logarithms.rewritten),
    ("noughts", noughts, nothing.rewritten),
    ("pieces", in_pieces, pieces.rewritten),
    ("radicals", with_radicals, radicals.rewritten),
    ("softplus", with_softplus, softplus.rewritten),
    ("vertices", about_vertices, vertices.rewritten),
)
"""The step's name, what finds it in a tree, and the kernel's rule that follows it."""


def rewrite(subject: Subject) -> dict[str, Any]:
    """Rewrite the subject's tree as far as that helps; the steps that say so."""
    steps = {}
    for name, found, follow in REWRITINGS:
        step = _once(found(subject.tree))
        if step:
            subject.tree = follow(subject.tree, step)
            steps[name] = step
    subject.number()
    return steps


def _once(step: Any) -> Any:
    """The step, each of its nodes named once: what rewriting has copied is several nodes of one number."""
    if isinstance(step, dict):
        return {name: _once(value) for name, value in step.items()}
    return [entry for i, entry in enumerate(step) if entry not in step[:i]] if isinstance(step, list) else step

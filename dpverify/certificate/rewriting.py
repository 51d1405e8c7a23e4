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
from dpverify.certificate.relative import with_both_signs
from dpverify.certificate.softplus import with_softplus
from dpverify.certificate.vertices import about_vertices
from dpverify.kernel.sections.charts import REREADINGS, Subject

REWRITINGS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("absent", absent),
    ("alike", sums),
    ("angles", of_one_angle),
    ("common", sharing),
    ("conjugates", differences),
    ("exponents", of_logarithms),
    ("factored", factorings),
    ("logarithms", of_quotients),
    ("noughts", noughts),
    ("pieces", in_pieces),
    ("radicals", with_radicals),
    ("relative", with_both_signs),
    ("softplus", with_softplus),
    ("vertices", about_vertices),
)
"""The step's name, and what finds it in f's tree, or in every tree of the text."""


def rewrite(subject: Subject) -> dict[str, Any]:
    """Rewrite the subject's trees as far as that helps; the steps that say so."""
    steps = {}
    for name, found in REWRITINGS:
        step = _once(found(subject.reader.roots(subject.tree) if name in REREADINGS else subject.tree))
        if step:
            subject.follow(name, step)
            steps[name] = step
    subject.number()
    return steps


def _once(step: Any) -> Any:
    """The step, each of its nodes named once: what rewriting has copied is several nodes of one number."""
    if isinstance(step, dict):
        return {name: _once(value) for name, value in step.items()}
    return [entry for i, entry in enumerate(step) if entry not in step[:i]] if isinstance(step, list) else step

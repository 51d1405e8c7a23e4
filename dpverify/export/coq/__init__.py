"""Certificates as Coq files (Debian's coq 8.16 with libcoq-interval 4.6).

The proof is by reflection. `library/` holds, with its soundness proof, a small checker written in
Coq: expressions and their derivatives, intervals on boxes, models at both ends. An export states
the claim in ordinary notation and lets Coq's kernel run that checker. `plan` chooses the radii, and
tries them out in Python so that nothing is written that coqc would reject.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.errors import InputError
from dpverify.export.coq import certificate as one_epsilon
from dpverify.export.coq.claim import is_profile


def export(certificate: Mapping[str, Any], *, alone: bool = True, epsilon: Fraction | None = None) -> str:
    """The Coq file that states and proves a certificate's claim, of a pure epsilon or of a profile's points.

    A file that stands alone carries the library's text, any other loads the compiled library; epsilon
    picks one point of a profile. The certificate is taken as accepted by the checker. Raises
    InputError, with the reason, for a claim that the Coq library does not cover.
    """
    if is_profile(certificate):
        from dpverify.export.coq import profile

        return profile.export(certificate, epsilon, alone)
    if epsilon is not None:
        raise InputError("an epsilon picks a point of a profile's certificate, which this is not")
    return one_epsilon.export(certificate, alone=alone)


__all__ = ["export"]

"""A certificate in somebody else's form: a proof in Coq, a measurement, a distribution, a record, a statement."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from dpverify.api import check
from dpverify.called import Called
from dpverify.errors import InputError
from dpverify.export import coq
from dpverify.language import parse_rational

SYSTEMS = {"coq": coq.export}
WRITERS = {"opendp": "opendp", "dp-accounting": "dp_accounting", "registry": "registry", "in-toto": "in_toto"}
"""The systems that prove nothing themselves, and their modules."""

sys.modules[__name__].__class__ = Called


def export(
    certificate: str | Path | bytes | Mapping[str, Any], to: str = "coq", *, alone: bool = True, epsilon: object = None
) -> str:
    """A certificate as a file of another system, once the kernel has accepted it: with its proof, where that is Coq.

    Args:
        certificate: a file, a file's bytes, or data, as `check` takes it.
        to: "coq", "opendp", "dp-accounting", "registry" or "in-toto".
        alone: for Coq, whether the text carries the library that its proof needs, or loads it compiled.
        epsilon: which point of a profile certificate is meant, where it has several.

    Raises InputError for a certificate that the kernel rejects (Refused, for systems beside Coq), and for a claim
    that the system's library does not cover.
    """
    point = None if epsilon is None else parse_rational(epsilon, "the epsilon")
    if to in WRITERS:
        written: str = import_module(f"{__name__}.{WRITERS[to]}").text(certificate, point)
        return written
    if to not in SYSTEMS:
        raise InputError(f"there is no export to {to!r}; there is: {', '.join([*SYSTEMS, *WRITERS])}")
    report = check(certificate)
    if not report.accepted:
        raise InputError(f"the certificate is rejected: {report.refusal()}")
    return SYSTEMS[to](report.content(), alone=alone, epsilon=point)


__all__ = ["SYSTEMS", "WRITERS", "export"]

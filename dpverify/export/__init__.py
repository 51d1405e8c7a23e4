"""A certificate's claim, stated and proved again in somebody else's proof system."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpverify.api import check
from dpverify.called import Called
from dpverify.errors import InputError
from dpverify.export import coq

SYSTEMS = {"coq": coq.export}

sys.modules[__name__].__class__ = Called


def export(certificate: str | Path | bytes | Mapping[str, Any], to: str = "coq", *, alone: bool = True) -> str:
    """A certificate's claim and its proof as a file of another proof system, once the kernel has accepted it.

    Args:
        certificate: a file, a file's bytes, or data, as `check` takes it.
        to: the system; "coq" is the only one.
        alone: whether the text carries the library that its proof needs, or loads it compiled.

    Raises InputError for a certificate that the kernel rejects, and for a claim that the system's library
    does not cover.
    """
    if to not in SYSTEMS:
        raise InputError(f"there is no export to {to!r}; there is: {', '.join(SYSTEMS)}")
    report = check(certificate)
    if not report.accepted:
        raise InputError(f"the certificate is rejected: {report.refusal()}")
    return SYSTEMS[to](report.content(), alone=alone)


__all__ = ["SYSTEMS", "export"]

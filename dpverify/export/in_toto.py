"""A certificate as an in-toto Statement v1: its bytes are the subject, and the kernel's replay the test that passed.

The predicate is in-toto's own Test Result v0.1. A statement says what was found here; it proves nothing
by itself, and is to be signed by whoever makes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify import source as kernel
from dpverify.sampling.exact.certified import certified

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"


def statement(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None) -> dict[str, Any]:
    """The statement as plain data; raises Refused for a certificate that does not hold or proves no epsilon.

    `epsilon` is the point of a profile that is meant, where it has several.
    """
    claim = certified(source, epsilon)
    name = Path(source).name if isinstance(source, str | Path) else "certificate.json"
    generator = claim.generator
    proved = {
        "generator": generator.text,
        "parameters": {key: str(value) for key, value in generator.parameters.items()},
        "dimension": generator.dimension,
        "sensitivity": str(claim.sensitivity),
        "scale": str(claim.scale),
        "epsilon": {"lower": str(claim.lower), "upper": str(claim.upper)},
        "delta": {"upper": str(claim.delta)},
        "assumptions": list(claim.assumptions),
    }
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"sha256": claim.sha256}}],
        "predicateType": PREDICATE,
        "predicate": {
            "result": "PASSED",
            "configuration": [
                {"name": kernel.PACKED, "digest": {"sha256": kernel.digest()}, "annotations": {"proved": proved}}
            ],
            "passedTests": [
                f"the kernel accepts the certificate: delta({claim.upper}) <= {claim.delta}"
                if claim.delta
                else f"the kernel accepts the certificate: epsilon <= {claim.upper}"
            ],
        },
    }


def text(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None) -> str:
    """The statement in JSON."""
    return json.dumps(statement(source, epsilon), indent=1) + "\n"

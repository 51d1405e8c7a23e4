"""A certificate as a record for the Differential Privacy Deployments Registry (registry.opendp.org), a draft.

What a certificate proves is filled in; what only the curator knows says so, and has to be completed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.export.outward import float_above
from dpverify.sampling.exact.certified import Certified, certified

ASKED = "To be completed by the curator"


def record(
    source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None, published: date | None = None
) -> dict[str, Any]:
    """The record as plain data; raises Refused for a certificate that does not hold or proves no epsilon.

    `epsilon` is the point of a profile that is meant, where it has several.
    """
    claim = certified(source, epsilon)
    day = datetime.now(UTC).date() if published is None else published
    return {
        "url_slug": f"dpverify-{claim.sha256[:16]}",
        "status": "Draft",
        "tier": 1,
        "deployment": {
            "basic": {
                "name": ASKED,
                "data_curators": [ASKED],
                "description": ASKED,
                "intended_use": ASKED,
                "data_product_type": "Summary statistics",
                "data_product_region": ASKED,
                "publication_date": day.isoformat(),
            },
            "dp_variant": {"variant_name": "Approximate DP" if claim.delta else "Pure DP"},
            "privacy_loss": {
                "privacy_unit": f"{ASKED}: whatever moves the statistic by at most {claim.sensitivity}",
                "privacy_unit_details": (
                    f"The certificate speaks of inputs of {claim.generator.dimension} number(s) at a Mahalanobis "
                    f"distance of at most {claim.sensitivity}. That adjacent datasets are no further apart is the "
                    "curator's claim, not the certificate's."
                ),
                "privacy_parameters": _parameters(claim),
                "privacy_parameters_details": (
                    f"delta({claim.upper}) <= {claim.delta}, proved."
                    if claim.delta
                    else f"{claim.lower} <= epsilon <= {claim.upper}, proved."
                ),
            },
            "implementation": {"mechanisms": _mechanism(claim)},
            "administrative": {
                "notes": f"Proved by the certificate with SHA-256 {claim.sha256}. {_assumptions(claim)}",
                "registry_authors": [ASKED],
            },
        },
    }


def _parameters(claim: Certified) -> dict[str, float]:
    pure = {"epsilon": float_above(claim.upper)}
    return {**pure, "delta": float_above(claim.delta)} if claim.delta else pure


def _mechanism(claim: Certified) -> str:
    g = claim.generator
    parameters = "".join(f", {name} = {value}" for name, value in g.parameters.items())
    return (
        f"Additive elliptical noise with density proportional to f(x'x), f(y) = {g.text}{parameters}, in "
        f"{g.dimension} dimension(s), at scale {claim.scale}. The certificate is about real numbers; the exact "
        "sampler of dpverify releases lattice points, for which it holds unchanged, and is not affected by floating "
        "point errors. Timing channels are not closed."
    )


def _assumptions(claim: Certified) -> str:
    return f"It assumes: {'; '.join(claim.assumptions)}." if claim.assumptions else "It assumes nothing."


def text(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None) -> str:
    """The record in YAML."""
    return "\n".join(_yaml(record(source, epsilon))) + "\n"


def _yaml(data: Mapping[str, Any], indent: str = "") -> list[str]:
    """Nested mappings and lists of texts; scalars are written as in JSON, which YAML reads alike."""
    lines = []
    for key, value in data.items():
        if isinstance(value, Mapping):
            lines += [f"{indent}{key}:", *_yaml(value, indent + "  ")]
        elif isinstance(value, list):
            lines += [f"{indent}{key}:", *(f"{indent}  - {json.dumps(item)}" for item in value)]
        else:
            lines.append(f"{indent}{key}: {json.dumps(value)}")
    return lines

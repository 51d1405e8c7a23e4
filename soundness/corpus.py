"""Small certificates of every kind of proof, made anew by the prover: what the campaign starts from."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from dpverify import files
from dpverify.kernel.sections.epsilon import HYPOTHESES

Certificate = dict[str, Any]
PROGRAM = {"name": "dpverify", "version": "soundness"}

# Generator or family, dimension, further arguments of `verify`.
QUICK: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("laplace", 3, {}),
    ("laplace", 1, {"sensitivity": "3/2", "scale": "5/4"}),
    ("gaussian", 1, {}),
    ("(1+sqrt(y))**(-7)", 2, {}),
    ("exp(-y**(3/4))", 1, {}),
    ("1/(1+r)", 1, {}),
    ("1/(1+r)**2", 3, {}),
    ("exp(-r)*(1-2*r)", 1, {}),
    ("exp(-floor(r))", 1, {}),
    ("Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))", 2, {}),
    ("Piecewise((exp(-r), r < 2), (0, True))", 1, {}),
    ("y**(-1/100)*exp(-sqrt(y))", 1, {}),
    ("exp(-y)", 2, {"sensitivity": "1/2"}),
    ("exp(-r)*(1+r)", 2, {}),
    ("r*exp(-r)", 1, {}),
    ("Max(exp(-r), 3*exp(-2*r))", 1, {}),
    ("Abs(1-r)*exp(-r)", 1, {}),
)
NULL: tuple[tuple[str, str], ...] = (
    ("exp(-r)*(1+(r-1)**2)", "exp(-r)*(1+1/(1/(r-1))**2)"),
    ("exp(-r)", "exp(-r)*(1+0/(1/(r-1)))"),
    ("exp(-r)*Piecewise((1, r < 1), (1, True))", "exp(-r)*Piecewise((1, r < 1), (1, r > 1))"),
    ("exp(-r)", "exp(-r-0*(cos(r)-2)**0)"),
)
"""A text with a proof, and a text that differs from it in single radii without a value."""
UNDEFINED: tuple[tuple[str, tuple[str, str]], ...] = (
    ("exp(-r)+0*log(cos(r)-2)", ("1", "2")),
    ("exp(-r)+0*sqrt(1-r)", ("2", "3")),
    ("exp(-r)/(r-r)", ("1", "3/2")),
    ("exp(-r)*Piecewise((1, r < 2), (3, r > 4))", ("5/2", "3")),
)
"""Texts without a value on a box: f as typed, and the box."""
SLOW: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("student_t", 2, {"parameters": {"nu": "3"}}),
    ("multivariate_laplace", 3, {}),
    ("multivariate_laplace", 1, {}),
    ("sech", 1, {}),
    ("exp(-y**(1/4))", 1, {}),
    ("exp(-y)+exp(-sqrt(y))", 1, {}),
    ("exp(-2*r-cos(3*r)/4)", 1, {}),
    ("exp(-r)*(2+sin(r))", 1, {}),
    ("exp(-r-cos(pi*r)/8)", 1, {}),
    ("exp(-r*(2+cos(r)))", 1, {}),
    ("exp(-2*r)*(2-floor(r)+r)", 1, {}),
    ("Piecewise((exp(-r), r < 1), (2*exp(-r), r < 3), (exp(-r), True))", 1, {}),
    ("log(1+1/y)*exp(-r)", 1, {}),
    ("erfc(sqrt(y))", 1, {}),
    ("exp(-sqrt(4+y))", 3, {"sensitivity": "1/2"}),
    ("hyperbolic", 1, {}),
    ("exp(-sqrt(y)*log(1+log(1+y)))", 1, {}),
    ("besselk(3/2, 1+r)", 2, {}),
    ("exp(-r-cos(2*r))", 1, {}),
    ("exp(-2*r)*(1+r*exp(-r))/(1+exp(-3*r))", 1, {}),
)


KEPT = Path(__file__).parents[1] / "build"


@cache
def corpus() -> tuple[Certificate, ...]:
    """The certificates to start from, kept in a file in build/ as long as the package stays the same."""
    sources = [Path(__file__), *sorted((Path(__file__).parents[1] / "dpverify").rglob("*.py"))]
    key = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    file = KEPT / f"corpus-{key}.json"
    if file.exists():
        return tuple(json.loads(file.read_text()))
    found = made()
    KEPT.mkdir(exist_ok=True)
    files.write(file, json.dumps(found))
    return found


def made() -> tuple[Certificate, ...]:
    """A certificate of each entry, to a hundredth: the quick, within 25 ms each, come before the slow, within 300."""
    from dpverify import verify

    found = []
    for text, dimension, arguments in QUICK + SLOW:
        result = verify(text, dimension=dimension, tolerance="1/100", **arguments)
        if result.certificate is None:
            raise SystemExit(f"{text}: {result.reason}")
        found.append(json.loads(json.dumps(result.certificate)))
    more = [*(undefined(*entry) for entry in UNDEFINED), *(renamed(*entry) for entry in NULL)]
    return (*found[: len(QUICK)], *more, *found[len(QUICK) :])


def renamed(text: str, other: str) -> Certificate:
    """The certificate of a text that is another's almost everywhere, from the other's proof."""
    from dpverify import verify
    from dpverify.certificate.complete import complete

    draft = verify(text, dimension=1, tolerance="1/100").draft
    assert draft is not None
    whole: Certificate = json.loads(json.dumps(complete({**draft, "claim": {**draft["claim"], "generator": other}})))
    return whole


def without_value(text: str) -> dict[str, Any]:
    """The claim that a text has no value on some interval."""
    return {
        "generator": text,
        "parameters": {},
        "dimension": 1,
        "sensitivity": "1",
        "scale": "1",
        "verdict": "invalid",
        "epsilon": None,
        "tail_log_ratio": None,
        "theorem": None,
        "closed_form": None,
        "hypotheses": dict.fromkeys(HYPOTHESES, "undecided") | {"defined": "refuted"},
    }


def undefined(text: str, box: tuple[str, str]) -> Certificate:
    """The certificate that a text has no value on a box; raises Incomplete where the kernel does not follow."""
    from dpverify.certificate.complete import complete

    draft = {"program": PROGRAM, "claim": without_value(text), "proof": {"undefined": {"box": list(box)}}}
    whole: Certificate = json.loads(json.dumps(complete(draft)))
    return whole


def gallery() -> list[bytes]:
    """The gallery's files, those of profiles and compositions last."""
    folder = Path(__file__).parents[1] / "certificates"
    return [path.read_bytes() for pattern in ("*.json", "*/*.json") for path in sorted(folder.glob(pattern))]


@cache
def whole() -> tuple[tuple[Certificate, ...], tuple[float, ...]]:
    """The corpus and the gallery, and how often each is drawn: what is long to check less."""
    found = [json.loads(data) for data in gallery()]
    weights = [10.0] * FAST + [1.0] * (len(corpus()) - FAST)
    weights += [4.0 * min(1.0, (4000 / len(json.dumps(c))) ** 2) for c in found]
    return (*corpus(), *found), tuple(weights)


FAST = len(QUICK) + len(UNDEFINED) + len(NULL)
"""How many of the corpus are quick."""

"""The text of a mixing law: a density in v, read as one in the radius, which stands for v."""

from __future__ import annotations

import re

from ..rules import require
from .charts import CLAIM, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def in_r(text: Any) -> Any:
    """The text of a law in v, with r for v: K4 reads it as it reads a generator's."""
    require(isinstance(text, str), "the mixing density is not a text", "format")
    foreign = re.search(r"\b[yrd]\b", text, re.ASCII)
    require(foreign is None, "a mixing density is written in v alone", "claim")
    return re.sub(r"\bv\b", "r", text, flags=re.ASCII)


def subject_of(claim: Any, dimension: Any) -> Subject:
    """The density of V that a claim names."""
    same = {k: claim[k] for k in ("parameters", "sensitivity", "scale")}
    of_law = {"dimension": dimension, "generator": in_r(claim["mixing"])}
    subject = Subject(dict.fromkeys(CLAIM) | same | of_law)
    require("v" not in claim["parameters"], "a parameter's name is not permitted", "claim")
    return subject

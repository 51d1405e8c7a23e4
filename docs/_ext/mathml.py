"""Formulas as MathML, which browsers render by themselves: no script, and no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

NAME = re.compile(r"\\(log|sin|cos) (?=[A-Za-z])")  # a function and its argument, which docutils sets without a gap


def inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(_mathml(node, False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math">{_mathml(node, True)}</div>\n')
    raise nodes.SkipNode


def _mathml(node: nodes.Element, as_block: bool) -> str:
    try:
        return str(tex2mathml(NAME.sub(r"\g<0>\\,", node.astext()), as_block=as_block))
    except MathError as error:
        getLogger(__name__).warning("the formula %s: %s", node.astext(), error, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Formulas as MathML, which browsers render by themselves: no script, and no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

from dpverify.show.formulas import mathml

NAME = re.compile(r"\\(log|sin|cos) (?=[A-Za-z])")  # a function and its argument, which browsers set without a gap


def inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(_mathml(node, False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math">{_mathml(node, True)}</div>\n')
    raise nodes.SkipNode


def _mathml(node: nodes.Element, as_block: bool) -> str:
    try:
        return mathml(NAME.sub(r"\g<0>\\,", node.astext()), as_block)
    except Exception as error:  # the converter's own errors have no class in common
        getLogger(__name__).warning("the formula %s: %s", node.astext(), error, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

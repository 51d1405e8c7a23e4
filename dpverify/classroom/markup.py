"""The little Markdown of the exercises as HTML: paragraphs, numbered lists, code, bold, formulas between dollars."""

from __future__ import annotations

import re
from html import escape

from dpverify.show.formulas import mathml

SPAN = re.compile(r"(\$[^$]+\$|`[^`]+`|\*\*[^*]+\*\*)")


def paragraphs(text: str) -> str:
    """The text as HTML; everything is escaped but what stands for the four signs."""
    return "\n".join(_block(block) for block in re.split(r"\n\s*\n", text.strip()))


def _block(block: str) -> str:
    if block.startswith("$$"):
        typeset = mathml(block.strip("$ "), True)
        return f'<div class="formula" tabindex="0" role="region" aria-label="formula">{typeset}</div>'
    if re.match(r"\d\. ", block):
        items = re.split(r"\n(?=\d\. )", block)
        return f"<ol>{''.join(f'<li>{line(item[3:])}</li>' for item in items)}</ol>"
    return f"<p>{line(block)}</p>"


def line(text: str) -> str:
    """One paragraph's inside."""
    return "".join(_span(part) for part in SPAN.split(" ".join(text.split())))


def _span(part: str) -> str:
    if part.startswith("$"):
        return mathml(part.strip("$"))
    if part.startswith("`"):
        return f"<code>{escape(part.strip('`'))}</code>"
    if part.startswith("**"):
        return f"<strong>{escape(part.strip('*'))}</strong>"
    return escape(part)

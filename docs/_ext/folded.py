"""Pages that are long for a telephone: what only who looks it up needs is folded away, below its own heading."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

PAGES = {"reference/theorems"}
OPENING = '<details class="folded"><summary>{}</summary>'


def fold(app: Sphinx, tree: nodes.document, name: str) -> None:
    """Fold the lists under the claims, and the tables of all claims."""
    if name not in PAGES or app.builder.format != "html":
        return
    for table in list(tree.findall(nodes.table)):
        _wrap(table, f"All {len(list(table.findall(nodes.row))) - 1} claims")
    for points in list(tree.findall(nodes.bullet_list)):
        if isinstance(points.parent, nodes.section) and isinstance(points.parent.parent.parent, nodes.section):
            _wrap(points, "What is printed, and what is true")


def _wrap(node: nodes.Element, title: str) -> None:
    before, after = (nodes.raw("", text, format="html") for text in (OPENING.format(title), "</details>"))
    place = node.parent.index(node)
    node.parent.insert(place, before)
    node.parent.insert(place + 2, after)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

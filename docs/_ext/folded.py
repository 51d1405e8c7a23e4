"""Pages that are long for a telephone: what only who looks it up needs is folded away, below its own heading."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

OPENING = '<details class="folded"><summary>{}</summary>'


def fold(app: Sphinx, tree: nodes.document, name: str) -> None:
    """Fold what a page has folded, in HTML."""
    if name in PAGES and app.builder.format == "html":
        PAGES[name](tree)


def _claims(tree: nodes.document) -> None:
    """The lists under the claims, and the tables of all claims."""
    for table in list(tree.findall(nodes.table)):
        _wrap(table, f"All {len(list(table.findall(nodes.row))) - 1} claims")
    for points in list(tree.findall(nodes.bullet_list)):
        if isinstance(points.parent, nodes.section) and isinstance(points.parent.parent.parent, nodes.section):
            _wrap(points, "What is printed, and what is true")


def _proofs(tree: nodes.document) -> None:
    """What stands below a lemma: its proof, and where the rule is used."""
    for start in list(tree.findall(nodes.emphasis)):
        paragraph = start.parent
        first = isinstance(paragraph, nodes.paragraph) and paragraph.index(start) == 0
        if first and start.astext() == "Proof." and isinstance(paragraph.parent, nodes.section):
            _wrap(
                paragraph, "Its proof, and where it is used", len(paragraph.parent) - paragraph.parent.index(paragraph)
            )


def _wrap(node: nodes.Element, title: str, count: int = 1) -> None:
    """Fold a node, and those that follow it, so many in all."""
    before, after = (nodes.raw("", text, format="html") for text in (OPENING.format(title), "</details>"))
    place = node.parent.index(node)
    node.parent.insert(place, before)
    node.parent.insert(place + count + 1, after)


PAGES = {"reference/theorems": _claims, "reference/rules": _proofs}


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

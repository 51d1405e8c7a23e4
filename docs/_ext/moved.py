"""Old links hold: where a page was divided, an anchor of what is on another page now leads there."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.osutil import relative_uri

DIVIDED = ("reference/cli", "reference/python", "reference/mechanisms")
SCRIPT = """<script>
const moved = {moved}, wanted = decodeURIComponent(location.hash.slice(1));
if (Object.hasOwn(moved, wanted) && !document.getElementById(wanted)) location.replace(moved[wanted] + location.hash);
</script>"""


def anchors(env: BuildEnvironment, divided: str) -> dict[str, str]:
    """Every anchor of the pages below a divided one, and the page that has it."""
    found: dict[str, str] = {}
    for page in env.toctree_includes.get(divided, []):
        for node in env.get_doctree(page).findall(nodes.Element):
            for name in node.get("ids", []):
                found.setdefault(name, page)
    return found


def lead(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: nodes.document | None) -> None:
    """Give a divided page what leads from its old anchors to the pages below it."""
    if page not in DIVIDED or app.builder.name != "html":
        return
    here = app.builder.get_target_uri(page)
    moved = {
        name: relative_uri(here, app.builder.get_target_uri(other)) for name, other in anchors(app.env, page).items()
    }
    context["body"] += SCRIPT.replace("{moved}", json.dumps(moved, sort_keys=True).replace("<", "\\u003c"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", lead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

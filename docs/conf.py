"""The site: `make docs` builds it, and a warning is an error."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from dpverify import __version__

project = "dpverify"
author = "The dpverify developers"
project_copyright = "The dpverify developers, MIT licence"
release = version = __version__

if (Path(__file__).parents[1] / "build" / "classroom" / "flint.json").exists():
    tags.add("classroom")  # noqa: F821  (Sphinx gives it; `make docs` copies the classroom beside the pages)

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "mathml",
    "generated",
    "folded",
    "moved",
    "pictures",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

# one backtick in a docstring is code
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False

nitpicky = True
# types of other packages, and those of the package that are no part of the public interface, stay without a link
nitpick_ignore_regex = [("py:.*", ".*")]

highlight_language = "none"
html_theme = "furo"
html_title = "dpverify"
html_static_path = ["_static", "../dpverify/show/templates/math.woff2"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
html_theme_options = {"navigation_with_keys": True}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

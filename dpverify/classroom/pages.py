"""The page itself: its frame with the explorer, the examples, the exercises and the notebooks filled in."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from dpverify import show
from dpverify.app.examples import EXAMPLES, REACHES
from dpverify.classroom.exercise import Exercise, Field
from dpverify.classroom.exercises import EXERCISES
from dpverify.classroom.markup import paragraphs
from dpverify.generators.catalogue import families

PAGE = Path(__file__).with_name("page")
FILES = ("page.js", "plot.js", "python.js", "worker.js", "page.css")
"""What is copied as it is."""
FONT = Path(show.__file__).with_name("templates") / "math.woff2"
"""Formulas look the same on every machine."""
BUILD = "@BUILD@"
"""Stands for the digest of all that the folder has, until that is known."""


def index(docs: str, notebooks: tuple[str, ...]) -> str:
    """The page's HTML; `docs` is where the documentation lies, seen from the page, "" for nowhere."""
    frame = (PAGE / "index.html").read_text()
    filled = {
        "@EXAMPLES@": _examples(),
        "@DATA@": json.dumps(_data()).replace("<", "\\u003c"),
        "@REACHES@": "".join(f'<option value="{reach}">{reach:,}</option>' for reach in REACHES),
        "@EXERCISES@": "\n".join(_exercise(n, each, docs) for n, each in enumerate(EXERCISES, 1)),
        "@NOTEBOOKS@": ", ".join(f'<a href="notebooks/{name}" download>{name}</a>' for name in notebooks),
        "@DOCS@": f'<a href="{docs}index.html">Documentation</a>' if docs else "",
    }
    for mark, text in filled.items():
        frame = frame.replace(mark, text)
    return frame


def service() -> str:
    """The script that keeps the folder's files with the browser."""
    return (PAGE / "service.js").read_text().replace("@FRAME@", ", ".join(f'"{name}"' for name in (*FILES, FONT.name)))


def _examples() -> str:
    worked = "".join(f'<option value="{e.name}">{escape(e.title)}</option>' for e in EXAMPLES)
    named = "".join(f'<option value="{name}">{escape(f.title)}</option>' for name, f in families().items())
    return f'<optgroup label="Examples">{worked}</optgroup><optgroup label="Families">{named}</optgroup>'


def _data() -> dict[str, object]:
    """What the page begins with: each example's and family's settings."""
    known: dict[str, object] = {
        name: {
            "generator": name,
            "dimension": 2,
            "parameters": {p.name: str(1 if p.default is None else p.default) for p in family.parameters},
            "reach": 20,
            "text": f"Private {family.private_when}. {family.notes}",
        }
        for name, family in families().items()
    }
    known |= {
        e.name: {
            "generator": e.generator,
            "dimension": e.dimension,
            "parameters": e.parameters,
            "reach": e.reach,
            "text": e.text,
        }
        for e in EXAMPLES
    }
    return known


def _exercise(number: int, each: Exercise, docs: str) -> str:
    fields = "\n".join(_field(each, field) for field in each.fields)
    links = "; ".join(f'<a href="{docs}{page}.html">{escape(title)}</a>' for page, title in each.links) if docs else ""
    bench = (
        f'<p><button type="button" class="bench">{escape(each.bench_label)}</button></p>'
        '<pre class="onbench" hidden tabindex="0"></pre>'
        if each.bench
        else ""
    )
    return f"""<article class="exercise" id="exercise-{each.name}" data-exercise="{each.name}">
<h3>{number}. {escape(each.title)}</h3>
{paragraphs(each.text)}
{bench}
<form autocomplete="off">
{fields}
<button type="submit">Check</button>
<div class="grade" role="status" aria-live="polite"></div>
</form>
<details><summary>A hint</summary>{paragraphs(each.hint)}</details>
<details><summary>The solution</summary>{paragraphs(each.solution)}{f"<p>More: {links}.</p>" if links else ""}</details>
</article>"""


def _field(each: Exercise, field: Field) -> str:
    if field.choices:
        boxes = "".join(
            f'<label class="choice"><input type="checkbox" name="{field.name}" value="{key}"> '
            f"<code>{escape(text)}</code></label>"
            for key, text in field.choices
        )
        return f"<fieldset><legend>{escape(field.label)}</legend>{boxes}</fieldset>"
    mark = f"{each.name}-{field.name}"
    return (
        f'<p class="field"><label for="{mark}">{escape(field.label)}</label>'
        f'<input id="{mark}" name="{field.name}" placeholder="{escape(field.hint)}" spellcheck="false"></p>'
    )

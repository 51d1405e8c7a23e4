"""The exercises as notebooks, of Jupyter and of marimo, made from the same texts as the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dpverify import files
from dpverify.classroom.exercise import Exercise
from dpverify.classroom.exercises import EXERCISES
from dpverify.errors import InputError

BEGINNING = """# dpverify: eight exercises

Each is judged by what is true of your answer: your generator is proved or refuted, your formula is compared with proved
enclosures. Fill in the texts and run the cell. Everything here needs dpverify alone, as it is after `pip install .`."""
IMPORTS = "import dpverify\nfrom dpverify.classroom import exercise, grade"
TRY = 'dpverify.verify("exp(-sqrt(y))", dimension=3)'


def write(folder: Path) -> list[Path]:
    """Write both notebooks into the folder; returns their paths. Raises InputError where that cannot be done."""
    made = {folder / "exercises.ipynb": jupyter(), folder / "exercises.py": marimo()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from None
    for path, text in made.items():
        files.write(path, text.encode())
    return list(made)


def jupyter() -> str:
    """The notebook as .ipynb, without outputs."""
    cells = [_words(BEGINNING), _code(f"{IMPORTS}\n\n{TRY}")]
    for number, each in enumerate(EXERCISES, 1):
        cells += [_words(_text(number, each)), *([_code(_bench(each))] if each.bench else []), _code(_asked(each))]
        cells.append(_words(_solution(each)))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def marimo() -> str:
    """The notebook as a marimo file, which is a program too."""
    parts = [
        "import marimo\n\napp = marimo.App()\n",
        _cell(f"import marimo as mo\n{IMPORTS}", "dpverify, exercise, grade, mo"),
    ]
    parts += [_told(BEGINNING), _cell(TRY, given="dpverify")]
    for number, each in enumerate(EXERCISES, 1):
        parts.append(_told(_text(number, each)))
        if each.bench:
            parts.append(_cell(_bench(each), given="exercise"))
        parts.append(_cell(_asked(each), given="grade"))
        parts.append(_told(_solution(each)))
    return "\n\n".join([*parts, 'if __name__ == "__main__":\n    app.run()\n'])


def _text(number: int, each: Exercise) -> str:
    return f"## {number}. {each.title}\n\n{each.text.strip()}"


def _solution(each: Exercise) -> str:
    folded = (("A hint", each.hint), ("The solution", each.solution))
    return "\n".join(f"<details><summary>{name}</summary>\n\n{text.strip()}\n\n</details>" for name, text in folded)


def _asked(each: Exercise) -> str:
    lines = [f"# {field.label}" + (f": of {_choices(field.choices)}" if field.choices else "") for field in each.fields]
    filled = [f'    {field.name!r}: "",  {line}' for field, line in zip(each.fields, lines, strict=True)]
    return "\n".join(["_answers = {", *filled, "}", f'print(grade("{each.name}", _answers))'])


def _choices(choices: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{key} ({text})" for key, text in choices)


def _bench(each: Exercise) -> str:
    return f'print(exercise("{each.name}").bench())'


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }


def _cell(text: str, returned: str = "", given: str = "") -> str:
    inside = "\n".join(f"    {line}".rstrip() for line in text.splitlines())
    last = f"    return {returned}" if returned else "    return"
    return f"@app.cell\ndef _({given}):\n{inside}\n{last}"


def _told(text: str) -> str:
    return _cell(f'mo.md(r"""\n{text}\n""")', given="mo")

"""`python proofs/axioms.py`: compiles the proofs, and compares what their theorems rest on with proofs/axioms.txt.

`Print Assumptions` is asked of the theorems of privacy.v, of measures.v, of the kernel's rules and of the exports'
library, of each of the four together. Ends with status 1 where they rest on anything that the file does not list, or
no longer on something it does; `--write` writes the file anew.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dpverify.export.coq import library

HERE = Path(__file__).parent
PINNED = HERE / "axioms.txt"
RULES = (
    "increments", "forms", "softplus", "second", "divergences", "profiles", "tails", "layers",
    "limits", "refutations", "lipschitz", "rewriting", "spheres", "gaussian", "series", "mixtures",
)  # fmt: skip
"""Those of the kernel's rules."""
PROOFS = ("privacy.v", "calculus.v", *(f"{module}.v" for module in RULES), "measures.v")
"""In the order in which they need each other."""

HEADING = """\
# What `Print Assumptions` says of each theorem; made by `python proofs/axioms.py --write`.
# ClassicalDedekindReals, functional_extensionality_dep, classic: Coq's own real numbers.
# boolp, Epsilon: the classical logic of mathcomp-analysis. PrimInt63, Uint63: the processor's integers.
"""


def theorems(text: str) -> list[str]:
    """The names of its theorems, and of the integrals that it shows to be such."""
    return re.findall(
        r"^(?:Theorem|Definition(?= riemann| lebesgue)) (\w+)",
        re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL),
        re.MULTILINE,
    )


def named(module: str) -> list[str]:
    """The theorems of a file here, with its name."""
    return [f"{module}.{name}" for name in theorems((HERE / f"{module}.v").read_text())]


def questions() -> str:
    """The Coq file that asks; before each answer it prints whose it is."""
    lines = ["From Coq Require Import String.", "Open Scope string_scope."]
    for whose, modules in (("privacy", ("privacy",)), ("measures", ("measures",)), ("rules", RULES)):
        lines += [f"From Dpverify Require {module}." for module in modules]
        lines += together(whose, [name for module in modules for name in named(module)])
    lines.append(library.REQUIRE)
    lines += together(library.NAME, [f"{library.NAME}.{name}" for name in theorems(library.text())])
    return "\n".join(lines) + "\n"


def together(whose: str, names: list[str]) -> list[str]:
    """The question about several theorems at once, since one question takes coqc seconds."""
    return [
        f"Definition all_of_{whose} := ({', '.join(f'@{name}' for name in names)}, tt).",
        f'Eval compute in "theorem {whose}.*".',
        f"Print Assumptions all_of_{whose}.",
    ]


def answers(output: str) -> str:
    """The theorems with their axioms, a line each."""
    lines: list[str] = []
    for part in output.split('= "theorem ')[1:]:
        name, _, rest = part.partition('"')
        if "Closed under the global context" not in rest and "Axioms:" not in rest:
            raise ValueError(f"coqc did not print what {name} rests on")
        axioms = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", rest.partition("Axioms:\n")[2], re.MULTILINE)
        lines += [name, *(f"  {axiom}" for axiom in sorted(set(axioms)))]
    return HEADING + "\n".join(lines) + "\n"


def printed() -> str:
    """What coqc prints of the proofs as they are; raises CalledProcessError where it rejects one."""
    with tempfile.TemporaryDirectory(prefix="dpverify-proofs-") as name:
        folder = Path(name)
        for file in PROOFS:
            shutil.copy(HERE / file, folder)
        for built in library.compiled().glob(f"{library.NAME}.vo"):
            shutil.copy(built, folder)
        (folder / "questions.v").write_text(questions())
        for file in (*PROOFS, "questions.v"):
            command = [library.coqc_path(), *library.FLAGS, "-R", ".", "Dpverify", file]
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return answers(done.stdout)


def main(arguments: list[str]) -> int:
    found = printed()
    if "--write" in arguments:
        PINNED.write_text(found)
    if found != PINNED.read_text():
        print(found)
        print(f"what the theorems rest on is not what {PINNED.name} says")
        return 1
    print(f"{sum(line[:1].isalpha() for line in found.splitlines())} entries rest on what {PINNED.name} says")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

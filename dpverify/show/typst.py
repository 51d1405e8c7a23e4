r"""Formulas in typst's notation, from the LaTeX that this package composes.

Every sign becomes a name of typst's own (`paren.l`, `comma`), so that nothing in a formula is taken for its syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKENS = re.compile(
    r"\\(?:mathrm|text)\{[^{}]*\}|\\mathbb\{R\}|\\(?:begin|end)\{cases\}|\\[A-Za-z]+|\\\\|\\,|[0-9.]+|[A-Za-z]"
    r"|[{}^_&(),|\[\]=<>+\-/'!:]"
)
SIGNS = {
    "(": "paren.l",
    ")": "paren.r",
    "[": "bracket.l",
    "]": "bracket.r",
    "|": "bar.v",
    ",": "comma",
    "/": "slash",
    "=": "=",
    "<": "<",
    ">": ">",
    "+": "+",
    "-": "-",
    "'": "prime",
    ":": "colon",
    "&": "&",
    r"\,": "thin",
    r"\lfloor": "floor.l",
    r"\rfloor": "floor.r",
    r"\lceil": "ceil.l",
    r"\rceil": "ceil.r",
    r"\lVert": "bar.v.double",
    r"\rVert": "bar.v.double",
    r"\varepsilon": "epsilon",
    r"\epsilon": "epsilon.alt",
    r"\phi": "phi.alt",
    r"\to": "arrow.r",
    r"\infty": "oo",
    r"\leq": "<=",
    r"\geq": ">=",
    r"\in": "in",
    r"\Rightarrow": "arrow.r.double",
    r"\int": "integral",
    r"\cdot": "dot.op",
    r"\approx": "approx",
    r"\quad": "quad",
    r"\qquad": "wide",
    r"\mathbb{R}": "RR",
}
FUNCTIONS = "exp log sin cos arctan sinh cosh tanh max min sup limsup"
SMALL = "alpha beta gamma delta zeta eta theta kappa lambda mu nu xi pi rho sigma tau chi psi omega"
NAMES = frozenset(f"{FUNCTIONS} {SMALL} Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega".split())


def typst(latex: str) -> str:
    """The same formula for typst; raises ValueError for LaTeX that is not composed here."""
    rest = re.sub(r"\s", "", TOKENS.sub(lambda found: " " * len(found.group()), latex))
    if rest:
        raise ValueError(f"no formula of ours: {latex}")
    return _sequence(iter(TOKENS.findall(latex)), None)


def _sequence(tokens: Iterator[str], end: str | None) -> str:
    found: list[str] = []
    for token in tokens:
        if token == end:
            return " ".join(found)
        found.append(_one(token, tokens))
    if end is not None:
        raise ValueError(f"{end} is missing")
    return " ".join(found)


def _one(token: str, tokens: Iterator[str]) -> str:
    """What a token stands for, with the groups that belong to it."""
    if token == "{":
        return _sequence(tokens, "}")
    if token in "^_":
        return f"{token}({_group(tokens)})"
    if token == r"\dfrac":
        return f"display(frac({_group(tokens)}, {_group(tokens)}))"
    if token == r"\frac":
        return f"frac({_group(tokens)}, {_group(tokens)})"
    if token == r"\sqrt":
        return f"sqrt({_group(tokens)})"
    if token == r"\left":
        return f"lr({_group(tokens)} {_sequence(tokens, chr(92) + 'right')} {_group(tokens)})"
    if token == r"\begin{cases}":
        return f"cases({_sequence(tokens, chr(92) + 'end{cases}')})"
    if token == r"\\":
        return ","
    if token.startswith((r"\mathrm", r"\text")):
        return f'upright("{token.partition("{")[2][:-1]}")'
    if token in SIGNS:
        return SIGNS[token]
    if token[0] == "\\" and token[1:] in NAMES:
        return token[1:]
    if token.isalnum() or re.fullmatch(r"[0-9.]+", token):
        return token
    raise ValueError(f"{token} is none of ours")


def _group(tokens: Iterator[str]) -> str:
    """A group in braces, or one token."""
    token = next(tokens, "")
    if not token:
        raise ValueError("a group is missing")
    return _one(token, tokens)

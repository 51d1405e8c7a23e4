"""Formulas as people type and paste them: what is unambiguous is read, as the text that the language has for it.

`exp(-2y)`, `e^{-\\sqrt{y}}`, `ln(1+y)`, `1/(1+y)^2` and `√y` mean one thing each; `1/2y` means two, and is refused
with both; `1.2.3` and `2 3` are no number, nor a product. Each character that is read keeps the column at which it was
typed, for the messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dpverify.errors import InputError

SIGNS = {
    "\u2212": "-",
    "\u2013": "-",
    "\u00b7": "*",
    "\u22c5": "*",
    "\u00d7": "*",
    "\u00f7": "/",
    "\u2217": "*",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u00b2": "**2",
    "\u00b3": "**3",
    "\u03c0": "pi",
    "\u0393": "gamma",
    "\u03b8": "theta",
    "\u03ba": "kappa",
    "\u03bc": "mu",
    "\u03bd": "nu",
    "\u03b2": "beta",
    "\u03b1": "alpha",
    "\u00a0": " ",
    "^": "**",
}
"""Characters that mean one thing."""

COMMANDS = {
    "cdot": "*",
    "times": "*",
    "left": "",
    "right": "",
    "ln": "log",
    "log": "log",
    "exp": "exp",
    "sin": "sin",
    "cos": "cos",
    "cosh": "cosh",
    "sinh": "sinh",
    "tanh": "tanh",
    "pi": "pi",
    "nu": "nu",
    "alpha": "alpha",
    "beta": "beta",
    "mu": "mu",
    "theta": "theta",
    "kappa": "kappa",
    "Gamma": "gamma",
    "le": "<=",
    "ge": ">=",
    "leq": "<=",
    "geq": ">=",
    "max": "Max",
    "min": "Min",
    "lfloor": "floor(",
    "rfloor": ")",
    ",": "",
    ";": "",
    " ": "",
}
"""Commands of LaTeX that stand for a word or a sign."""
NAMES = {"ln": "log"}
KEYWORDS = {"and", "or", "not", "if", "else", "in", "is", "for", "lambda"}
BARS = ((r"\|\|", r"\|\|"), (r"\|", r"\|"), ("\u2016", "\u2016"), (r"\\\|", r"\\\|"), (r"\\l?[vV]ert", r"\\r?[vV]ert"))
LENGTH = re.compile(
    "|".join(rf"{left}\s*x\s*{right}|\\left\s*{left}\s*x\s*\\right\s*{right}" for left, right in BARS), re.ASCII
)
"""The length of x, which is the radius r."""
TOKEN = re.compile(
    rf"{LENGTH.pattern}"
    r"|\s+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\\[A-Za-z]+|\\[!-~]|\*\*|[<>]=|.",
    re.ASCII | re.DOTALL,
)
UNREAD = re.compile(r"_|[jJ]\b|[xXbBoO]\w", re.ASCII)
"""What after a number is another way to write a number, and stays refused."""
ROOT = "\u221a"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text as it is read, and the place, from 0, at which it was typed."""

    text: str
    place: int

    @property
    def number(self) -> bool:
        return self.text[:1].isdigit() or (self.text[:1] == "." and len(self.text) > 1)

    @property
    def name(self) -> bool:
        return (self.text[:1].isalpha() or self.text[:1] == "_") and self.text not in KEYWORDS


def natural(text: str) -> tuple[str, Callable[[int], int]]:
    """The text in the language's own spelling, and from its columns to those that were typed, both from 1.

    Raises InputError for what can be read in two ways, with both.
    """
    pieces = _products(_roots(_latex(_tokens(text))))
    read = "".join(piece.text for piece in pieces)
    typed = [piece.place + 1 for piece in pieces for _ in piece.text]
    return read, lambda column: typed[column - 1] if 0 < column <= len(typed) else column - len(typed) + len(text)


def _tokens(text: str) -> list[Piece]:
    found: list[Piece] = []
    for match in TOKEN.finditer(text):
        word = SIGNS.get(match[0], NAMES.get(match[0], match[0]))
        if LENGTH.fullmatch(word):
            before, after = found[-1].text[-1:] if found else "", text[match.end() : match.end() + 1]
            word = " " * before.isidentifier() + "r" + " " * (after.isascii() and after.isalnum())  # no part of a name
        found.append(Piece(word, match.start()))
    return found


def _latex(pieces: list[Piece]) -> list[Piece]:
    """Braces as parentheses, and commands as what they stand for."""
    found: list[Piece] = []
    closing: list[str] = []  # what each open brace is closed by
    fractions: list[int] = []  # at which depth a fraction waits for its second half
    for at, piece in enumerate(pieces):
        command = piece.text[1:] if piece.text[:1] == "\\" else None
        if command == "frac" and _following(pieces, at) == "{":
            found.append(Piece("(", piece.place))
            fractions.append(len(closing))
        elif command == "sqrt":
            found.append(Piece("sqrt" if _following(pieces, at) in ("{", "(") else ROOT, piece.place))
        elif command is not None:
            if command not in COMMANDS:
                raise InputError(f"column {piece.place + 1}: the command {piece.text[:40]} is not in the language")
            found.append(Piece(COMMANDS[command], piece.place))
        elif piece.text == "{":
            closing.append(")")
            found.append(Piece("(", piece.place))
        elif piece.text == "}" and closing:
            closing.pop()
            end = ")"
            if fractions and fractions[-1] == len(closing):
                fractions[-1] = -1 - len(closing)
                end = ")/"
            elif fractions and fractions[-1] == -1 - len(closing):
                fractions.pop()
                end = "))"
            found.append(Piece(end, piece.place))
        else:
            found.append(piece)
    return [piece for piece in found if piece.text]


def _following(pieces: list[Piece], at: int) -> str:
    """The text of the next piece that is no space."""
    return next((p.text for p in pieces[at + 1 :] if p.text.strip()), "")


def _roots(pieces: list[Piece]) -> list[Piece]:
    """A root sign before parentheses or one name or number, as a function."""
    found: list[Piece] = []
    rest = iter(range(len(pieces)))
    for at in rest:
        piece = pieces[at]
        if piece.text != ROOT:
            found.append(piece)
            continue
        if pieces[at + 1 : at + 2] and not pieces[at + 1].text.strip():
            at = next(rest)  # a space after the sign
        under = pieces[at + 1] if at + 1 < len(pieces) else Piece("", 0)
        after = pieces[at + 2] if at + 2 < len(pieces) else Piece("", 0)
        if under.text == "(":
            found.append(Piece("sqrt", piece.place))
        elif (under.name or under.number) and after.text not in ("**", "(") and not after.name:
            found += [Piece("sqrt(", piece.place), under, Piece(")", under.place)]
            next(rest)
        else:
            raise InputError(f"column {piece.place + 1}: write sqrt(...), to say how far the root reaches")
    return found


def _products(pieces: list[Piece]) -> list[Piece]:
    """A product's sign where a number, a closing parenthesis, or a name and a space are followed by a factor."""
    found: list[Piece] = []
    starts: list[int] = []  # where the parentheses that are open began
    factor = 0  # where the factor that ends here began
    last: Piece | None = None  # before this one, but for spaces
    for piece in pieces:
        begins = piece.name or piece.number or piece.text[:1] == "("
        if last is not None and begins and _ends(last, piece) and not UNREAD.match(piece.text):
            _unambiguous(found, factor, piece)
            found.append(Piece("*", piece.place))
        for character in piece.text:
            if character == "(":
                starts.append(len(found) - bool(found and found[-1].name))
            elif character == ")" and starts:
                factor = starts.pop()
        if piece.number or piece.name:
            factor = len(found)
        found.append(piece)
        last = piece if piece.text.strip() else last
    return found


def _ends(last: Piece, following: Piece) -> bool:
    """Whether a factor ends at a piece before which the other may begin; raises InputError for two numbers."""
    if last.number and following.number:
        raise InputError(
            f"column {following.place + 1}: {last.text} and {following.text} are two numbers without a sign between"
        )
    return last.number or last.text[-1:] == ")" or (last.name and last.text.isidentifier() and following.name)


def _unambiguous(found: list[Piece], factor: int, piece: Piece) -> None:
    """Raise InputError for a factor below a line or in an exponent: what follows may belong there too, or not."""
    before = [p.text for p in found[:factor] if p.text.strip()]
    while len(before) > 1 and before[-1] in ("-", "+") and before[-2] in ("**", "/"):
        before.pop()
    sign = before[-1] if before and before[-1] in ("**", "/") else ""
    if sign:
        one, other = "".join(p.text for p in found[factor:]).strip(), piece.text if piece.text != "(" else "(...)"
        raise InputError(
            f"column {piece.place + 1}: between {one} and {other} a sign is missing, which can be read in two ways; "
            f"write {sign}({one}*{other}) or {sign}{one}*{other}"
        )

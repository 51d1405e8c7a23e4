"""The language of generators: text in, a small frozen tree over exact rationals out."""

from dpverify.language.expression import Expression
from dpverify.language.parser import FUNCTIONS, parse
from dpverify.language.printer import text_of
from dpverify.language.rational import parse_rational
from dpverify.language.simplify import parameters, substitute

__all__ = [
    "FUNCTIONS",
    "Expression",
    "parameters",
    "parse",
    "parse_rational",
    "substitute",
    "text_of",
]

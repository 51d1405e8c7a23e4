"""The language of generators: text in, a small frozen tree over exact rationals out."""

from dpverify.language.expression import Expression
from dpverify.language.needs import Need, bind
from dpverify.language.parser import FUNCTIONS, RESERVED, Reading, check_names, parse, read
from dpverify.language.printer import text_of
from dpverify.language.rational import given_by_name, parse_rational
from dpverify.language.simplify import parameters, substitute

__all__ = [
    "FUNCTIONS",
    "RESERVED",
    "Expression",
    "Need",
    "Reading",
    "bind",
    "check_names",
    "given_by_name",
    "parameters",
    "parse",
    "parse_rational",
    "read",
    "substitute",
    "text_of",
]

"""What several commands read and write in the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.calibration import Refusal
    from dpverify.calibration.law import Law

EXIT_STATUS = {"not_private": 1, "unreachable": 1, "invalid": 3, "undecided": 4}

LETTERS = {"sensitivity": "Delta", "scale": "sigma", "epsilon": "epsilon"}

RESERVED = {"self", "text", "dimension"}  # Generator's own arguments

OPERATIONS = {*"(+*/^|"}
"""A word that begins with a minus and has one of these is a text."""

NUMERAL = re.compile(r"\d+(\.\d+)?([eE][-+]?\d+)?(/\d+)?")


class OfText(click.Command):
    """A command whose texts may begin with a minus: `-log(1-exp(-1-r))` is no row of short options, one of them -o."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        begins = {"--", *(name for p in self.params for name in p.opts if len(name) == 2)}
        texts = {word for word in args if word.startswith("-") and word[:2] not in begins and OPERATIONS & {*word}}
        rest = super().parse_args(ctx, [f" {word}" if word in texts else word for word in args])
        ctx.params.update({name: _without_space(value) for name, value in ctx.params.items()})
        return rest


def _without_space(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_without_space, value))
    return value.strip() if isinstance(value, str) else value


class Several(OfText):
    """A command whose repeatable options of numbers take several at once: `--epsilon 1/2 1 2`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        repeated = [p for p in self.params if isinstance(p, click.Option) and p.multiple and p.metavar == "Q"]
        return super().parse_args(ctx, list(spread(args, {name for p in repeated for name in p.opts})))


def spread(arguments: Iterable[str], options: set[str]) -> Iterator[str]:
    """The arguments, each number that follows an option's value with that option before it."""
    option, owed = "", False
    for word in arguments:
        if word in options:
            option, owed = word, True
        elif owed:
            owed = False
        elif option and NUMERAL.fullmatch(word):
            yield option
        else:
            option = ""
        yield word


def complete_family(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What the shell offers for a generator: the names of the families."""
    from dpverify.generators import families

    return [name for name in families() if name.startswith(incomplete)]


def integer(text: str, option: str = "--dimension") -> int:
    """A non-negative integer of at most nine digits; raises InputError that names the option."""
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"{option}: {text[:40]!r} is not a positive integer")
    if len(text) > 9:
        raise InputError(f"{option}: {text[:40]!r} has more than nine digits")
    return int(text)


def amount(_: click.Context, parameter: click.Parameter, value: str) -> str:
    """The text of a sensitivity, a scale or a target; of one not rational it is said which number stands for it."""
    if any(character.isalpha() or character in "\u221a^*(" for character in value):
        from dpverify.algebraic import rational_above, rational_below
        from dpverify.numerals import brief

        try:
            below, above = rational_below(value, ""), rational_above(value, "")
        except InputError:
            return value  # what is wrong is told where it is used
        if 0 < below != above:
            up = parameter.name == "sensitivity"
            letter, number, towards = LETTERS[str(parameter.name)], above if up else below, "up" if up else "down"
            click.echo(f"dpverify: {letter} = {brief(number)}, which is {value[:40]} rounded {towards}", err=True)
    return value


def parameters(given: tuple[str, ...]) -> dict[str, object]:
    """The parameters NAME=Q of repeated --param options, as texts."""
    found: dict[str, object] = {}
    for item in given:
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise InputError(f"--param: {item[:40]!r} is not of the form NAME=Q, such as nu=5/2")
        if name in found:
            raise InputError(f"--param: {name[:40]} is given twice")
        if name in RESERVED:
            raise InputError(f"--param: the name {name} is taken; call the parameter something else")
        found[name] = value
    return found


def noise(generator: str | None, mixing: str | None, dimension: str, given: tuple[str, ...]) -> Law:
    """The law that is asked about; of a mixture by its formula of f where one is known and proved.

    Raises InputError for neither a generator nor a mixing law, and for both.
    """
    from dpverify.calibration.law import Law, law_of
    from dpverify.generators import Generator

    if (generator is None) == (mixing is None):
        raise InputError("give either a GENERATOR or --mixing LAW")
    if mixing is None:
        return Law(Generator(str(generator), integer(dimension), parameters(given)))
    from dpverify.api import verify
    from dpverify.mixtures.recognise import recognise

    law = law_of(mixing=mixing, dimension=integer(dimension), parameters=parameters(given))
    assert law.mixing is not None
    if recognise(law.mixing, law.generator.dimension) is None:
        return law
    found = verify(mixing=law.mixing, dimension=law.generator.dimension)
    if found.mixing is None or found.mixing.generator is None or found.certificate is None:
        return law
    lemmas = tuple(line for line in found.assumptions if line not in found.certificate["assumptions"])
    click.echo(f"dpverify: the mixture is asked about by its formula, f = {found.generator.text}", err=True)
    return Law(found.generator, lemmas=lemmas)


def require_suffix(path: Path, suffixes: set[str]) -> None:
    """Refuse a file of a kind that cannot be written, or in a folder that is not there, before long work."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{path}: the file's name must end in {', '.join(sorted(suffixes))}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def date_of(text: str) -> date:
    """A date such as 2026-11-22; raises InputError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--date: {text[:40]!r} is no date such as 2026-11-22") from None


def wrote(path: Path) -> None:
    """Say that a file has been written."""
    from dpverify.show.words import printable

    click.echo(f"wrote {printable(str(path))}")


def refused(refusal: Refusal, as_json: bool) -> int:
    """Say why there is no scale, in one line; with --json, as an object too. Returns the exit status."""
    line = " ".join(str(refusal).split())
    if as_json:
        click.echo(json.dumps({"verdict": refusal.verdict, "scale": None, "epsilon": None, "reason": line}))
    click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
    return EXIT_STATUS[refusal.verdict]

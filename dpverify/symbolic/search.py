"""A closed form for one private generator, its parameters bound: found by SymPy, held against a narrow proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpverify.enclosures import precision
from dpverify.errors import InputError
from dpverify.generators import ClosedForm
from dpverify.language import text_of
from dpverify.prover.closed_form import lies_between
from dpverify.results import Epsilon, Result
from dpverify.symbolic.algebra import Algebra
from dpverify.symbolic.instances import BITS, Prove, TooLong, is_narrow, narrow

SECONDS = 20.0
LONGEST = 300


def closed_form(result: Result, prove: Prove, seconds: float = SECONDS) -> ClosedForm | None:
    """epsilon of a private result as text in delta, d and the parameters; None where none is found.

    It comes from a derivation (a place, and the loss there), and its value is proved to lie in an
    enclosure of relative width about 1e-11, made for the purpose.  SymPy has `seconds` of the processor's to find it.
    Raises InputError where SymPy is not installed.
    """
    generator = result.generator
    if result.epsilon is None:
        return None
    try:
        proved = narrow(generator, result.sensitivity, result.scale, prove).epsilon
    except (TooLong, InputError):
        return None
    if proved is None:
        return None
    with Algebra() as algebra:
        for form in _candidates(algebra, result, proved, seconds):
            if _lies(form, result, proved) and _lies(form, result, result.epsilon):
                return form
    return None


def with_closed_form(result: Result, form: ClosedForm) -> Result:
    """The result and its draft with the formula in them."""
    old = result.epsilon
    assert old is not None and result.draft is not None
    epsilon = replace(old, closed_form=form.epsilon, attained_at=form.attained_at)
    draft = {**result.draft, "claim": {**result.draft["claim"], "closed_form": form.epsilon}}
    return replace(result, epsilon=epsilon, draft=draft)


def _candidates(algebra: Algebra, result: Result, proved: Epsilon, seconds: float) -> Iterator[ClosedForm]:
    """With parameters as letters first, which gives the more telling formula, then as numbers."""
    generator = result.generator
    for text, values in (
        (generator.text, {**generator.parameters, "d": Fraction(generator.dimension)}),
        (text_of(generator.expression), {}),
    ):
        question = {
            "text": text,
            "values": {**{n: str(v) for n, v in values.items()}, "delta": str(result.delta)},
            "negative": sorted(n for n, v in values.items() if v < 0),
            "dimension": str(generator.dimension),
            "bounds": [str(proved.lower), str(proved.upper)],
        }
        forms = []
        for reply in algebra.ask(question, seconds / 2):
            if reply.get("value") is not None and len(reply["value"]) <= LONGEST:
                if is_narrow(proved, reply["proved"]):
                    forms.append(ClosedForm(reply["value"], reply["where"]))
                if reply["proved"]:
                    break
        yield from sorted(forms, key=lambda form: len(form.epsilon))


def _lies(form: ClosedForm, result: Result, epsilon: Epsilon) -> bool:
    with precision(BITS):
        return lies_between(form, result.generator, result.delta, epsilon.lower, epsilon.upper)

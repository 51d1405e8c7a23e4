"""A family of the catalogue as a sheet."""

from __future__ import annotations

from dpverify.generators import Family
from dpverify.show.sheet import Part, Row, Sheet, sheet


@sheet.register
def family_sheet(family: Family) -> Sheet:
    """The generator, its parameters, epsilon in one dimension, when it is private, and the source."""
    rows = [Row("generator", code=family.text)]
    for p in family.parameters:
        default = f", default {p.default}" if p.default is not None else ""
        rows.append(Row(p.name, f"{p.meaning}; {p.condition}{default}"))
    defaults = {p.name: p.default for p in family.parameters}
    form = None if None in defaults.values() else family.closed_form(1, defaults)  # type: ignore[arg-type]
    if form is not None:
        rows += [Row("epsilon", f"{form.epsilon}  (delta = Delta/sigma)"), Row("attained", form.attained_at)]
    if family.mass:
        rows.append(Row("mass", f"{family.mass}  (the integral of f over R^d)"))
    if family.mixing:
        rows.append(Row("V in X = V Z", f"{family.mixing}  (--dimension infinity)"))
    if family.keywords:
        rows.append(Row("known as", ", ".join(family.keywords)))
    rows += [Row("private", family.private_when), Row("notes", family.notes), Row("source", family.source)]
    return Sheet(f"{family.name}: {family.title}", "good", parts=(Part(rows=tuple(rows)),))

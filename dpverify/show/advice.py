"""What an undecided result says of itself: each reason once, and what to try next."""

from __future__ import annotations

from dpverify.findings import Clause, Finding, Why
from dpverify.results import Result
from dpverify.show.sheet import Row

WIDER = "a wider enclosure, such as --tolerance 1/100, or one claim alone, --at-most Q"
FORM = "f in another form: cancel what cancels, name a family, or split what changes its sign with Piecewise or Abs"
TRIES: dict[Clause, tuple[str, ...]] = {
    Why.OUT_OF_TIME_IN: ("more time, with --timeout", WIDER),
    Why.SUPREMUM_OPEN: (WIDER, FORM),
    Why.TOO_LONG: (WIDER,),
    Why.NOT_ENCLOSED: (FORM,),
    Why.NOT_SETTLED: (FORM,),
    Why.NOT_ACCEPTED: ("a wider tolerance; and report it, for the prover and the checker should agree",),
}
"""What helped where a verdict was undecided for this reason."""


def unsettled(result: Result) -> list[Row]:
    """The hypotheses, each reason told at its first place: what the leading sentence says is not said again."""
    because = result.because
    if isinstance(because, Finding) and because.why is Why.OUT_OF_TIME_IN:
        return []
    told: dict[str, str] = {}
    rows = []
    for name, hypothesis in result.hypotheses.items():
        label, why = name.replace("_", " "), hypothesis.explanation
        if hypothesis.status == "undecided":
            why = f"as for {told[why]}" if why in told else _beyond(why, result.reason)
            told.setdefault(hypothesis.explanation, label)
        rows.append(Row(label, why, status=hypothesis.status))
    return rows


def _beyond(why: str, said: str) -> str:
    """What a reason, which may be several, says beyond what was said."""
    several = why.split("; ")
    new = [part for part in several if part not in said]
    return "; ".join(new if len(new) == len(several) else ["as said above", *new])


def tries(result: Result) -> list[Row]:
    """What to try next, a row each."""
    because = result.because
    found = TRIES.get(because.why, (FORM,)) if isinstance(because, Finding) else (FORM,)
    return [Row("" if place else "try", told) for place, told in enumerate(found)]

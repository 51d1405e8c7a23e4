"""Privacy profiles, compositions, and the scales found from them, as sheets."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from dpverify.generators import Generator
from dpverify.numerals import brief, in_full, short, stated
from dpverify.profiles import Enclosed, Point, Profile
from dpverify.profiles.result import Measure
from dpverify.profiles.scale import ProfileScale
from dpverify.show.sheet import Part, Row, Sheet, sheet
from dpverify.show.verdicts import assuming
from dpverify.show.words import THEOREMS

MANY, SHOWN = 12, 9
PROFILE_TITLES = {
    "proved": ("PROFILE", "good"),
    "refuted": ("INFINITE", "bad"),
    "invalid": ("NOT A DENSITY", "bad"),
    "undecided": ("UNDECIDED", "open"),
}


@sheet.register
def profile_sheet(found: Profile, saved: Path | None = None) -> Sheet:
    """The question, each point with its enclosure, and what carries them; `saved` is the certificate's file."""
    title, tone = PROFILE_TITLES[found.verdict]
    parts = [Part(rows=tuple(Row(name, text) for name, text in found.about.items()))]
    many = len(found.points) > MANY
    for point in found.points if not many else ():
        sides = sorted((("epsilon", point.epsilon), ("delta", point.delta)), key=lambda s: isinstance(s[1], Enclosed))
        parts.append(Part(rows=tuple(row for name, value in sides for row in _side(name, value))))
    if many:
        parts.append(Part(rows=tuple(_short_row(found.points[k]) for k in _some(len(found.points)))))
    if found.infinite is not None:
        parts.append(Part(rows=tuple(_side("infinite loss", found.infinite))))
    if found.measures:
        parts.append(Part(rows=tuple(row for measure in found.measures for row in _measure(measure))))
    facts = [Row("by", found.theorem)] if found.theorem else []
    facts.append(assuming(found.assumptions))
    if found.measures:
        facts.append(Row("certified", _certified(found)))
    if found.certificate is not None and saved is not None:
        facts.append(Row("certificate", f"{saved}  (dpverify check {saved})"))
    return Sheet(title, tone, found.reason, parts=(*parts, Part(rows=tuple(facts))))


def _certified(found: Profile) -> str:
    """What of points and measures the certificate claims."""
    if found.certificate is None:
        return "nothing; proved only"
    names = [m.name for m in found.measures if m.certified]
    return f"the points, and {', '.join(dict.fromkeys(names))}" if names else "the points alone"


def _measure(measure: Measure) -> list[Row]:
    place = "" if measure.at is None else f" at {measure.at}"
    if measure.value is None:
        return [Row(f"{measure.name}{place}", "infinite" if measure.decided else "undecided")]
    return [
        Row(f"{measure.name}{place}", measure.value.decimal),
        Row("at least", short(measure.value.lower, 12, "down")),
        Row("at most", short(measure.value.upper, 12, "up")),
    ]


def _some(count: int) -> list[int]:
    """A few of the points, evenly, the first and the last among them."""
    return sorted({round(k * (count - 1) / (SHOWN - 1)) for k in range(SHOWN)})


def _short_row(point: Point) -> Row:
    epsilon, delta = point.epsilon, point.delta
    assert isinstance(epsilon, Fraction) and isinstance(delta, Enclosed)
    return Row(f"delta({short(epsilon, 5)})", delta.decimal)


def _side(name: str, value: Fraction | Enclosed) -> list[Row]:
    if not isinstance(value, Enclosed):
        return [Row(name, stated(value))]
    return [
        Row(name, value.decimal),
        Row("at least", in_full(value.lower, "down")),
        Row("at most", in_full(value.upper, "up")),
    ]


def scale_sheet(found: ProfileScale, generator: Generator) -> Sheet:
    """The smallest scale that is (eps, delta)-private, beside the classical one where there is one."""
    question = [
        Row("f(y)", code=generator.text),
        Row("with", f"d = {generator.dimension}, Delta = {brief(found.sensitivity)}"),
        Row("target", f"epsilon <= {short(found.epsilon)}, delta <= {short(found.delta)}"),
    ]
    facts = [
        Row("at least", in_full(found.scale.lower, "down")),
        Row("at most", in_full(found.scale.upper, "up")),
        Row("delta", f"{short(found.meets.upper, 12, 'up')} at most, at sigma = upper"),
        Row("by", THEOREMS[found.theorem]),
    ]
    if found.classical is not None:
        times = found.classical / float(found.scale.upper)
        usual = f"sqrt(2 log(1.25/delta)) Delta/eps = {found.classical:.6g}"
        facts.append(Row("beside", f"{usual}, {times:.4g} times as much"))
    facts.append(assuming(found.assumptions))
    parts = Part(rows=tuple(question)), Part(rows=tuple(facts))
    return Sheet(f"SIGMA = {found.scale.decimal}", "good", parts=parts)

"""The way to a formula: derive at a point, find where else it holds, and hold it against proofs.

  1. at drawn points the verifier says what is proved; where no case found so far applies, derive one
  2. merge cases that meet at a condition and its opposite
  3. every case must agree with the verifier at drawn, boundary and extreme points within its
     conditions; one disagreement and it is not told
Postcondition: each case told agrees with at least `FEWEST` proofs that the kernel replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from dpverify.errors import InputError
from dpverify.generators import Generator, families
from dpverify.language import given_by_name, parameters, parse, parse_rational, substitute, text_of
from dpverify.results import Verdict
from dpverify.symbolic.algebra import Algebra
from dpverify.symbolic.formula import Case, Condition, Formula, merged
from dpverify.symbolic.instances import Instance, Prove, Replay, agrees, holds, instance, is_narrow
from dpverify.symbolic.points import Point, Points

DRAWN, PROBED, MORE, FEWEST, MOST_DERIVATIONS = 8, 200, 60, 6, 10
MOST_BARREN, MOST_UNDECIDED = 2, 4  # derivations without a case, and undecided points, after which no more are tried
SECONDS = 40.0
RESERVED = ("delta", "Delta", "sigma", "r", "y")
Progress = Callable[[str, int], None]


def formula(
    text: str,
    dimension: int | None,
    bound: Mapping[str, object],
    progress: Progress,
    prove: Prove,
    replay: Replay,
) -> Formula:
    """epsilon as a formula in the parameters left unbound, d, Delta and sigma.

    Args:
        text: f in the language, or a catalogue family's name; parameters may be unbound.
        dimension: d, or None to leave it free.
        bound: parameters to be bound all the same, exact.
        progress: called with a step's name and a running count.
        prove, replay: the prover and the kernel, with which every case is held against instances.

    Raises InputError for text outside the language, for parameters that it does not have or that
    are called delta, Delta or sigma, and where SymPy is not installed.
    """
    return _Derivation(text, dimension, bound, progress, prove, replay).answer()


class _Derivation:
    def __init__(
        self,
        text: str,
        dimension: int | None,
        bound: Mapping[str, object],
        progress: Progress,
        prove: Prove,
        replay: Replay,
    ) -> None:
        family = families().get(text.strip()) if isinstance(text, str) else None
        self.shown = family.text if family else text
        tree = parse(self.shown)
        names = parameters(tree)
        for name in sorted(names & set(RESERVED)):
            raise InputError(f"the parameter {name} has the name of the formula's own variable; call it something else")
        bound = given_by_name(bound)
        for name in sorted(set(bound) - (names - {"d"})):
            raise InputError(f"the generator has no parameter {name[:40]!r} to bind")
        self.bound = {n: parse_rational(v, f"parameter {n}") for n, v in bound.items()}
        Generator("1", 1 if dimension is None else dimension)  # raises InputError for what is no dimension
        self.dimension = dimension
        fixed = {**self.bound, **({} if dimension is None else {"d": Fraction(dimension)})}
        self.text = text_of(substitute(tree, fixed)) if fixed else self.shown
        self.free = sorted(names - {"d"} - set(self.bound))
        self.progress, self.prove, self.replay = progress, prove, replay
        self.known: dict[Point, Instance] = {}
        self.derivations = self.barren = 0
        self.trouble = ""

    def answer(self) -> Formula:
        with Algebra() as algebra:
            self.algebra = algebra
            for negative in self._signs():
                self.known.clear()  # with other signs, other questions
                self.points = Points(self.free, negative, self.dimension)
                drawn = list(islice(self.points.drawn(), DRAWN))
                if any(self._proved(p).verdict in ("private", "not_private") for p in drawn[:5]):
                    break
            else:
                self.points = Points(self.free, frozenset(), self.dimension)
                drawn = list(islice(self.points.drawn(), DRAWN))
            cases = self._explored(self._cases(drawn))
        told = [c for c in cases if self._confirm(c, cases)]
        told.sort(key=lambda c: (c.verdict != "private", c.verdict == "invalid", -c.confirmed))
        private = any(proved.verdict == "private" for proved in self.known.values())
        verdict = told[0].verdict if told else "undecided"
        if told and verdict != "private" and private:
            verdict = "undecided"  # the formula that matters is missing
        elif told and verdict != "private":
            self.trouble = ""
        reason = self._reason(told, verdict)
        variables = (*self.free, *(() if self.dimension else ("d",)), "Delta", "sigma")
        general = tuple(f"{n} {'<' if n in self.points.negative else '>'} 0" for n in (*self.free, "Delta", "sigma"))
        bound = {n: str(v) for n, v in self.bound.items()}
        if self.dimension:
            bound["d"] = str(self.dimension)
        return Formula(self.shown.strip(), bound, variables, general, verdict, tuple(told), reason)

    def _signs(self) -> Iterator[frozenset[str]]:
        """Which parameters are negative: none first, then few."""
        for size in range(min(len(self.free), 3) + 1):
            yield from (frozenset(c) for c in combinations(self.free, size))

    def _proved(self, point: Point) -> Instance:
        if point not in self.known:
            self.progress("instances proved", len(self.known))
            self.known[point] = instance(self.text, point, self.prove, self.replay)
        return self.known[point]

    @property
    def _spent(self) -> bool:
        """Whether enough derivations were tried."""
        return self.barren >= MOST_BARREN or self.derivations >= MOST_DERIVATIONS

    @property
    def _weary(self) -> bool:
        """Whether enough was tried in vain."""
        return self._spent or self._undecided() >= MOST_UNDECIDED

    def _undecided(self) -> int:
        return sum(proved.verdict == "undecided" for proved in self.known.values())

    # --- finding cases ---------------------------------------------------------------------

    def _cases(self, drawn: list[Point]) -> list[Case]:
        cases: list[Case] = []
        for point in drawn:
            proved = self._proved(point)
            if proved.verdict == "undecided":
                continue
            holding = [c for c in cases if holds(c.conditions, point)]
            if any(self._fits(c, proved) for c in holding) or self._spent:
                continue
            self._add(cases, self._derive(proved))
        return cases

    def _explored(self, cases: list[Case]) -> list[Case]:
        """Merge the cases, and derive again at drawn points that none of them covers."""
        cases = merged(cases)
        for point in islice(self.points.drawn(), PROBED):
            if self._weary or not cases:
                break
            if any(holds(c.conditions, point) for c in cases):
                continue
            proved = self._proved(point)
            if proved.verdict != "undecided":
                self._add(cases, self._derive(proved))
                cases = merged(cases)
        return cases

    def _add(self, cases: list[Case], new: Case | None) -> None:
        """A new case; or one more value of an unproved one with the same conditions: the largest counts."""
        if new is None:
            return
        for old in cases:
            alike = (old.verdict, sorted(old.conditions)) == (new.verdict, sorted(new.conditions))
            if alike and new.values and not old.proved:
                old.values += [v for v in new.values if v not in old.values]
                old.of_scale += [v for v in new.of_scale if v not in old.of_scale]
                old.attained_at = f"{old.attained_at}; or {new.attained_at}"
                old.steps += [s for s in new.steps if s not in old.steps]
                return
        cases.append(new)

    def _derive(self, proved: Instance) -> Case | None:
        self.derivations += 1
        self.progress("derivations", self.derivations)
        point = proved.point
        values = {**dict(point.parameters), "delta": point.delta}
        if self.dimension is None:
            values["d"] = Fraction(point.dimension)
        bounds = [str(proved.epsilon.lower), str(proved.epsilon.upper)] if proved.epsilon else None
        question = {
            "text": self.text,
            "values": {n: str(v) for n, v in values.items()},
            "negative": sorted(self.points.negative),
            "dimension": str(point.dimension),
            "bounds": bounds,
        }
        best: Case | None = None
        for reply in self.algebra.ask(question, SECONDS):
            if "error" in reply:
                self.trouble = self.trouble or f"{reply['error']}, at {_words(point)}"
                continue
            case = _case(reply)
            if not self._fits(case, proved) or not holds(case.conditions, point):
                continue
            if best is None or (not best.proved and len(case.values[0]) < len(best.values[0])):
                best = case
            if case.proved or not case.values:
                break
        if best is None and not self.trouble:
            self.trouble = f"no place was found where the loss is the proved epsilon, at {_words(point)}"
        self.barren = self.barren + 1 if best is None else 0
        return best

    # --- confirming them ---------------------------------------------------------------------

    def _fits(self, case: Case, proved: Instance) -> bool:
        if case.verdict != proved.verdict:
            return False
        if proved.epsilon is None:
            return True
        return (
            case.epsilon is not None
            and is_narrow(proved.epsilon, case.proved)
            and agrees(case.epsilon, self.text, proved)
        )

    def _confirm(self, case: Case, cases: list[Case]) -> bool:
        """Hold the case against the verifier wherever its conditions hold; False after one disagreement."""
        case.instances = []
        for point in self._trials(case):
            if point.dimension < 1 or not holds(case.conditions, point):
                continue
            proved = self._proved(point)
            if self._fits(case, proved):
                case.instances.append(proved)
            elif proved.verdict != "undecided" and not self._excused(case, proved):
                self.trouble = f"the formula found elsewhere does not agree with the proof at {_words(point)}"
                return False
        if case.confirmed < FEWEST:
            self.trouble = self.trouble or f"a case is confirmed at {case.confirmed} points only, fewer than {FEWEST}"
        return case.confirmed >= FEWEST

    def _excused(self, case: Case, proved: Instance) -> bool:
        """Not a disagreement: an enclosure too wide to tell, or no density where nothing was derived of that."""
        if proved.epsilon is not None and case.verdict == "private":
            return not is_narrow(proved.epsilon, case.proved)
        return proved.verdict == "invalid" and any(s["formula"].endswith("?") for s in case.steps)

    def _trials(self, case: Case) -> Iterator[Point]:
        yield from list(self.known)
        for left, operator, right in case.conditions:
            value = _boundary(operator, right)
            if value is not None and left in self.free:
                yield self.points.boundary(left, value)
        if case.verdict == "private":
            yield from self.points.extreme()
        needed, most = MORE, self._undecided() + MOST_UNDECIDED
        for point in self.points.drawn():
            needed -= 1
            if case.confirmed >= FEWEST + 2 or needed < 0 or self._undecided() > most:
                return
            yield point

    def _reason(self, told: list[Case], verdict: Verdict) -> str:
        if verdict == "undecided":
            return f"Undecided: {self.trouble or 'nothing is proved at any point that was tried'}."
        main = told[0]
        if main.verdict == "private":
            return f"Private: epsilon = {main.epsilon_of_scale}, {main.status()}."
        name = "Private for no epsilon" if main.verdict == "not_private" else "Not a density generator"
        return f"{name}: {main.status()}." + (f" {self.trouble}." if self.trouble else "")


def _boundary(operator: str, right: str) -> Fraction | None:
    if not operator.endswith("="):
        return None
    try:
        return parse_rational(right, "a bound")
    except InputError:
        return None


def _case(reply: dict[str, Any]) -> Case:
    conditions: list[Condition] = [(left, operator, right) for left, operator, right in reply["conditions"]]
    values = [reply["value"]] if reply["value"] is not None else []
    of_scale = [reply["of_scale"]] if reply["of_scale"] is not None else []
    return Case(reply["verdict"], values, of_scale, conditions, reply["where"] or None, reply["proved"], reply["steps"])


def _words(point: Point) -> str:
    return ", ".join(f"{n} = {v}" for n, v in point.names.items())

"""epsilon as a formula in the parameters: cases, each with its conditions, its derivation and its instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dpverify.results import Verdict
from dpverify.shown import Shown
from dpverify.symbolic.instances import Instance

Condition = tuple[str, str, str]
OPPOSITE = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


@dataclass
class Case:
    """One verdict for all parameters within the conditions, or for those tried: `proved` says which."""

    verdict: Verdict
    values: list[str]  # epsilon is the largest of them
    of_scale: list[str]
    conditions: list[Condition]
    attained_at: str | None
    proved: bool
    steps: list[dict[str, str]]
    instances: list[Instance] = field(default_factory=list)

    @property
    def epsilon(self) -> str | None:
        """In delta = Delta/sigma."""
        return _largest(self.values)

    @property
    def epsilon_of_scale(self) -> str | None:
        """In Delta and sigma."""
        return _largest(self.of_scale)

    @property
    def confirmed(self) -> int:
        """At how many points proofs agree with the case."""
        return len(self.instances)

    def status(self) -> str:
        """How sure the case is, in words."""
        derived = "; for all parameters by SymPy's exact algebra alone, which no checker replays" if self.proved else ""
        return f"confirmed by proofs at {self.confirmed} rational points{derived}"

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "verdict": self.verdict,
            "epsilon": self.epsilon_of_scale,
            "epsilon_of_delta": self.epsilon,
            "conditions": [condition_text(c) for c in self.conditions],
            "attained_at": self.attained_at,
            "derived_for_all_parameters": self.proved,
            "status": self.status(),
            "steps": self.steps,
            "instances": [i.to_json() for i in self.instances],
        }


@dataclass(frozen=True)
class Formula(Shown):
    """The answer of `formula`: the case that covers most of what was tried, and the other cases.

    `verdict` is the main case's; "undecided" where there is none, and where instances are private
    for which no formula is told, whatever other cases say.
    """

    generator: str
    bound: dict[str, str]
    variables: tuple[str, ...]
    general: tuple[str, ...]  # conditions that every case shares: signs of the parameters
    verdict: Verdict
    cases: tuple[Case, ...]
    reason: str

    def __repr__(self) -> str:
        told = f"epsilon = {self.main.epsilon_of_scale}" if self.main and self.main.epsilon else self.verdict
        return f"<Formula {self.generator}: {told}>"

    @property
    def main(self) -> Case | None:
        """The case that the answer is; None where it is undecided."""
        return None if self.verdict == "undecided" else self.cases[0]

    def conditions(self, case: Case) -> list[str]:
        """All the conditions of one case, those on single parameters' signs included."""
        stated = [condition_text(c) for c in case.conditions]
        named = {c[0] for c in case.conditions if c[1] == ">" and not c[2].startswith("-")}
        return [g for g in self.general if g.split()[0] not in named or not g.endswith("> 0")] + stated

    def to_json(self) -> dict[str, Any]:
        """As plain data; "epsilon" is in Delta and sigma, "epsilon_of_delta" in delta = Delta/sigma."""
        records = [{**c.to_json(), "conditions": self.conditions(c)} for c in self.cases]
        main = records.pop(0) if self.main else {}
        return {
            "generator": self.generator,
            "bound": self.bound,
            "verdict": self.verdict,
            "epsilon": main.get("epsilon"),
            "epsilon_of_delta": main.get("epsilon_of_delta"),
            "delta": "Delta/sigma",
            "variables": list(self.variables),
            "conditions": main.get("conditions", []),
            "attained_at": main.get("attained_at"),
            "status": main.get("status", "undecided"),
            "derived_for_all_parameters": main.get("derived_for_all_parameters", False),
            "reason": self.reason,
            "steps": main.get("steps", []),
            "instances": main.get("instances", []),
            "other_cases": records,
        }


def condition_text(condition: Condition) -> str:
    """A condition as text."""
    return " ".join(condition)


def _largest(values: list[str]) -> str | None:
    if not values:
        return None
    return values[0] if len(values) == 1 else f"Max({', '.join(values)})"


def merged(cases: list[Case]) -> list[Case]:
    """Cases of one answer that meet at a condition and its opposite become one."""
    cases = list(cases)
    found = True
    while found:
        found = False
        for a in cases:
            for b in cases:
                union = None if a is b else _union(a, b)
                if union is not None:
                    cases[cases.index(a)] = union
                    cases.remove(b)
                    found = True
                    break
            if found:
                break
    return cases


def _union(a: Case, b: Case) -> Case | None:
    """The two as one case: a's conditions without x, given that b needs the opposite of x and no more than z.

    Where z holds, x or its opposite does, so one of the two derivations applies.
    """
    if (a.verdict, a.values) != (b.verdict, b.values):
        return None
    only_a = [c for c in a.conditions if c not in b.conditions]
    only_b = [c for c in b.conditions if c not in a.conditions]
    common = [c for c in a.conditions if c in b.conditions]
    if not only_a:
        return _with(a, b, common)
    if len(only_a) == 1 and (rest := _without_opposite(only_a[0], only_b)) is not None:
        return _with(a, b, common + rest)
    return None


def _without_opposite(x: Condition, others: list[Condition]) -> list[Condition] | None:
    for y in others:
        if (x[0], x[2]) == (y[0], y[2]) and x[1][0] == OPPOSITE.get(y[1], "?")[0]:
            return [c for c in others if c != y]
    return None


def _with(a: Case, b: Case, conditions: list[Condition]) -> Case:
    beyond = ", ".join(condition_text(c) for c in b.conditions if c not in a.conditions)
    also = {
        "title": "Beyond these conditions",
        "formula": f"where {beyond}" if beyond else "elsewhere",
        "why": f"a derivation of its own ends in the same formula, at {b.attained_at or 'no place'}.",
        "scope": b.steps[-1]["scope"] if b.steps else "instances",
    }
    return Case(
        a.verdict,
        a.values,
        a.of_scale,
        conditions,
        a.attained_at if a.attained_at == b.attained_at else f"{a.attained_at}; or {b.attained_at}",
        a.proved and b.proved,
        [*a.steps, also],
        a.instances + b.instances,
    )

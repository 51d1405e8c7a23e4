"""The child process in which SymPy runs: questions in, lines of JSON out, and nothing else.

SymPy may be wrong, slow or endless. Here it can be ended at any time, and all that leaves is text
in the language, which the parent parses, evaluates in ball arithmetic and holds against a proof.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

import sympy as sp

from dpverify.language import parse
from dpverify.symbolic.candidates import candidates
from dpverify.symbolic.conditions import readable
from dpverify.symbolic.from_sympy import Untranslatable, to_text
from dpverify.symbolic.inquiry import Candidate, Step
from dpverify.symbolic.reference import Reference, Undetermined
from dpverify.symbolic.to_sympy import DELTA, to_sympy

MEMORY = 2 * 2**30
LONGEST = 600


def answer(question: dict[str, Any]) -> None:
    """Print each candidate for {"text", "values", "negative", "dimension", "bounds"} as a line.

    `values` are those of the reference point, delta's among them, and d's unless `dimension` binds it.
    """
    negative = set(question["negative"])
    symbols = {
        n: sp.Symbol(f"(-{n})" if n in negative else n, positive=True) for n in question["values"] if n != "delta"
    }
    meanings = {n: -s if n in negative else s for n, s in symbols.items()}
    back = {symbols[n]: -sp.Symbol(n, negative=True) for n in negative}
    dimension = symbols["d"] if "d" in symbols else sp.Integer(question["dimension"])
    values = {symbols[n]: abs(sp.Rational(v)) for n, v in question["values"].items() if n != "delta"}
    values[DELTA] = sp.Rational(question["values"]["delta"])
    bounds = tuple(sp.Rational(b) for b in question["bounds"]) if question["bounds"] else None
    ref = Reference(values, bounds)
    f = to_sympy(parse(question["text"]), meanings)
    for candidate in candidates(f, dimension, ref):
        try:
            say(record(candidate, back))
        except Untranslatable:
            continue


def record(candidate: Candidate, back: dict[Any, Any]) -> dict[str, Any]:
    """A candidate as a line of JSON; raises Untranslatable."""
    value = candidate.value
    written = None if value is None else to_text(value.subs(back))
    if written is not None and len(written) > LONGEST:
        raise Untranslatable("too long")
    return {
        "verdict": candidate.verdict,
        "value": written,
        "of_scale": None if value is None else to_text(of_scale(value.subs(back))),
        "where": candidate.where,
        "proved": candidate.proved,
        "conditions": readable(c.subs(back) for c in candidate.ref.conditions),
        "steps": [step(s) for s in candidate.steps],
    }


def of_scale(value: Any) -> Any:
    """With delta = Delta/sigma put in."""
    return value.subs(DELTA, sp.Symbol("Delta", positive=True) / sp.Symbol("sigma", positive=True))


def step(s: Step) -> dict[str, str]:
    """A step as plain data."""
    return {"title": s.title, "formula": s.formula, "why": s.why, "scope": s.scope}


def say(record: dict[str, Any]) -> None:
    """Print one line."""
    print(json.dumps(record), flush=True)


def limit_memory() -> None:
    """Let the process have no more memory than it should need, where the system can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def limit_work(seconds: float | None) -> None:
    """Let the system end the process once it has worked for so long, where it can; None lifts the limit.

    No handler is set: one of Python's would wait for the end of a long multiplication.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0 if seconds is None else max(seconds, 1e-3))


def main() -> None:
    """Answer the questions of standard input, a line each."""
    limit_memory()
    for line in sys.stdin:
        question = json.loads(line)
        limit_work(question["seconds"])
        try:
            answer(question)
        except (Undetermined, sp.PolynomialError) as error:
            say({"error": str(error)[:200]})
        except (ArithmeticError, ValueError, TypeError, AttributeError, LookupError, NotImplementedError) as error:
            say({"error": f"SymPy fails ({type(error).__name__})"})
        except (RecursionError, MemoryError) as error:
            say({"error": f"SymPy runs out of room ({type(error).__name__})"})
        limit_work(None)
        say({"done": True})


if __name__ == "__main__":
    main()

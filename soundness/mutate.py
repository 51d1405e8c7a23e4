"""Nasty changes to certificates: of the claim, of the proof's steps, of types, and of bytes."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from dpverify.certificate import digest
from dpverify.certificate.seal import by_section
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import Ledger, Rejected
from soundness import of_claim, of_kinds, of_proof
from soundness.corpus import FAST, Certificate
from soundness.reach import NASTY, look, near, paths, put


def nasty(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    path = rnd.choice(list(paths(c)))
    value = rnd.choice(NASTY)
    put(c, path, value if rnd.random() < 0.8 else [look(c, path)])


def fields(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    path = rnd.choice([p for p in paths(c) if isinstance(p[-1], str)])
    if rnd.random() < 0.6:
        del look(c, path[:-1])[path[-1]]
    else:
        look(c, path[:-1])[rnd.choice(("extra", path[-1].upper(), path[-1] + " ", "shift", "box"))] = look(c, path)


def other_parts(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """A composition of other parts, or of parts that are themselves changed and sealed anew."""
    listed, given, what = c["claim"]["parts"], c["proof"]["parts"], rnd.randrange(6)
    part = rnd.choice(listed)
    if what == 0:
        part["times"] = rnd.choice((1, 2, part["times"] + 1, part["times"] - 1, 0, 30))
    elif what == 1 and "sampling" in part:
        rate = rnd.choice(("1/2", "1/10", "99/100", "1", "0"))
        part["sampling"] = rnd.choice((None, {"kind": rnd.choice(("poisson", "fixed")), "rate": rate}))
    elif what == 1:
        part["epsilon"] = str(near(rnd, Fraction(part["epsilon"])))
    elif what == 2:
        listed.append(dict(part)) if rnd.random() < 0.5 else listed.remove(part)
    else:
        old = part["digest"]
        inner = copy.deepcopy(given[old]) if what < 5 else copy.deepcopy(rnd.choice(others))
        if what < 5:
            CHANGES[rnd.choice(list(WEIGHTS))](rnd, inner, others)
            refreshed(inner)
        inner["digest"] = digest(inner)
        given[inner["digest"]] = inner
        for other in listed:
            if other["digest"] == old:
                other["digest"] = inner["digest"]
        if rnd.random() < 0.9:
            given.pop(old, None)
        claimed = inner["claim"].get("epsilon")
        if claimed and rnd.random() < 0.5:
            part["epsilon"] = claimed["upper"]


CHANGES: dict[str, Callable[[random.Random, Certificate, Sequence[Certificate]], None]] = {
    "a number shifted": of_claim.shifted_number,
    "epsilon moved": of_claim.tighter_epsilon,
    "another problem": of_claim.another_problem,
    "another generator": of_claim.another_generator,
    "other words": of_claim.other_words,
    "other boxes": of_proof.other_boxes,
    "other ends": of_proof.other_ends,
    "other ways": of_proof.other_ways,
    "other rules": of_proof.other_rules,
    "other needs": of_proof.other_defined,
    "other steps": of_proof.other_steps,
    "another witness": of_proof.other_witness,
    "another phase": of_proof.other_phase,
    "parts of another proof": of_proof.swapped,
    "parts exchanged": of_proof.within,
    "a nasty value": nasty,
    "fields": fields,
    "other points": of_claim.other_points,
    "other panels": of_kinds.other_panels,
    "other parts": other_parts,
    "other law": of_kinds.other_law,
    "other atoms": of_kinds.other_atoms,
}
WEIGHTS = dict(zip(CHANGES, (3, 3, 2, 3, 2, 3, 2, 1, 1, 3, 2, 2, 1, 2, 1, 2, 1), strict=False))
OF_KINDS = {
    "profile": ("other points", "other panels"),
    "composition": ("other points", "other parts"),
    "releases": ("other points", "other parts"),
    "mixture profile": ("other points", "another generator", "other law"),
    "spatial mixture profile": ("other points", "another generator", "other panels", "other atoms"),
    "mixture": ("epsilon moved", "another generator", "other law"),
}
"""The changes of claims of another kind than that of an epsilon: twice as often as all others."""


def bytewise(rnd: random.Random, data: bytes) -> bytes:
    """A few bytes altered, cut out, doubled or moved."""
    raw = bytearray(data)
    for _ in range(rnd.choice((1, 1, 2, 5))):
        i = rnd.randrange(len(raw))
        j = min(len(raw), i + rnd.randint(1, 12))
        what = rnd.randrange(5)
        if what == 0:
            raw[i] ^= 1 << rnd.randrange(8)
        elif what == 1:
            raw[i] = rnd.choice(b'0123456789-/".[]{},: eE\\\xff\x00')
        elif what == 2:
            del raw[i:j]
        elif what == 3:
            raw[i:i] = raw[i:j]
        else:
            at = rnd.randrange(len(raw))
            raw[at:at] = raw[i:j]
        raw = raw or bytearray(b" ")
    return bytes(raw)


def mutant(
    rnd: random.Random, certificates: Sequence[Certificate], weights: Sequence[float] | None = None
) -> tuple[str, Certificate, bytes]:
    """The kind of change, the certificate before it, and the bytes after it, with a fresh digest where they parse."""
    weights = weights or [10 if i < FAST else 1 for i in range(len(certificates))]
    original = rnd.choices(certificates, weights)[0]
    if rnd.random() < 0.15:
        data = bytewise(rnd, json.dumps(original).encode())
        if rnd.random() < 0.3:
            return "bytes", original, data
        try:
            changed = json.loads(data)
            return "bytes, fresh digest", original, sealed(changed)
        except (ValueError, RecursionError):
            return "bytes", original, data
    changed = copy.deepcopy(original)
    count = rnd.choice((1, 1, 1, 2, 3))
    names: list[str] = rnd.choices(list(WEIGHTS), list(WEIGHTS.values()), k=count)
    if "kind" in original["claim"]:
        own = OF_KINDS[original["claim"]["kind"]]
        names = [rnd.choice(own) if rnd.random() < 2 / 3 else name for name in names]
    for name in names:
        try:
            CHANGES[name](rnd, changed, certificates)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, ArithmeticError):
            break  # an earlier change took away what this one needs
    if "other rules" not in names and rnd.random() < 0.85:
        refreshed(changed)
    return names[0], original, sealed(changed)


def refreshed(certificate: Any) -> None:
    """List the rules that the changed proof enters, up to its end or to where it fails, and what it assumes, so
    that what fails is no list; a certificate that cannot be replayed at all is left as it is."""
    ledger = Ledger()
    try:
        certificate["assumptions"] = kernel.replay(certificate["claim"], certificate["proof"], ledger)
    except (Rejected, ArithmeticError, RecursionError, ValueError):
        pass
    except Exception:
        return  # the kernel is asked again by whoever judges the mutant
    if ledger.used and isinstance(certificate, dict):
        certificate["rules"] = by_section(ledger.used)


def sealed(certificate: Any) -> bytes:
    """The certificate's bytes, its digest made to fit, so that the real checks are tried."""
    if isinstance(certificate, dict):
        certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()

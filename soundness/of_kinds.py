"""Changes of proofs of claims of other kinds: the panels of a profile, a mixing law."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from soundness.corpus import Certificate
from soundness.reach import near


def other_panels(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Other sets on the panels of a profile, other panels, boundaries and joints."""
    step = c["proof"]["profile"]
    k, what = rnd.randrange(len(step["points"])), rnd.randrange(9)
    point = step["points"][k]
    if what == 0 or not isinstance(point, dict):
        step["points"][k] = rnd.choice(("pure", copy.deepcopy(rnd.choice(step["points"]))))
        return
    if what == 1:
        step["order"] = rnd.choice((1, 2, 3, 4, 5, 7, 12))
        return
    side = rnd.choice(("left", "right")) if "left" in point else "marks"
    sets = f"{side}_sets" if "left" in point else "sets"
    marks = point[side] if rnd.random() < 0.8 else step["mass"]
    i = rnd.randrange(len(point[sets]))
    if what in (2, 3):
        word = rnd.choice("ef" if "left" in point else "efcs")
        point[sets] = point[sets][:i] + word + point[sets][i + 1 :]
        if "boundaries" in point:
            given = {"e": [], "f": [], "s": [str(Fraction(rnd.randint(1, 60), 20))]}
            point["boundaries"][i] = given.get(word, rnd.choice(point["boundaries"]))
    elif what == 4:
        j = rnd.randrange(1, len(marks) - 1)
        marks[j] = str(near(rnd, Fraction(marks[j])))
    elif what == 5:
        j = rnd.choice((0, len(marks) - 1, rnd.randrange(len(marks))))
        del marks[j]
        if marks is point[side]:
            point[sets] = point[sets][:j] + point[sets][j + 1 :]
            if "boundaries" in point:
                del point["boundaries"][min(j, len(point["boundaries"]) - 1)]
    elif what == 6 and point.get("boundaries"):
        boundary = rnd.choice([b for b in point["boundaries"] if b])
        j = rnd.choice((0, rnd.randrange(len(boundary))))
        boundary[j] = str(near(rnd, Fraction(boundary[j])))
    elif what == 7 and point.get("joints"):
        joint = rnd.choice(point["joints"])
        if rnd.random() < 0.5:
            point["joints"].remove(joint)
        else:
            joint["rules"] = "".join(rnd.choice("tc") for _ in joint["rules"])
    else:
        marks.append(str(Fraction(marks[-1]) * 2))
        if marks is point[side]:
            point[sets] += rnd.choice("ef")
            point.get("boundaries", []).append([])


def other_panels_of_law(rnd: random.Random, law: Any) -> None:
    """Marks moved or left out, another order, another end."""
    marks, what = law["marks"], rnd.randrange(5)
    i = rnd.choice((0, -1, rnd.randrange(len(marks))))
    if what < 4:
        other_marks(rnd, law, marks, i, what, ("power", "nothing"))
    else:
        marks[:] = marks[: rnd.randrange(2, len(marks) + 1)]


def other_marks(rnd: random.Random, law: Any, marks: list[str], i: int, what: int, ends: Sequence[str]) -> None:
    """Another end or order of a law, or a mark moved or left out."""
    if what == 0:
        law["ends"][rnd.choice(("zero", "infinity"))] = rnd.choice(ends)
    elif what == 1:
        law["order"] = rnd.choice((1, 2, 4, 9, 20))
    elif what == 2:
        marks[i] = str(near(rnd, Fraction(marks[i])))
    else:
        del marks[i]


def other_law(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Other panels of a mixing law, other radii at which they count, other rules of the boxes, another end or tail."""
    proof, what = c["proof"], rnd.randrange(8)
    if "law" not in proof:
        step = proof["refutation"]
        step[rnd.choice(("by", "zero"))] = rnd.choice(("pole", "tail", "bound", "logs", "nothing"))
        return
    if "supremum" not in proof:
        other_panels_of_law(rnd, proof["law"])
        return
    law, supremum = proof["law"], proof["supremum"]
    marks = rnd.choice((law["marks"], supremum["cover"], proof["cover"]))
    i = rnd.randrange(len(marks))
    if what < 4:
        other_marks(rnd, law, marks, i, what, ("power", "nothing", "exponential"))
        if what == 3 and marks is supremum["cover"]:
            supremum["rules"] = supremum["rules"][:i] + supremum["rules"][i + 1 :]
    elif what == 4:
        pair = proof["windows"][rnd.choice(list(proof["windows"]))]
        pair[rnd.randrange(2)] += rnd.choice((-20, -1, 1, 20))
    elif what == 5:
        k = rnd.randrange(len(supremum["rules"]))
        supremum["rules"] = supremum["rules"][:k] + rnd.choice("rsct") + supremum["rules"][k + 1 :]
    elif what == 6:
        tail = supremum["tail"]
        key = rnd.choice(list(tail))
        tail[key] = rnd.choice((str(near(rnd, Fraction(tail[key]))), "0", rnd.choice(law["marks"])))
    else:
        proof["witness"] = rnd.choice(
            (
                {"radius": rnd.choice(list(proof["windows"])), "rate": None},
                {"radius": None, "rate": str(near(rnd, Fraction(1, 2)))},
            )
        )


def other_atoms(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Another number of a patch, a mark, a rate or a weight moved or left out, other patches or ends."""
    atoms, what = c["proof"]["atoms"], rnd.randrange(8)
    patch = rnd.choice(atoms["patches"])
    if what == 0:
        key = rnd.choice(("centre", "half", "ellipse"))
        patch[key] = str(near(rnd, Fraction(patch[key])))
    elif what == 1:
        patch["moments"] = rnd.choice((1, 2, patch["moments"] - 2, patch["moments"] + 2, 100))
    elif what in (2, 3, 4):
        key = rnd.choice(("marks", "rates", "weights"))
        i = rnd.randrange(len(patch[key]))
        patch[key][i] = str(near(rnd, Fraction(patch[key][i])))
    elif what == 5:
        i = rnd.randrange(len(patch["rates"]))
        del patch["rates"][i], patch["weights"][i]
    elif what == 6:
        atoms["patches"].remove(patch) if rnd.random() < 0.5 else atoms["patches"].append(copy.deepcopy(patch))
    else:
        other_marks(rnd, atoms, patch["marks"], 0, rnd.randrange(2), ("power", "nothing"))

"""Eight exercises, from recognising private noise to reading a proof, each graded by what is true of the answer."""

from __future__ import annotations

from dpverify.classroom.exercise import Answers, Exercise, Grade
from dpverify.classroom.exercises.by_hand import BY_HAND
from dpverify.classroom.exercises.composition import COMPOSITION
from dpverify.classroom.exercises.dimension import DIMENSION
from dpverify.classroom.exercises.pole import POLE
from dpverify.classroom.exercises.sampler import SAMPLER
from dpverify.classroom.exercises.student import STUDENT
from dpverify.classroom.exercises.wave import WAVE
from dpverify.classroom.exercises.which import WHICH
from dpverify.errors import InputError

EXERCISES = (WHICH, STUDENT, POLE, WAVE, DIMENSION, COMPOSITION, SAMPLER, BY_HAND)


def exercise(name: str) -> Exercise:
    """The exercise of that name; raises InputError."""
    found = next((each for each in EXERCISES if each.name == name), None)
    if found is None:
        raise InputError(f"there is no exercise {name[:40]!r}; there are {', '.join(e.name for e in EXERCISES)}")
    return found


def grade(name: str, answers: Answers) -> Grade:
    """Judge the answers to the exercise of that name; raises InputError for another name."""
    return exercise(name).grade(answers)

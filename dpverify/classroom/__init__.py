"""The classroom: a page that proves in the browser with no installation, its exercises, and notebooks made of them.

`exercises` are texts with graders that judge the mathematics; `desk` answers the page's questions; `bundle` makes the
static folder, `notebooks` the notebooks.
"""

from dpverify.classroom.exercise import Exercise, Field, Grade
from dpverify.classroom.exercises import EXERCISES, exercise, grade

__all__ = ["EXERCISES", "Exercise", "Field", "Grade", "exercise", "grade"]

"""What holds from some radius on that nobody has to name: where f is negative at last."""

from __future__ import annotations

from dpverify.asymptotics import Eventually
from dpverify.enclosures import Undecided
from dpverify.prover.charts import ORDER
from dpverify.prover.problem import Problem


def negative_at_last(problem: Problem) -> bool:
    """Whether f is negative beyond some radius."""
    try:
        return problem.far_value(Eventually(ORDER)).sign() == -1
    except Undecided:
        return False

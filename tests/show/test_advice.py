"""An undecided result tells each reason once, and what to try."""

from __future__ import annotations

import pytest

from dpverify import verify
from dpverify.show.terminal import lines
from dpverify.show.verdicts import result_sheet


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["1/(1+Abs(sin(r))*r**3)", "1/(1+sin(r)**2*r**3)"])
def test_each_reason_is_told_once(generator: str) -> None:
    result = verify(generator)
    assert result.verdict == "undecided"
    told = " ".join(" ".join(lines(result_sheet(result), 10_000)).split())
    for name, hypothesis in result.hypotheses.items():
        if hypothesis.status == "undecided":
            assert all(told.count(part) == 1 for part in hypothesis.explanation.split("; ")), name
    assert " try " in told


def test_out_of_time_is_told_once_and_decided_results_have_nothing_to_try() -> None:
    told = "\n".join(lines(result_sheet(verify("exp(-r)", timeout="1e-6"))))
    assert told.count("ran out") == 1 and "more time" in told
    for generator in ("exp(-r)", "exp(-y)", "1"):
        assert not any(row.label == "try" for row in result_sheet(verify(generator)).rows)


@pytest.mark.slow
def test_what_is_not_settled_is_called_as_in_the_table_below_it() -> None:
    result = verify("exp(-r*abs(sin(r*r))-log(1+r)*r)")
    assert result.reason.startswith("Undecided: tail ratio bounded is not settled"), result.reason

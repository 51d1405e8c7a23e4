"""One printed number beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

Verdict = Literal["agrees", "differs", "cannot be compared"]
LEVEL = 4
"""Standard errors of the difference that chance may explain: one cell in 16,000 differs by more."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is printed at one place, what we find, and whether the two agree.

    Numbers agree where they differ by at most four standard errors of the difference and half a unit of the last
    printed digit; words where they are the same. `judged` says it where the paper states something else than a
    number; `why` says why there is nothing to compare, and then nothing is.

    printed, printed_error  as printed, with their digits; "" where nothing is
    ours, error             ours, and its standard error; None where it is exact
    """

    name: str
    ours: float | str
    error: float | None = None
    printed: str = ""
    printed_error: str = ""
    judged: bool | None = None
    why: str = ""

    @property
    def verdict(self) -> Verdict:
        """Whether printed and ours agree."""
        if self.why or (not self.printed and self.judged is None):
            return "cannot be compared"
        return "agrees" if self._agrees() else "differs"

    @property
    def reason(self) -> str:
        """Why it cannot be compared, or how many standard errors the two are apart; or ""."""
        if self.verdict == "cannot be compared":
            return self.why or "nothing is printed here"
        apart = self.apart
        return "" if apart is None else f"{apart:.1f} standard errors apart"

    @property
    def apart(self) -> float | None:
        """The difference in standard errors, beyond what rounding explains; None where there is no such number."""
        number, spread = _number(self.printed), self._spread()
        if number is None or isinstance(self.ours, str) or not spread:
            return None
        return max(0.0, abs(self.ours - float(number)) - _half_a_unit(number)) / spread

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data."""
        return {
            "name": self.name,
            "printed": self.printed or None,
            "printed_error": self.printed_error or None,
            "ours": self.ours,
            "error": self.error,
            "verdict": self.verdict,
            "reason": self.reason or None,
        }

    def _spread(self) -> float:
        return float((float(self.printed_error or 0) ** 2 + float(self.error or 0) ** 2) ** 0.5)

    def _agrees(self) -> bool:
        number = _number(self.printed)
        if self.judged is not None:
            return self.judged
        if number is None or isinstance(self.ours, str):
            return str(self.ours) == self.printed
        return abs(self.ours - float(number)) <= LEVEL * self._spread() + _half_a_unit(number) * (1 + 1e-9)


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _half_a_unit(number: Decimal) -> float:
    exponent = number.as_tuple().exponent
    return 0.5 * 10.0 ** (exponent if isinstance(exponent, int) else 0)

"""The options with values that are not allowed."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OptionFault:
    """One option whose value is not allowed. None stands for a missing one. `nearest`: the allowed name or
    text that is most like an unknown one, if one is."""

    key: str
    value: object
    allowed: str
    nearest: str | None = None

    def __str__(self) -> str:
        return f"{self.key}: {written_text(self.value):.80} is not allowed; allowed: {self.allowed}"


def written_text(value: object) -> str:
    try:
        return json.dumps(value, default=str)
    except RecursionError:
        return "what is nested so deep"


class BadOptions(ValueError):
    """Every option with a value that is not allowed."""

    def __init__(self, faults: tuple[OptionFault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults

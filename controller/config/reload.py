"""Which keys of a configuration may change while a table plays.

They have no effect on the state of the table: reports, pages and metrics compare with them, or show them.
Everything else decides about cards, money, devices, files or people, and changes only with a start, which the
journal has.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.config.sections import Config

RELOADABLE: Final = (
    "table.target",
    "reports.day_begins",
    "reports.shifts",
    "reports.pause",
    "web.house",
    "web.logo",
    "web.felt",
)
REASONS: Final[Mapping[str, str]] = {"table.name": "The floor and the journal know the table by its name"}
"""Why a key is refused that people might take for a mere text."""


class ReloadRefused(Exception):
    """The configuration differs in keys that change only with a start. The text names them."""


@dataclass(frozen=True, slots=True)
class KeyChange:
    """`key`: with its section. The values are those of JSON."""

    key: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.key} = {json.dumps(self.after)} instead of {json.dumps(self.before)}"


def reloadable_changes(before: Config, after: Config) -> tuple[KeyChange, ...]:
    """What changes if a table goes on with `after`. Raises ReloadRefused."""
    found = tuple(_differences("", before.model_dump(mode="json"), after.model_dump(mode="json")))
    if refused := [change.key for change in found if change.key not in RELOADABLE]:
        names, allowed = ", ".join(refused), ", ".join(RELOADABLE)
        why = "".join(f". {REASONS[key]}" for key in refused if key in REASONS)
        raise ReloadRefused(f"{names}: not allowed to change during play; allowed: {allowed}{why}")
    return found


def _differences(key: str, before: Any, after: Any) -> Iterator[KeyChange]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in dict.fromkeys((*before, *after)):
            yield from _differences(f"{key}.{name}" if key else name, before.get(name), after.get(name))
    elif before != after:
        yield KeyChange(key, before, after)

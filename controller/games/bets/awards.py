"""What Blazing 7s pays, event by event: the tables of docs/games/side-bets.md, or an operator's own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import PlainValidator

from controller.games.options import BadOptions, Fault
from controller.money import Ratio

OPTION = "blazing_7s"

Event = Literal["777 diamonds", "777 suited", "777 one colour", "777", "two 7s", "one 7"]
"""Best first; only the best one pays."""
EVENTS: tuple[Event, ...] = get_args(Event)
TableId = Literal[1, 2]

TABLES: dict[TableId, dict[Event, str]] = {
    1: {"777 diamonds": "100%", "777 suited": "100%", "777 one colour": "10%", "777": "200 for 1",
        "two 7s": "25 for 1", "one 7": "2 for 1"},
    2: {"777 diamonds": "100%", "777 suited": "10%", "777 one colour": "500 for 1", "777": "200 for 1",
        "two 7s": "25 for 1", "one 7": "2 for 1"},
}  # fmt: skip

AWARD_ALLOWED = '"N for 1", N from 1 to 999999, or "P%", P from 1 to 100'
BLAZING_7S_ALLOWED = f"1, 2, or a table with every event of {', '.join(EVENTS)} to {AWARD_ALLOWED}"

_AWARD = re.compile(r"([1-9][0-9]{0,5}) for 1|(100|[1-9][0-9]?)%")


@dataclass(frozen=True, slots=True)
class Award:
    """A multiple of the stake, the stake included, or a share of the jackpot; the other is 0."""

    for_one: int = 0
    percent: int = 0

    def __str__(self) -> str:
        """As settlement lines write what is paid: "24:1" or "10%"."""
        return f"{self.percent}%" if self.percent else str(self.odds)

    @property
    def odds(self) -> Ratio:
        """What is won to the stake, which is returned."""
        return Ratio(self.for_one - 1, 1)


def award(written: str) -> Award:
    """The award that "25 for 1" or "10%" names; raises ValueError."""
    found = _AWARD.fullmatch(written)
    if not found:
        raise ValueError(f"{written!r} is no award; allowed: {AWARD_ALLOWED}")
    return Award(for_one=int(found[1] or 0), percent=int(found[2] or 0))


def awards(option: TableId | Mapping[Event, str]) -> dict[Event, Award]:
    """The awards of a checked option, the best first."""
    table = option if isinstance(option, Mapping) else TABLES[option]
    return {event: award(table[event]) for event in EVENTS}


def _checked(option: object) -> object:
    """The option as it is written; raises BadOptions with every fault of a table."""
    if isinstance(option, Mapping):
        if faults := tuple(_faults(option)):
            raise BadOptions(faults)
        return dict(option)
    if type(option) is not int or option not in TABLES:
        raise BadOptions((Fault(OPTION, option, BLAZING_7S_ALLOWED),))
    return option


BlazingOption = Annotated[TableId | dict[Event, str], PlainValidator(_checked)]
"""A table by its number, or an own one with every event."""


def _faults(table: Mapping[Any, Any]) -> Iterator[Fault]:
    for event in dict.fromkeys((*EVENTS, *table)):
        written = table.get(event)
        if event not in EVENTS:
            yield Fault(f"{OPTION}.{event}", written, f"only {', '.join(EVENTS)}")
        elif not isinstance(written, str) or not _AWARD.fullmatch(written):
            yield Fault(f"{OPTION}.{event}", written, AWARD_ALLOWED)

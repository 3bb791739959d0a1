"""How the pages say what a tile shows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from controller.currency import UNNAMED, Currency, named_currency
from controller.floor.approvals.sender import CommandState, SentCommand
from controller.floor.tables.jackpots import LinkedJackpot
from controller.floor.tables.tile import Condition, Tile
from controller.jackpot.linked.messages import AmountState
from controller.monitor.supervisor.requests import ANSWERS, CALL_ANSWERS
from controller.property.commands import CommandName
from controller.property.status import Severity, StatusClaim, StatusLevel, StatusPace

Call = Literal["now", "look", "note", "well"]
"""How urgently a table needs attention."""
CALLS: Final[Mapping[Severity | None, Call]] = {
    "critical": "now",
    "warning": "look",
    "notice": "note",
    None: "well",
}
CALL_WORDS: Final[Mapping[Call, str]] = {
    "now": "Needs you",
    "look": "Check table",
    "note": "Notice",
    "well": "All well",
}
"""The most urgent first."""
CONDITION_WORDS: Final[Mapping[Condition, str]] = {
    "open": "In play",
    "suspended": "Suspended",
    "test": "Test mode",
    "down": "Core down",
    "silent": "Silent",
    "unknown": "No status yet",
}
PHASE_WORDS: Final[Mapping[str, str]] = {
    "betting": "Betting",
    "burning": "Burning cards",
    "dealing": "Dealing",
    "peeking": "Looking at the hole card",
    "insuring": "Insurance",
    "offering": "Offer to players",
    "playing": "Playing",
    "drawing": "Dealer draws",
    "paying": "Paying",
    "over": "Between rounds",
    "void": "Round is void",
}
"""The phases of a round, as `state` in a table's status."""
COMMAND_WORDS: Final[Mapping[CommandName, str]] = {
    "grant": "Granted",
    "decline": "Declined",
    "acknowledge": "Alert acknowledged",
    "message": "Message",
    "close": "Closed after its round",
}
OUTCOME_CALLS: Final[Mapping[CommandState, Call]] = {
    "sent": "note",
    "unknown": "now",
    "done": "well",
    "refused": "look",
}
LEVEL_WORDS: Final[Mapping[AmountState, tuple[str, Call]]] = {
    "open": ("open", "well"),
    "pending": ("claim pending", "look"),
    "closed": ("closed", "look"),
    "inoperable": ("stands still", "now"),
}
"""The state of a linked progressive in words, and its sign."""
NOT_ANNOUNCED: Final[tuple[str, Call]] = ("not announced", "look")
NO_PIT: Final = "No pit"
SLOW_SHARE: Final = 0.9
"""A table is slow if its pace is below this share of the target, as on the table's own page."""


@dataclass(frozen=True, slots=True)
class Face:
    """A tile in words. `tells`: what the page reads out when the table begins to need a person."""

    tile: Tile
    call: Call
    state: str
    reason: str
    slow: bool

    @property
    def pit(self) -> str:
        return self.tile.pit or NO_PIT

    @property
    def is_known(self) -> bool:
        """Whether the table has said anything, or needs attention because it has not."""
        return self.tile.condition != "unknown" or self.tile.needs_attention

    @property
    def word(self) -> str:
        return CALL_WORDS[self.call] if self.is_known else "Not known"

    @property
    def is_old(self) -> bool:
        """Whether what the tile shows is old."""
        return self.tile.stale_since is not None or self.tile.condition == "unknown"

    @property
    def hold(self) -> int:
        """The hold of the shift in minor units, rounded to whole units of the currency: more would not
        fit."""
        unit = self.tile.money.unit
        return round(self.tile.shift.hold / unit) * unit

    @property
    def shut(self) -> tuple[tuple[str, StatusLevel], ...]:
        """The linked progressives that are not open at the table."""
        return tuple((level, amount) for level, amount in self.tile.levels if amount.state != "open")

    @property
    def tells(self) -> str:
        return f"{self.tile.table}: {self.word}. {self.reason}" if self.tile.needs_attention else ""


@dataclass(frozen=True, slots=True)
class SentFace:
    """A command to a table in words. `call`: its sign; `again`: it may be sent again."""

    sent: SentCommand
    title: str
    outcome: str
    call: Call
    again: bool

    @classmethod
    def of(cls, sent: SentCommand) -> "SentFace":
        title, call = COMMAND_WORDS[sent.command.command], OUTCOME_CALLS[sent.state]
        return cls(sent, title, _outcome(sent), call, sent.state == "unknown")


def _outcome(sent: SentCommand) -> str:
    """What became of a command."""
    match sent.state:
        case "sent":
            return "On its way"
        case "unknown":
            return "No answer: it may or may not have been done. Look at the table, or send it again"
        case "done" if sent.row:
            return f"Done: the table has it in its journal in row {sent.row}"
        case "done":
            return "Done: the table has it in its journal"
        case "refused":
            return f"Refused: {sent.reason}"


@dataclass(frozen=True, slots=True)
class LevelFace:
    """A linked progressive. `jackpot`: None if it is not announced here; `word`: its state, `call`: its
    sign; `tables`: how many tables have it in each state; `money`: its currency. A level that names none has
    that of all its tables, UNNAMED if they do not agree."""

    name: str
    jackpot: LinkedJackpot | None
    word: str
    call: Call
    tables: tuple[tuple[str, int], ...]
    money: Currency = UNNAMED


def level_faces(tiles: Iterable[Tile], jackpots: Iterable[LinkedJackpot]) -> list[LevelFace]:
    """The linked progressives of the property, and those that only tables name, by name."""
    states: dict[str, Counter[str]] = defaultdict(Counter)
    currencies: dict[str, set[Currency]] = defaultdict(set)
    for tile in tiles:
        for level, amount in tile.levels:
            states[level][amount.state] += 1
            currencies[level].add(tile.money)
    known = {jackpot.level: jackpot for jackpot in jackpots}
    return [
        _level_face(name, known.get(name), states[name], currencies[name])
        for name in sorted({*states, *known})
    ]


def _level_face(
    name: str, jackpot: LinkedJackpot | None, states: Counter[str], currencies: set[Currency]
) -> LevelFace:
    word, call = LEVEL_WORDS[jackpot.state] if jackpot and jackpot.state else NOT_ANNOUNCED
    tables = tuple(sorted(states.items()))
    own = {named_currency(jackpot.currency)} if jackpot and jackpot.currency else currencies
    money = next(iter(own)) if len(own) == 1 else UNNAMED
    if len(own | currencies) > 1:
        codes = ", ".join(sorted(currency.code or "no currency" for currency in currencies))
        return LevelFace(name, jackpot, f"{word}, but its tables play in {codes}", "now", tables, money)
    return LevelFace(name, jackpot, word, call, tables, money)


def own_claims(tiles: Iterable[Tile], jackpots: Iterable[LinkedJackpot]) -> Iterator[tuple[str, StatusClaim]]:
    """The open claims of tables, without those that a linked progressive announces. A table numbers its
    claims itself, so both have only table and amount in common."""
    announced = Counter((claim.table, claim.cents) for jackpot in jackpots for claim in jackpot.claims)
    for tile in tiles:
        for claim in tile.claims:
            if announced[tile.table, claim.cents]:
                announced[tile.table, claim.cents] -= 1
            else:
                yield tile.table, claim


def labels_of(kind: str) -> Mapping[str, str]:
    """The labels of the answers to a request."""
    return CALL_ANSWERS if kind == "help" else ANSWERS


def face(tile: Tile) -> Face:
    """The tile in words."""
    reason = next(_reasons(tile), "")
    return Face(tile, CALLS[tile.severity], state_words(tile), reason, _is_slow(tile.pace))


def state_words(tile: Tile) -> str:
    """What the table does, or why it does nothing."""
    if tile.condition == "open":
        return PHASE_WORDS.get(tile.phase, tile.phase or CONDITION_WORDS["open"])
    return CONDITION_WORDS[tile.condition]


def _reasons(tile: Tile) -> Iterator[str]:
    """Why a person should look; the caller takes the first. A critical alert of the floor comes before
    what the table says, because then the table may be wrong."""
    if tile.alerts and tile.alerts[0].source == "floor" and tile.alerts[0].severity == "critical":
        yield tile.alerts[0].text
    yield from tile.why
    if tile.request:
        who = tile.request.by
        yield f"{who} asks: {tile.request.text}"
    for claim in tile.claims:
        yield f"Claim {claim.claim} is {claim.state}"
    for alert in tile.alerts:
        yield f"Over: {alert.text}" if alert.ended else alert.text
    for device in tile.missing:
        yield f"The {device} does not run"
    if tile.test:
        yield tile.test


def _is_slow(pace: StatusPace) -> bool:
    return pace.per_hour is not None and pace.per_hour < SLOW_SHARE * pace.target

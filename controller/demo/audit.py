"""What the journal of a finished demonstration says, compared with the simulated shoe and with the crew."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from controller.demo.crew.played_round import PlayedRound
from controller.demo.settings import DemoSettings
from controller.games.game import Game
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.round.settle import settle
from controller.table.record.codec import read_ended, read_input
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import RoundEnded
from controller.table.record.round_script import UNWRITTEN, RoundScript
from controller.table.record.sealed import OPENED, readable
from controller.table.record.views import RoundView
from drivers.messages import CardDrawn, CardInterrupted, CardUnreadable

INPUTS = frozenset({"event", "supervisor"})
WARNINGS = frozenset({"alert", "refusal"})
KINDS = INPUTS | WARNINGS | {"round", OPENED}
CountedCard = tuple[int, str]
"""The shoe's count and the card."""


@dataclass(frozen=True, slots=True)
class DemoAudit:
    """The journal's rounds and cards, and the cards of the simulated shoe. Reading verified the journal's
    chain."""

    ended: tuple[RoundEnded, ...]
    cards: tuple[CountedCard, ...]
    shoe_cards: tuple[CountedCard, ...]
    warnings: tuple[str, ...]
    """Alerts and refusals, from the journal."""

    @property
    def rounds(self) -> int:
        return len(self.ended)

    @property
    def wagers(self) -> int:
        return sum(len(ended.round.lines) for ended in self.ended)


def read_audit(journal: Path, shoe_log: Path) -> DemoAudit:
    """Reads all files of the journal, which no daemon may have open, and the shoe's list of cards.

    Raises JournalError if the journal is damaged or in use.
    """
    with Journal(journal):
        entries = readable([entry for entry in History(journal).rows() if entry.content.kind in KINDS])
    rows = [entry.content for entry in entries]
    ended = tuple(read_ended(row) for row in rows if row.kind == "round")
    cards = _cards(read_input(row) for row in rows if row.kind in INPUTS)
    warnings = tuple(row.body for row in rows if row.kind in WARNINGS)
    return DemoAudit(ended, tuple(cards), read_shoe_log(shoe_log), warnings)


def read_shoe_log(path: Path) -> tuple[CountedCard, ...]:
    """The simulated shoe's own list of the cards that left."""
    lines = path.read_text().splitlines() if path.exists() else []
    return tuple((int(count), card) for count, card, _at in (line.split() for line in lines))


def _cards(inputs: Iterable[Input]) -> Iterator[CountedCard]:
    """The cards in order. A card that the shoe could not read is the one that a supervisor named."""
    unseen: deque[int] = deque()
    for event in inputs:
        match event:
            case DeviceEvent(body=CardDrawn(count, card)):
                yield count, card
            case DeviceEvent(body=CardUnreadable(count) | CardInterrupted(count)):
                unseen.append(count)
            case Supervisor(choice="card", card=str(card)) if unseen:
                yield unseen.popleft(), card


def disputes(
    scene: DemoSettings, ended: Sequence[RoundEnded], played: Sequence[PlayedRound]
) -> Iterator[str]:
    """A sentence for each difference between the table, the crew's record, and the settlement of that
    record. Compares the last rounds of `ended`, which are those that the crew played."""
    for table, crew in zip_longest(ended[-len(played) :] if played else (), played):
        if table is None or crew is None:
            yield f"the crew played {len(played)} rounds, the table has {len(ended)}"
        else:
            yield from _about(scene, table, crew)


def script(
    game: Game, options: Mapping[str, object], played: PlayedRound, meters: Mapping[str, int]
) -> dict[str, Any]:
    """A round as the crew recorded it, in the notation of round scripts. `meters`: jackpots as displayed."""
    wagers: dict[str, dict[str, int | None]] = {}
    for bet in played.bets:
        wagers.setdefault(str(bet.seat), {})[game.spots[bet.spot]] = bet.cents
    written_options = {name: value for name, value in options.items() if name not in UNWRITTEN}
    return {
        "game": game.name,
        "options": written_options,
        "wagers": wagers,
        "meters": dict(meters),
        "script": list(played.script),
    }


def _about(scene: DemoSettings, table: RoundEnded, crew: PlayedRound) -> Iterator[str]:
    view, number = table.round, table.round.number
    if crew.void or view.outcome == "void":
        if not (crew.void and view.outcome == "void"):
            yield f"round {number} is void for one of them only"
        return
    written = script(scene.rules, scene.game_options, crew, table.script.meters if table.script else {})
    for what, (ours, theirs) in _compared(table, crew, written).items():
        if ours != theirs:
            yield f"round {number}, {what}: the table has {ours}, the crew {theirs}; {json.dumps(written)}"


def _compared(table: RoundEnded, crew: PlayedRound, written: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What the table has and what the crew has, by topic."""
    view = table.round
    seeds, linked = (table.script.seeds, table.script.linked) if table.script else ({}, ())
    settled = settle(json.dumps(written), seeds, linked)
    if "error" in settled:
        return {"script": ("settled it", settled["error"])}
    lines, nets = _lines(view), {str(seat.seat): seat.net for seat in view.seats if seat.hands}
    names = lines[0].keys() if lines else ()
    return {
        "script": (table.script and _written(table.script), (written["wagers"], written["script"])),
        "hands": (_hands(view), crew.hands),
        "the dealer's hand": (list(view.dealer.cards), crew.dealer),
        "settlement": (lines, [{name: line.get(name) for name in names} for line in settled["settlements"]]),
        "net": (nets, settled["net"]),
    }


def _written(script: RoundScript) -> tuple[object, object]:
    return script.wagers, list(script.script)


def _hands(view: RoundView) -> dict[int, list[list[str]]]:
    return {seat.seat: [list(hand.cards) for hand in seat.hands] for seat in view.seats if seat.hands}


def _lines(view: RoundView) -> list[dict[str, object]]:
    return [asdict(line) for line in view.lines]

"""What the journal of an ended demonstration holds, beside the simulated shoe's own list of its cards.

The crew's own record of a round, settled once more, beside what the table showed.
"""

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
from controller.journal.history import entries
from controller.journal.journal import Journal
from controller.round.settle import settle
from controller.table.record.codec import read_ended, read_input
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import RoundEnded
from controller.table.record.round_script import UNWRITTEN, RoundScript
from controller.table.record.views import RoundView
from drivers.messages import CardDrawn, CardInterrupted, CardUnreadable

INPUTS = frozenset({"event", "supervisor"})
WARNINGS = frozenset({"alert", "refusal"})
KINDS = INPUTS | WARNINGS | {"round"}
CountedCard = tuple[int, str]
"""The shoe's count and the card."""


@dataclass(frozen=True, slots=True)
class DemoAudit:
    """Both sides' books; the journal's chain was verified on the way."""

    ended: tuple[RoundEnded, ...]
    cards: tuple[CountedCard, ...]
    shoe_cards: tuple[CountedCard, ...]
    warnings: tuple[str, ...]
    """What somebody at the table was warned of or refused, as the journal has it."""

    @property
    def rounds(self) -> int:
        """How many rounds ended."""
        return len(self.ended)

    @property
    def wagers(self) -> int:
        """How many wagers were decided."""
        return sum(len(ended.round.lines) for ended in self.ended)


def read_audit(journal: Path, shoe_log: Path) -> DemoAudit:
    """Read all files of the journal, which no daemon may have open, and the shoe's list.

    Raises JournalError when the journal is damaged or in use.
    """
    with Journal(journal):
        rows = [entry.content for entry in entries(journal) if entry.content.kind in KINDS]
    ended = tuple(read_ended(row) for row in rows if row.kind == "round")
    cards = _cards(read_input(row) for row in rows if row.kind in INPUTS)
    warnings = tuple(row.body for row in rows if row.kind in WARNINGS)
    return DemoAudit(ended, tuple(cards), read_shoe_log(shoe_log), warnings)


def read_shoe_log(path: Path) -> tuple[CountedCard, ...]:
    """The simulated shoe's own list of the cards that left."""
    lines = path.read_text().splitlines() if path.exists() else []
    return tuple((int(count), card) for count, card, _at in (line.split() for line in lines))


def _cards(inputs: Iterable[Input]) -> Iterator[CountedCard]:
    """The cards as they came; one that the shoe did not see is the one that a supervisor saw."""
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
    """A sentence for each thing that the table says otherwise than the crew, or than the crew's record of the
    round is settled; of the last rounds of `ended`, which are those that the crew played."""
    for table, crew in zip_longest(ended[-len(played) :] if played else (), played):
        if table is None or crew is None:
            yield f"the crew played {len(played)} rounds, the table has {len(ended)}"
        else:
            yield from _about(scene, table, crew)


def script(
    game: Game, options: Mapping[str, object], played: PlayedRound, meters: Mapping[str, int]
) -> dict[str, Any]:
    """A round as the crew wrote it down, in the notation of round scripts; `meters`: jackpots as shown."""
    wagers: dict[str, dict[str, int | None]] = {}
    for bet in played.bets:
        wagers.setdefault(str(bet.seat), {})[game.spots[bet.spot]] = bet.cents
    written_options = {name: value for name, value in options.items() if name not in UNWRITTEN}
    return {
        "game": game.name, "options": written_options, "wagers": wagers, "meters": dict(meters),
        "script": list(played.script),
    }  # fmt: skip


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
    """What the table says and what the crew says, by what it is about."""
    view = table.round
    settled = settle(json.dumps(written), table.script.seeds if table.script else {})
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

"""One round step by step, with the felt as anybody could see it: the inputs applied once more."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.journal.errors import JournalError
from controller.past.replay.rounds import Kept
from controller.past.replay.steps import Step, Turn, turns
from controller.past.replay.words import came
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import RoundEnded
from controller.table.record.views import HIDDEN, HandView, JackpotView, LineView, RoundView, SeatView
from controller.table.state.table_state import TableState
from controller.table.view.build import view
from drivers.messages import CardDrawn, CardUnpermitted

OPENING = "betting is open"
DOWN: dict[type, str] = {
    CardDrawn: "a card, face down",
    CardUnpermitted: "a card, although the shoe was locked",
}
"""What is said of the card that lies face down, or will."""


@dataclass(frozen=True, slots=True)
class Felt:
    """The table after a step. `display`: the lines of the players' display."""

    phase: str
    prompt: str
    prompt_seat: int
    keys: tuple[str, ...]
    window: str
    suspended: tuple[str, ...]
    dealer: HandView
    seats: tuple[SeatView, ...]
    lines: tuple[LineView, ...]
    display: tuple[str, ...]
    jackpots: tuple[JackpotView, ...]
    bank: int | None
    croupier: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A step: what was due, what `came`, what it `gave`. The first one is the table before any came.

    `at`: seconds of Unix time. `card`: the one that left the shoe with it, "??" while nobody was to see it.
    """

    at: float
    due: str
    came: str
    gave: tuple[str, ...]
    card: str
    felt: Felt


@dataclass(frozen=True, slots=True)
class Play:
    """All scenes of a round; where there are none `unplayed` says why, in a sentence."""

    scenes: tuple[Scene, ...]
    unplayed: str = ""


def play(kept: Kept) -> Play:
    """The scenes of an ended round; a card that lies face down has no name before it is turned."""
    if not kept.rows:
        return Play((), "The journal keeps nothing of what came before its end")
    try:
        found = tuple(_Stage().scenes(kept))
    except JournalError as error:
        return Play((), str(error))
    return Play(found)


class _Stage:
    """Looks on: which cards lie face down, or wait for it, is known only afterwards."""

    def __init__(self) -> None:
        self._hidden = 0
        self._waiting: frozenset[int] = frozenset()
        self._down: set[int] = set()
        self._seen: list[tuple[Turn, Step, Felt, bool]] = []

    def scenes(self, kept: Kept) -> Iterator[Scene]:
        opening: Felt | None = None
        for turn in turns(kept):
            went_down = self._watch(turn)
            if turn.step:
                self._seen.append((turn, turn.step, _after(turn, kept.ended.round), went_down))
            elif not self._seen:
                opening = _felt(turn.state)
        if opening and self._seen:
            first = self._seen[0][1]
            yield Scene(first.at, first.due, OPENING, (), "", opening)
        yield from (self._scene(*seen) for seen in self._seen)

    def _watch(self, turn: Turn) -> bool:
        """Whether a card went face down now."""
        hidden, waiting = turn.state.round.hidden, frozenset(stray.count for stray in turn.state.strays)
        went_down = hidden > self._hidden
        if went_down:
            self._down |= {_count(turn.event), *(self._waiting - waiting)}
        self._hidden, self._waiting = hidden, waiting
        return went_down

    def _scene(self, turn: Turn, step: Step, felt: Felt, went_down: bool) -> Scene:
        hidden = _count(turn.event) in self._down
        body = turn.event.body if isinstance(turn.event, DeviceEvent) else None
        said, card = step.came, body.card if isinstance(body, CardDrawn | CardUnpermitted) else ""
        if hidden and card:
            said, card = DOWN[type(body)], HIDDEN
        elif went_down and isinstance(turn.event, Supervisor):
            said = came(replace(turn.event, card=None), ())
        return Scene(step.at, step.due, said, step.gave, card, felt)


def _count(event: Input) -> int:
    """Which card of the shoe it is about; -1: none."""
    body = event.body if isinstance(event, DeviceEvent) else None
    return body.count if isinstance(body, CardDrawn | CardUnpermitted) else -1


def _after(turn: Turn, shown: RoundView) -> Felt:
    """Once the round is over the table is at the next one: what it says of itself is shown."""
    ended = turn.step is not None and any(isinstance(note, RoundEnded) for note in turn.step.notes)
    return _over(shown) if ended else _felt(turn.state)


def _felt(state: TableState) -> Felt:
    seen = view(state.table, state, ())
    return Felt(
        seen.phase, seen.prompt, seen.prompt_seat, seen.keys, seen.window, seen.suspended, seen.dealer,
        seen.seats, seen.lines, seen.display, seen.jackpots, seen.bank, seen.croupier,
    )  # fmt: skip


def _over(shown: RoundView) -> Felt:
    return Felt(
        "over", f"Round {shown.number} is over", 0, (), "", (), shown.dealer, shown.seats, shown.lines, (),
        shown.jackpots, shown.bank,
    )  # fmt: skip

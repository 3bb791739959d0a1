"""One round step by step, with the table as everybody could see it. The inputs are applied again."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.currency.formatting import amount_text
from controller.journal.errors import JournalError
from controller.past.replay.rounds import EndedRound
from controller.past.replay.steps import AppliedInput, ReplayStep, applied_inputs
from controller.past.replay.words import input_text
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import RoundEnded
from controller.table.record.views import HIDDEN, HandView, JackpotView, LineView, RoundView, SeatView
from controller.table.state.table_state import TableState
from controller.table.view.build import build_view
from drivers.messages import CardDrawn, CardUnpermitted

OPENING = "betting is open"
FACE_DOWN: dict[type, str] = {
    CardDrawn: "a card, face down",
    CardUnpermitted: "a card, although the shoe was locked",
}
"""The text for a card that lies face down, or will."""


@dataclass(frozen=True, slots=True)
class TablePicture:
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
class RoundStep:
    """A step: what was `due`, which input `came`, and what it `gave`. The first step is the table before any
    input.

    `at`: seconds of Unix time. `card`: the card that left the shoe, "??" if it was dealt face down.
    """

    at: float
    due: str
    came: str
    gave: tuple[str, ...]
    card: str
    felt: TablePicture


@dataclass(frozen=True, slots=True)
class RoundSteps:
    """All steps of a round. If there are none, `unplayed` says why, in a sentence."""

    scenes: tuple[RoundStep, ...]
    unplayed: str = ""


def round_steps(ended_round: EndedRound) -> RoundSteps:
    """The steps of an ended round. A card that lies face down has no name before it is turned."""
    if not ended_round.rows:
        return RoundSteps((), "The journal keeps nothing of what came before its end")
    try:
        found = tuple(_Observer().steps(ended_round))
    except JournalError as error:
        return RoundSteps((), str(error))
    return RoundSteps(found)


class _Observer:
    """Follows all inputs first: which cards lie face down is known only afterwards."""

    def __init__(self) -> None:
        self._hidden = 0
        self._waiting: frozenset[int] = frozenset()
        self._face_down: set[int] = set()
        self._observed: list[tuple[AppliedInput, ReplayStep, TablePicture, bool]] = []

    def steps(self, ended_round: EndedRound) -> Iterator[RoundStep]:
        opening: TablePicture | None = None
        for applied in applied_inputs(ended_round, amount_text):
            went_down = self._watch_face_down(applied)
            if applied.step:
                self._observed.append(
                    (applied, applied.step, _picture_after(applied, ended_round.ended.round), went_down)
                )
            elif not self._observed:
                opening = _picture(applied.state)
        if opening and self._observed:
            first = self._observed[0][1]
            yield RoundStep(first.at, first.due, OPENING, (), "", opening)
        yield from (self._step(*seen) for seen in self._observed)

    def _watch_face_down(self, applied: AppliedInput) -> bool:
        """Whether a card was placed face down by this input."""
        hidden, waiting = (
            applied.state.round.hidden,
            frozenset(stray.count for stray in applied.state.unplaced),
        )
        went_down = hidden > self._hidden
        if went_down:
            self._face_down |= {_count(applied.event), *(self._waiting - waiting)}
        self._hidden, self._waiting = hidden, waiting
        return went_down

    def _step(
        self, applied: AppliedInput, step: ReplayStep, felt: TablePicture, went_down: bool
    ) -> RoundStep:
        hidden = _count(applied.event) in self._face_down
        body = applied.event.body if isinstance(applied.event, DeviceEvent) else None
        text, card = step.came, body.card if isinstance(body, CardDrawn | CardUnpermitted) else ""
        if hidden and card:
            text, card = FACE_DOWN[type(body)], HIDDEN
        elif went_down and isinstance(applied.event, Supervisor):
            text = input_text(replace(applied.event, card=None), ())
        return RoundStep(step.at, step.due, text, step.gave, card, felt)


def _count(event: Input) -> int:
    """The number of the card in the shoe; -1: the input is not about a card."""
    body = event.body if isinstance(event, DeviceEvent) else None
    return body.count if isinstance(body, CardDrawn | CardUnpermitted) else -1


def _picture_after(applied: AppliedInput, shown: RoundView) -> TablePicture:
    """After the end of the round, the table is in the next one; so the view of the ended round is shown."""
    ended = applied.step is not None and any(isinstance(note, RoundEnded) for note in applied.step.notes)
    return _final_picture(shown) if ended else _picture(applied.state)


def _picture(state: TableState) -> TablePicture:
    seen = build_view(state.table, state, ())
    return TablePicture(
        seen.phase,
        seen.prompt,
        seen.prompt_seat,
        seen.keys,
        seen.window,
        seen.suspended,
        seen.dealer,
        seen.seats,
        seen.lines,
        seen.display,
        seen.jackpots,
        seen.bank,
        seen.croupier,
    )


def _final_picture(shown: RoundView) -> TablePicture:
    return TablePicture(
        "over",
        f"Round {shown.number} is over",
        0,
        (),
        "",
        (),
        shown.dealer,
        shown.seats,
        shown.lines,
        (),
        shown.jackpots,
        shown.bank,
    )

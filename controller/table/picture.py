"""The whole table as anyone may see it, drawn from its state."""

from collections.abc import Callable, Iterator, Sequence

from controller.table import hands, jackpot_picture, request_picture
from controller.table.alarms import Acknowledgement, Alarm
from controller.table.alert_endings import is_once
from controller.table.console import presses, prompt
from controller.table.display import display
from controller.table.press_view import AmountView, PressView
from controller.table.rulings import ruling
from controller.table.state import TableState
from controller.table.view import (
    AcknowledgedView,
    AlarmView,
    DeviceView,
    JackpotView,
    PaceView,
    ShoeView,
    TableView,
)
from drivers.protocol.codes import KEYS

PACED = 11
SHOWN_DONE = 20


def view(table: str, state: TableState, devices: Sequence[DeviceView], *, target: int = 0) -> TableView:
    """Everything a page shows; `table` is the table's name, `target` the rounds an hour that are wanted."""
    text, seat = prompt(state)
    legal = tuple(_presses(state))
    return TableView(
        table=table,
        game=state.game.title,
        round=state.number,
        phase=state.round.phase,
        prompt=text,
        prompt_seat=seat,
        keys=tuple(dict.fromkeys(press.action for press in legal)),
        suspended=state.suspension.reasons,
        alerts=_alerts(state),
        dealer=hands.dealer(state.round),
        seats=tuple(hands.seats(state)),
        lines=hands.lines(state.round),
        shoe=_shoe(state),
        display=display(state),
        devices=tuple(devices),
        rounds=state.rounds,
        bank=state.round.bank,
        window=WINDOWS.get(state.round.phase, _no_window)(state),
        jackpots=tuple(JackpotView(spot, state.meters[spot].cents) for spot in state.game.meters),
        meters=jackpot_picture.meters(state),
        claims=jackpot_picture.claims(state),
        croupier=state.shift.croupier,
        alarms=tuple(map(_alarm, state.shift.alarms.open)),
        acknowledged=tuple(map(_acknowledged, state.shift.alarms.done[:SHOWN_DONE])),
        requests=request_picture.requests(state),
        answered=request_picture.answered(state),
        testing=state.testing.told if state.testing else "",
        lamp_test=state.testing.seen if state.testing else "",
        echo=state.testing.echo if state.testing else (),
        pace=PaceView(per_hour(state), target, state.shift.ends[0] if state.shift.ends else None),
        presses=legal,
        ruling=ruling(state),
    )


def _alerts(state: TableState) -> tuple[str, ...]:
    """The alerts to show first. An alert whose cause has ended is left out, even while its round goes on."""
    staying = (*state.after_round.values(), *state.standing.values())
    passing = (text for text in state.alerts if not state.shift.alarms.over(text))
    return (*staying, *jackpot_picture.waiting(state), *passing)


def _presses(state: TableState) -> Iterator[PressView]:
    """In the order of the console's keys."""
    for press in sorted(presses(state), key=lambda press: KEYS.index(press.action)):
        may = press.amount
        amount = AmountView(may.usual, may.least, may.most, may.step) if may else None
        yield PressView(press.action, press.seats, amount)


def _alarm(alarm: Alarm) -> AlarmView:
    return AlarmView(
        alarm.number,
        alarm.text,
        alarm.first,
        alarm.last,
        alarm.count,
        alarm.round,
        alarm.ended,
        is_once(alarm),
    )


def _acknowledged(done: Acknowledgement) -> AcknowledgedView:
    return AcknowledgedView(_alarm(done.alarm), done.who, done.at)


def per_hour(state: TableState) -> int | None:
    """Rounds an hour over the last PACED ones; None: nobody knows yet."""
    ends = tuple(state.shift.ends)[:PACED]
    if len(ends) < 2 or ends[0] <= ends[-1]:  # a clock that was set back tells nothing
        return None
    return round((len(ends) - 1) * 3600 / (ends[0] - ends[-1]))


def _no_window(_state: TableState) -> str:
    return ""


WINDOWS: dict[str, Callable[[TableState], str]] = {
    "insuring": lambda _: "insurance",
    "offering": lambda state: state.game.window,
}
"""By phase, what a window is for."""


def _shoe(state: TableState) -> ShoeView:
    shuffler = state.cycle.stage if "shuffler" in state.devices else ""
    ledger = state.ledger
    return ShoeView(
        not state.shoe_wanted, ledger.decks, ledger.out, state.cut_out, shuffler, ledger.last
    )  # fmt: skip

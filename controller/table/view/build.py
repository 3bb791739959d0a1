"""Builds the views of the table, which pages, metrics and logs show, from its state."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

from controller.currency import Chip, using
from controller.jackpot import Books, Claim, Meter, Parameters
from controller.jackpot.claims import possible_moves
from controller.money import percent_text
from controller.table.apply.alert_endings import is_one_time
from controller.table.people.rulings import ruling
from controller.table.record.views import (
    AcknowledgedView,
    AlarmView,
    AmountView,
    AnsweredView,
    BooksView,
    ClaimView,
    DeviceView,
    FaultyLampView,
    FedView,
    JackpotView,
    LegalKeyView,
    MeterView,
    PaceView,
    RequestView,
    ShoeView,
    TableView,
)
from controller.table.state.alarms import Acknowledgement, Alarm
from controller.table.state.requests import Request
from controller.table.state.table_state import PENDING_PARAMETERS, TableState
from controller.table.state.test_session import DeviceTest
from controller.table.view import round_view
from controller.table.view.console import presses, prompt
from controller.table.view.display import display
from drivers.protocol.codes import KEYS


def requests(state: TableState) -> tuple[RequestView, ...]:
    """The open requests, oldest first."""
    return tuple(map(_request, state.shift.requests.open))


def answered(state: TableState) -> tuple[AnsweredView, ...]:
    """The last closed requests, newest first."""
    return tuple(
        AnsweredView(_request(done.request), done.who, done.at, done.why, done.round)
        for done in state.shift.requests.done
    )


def _request(request: Request) -> RequestView:
    return RequestView(
        request.number,
        request.about,
        request.who,
        request.why,
        request.at,
        request.needs,
        request.grants,
        request.sentences,
        request.state,
        request.mark.round,
    )


def meters(state: TableState) -> tuple[MeterView, ...]:
    """The meters of all jackpots of this table, those of the current game first. One whose spot plays for a
    linked jackpot waits."""
    spots = dict.fromkeys((*state.game.meters, *state.meters))
    return tuple(_meter(state, spot, state.meters[spot]) for spot in spots)


def claims(state: TableState) -> tuple[ClaimView, ...]:
    """All open claims and the last closed ones, newest first."""
    return tuple(map(_claim, reversed(state.register.claims)))


def waiting(state: TableState) -> tuple[str, ...]:
    """A sentence for each jackpot of the game that has pending parameters."""
    return tuple(
        f"{spot}: {PENDING_PARAMETERS}"
        for spot in state.game.meters
        if state.meters[spot].pending and spot not in state.rules.linked
    )


def _meter(state: TableState, spot: str, meter: Meter) -> MeterView:
    won = any(claim.spot == spot for claim in state.register.of_round(state.number))
    runs = "won" if won else "runs"
    plays = spot in state.game.meters and spot not in state.rules.linked
    return MeterView(
        spot,
        meter.cents,
        runs if plays else "waits",
        _books(meter.books),
        _fed(meter.parameters),
        _fed(meter.pending) if meter.pending else None,
    )


def _books(books: Books) -> BooksView:
    return BooksView(**{field.name: getattr(books, field.name) for field in fields(BooksView)})


def _fed(fed: Parameters) -> FedView:
    return FedView(
        fed.seed,
        fed.again,
        percent_text(fed.contribution),
        percent_text(fed.reserve),
        fed.limit,
        fed.threshold,
    )


def _claim(claim: Claim) -> ClaimView:
    fields = {name: getattr(claim, name) for name in _COPIED}
    return ClaimView(steps=tuple(move.step for move in possible_moves(claim)), **fields)


_COPIED = tuple(field.name for field in fields(ClaimView) if field.name != "steps")

ROUNDS_COUNTED = 11
ACKNOWLEDGED_KEPT = 20


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the configuration says of a table and its state does not know. `target`: rounds an hour that the
    house wants, 0 if no target is configured; `chips`: the smallest first."""

    target: int = 0
    chips: tuple[Chip, ...] = ()
    time_zone: str = "UTC"


NO_SETTINGS = TableSettings()


def build_view(
    table: str, state: TableState, devices: Sequence[DeviceView], settings: TableSettings = NO_SETTINGS
) -> TableView:
    """All that the pages show, except the result of the self-test. `table` is the table's name."""
    with using(state.rules.money):
        return _view(table, state, devices, settings)


def _view(table: str, state: TableState, devices: Sequence[DeviceView], settings: TableSettings) -> TableView:
    text, seat = prompt(state)
    legal = tuple(_legal_keys(state))
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
        dealer=round_view.dealer(state.round),
        seats=tuple(round_view.seats(state)),
        lines=round_view.lines(state.round),
        shoe=_shoe_view(state),
        display=display(state),
        devices=tuple(devices),
        rounds=state.ended_views,
        bank=state.round.bank,
        window=WINDOWS.get(state.round.phase, _no_window)(state),
        jackpots=tuple(
            JackpotView(spot, state.jackpot_cents(spot), state.jackpot_state(spot))
            for spot in state.game.meters
        ),
        meters=meters(state),
        claims=claims(state),
        croupier=state.shift.croupier,
        alarms=tuple(map(_alarm, state.shift.alarms.open)),
        acknowledged=tuple(map(_acknowledged, state.shift.alarms.done[:ACKNOWLEDGED_KEPT])),
        requests=requests(state),
        answered=answered(state),
        testing=state.testing.label if state.testing else "",
        lamp_test=state.testing.lamps_text if state.testing else "",
        faulty_lamps=_faulty_lamps(state.testing) if state.testing else (),
        echo=state.testing.echo if state.testing else (),
        pace=PaceView(
            rounds_per_hour(state),
            settings.target,
            state.shift.round_ends[0] if state.shift.round_ends else None,
        ),
        presses=legal,
        ruling=ruling(state),
        currency=state.rules.currency,
        minor_digits=state.rules.money.digits,
        chips=settings.chips,
        time_zone=settings.time_zone,
    )


def _faulty_lamps(testing: DeviceTest) -> tuple[FaultyLampView, ...]:
    return tuple(FaultyLampView(lamp.seat, lamp.spot) for lamp in testing.faulty_lamps)


def _alerts(state: TableState) -> tuple[str, ...]:
    """The alerts to show first. An alert whose cause has ended is left out, even while its round goes on."""
    staying = (*state.after_round.values(), *state.standing.values())
    passing = (text for text in state.alerts if not state.shift.alarms.has_ended(text))
    return (*staying, *waiting(state), *passing)


def _legal_keys(state: TableState) -> Iterator[LegalKeyView]:
    """In the order of the console's keys."""
    for press in sorted(presses(state), key=lambda press: KEYS.index(press.action)):
        may = press.amount
        amount = AmountView(may.usual, may.least, may.most, may.step) if may else None
        yield LegalKeyView(press.action, press.seats, amount)


def _alarm(alarm: Alarm) -> AlarmView:
    return AlarmView(
        alarm.number,
        alarm.text,
        alarm.first,
        alarm.last,
        alarm.count,
        alarm.round,
        alarm.ended,
        is_one_time(alarm),
    )


def _acknowledged(done: Acknowledgement) -> AcknowledgedView:
    return AcknowledgedView(_alarm(done.alarm), done.who, done.at)


def rounds_per_hour(state: TableState) -> int | None:
    """Rounds an hour over the last ROUNDS_COUNTED ends of rounds; None if fewer than two have ended."""
    ends = tuple(state.shift.round_ends)[:ROUNDS_COUNTED]
    if len(ends) < 2 or ends[0] <= ends[-1]:  # the clock was set back
        return None
    return round((len(ends) - 1) * 3600 / (ends[0] - ends[-1]))


def _no_window(_state: TableState) -> str:
    return ""


WINDOWS: dict[str, Callable[[TableState], str]] = {
    "insuring": lambda _: "insurance",
    "offering": lambda state: state.game.window,
}
"""The texts of open windows, by phase."""


def _shoe_view(state: TableState) -> ShoeView:
    shuffler = state.cycle.stage if "shuffler" in state.devices else ""
    ledger = state.ledger
    return ShoeView(
        not state.shoe_wanted, ledger.decks, ledger.out, state.cut_out, shuffler, ledger.last_shoe
    )

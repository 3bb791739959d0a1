"""Replays and corrects rounds that have ended, from their scripts."""

from collections.abc import Iterator
from dataclasses import replace

from controller.games import open_game
from controller.games.bets.insurance import SPOT as INSURANCE
from controller.games.game import Game
from controller.round import CardOut, Command, Event, EventRefused, Jackpot, Key, Round, Wager
from controller.round import script as notation
from controller.round.settle import apply_token, close_windows
from controller.table.errors import NotAllowed
from controller.table.people.corrections.replay import RoundComparison
from controller.table.record.notes import RoundEnded
from controller.table.record.round_script import RoundScript, write_script
from controller.table.record.views import RoundView, SeatView
from controller.table.state.table_state import TableState
from controller.table.view import round_view


def replayable(ended: RoundEnded) -> tuple[Round, tuple[Event, ...]]:
    """A fresh round, and every event of the ended round up to the last payment. Raises NotAllowed for a
    round that cannot be replayed."""
    number = ended.round.number
    if ended.round.outcome == "void":
        raise NotAllowed(f"round {number} is void: no card of it decides anything")
    try:
        script = _script(ended)
        played = _Recorded(open_game(script.game, script.options), seats=notation.SEATS)
        _play(played, script)
    except (EventRefused, ValueError) as wrong:
        raise NotAllowed(f"round {number} cannot be told from its script: {wrong}") from wrong
    return played.fresh(), tuple(played.events)


def corrected_round(ended: RoundEnded, comparison: RoundComparison, sentence: str) -> RoundEnded:
    """The corrected round. Raises NotAllowed if the round would not have ended."""
    played, number = comparison.new.round, ended.round.number
    if played.phase != "over":
        raise NotAllowed(f"round {number} would not have ended: {played.due.text}. Settle it by hand")
    written = write_script(played.fresh(), (comparison.events[at] for at in comparison.new.accepted))
    before = _script(ended)
    return RoundEnded(
        _view(ended.round, played, sentence), written.script(before.game, before.options, before.plugins)
    )


def find_ended(state: TableState, number: int) -> RoundEnded:
    """Raises NotAllowed if the table does not keep the round."""
    found = next((ended for ended in state.ended_rounds if ended.round.number == number), None)
    if found is None:
        numbers = [ended.round.number for ended in state.ended_rounds]
        kept = f"rounds {numbers[-1]} to {numbers[0]} are kept" if numbers else "no round has ended"
        raise NotAllowed(f"round {number} is not kept by the table; {kept}")
    return found


def replace_ended(state: TableState, ended: RoundEnded) -> None:
    """Does nothing if the table no longer keeps the round."""
    for place, old in enumerate(state.ended_rounds):
        if old.round.number == ended.round.number:
            state.ended_rounds[place] = ended


class _Recorded(Round):
    """Remembers its events."""

    def __init__(self, game: Game, *, seats: int) -> None:
        super().__init__(game, seats=seats)
        self.events: list[Event] = []

    def handle(self, event: Event) -> tuple[Command, ...]:
        commands = super().handle(event)
        self.events.append(event)
        return commands


def _script(ended: RoundEnded) -> RoundScript:
    if ended.script is None:
        raise ValueError("the journal keeps no script of it")
    return ended.script


def _play(played: Round, script: RoundScript) -> None:
    for event in _latched(script):
        played.handle(event)
    for token in script.script:
        apply_token(played, _event(token, played.game))
    close_windows(played)
    played.handle(Key("pay"))


def _latched(script: RoundScript) -> Iterator[Event]:
    for seat, wagers in script.wagers.items():
        for spot, cents in wagers.items():
            yield Wager(int(seat), spot, True, cents)
    yield Key("close")
    for spot, cents in script.meters.items():
        yield Jackpot(spot, cents, script.seeds.get(spot), spot in script.linked)


def _event(token: str, game: Game) -> CardOut | Key | Wager:
    """The event of a token of a script. A wager of unknown amount has no cents."""
    seat, _, spot = token.partition(":")
    return Wager(int(seat), spot, True) if spot in game.spots else notation.event(token, game)


def _view(before: RoundView, played: Round, sentence: str) -> RoundView:
    return replace(
        before,
        dealer=round_view.dealer(played),
        seats=tuple(_seat(seat, played) for seat in before.seats),
        lines=round_view.lines(played),
        corrections=(*before.corrections, sentence),
    )


def _seat(before: SeatView, played: Round) -> SeatView:
    seat = played.seats.get(before.seat)
    if seat is None:
        return before
    insurance = seat.wagers.get(INSURANCE, 0)
    hands_now, net = round_view.hands(played, before.seat), played.net.get(before.seat)
    return replace(before, hands=hands_now, net=net, insurance=insurance)

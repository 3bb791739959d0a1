"""Round scripts played through the Round that runs the table, and what they are answered."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from controller.cards import Card
from controller.games import UnknownGame, open_game
from controller.games.game import Game
from controller.games.layout import Settlement
from controller.games.options import BadOptions
from controller.round.commands import Alert
from controller.round.events import CardOut, Event, Key, Refused, Wager
from controller.round.round import Round
from controller.round.script import SEATS, Rejected, Script, check, decode, event

Answer = dict[str, Any]


def settle(line: str | bytes) -> Answer:
    """The answer to one line of round scripts; an `error` in it says what was refused, and where."""
    written: object = None
    try:
        written = decode(line)
        return {"id": _id(written), **_settled(check(written))}
    except Rejected as rejected:
        return {"id": _id(written), "error": rejected.error}


def answer(played: Round) -> Answer:
    """What became of a settled round, as the notation writes it."""
    return {
        "dealer": asdict(played.dealer),
        "seats": {str(seat): {"hands": list(_hands(played, seat))} for seat in played.seats},
        "settlements": [_line(line) for line in played.settlements],
        "net": {str(seat): net for seat, net in played.net.items()},
    }


def _id(written: object) -> str | int | None:
    """None for an id that may not be one: the answer to 1e999 would be no JSON."""
    found = written.get("id") if isinstance(written, dict) else None
    return found if isinstance(found, str | int) else None


def _settled(script: Script) -> Answer:
    game = _opened(script)
    options = game.options
    played = Round(
        game, seats=SEATS, burn=options.burn_cards if "burn_cards" in options.model_fields_set else 0
    )
    _bet(played, script.wagers)
    _play(played, script.script)
    if played.phase != "paying":
        raise Rejected(f"unfinished: {played.due.text}", len(script.script))
    return {"phase": "settled", **answer(played)}


def _opened(script: Script) -> Game:
    try:
        game = open_game(script.game, script.options)
    except (UnknownGame, BadOptions) as error:
        raise Rejected(str(error)) from None
    if script.meters:
        raise Rejected(f"meters: {', '.join(script.meters)} is not allowed: {game.name} has no meter")
    return game


def _bet(played: Round, wagers: Mapping[str, Mapping[str, int | None]]) -> None:
    events = [
        Wager(int(seat), spot, True, cents) for seat, on in wagers.items() for spot, cents in on.items()
    ]
    faults = [reason for wager in events if (reason := _refusal(played, wager))]
    if not faults and (reason := _refusal(played, Key("close"))):
        faults = [reason]
    if faults:
        raise Rejected("; ".join(faults))


def _refusal(played: Round, happened: Event) -> str:
    try:
        played.handle(happened)
    except Refused as refused:
        return refused.reason
    return ""


def _play(played: Round, tokens: list[str]) -> None:
    out: Counter[Card] = Counter()
    for at, token in enumerate(tokens):
        try:
            happened = event(token, played.game)
            _take(played, happened)
            if isinstance(happened, CardOut):
                _count(out, happened.card, played.game.options.decks)
        except Refused as refused:
            raise Rejected(refused.reason, at, token) from None


def _count(out: Counter[Card], card: Card, decks: int) -> None:
    out[card] += 1
    if out[card] > decks:
        raise Refused(f"{card} has come {out[card]} times out of {decks} decks")


def _take(played: Round, happened: CardOut | Key | Wager) -> None:
    if played.phase == "paying":
        raise Refused("the round is over: every wager is settled")
    if isinstance(happened, Wager):
        _check_new(played, happened)
    alerts = [command.text for command in played.handle(happened) if isinstance(command, Alert)]
    if alerts:
        raise Refused("; ".join(alerts))


def _check_new(played: Round, wager: Wager) -> None:
    seat = played.seats.get(wager.seat)
    if seat is not None and wager.spot in seat.wagers:
        raise Refused(f"seat {wager.seat} has a {wager.spot} wager already")


def _hands(played: Round, seat: int) -> Iterator[dict[str, object]]:
    for hand in played.seats[seat].hands:
        yield {"cards": hand.cards, "total": played.game.total(hand.cards)}


def _line(line: Settlement) -> dict[str, object]:
    return {name: value for name, value in asdict(line).items() if name != "rounding" or value is not None}

"""Plays round scripts through the Round that runs the table, and settles them."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from controller.cards import Card
from controller.games import UnknownGame, open_game
from controller.games.game import Game
from controller.games.layout import Settlement
from controller.games.option_faults import BadOptions
from controller.round.events import CardOut, Event, EventRefused, Jackpot, Key, Wager, WagerAlert
from controller.round.round import DealerHand, Round
from controller.round.script import SEATS, Script, ScriptRejected, check, decode, event

ScriptResult = dict[str, Any]

DEALER_FIELDS, SETTLEMENT_FIELDS = (
    tuple(field.name for field in fields(record)) for record in (DealerHand, Settlement)
)
"""The fields of these records. `asdict` would copy values that need no copy."""
WINDOW_KEYS = frozenset({"insurance", "even-money"})
BY_DEFAULT: Mapping[str, int] = {}


def settle(
    line: str | bytes, seeds: Mapping[str, int] = BY_DEFAULT, linked: Collection[str] = ()
) -> ScriptResult:
    """The result of one line of round scripts; its `error` says what was refused, and where.

    `seeds`: what begins a jackpot again once all of it is won, in cents by spot. `linked`: spots whose
    jackpot several tables play for. A script can say neither.
    """
    written: object = None
    try:
        written = decode(line)
        return {"id": _id(written), **_settled(check(written), seeds, linked)}
    except ScriptRejected as rejected:
        return {"id": _id(written), "error": rejected.error}


def round_result(played: Round) -> ScriptResult:
    """The result of a settled round, in the notation."""
    return {
        "dealer": _values(played.dealer, DEALER_FIELDS),
        "seats": {str(seat): {"hands": list(_hands(played, seat))} for seat in played.seats},
        "settlements": [_line(line) for line in played.settlements],
        "net": {str(seat): net for seat, net in played.net.items()},
    }


def _id(written: object) -> str | int | None:
    """None for an id that is not allowed. An id of 1e999 would give a result that is not JSON."""
    found = written.get("id") if isinstance(written, dict) else None
    return found if isinstance(found, str | int) else None


def _settled(script: Script, seeds: Mapping[str, int], linked: Collection[str]) -> ScriptResult:
    game = _opened(script)
    options = game.options
    played = Round(
        game, seats=SEATS, burn=options.burn_cards if "burn_cards" in options.model_fields_set else 0
    )
    _bet(played, script, seeds, linked)
    _play(played, script.script)
    if played.phase != "paying":
        raise ScriptRejected(f"unfinished: {played.due.text}", len(script.script))
    return {"phase": "settled", **round_result(played)}


def _opened(script: Script) -> Game:
    try:
        return _game(script.game, json.dumps(script.options))
    except (UnknownGame, BadOptions) as error:
        raise ScriptRejected(str(error)) from None
    except RecursionError:
        raise ScriptRejected("options: what is nested so deep is not allowed; allowed: an object") from None


@lru_cache(maxsize=64)
def _game(name: str, options: str) -> Game:
    """Cached: a file of scripts repeats its options, and checking them takes as long as a round."""
    return open_game(name, json.loads(options))


def _bet(played: Round, script: Script, seeds: Mapping[str, int], linked: Collection[str]) -> None:
    wagers = [
        Wager(int(seat), spot, True, cents)
        for seat, on in script.wagers.items()
        for spot, cents in on.items()
    ]
    jackpots = [
        Jackpot(spot, cents, seeds.get(spot), spot in linked) for spot, cents in script.meters.items()
    ]
    faults = _refusals(played, wagers) or _refusals(played, [Key("close"), *jackpots])
    if faults := faults or [
        f"meters: {spot} is missing; needed: the jackpot in cents" for spot in played.unknown_jackpots
    ]:
        raise ScriptRejected("; ".join(faults))


def _refusals(played: Round, events: Sequence[Event]) -> list[str]:
    return [reason for event in events if (reason := _refusal(played, event))]


def _refusal(played: Round, happened: Event) -> str:
    try:
        _handle(played, happened)
    except EventRefused as refused:
        return refused.reason
    return ""


def _play(played: Round, tokens: list[str]) -> None:
    out: Counter[Card] = Counter()
    for at, token in enumerate(tokens):
        try:
            happened = event(token, played.game)
            apply_token(played, happened)
            if isinstance(happened, CardOut):
                _count(out, happened.card, played.game.options.decks)
        except EventRefused as refused:
            raise ScriptRejected(refused.reason, at, token) from None
    close_windows(played)


def _count(out: Counter[Card], card: Card, decks: int) -> None:
    out[card] += 1
    if out[card] > decks:
        raise EventRefused(f"{card} has come {out[card]} times out of {decks} deck{'s' * (decks != 1)}")


def apply_token(played: Round, happened: CardOut | Key | Wager) -> None:
    """Handles a token's event after closing the windows that it does not belong to. Raises EventRefused."""
    if not _belongs(played, happened):
        close_windows(played)
    if played.phase == "paying":
        raise EventRefused("the round is over: every wager is settled")
    if isinstance(happened, Wager):
        happened = _added(played, happened)
    _handle(played, happened)


def _belongs(played: Round, happened: CardOut | Key | Wager) -> bool:
    """Whether the event may come while a window is open."""
    if isinstance(happened, Wager):
        return happened.spot in played.invited.get(happened.seat, ())
    if isinstance(happened, Key):
        return played.phase == "insuring" and happened.action in WINDOW_KEYS
    return False


def close_windows(played: Round) -> None:
    while played.window_open:
        played.handle(Key("close"))


def _added(played: Round, wager: Wager) -> Wager:
    """The wager as a sensor reports it: with what lies on the spot already."""
    if played.placed(wager.seat, wager.spot):
        raise EventRefused(f"seat {wager.seat} has a {wager.spot} wager already")
    if wager.cents is None:
        return wager
    return replace(wager, cents=wager.cents + (played.standing(wager.seat, wager.spot) or 0))


def _handle(played: Round, happened: Event) -> None:
    """Handles an event as a table does, but refuses what raises an alert."""
    alerts = [command.text for command in played.handle(happened) if isinstance(command, WagerAlert)]
    if alerts:
        raise EventRefused("; ".join(alerts))


def _hands(played: Round, seat: int) -> Iterator[dict[str, object]]:
    for hand in played.seats[seat].hands:
        yield {"cards": hand.cards, "total": played.game.total(hand.cards)}


def _line(line: Settlement) -> dict[str, object]:
    values = _values(line, SETTLEMENT_FIELDS)
    if line.rounding is None:
        del values["rounding"]
    return values


def _values(record: object, names: Sequence[str]) -> dict[str, object]:
    return {name: getattr(record, name) for name in names}

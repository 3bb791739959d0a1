"""What came and what the table noted, in words for people."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from controller.money import text as money
from controller.round import Peeked, Revealed, Settled
from controller.table.record.events import (
    ConsoleKey,
    DeviceEvent,
    FloorCommand,
    Input,
    RequestAnswered,
    RequestMade,
    Supervisor,
)
from controller.table.record.kinds import BY_RECORD, claim_text, meter_text
from controller.table.record.notes import (
    Alert,
    ClaimMoved,
    KeyUndone,
    MeterMoved,
    Note,
    Refusal,
    Resumed,
    RoundCorrected,
    RoundEnded,
    Suspended,
)
from drivers.messages import EVENTS, CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable, Key, Wager


def input_text(event: Input, spots: Sequence[str]) -> str:
    """One input; `spots` are those of the game, as the sensors count them."""
    match event:
        case DeviceEvent(body=body) if type(body) in EVENT_TEXTS:
            return EVENT_TEXTS[type(body)](body, spots)
        case DeviceEvent(device=device, body=body):
            return f"the {device}: {EVENT_NAMES.get(type(body), 'an unknown event')}"
    if isinstance(event, Supervisor):
        return decision_text(event)
    if isinstance(event, ConsoleKey):
        return _key(event)
    kind = BY_RECORD[type(event)]
    return kind.full_sentence(event) or kind.name


def decision_text(decision: Supervisor) -> str:
    """A supervisor's word."""
    persons = f"{decision.who} and {decision.second}" if decision.second else decision.who
    card = (
        f" {decision.old} to {decision.card}"
        if decision.old
        else f" {decision.card}"
        if decision.card
        else ""
    )
    return f"supervisor {persons}: {decision.choice}{card} ({decision.why})"


def note_texts(notes: Iterable[Note], amount: Callable[[int], str] = money) -> tuple[str, ...]:
    """Those that a round's reader wants to know."""
    return tuple(_note_text(note, amount) for note in notes if type(note) in NOTE_TEXTS)


def _note_text(note: Note, amount: Callable[[int], str]) -> str:
    match note:
        case MeterMoved():
            return f"{meter_text(note, amount)}: {note.why}"
        case ClaimMoved():
            return claim_text(note, amount)
    return NOTE_TEXTS[type(note)](note)


def is_play(event: Input) -> bool:
    """Whether an account names an input even if nothing came of it: a card, a key, a supervisor's decision, a
    request and its answer, a command of the floor."""
    return isinstance(event, Supervisor | ConsoleKey | RequestMade | RequestAnswered | FloorCommand) or (
        isinstance(event, DeviceEvent) and not event.history and isinstance(event.body, Key | CardDrawn)
    )


EVENT_NAMES: dict[type, str] = {record: name.replace("_", " ") for name, record in EVENTS.items()}
"""What a device tells of, by kind."""


def _key(key: Key | ConsoleKey, _spots: Sequence[str] = ()) -> str:
    amount = f"={key.cents}" if key.cents else ""
    return f"{key.seat}:{key.action}{amount}" if key.seat else f"{key.action}{amount}"


def _wager(wager: Wager, spots: Sequence[str]) -> str:
    spot = spots[wager.spot] if wager.spot < len(spots) else f"spot {wager.spot}"
    if not wager.present:
        return f"{wager.seat}:{spot} taken away"
    return f"{wager.seat}:{spot}={wager.cents}" if wager.cents else f"{wager.seat}:{spot}, amount unknown"


def _sentence(note: Note) -> str:
    return BY_RECORD[type(note)].sentence(note)


EVENT_TEXTS: dict[type, Callable[[Any, Sequence[str]], str]] = {
    CardDrawn: lambda drawn, _: drawn.card,
    CardUnreadable: lambda _card, _spots: "a card that could not be read",
    CardUnpermitted: lambda card, _: f"{card.card}, although the shoe was locked",
    CardInterrupted: lambda _card, _spots: "a card on its way when the shoe lost its power",
    Key: _key,
    Wager: _wager,
}

NOTE_TEXTS: dict[type, Callable[[Any], str]] = {
    **dict.fromkeys(
        (Alert, ClaimMoved, MeterMoved, Peeked, Resumed, Revealed, RoundEnded, Settled), _sentence
    ),
    Refusal: lambda refusal: f"refused: {refusal.reason}",
    Suspended: lambda suspended: f"suspended: {suspended.why}",
    RoundEnded: lambda ended: "the round is void" if ended.round.outcome == "void" else "the round is over",
    RoundCorrected: lambda corrected: "; ".join(corrected.told),
    KeyUndone: lambda undone: "; ".join(undone.told),
}

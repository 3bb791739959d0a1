"""What came and what the table noted, in words for people."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from controller.money import text
from controller.round import Peeked, Revealed, Settled
from controller.table.record.codec import INPUTS
from controller.table.record.events import (
    ClaimStep,
    ConsoleKey,
    DeviceEvent,
    DeviceLost,
    DeviceRunning,
    Input,
    RequestAnswered,
    RequestMade,
    Supervisor,
)
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

ENDS = {"settled": "the round is over", "void": "the round is void"}


def input_text(event: Input, spots: Sequence[str]) -> str:
    """One input; `spots` are those of the game, as the sensors count them."""
    match event:
        case DeviceEvent(body=body) if type(body) in EVENT_TEXTS:
            return EVENT_TEXTS[type(body)](body, spots)
        case DeviceEvent(device=device, body=body):
            return f"the {device}: {EVENT_NAMES.get(type(body), 'what nobody here can read')}"
    return INPUT_TEXTS.get(type(event), lambda _: ROW_KINDS[type(event)])(event)


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


def note_texts(notes: Iterable[Note]) -> tuple[str, ...]:
    """Those that a round's reader wants to know."""
    return tuple(NOTE_TEXTS[type(note)](note) for note in notes if type(note) in NOTE_TEXTS)


def is_play(event: Input) -> bool:
    """Whether an input is told even where nothing came of it: a card, a key, a supervisor's word, a request
    and its answer."""
    return isinstance(event, Supervisor | ConsoleKey | RequestMade | RequestAnswered) or (
        isinstance(event, DeviceEvent) and not event.history and isinstance(event.body, Key | CardDrawn)
    )


ROW_KINDS = {record: kind for kind, record in INPUTS.items()}
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


EVENT_TEXTS: dict[type, Callable[[Any, Sequence[str]], str]] = {
    CardDrawn: lambda drawn, _: drawn.card,
    CardUnreadable: lambda _card, _spots: "a card that could not be read",
    CardUnpermitted: lambda card, _: f"{card.card}, although the shoe was locked",
    CardInterrupted: lambda _card, _spots: "a card on its way when the shoe lost its power",
    Key: _key,
    Wager: _wager,
}

INPUT_TEXTS: dict[type, Callable[[Any], str]] = {
    Supervisor: decision_text,
    ConsoleKey: _key,
    ClaimStep: lambda said: f"{said.who}: {said.step} claim {said.claim} ({said.why})",
    RequestMade: lambda asked: f"{asked.role} {asked.who} asks: {asked.about} ({asked.why})",
    RequestAnswered: lambda said: (
        f"{said.who} {'grants' if said.grant else 'declines'} request {said.request}"
    ),
    DeviceLost: lambda lost: f"the {lost.device} is gone: {lost.why}",
    DeviceRunning: lambda running: f"the {running.device} is there",
}
"""Inputs that are no events of a device, by kind; others are told by what their rows are called."""

NOTE_TEXTS: dict[type, Callable[[Any], str]] = {
    Alert: lambda alert: alert.text,
    Refusal: lambda refusal: f"refused: {refusal.reason}",
    Suspended: lambda suspended: f"suspended: {suspended.why}",
    Resumed: lambda _: "play goes on",
    Peeked: lambda peeked: f"the dealer looks: {'a natural' if peeked.natural else 'no natural'}",
    Revealed: lambda revealed: f"the dealer turns {revealed.card}",
    MeterMoved: lambda moved: (
        f"jackpot {moved.spot}: {text(moved.before)} to {text(moved.after)}, {moved.kind}: {moved.why}"
    ),
    ClaimMoved: lambda moved: f"claim {moved.claim.number}, {text(moved.claim.cents)}: {moved.claim.state}",
    RoundCorrected: lambda corrected: "; ".join(corrected.told),
    KeyUndone: lambda undone: "; ".join(undone.told),
    Settled: lambda _: "every wager is decided",
    RoundEnded: lambda ended: ENDS[ended.round.outcome],
}

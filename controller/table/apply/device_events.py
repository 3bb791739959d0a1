"""What devices report: one function for each kind of event."""

from collections.abc import Callable
from typing import Any

from controller.round import EventRefused
from controller.round import Key as DealerKey
from controller.table.apply import cards, chips, keys, play, shoe
from controller.table.apply.test_echo import echo
from controller.table.record.causes import Cause, cause
from controller.table.record.events import DeviceEvent
from controller.table.record.message_kinds import BY_MESSAGE
from controller.table.record.notes import DeckChecked, Refusal
from controller.table.state.shuffler_cycle import pack_faults
from controller.table.state.table_state import TableState
from drivers.link.ranges import out_of_range
from drivers.messages import (
    CardDrawn,
    CardInterrupted,
    CardUnpermitted,
    CardUnreadable,
    Cover,
    CutCard,
    DeckCheck,
    Door,
    Empty,
    Fault,
    Key,
    Loaded,
    SensorFault,
    ShoeJam,
    ShufflerJam,
    ShufflerState,
    Tamper,
    Wager,
)
from drivers.protocol.codes import MOST_SEATS, SPOTS_PER_SEAT

SHOE_USED = (CardDrawn, CardUnreadable, CardUnpermitted, CardInterrupted, CutCard, Empty)
CONDITIONS = (Wager, SensorFault, Cover, Door, Fault, ShoeJam, ShufflerJam)
_TAMPER_TEXTS = {
    1: "messages with a wrong seal came",
    2: "somebody failed to prove who they are",
    3: "its case was opened",
}


def apply_device_event(state: TableState, event: DeviceEvent) -> None:
    """Apply one event of a device. An event without a function is only recorded."""
    if event.critical:
        text = f"Unknown to this version, yet critical: an event of the {event.device}"
        state.unread_devices.add(event.device)
        state.suspend(cause("unread", event.device), text, lasting=True)
    elif not _may_report(event):
        text = f"The {event.device} reports {type(event.body).__name__}, which it may not report"
        state.alert(cause("report", event.device), text)
    elif fault := _field_fault(event):
        text = f"The {event.device} reports {type(event.body).__name__} with an impossible value: {fault}"
        state.alert(cause("report", event.device), text)
    elif echo(state, event.body):
        return
    elif taker := APPLIERS.get(type(event.body)):
        taker(state, event.device, event.body)


def apply_past_event(state: TableState, event: DeviceEvent) -> None:
    """Apply an event from before the table knew the device. It is never play: it shows where chips lie and
    what is wrong, and, between rounds, that the shoe is no longer full."""
    if not _may_report(event) or _field_fault(event):
        return
    if isinstance(event.body, Wager) and echo(state, event.body):
        return
    if isinstance(event.body, Wager):
        set_chips(state, event.body.seat, event.body.spot, event.body.cents if event.body.present else None)
    elif isinstance(event.body, CONDITIONS):
        APPLIERS[type(event.body)](state, event.device, event.body)
    elif state.underway:
        return
    elif isinstance(event.body, Loaded):
        _loaded(state, event.device, event.body)
    elif isinstance(event.body, SHOE_USED):
        state.end_shoe()


def _may_report(event: DeviceEvent) -> bool:
    kind = BY_MESSAGE.get(type(event.body))
    return kind is None or kind.owner in ("", event.device)


def _field_fault(event: DeviceEvent) -> str:
    """What is wrong with a field that is out of its range (section 13 of the protocol). The event is then a
    fault of the device, and is not applied."""
    return "" if isinstance(event.body, bytes) else out_of_range(event.body)


def set_chips(state: TableState, seat: int, place: int, cents: int | None) -> None:
    """Chips lie on a spot, since an unknown time: in an open window they are not a wager. `cents` 0: unknown
    value; None: no chips lie there."""
    if cents is None or not chips.refuse_earlier_chips(state, seat, place, cents):
        _wager(state, "sensors", Wager(seat, place, cents is not None, cents or 0))


def _cut(state: TableState, _device: str, _event: CutCard) -> None:
    state.end_shoe()


def _empty(state: TableState, _device: str, _event: Empty) -> None:
    state.end_shoe()
    if state.round.cards_due:
        state.suspend(cause("empty"), "The shoe is empty in the middle of a round: load it")


def _loaded(state: TableState, _device: str, event: Loaded) -> None:
    shoe.shoe_loaded(state, event.decks)


def _wager(state: TableState, _device: str, wager: Wager) -> None:
    there, lies = state.chips.get((wager.seat, wager.spot)), wager.cents if wager.present else None
    if lies is None:
        state.chips.pop((wager.seat, wager.spot), None)
    elif lies != there:
        state.chips[wager.seat, wager.spot] = lies
    else:
        return  # told once more: nobody laid them down now
    if not state.underway and not _takes_wagers(state, wager.spot):
        return  # known, and a wager once its linked jackpot may be played
    try:
        play.apply_commands(state, state.apply_chips(wager.seat, wager.spot))
    except EventRefused as refused:
        if state.coming.unplayed and _exists(wager.seat, wager.spot):
            return  # known, and a wager once a round is played with this spot
        state.chips.pop((wager.seat, wager.spot), None)
        state.alert(cause("report", "sensors"), refused.reason)


def _takes_wagers(state: TableState, spot: int) -> bool:
    return spot >= len(state.game.spots) or state.is_open(state.game.spots[spot])


def _sensor_fault(state: TableState, _device: str, fault: SensorFault) -> None:
    where = (fault.seat, fault.spot)
    about, text = cause("sensor", where), f"Seat {fault.seat}: the sensor of spot {fault.spot} is faulty"
    if not fault.on:
        state.faulty_spots.discard(where)
        state.standing.pop(about, None)
    elif not _exists(*where):
        state.alert(cause("report", "sensors"), text)
    else:
        state.faulty_spots.add(where)
        state.set_standing(about, text)


def _exists(seat: int, spot: int) -> bool:
    """Whether bet sensors have this spot."""
    return 1 <= seat <= MOST_SEATS and 0 <= spot < SPOTS_PER_SEAT


def _key(state: TableState, _device: str, key: Key) -> None:
    try:
        keys.press_key(state, DealerKey(key.action, key.seat, key.cents or None))
    except EventRefused as refused:
        state.notes.append(Refusal(key.action, key.seat, refused.reason, state.shift.croupier))
        state.alerts.append(f"{key.action}: {refused.reason}")


def _shuffler(state: TableState, _device: str, shuffler: ShufflerState) -> None:
    if fault := state.cycle.state_reported(shuffler.state, shuffler.percent):
        state.alert(cause("rejected"), fault)


def _deck(state: TableState, device: str, check: DeckCheck) -> None:
    decks, known = state.coming_game.options.decks, state.devices[device]
    found = pack_faults(check, decks)
    state.notes.append(
        DeckChecked(
            device, known.serial, known.adapter, known.hardware, known.firmware, decks, not found, found
        )
    )
    if fault := state.cycle.pack_checked(check, decks):
        state.alert(cause("rejected"), fault)
        state.end_shoe()


def _tamper(state: TableState, device: str, tamper: Tamper) -> None:
    what = _TAMPER_TEXTS.get(tamper.what, f"kind {tamper.what}")
    text = f"Tampering with the {device}: {what} ({tamper.count} times)"
    if tamper.what == 3:
        state.suspend(cause("tamper", device), text, lasting=True)
    else:
        state.alert(cause("attempt", device), text)


def _passing(state: TableState, about: Cause, why: str, *, on: bool) -> None:
    if on:
        state.suspend(about, why)
    else:
        state.lift(about)


def _door(state: TableState, device: str, door: Door) -> None:
    why = f"Door {door.which} of the {device} is open"
    _passing(state, cause("door", device, door.which), why, on=door.open)


def _cover(state: TableState, device: str, cover: Cover) -> None:
    _passing(state, cause("cover"), f"The {device}'s cover is open", on=cover.open)


def _jam(state: TableState, device: str, jam: ShoeJam | ShufflerJam) -> None:
    _passing(state, cause("jam", device), f"A card is stuck in the {device}", on=jam.on)


def _fault(state: TableState, device: str, fault: Fault) -> None:
    _passing(
        state,
        cause("fault", device, fault.code),
        f"Fault {fault.code} in the {device}: {fault.text}",
        on=fault.on,
    )


APPLIERS: dict[type, Callable[[TableState, str, Any], None]] = {
    CardDrawn: cards.card_drawn,
    CardUnreadable: cards.card_unreadable,
    CardUnpermitted: cards.card_unpermitted,
    CardInterrupted: cards.card_interrupted,
    CutCard: _cut,
    Empty: _empty,
    Loaded: _loaded,
    Cover: _cover,
    ShoeJam: _jam,
    Wager: _wager,
    SensorFault: _sensor_fault,
    Key: _key,
    ShufflerState: _shuffler,
    DeckCheck: _deck,
    ShufflerJam: _jam,
    Tamper: _tamper,
    Door: _door,
    Fault: _fault,
}

"""What the page shows of the simulated table. No card in it is one that nobody at a table can see."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.currency import breakdown
from controller.currency.formatting import amount_text
from controller.demo.crew.indicators import Indicators, LoadShoe
from controller.demo.crew.played_round import UP, HandPosition
from controller.demo.simulator.chips import Stake
from controller.demo.simulator.equipment import DeviceCondition
from controller.demo.simulator.felt import Felt, LaidCard
from controller.demo.simulator.places import MOST_HANDS, place_name
from controller.demo.simulator.table import SimulatedTable
from controller.round.prompts import OfferInsurance, OpenWindow, PaySeat, Prompt
from controller.table.record.views import HIDDEN
from drivers.protocol.codes import KEYS, SPOTS_PER_SEAT, Lamp

WHOLE_TABLE = 0


@dataclass(frozen=True, slots=True)
class SpotPicture:
    lamp: str
    stake: Stake
    """Minor units; 0 if no sensor can tell; None if no chips lie there."""
    stack: tuple[tuple[int, int], ...]
    """The value of a chip in minor units, and how many there are; the largest first."""
    worth: str
    """The stake as people read it; empty if no chips lie there."""


@dataclass(frozen=True, slots=True)
class HandPicture:
    place: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatPicture:
    spots: tuple[SpotPicture, ...]
    hands: tuple[HandPicture, ...]
    wish: str
    """The key that its simulated player wants pressed; empty if the player says nothing."""


@dataclass(frozen=True, slots=True)
class KeyPicture:
    """A key that is lit. `seat` 0: it is for the whole table."""

    action: str
    seat: int


@dataclass(frozen=True, slots=True)
class ConsolePicture:
    text: str
    seat: int
    number: int
    keys: tuple[KeyPicture, ...]


@dataclass(frozen=True, slots=True)
class DevicePicture:
    name: str
    connected: bool
    plugged: bool
    powered: bool
    in_session: bool
    jammed: bool
    open: bool


@dataclass(frozen=True, slots=True)
class CardsPicture:
    """`due`: where the next card belongs, `held_due`: where the one in the hand belongs; empty if
    nowhere."""

    due: str
    held: str
    held_due: str
    burned: int
    prepared: tuple[str, ...]
    cards_due: int
    left: int
    drawing: bool
    turnable: bool
    """The dealer has a face-down card, which may be turned now."""
    old: bool
    """The cards are those of a round that is over."""


@dataclass(frozen=True, slots=True)
class ShufflerPicture:
    phase: str
    percent: int
    inside: int
    tray: int
    pack: int
    """Cards of the pack in the dealer's hands."""


@dataclass(frozen=True, slots=True)
class Picture:
    console: ConsolePicture
    seats: tuple[SeatPicture, ...]
    dealer: HandPicture
    cards: CardsPicture
    shuffler: ShufflerPicture
    devices: tuple[DevicePicture, ...]
    ready: bool
    """The simulated players have placed their wagers."""
    lines: tuple[str, ...]
    levels: tuple[str, ...]
    """The amounts of jackpots."""


def picture(table: SimulatedTable) -> Picture:
    """What can be seen now."""
    seen, wishes = table.equipment, table.wishes(table)
    return Picture(
        console=_console(seen.indicators, seen.prompt_text, seen.prompt_seat),
        seats=tuple(_seat(table, seat, wishes.get(seat, "")) for seat in range(1, table.layout.seats + 1)),
        dealer=_hand(table.felt, UP),
        cards=_cards(table),
        shuffler=ShufflerPicture(*seen.shuffler, seen.inside, seen.tray, len(table.pack.split())),
        devices=tuple(_device(name, condition) for name, condition in seen.devices.items()),
        ready=WHOLE_TABLE in wishes,
        lines=tuple(line for line in seen.lines if line),
        levels=tuple(amount_text(cents) for cents, _ in seen.levels),
    )


def _console(shown: Indicators, text: str, seat: int) -> ConsolePicture:
    keys = sorted(shown.keys, key=KEYS.index)
    lit = (KeyPicture(key, place) for key in keys for place in _seats_of(key, shown.due, seat))
    return ConsolePicture(text, seat, shown.number, tuple(lit))


def _seats_of(key: str, prompt: Prompt | LoadShoe | None, seat: int) -> Sequence[int]:
    """The seats for which a lit key may be pressed."""
    if isinstance(prompt, OpenWindow):
        return _seats_of(key, prompt.then, seat)
    match key, prompt:
        case "close", _:
            return (WHOLE_TABLE,)
        case "insurance", OfferInsurance():
            return prompt.insurance or ()
        case "even-money", OfferInsurance():
            return prompt.even_money or ()
        case "pay", PaySeat():
            return (WHOLE_TABLE, prompt.seat, *(prompt.others or ()))
    return (seat,)


def _seat(table: SimulatedTable, seat: int, wish: str) -> SeatPicture:
    places = [HandPosition(seat, hand) for hand in range(MOST_HANDS)]
    due = {table.due, table.felt.held.due if table.felt.held else None}
    hands = (_hand(table.felt, place) for place in places)
    first = SPOTS_PER_SEAT * (seat - 1)
    spots = range(first, first + len(table.layout.game.spots))
    return SeatPicture(
        spots=tuple(_spot(table, spot) for spot in spots),
        hands=tuple(
            hand
            for place, hand in zip(places, hands, strict=True)
            if hand.cards or place in due or not place.hand
        ),
        wish=wish,
    )


def _spot(table: SimulatedTable, place: int) -> SpotPicture:
    stake = table.equipment.stakes[place]
    chips = breakdown(table.layout.rack, stake or 0).counts
    lamp = Lamp(table.equipment.indicators.lamps[place]).name.lower().replace("_", "-")
    worth = "" if stake is None else amount_text(stake or None)
    return SpotPicture(lamp, stake, tuple((each.chip.value, each.count) for each in chips), worth)


def _hand(felt: Felt, place: HandPosition) -> HandPicture:
    return HandPicture(place_name(place), tuple(map(_face, felt.hands.get(place, ()))))


def _face(laid: LaidCard) -> str:
    return HIDDEN if laid.down else laid.card


def _cards(table: SimulatedTable) -> CardsPicture:
    held, seen = table.felt.held, table.equipment
    return CardsPicture(
        due=_name(table.due),
        held=_face(held.laid) if held else "",
        held_due=_name(held.due if held else None),
        burned=table.felt.burned,
        prepared=tuple(table.prepared),
        cards_due=seen.cards_due,
        left=seen.cards_left,
        drawing=table.drawing is not None,
        turnable=table.felt.hides and table.dealers_turn,
        old=table.felt_is_old,
    )


def _name(place: HandPosition | None) -> str:
    return place_name(place) if place else ""


def _device(name: str, condition: DeviceCondition) -> DevicePicture:
    return DevicePicture(
        name,
        condition.connected,
        condition.plugged,
        condition.powered,
        condition.in_session,
        condition.jammed,
        condition.open,
    )

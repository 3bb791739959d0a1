"""What the crew asks of the simulated devices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.played_round import HandPosition
from controller.demo.crew.players import KeyAction

BEHIND_CUT: Final = 52
WHOLE_TABLE: Final = HandPosition(0)


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """One request to one device; `place`: where a card goes that is pulled; `saying`: what a key is for."""

    device: str
    request: Mapping[str, Any]
    place: HandPosition = WHOLE_TABLE
    key: KeyAction | None = None


def put(bet: PlacedBet) -> DeviceRequest:
    """Make the stake of a spot this much."""
    return DeviceRequest("sensors", {"do": "put", "seat": bet.seat, "spot": bet.spot, "cents": bet.cents})


def clear() -> DeviceRequest:
    """Take all chips."""
    return DeviceRequest("sensors", {"do": "clear"})


def press(key: KeyAction, prompt: int) -> DeviceRequest:
    """Press a key while the prompt with this number is shown."""
    request = {"do": "press", "action": key.action, "seat": key.place.seat, "prompt": prompt}
    amount = {} if key.cents is None else {"cents": key.cents}
    return DeviceRequest("console", request | amount, key=key)


def pull(count: int, place: HandPosition) -> DeviceRequest:
    """Draw card number `count`."""
    return DeviceRequest("shoe", {"do": "pull", "count": count}, place)


def take() -> DeviceRequest:
    """Take the pack out of the tray."""
    return DeviceRequest("shuffler", {"do": "take"})


def refill(decks: int) -> DeviceRequest:
    """Put so many decks into the shuffler."""
    return DeviceRequest("shuffler", {"do": "insert", "decks": decks})


def load(cards: str) -> DeviceRequest:
    """Put a pack into the shoe, the cut card one deck from its end."""
    return DeviceRequest("shoe", {"do": "load", "cards": cards, "behind_cut": BEHIND_CUT})

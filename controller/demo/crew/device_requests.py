"""Requests of the crew to the simulated devices."""

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
    """One request to one device. `place`: where a pulled card goes. `key`: what a key press is for."""

    device: str
    request: Mapping[str, Any]
    place: HandPosition = WHOLE_TABLE
    key: KeyAction | None = None


def put(bet: PlacedBet) -> DeviceRequest:
    return DeviceRequest("sensors", {"do": "put", "seat": bet.seat, "spot": bet.spot, "cents": bet.cents})


def clear() -> DeviceRequest:
    return DeviceRequest("sensors", {"do": "clear"})


def press(key: KeyAction, prompt: int) -> DeviceRequest:
    """Presses a key while the prompt with this number is displayed."""
    request = {"do": "press", "action": key.action, "seat": key.place.seat, "prompt": prompt}
    amount = {} if key.cents is None else {"cents": key.cents}
    return DeviceRequest("console", request | amount, key=key)


def pull(count: int, place: HandPosition) -> DeviceRequest:
    return DeviceRequest("shoe", {"do": "pull", "count": count}, place)


def take(pack: int) -> DeviceRequest:
    """The pack with this number."""
    return DeviceRequest("shuffler", {"do": "take", "pack": pack})


def refill(decks: int, pack: int) -> DeviceRequest:
    """So many decks go into the shuffler, in exchange for this pack."""
    return DeviceRequest("shuffler", {"do": "insert", "decks": decks, "pack": pack})


def load(cards: str) -> DeviceRequest:
    """The cut card is one deck from the end."""
    return DeviceRequest("shoe", {"do": "load", "cards": cards, "behind_cut": BEHIND_CUT})

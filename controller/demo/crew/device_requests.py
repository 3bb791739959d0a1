"""What the crew asks of the simulated devices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.demo.crew.habits import Bet
from controller.demo.crew.played_round import Place
from controller.demo.crew.players import Saying

BEHIND_CUT: Final = 52
WHOLE_TABLE: Final = Place(0)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to one device; `place`: where a card goes that is pulled; `saying`: what a key is for."""

    device: str
    request: Mapping[str, Any]
    place: Place = WHOLE_TABLE
    saying: Saying | None = None


def put(bet: Bet) -> Ask:
    """Make the stake of a spot this much."""
    return Ask("sensors", {"do": "put", "seat": bet.seat, "spot": bet.spot, "cents": bet.cents})


def clear() -> Ask:
    """Take all chips."""
    return Ask("sensors", {"do": "clear"})


def press(saying: Saying, prompt: int) -> Ask:
    """Press a key while the prompt with this number is shown."""
    request = {"do": "press", "action": saying.action, "seat": saying.place.seat, "prompt": prompt}
    amount = {} if saying.cents is None else {"cents": saying.cents}
    return Ask("console", request | amount, saying=saying)


def pull(count: int, place: Place) -> Ask:
    """Draw card number `count`."""
    return Ask("shoe", {"do": "pull", "count": count}, place)


def take() -> Ask:
    """Take the pack out of the tray."""
    return Ask("shuffler", {"do": "take"})


def refill(decks: int) -> Ask:
    """Put so many decks into the shuffler."""
    return Ask("shuffler", {"do": "insert", "decks": decks})


def load(cards: str) -> Ask:
    """Put a pack into the shoe, the cut card one deck from its end."""
    return Ask("shoe", {"do": "load", "cards": cards, "behind_cut": BEHIND_CUT})

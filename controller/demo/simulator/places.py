"""Where cards lie on the felt, and where the next one belongs.

A place is a HandPosition: the dealer's cards are UP or, face down, DOWN; burned cards are BURNED.
"""

import re
from collections.abc import Sequence
from typing import Final

from controller.demo.crew.equipment import BURNED
from controller.demo.crew.indicators import LoadShoe
from controller.demo.crew.playbook import DealStep
from controller.demo.crew.played_round import DEALER, DOWN, UP, HandPosition
from controller.demo.simulator.errors import BadAct
from controller.round.prompts import (
    BurnCards,
    DealCards,
    DealerDraws,
    DrawCard,
    OpenWindow,
    PlayHand,
    Prompt,
)

NAMES: Final = {BURNED: "burn", UP: "dealer", DOWN: "dealer-down"}
PLACES: Final = {name: place for place, name in NAMES.items()}
MOST_HANDS: Final = 4
"""Hands for which a seat has places."""
_HAND: Final = re.compile(r"([1-9])-([1-4])")


def place_name(place: HandPosition) -> str:
    """ "burn", "dealer", "dealer-down", or "3-2" for the second hand of seat 3."""
    return NAMES.get(place) or f"{place.seat}-{place.hand + 1}"


def read_place(name: str, seats: int) -> HandPosition:
    """The place with this name. Raises BadAct."""
    if place := PLACES.get(name):
        return place
    found = _HAND.fullmatch(name)
    if found is None or int(found[1]) > seats:
        allowed = f"{', '.join(PLACES)}, or seat and hand from 1-1 to {seats}-{MOST_HANDS}"
        raise BadAct(f"place {name!r}: not on this table; allowed: {allowed}")
    return HandPosition(int(found[1]), int(found[2]) - 1)


def next_place(
    prompt: Prompt | LoadShoe | None, in_play: Sequence[int], deal: Sequence[DealStep]
) -> HandPosition | None:
    """Where the card belongs that the prompt asks for; None if it asks for none. `in_play`: the seats with a
    wager."""
    match prompt:
        case BurnCards():
            return BURNED
        case DealCards(cards):
            places = deal_places(in_play, deal)
            return places[-cards] if 0 < cards <= len(places) else None
        case PlayHand() | DrawCard():
            return HandPosition(prompt.seat, (prompt.hand or 1) - 1)
        case DealerDraws():
            return UP
        case OpenWindow():
            return next_place(prompt.then, in_play, deal)
    return None


def deal_places(in_play: Sequence[int], deal: Sequence[DealStep]) -> list[HandPosition]:
    """Where the first cards go, in order."""
    steps = {"seats": tuple(map(HandPosition, in_play)), "dealer up": (UP,), "dealer down": (DOWN,)}
    return [place for step in deal for place in steps[step]]


def is_face_down(place: HandPosition | None) -> bool:
    """Whether cards are laid there without being seen."""
    return place in {BURNED, DOWN}


def heap(place: HandPosition) -> HandPosition:
    """The hand that a card at this place belongs to: all of the dealer's cards are one."""
    return UP if place.seat == DEALER else place

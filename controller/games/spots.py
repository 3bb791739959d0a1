"""The names of wagers as people read them. Configuration, journal and JSON use the ids."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpotName:
    """`short` fits beside a lamp on a seat of the console."""

    title: str
    short: str


SPOT_NAMES: Mapping[str, SpotName] = {
    "main": SpotName("Bet", "Bet"),
    "bet": SpotName("Bet", "Bet"),
    "surrender-or-play": SpotName("Surrender or Play", "S/P"),
    "hedge-18": SpotName("Hedge 18", "H 18"),
    "hedge-19": SpotName("Hedge 19", "H 19"),
    "hedge-20": SpotName("Hedge 20", "H 20"),
    "hedge-21": SpotName("Hedge 21", "H 21"),
    "dealer-bust": SpotName("Dealer Bust", "Bust"),
    "ez-bust": SpotName("EZ Bust", "EZ"),
    "buster": SpotName("Buster", "Buster"),
    "blazing-7s": SpotName("Blazing 7s", "7s"),
    "insurance": SpotName("Insurance", "Ins"),
    "final": SpotName("Final", "Final"),
}
"""By spot, and by wager that has no spot of its own."""


LONGEST_SHORT = 10
"""Characters of a name that fits beside a lamp on the narrowest seat."""


def spot_title(spot: str) -> str:
    """ "Blazing 7s" for "blazing-7s"; an id that is not in the table keeps its own words."""
    name = SPOT_NAMES.get(spot)
    return name.title if name else spot.replace("-", " ")


def spot_short(spot: str) -> str:
    """ "7s" for "blazing-7s"."""
    name = SPOT_NAMES.get(spot)
    return name.short if name else spot.replace("-", " ")


def long_spots(spots: Iterable[str]) -> str:
    """What is wrong with the spots whose names do not fit a seat of the console; empty if all fit."""
    long = [spot for spot in spots if len(spot_short(spot)) > LONGEST_SHORT]
    return (
        f"the spot {long[0]!r:.80}; allowed: at most {LONGEST_SHORT} characters, as 'three-up'"
        if long
        else ""
    )

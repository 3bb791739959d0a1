"""What the dealer and the players do next, from what they see. Pure: notices in, at most one request out.

They act once for each prompt and then wait for another one. A console that comes back with the prompt
that it had is another one: a key that was pressed before lies in its memory and is told first.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from drivers.sim.habits import Bet, bets, hits, total

DEALER: Final = 0
BURNED: Final = -1
BEHIND_CUT: Final = 52
DECK: Final = 52


class Stage(Enum):
    """How far the crew is in its round."""

    CLEARING = "clearing"
    PLACING = "placing"
    PLAYING = "playing"
    PAYING = "paying"


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to one device; `place`: where a card goes that is pulled."""

    device: str
    request: Mapping[str, Any]
    place: int = DEALER


@dataclass(slots=True)
class Sight:
    """What is to be seen on the devices."""

    prompt: str = ""
    number: int = 0
    keys: frozenset[str] = frozenset()
    count: int = 0
    up_to: int = 0
    tray: bool = False


@dataclass(slots=True)
class PlayedRound:
    """A round as the crew saw it; `hands` by seat, the dealer's as seat 0."""

    index: int
    bets: tuple[Bet, ...]
    hands: dict[int, list[str]] = field(default_factory=dict)
    void: bool = False


class Play:
    """The whole game at one table, whatever is interrupted. The same seed puts the same wagers."""

    def __init__(self, seed: int) -> None:
        self.rounds: list[PlayedRound] = []
        self.burned: list[str] = []
        self.strays: list[str] = []
        """Cards that nobody of the crew pulled."""
        self._sight = Sight()
        self._seed = seed
        self._round = PlayedRound(0, bets(seed, 0))
        self._stage = Stage.CLEARING
        self._chips = True
        """There may be chips on the spots: those of whoever played before."""
        self._placed = 0
        self._paid = False
        self._answered = False
        """The prompt that is shown has got its key or its card."""
        self._coming: tuple[int, int] | None = None
        """The card that is being pulled: its count, and where it goes."""
        self._pack = ""
        self._refill = 0
        """Decks that are to go into the shuffler: those that were in the shoe."""

    def notice(self, notice: Mapping[str, Any]) -> None:
        """Somebody saw something."""
        if seen := NOTICES.get(notice["notice"]):
            seen(self, notice)

    def lost(self, device: str) -> None:
        """A device's socket closed: nothing is to be seen there any more."""
        if device == "console":
            self._sight.prompt, self._sight.keys = "", frozenset()
        elif device == "shoe":
            self._sight.up_to = 0
        elif device == "sensors" and self._stage is Stage.PLACING:
            self._placed = 0

    def impatient(self) -> None:
        """Nothing happened for long: what was done may have been refused, so it may be done again."""
        self._answered = False

    def next(self) -> Ask | None:
        """What is to be done now; None: wait for something to be seen."""
        if self._refill:
            return Ask("shuffler", {"do": "insert", "decks": self._refill})
        if self._coming is not None:
            return None
        for pattern, step in STEPS.items():
            if found := pattern.search(self._sight.prompt):
                return step(self, found)
        return None

    def begun(self, ask: Ask) -> None:
        """The request is on its way."""
        if ask.request["do"] == "pull":
            self._answered = True
            self._coming = ask.request["count"], ask.place

    def done(self, ask: Ask, answer: Mapping[str, Any]) -> None:
        """The device did it."""
        match ask.request["do"]:
            case "put":
                self._placed += 1
                self._chips = True
            case "clear":
                self._chips = False
            case "press":
                self._answered = True
                self._paid |= ask.request["action"] == "pay"
            case "take":
                self._pack, self._sight.tray = answer["cards"], False
                self._refill = round(len(self._pack.split()) / DECK)
            case "insert":
                self._refill = 0
            case "load":
                self._pack = ""

    def refused(self, ask: Ask) -> None:
        """The device did not do it."""
        if ask.request["do"] == "pull":
            self._answered, self._coming = False, None

    def prompted(self, notice: Mapping[str, Any]) -> None:
        """The console shows another prompt."""
        self._sight.prompt, self._sight.number = notice["text"], notice["number"]
        self._answered = False

    def lit(self, notice: Mapping[str, Any]) -> None:
        """The console's key lamps changed."""
        self._sight.keys = frozenset(notice["keys"])

    def permitted(self, notice: Mapping[str, Any]) -> None:
        """The shoe's lock moved."""
        self._sight.up_to = notice["up_to"]

    def card(self, notice: Mapping[str, Any]) -> None:
        """A card left the shoe."""
        if notice["count"] != self._sight.count:
            self._sight.count = notice["count"]
            self._lay(notice["count"], notice["card"])

    def shoe(self, notice: Mapping[str, Any]) -> None:
        """What lies there when the shoe comes (back) in sight."""
        self._sight.count = notice["count"]
        for count, card in notice["out"]:
            if self._coming is not None and self._coming[0] == count:
                self._lay(count, card)
        self._coming = None

    def pack(self, _notice: Mapping[str, Any]) -> None:
        """A pack lies in the shuffler's tray."""
        self._sight.tray = True

    def bet(self, found: re.Match[str]) -> Ask | None:
        """Betting is open: clear the table, put the wagers, close once all of them are seen."""
        if self._stage in (Stage.PLAYING, Stage.PAYING):
            self._end_round()
        seen = int(found[1] or 0)
        if self._stage is Stage.CLEARING:
            return self._clear(seen)
        if self._placed < len(self._round.bets):
            return Ask("sensors", _put(self._round.bets[self._placed]))
        return self._press("close", 0) if seen == len(self._round.bets) else None

    def burn(self, _found: re.Match[str]) -> Ask | None:
        """One card for each prompt: the next permit may already be for the deal."""
        return None if self._answered else self._pull(BURNED)

    def deal(self, _found: re.Match[str]) -> Ask | None:
        """One card for each seat in order, one face down for the dealer, and none too many."""
        if self._stage is Stage.PLACING:
            self._stage = Stage.PLAYING
        places = [*sorted({bet.seat for bet in self._round.bets}), DEALER]
        dealt = sum(len(hand) for hand in self._round.hands.values())
        return self._pull(places[dealt]) if dealt < len(places) else None

    def decide(self, found: re.Match[str]) -> Ask | None:
        """A seat's turn: by the strategy, once the prompt agrees with the cards that lie there."""
        seat, points = int(found[1]), int(found[2])
        hand = self._round.hands.get(seat, [])
        if self._answered or not hand or total(hand) != points:
            return None
        return self._pull(seat) if found[3] or hits(hand) else self._press("stand", seat)

    def draw(self, _found: re.Match[str]) -> Ask | None:
        """The dealer's turn; the prompt says it, for nobody else knows the face-down card."""
        return None if self._answered else self._pull(DEALER)

    def pay(self, _found: re.Match[str]) -> Ask | None:
        """Take the chips, then say that all is paid."""
        self._stage = Stage.PAYING
        return Ask("sensors", {"do": "clear"}) if self._chips else self._press("pay", 0)

    def load(self, _found: re.Match[str]) -> Ask | None:
        """Take the shuffled pack; once the old cards are in the shuffler, put it into the shoe."""
        if self._pack:
            return Ask("shoe", {"do": "load", "cards": self._pack, "behind_cut": BEHIND_CUT})
        return Ask("shuffler", {"do": "take"}) if self._sight.tray else None

    def _clear(self, seen: int) -> Ask | None:
        if self._chips:
            return Ask("sensors", {"do": "clear"})
        if seen:
            return None
        self._stage, self._placed = Stage.PLACING, 0
        return self.next()

    def _press(self, action: str, seat: int) -> Ask | None:
        if self._answered or action not in self._sight.keys:
            return None
        return Ask("console", {"do": "press", "action": action, "seat": seat, "prompt": self._sight.number})

    def _pull(self, place: int) -> Ask | None:
        if self._sight.up_to <= self._sight.count:
            return None
        return Ask("shoe", {"do": "pull", "count": self._sight.count + 1}, place)

    def _lay(self, count: int, card: str) -> None:
        if self._coming is None or self._coming[0] != count:
            self.strays.append(card)
            return
        place, self._coming = self._coming[1], None
        if place == BURNED:
            self.burned.append(card)
        else:
            self._round.hands.setdefault(place, []).append(card)

    def _end_round(self) -> None:
        self._round.void = not self._paid
        self.rounds.append(self._round)
        index = len(self.rounds)
        self._round = PlayedRound(index, bets(self._seed, index))
        self._stage, self._paid = Stage.CLEARING, False


STEPS: Final[Mapping[re.Pattern[str], Callable[[Play, re.Match[str]], Ask | None]]] = {
    re.compile(r"^Place your bets(?:: (\d+) wager)?"): Play.bet,
    re.compile(r"^Burn \d+ card"): Play.burn,
    re.compile(r"^Deal \d+ card"): Play.deal,
    re.compile(r"Seat (\d+) has (\d+)(?::| (and hits))"): Play.decide,
    re.compile(r"^Dealer has \d+: draw"): Play.draw,
    re.compile(r"^Pay"): Play.pay,
    re.compile(r"^Load the shoe"): Play.load,
}
"""What the prompts ask for; at any other prompt the crew waits."""
NOTICES: Final[Mapping[str, Callable[[Play, Mapping[str, Any]], None]]] = {
    "prompt": Play.prompted,
    "keys": Play.lit,
    "permit": Play.permitted,
    "card": Play.card,
    "interrupted": Play.card,
    "shoe": Play.shoe,
    "pack": Play.pack,
}


def _put(bet: Bet) -> dict[str, Any]:
    return {"do": "put", "seat": bet.seat, "spot": bet.spot, "cents": bet.cents}

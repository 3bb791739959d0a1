"""What the dealer and the players do next, from what they see. Pure: notices in, at most one request out.

They act once for each prompt and then wait for another one. A console that comes back with the prompt
that it had is another one: a key that was pressed before lies in its memory and is told first.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from drivers.sim.asks import WHOLE_TABLE, Ask, clear, load, press, pull, put, refill, take
from drivers.sim.habits import Bet
from drivers.sim.manners import Manners
from drivers.sim.played import BURNED, DRAW, Place, PlayedRound
from drivers.sim.players import Players, Saying
from drivers.sim.sight import Sight

DECK: Final = 52


class Stage(Enum):
    """How far the crew is in its round."""

    CLEARING = "clearing"
    PLACING = "placing"
    PLAYING = "playing"
    PAYING = "paying"


class Play:
    """The whole game at one table, whatever is interrupted. The same seed puts the same wagers."""

    def __init__(self, manners: Manners, seed: int) -> None:
        self.rounds: list[PlayedRound] = []
        self.burned: list[str] = []
        self.strays: list[str] = []
        """Cards that nobody of the crew pulled."""
        self._manners = manners
        self._seed = seed
        self._sight = Sight()
        self._players = Players(manners, seed, 0)
        self._stage = Stage.CLEARING
        self._chips = True
        """There may be chips on the spots: those of whoever played before."""
        self._laid: dict[tuple[int, int], int | None] = {}
        """What the crew put on spots, by seat and spot."""
        self._paid = False
        self._answered = False
        """The prompt that is shown has got its key or its card."""
        self._hurry = False
        """Nothing happened for long at this prompt."""
        self._said: tuple[str, Saying] | None = None
        """A key for a seat, and the prompt that it answers: the table took it once another one is shown."""
        self._coming: tuple[int, Place] | None = None
        """The card that is being pulled: its count, and where it goes."""
        self._pack = ""
        self._refill = 0
        """Decks that are to go into the shuffler: those that were in the shoe."""

    def notice(self, notice: Mapping[str, Any]) -> None:
        """Somebody saw something."""
        match notice["notice"]:
            case "prompt":
                self._prompted(notice)
            case "card" | "interrupted":
                self._card(notice["count"], notice["card"])
            case "shoe":
                self._shoe(notice)
            case _:
                self._sight.notice(notice)

    def lost(self, device: str) -> None:
        """A device's socket closed: nothing is to be seen there any more."""
        self._sight.lost(device)
        if device == "sensors" and self._stage is Stage.PLACING:
            self._laid.clear()

    def impatient(self) -> None:
        """Nothing happened for long: what was done may have been refused, so it may be done again."""
        self._answered, self._hurry = False, True

    def next(self) -> Ask | None:
        """What is to be done now; None: wait for something to be seen."""
        if self._refill:
            return refill(self._refill)
        return None if self._coming else self._step(self._sight.prompt)

    def begun(self, ask: Ask) -> None:
        """The request is on its way."""
        if ask.request["do"] == "pull":
            self._answered = True
            self._coming = ask.request["count"], ask.place
        elif ask.saying is not None:
            self._said = (self._sight.prompt, ask.saying) if ask.saying.place.seat else None

    def done(self, ask: Ask, answer: Mapping[str, Any]) -> None:
        """The device did it."""
        match ask.request["do"]:
            case "put":
                self._laid[ask.request["seat"], ask.request["spot"]] = ask.request["cents"]
                self._chips = True
            case "clear":
                self._laid.clear()
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
        elif ask.saying is not None:
            self._said = None

    def bet(self, found: re.Match[str]) -> Ask | None:
        """Betting is open: clear the table, put the wagers, close once all of them are seen."""
        return self._lay_out(int(found[1] or 0))

    def mend(self, _found: re.Match[str]) -> Ask | None:
        """Betting is open, and what lies there may not stay so."""
        return self._lay_out(None)

    def burn(self, _found: re.Match[str]) -> Ask | None:
        """One card for each prompt: the next permit may already be for the deal."""
        return None if self._answered else self._pull(BURNED)

    def deal(self, _found: re.Match[str]) -> Ask | None:
        """The cards first dealt, as they go round, and none too many."""
        if self._stage is Stage.PLACING:
            self._stage = Stage.PLAYING
        played = self._players.round
        places = played.places(self._manners.deal)
        return self._pull(places[played.dealt]) if played.dealt < len(places) else None

    def insure(self, found: re.Match[str]) -> Ask | None:
        """Insurance and even money for those who want it, then close."""
        return self._press(self._players.insures(found.string) or CLOSE)

    def offer(self, found: re.Match[str]) -> Ask | None:
        """Chips on the spots that are open now; once the table has seen all of them, close or go on."""
        seats, beside = _seats(found["seats"]), found["beside"]
        wanted = self._players.late(seats, at_split=SPLIT in beside)
        if wanted and not self._hurry:
            if missing := self._missing(wanted):
                return put(missing) if self._sight.open(missing.seat, missing.spot) else None
            if int(found["placed"] or 0) < len(wanted):
                return None
            self._players.note(wanted)
        if beside.startswith("Close") or self._players.closes(seats):
            return self._press(CLOSE)
        return self._step(beside)

    def decide(self, found: re.Match[str]) -> Ask | None:
        """A hand's turn: by the strategy, once the prompt agrees with the cards that lie there."""
        place = Place(int(found["seat"]), int(found["hand"] or 1) - 1)
        cards = self._players.round.cards(place)
        if self._answered or not cards or self._manners.count(cards) != found["count"]:
            return None
        if found["draws"]:
            return self._more_chips(place.seat) or self._pull(place)
        saying = self._players.says(place)
        return self._pull(place) if saying.action == "hit" else self._press(saying)

    def draw(self, _found: re.Match[str]) -> Ask | None:
        """The dealer's turn; the prompt says it, for nobody else knows the face-down card."""
        return None if self._answered else self._pull(DRAW)

    def pay(self, _found: re.Match[str]) -> Ask | None:
        """Take the chips, then say that all is paid."""
        self._stage = Stage.PAYING
        return clear() if self._chips else self._press(PAY)

    def load(self, _found: re.Match[str]) -> Ask | None:
        """Take the shuffled pack; once the old cards are in the shuffler, put it into the shoe."""
        if self._pack:
            return load(self._pack)
        return take() if self._sight.tray else None

    def _step(self, text: str) -> Ask | None:
        for pattern, step in STEPS.items():
            if found := pattern.search(text):
                return step(self, found)
        return None

    def _prompted(self, notice: Mapping[str, Any]) -> None:
        self._sight.notice(notice)
        self._answered = self._hurry = False
        shown = self._sight.prompt
        if self._said and shown != self._said[0] and any(pattern.search(shown) for pattern in STEPS):
            self._players.said(self._said[1])
            self._said = None

    def _card(self, count: int, card: str) -> None:
        if count != self._sight.count:
            self._sight.count = count
            self._lay(count, card)

    def _shoe(self, notice: Mapping[str, Any]) -> None:
        """What lies there when the shoe comes (back) in sight."""
        self._sight.count = notice["count"]
        for count, card in notice["out"]:
            if self._coming is not None and self._coming[0] == count:
                self._lay(count, card)
        self._coming = None

    def _lay(self, count: int, card: str) -> None:
        if self._coming is None or self._coming[0] != count:
            self.strays.append(card)
            return
        place, self._coming = self._coming[1], None
        if place == BURNED:
            self.burned.append(card)
        else:
            self._players.round.lay(place, card)

    def _lay_out(self, seen: int | None) -> Ask | None:
        """`seen`: how many wagers the table sees, None if it says something else."""
        if self._stage in (Stage.PLAYING, Stage.PAYING):
            self._end_round()
        if self._stage is Stage.CLEARING:
            return self._clear(seen)
        bets = self._players.round.bets
        if missing := self._missing(bets):
            return put(missing)
        return self._press(CLOSE) if seen == len(bets) else None

    def _clear(self, seen: int | None) -> Ask | None:
        if self._chips:
            return clear()
        if seen != 0:
            return None
        self._stage = Stage.PLACING
        return self.next()

    def _missing(self, bets: Sequence[Bet]) -> Bet | None:
        """The first one whose chips do not lie there."""
        wanted = map(self._players.on_spot, bets)
        return next(
            (bet for bet in wanted if self._laid.get((bet.seat, bet.spot), NOTHING) != bet.cents), None
        )

    def _more_chips(self, seat: int) -> Ask | None:
        bet = self._players.beside(seat)
        return put(bet) if bet and self._laid.get((seat, bet.spot)) != bet.cents else None

    def _press(self, saying: Saying) -> Ask | None:
        if self._answered or saying.action not in self._sight.keys:
            return None
        return press(saying, self._sight.number)

    def _pull(self, place: Place) -> Ask | None:
        return pull(self._sight.count + 1, place) if self._sight.permitted else None

    def _end_round(self) -> None:
        self._players.round.void = not self._paid
        self.rounds.append(self._players.round)
        self._players = Players(self._manners, self._seed, len(self.rounds))
        self._stage, self._paid = Stage.CLEARING, False


def _seats(text: str) -> list[int]:
    """ "1-3 5" is short for 1, 2, 3 and 5."""
    ends = (run.split("-") for run in text.split())
    return [seat for first, *last in ends for seat in range(int(first), int(last[0] if last else first) + 1)]


NOTHING: Final = -1
CLOSE: Final = Saying("close", WHOLE_TABLE)
PAY: Final = Saying("pay", WHOLE_TABLE)
SPLIT: Final = "is split"

STEPS: Final[Mapping[re.Pattern[str], Callable[[Play, re.Match[str]], Ask | None]]] = {
    re.compile(r"^Place your bets(?:: (\d+) wager)?"): Play.bet,
    re.compile(r"^Seat \d+: "): Play.mend,
    re.compile(r"^Burn \d+ card"): Play.burn,
    re.compile(r"^Deal \d+ card"): Play.deal,
    re.compile(r"^(Insurance|Even money): "): Play.insure,
    re.compile(
        r"^[\w ]+ open: seats? (?P<seats>[\d -]+?)(?: \((?P<placed>\d+) placed\))?\. (?P<beside>.*)"
    ): Play.offer,
    re.compile(
        r"^(?:No natural\. )?Seat (?P<seat>\d+)(?: hand (?P<hand>\d+))? has (?P<count>(?:soft )?\d+)"
        r"(?::| and (?P<draws>hits|doubles|is split))"
    ): Play.decide,
    re.compile(r"^Dealer has (?:soft )?\d+: draw"): Play.draw,
    re.compile(r"^Pay "): Play.pay,
    re.compile(r"^Load the shoe"): Play.load,
}
"""What the prompts ask for; at any other prompt the crew waits."""

"""What the dealer and the players do next, from what they see. Pure: notices in, at most one request out.

They act once for each prompt and then wait for another one. A console that comes back with the prompt
that it had is another one: a key that was pressed before lies in its memory and is told first.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Final

from controller.demo.crew import prompts
from controller.demo.crew.device_requests import WHOLE_TABLE, Ask, clear, press, put
from controller.demo.crew.equipment import BURNED, ELSEWHERE, Chips, Draws, Packs
from controller.demo.crew.indicators import Sight
from controller.demo.crew.playbook import Manners
from controller.demo.crew.played_round import DRAW, Place, PlayedRound
from controller.demo.crew.players import Players, Saying


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
        self.draws = Draws()
        self._manners = manners
        self._seed = seed
        self._sight = Sight()
        self._packs = Packs()
        self._players = Players(manners, seed, 0)
        self._stage = Stage.CLEARING
        self._chips = Chips()
        self._paid = False
        self._answered = False
        """The prompt that is shown has got its key or its card."""
        self._hurry = False
        """Nothing happened for long at this prompt."""
        self._said: tuple[str, Saying] | None = None
        """A key for a seat, and the prompt that it answers: the table took it once another one is shown."""

    @property
    def round(self) -> PlayedRound:
        """The one in play, as far as it is written down."""
        return self._players.round

    def notice(self, notice: Mapping[str, Any]) -> None:
        """Somebody saw something."""
        before = self._sight.prompt
        self._sight.notice(notice)
        match notice["notice"]:
            case "prompt" if self._sight.prompt != before:
                self._prompted()
            case "permit":
                self.draws.permit(notice["up_to"])
            case "card" | "interrupted":
                self._lay(self.draws.card(notice["count"], notice["card"]))
            case "shoe":
                self._lay(self.draws.look(notice))
            case "pack":
                self._packs.in_tray()

    def lost(self, device: str) -> None:
        """A device's socket closed: nothing is to be seen there any more."""
        self._sight.lost(device)
        if device == "shoe":
            self.draws.permit(0)
        elif device == "sensors" and self._stage is Stage.PLACING:
            self._chips.unsure()

    def impatient(self) -> None:
        """Nothing happened for long: what was done may have been refused, so it may be done again."""
        self._answered, self._hurry = False, True

    def next(self) -> Ask | None:
        """What is to be done now; None: wait for something to be seen."""
        if first := self._packs.first():
            return first
        return None if self.draws.coming else self._step(self._sight.prompt)

    def begun(self, ask: Ask) -> None:
        """The request is on its way."""
        if ask.request["do"] == "pull":
            self._answered = True
            self.draws.begun(ask)
        elif ask.saying is not None:
            ours = ask.saying.place.seat and self._stage is not Stage.CLEARING
            self._said = (self._sight.prompt, ask.saying) if ours else None

    def done(self, ask: Ask, answer: Mapping[str, Any]) -> None:
        """The device did it."""
        match ask.request["do"]:
            case "put":
                self._chips.laid(ask.request["seat"], ask.request["spot"], ask.request["cents"])
            case "clear":
                self._chips.cleared()
            case "press":
                self._answered = True
                self._paid |= ask.request["action"] == "pay"
            case "take":
                self._packs.taken(answer["cards"])
            case "insert":
                self._packs.inserted()
            case "load":
                self._packs.loaded()
            case "pull":
                self._packs.used()

    def refused(self, ask: Ask) -> None:
        """The device did not do it."""
        if ask.request["do"] == "pull":
            self._answered = False
            self.draws.refused()
        elif ask.saying is not None:
            self._said = None

    def bet(self, found: re.Match[str]) -> Ask | None:
        """Betting is open: clear the table, put the wagers, close once all of them are seen."""
        return self._lay_out(int(found["seen"] or 0))

    def mend(self, _found: re.Match[str]) -> Ask | None:
        """Betting is open, and what lies there may not stay so."""
        return self._lay_out(None)

    def burn(self, _found: re.Match[str]) -> Ask | None:
        """One card for each prompt: the next permit may already be for the deal."""
        return None if self._answered else self.draws.ask(BURNED)

    def deal(self, _found: re.Match[str]) -> Ask | None:
        """The cards first dealt, as they go round, and none too many."""
        if self._stage is Stage.PLACING:
            self._stage = Stage.PLAYING
        played = self.round
        places = played.places(self._manners.deal)
        return self.draws.ask(places[played.dealt]) if played.dealt < len(places) else None

    def insure(self, found: re.Match[str]) -> Ask | None:
        """Insurance and even money for those who want it, then close."""
        return self._press(self._players.insures(found.string) or CLOSE)

    def offer(self, found: re.Match[str]) -> Ask | None:
        """Chips on the spots that are open now; once the table has seen all of them, close or go on."""
        seats, beside = prompts.seats(found["seats"]), found["beside"]
        wanted = self._players.late(seats, at_split=prompts.SPLIT in beside)
        if wanted and not self._hurry:
            if missing := self._chips.missing(map(self._players.on_spot, wanted)):
                return put(missing) if self._sight.open(missing.seat, missing.spot) else None
            if int(found["placed"] or 0) < len(wanted):
                return None
            self._players.note(wanted)
        if beside == prompts.NOTHING_BESIDE or self._players.closes(seats):
            return self._press(CLOSE)
        return self._step(beside)

    def decide(self, found: re.Match[str]) -> Ask | None:
        """A hand's turn: by the strategy, once the prompt agrees with the cards that lie there."""
        place = Place(int(found["seat"]), int(found["hand"] or 1) - 1)
        cards = self.round.cards(place)
        if self._answered or not cards or self._manners.count(cards) != found["count"]:
            return None
        if found["draws"]:
            return self._chips.ask(self._players.beside(place.seat)) or self.draws.ask(place)
        saying = self._players.says(place)
        return self.draws.ask(place) if saying.action == "hit" else self._press(saying)

    def draw(self, _found: re.Match[str]) -> Ask | None:
        """The dealer's turn; the prompt says it, for nobody else knows the face-down card."""
        return None if self._answered else self.draws.ask(DRAW)

    def pay(self, _found: re.Match[str]) -> Ask | None:
        """Take the chips, then say that all is paid."""
        self._stage = Stage.PAYING
        return clear() if self._chips.any else self._press(PAY)

    def load(self, found: re.Match[str]) -> Ask | None:
        """Take the shuffled pack; once the old cards are in the shuffler, put it into the shoe, and say so
        where the shoe cannot."""
        if found["then"] and self._packs.fresh:
            return self._press(CLOSE)
        return self._packs.ask()

    def _step(self, text: str) -> Ask | None:
        for pattern, step in STEPS.items():
            if found := pattern.search(text):
                theirs = self._stage is Stage.CLEARING and step in IN_PLAY
                return self._finish(text) if theirs else step(self, found)
        return None

    def _finish(self, text: str) -> Ask | None:
        """Somebody else began the round: the shortest way to its end."""
        if self._answered:
            return None
        seat, action = prompts.SEAT.search(text), prompts.ENDING.search(text)
        if action is None or prompts.CARD_DUE in text:
            return self.draws.ask(ELSEWHERE)
        return self._press(Saying(action[0].lower(), Place(int(seat[1])) if seat else WHOLE_TABLE))

    def _prompted(self) -> None:
        self._answered = self._hurry = False
        shown = self._sight.prompt
        if self._said and shown != self._said[0] and any(pattern.search(shown) for pattern in STEPS):
            self._players.said(self._said[1])
            self._said = None

    def _lay(self, cards: Iterable[tuple[Place, str]]) -> None:
        for place, card in cards:
            self.round.lay(place, card)

    def _lay_out(self, seen: int | None) -> Ask | None:
        """`seen`: how many wagers the table sees, None if it says something else."""
        if self._stage in (Stage.PLAYING, Stage.PAYING):
            self._end_round()
        if self._stage is Stage.CLEARING:
            return self._clear(seen)
        bets = self.round.bets
        closing = self._press(CLOSE) if seen == len(bets) else None
        return self._chips.ask(bets) or closing

    def _clear(self, seen: int | None) -> Ask | None:
        if self._chips.any:
            return clear()
        if seen != 0:
            return None
        self._stage, self._paid = Stage.PLACING, False
        return self.next()

    def _press(self, saying: Saying) -> Ask | None:
        if self._answered or saying.action not in self._sight.keys:
            return None
        return press(saying, self._sight.number)

    def _end_round(self) -> None:
        self.round.void = not self._paid
        self.rounds.append(self.round)
        self._players = Players(self._manners, self._seed, len(self.rounds))
        self._stage = Stage.CLEARING


CLOSE: Final = Saying("close", WHOLE_TABLE)
PAY: Final = Saying("pay", WHOLE_TABLE)

STEPS: Final[Mapping[re.Pattern[str], Callable[[Play, re.Match[str]], Ask | None]]] = {
    prompts.BETTING: Play.bet,
    prompts.BETS_AMISS: Play.mend,
    prompts.BURNING: Play.burn,
    prompts.DEALING: Play.deal,
    prompts.INSURING: Play.insure,
    prompts.OFFERING: Play.offer,
    prompts.PLAYING: Play.decide,
    prompts.DRAWING: Play.draw,
    prompts.PAYING: Play.pay,
    prompts.LOADING: Play.load,
}
"""What the prompts ask for; at any other prompt the crew waits."""
IN_PLAY: Final = frozenset({Play.deal, Play.insure, Play.offer, Play.decide, Play.draw, Play.pay})

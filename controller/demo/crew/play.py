"""What the dealer and the players do next, from the notices of the devices.

Theory of operation. Pure: notices go in, at most one request comes out. The crew acts once for each prompt
and then waits for another one. The same prompt counts as another one after the console was lost: a key
that was pressed before is in the console's memory and reaches the table first. A key is recorded in the
round once another prompt shows that the table took it; a card, once the shoe says that it left.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Final

from controller.demo.crew.device_requests import WHOLE_TABLE, DeviceRequest, clear, press, put
from controller.demo.crew.equipment import BURNED, ELSEWHERE, ChipHandler, PackHandler, ShoeHandler
from controller.demo.crew.indicators import Indicators, LoadShoe
from controller.demo.crew.playbook import Playbook
from controller.demo.crew.played_round import DRAW, HandPosition, PlayedRound
from controller.demo.crew.players import KeyAction, Players
from controller.round.prompts import (
    BurnCards,
    CloseWindow,
    DealCards,
    DealerDraws,
    DrawCard,
    FixBets,
    OfferInsurance,
    OpenWindow,
    PaySeat,
    PlaceBets,
    PlayHand,
    Prompt,
)


class RoundStage(Enum):
    """How far the crew is in its round."""

    CLEARING = "clearing"
    PLACING = "placing"
    PLAYING = "playing"
    PAYING = "paying"


class CrewMachine:
    """Plays at one table, whatever is interrupted. The same seed places the same wagers."""

    def __init__(self, playbook: Playbook, seed: int) -> None:
        self.rounds: list[PlayedRound] = []
        self.draws = ShoeHandler()
        self._playbook = playbook
        self._seed = seed
        self._indicators = Indicators()
        self._packs = PackHandler()
        self._players = Players(playbook, seed, 0)
        self._stage = RoundStage.CLEARING
        self._chips = ChipHandler()
        self._paid = False
        self._prompt_answered = False
        """The current prompt has got its key or its card."""
        self._hurry = False
        """Nothing happened for a long time at this prompt."""
        self._pending_key: tuple[str, KeyAction] | None = None
        """The prompt that a key answered, and the key. The table took it once another prompt is displayed."""

    @property
    def round(self) -> PlayedRound:
        """The round in play, as far as it is recorded."""
        return self._players.round

    def notice(self, notice: Mapping[str, Any]) -> None:
        before = self._indicators.text
        self._indicators.notice(notice)
        match notice["notice"]:
            case "prompt" if self._indicators.text != before:
                self._on_prompt()
            case "permit":
                self.draws.permit(notice["up_to"])
            case "card" | "interrupted":
                self._record_cards(self.draws.card(notice["count"], notice["card"]))
            case "shoe":
                self._record_cards(self.draws.restore(notice))
            case "pack":
                self._packs.in_tray(notice["number"])

    def disconnected(self, device: str) -> None:
        """The control socket of a device closed, so nothing on it is visible."""
        self._indicators.lost(device)
        if device == "shoe":
            self.draws.permit(0)
        elif device == "sensors" and self._stage is RoundStage.PLACING:
            self._chips.forget()

    def retry(self) -> None:
        """Nothing happened for a long time: the last act may have been refused, so it may be repeated."""
        self._prompt_answered, self._hurry = False, True

    def next(self) -> DeviceRequest | None:
        """The next request; None: wait for a notice."""
        if first := self._packs.first():
            return first
        return None if self.draws.pending else self._step(self._indicators.due)

    def sent(self, request: DeviceRequest) -> None:
        """The request was sent."""
        if request.request["do"] == "pull":
            self._prompt_answered = True
            self.draws.sent(request)
        elif request.key is not None:
            ours = request.key.place.seat and self._stage is not RoundStage.CLEARING
            self._pending_key = (self._indicators.text, request.key) if ours else None

    def completed(self, request: DeviceRequest, answer: Mapping[str, Any]) -> None:
        """The device carried the request out."""
        match request.request["do"]:
            case "put":
                self._chips.record(request.request["seat"], request.request["spot"], request.request["cents"])
            case "clear":
                self._chips.clear()
            case "press":
                self._prompt_answered = True
                self._paid |= request.request["action"] == "pay"
            case "take":
                self._packs.take(answer["cards"])
            case "insert":
                self._packs.insert()
            case "load":
                self._packs.load()
            case "pull":
                self._packs.card_left()

    def refused(self, request: DeviceRequest) -> None:
        """The device did not carry the request out."""
        if request.request["do"] == "pull":
            self._prompt_answered = False
            self.draws.refused()
        elif request.key is not None:
            self._pending_key = None

    def bet(self, prompt: PlaceBets) -> DeviceRequest | None:
        """Clears the table, places the wagers, and closes once the table sees all of them."""
        return self._place_bets(prompt.wagers or 0)

    def fix_bets(self, _prompt: FixBets) -> DeviceRequest | None:
        """Completes the wagers, because betting cannot close with what is there."""
        return self._place_bets(None)

    def burn(self, _prompt: BurnCards) -> DeviceRequest | None:
        """One card for each prompt, because the next permit may already be for the deal."""
        return None if self._prompt_answered else self.draws.ask(BURNED)

    def deal(self, _prompt: DealCards) -> DeviceRequest | None:
        """The first cards, and no more."""
        played = self.round
        places = played.deal_positions(self._playbook.deal)
        return self.draws.ask(places[played.cards_out]) if played.cards_out < len(places) else None

    def insure(self, prompt: OfferInsurance) -> DeviceRequest | None:
        """Insurance and even money for those who want it, then `close`."""
        return self._press(self._players.insurance_key(prompt) or CLOSE)

    def offer(self, prompt: OpenWindow) -> DeviceRequest | None:
        """Places chips on the open spots. Once the table sees all of them, closes the window or goes on."""
        then = prompt.then
        at_split = isinstance(then, DrawCard) and then.reason == IS_SPLIT
        wanted = self._players.late(prompt.seats, at_split=at_split)
        if wanted and not self._hurry:
            if missing := self._chips.missing(map(self._players.on_spot, wanted)):
                return put(missing) if self._indicators.open(missing.seat, missing.spot) else None
            if (prompt.placed or 0) < len(wanted):
                return None
            self._players.record_late(wanted)
        if isinstance(then, CloseWindow) or self._players.closes(prompt.seats):
            return self._press(CLOSE)
        return self._step(then)

    def decide(self, prompt: PlayHand) -> DeviceRequest | None:
        """Plays a hand by the strategy, once the prompt agrees with its cards."""
        place = self._turn(prompt)
        if place is None:
            return None
        key = self._players.choose(place)
        return self.draws.ask(place) if key.action == "hit" else self._press(key)

    def draw_for_hand(self, prompt: DrawCard) -> DeviceRequest | None:
        """The chips for a double or split, then the card that the hand waits for."""
        place = self._turn(prompt)
        if place is None:
            return None
        return self._chips.ask(self._players.extended_bet(place.seat)) or self.draws.ask(place)

    def draw(self, _prompt: DealerDraws) -> DeviceRequest | None:
        return None if self._prompt_answered else self.draws.ask(DRAW)

    def pay(self, _prompt: PaySeat) -> DeviceRequest | None:
        """Takes the chips, then says that all is paid."""
        self._stage = RoundStage.PAYING
        return clear() if self._chips.any else self._press(PAY)

    def load(self, _prompt: LoadShoe) -> DeviceRequest | None:
        """Takes the shuffled pack. Once the old cards are in the shuffler, loads it into the shoe, and
        says so with a key if the shoe cannot."""
        if self._packs.fresh and CLOSE.action in self._indicators.keys:
            return self._press(CLOSE)
        return self._packs.ask()

    def _step(self, prompt: Prompt | LoadShoe | None) -> DeviceRequest | None:
        if self._stage is RoundStage.CLEARING and type(prompt) in IN_PLAY:
            return self._finish(prompt)
        step = STEPS.get(type(prompt))
        return step(self, prompt) if step else None

    def _turn(self, prompt: PlayHand | DrawCard) -> HandPosition | None:
        """The hand of a prompt that is not answered yet, if its cards are those that the prompt counts."""
        place = HandPosition(prompt.seat, (prompt.hand or 1) - 1)
        cards = self.round.cards(place)
        agreed = not self._prompt_answered and cards and self._playbook.count(cards) == prompt.total
        return place if agreed else None

    def _finish(self, prompt: Prompt | LoadShoe | None) -> DeviceRequest | None:
        """Ends a round that the crew did not begin in the shortest way."""
        if self._prompt_answered:
            return None
        while isinstance(prompt, OpenWindow):
            prompt = prompt.then
        match prompt:
            case PlayHand() if "stand" in prompt.choices:
                return self._press(KeyAction("stand", HandPosition(prompt.seat)))
            case OfferInsurance() | CloseWindow():
                return self._press(CLOSE)
            case PaySeat():
                return self._press(PAY)
        return self.draws.ask(ELSEWHERE)

    def _on_prompt(self) -> None:
        self._prompt_answered = self._hurry = False
        if self._stage is RoundStage.PLACING and isinstance(self._indicators.due, BurnCards | DealCards):
            self._stage = RoundStage.PLAYING
        if self._pending_key is None or type(self._indicators.due) not in STEPS:
            return
        prompt, key = self._pending_key
        if self._indicators.text != prompt:
            self._players.record_key(key)
            self._pending_key = None

    def _record_cards(self, cards: Iterable[tuple[HandPosition, str]]) -> None:
        for place, card in cards:
            self.round.add_card(place, card)

    def _place_bets(self, seen: int | None) -> DeviceRequest | None:
        """`seen`: how many wagers the table sees; None if its prompt is about something else."""
        if self._stage in (RoundStage.PLAYING, RoundStage.PAYING):
            self._end_round()
        if self._stage is RoundStage.CLEARING:
            return self._clear(seen)
        bets = self.round.bets
        closing = self._press(CLOSE) if seen == len(bets) else None
        return self._chips.ask(bets) or closing

    def _clear(self, seen: int | None) -> DeviceRequest | None:
        if self._chips.any:
            return clear()
        if seen != 0:
            return None
        self._stage, self._paid = RoundStage.PLACING, False
        return self.next()

    def _press(self, key: KeyAction) -> DeviceRequest | None:
        if self._prompt_answered or key.action not in self._indicators.keys:
            return None
        return press(key, self._indicators.number)

    def _end_round(self) -> None:
        self.round.void = not self._paid
        self.rounds.append(self.round)
        self._players = Players(self._playbook, self._seed, len(self.rounds))
        self._stage = RoundStage.CLEARING


CLOSE: Final = KeyAction("close", WHOLE_TABLE)
PAY: Final = KeyAction("pay", WHOLE_TABLE)

IS_SPLIT: Final = "is split"

STEPS: Final[Mapping[type, Callable[[CrewMachine, Any], DeviceRequest | None]]] = {
    PlaceBets: CrewMachine.bet,
    FixBets: CrewMachine.fix_bets,
    BurnCards: CrewMachine.burn,
    DealCards: CrewMachine.deal,
    OfferInsurance: CrewMachine.insure,
    OpenWindow: CrewMachine.offer,
    PlayHand: CrewMachine.decide,
    DrawCard: CrewMachine.draw_for_hand,
    DealerDraws: CrewMachine.draw,
    PaySeat: CrewMachine.pay,
    LoadShoe: CrewMachine.load,
}
"""What the crew does at each prompt. At any other prompt it waits."""
IN_PLAY: Final = frozenset({DealCards, OfferInsurance, OpenWindow, PlayHand, DrawCard, DealerDraws, PaySeat})
"""Prompts of a round that somebody else may have begun."""

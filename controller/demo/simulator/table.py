"""The simulated table as it stands: its felt, its devices, and what hands hold."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.config.chips import USUAL
from controller.currency import Chip
from controller.demo.crew.equipment import BURNED
from controller.demo.crew.indicators import LoadShoe
from controller.demo.crew.played_round import HandPosition
from controller.demo.simulator.equipment import DeviceCondition, Equipment
from controller.demo.simulator.felt import Felt
from controller.demo.simulator.links import DeviceRequests
from controller.demo.simulator.places import next_place
from controller.games.game import Game
from controller.round.prompts import (
    DealerDraws,
    DrawCard,
    FixBets,
    OpenWindow,
    PaySeat,
    PlaceBets,
    Prompt,
    RoundOver,
    RoundVoid,
)
from drivers.protocol.codes import SPOTS_PER_SEAT

IS_SPLIT: Final = "is split"
BETWEEN_ROUNDS: Final = (PlaceBets, FixBets, RoundOver, RoundVoid, LoadShoe)
DEALERS_TURN: Final = (DealerDraws, PaySeat)


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies on the table before anybody plays. `crew_deals`: the simulated dealer turns and collects
    cards by itself."""

    game: Game
    seats: int
    rack: Sequence[Chip] = USUAL["USD"]
    crew_deals: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A card that is on its way out into a hand. `due`: where the table expects it; `lay`: it is laid there
    at once."""

    due: HandPosition | None
    lay: bool


class SimulatedTable:
    """One table. `notify` is called after each change of what can be seen."""

    def __init__(self, layout: Layout, controls: Mapping[str, Path], notify: Callable[[], None]) -> None:
        self.layout = layout
        self.equipment = Equipment({device: DeviceCondition() for device in controls})
        self.devices = DeviceRequests(controls, self._see, self._lose)
        self.felt = Felt()
        self.felt_is_old = False
        """The cards on it are those of a round that is over."""
        self.prepared: list[str] = []
        """The cards that come next, as hands have put them in order."""
        self.pack = ""
        """The shuffled pack in the dealer's hands."""
        self.fresh = False
        """The pack in the shoe is new, and none of its cards has left."""
        self.wishes: Callable[[SimulatedTable], Mapping[int, str]] = lambda _table: {}
        """What simulated players say, by seat."""
        self.drawing: Drawing | None = None
        self.prompt_answered = False
        """A card was drawn for the prompt: only the next prompt says where the next card belongs, even if the
        shoe is permitted to release it."""
        self.notify = notify
        self.turn = asyncio.Lock()
        """Held by the act that is being done: hands do one thing at a time."""
        self._in_play: Sequence[int] = ()

    @property
    def due(self) -> HandPosition | None:
        """Where the next card belongs; None if none may leave the shoe, or as long as the prompt is that of
        the card before."""
        seen = self.equipment
        if not seen.cards_due or self.prompt_answered:
            return None
        return next_place(seen.indicators.due, self._in_play, self.layout.game.deal)

    @property
    def between_rounds(self) -> bool:
        return isinstance(self.equipment.indicators.due, BETWEEN_ROUNDS)

    @property
    def dealers_turn(self) -> bool:
        """The dealer's hand is played, or the round is decided."""
        return isinstance(self.equipment.indicators.due, DEALERS_TURN) or self.between_rounds

    def collect_cards(self) -> None:
        """All cards go into the discard rack."""
        self.felt.collect()
        self.felt_is_old = False

    async def run(self) -> None:
        """Follows the devices until cancelled."""
        await self.devices.run()

    def _see(self, device: str, notice: Mapping[str, Any]) -> None:
        due = self.due
        text = self.equipment.indicators.text
        self.equipment.notice(device, notice)
        match notice["notice"]:
            case "card" | "interrupted":
                self._take_card(notice["card"], due)
            case "prompt":
                self.prompt_answered &= self.equipment.indicators.text == text
                self._on_prompt()
        self._look_for_wagers()
        self.notify()

    def _lose(self, device: str) -> None:
        self.equipment.lost(device)
        if device == "shoe":
            self.drawing = None
        self.notify()

    def _take_card(self, card: str, due: HandPosition | None) -> None:
        """A card left the shoe. One that nobody drew here lies at once where it belongs."""
        self.fresh = False
        if self.prepared[:1] == [card]:
            self.prepared.pop(0)
        drawing, self.drawing = self.drawing or Drawing(due or BURNED, lay=True), None
        self.felt.take(card, drawing.due)
        if drawing.lay and drawing.due is not None:
            self.felt.lay(drawing.due)

    def _on_prompt(self) -> None:
        prompt = innermost(self.equipment.indicators.due)
        if isinstance(prompt, DrawCard) and prompt.reason == IS_SPLIT:
            self.felt.split(HandPosition(prompt.seat, (prompt.hand or 1) - 1))
        if self.layout.crew_deals and self.dealers_turn and self.felt.hides:
            self.felt.turn()
        self.felt_is_old |= self.between_rounds and not self.felt.empty
        if self.layout.crew_deals and isinstance(prompt, PlaceBets):
            self.collect_cards()

    def _look_for_wagers(self) -> None:
        """The seats that play are those with a wager when betting closes."""
        if self.between_rounds or not self._in_play:
            mains = self.equipment.stakes[::SPOTS_PER_SEAT]
            self._in_play = [seat for seat, stake in enumerate(mains, 1) if stake is not None]


def innermost(prompt: Prompt | LoadShoe | None) -> Prompt | LoadShoe | None:
    """What is due besides open windows."""
    while isinstance(prompt, OpenWindow):
        prompt = prompt.then
    return prompt

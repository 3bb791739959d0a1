"""The simulated shoe: gives out one card at a time, and only permitted ones unless forced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from drivers.messages import (
    CardDrawn,
    CardUnpermitted,
    CardUnreadable,
    CommandBody,
    Cover,
    CutCard,
    Empty,
    EventBody,
    Loaded,
    Lock,
    Permit,
    ShoeJam,
)
from drivers.protocol.codes import Mode, Status
from drivers.sim.body import NEVER, BodyOutput, SimulatedBody, Tempo
from drivers.sim.cards import CardLog
from drivers.sim.link.commands import DONE, MOST_AHEAD
from drivers.sim.link.memory import CommandOutcome, Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import CardsField, FlagField, IntegerField, RequestError, Response, Verb

VISIBLE_CARDS = 64
"""Cards that a new client is told about."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Cards in order, and how many of them are behind the cut card (0: there is no cut card)."""

    cards: Sequence[str]
    behind_cut: int
    decks: int


@dataclass(slots=True)
class Motion:
    """A card on its way out."""

    until: float
    permitted: bool


class ShoeBody(SimulatedBody):
    """Cards leave in order. The memory's count of cards gives the place in the pack."""

    commands: ClassVar[Mapping[type[CommandBody], str]] = {Permit: "permit", Lock: "lock"}

    def __init__(
        self,
        outlet: BodyOutput,
        *,
        memory: Memory,
        surroundings: PhysicalState,
        pack: Pack,
        log: Path | None,
        tempo: Tempo,
    ) -> None:
        super().__init__(outlet)
        self._memory = memory
        self._state = surroundings
        self._tempo = tempo
        self._pack = pack
        self._cards: Sequence[str] = surroundings.get("cards", [])
        self._log = CardLog(log)
        self._up_to = 0
        self._motion: Motion | None = None
        self._powered = False
        self._unreadable = False
        count = IntegerField(1, 2**63, default=None)
        self.verbs = {
            "pull": Verb(
                self.pull,
                {
                    "count": count,
                    "card": CardsField(most=1, default=None),
                    "force": FlagField(default=False),
                },
            ),
            "left": Verb(self.left, {"card": CardsField(most=1)}),
            "load": Verb(
                self.load,
                {
                    "cards": CardsField(),
                    "behind_cut": IntegerField(0, 520, 0),
                    "decks": IntegerField(1, 10, None),
                },
            ),
            "cover": Verb(self.cover, {"open": FlagField()}),
            "jam": Verb(self.jam, {"on": FlagField()}),
            "unreadable": Verb(self.unreadable),
        }

    def permit(self, record: Permit, _now: float) -> CommandOutcome:
        """Lets cards leave until the count is `up_to`."""
        if record.up_to > self._memory.cards + MOST_AHEAD:
            return Status.RANGE, f"{record.up_to} is more than {MOST_AHEAD} above {self._memory.cards}"
        self._set_permit(record.up_to)
        return DONE

    def lock(self, _record: Lock, _now: float) -> CommandOutcome:
        """Lets no card leave. One in motion finishes."""
        self._set_permit(0)
        return DONE

    def pull(self, now: float, count: int | None, card: list[str] | None, force: bool) -> None:
        """Draws card number `count` (None: the next). `card`: this card, which somebody has put in front of
        the others. With `force` it leaves a locked shoe."""
        self._check(count)
        permitted = self._up_to > self._memory.cards
        if not permitted and not force:
            raise RequestError(
                f"pull: card {self._memory.cards + 1} is locked; permitted up to {self._up_to}"
            )
        if card is not None:
            self._put_in_front(card[0])
        self._memory.begin_card()
        self._motion = Motion(now + self._tempo.card, permitted)

    def left(self, _now: float, card: list[str]) -> Response:
        """Says how many of this card are left in the shoe."""
        return {"left": self._left.count(card[0])}

    def load(self, now: float, cards: list[str], behind_cut: int, decks: int | None) -> None:
        """Takes out what is in the shoe and puts these cards in."""
        if self._motion is not None:
            raise RequestError("load: a card is on its way out; wait for it")
        self._fill(Pack(cards, behind_cut, decks or max(1, round(len(cards) / 52))), now)

    def cover(self, now: float, **lid: bool) -> None:
        self._state.put(**lid)
        self._report(now)
        self.outlet.say("cover", **lid)

    def jam(self, now: float, on: bool) -> None:
        """A card gets stuck, in motion or not, or is freed."""
        self._state.put(jam=on)
        if self._motion is not None and not on:
            self._motion.until = now + self._tempo.card
        self._report(now)
        self.outlet.say("jam", on=on)

    def unreadable(self, _now: float) -> None:
        """The next card cannot be read."""
        self._unreadable = True

    @property
    def mode(self) -> Mode:
        if self._flag("jam") or self._flag("open"):
            return Mode.FAULT
        return Mode.BUSY if self._motion else Mode.READY

    @property
    def deadline(self) -> float:
        """When the card in motion is out."""
        return NEVER if self._motion is None or self._flag("jam") else self._motion.until

    def tick(self, now: float) -> None:
        """The card in motion leaves."""
        if now >= self.deadline and self._motion is not None:
            motion, self._motion = self._motion, None
            self._arrive(motion.permitted, now)

    def boot(self, now: float) -> None:
        """Fills the shoe, or logs the card that left unseen when the power went. Reports what changed
        without power."""
        self._powered = True
        if self._state.untouched:
            self._fill(self._pack, now)
        elif self._log.last == self._memory.cards - 1:
            self._log.write(self._memory.cards, self._out[-1], now)
            self.outlet.say("interrupted", count=self._memory.cards, card=self._out[-1])
            self._record_end(self._memory.cards, now)
        if self._flag("open"):
            self._state.put(reported={**self._state.get("reported", {}), "open": False})
        self._report(now)

    def power_off(self, now: float) -> None:
        """The card in motion leaves unseen. The memory has a note of it."""
        self._motion = None
        self._powered = False
        super().power_off(now)

    def on_safe(self) -> None:
        """Locks the shoe. The card in motion finishes."""
        self._set_permit(0)

    def look(self) -> list[dict[str, Any]]:
        first = self._memory.cards - len(self._out) + 1
        out = list(enumerate(self._out, start=first))[-VISIBLE_CARDS:]
        shoe = {"notice": "shoe", "count": self._memory.cards, "out": out, "left": len(self._left)}
        return [
            *super().look(),
            shoe,
            {"notice": "permit", "up_to": self._up_to},
            {"notice": "cover", "open": self._flag("open")},
            {"notice": "jam", "on": self._flag("jam")},
        ]

    def forget(self) -> None:
        """The memory was formatted: its count starts again, but the cards stay."""
        loads = self._state.get("reported", {}).get("loads", 0)
        self._state.put(before=-len(self._out), reported={"loads": loads})

    @property
    def _cards_gone(self) -> int:
        before: int = self._state.get("before", 0)
        return self._memory.cards - before

    @property
    def _left(self) -> Sequence[str]:
        return self._cards[self._cards_gone :]

    @property
    def _out(self) -> Sequence[str]:
        return self._cards[: self._cards_gone]

    def _flag(self, name: str) -> bool:
        return bool(self._state.get(name, False))

    def _check(self, count: int | None) -> None:
        memory = self._memory
        for wrong, why in (
            (not self._powered, "the shoe has no power"),
            (self._motion is not None, "a card is on its way out"),
            (self._flag("jam"), "a card is stuck"),
            (self._flag("open"), "the cover is open"),
            (not self._left, "the shoe is empty"),
            (memory.full, f"the memory is full: {memory.free} slots are free"),
            (
                count not in (None, memory.cards + 1),
                f"the next card is number {memory.cards + 1}, not {count}",
            ),
        ):
            if wrong:
                raise RequestError(f"pull: {why}")

    def _put_in_front(self, card: str) -> None:
        left = list(self._left)
        if card not in left:
            raise RequestError(f"pull: card = {card!r}: not one of the {len(left)} cards left in the shoe")
        left.remove(card)
        self._cards = [*self._out, card, *left]
        self._state.put(cards=self._cards)

    def _arrive(self, permitted: bool, now: float) -> None:
        card = self._left[0]
        with self._memory.transaction():
            count = self._memory.end_card()
            self.outlet.record(self._card_event(count, card, permitted), now)
            self._record_end(count, now)
        self._log.write(count, card, now)
        self.outlet.say("card", count=count, card=card)
        for notice in self._end_events(count):
            self.outlet.say(notice)

    def _end_events(self, count: int) -> dict[str, EventBody]:
        """What follows card number `count`, by the notice for it: the cut card, the end of the pack."""
        events: dict[str, EventBody] = {}
        if 0 < len(self._left) == self._state.get("behind_cut", 0):
            events["cut"] = CutCard(count)
        if not self._left:
            events["empty"] = Empty()
        return events

    def _record_end(self, count: int, now: float) -> None:
        for event in self._end_events(count).values():
            self.outlet.record(event, now)

    def _card_event(self, count: int, card: str, permitted: bool) -> EventBody:
        unreadable, self._unreadable = self._unreadable, False
        if unreadable:
            return CardUnreadable(count)
        return CardDrawn(count, card) if permitted else CardUnpermitted(count, card)

    def _fill(self, pack: Pack, now: float) -> None:
        self._cards = pack.cards
        self._state.put(
            cards=list(pack.cards),
            before=self._memory.cards,
            behind_cut=pack.behind_cut,
            decks=pack.decks,
            loads=self._conditions["loads"] + 1,
        )
        self._report(now)
        self.outlet.say("loaded", cards=len(pack.cards))

    @property
    def _conditions(self) -> Mapping[str, int]:
        """What the shoe reports when it changes: cover and jam, and how often cards were put in."""
        return {"open": self._flag("open"), "jam": self._flag("jam"), "loads": self._state.get("loads", 0)}

    def _report(self, now: float) -> None:
        """Records each condition that has changed since it was last recorded; without power at the next
        boot. Fresh cards wait until the cover is closed."""
        if not self._powered:
            return
        conditions = dict(self._conditions)
        if self._flag("open"):
            conditions["loads"] = self._state.get("reported", {}).get("loads", 0)
        events: dict[str, EventBody] = {
            "open": Cover(self._flag("open")),
            "jam": ShoeJam(self._flag("jam")),
            "loads": Loaded(self._state.get("decks", self._pack.decks)),
        }
        for name in self._state.unreported(conditions):
            self.outlet.record(events[name], now)
        self._state.put(reported=conditions)

    def _set_permit(self, up_to: int) -> None:
        if up_to != self._up_to:
            self._up_to = up_to
            self.outlet.say("permit", up_to=up_to)

"""The course of play, word by word, with a place for the face-down card."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from controller.table.record.events import (
    DeviceLost,
    DeviceRunning,
    Input,
    LampTest,
    RequestAnswered,
    RequestMade,
    Started,
    Supervisor,
    TestMode,
)
from controller.table.state_machine import begin
from drivers.messages import CardInterrupted, CardUnpermitted, CardUnreadable, CutCard, Empty, EventBody
from tests.fixtures.device_inputs import DEVICES, Script
from tests.fixtures.state_table import StateTable

HOLE = "HOLE"
"""Stands for the face-down card."""
EVERY = {**DEVICES, "shuffler": "SHUFFLER-1", "display": "DISPLAY-1"}


@dataclass(frozen=True, slots=True)
class Said:
    """A person's request over the socket."""

    words: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Restart:
    """The daemon ends and another one recovers; then these devices come back."""

    inputs: tuple[Input, ...]


Act = Input | Said | Restart


@dataclass(frozen=True, slots=True)
class Story:
    """`opening`: what happens before anything is looked at. `acts`: each with its word."""

    started: Started
    opening: tuple[Input, ...]
    acts: tuple[tuple[str, Act], ...]


@dataclass(frozen=True, slots=True)
class Course:
    """One play in words; `holes`: cards that nobody may tell apart."""

    game: str
    words: str
    holes: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)


def story(course: Course, hole: str) -> Story:
    """The course with this card."""
    script = Script(course.game, options={"burn_cards": 0, **course.options}, devices=dict(EVERY))
    begun = opening(script)
    teller = _Teller(script)
    words = course.words.replace(HOLE, hole).split()
    plain = course.words.split()
    acts = tuple((word, teller.act(each)) for word, each in zip(plain, words, strict=True))
    return Story(replace(script.started(), table="Table 7", claims=True), begun, acts)


def opening(script: Script) -> tuple[Input, ...]:
    """All devices come for the first time, and the shoe is full."""
    decks = begin(script.started()).game.options.decks
    return (*list(script.opening())[1:], script.loaded(decks))


class _Teller:
    """Makes acts of words: those of a state table, and DOING=WHAT for mishaps."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._told = StateTable.of(begin(script.started()), script)
        self._doings: Mapping[str, Callable[[str], Act]] = {
            "unreadable": lambda _: self._odd_card(CardUnreadable),
            "interrupted": lambda _: self._odd_card(CardInterrupted),
            "unpermitted": lambda card: self._odd_card(CardUnpermitted, card),
            "cut": lambda _: script.event("shoe", CutCard(script.cards)),
            "loaded": lambda decks: script.loaded(int(decks)),
            "empty": lambda _: script.event("shoe", Empty()),
            "lost": lambda device: DeviceLost(device, "it is gone"),
            "up": script.up,
            "back": DeviceRunning,
            "say": self._say,
            "correct": self._correct,
            "assign": self._assign,
            "undo": lambda _: Said({"choice": "undo", "who": "Ann", "why": "mistaken"}),
            "ask": self._ask,
            "ask-to-assign": self._ask_to_assign,
            "grant": lambda number: RequestAnswered(int(number), grant=True, who="Ann", role="supervisor"),
            "test": lambda on: TestMode(on == "on", "Tim", "seat 3 is dark"),
            "lamps": lambda pattern: LampTest(pattern, "Tim", "seen"),
            "restart": lambda _: Restart(tuple(self._come_back())),
        }

    def act(self, word: str) -> Act:
        """The acts of one word of a course."""
        doing, _, what = word.partition("=")
        if doing in self._doings:
            return self._doings[doing](what)
        return self._told.event(word)

    def _odd_card(self, kind: Callable[..., EventBody], *card: str) -> Input:
        self._script.cards += 1
        return self._script.event("shoe", kind(self._script.cards, *card))

    def _say(self, what: str) -> Said:
        """ "card,9h": a choice, and a card's name."""
        choice, _, card = what.partition(",")
        more = {"void": {"second": "Bob"}, "card": {"card": card} if card else {}}.get(choice, {})
        return Said({"choice": choice, "who": "Ann", "why": "seen by eye", **more})

    def _correct(self, what: str) -> Said:
        """ "1,2,9h,8h": a seat, the place of a card in its first hand, what was read, and what it is."""
        seat, number, old, card = what.split(",")
        about = {"seat": int(seat), "hand": 1, "number": int(number), "old": old, "card": card}
        return Said({"choice": "correct", "who": "Ann", "why": "seen by eye", "second": "Bob", **about})

    def _ask(self, about: str) -> Input:
        """A dealer makes a request."""
        choice: Literal["void", "undo"] = "void" if about == "void" else "undo"
        return RequestMade(choice, "Dee", "dealer", "mistaken", Supervisor(choice, "Dee", "mistaken", None))

    def _ask_to_assign(self, what: str) -> Input:
        """ "0,2s": a supervisor asks another for an assignment."""
        seat, card = what.split(",")
        word = Supervisor("assign", "Sue", "seen by eye", card, seat=int(seat))
        return RequestMade("assign", "Sue", "supervisor", "seen by eye", word)

    def _assign(self, what: str) -> Said:
        """ "1,2s": the waiting card goes to a seat's first hand; one that comes late has a name."""
        seat, _, card = what.partition(",")
        about = {"seat": int(seat), "hand": 1, "card": card or None}
        return Said({"choice": "assign", "who": "Ann", "why": "seen by eye", "second": "Bob", **about})

    def _come_back(self) -> Iterator[Input]:
        for device in EVERY:
            yield self._script.up(device)
            yield DeviceRunning(device)

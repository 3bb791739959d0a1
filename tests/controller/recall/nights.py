"""Journals of several files: a crew plays by chance, dealers change, rounds are voided and put right."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from controller.journal.chain import Entry, Row
from controller.table.decisions import foresee
from controller.table.errors import NotAllowed
from controller.table.events import DealerOn, Input, Supervisor
from controller.table.notes import ClockStepped, Note
from controller.table.rows import opening_row, row
from tests.controller.journal.history import build
from tests.controller.round.chance import Chance
from tests.controller.table.test_written import Crewed
from tests.controller.verify.played import Kept

GAME = "blackjack-x"
DEALERS = ("Dana Moreau", "Jo Okafor", "")
FLOOR = ("A. Smith", "Zoë Lindqvist")
FULL = 60
"""Decks are eight: a new shoe before they are through."""
DAY = 86_400.0


class Night(Kept, Crewed):
    """A crew, and a floor that sometimes has a word."""

    def __init__(self, game: str, seed: int) -> None:
        self.chance, self.out = Random(seed), Counter[str]()
        self.crew = Chance(game, seed, seats=7)
        Kept.__init__(self, game, **self.crew.options)

    def tell(self, *events: Input) -> list[Note]:
        self.at += 20
        return super().tell(*events)

    def note(self, note: Note) -> None:
        """The table keeps it."""
        self.rows.append(row(self.at, note))

    def play_round(self) -> None:
        if sum(self.out.values()) > FULL:
            self.out.clear()
            self.tell(self.script.loaded(self.state.game.options.decks))
        if self.chance.random() < 0.2:
            self.tell(DealerOn(self.chance.choice(DEALERS)))
        self.clear()
        if self.chance.random() < 0.1:
            self._void()
        else:
            self.round_by_chance()
        self.pay_claims()
        if self.chance.random() < 0.3:
            self._put_right()

    def _void(self) -> None:
        self.crew.round = self.state.round
        self.tell(*map(self.reported, self.crew.wagers()), self.script.key("close"))
        self.tell(Supervisor("void", "A. Smith", "cards were dropped", None, "Zoë Lindqvist"))
        self.tell(self.script.key("pay"))

    def _put_right(self) -> None:
        """One of the last rounds had another card, if that is possible."""
        shown = self.chance.choice(list(self.state.ended)[:6]).round
        if shown.outcome == "void" or not shown.seats:
            return
        hand = next(hand for seat in shown.seats for hand in seat.hands)
        seat = next(seat.seat for seat in shown.seats if seat.hands)
        said = Supervisor(
            "correct", self.chance.choice(FLOOR), "seen on film", "9s", "B. Okafor", seat=seat, number=1,
            old=hand.cards[0], round=shown.number,
        )  # fmt: skip
        with suppress(NotAllowed):
            self.tell(replace(said, token=foresee(self.state, said).token))


def night(game: str, seed: int, files: tuple[int, ...]) -> list[list[Row]]:
    """The rows of each file, which holds so many rounds; one after the first begins with a snapshot."""
    at, parts = Night(game, seed), list[list[Row]]()
    for number, rounds in enumerate(files):
        if number:
            at.rows = [opening_row(at.at, at.state)]
        for _ in range(rounds):
            at.play_round()
        parts.append(at.rows)
    return parts


def kept(path: Path, seed: int = 1, files: tuple[int, ...] = (12, 9, 7), game: str = GAME) -> list[Entry]:
    """A journal of such a night at this path."""
    return build(path, night(game, seed, files))


def wrong(path: Path) -> tuple[list[Entry], list[Entry]]:
    """In the first of two files the clock was three days behind for some rows; the rounds that it stamped,
    and both rows that say so."""
    first, second = night(GAME, 4, (9, 3))
    ends = [at for at, each in enumerate(first) if each.kind == "round"]
    late = first[ends[2] + 1 : ends[5] + 1]
    turned = [replace(each, at=each.at - 3 * DAY) for each in late]
    steps = row(turned[0].at, ClockStepped(-3 * DAY)), row(late[-1].at, ClockStepped(3 * DAY))
    rest = first[: ends[2] + 1], [steps[0], *turned, steps[1]], first[ends[5] + 1 :]
    entries = build(path, [[each for part in rest for each in part], second])
    rounds = [entry for entry in entries if entry.content.kind == "round"][3:6]
    return rounds, [entry for entry in entries if entry.content.kind == "clock"]

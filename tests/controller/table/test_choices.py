"""What a supervisor may say, in every phase of every game: followed, or refused with nothing changed."""

from collections.abc import Iterator
from functools import cache

import pytest

from controller.games import GAMES
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import CHOICES
from controller.table.record.events import Choice, Supervisor
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply, begin
from drivers.messages import CardUnpermitted, CardUnreadable
from tests.controller.table.correcting.misread import Paused
from tests.controller.table.test_replay import everything
from tests.fixtures.state_table import Told

PHASES = {
    "blackjack-x": "dealing insuring playing drawing paying",
    "easy-jack": "dealing playing drawing paying",
    "ez-bust": "dealing insuring offering playing drawing paying",
    "no-bust-21st-century": "dealing insuring playing drawing paying",
    "pure-21-5": "dealing insuring playing drawing paying",
    "quick-pay": "dealing offering playing drawing paying",
}
SEEDS = 400


class Reached(Paused):
    """A round by chance that stops where it first is in a phase."""

    def __init__(self, game: str, seed: int, phase: str) -> None:
        self.phase = phase
        super().__init__(game, seed)

    def stops(self) -> bool:
        return self.state.round.phase in {self.phase, "paying"}


@cache
def seed(game: str, phase: str) -> int:
    """Of a round that is in this phase once."""
    return next(seed for seed in range(SEEDS) if Reached(game, seed, phase).state.round.phase == phase)


def said(table: Paused) -> Iterator[Supervisor]:
    """Every choice, with all that it may need."""
    chosen = table.misread(1)
    for choice in CHOICES:
        if choice == "correct":
            yield from [chosen] if chosen else []
        elif choice == "assign":
            seats = (0, *table.state.round.seats)
            yield from (Supervisor(choice, "Ann", "seen", "5d", "Bob", seat) for seat in seats)
        else:
            yield Supervisor(choice, "Ann", "seen", "5d", "Bob", device="shoe")


def again(table: Paused) -> TableState:
    """The state that the same inputs give."""
    state = begin(table.script.started())
    for event in table.inputs:
        apply(state, event)
    return state


CASES = [(game, phase) for game in sorted(GAMES) for phase in PHASES[game].split()]


@pytest.mark.parametrize(("game", "phase"), CASES)
@pytest.mark.parametrize("waits", ["", "5d", "unread"])
def test_is_followed_or_changes_nothing(game: str, phase: str, waits: str) -> None:
    table = Reached(game, seed(game, phase), phase)
    if waits:
        table.script.cards += 1
        count = table.script.cards
        table.shoe(CardUnreadable(count) if waits == "unread" else CardUnpermitted(count, waits))
    kept, followed = tuple(table.inputs), set()
    for word in said(table):
        before = everything(table.state)
        try:
            if word.choice in {"assign", "correct"}:
                table.accept(word)
            else:
                table.tell(word)
            followed.add(word.choice)
        except NotAllowed:
            assert everything(table.state) == before
            table.inputs.pop()
        assert table.state.ledger.out == table.state.ledger.fates.total()
        table.inputs = [*kept]
        table.state = again(table)
    assert followed >= {"void", "reload", "entry"}
    assert ("resume" in followed) == (not waits)
    assert ({"burn", "reread"} <= followed) == bool(waits)
    assert ("correct" in followed) == bool(table.visible())


@pytest.mark.parametrize("choice", ["burn", "card", "reread", "void"])
def test_while_cards_are_burned(choice: Choice) -> None:
    told = Told("ez-bust", burn_cards=2)
    told.play("1:main=500 close 2h")
    told.script.cards += 1
    told.shoe(CardUnreadable(2))
    told.say(choice, "5d" if choice == "card" else None)
    told.tell(*([told.script.card("5d")] if choice == "reread" else []))
    assert (told.state.round.phase == "dealing") == (choice in {"card", "reread"})
    assert told.state.ledger.out == told.state.ledger.fates.total() == 2

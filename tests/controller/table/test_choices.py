"""A supervisor's choices in every phase of every game: followed, or refused with nothing changed."""

from collections.abc import Iterator
from functools import cache

import pytest

from controller.games import GAMES
from controller.table.errors import NotAllowed
from controller.table.record.choices import CHOICE_NAMES, ChoiceName
from controller.table.record.events import Supervisor
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply, begin
from drivers.messages import CardUnpermitted, CardUnreadable
from tests.controller.table.correcting.misread import PausedTable
from tests.fixtures.state_table import StateTable, everything

PHASES = {
    "blackjack-x": "dealing insuring playing drawing paying",
    "easy-jack": "dealing playing drawing paying",
    "ez-bust": "dealing insuring offering playing drawing paying",
    "no-bust-21st-century": "dealing insuring playing drawing paying",
    "pure-21-5": "dealing insuring playing drawing paying",
    "quick-pay": "dealing offering playing drawing paying",
}
SEEDS = 400


class Reached(PausedTable):
    """A random round that stops where it first reaches a phase."""

    def __init__(self, game: str, seed: int, phase: str) -> None:
        self.phase = phase
        super().__init__(game, seed)

    def stops(self) -> bool:
        return self.state.round.phase in {self.phase, "paying"}


@cache
def seed(game: str, phase: str) -> int:
    """A seed of a round that reaches this phase."""
    return next(seed for seed in range(SEEDS) if Reached(game, seed, phase).state.round.phase == phase)


def said(table: PausedTable) -> Iterator[Supervisor]:
    """Every choice with all fields that it may need."""
    chosen = table.misread(1)
    for choice in CHOICE_NAMES:
        if choice == "correct":
            yield from [chosen] if chosen else []
        elif choice == "assign":
            seats = (0, *table.state.round.seats)
            yield from (Supervisor(choice, "Ann", "seen", "5d", "Bob", seat) for seat in seats)
        else:
            yield Supervisor(choice, "Ann", "seen", "5d", "Bob", device="shoe")


def again(table: PausedTable) -> TableState:
    """The state that the same inputs give."""
    state = begin(table.script.started())
    for event in table.inputs:
        apply(state, event)
    return state


CASES = [(game, phase) for game in sorted(GAMES) for phase in PHASES[game].split()]


@pytest.mark.parametrize(("game", "phase"), CASES)
@pytest.mark.parametrize("waits", ["", "5d", "unread"])
def test_a_choice_is_followed_or_changes_nothing(game: str, phase: str, waits: str) -> None:
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
                table.apply(word)
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
def test_a_choice_about_a_burned_card_is_followed(choice: ChoiceName) -> None:
    table = StateTable("ez-bust", burn_cards=2)
    table.play("1:main=500 close 2h")
    table.script.cards += 1
    table.shoe(CardUnreadable(2))
    table.apply_choice(choice, "5d" if choice == "card" else None)
    table.apply(*([table.script.card("5d")] if choice == "reread" else []))
    assert (table.state.round.phase == "dealing") == (choice in {"card", "reread"})
    assert table.state.ledger.out == table.state.ledger.fates.total() == 2

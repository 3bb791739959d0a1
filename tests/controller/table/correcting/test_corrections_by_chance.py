"""Misread cards in random rounds of every game: corrected, a round is what it would have been."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.round import CardOut
from controller.round.replay import CardPosition
from controller.table.people.corrections.replay import with_other_card
from controller.table.record.notes import RoundCorrected
from controller.table.view.round_view import lines
from tests.controller.table.correcting.misread import PausedTable, essence, same
from tests.fixtures.state_table import of_kind

SEEDS = st.integers(0, 2**32 - 1)
STOPS = st.integers(0, 30)
games = pytest.mark.parametrize("game", sorted(GAMES))


@games
@settings(max_examples=15)
@given(SEEDS, STOPS)
def test_the_same_card_changes_nothing(game: str, seed: int, stops: int) -> None:
    table = PausedTable(game, seed, stops)
    begun, events = table.state.round.fresh(), tuple(table.state.round_log.events)
    for at in table.visible().values():
        event = events[at]
        assert isinstance(event, CardOut)
        remade = with_other_card(begun, events, at, event.card)
        assert remade.new.refused == ()
        assert remade.old.positions == remade.new.positions
        assert same(remade.new.round, table.state.round)


@games
@settings(max_examples=30)
@given(SEEDS, STOPS)
def test_a_corrected_round_is_as_if_the_right_card_had_been_read(game: str, seed: int, stops: int) -> None:
    """As far as everything that came later stays legal."""
    table = PausedTable(game, seed, stops)
    said = table.misread(seed)
    assume(said is not None)
    assert said is not None
    right = table.with_card(said)
    assume(right is not None)
    assert right is not None
    (note,) = of_kind(RoundCorrected, table.accept(said))
    assert isinstance(note, RoundCorrected)
    assert note.after == lines(right.state.round)
    assert essence(table.state) == essence(right.state)


@games
@settings(max_examples=30)
@given(SEEDS, STOPS)
def test_a_correction_taken_back_restores_the_round(game: str, seed: int, stops: int) -> None:
    """What was dropped counts again."""
    table = PausedTable(game, seed, stops)
    said = table.misread(seed)
    assume(said is not None)
    assert said is not None
    at = table.visible()[CardPosition(said.seat, said.hand, said.number)]
    cards, before = table.state.ledger.out, essence(table.state)
    table.accept(said)
    assert table.state.ledger.out == cards == table.state.ledger.fates.total()
    lies = {place: laid for laid, place in table.visible().items()}
    assume(at in lies)  # else it is face down again
    back = replace(said, card=said.old, old=said.card or "")
    there = lies[at]
    table.accept(replace(back, seat=there.seat, hand=there.hand, number=there.card))
    assert essence(table.state) == before

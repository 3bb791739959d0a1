"""The dealer's last key is taken back: what the preview says, what is refused, and what is kept."""

from pathlib import Path

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.consequences import check_token, consequences
from controller.table.record.events import Supervisor
from controller.table.record.notes import Alert, KeyUndone, Note, Revealed
from controller.table.record.preview import Preview
from tests.fixtures.jackpot_table import PAID
from tests.fixtures.journal_table import RecordedTable
from tests.fixtures.state_table import StateTable, everything, of_kind

UNDO = Supervisor("undo", "Ann", "pressed by mistake", None)
IN = "1:main=500 2:main=500 close"
PAIR = f"{IN} 8h 7d 9c 8s Tc 9d"
"""In EZ Bust: seat 1 has a pair of eights, seat 2 has 17, the dealer shows a nine."""


def table_after(tokens: str, game: str = "ez-bust", **options: object) -> StateTable:
    table = StateTable(game, **options)
    table.play(tokens)
    return table


def foreseen(table: StateTable) -> Preview:
    return consequences(table.state, UNDO)


def undo(table: StateTable) -> list[Note]:
    return table.apply(Supervisor("undo", "Ann", "pressed by mistake", None, token=foreseen(table).token))


class TestTells:
    def test_the_preview_names_the_seat_that_plays_on(self) -> None:
        table = table_after(f"{PAIR} 1:stand")
        seen = foreseen(table)
        assert seen.sentences[:2] == ("Stand of seat 1 is taken back", "Seat 1 plays on")
        assert seen.sentences[-1].startswith("Then: Seat 1 has 16")

    def test_the_preview_says_which_wager_is_given_back(self) -> None:
        table = table_after(f"{PAIR} 1:split")
        seen = foreseen(table)
        assert "Seat 1: 5.00 of main is given back" in seen.sentences
        assert any(change.about == "Seat 1, hand 2" and not change.after for change in seen.changes)

    def test_the_preview_says_that_players_saw_the_turned_card(self) -> None:
        table = table_after("1:main=500 close 8h 9c 9d Kc 1:stand")
        assert any("players have seen it" in sentence for sentence in foreseen(table).sentences)

    def test_the_preview_says_that_players_know_the_result_of_the_peek(self) -> None:
        table = table_after("1:main=500 close 8h Ac 8d 9c close", insurance=True)
        assert table.state.round.phase != "insuring"
        assert any("players know the answer" in sentence for sentence in foreseen(table).sentences)

    def test_the_preview_says_that_betting_is_open_again(self) -> None:
        table = table_after(IN, "easy-jack")
        assert foreseen(table).sentences == ("Close is taken back", "Betting is open again")
        undo(table)
        assert table.state.round.phase == "betting"
        table.play("3:main=500 close")
        assert [*table.state.round.seats] == [1, 2, 3]

    def test_the_preview_says_what_a_paid_seat_gives_back(self) -> None:
        table = table_after(f"{PAIR} 1:stand 2:stand 1:pay")
        before = table.state.round.unpaid
        assert before == (2,)
        notes = undo(table)
        assert table.state.round.unpaid == (1, 2)
        assert any("Seat 1 was paid" in note.text for note in notes if isinstance(note, Alert))


class TestIsRefused:
    def test_before_any_key(self) -> None:
        with pytest.raises(NotAllowed, match="no key of round 1 was pressed yet"):
            foreseen(table_after("1:main=500"))

    def test_once_a_card_has_come(self) -> None:
        with pytest.raises(NotAllowed, match="a card came after the last key"):
            foreseen(table_after(f"{PAIR} 1:hit 2c"))

    def test_while_a_card_waits(self) -> None:
        table = table_after(f"{PAIR} 1:stand 2:stand")
        table.play("4c 5c 6c")
        with pytest.raises(NotAllowed, match="card 7 has come since the last key"):
            foreseen(table)

    def test_once_the_round_has_ended(self) -> None:
        table = table_after(f"{PAIR} 1:stand 2:stand pay")
        with pytest.raises(NotAllowed, match="no key of round 2 was pressed yet"):
            foreseen(table)

    def test_where_wagers_have_fed_a_jackpot(self) -> None:
        table = table_after("1:main=500 1:blazing-7s=100 close", "blackjack-x")
        with pytest.raises(NotAllowed, match="the jackpot of blazing-7s was fed when betting closed"):
            foreseen(table)

    def test_once_a_jackpot_of_the_round_is_paid(self) -> None:
        table = table_after("1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand", "blackjack-x")
        assert foreseen(table)
        table.apply(*PAID)
        with pytest.raises(NotAllowed, match="claim 1 of this round is paid"):
            foreseen(table)

    def test_with_another_token_than_that_of_the_preview(self) -> None:
        table = table_after(f"{PAIR} 1:stand")
        stale = foreseen(table).token
        table.play("2:stand")
        for token, why in (("", "its token is missing"), (stale, "what it does has changed meanwhile")):
            with pytest.raises(NotAllowed, match=why):
                check_token(table.state, Supervisor("undo", "Ann", "seen", None, token=token))


def test_a_key_taken_back_is_recorded_with_its_preview() -> None:
    table = table_after(f"{PAIR} 1:stand")
    seen = foreseen(table).sentences
    (note,) = of_kind(KeyUndone, undo(table))
    assert note == KeyUndone(1, "stand", 1, None, "Ann", "", "pressed by mistake", seen)


def test_a_turned_card_counts_as_face_down_until_it_is_turned_again() -> None:
    table = table_after("1:main=500 close 8h 9c Td Kc close")
    seen = dict(table.state.ledger.seen)
    assert of_kind(Revealed, table.play("1:stand"))
    assert table.state.ledger.seen["Kc"] == 1
    undo(table)
    assert {card: count for card, count in table.state.ledger.seen.items() if count} == seen
    assert of_kind(Revealed, table.play("1:stand"))
    assert (table.state.ledger.seen["Kc"], table.state.ledger.unseen) == (1, 0)


def test_a_restart_keeps_the_key_taken_back(tmp_path: Path) -> None:
    table = RecordedTable(f"{PAIR} 1:stand")
    undo(table)
    table.play("1:hit 2c")
    assert everything(table.recovered(tmp_path / "journal")) == everything(table.state)

"""Misread cards: what the preview shows, what a correction does, and what is refused."""

from collections import Counter
from dataclasses import replace

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.consequences import check_token, consequences
from controller.table.record.codec import to_row
from controller.table.record.events import ClaimStep, Supervisor
from controller.table.record.notes import Alert, Note, Peeked, RoundCorrected, RoundEnded
from controller.table.record.preview import Change, Preview
from controller.table.view.build import build_view
from tests.fixtures.state_table import StateTable, of_kind

DEALT = "1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c Qh"


def table_after(tokens: str, game: str = "ez-bust", **options: object) -> StateTable:
    table = StateTable(game, **options)
    table.play(tokens)
    return table


def word(where: str, old: str, new: str, number: int = 0, second: str = "") -> Supervisor:
    """Card 3 of hand 1 of seat 2 is "2/1/3"; the dealer sits at 0."""
    seat, hand, card = map(int, where.split("/"))
    return Supervisor("correct", "Ann", "seen", new, second, seat, hand, card, old, number)


def foreseen(table: StateTable, said: Supervisor) -> Preview:
    return consequences(table.state, said)


def accept(table: StateTable, said: Supervisor) -> list[Note]:
    return table.apply(replace(said, token=foreseen(table, said).token))


class TestPreview:
    def test_tells_what_moves_what_falls_away_and_what_is_due(self) -> None:
        table = table_after(f"{DEALT} 2:ez-bust=300 1:hit 5c 2:stand 7h 1:pay")
        seen = foreseen(table, word("1/1/3", "5c", "4c"))
        assert seen.sentences == (
            "Card 4c of seat 1 was read as 5c",
            "Card 8 (7h) goes from the dealer to seat 1",
            "stand of seat 2 falls away",
            "Seat 1 was paid: it gives back 10.00; it is settled anew",
            "Then: Seat 2 has 17: hit, stand, double or surrender",
        )
        assert seen.changes == (
            Change("Seat 1, hand 1", "8h 8s 5c: 21", "8h 8s 4c 7h: 27, bust"),
            Change("Seat 2, hand 1", "9c 8c: 17, stands", "9c 8c: 17"),
            Change("Dealer", "6d Qh 7h: 23, bust", "6d ??"),
            Change("Seat 1, hand 1, main", "win 1:1, net 10.00: dealer busts with 23", ""),
            Change("Seat 2, hand 1, main", "win 1:1, net 10.00: dealer busts with 23", ""),
            Change("Seat 2, hand 1, ez-bust", "win 1:1, net 3.00: dealer busts", ""),
        )

    def test_names_a_window_that_never_opened_and_a_card_without_a_place(self) -> None:
        table = table_after(f"{DEALT} 2:ez-bust=300 1:hit 5c")
        assert foreseen(table, word("0/1/1", "6d", "Ad")).sentences == (
            "Card Ad of the dealer was read as 6d",
            "Card 7 (5c) has no place any more: it is burned",
            "hit of seat 1 falls away",
            "Seat 2: 3.00 of ez-bust is given back",
            "Then: Insurance: seats 1-2. Close when done",
        )

    def test_tells_what_a_double_and_a_split_leave(self) -> None:
        table = table_after(f"{DEALT} 1:split 3d 1:double=500 Kd 1:stand")
        assert "Seat 1: 15.00 of main is given back" in foreseen(table, word("1/1/1", "8h", "7h")).sentences

    def test_changes_nothing(self) -> None:
        table = table_after(f"{DEALT} 1:hit 5c")
        before = build_view("T", table.state, ())
        foreseen(table, word("1/1/1", "8h", "7h"))
        assert build_view("T", table.state, ()) == before


class TestAccepted:
    def test_play_goes_on_from_there(self) -> None:
        table = table_after(f"{DEALT} 1:hit 5c")
        notes = accept(table, word("1/1/1", "8h", "7h"))
        assert table.prompt == "Seat 1 has 20: hit or stand"
        assert table.state.ledger.seen == Counter(["7h", "9c", "6d", "8s", "8c", "5c"])
        (note,) = of_kind(RoundCorrected, notes)
        assert isinstance(note, RoundCorrected)
        assert (note.number, note.old, note.new, note.who) == (1, "8h", "7h", "Ann")
        assert Alert("Round 1 is corrected: card 7h of seat 1 was read as 8h") in notes
        to_row(0.0, note)

    def test_the_round_says_so_for_ever(self) -> None:
        table = table_after(f"{DEALT} 1:hit 5c")
        accept(table, word("1/1/1", "8h", "7h"))
        table.play("1:stand 2:stand 7h pay")
        assert table.state.ended_views[0].corrections == ("card 7h of seat 1 was read as 8h",)

    def test_lines_before_and_after_are_kept(self) -> None:
        table = table_after(f"{DEALT} 1:stand 2:stand 7h 1:pay")
        notes = accept(table, word("0/1/3", "7h", "2h"))
        (note,) = of_kind(RoundCorrected, notes)
        assert isinstance(note, RoundCorrected)
        assert [line.outcome for line in note.before] == ["win", "win"]
        assert [line.outcome for line in note.after] == ["lose", "lose"]
        assert Alert("Seat 1 was paid: it gives back 20.00") in notes
        assert table.prompt == "Pay seat 2"
        (ended,) = of_kind(RoundEnded, table.play("pay"))
        assert isinstance(ended, RoundEnded)
        assert [line.paid for line in ended.round.lines] == [-1000, -1000]

    def test_a_face_down_card_that_was_turned_counts_as_unseen_until_it_is_again(self) -> None:
        table = table_after(f"{DEALT} 1:hit 5c 2:stand 7h")
        assert table.state.ledger.unseen == 0
        accept(table, word("1/1/3", "5c", "4c"))
        assert (table.state.ledger.seen["Qh"], table.state.ledger.unseen) == (0, 1)
        table.play("2:stand")
        assert (table.state.ledger.seen["Qh"], table.state.ledger.unseen) == (1, 0)


class TestSecret:
    """The hole card of these rounds is Qh, and it was not turned."""

    def test_a_look_that_was_not_taken_is_told_only_when_it_is(self) -> None:
        previews = [
            foreseen(table_after(f"1:main=1000 close 8h 6d 8s {hole} 1:stand".replace(" 1:stand", "")), said)
            for hole in ("Qh", "5h")
            for said in (word("0/1/1", "6d", "Ad"),)
        ]
        assert previews[0] == previews[1]

    def test_a_natural_shows_only_when_it_is_accepted(self) -> None:
        table = table_after("1:main=1000 close 8h 6d 8s Qh", insurance=False)
        said = word("0/1/1", "6d", "Ad")
        seen = foreseen(table, said)
        assert seen.changes == (Change("Dealer", "6d ??", "Ad ??"),)
        assert seen.sentences[-1].startswith("What follows depends on the face-down card")
        assert Peeked(natural=True) in accept(table, said)
        assert table.prompt == "Pay seat 1"

    def test_what_the_dealer_turns_then_is_not_told_before(self) -> None:
        seen = {
            foreseen(table_after(f"1:main=1000 close 8h 6d 8s {hole} 1:hit 4c"), word("1/1/3", "4c", "9c"))
            for hole in ("Qh", "5h", "6s")
        }
        (one,) = seen
        assert "Seat 1, hand 1" in {change.about for change in one.changes}

    def test_the_hole_card_is_put_right_once_it_is_turned(self) -> None:
        table = table_after(DEALT)
        with pytest.raises(NotAllowed, match="lies face down"):
            foreseen(table, word("0/1/2", "Qh", "Kh"))
        table.play("1:stand 2:stand 7h")
        accept(table, word("0/1/2", "Qh", "5h"))
        assert table.prompt == "Pay seat 1, then seat 2"
        assert table.state.round.dealer.total == 18


class TestRefused:
    @pytest.mark.parametrize(
        ("where", "old", "new", "why"),
        [
            ("1/1/1", "8d", "7h", "that card was read as 8h, not as 8d"),
            ("1/1/1", "8h", "8h", "there is nothing to put right"),
            ("1/1/4", "8h", "7h", "there is no card 4 of seat 1; it has 2"),
            ("1/2/1", "8h", "7h", "there is no card 1 of hand 2 of seat 1; it has none"),
            ("3/1/1", "8h", "7h", "there is no card 1 of seat 3; it has none"),
            ("1/1/1", "8h", "Ts", "it cannot be that card: Card Ts has come 7 times; 6 decks hold 6."),
        ],
    )
    def test_a_refused_correction_says_why(self, where: str, old: str, new: str, why: str) -> None:
        table = table_after(DEALT)
        table.state.ledger.seen["Ts"] = 6
        with pytest.raises(NotAllowed, match=why):
            foreseen(table, word(where, old, new))

    def test_without_the_token_of_what_was_shown(self) -> None:
        table, said = table_after(DEALT), word("1/1/1", "8h", "7h")
        with pytest.raises(NotAllowed, match="its token is missing"):
            check_token(table.state, said)
        token = foreseen(table, said).token
        table.play("1:stand")
        with pytest.raises(NotAllowed, match="what it does has changed meanwhile"):
            check_token(table.state, replace(said, token=token))
        with pytest.raises(NotAllowed, match="what it does has changed meanwhile"):
            check_token(table.state, replace(word("1/1/1", "8h", "6h"), token=foreseen(table, said).token))
        assert table.state.round.seats[1].hands[0].cards == ("8h", "8s")

    def test_a_correction_without_a_round_is_refused(self) -> None:
        with pytest.raises(NotAllowed, match="no round is in play"):
            foreseen(StateTable("ez-bust"), word("1/1/1", "8h", "7h"))


class TestJackpot:
    SUITED = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c"

    def test_shares_that_change_need_another_person(self) -> None:
        table = table_after(self.SUITED, "blackjack-x")
        assert [claim.cents for claim in table.state.register.open] == [
            table.state.meters["blazing-7s"].cents // 9
        ]
        said = word("1/1/2", "7h", "8h")
        seen = foreseen(table, said)
        assert seen.by_two, seen
        with pytest.raises(NotAllowed, match="another person than Ann"):
            table.apply(replace(said, token=seen.token))
        accept(table, replace(said, second="Bob"))
        assert not table.state.register.open
        assert table.state.meters["blazing-7s"].cents == 1_000_015

    def test_a_claim_that_is_verified_holds_its_round(self) -> None:
        table = table_after(self.SUITED, "blackjack-x")
        table.apply(ClaimStep(1, "confirm", "Ann", "seen"), ClaimStep(1, "verify", "Bob", "seen"))
        said = word("1/1/2", "7h", "8h", second="Bob")
        with pytest.raises(NotAllowed, match="claim 1 of this round is verified"):
            foreseen(table, said)
        assert table.state.round.seats[1].hands[0].cards == ("7h", "7h")

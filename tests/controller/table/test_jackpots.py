"""The meters advance when wagers are latched, pay shares, and go back when a round is voided."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from controller.jackpot import Meter, Parameters, Register, Unbalanced
from controller.journal.journal import Journal
from controller.table.record.events import Started
from controller.table.record.notes import Alert, ClaimMoved, MeterMoved, RoundEnded
from controller.table.record.rules import Progressive
from controller.table.record.views import JackpotView
from controller.table.recovery import recover
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.state_machine import begin
from controller.table.view.build import build_view
from drivers.messages import Wager
from drivers.protocol.codes import LevelState
from tests.fixtures.device_inputs import Script
from tests.fixtures.jackpot_table import IN, LOSES, SEED, SPOT, VOID, moved, shown, table, with_jackpot
from tests.fixtures.loop_table import loop_table
from tests.fixtures.state_table import StateTable, of_kind


def test_a_new_jackpot_shows_its_seed() -> None:
    assert shown(table()) == SEED
    assert not StateTable("easy-jack").state.meters


class TestAdvance:
    def test_by_each_wager_when_betting_closes_before_the_round_is_told(self) -> None:
        state_table = table()
        notes = state_table.play(IN)
        assert moved(notes) == [("contribution", SEED, SEED + 30)]
        assert state_table.state.round.unknown_jackpots == ()
        assert state_table.state.script_writer.meters == {SPOT: SEED + 30}
        assert state_table.state.round.cards_due == 6

    def test_a_meter_does_not_advance_before_betting_closes(self) -> None:
        state_table = table()
        state_table.play("1:main=500 1:blazing-7s=100 1:blazing-7s= 1:blazing-7s=100")
        assert shown(state_table) == SEED

    def test_a_meter_does_not_advance_without_a_wager(self) -> None:
        state_table = table()
        assert moved(state_table.play("1:main=500 close")) == []

    def test_by_the_stake_where_the_sensor_cannot_value_it(self) -> None:
        state_table = table(stake=300)
        state_table.apply(
            state_table.script.bet(1), state_table.script.event("sensors", Wager(1, 2, True, 0))
        )
        assert moved(state_table.play("close")) == [("contribution", SEED, SEED + 45)]

    def test_and_keeps_what_is_less_than_a_cent(self) -> None:
        table = with_jackpot(Progressive(1000, "0.25%", "0%"))
        for _ in range(4):
            table.play(f"{IN.replace('2:blazing-7s=100 ', '')} {LOSES} 1:stand 2:stand 9d pay")
        assert shown(table) == 1001


class TestShares:
    def test_are_locked_when_the_cards_first_dealt_are_out(self) -> None:
        state_table = table()
        assert of_kind(ClaimMoved, state_table.play(f"{IN} 7h 9c 7h 7h")) == []
        notes = state_table.play("8c")
        share = (SEED + 30) // 10
        assert moved(notes) == [("lock", SEED + 30, SEED + 30 - share)]
        assert shown(state_table) == SEED + 30 - share
        claim = state_table.state.register.by_number(1)
        assert (claim.number, claim.round, claim.seat, claim.cents) == (1, 1, 1, share)
        assert (claim.cards, claim.share) == (("7h", "7h", "7h"), "10%")
        assert (claim.shown, claim.base, claim.state) == (SEED + 30, SEED + 30 - share, "pending")
        assert claim.hit == "three suited 7s: 10% of the jackpot"

    def test_do_not_wait_for_the_card_that_lies_face_down(self) -> None:
        state_table = table(dealer_first_card="hole")
        state_table.play(f"{IN} 7h 9c Th 7h 8c")
        assert not state_table.state.register.open
        state_table.play("7h")
        assert [claim.cards for claim in state_table.state.register.open] == [("7h", "7h", "7h")]

    def test_are_settled_as_they_are_locked_and_taken_once(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand")
        notes = state_table.play("2:stand")
        assert moved(notes) == []
        line = next(line for line in state_table.state.round.settlements if line.pays == "10%")
        assert (line.seat, line.paid) == (1, (SEED + 30) // 10 - 100)

    def test_of_all_of_it_reseed_and_the_next_share_is_of_the_configured_reset(self) -> None:
        table = with_jackpot(Progressive(50_000, "15%", "5%", reset=60_000))
        notes = table.play(f"{IN} 7d 7d 7d 7d 7d 2h")
        assert moved(notes)[1:] == [
            ("lock", 50_030, 0),
            ("seed", 0, 60_000),
            ("lock", 60_000, 0),
            ("seed", 0, 60_000),
        ]
        claims = table.state.register.open
        assert [(claim.seat, claim.cents, claim.base) for claim in claims] == [
            (2, 50_030, 60_000),
            (1, 60_000, 60_000),
        ]
        table.play("1:stand 2:stand Kd")
        shares = [(line.seat, line.paid) for line in table.state.round.settlements if line.pays == "100%"]
        assert shares == [(2, 49_930), (1, 59_900)]

    def test_of_all_of_it_let_the_overflow_in_after_the_last_one(self) -> None:
        table = with_jackpot(Progressive(5_000, "50%", "0%", limit=5_060))
        table.play(f"{IN} 7d 7d 7d 7d 7d 2h")
        assert [claim.cents for claim in table.state.register.open] == [5_060, 5_000]
        assert shown(table) == 5_040
        table.play("1:stand 2:stand Kd pay")

    def test_that_the_chip_rounds_leave_the_rest(self) -> None:
        state_table = table(chip=100)
        notes = state_table.play(f"{IN} 7h 9c 7h 7h 8c Th")
        assert moved(notes)[-1] == ("lock", SEED + 30, SEED + 30 - 100_000)

    def test_that_round_to_nothing_are_claimed_by_nobody(self) -> None:
        table = with_jackpot(Progressive(9, "0%", "0%"))
        table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        assert not table.state.register.open
        assert shown(table) == 9

    def test_come_with_an_alert_and_both_notes_hold_the_books(self) -> None:
        state_table = table()
        notes = state_table.play(f"{IN} 7h 9c 7h 7h 8c Th")
        assert Alert("Jackpot: seat 1, three suited 7s: 10% of the jackpot: 1000.03 locked, claim 1") in notes
        books = [note.books for note in notes if isinstance(note, MeterMoved)]
        assert books[-1] == state_table.state.meters[SPOT].books
        assert [note.claim for note in notes if isinstance(note, ClaimMoved)] == [
            *state_table.state.register.open
        ]

    def test_that_are_settled_otherwise_than_locked_are_a_fault_of_ours(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand")
        state_table.state.register = Register(1)
        with pytest.raises(Unbalanced, match="settles shares that are not locked"):
            state_table.play("2:stand")

    def test_of_older_versions_are_paid_at_settlement(self) -> None:
        state_table = table()
        state_table.state = begin(replace(state_table.script.started(), claims=False))
        state_table.script.numbers, state_table.script.cards = {}, 0
        opening = (
            replace(one, claims=False) if isinstance(one, Started) else one
            for one in state_table.script.opening()
        )
        state_table.apply(*opening, state_table.script.loaded(8))
        share = (SEED + 30) // 10
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand")
        assert moved(state_table.play("2:stand")) == [("win", SEED + 30, SEED + 30 - share)]
        assert state_table.state.meters[SPOT].books.paid == share * 10_000
        assert state_table.state.register == Register()
        state_table.play("pay 1:blazing-7s= 1:blazing-7s=100 close")
        assert state_table.state.underway


class TestThreshold:
    def test_a_contribution_that_is_not_reasonable_is_not_counted_and_told(self) -> None:
        table = with_jackpot(Progressive(threshold=30))
        notes = table.play(IN)
        assert moved(notes) == [("contribution", SEED, SEED + 15)]
        says = "blazing-7s: a contribution of 0.20 goes over the threshold of a round: it is not counted"
        assert Alert(says) in notes


class TestRules:
    def test_hold_from_the_next_round_on_and_keep_what_was_played_for(self) -> None:
        state_table = table()
        state_table.play(IN)
        state_table.script.jackpots = {SPOT: Progressive(7, "50%", "0%")}
        state_table.restart()
        assert state_table.state.meters[SPOT].next == Parameters()
        notes = state_table.play(f"{LOSES} 1:stand 2:stand 9d pay")
        assert state_table.state.meters[SPOT].pending == Parameters(7, Fraction(1, 2), Fraction(0))
        assert Alert("blazing-7s: new parameters of its jackpot wait until it is won") in notes
        assert moved(state_table.play("close")) == [("contribution", SEED + 30, SEED + 60)]
        state_table.play("7d 9c 7d 7d 8c Th")
        assert state_table.state.meters[SPOT].pending is None
        assert shown(state_table) == 7

    def test_of_a_jackpot_that_nobody_played_for_hold_at_once(self) -> None:
        state_table = table()
        state_table.play(IN)
        state_table.script.jackpots = {SPOT: Progressive(7, "50%", "0%")}
        state_table.restart()
        notes = state_table.apply(VOID)
        assert moved(notes) == [("correction", SEED + 30, SEED), ("seed", SEED, 7)]
        assert moved(state_table.play("close")) == [("contribution", 7, 107)]

    def test_that_wait_survive_a_snapshot(self) -> None:
        state_table = table()
        state_table.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay")
        state_table.script.jackpots = {SPOT: Progressive(7, "0.25%", "0%", 8, 900_000, 50)}
        state_table.restart()
        assert state_table.state.meters[SPOT].pending is not None
        assert (
            f"{SPOT}: new parameters of its jackpot wait until it is won"
            in build_view("T", state_table.state, ()).alerts
        )
        assert restore_snapshot(take_snapshot(state_table.state)).meters == state_table.state.meters

    def test_a_jackpot_waits_while_its_game_is_not_played(self) -> None:
        state_table = table()
        state_table.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay")
        state_table.script.game = "easy-jack"
        state_table.restart()
        shown = build_view("T", state_table.state, ())
        assert shown.jackpots == ()
        assert [(meter.spot, meter.cents, meter.state) for meter in shown.meters] == [
            (SPOT, SEED + 30, "waits")
        ]
        state_table.script.game = "blackjack-x"
        state_table.restart()
        assert build_view("T", state_table.state, ()).jackpots == (JackpotView(SPOT, SEED + 30),)


def test_meters_survive_a_snapshot_with_their_books() -> None:
    state_table = table()
    state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay")
    meter = state_table.state.meters[SPOT]
    assert restore_snapshot(take_snapshot(state_table.state)).meters == {SPOT: meter}
    assert isinstance(meter, Meter)


def test_meters_are_the_same_after_a_replay(tmp_path: Path) -> None:
    """In the middle of a round too, where no snapshot helps."""
    script = Script("blackjack-x")
    with loop_table(tmp_path / "j", script.started()) as played:
        played.apply(*list(script.opening())[1:], script.loaded(8))
        table = StateTable.of(played.table.state, script)
        played.apply(*map(table.event, f"{IN} {LOSES} 1:stand 2:stand 9d pay {IN} 7h 9c".split()))
        before = played.table.state.meters
    with Journal(tmp_path / "j") as journal:
        assert recover(journal, script.started()).meters == before


class TestShown:
    def test_on_the_display_when_it_changes(self, tmp_path: Path) -> None:
        script = Script("blackjack-x")
        with loop_table(tmp_path / "j", script.started()) as played:
            played.apply(*list(script.opening())[1:], script.loaded(8))
            table = StateTable.of(played.table.state, script)
            played.apply(*map(table.event, f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay".split()))
            left, share = SEED + 30 - (SEED + 30) // 10, (SEED + 30) // 10
            assert played.calls_of("display", "level") == [
                (0, SEED, LevelState.RUNS),
                (0, SEED + 30, LevelState.RUNS),
                (0, share, LevelState.PENDING),
                (0, share, LevelState.WIN),
                (0, left, LevelState.RUNS),
            ]

    def test_in_the_round_as_it_was_when_betting_had_closed(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        (note,) = of_kind(RoundEnded, state_table.play("pay"))
        assert isinstance(note, RoundEnded)
        assert note.round.jackpots == (JackpotView(SPOT, SEED + 30),)
        assert note.script is not None
        assert (note.script.meters, note.script.seeds) == ({SPOT: SEED + 30}, {SPOT: SEED})

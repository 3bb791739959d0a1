"""The meters: they advance when wagers are latched, pay shares, and go back for a void round."""

from pathlib import Path

from controller.jackpot import Meter, Parameters
from controller.journal.journal import Journal
from controller.table.notes import MeterMoved, Note, RoundEnded
from controller.table.picture import view
from controller.table.recovery import recover
from controller.table.rules import Progressive
from controller.table.snapshot import restore, take
from controller.table.view import JackpotView
from drivers.messages import Wager
from drivers.protocol.codes import LevelState
from tests.controller.table.script import Script
from tests.controller.table.stage import stage
from tests.controller.table.telling import Told, of

SPOT = "blazing-7s"
SEED = 1_000_000
IN = "1:main=500 2:main=500 1:blazing-7s=100 2:blazing-7s=100 close"
LOSES = "9h 9d 9s 9c 9h 7s"
"""Both seats have 18 to the dealer's 16; nobody has a 7."""


def table(**options: object) -> Told:
    return Told("blackjack-x", **options)


def moved(notes: list[Note]) -> list[tuple[str, int, int]]:
    return [
        (note.kind, note.before, note.after) for note in of(MeterMoved, notes) if isinstance(note, MeterMoved)
    ]


def shown(told: Told) -> int:
    return told.state.meters[SPOT].cents


def test_a_new_jackpot_shows_its_seed() -> None:
    assert shown(table()) == SEED
    assert not Told("easy-jack").state.meters


class TestAdvance:
    def test_by_each_wager_when_betting_closes_before_the_round_is_told(self) -> None:
        told = table()
        notes = told.play(IN)
        assert moved(notes) == [("contribution", SEED, SEED + 30)]
        assert told.state.round.unknown_jackpots == ()
        assert told.state.written.meters == {SPOT: SEED + 30}
        assert told.state.round.cards_due == 6

    def test_not_before(self) -> None:
        told = table()
        told.play("1:main=500 1:blazing-7s=100 1:blazing-7s= 1:blazing-7s=100")
        assert shown(told) == SEED

    def test_not_without_a_wager(self) -> None:
        told = table()
        assert moved(told.play("1:main=500 close")) == []

    def test_by_the_stake_where_the_sensor_cannot_value_it(self) -> None:
        told = table(stake=300)
        told.tell(told.script.bet(1), told.script.event("sensors", Wager(1, 2, True, 0)))
        assert moved(told.play("close")) == [("contribution", SEED, SEED + 45)]

    def test_and_keeps_what_is_less_than_a_cent(self) -> None:
        told = with_jackpot(Progressive(1000, "0.25%", "0%"))
        for _ in range(4):
            told.play(f"{IN.replace('2:blazing-7s=100 ', '')} {LOSES} 1:stand 2:stand 9d pay")
        assert shown(told) == 1001


class TestShares:
    def test_leave_the_jackpot_when_they_are_settled(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand")
        notes = told.play("2:stand")
        share = (SEED + 30) // 10
        assert moved(notes) == [("win", SEED + 30, SEED + 30 - share)]
        assert shown(told) == SEED + 30 - share
        line = next(line for line in told.state.round.settlements if line.pays == "10%")
        assert (line.seat, line.paid) == (1, share - 100)

    def test_of_all_of_it_reseeds_and_the_next_share_is_of_the_configured_seed(self) -> None:
        told = with_jackpot(Progressive(50_000, "15%", "5%"))
        told.play(f"{IN} 7d 7d 7d 7d 7d 2h 1:stand")
        notes = told.play("2:stand Kd")
        assert moved(notes) == [
            ("win", 50_030, 0), ("seed", 0, 50_000), ("win", 50_000, 0), ("seed", 0, 50_000),
        ]  # fmt: skip
        shares = [(line.seat, line.paid) for line in told.state.round.settlements if line.pays == "100%"]
        assert shares == [(2, 49_930), (1, 49_900)]

    def test_that_the_chip_rounds_leave_the_rest(self) -> None:
        told = table(chip=100)
        notes = told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        assert moved(notes)[-1] == ("win", SEED + 30, SEED + 30 - 100_000)


class TestVoid:
    def test_puts_the_contributions_back(self) -> None:
        told = table()
        before = told.state.meters[SPOT]
        told.play(f"{IN} 7h 9c")
        notes = told.say("void")
        assert of(MeterMoved, notes) == [
            MeterMoved(SPOT, "correction", SEED + 30, SEED, "Round 1 is void: seen")
        ]
        assert told.state.meters[SPOT] == before

    def test_puts_shares_back_that_nobody_was_paid(self) -> None:
        told = table()
        before = told.state.meters[SPOT]
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        assert shown(told) < SEED
        told.say("void")
        assert told.state.meters[SPOT] == before

    def test_of_a_round_that_moved_nothing_notes_nothing(self) -> None:
        told = table()
        told.play("1:main=500 close")
        assert moved(told.say("void")) == []


def with_jackpot(fed: Progressive) -> Told:
    told = table()
    told.script = Script("blackjack-x", jackpots={SPOT: fed})
    told.begin()
    return told


class TestRules:
    def test_hold_from_the_next_round_on_and_keep_what_was_played_for(self) -> None:
        told = table()
        told.play(IN)
        told.script.jackpots = {SPOT: Progressive(7, "50%", "0%")}
        told.restart()
        assert told.state.meters[SPOT].parameters == Parameters()
        told.say("void")
        assert told.state.meters[SPOT].parameters.seed == 7
        assert shown(told) == SEED
        assert moved(told.play("close")) == [("contribution", SEED, SEED + 100)]

    def test_a_jackpot_waits_while_its_game_is_not_played(self) -> None:
        told = table()
        told.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay")
        told.script.game = "easy-jack"
        told.restart()
        assert view("T", told.state, ()).jackpots == ()
        told.script.game = "blackjack-x"
        told.restart()
        assert view("T", told.state, ()).jackpots == (JackpotView(SPOT, SEED + 30),)


def test_survive_a_snapshot_with_their_books() -> None:
    told = table()
    told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay")
    meter = told.state.meters[SPOT]
    assert restore(take(told.state)).meters == {SPOT: meter}
    assert isinstance(meter, Meter)


def test_are_the_same_after_a_replay(tmp_path: Path) -> None:
    """In the middle of a round too, where no snapshot helps."""
    script = Script("blackjack-x")
    with stage(tmp_path / "j", script.started()) as played:
        played.take(*list(script.opening())[1:], script.loaded(8))
        told = Told.of(played.table.state, script)
        played.take(*map(told.event, f"{IN} {LOSES} 1:stand 2:stand 9d pay {IN} 7h 9c".split()))
        before = played.table.state.meters
    with Journal(tmp_path / "j") as journal:
        assert recover(journal, script.started()).meters == before


class TestShown:
    def test_on_the_display_when_it_changes(self, tmp_path: Path) -> None:
        script = Script("blackjack-x")
        with stage(tmp_path / "j", script.started()) as played:
            played.take(*list(script.opening())[1:], script.loaded(8))
            told = Told.of(played.table.state, script)
            played.take(*map(told.event, f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay".split()))
            left = SEED + 30 - (SEED + 30) // 10
            assert played.asked("display", "level") == [
                (0, SEED, LevelState.RUNS), (0, SEED + 30, LevelState.RUNS), (0, left, LevelState.WIN),
                (0, left, LevelState.RUNS),
            ]  # fmt: skip

    def test_in_the_round_as_it_was_when_betting_had_closed(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        (note,) = of(RoundEnded, told.play("pay"))
        assert isinstance(note, RoundEnded)
        assert note.round.jackpots == (JackpotView(SPOT, SEED + 30),)
        assert note.script is not None
        assert (note.script.meters, note.script.seeds) == ({SPOT: SEED + 30}, {SPOT: SEED})

"""Changed jackpot parameters in the configuration: two persons grant them, or they do not hold."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.journal import Journal
from controller.table.errors import NotAllowed
from controller.table.record.causes import cause
from controller.table.record.codec import to_row
from controller.table.record.events import Started
from controller.table.record.notes import Note
from controller.table.record.rules import Progressive
from controller.table.recovery import recover
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from tests.controller.table.requests.asking import declined, granted, make_request, moves
from tests.fixtures.device_inputs import Script
from tests.fixtures.jackpot_table import IN, LOSES, SPOT, moved, shown
from tests.fixtures.state_table import StateTable

NEW = Progressive(seed=2_000_000)
OTHER = Progressive(second_over=1)


class Configured(StateTable):
    """Each start states how its jackpot is fed, and requests approval."""

    def __init__(self, tokens: str = "") -> None:
        self.fed = Progressive()
        super().__init__("blackjack-x")
        self.play(tokens)

    def begin(self) -> None:
        super().begin()
        self.start(self.fed)

    def start(self, fed: Progressive) -> list[Note]:
        """The daemon restarts with this in its configuration."""
        self.fed = fed
        notes = self.apply(self.started())
        for device in self.script.devices:
            self.apply(self.script.up(device))
        for name in self.script.devices:
            self.state.devices[name].running = True
            self.state.lift(cause("missing", name))
        return notes

    def started(self) -> Started:
        script = Script("blackjack-x", jackpots={SPOT: self.fed})
        return replace(script.started(), approvals=True)

    @property
    def seed(self) -> int:
        return self.state.meters[SPOT].next.seed


def test_two_persons_grant_what_the_configuration_says_since_a_start() -> None:
    at = Configured()
    assert moves(at.start(NEW)) == [(1, "open", "configuration")]
    (one,) = at.state.shift.requests.open
    assert (one.who, one.needs) == ("configuration", 2)
    assert one.sentences == (
        f"The jackpot of {SPOT}: from the next round on",
        f"{SPOT}, seed: 10000.00 becomes 20000.00",
    )
    at.play(f"{IN} {LOSES}")
    assert at.seed == 1_000_000
    at.play("1:stand 2:stand 9c pay")
    at.apply(granted(1, "Ann"))
    assert at.seed == 1_000_000
    at.apply(granted(1, "Bob"))
    assert at.seed == 2_000_000


def test_an_unplayed_jackpot_shows_the_new_seed_at_once() -> None:
    at = Configured()
    at.start(NEW)
    at.apply(granted(1, "Ann"))
    assert moved(at.apply(granted(1, "Bob"))) == [("seed", 1_000_000, 2_000_000)]
    assert shown(at) == 2_000_000


def test_a_jackpot_in_play_takes_the_new_seed_after_it_is_won() -> None:
    at = Configured(f"{IN} {LOSES} 1:stand 2:stand 9c pay")
    at.start(NEW)
    (one,) = at.state.shift.requests.open
    assert one.sentences[0] == f"The jackpot of {SPOT}: once it is won"
    at.apply(granted(1, "Ann"), granted(1, "Bob"))
    meter = at.state.meters[SPOT]
    assert (meter.parameters.seed, meter.pending and meter.pending.seed) == (1_000_000, 2_000_000)


def test_a_limit_for_one_person_is_a_parameter_too() -> None:
    at = Configured()
    at.start(OTHER)
    assert at.state.rules.progressive(SPOT).second_over == 500_000
    at.apply(granted(1, "Ann"), granted(1, "Bob"))
    assert at.state.rules.progressive(SPOT).second_over == 1


def test_declined_parameters_are_dropped_until_the_configuration_changes() -> None:
    at = Configured()
    at.start(NEW)
    at.apply(declined(1, "Ann"))
    assert moves(at.start(NEW)) == []
    assert at.state.shift.requests.open == ()
    assert moves(at.start(OTHER)) == [(2, "open", "configuration")]
    assert moves(at.start(NEW)) == [(2, "failed", ""), (3, "open", "configuration")]
    assert moves(at.start(Progressive())) == [(3, "failed", "")]
    assert at.state.shift.requests.open == ()


def test_the_same_request_goes_on_after_a_start_with_what_was_granted() -> None:
    at = Configured()
    at.start(NEW)
    at.apply(granted(1, "Ann"))
    assert moves(at.start(NEW)) == []
    with pytest.raises(NotAllowed, match="Ann has granted it already"):
        at.apply(granted(1, "Ann"))
    at.apply(granted(1, "Bob"))
    assert at.seed == 2_000_000


def test_parameters_of_a_waiting_jackpot_are_requested_with_its_game() -> None:
    at = Configured(f"{IN} {LOSES} 1:stand 2:stand 9c pay 1:main= 2:main= 1:blazing-7s= 2:blazing-7s=")
    at.fed = NEW
    assert moves(at.apply(replace(at.started(), game="easy-jack", options={}, jackpots={}))) == []
    assert moves(at.apply(replace(at.started(), game="easy-jack", options={}))) == []
    assert moves(at.start(NEW)) == [(1, "open", "configuration")]


def test_a_start_requests_its_parameters_beside_any_number_of_requests() -> None:
    at = Configured()
    at.apply(*(make_request("help", f"Dee {number}") for number in range(20)))
    assert moves(at.start(NEW)) == [(21, "open", "configuration")]


def test_the_shuffler_goes_on_with_what_it_does() -> None:
    at = Configured()
    at.start(NEW)
    at.state.cycle.stage = "shuffling"
    at.apply(granted(1, "Ann"), granted(1, "Bob"))
    assert at.state.cycle.stage == "shuffling"


def test_a_journal_of_an_older_version_asked_nobody() -> None:
    at = Configured()
    notes = at.apply(replace(at.started(), jackpots={SPOT: NEW}, approvals=False))
    assert moves(notes) == []
    assert at.seed == 2_000_000


def test_a_parameter_request_comes_back_from_journal_and_snapshot(tmp_path: Path) -> None:
    at = Configured()
    at.start(NEW)
    at.apply(granted(1, "Ann"))
    assert restore_snapshot(take_snapshot(at.state)).shift.requests == at.state.shift.requests
    first, again = Configured().started(), at.started()
    with Journal(tmp_path / "journal") as journal:
        journal.append([to_row(0.0, first), to_row(0.0, again), to_row(0.0, granted(1, "Ann"))])
        state: TableState = recover(journal, again)
    assert state.shift.requests.open == at.state.shift.requests.open
    apply(state, granted(1, "Bob"))
    assert state.coming.progressive(SPOT) == NEW

"""The figures of a shift after a restart: its rounds come from the journal, with all its files."""

from functools import partial
from pathlib import Path

from controller.calendar import Calendar
from controller.daemon.shift_figures import ShiftFigures
from controller.daemon.shift_rounds import shift_rounds
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.property.status import StatusShift
from controller.table.record.codec import to_row
from controller.table.record.notes import RoundCorrected
from tests.controller.daemon.test_shift_figures import EARLY, LATE, ended
from tests.fixtures.state_table import StateTable

ROUNDS = 120


def written(path: Path) -> Path:
    """A journal of three files: a round of the shift before, and 120 rounds of which the third was corrected
    in a later file."""
    with Journal(path, None, Signer(bytes(range(32)))) as journal:
        journal.append([to_row(EARLY - 1, ended(1, (900, -900)))])
        for number in range(ROUNDS):
            row = to_row(EARLY + number, ended(number + 2, (100, -100)))
            if number in (40, 80):
                journal.copy().run()
                journal.roll([row])
            else:
                journal.append([row])
        corrected = ended(4, (100, 150))
        note = RoundCorrected(4, 1, 1, 1, "9h", "9d", "Ann", "misread", "", (), (), (), corrected)
        early = RoundCorrected(1, 1, 1, 1, "9h", "9d", "Ann", "misread", "", (), (), (), ended(1, (900, 0)))
        journal.append([to_row(EARLY + ROUNDS, note), to_row(EARLY + ROUNDS, early)])
    return path


def figures(path: Path, now: float) -> StatusShift:
    """The figures of a table that has just started and whose state does not have a round."""
    found = ShiftFigures(Calendar(), partial(shift_rounds, path))
    return found.at(StateTable().state, now)


def test_a_start_counts_all_rounds_of_the_shift_as_they_were_corrected(tmp_path: Path) -> None:
    path = written(tmp_path / "journal")
    hold = 100 * (ROUNDS - 1) - 150
    assert figures(path, EARLY + ROUNDS) == StatusShift(wagered=100 * ROUNDS, hold=hold)


def test_a_start_in_the_next_shift_counts_none_of_them(tmp_path: Path) -> None:
    assert figures(written(tmp_path / "journal"), LATE) == StatusShift(wagered=0, hold=0)


def test_rounds_that_the_table_still_has_are_not_counted_twice(tmp_path: Path) -> None:
    path = written(tmp_path / "journal")
    state = StateTable().state
    for number in range(ROUNDS - 50, ROUNDS):
        state.ended_rounds.appendleft(ended(number + 2, (100, -100)))
        state.shift.round_ends.appendleft(EARLY + number)
    found = ShiftFigures(Calendar(), partial(shift_rounds, path))
    assert found.at(state, EARLY + ROUNDS).wagered == 100 * ROUNDS

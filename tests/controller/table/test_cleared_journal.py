"""A table whose journal was cleared starts from nothing (NY 5316.11(b))."""

from pathlib import Path

from controller.journal.journal import Journal
from controller.table.record.codec import to_json
from controller.table.record.events import Started
from controller.table.recovery import recover
from controller.table.sealer import Sealer
from controller.table.state.snapshot import take_snapshot
from tests.fixtures.played_journal import SEAL, played_table

STARTED = Started("1.0", "blackjack-x", 7, {"burn_cards": 1}, {"shoe": "SHOE-1"})


def known(folder: Path) -> str:
    """Everything that a daemon would know there."""
    with Journal(folder / "journal.sqlite") as journal:
        return to_json(take_snapshot(recover(journal, STARTED, Sealer(SEAL))))


def test_nothing_outlives_a_cleared_journal(tmp_path: Path) -> None:
    played, fresh = tmp_path / "played", tmp_path / "fresh"
    played.mkdir()
    fresh.mkdir()
    with played_table(played, "blackjack-x") as at:
        at.play("1:main=500 1:blazing-7s=100 close 9h 9d 9s 9c 1:stand 7s pay")
    assert known(played) != known(fresh)
    for file in played.glob("journal.sqlite*"):
        if file.is_file():
            file.unlink()
    assert known(played) == known(fresh)

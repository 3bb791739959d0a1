"""The parts of the service by themselves: configuration, journal, times, and what tables have seen."""

import json
from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.floor.progressive.entry_journal import EntryJournal
from controller.floor.progressive.input_stream import nanoseconds
from controller.floor.progressive.log_stream import StreamAway
from controller.floor.progressive.settings import read_progressive
from controller.floor.progressive.sightings import sighting
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.events import AmountSeen
from controller.jackpot.linked.messages import Admit
from controller.journal.errors import JournalError
from controller.journal.journal import ROLL_ROWS
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage
from tests.controller.jackpot.linked.desk import EPOCH, LEVEL, TABLE, Desk, admission, opened, reading

SIGNER = Signer(bytes(range(32)))
GOOD = f"""
property = "house"
level = "sevens"
instance = "p1"
servers = ["nats://127.0.0.1:4222"]
floor = ["{"a" * 64}"]
journal = "journal"
mirror = "mirror/journal"
"""


def entries(number: int) -> list[LogEntry]:
    desk = opened()
    for row in range(1, number):
        desk.say(reading(row, row, row, 100 * row))
    return desk.log


def journal_in(folder: Path, most: int = ROLL_ROWS) -> EntryJournal:
    (folder / "mirror").mkdir(exist_ok=True)
    return EntryJournal(folder / "journal", folder / "mirror" / "journal", SIGNER, most)


def test_a_journal_has_its_entries_after_a_new_start(tmp_path: Path) -> None:
    written = entries(9)
    journal = journal_in(tmp_path)
    for sequence, entry in enumerate(written, 5):
        journal.append(entry, sequence)
    journal.sign(1.0)
    journal.close()
    journal = journal_in(tmp_path)
    assert list(journal.read()) == written
    assert journal.sequence == 4 + len(written)
    assert journal.hash_at(3) == written[2].hash
    assert journal.hash_at(len(written) + 1) == ""
    assert journal.after(4) == tuple(written[4:])
    journal.close()


def test_a_full_file_is_closed_and_its_entries_stay(tmp_path: Path) -> None:
    written = entries(20)
    journal = journal_in(tmp_path, most=5)
    for entry in written:
        journal.append(entry, entry.n)
    assert list(journal.read()) == written
    assert list((tmp_path / "journal.archive").iterdir())
    journal.close()


def test_a_journal_that_is_set_aside_stays_as_it_was(tmp_path: Path) -> None:
    written = entries(4)
    journal = journal_in(tmp_path)
    for entry in written:
        journal.append(entry, entry.n)
    folder = journal.set_aside()
    assert list(journal.read()) == []
    journal.append(written[0], 1)
    journal.close()
    old = EntryJournal(folder / "journal", tmp_path / "mirror" / "journal.aside1" / "journal", SIGNER)
    assert list(old.read()) == written
    old.close()


def test_a_journal_without_its_mirror_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="mirror"):
        EntryJournal(tmp_path / "journal", tmp_path / "missing" / "journal", SIGNER)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000_000),
        ("1970-01-01T00:00:01.5Z", 1_500_000_000),
        ("2026-11-23T15:31:18.123456789Z", 1_795_447_878_123_456_789),
    ],
)
def test_a_time_keeps_its_nanoseconds(text: str, expected: int) -> None:
    assert nanoseconds(text) == expected


def test_what_is_not_a_time_is_named() -> None:
    with pytest.raises(StreamAway, match="'noon' is not a time"):
        nanoseconds("noon")


def seen(desk: Desk, signer: Signer, n: int, digest: str) -> AmountSeen | None:
    subject = f"ts.house.status.{TABLE}"
    status = {
        "v": 1,
        "epoch": EPOCH,
        "row": 3,
        "progressive": {LEVEL: {"n": n, "hash": digest, "version": 2}},
    }
    message = SignedMessage.make(subject, json.dumps(status).encode(), signer)
    hashes = {entry.n: entry.hash for entry in desk.log}
    return sighting(desk.state, lambda n: hashes.get(n, ""), subject, message.payload, message.headers())


class TestSightings:
    @pytest.fixture
    def desk(self) -> Desk:
        desk = Desk()
        desk.order(Admit, admission(key=SIGNER.public.hex()))
        return desk

    def test_an_entry_that_is_known_says_nothing(self, desk: Desk) -> None:
        assert seen(desk, SIGNER, 1, desk.log[0].hash) is None

    def test_an_entry_that_is_missing_is_reported(self, desk: Desk) -> None:
        assert seen(desk, SIGNER, 2, "b" * 64) == AmountSeen(2, "b" * 64, "")

    def test_another_entry_of_one_number_is_reported(self, desk: Desk) -> None:
        assert seen(desk, SIGNER, 1, "b" * 64) == AmountSeen(1, "b" * 64, desk.log[0].hash)

    def test_what_another_key_signed_says_nothing(self, desk: Desk) -> None:
        assert seen(desk, Signer(bytes(32)), 2, "b" * 64) is None

    def test_what_is_not_a_status_says_nothing(self, desk: Desk) -> None:
        assert sighting(desk.state, lambda _: "", f"ts.house.status.{TABLE}", b"{", None) is None


def test_a_configuration_has_absolute_paths(tmp_path: Path) -> None:
    path = tmp_path / "progressive.toml"
    path.write_text(GOOD)
    found = read_progressive(path)
    assert found.mirror == str(tmp_path / "mirror" / "journal")
    assert found.pinned() == (bytes.fromhex("a" * 64),)


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('level = "sevens"', 'level = "Sevens"', 'level = "Sevens": not allowed; allowed: 1 to 24'),
        ('mirror = "mirror/journal"', "", "mirror is missing; needed: the path of a file"),
        ("a" * 64, "b" * 63, "floor = .*: not allowed; allowed: one or two public keys"),
        ("nats://127.0.0.1", "nats://10.0.0.1", "servers = .*: not allowed"),
        ('instance = "p1"', 'instance = "p1"\nlease = 3', "lease = 3: unknown key; allowed here: property"),
    ],
)
def test_a_fault_of_the_configuration_is_named(tmp_path: Path, before: str, after: str, fault: str) -> None:
    path = tmp_path / "progressive.toml"
    path.write_text(GOOD.replace(before, after))
    with pytest.raises(ConfigError, match=fault):
        read_progressive(path)

"""Decisions of persons about journals, and incidents, on the floor's disk."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from controller.floor.day_file import JournalName
from controller.floor.projector import Admission, Incident, IncidentKind
from controller.floor.register import FILE, MOST_OPEN, Decision, DecisionKind, FloorRegister
from controller.floor.store_file import StoreError

TABLE = JournalName("bj-1", "0123456789abcdef")
ADMISSION = Admission(1, bytes(32), bytes(range(32)))
GAP = Incident("gap", TABLE, 5, "the rows 5 to 9 are missing", 9, b"\x09" * 32)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def register(tmp_path: Path, clock: Clock) -> Iterator[FloorRegister]:
    with FloorRegister(tmp_path, clock) as made:
        yield made


def decision(kind: DecisionKind, admission: Admission = ADMISSION) -> Decision:
    return Decision(kind, TABLE, admission, "Ann", "Bo", "new table", 7.0)


def test_an_admission_is_there_after_a_restart(tmp_path: Path, register: FloorRegister, clock: Clock) -> None:
    register.decide(decision("admit"))
    with FloorRegister(tmp_path, clock) as again:
        assert again.admissions() == {TABLE: ADMISSION}
        assert again.decisions() == [decision("admit")]


def test_the_newest_decision_about_a_journal_counts(register: FloorRegister) -> None:
    other = replace(TABLE, epoch="f" * 16)
    register.decide(decision("admit"))
    register.decide(replace(decision("admit"), name=other))
    register.decide(decision("remove"))
    assert register.admissions() == {other: ADMISSION}
    later = Admission(8, b"\x08" * 32, ADMISSION.public)
    register.decide(decision("admit", later))
    assert register.admissions()[TABLE] == later
    assert len(register.decisions()) == 4


def test_an_accepted_gap_does_not_change_the_admission(register: FloorRegister) -> None:
    after = Admission(10, b"\x09" * 32, ADMISSION.public)
    register.decide(decision("admit"))
    register.decide(decision("accept gap", after))
    assert register.admissions() == {TABLE: ADMISSION}
    assert register.accepted_gaps() == {TABLE: after}


@pytest.mark.parametrize("statement", ["UPDATE decision SET who = 'x'", "DELETE FROM decision"])
def test_a_decision_cannot_be_changed(tmp_path: Path, register: FloorRegister, statement: str) -> None:
    register.decide(decision("admit"))
    database = sqlite3.connect(tmp_path / FILE)
    with pytest.raises(sqlite3.IntegrityError, match="only added"):
        database.execute(statement)
    database.close()


def test_another_program_that_decides_is_noticed(
    tmp_path: Path, register: FloorRegister, clock: Clock
) -> None:
    before = register.version
    register.decide(decision("admit"))
    assert register.version == before
    with FloorRegister(tmp_path, clock) as other:
        other.decide(decision("remove"))
    assert register.version != before


def test_an_incident_that_occurs_again_is_counted(register: FloorRegister, clock: Clock) -> None:
    assert register.report(GAP)
    clock.now += 5
    assert not register.report(GAP)
    (kept,) = register.incidents()
    assert (kept.incident, kept.began, kept.at, kept.count) == (GAP, 1000.0, 1005.0, 2)


def test_the_shorter_gap_of_two_is_kept(register: FloorRegister) -> None:
    shorter = replace(GAP, last=7, before=b"\x07" * 32, why="the rows 5 to 7 are missing")
    for incident in (GAP, shorter, GAP):
        register.report(incident)
    (kept,) = register.incidents()
    assert kept.incident == shorter


def test_an_incident_that_ended_begins_anew(register: FloorRegister) -> None:
    register.report(GAP)
    (first,) = register.incidents()
    assert register.settle(first.number, "the rows came")
    assert not register.settle(first.number, "again")
    assert not register.incidents()
    assert register.report(GAP)
    assert [kept.settled for kept in register.incidents(ended=True)] == ["the rows came", ""]


def test_a_table_cannot_fill_the_register_with_incidents(register: FloorRegister, clock: Clock) -> None:
    def of(number: int, table: str = "bj-1") -> Incident:
        return Incident("unknown journal", JournalName(table, f"{number:016x}"), 0, "not admitted")

    register.report_all(of(number) for number in range(1000))
    clock.now += 5
    assert not register.report(of(2000))
    kept = register.incidents()
    assert len(kept) == MOST_OPEN
    assert sum(one.count for one in kept) == 1001
    assert kept[-1].at == 1005.0
    assert register.report(of(1, "bj-2"))
    assert register.report(GAP)


def test_another_kind_of_file_is_refused(tmp_path: Path, clock: Clock) -> None:
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("CREATE TABLE something (a)")
    database.close()
    with pytest.raises(StoreError, match="is not the register of a floor"):
        FloorRegister(tmp_path, clock)


@pytest.mark.parametrize("kind", get_args(IncidentKind))
def test_every_kind_of_incident_says_what_to_do(kind: IncidentKind) -> None:
    advice = replace(GAP, kind=kind).advice
    assert len(advice) > 20
    assert "{" not in advice


class TestSealingKeys:
    """For which key the directories of a table are sealed."""

    def test_that_of_the_journal_that_was_admitted_last(self, register: FloorRegister) -> None:
        first, second = (replace(ADMISSION, sealing=bytes([number]) * 32) for number in (1, 2))
        register.decide(decision("admit", first))
        assert register.sealing_keys() == {"bj-1": first.sealing}
        register.decide(replace(decision("admit", second), name=replace(TABLE, epoch="0" * 16)))
        assert register.sealing_keys() == {"bj-1": second.sealing}
        assert register.admissions()[TABLE] == first

    def test_none_for_a_table_without_a_key_or_without_an_admission(self, register: FloorRegister) -> None:
        register.decide(decision("admit"))
        assert register.sealing_keys() == {}
        register.decide(decision("admit", replace(ADMISSION, sealing=bytes(32))))
        register.decide(decision("remove"))
        assert register.sealing_keys() == {}


def test_a_decision_that_became_an_entry_counts_for_the_service(register: FloorRegister) -> None:
    register.decide(decision("admit"))
    assert (register.admissions(logged=True), register.waiting()) == ({}, [decision("admit")])
    before = register.version
    register.take(3, decision("admit"))
    assert register.version != before
    assert (register.admissions(logged=True), register.waiting()) == ({TABLE: ADMISSION}, [])
    assert (register.decisions(), register.last_entry()) == ([decision("admit")], 3)


def test_an_entry_that_is_taken_twice_is_one_decision(register: FloorRegister) -> None:
    for _ in range(2):
        register.take(3, decision("admit"))
    assert register.decisions() == [decision("admit")]


def test_decisions_count_in_the_order_of_their_entries(register: FloorRegister) -> None:
    """Each instance has its own ones first in the file."""
    register.decide(decision("remove"))
    register.take(1, decision("admit"))
    assert register.admissions() == {}
    register.take(2, decision("remove"))
    register.take(3, replace(decision("admit"), at=8.0))
    assert register.admissions() == register.admissions(logged=True) == {TABLE: ADMISSION}


def test_a_register_of_the_first_schema_is_read_and_written_on(tmp_path: Path, clock: Clock) -> None:
    with FloorRegister(tmp_path, clock) as register:
        register.decide(decision("admit"))
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
        file.execute("ALTER TABLE decision DROP COLUMN sealing")
        file.execute("DROP TABLE logged")
        file.execute("PRAGMA user_version = 1")
    with FloorRegister(tmp_path, clock) as register:
        assert register.decisions(logged=True) == register.waiting() == [decision("admit")]
        register.decide(decision("admit", replace(ADMISSION, sealing=bytes(range(32)))))
        assert register.sealing_keys() == {"bj-1": bytes(range(32))}
        register.take(1, decision("admit"))
        assert len(register.decisions()) == 2

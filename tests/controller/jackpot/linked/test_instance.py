"""One instance, step by step."""

from collections.abc import Sequence
from typing import Any

import pytest

from controller.jackpot.linked.entries import Leader, LogEntry, Rewound
from controller.jackpot.linked.events import (
    AmountSeen,
    Announce,
    Append,
    Appended,
    Event,
    InputsRead,
    JournalRead,
    LeaseChanged,
    LogEnd,
    LogMoved,
    LogRead,
    Publish,
    Published,
    PublishRefused,
    PublishUnknown,
    ReadJournal,
    ReadLog,
    ReadLogEnd,
    Repeat,
    Resolution,
)
from controller.jackpot.linked.instance import Instance, handle, start
from controller.jackpot.linked.level import LinkedLevel
from tests.controller.jackpot.linked.desk import LEVEL, Desk, claim, claim_id, opened, reading


def log_of() -> list[LogEntry]:
    desk = opened()
    desk.say(reading(5, 1, 3, 300))
    desk.say(claim((7, 10)))
    return desk.log


LOG = log_of()
END = LogEnd(4, LOG[3].hash, 4, "")
BUSY: tuple[Event, ...] = (
    Published(9),
    PublishRefused(),
    PublishUnknown(),
    Appended(),
    LogRead(()),
    JournalRead(()),
    LogEnd(0, "", 0, ""),
    InputsRead(1, 9, LOG[3].inputs.digest, ()),
)


def through(instance: Instance, *events: Event) -> tuple[Instance, tuple[Any, ...]]:
    """The instance after these events, and what the last one led to."""
    commands: tuple[Any, ...] = ()
    for event in events:
        instance, commands = handle(instance, event)
    return instance, commands


def end_of(journal: Sequence[LogEntry]) -> LogEnd:
    last = journal[-1]
    return LogEnd(last.n, last.hash, last.n, last.hash)


def following(journal: Sequence[LogEntry] = LOG) -> Instance:
    return through(start("p1", LEVEL, journal)[0], end_of(journal))[0]


def leading() -> Instance:
    return through(following(), LeaseChanged(True), Published(5), Appended())[0]


def inputs(desk: Desk, *messages: Any) -> InputsRead:
    received = tuple(desk.received(message) for message in messages)
    return InputsRead(1, received[-1].sequence, desk.state.position.digest, received)


def desk_at_end() -> Desk:
    """A desk whose next message follows the log."""
    desk = opened()
    desk.say(reading(5, 1, 3, 300))
    desk.say(claim((7, 10)))
    return desk


class TestStart:
    def test_log_and_journal_that_are_equal_are_followed(self) -> None:
        instance = following()
        assert (instance.phase, instance.sequence) == ("following", 4)

    def test_a_shorter_journal_is_completed_from_the_log(self) -> None:
        instance, commands = through(start("p1", LEVEL, LOG[:2])[0], END)
        assert commands == (ReadLog(2),)
        instance, commands = handle(instance, LogRead(((3, LOG[2]), (4, LOG[3]))))
        assert commands == (Append(LOG[2]),)
        instance, commands = handle(instance, Appended())
        assert commands == (Append(LOG[3]),)
        instance, _ = handle(instance, Appended())
        assert (instance.phase, instance.state.hash, instance.sequence) == ("following", LOG[3].hash, 4)

    def test_a_shorter_log_is_completed_from_the_journal(self) -> None:
        instance, commands = through(start("p1", LEVEL, LOG)[0], LogEnd(2, LOG[1].hash, 2, LOG[1].hash))
        assert commands == (ReadJournal(2),)
        instance, commands = handle(instance, JournalRead((LOG[2], LOG[3])))
        assert commands == (Publish(LOG[2], 2),)
        instance, commands = handle(instance, Published(3))
        assert commands == (Publish(LOG[3], 3),)
        instance, commands = handle(instance, Published(4))
        assert (instance.phase, commands) == ("following", ())

    @pytest.mark.parametrize(
        "end", [LogEnd(4, "0" * 64, 4, LOG[3].hash), LogEnd(2, "0" * 64, 2, LOG[1].hash)]
    )
    def test_another_entry_of_the_same_number_stops_the_instance(self, end: LogEnd) -> None:
        instance, commands = through(start("p1", LEVEL, LOG)[0], end)
        assert instance.phase == "inoperable"
        assert commands == (Announce(instance.state, None),)
        assert handle(instance, LogMoved()) == (instance, ())

    def test_a_log_that_goes_on_from_another_entry_stops_the_instance(self) -> None:
        foreign = LOG[3].model_copy(update={"before": "0" * 64})
        instance, _ = through(start("p1", LEVEL, LOG[:3])[0], END, LogRead(((4, foreign),)))
        assert instance.phase == "inoperable"

    def test_a_journal_with_a_gap_stops_the_instance(self) -> None:
        instance, _ = start("p1", LEVEL, [LOG[0], LOG[2]])
        assert instance.phase == "inoperable"
        assert "entry 3 comes after 1" in instance.why

    def test_a_log_for_demonstrations_stops_a_real_instance(self) -> None:
        entry = LOG[0].model_copy(update={"demo": True})
        assert start("p1", LEVEL, [entry])[0].phase == "inoperable"

    def test_a_resolution_begins_anew(self) -> None:
        stopped, _ = start("p1", LEVEL, [LOG[0], LOG[2]])
        instance, commands = handle(stopped, Resolution(LinkedLevel(LEVEL)))
        assert (instance.phase, instance.state.n, commands) == ("starting", 0, (ReadLogEnd(),))


class TestLeading:
    def test_an_entry_is_published_then_appended_then_announced(self) -> None:
        desk, instance = desk_at_end(), leading()
        instance, (publish,) = handle(instance, inputs(desk, reading(9, 2, 4, 400)))
        assert isinstance(publish, Publish)
        assert publish.expected == 5
        instance, commands = handle(instance, Published(6))
        assert commands == (Append(publish.entry),)
        instance, (announce,) = handle(instance, Appended())
        assert isinstance(announce, Announce)
        assert (announce.entry, announce.state) == (publish.entry, instance.state)

    def test_a_leader_says_so_first(self) -> None:
        _, (publish,) = handle(following(), LeaseChanged(True))
        assert isinstance(publish, Publish)
        assert publish.entry.out == (Leader(instance="p1"),)

    def test_a_refused_leader_follows(self) -> None:
        instance, _ = handle(leading(), inputs(desk_at_end(), reading(9, 2, 4, 400)))
        instance, commands = handle(instance, PublishRefused())
        assert (instance.phase, commands) == ("following", (ReadLogEnd(),))

    def test_an_unknown_result_that_is_in_the_log_is_gone_on_with(self) -> None:
        instance, (publish,) = handle(leading(), inputs(desk_at_end(), reading(9, 2, 4, 400)))
        assert isinstance(publish, Publish)
        entry = publish.entry
        instance, commands = through(instance, PublishUnknown(), LogEnd(6, entry.hash, 6, ""))
        assert commands == (ReadLog(5),)
        instance, commands = through(instance, LogRead(((6, entry),)), Appended())
        assert [type(one) for one in commands] == [Announce]
        assert instance.phase == "leading"

    def test_an_unknown_result_that_is_not_in_the_log_is_decided_again(self) -> None:
        desk, instance = desk_at_end(), leading()
        read = inputs(desk, reading(9, 2, 4, 400))
        own = LogEnd(5, instance.state.hash, 5, instance.state.hash)
        instance, first = handle(instance, read)
        instance, again = through(instance, PublishUnknown(), own, read)
        assert (instance.phase, again) == ("leading", first)

    def test_without_the_lease_nothing_is_decided(self) -> None:
        instance, _ = handle(leading(), LeaseChanged(False))
        assert handle(instance, inputs(desk_at_end(), reading(9, 2, 4, 400))) == (instance, ())

    def test_a_known_claim_is_announced_again(self) -> None:
        instance, commands = handle(leading(), inputs(desk_at_end(), claim((7, 10))))
        assert commands == (Repeat((claim_id(7),)),)
        assert instance.cursor.last == 5
        assert instance.state.position.last == 4

    def test_a_shorter_input_is_read_from_its_oldest_message(self) -> None:
        instance, (publish,) = handle(leading(), InputsRead(1, 2, "", ()))
        assert isinstance(publish, Publish)
        assert publish.entry.out == (Rewound(),)
        instance, _ = through(instance, Published(6), Appended())
        assert (instance.cursor.incarnation, instance.cursor.last) == (2, 0)

    @pytest.mark.parametrize("event", BUSY, ids=lambda event: type(event).__name__)
    def test_an_answer_to_nothing_changes_nothing(self, event: Event) -> None:
        instance = leading()
        assert handle(instance, event) == (instance, ())


class TestAmountsSeen:
    def test_another_hash_at_a_table_stops_the_instance(self) -> None:
        instance, _ = handle(following(), AmountSeen(2, "0" * 64, LOG[1].hash))
        assert instance.phase == "inoperable"

    def test_an_entry_that_only_a_table_has_stops_until_the_log_has_it(self) -> None:
        short = following(LOG[:3])
        instance, commands = handle(short, AmountSeen(4, LOG[3].hash, ""))
        assert commands == (ReadLogEnd(),)
        instance, _ = handle(instance, end_of(LOG[:3]))
        assert (instance.phase, instance.why) == (
            "inoperable",
            "a table has seen entry 4; the log ends at 3",
        )
        assert handle(instance, LeaseChanged(True))[1] == ()
        instance, _ = through(instance, LogMoved(), END, LogRead(((4, LOG[3]),)), Appended(), end_of(LOG))
        assert instance.owed is None

    def test_a_table_behind_stops_nothing(self) -> None:
        instance = following()
        assert handle(instance, AmountSeen(2, LOG[1].hash, LOG[1].hash)) == (instance, ())

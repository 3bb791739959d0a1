"""A session as the host leads it: its order, events, commands, and what ends it."""

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from drivers.errors import Misuse
from drivers.link.endpoint import Received, Vitals
from drivers.link.facts import (
    ActionEnded,
    CardsMissing,
    CommandRefused,
    Down,
    EventArrived,
    EventsLost,
    Expected,
    Late,
    Running,
    Up,
)
from drivers.link.host import Patience
from drivers.messages import (
    Arm,
    Buzz,
    CardDrawn,
    Cover,
    Disarm,
    KeyLamps,
    Lamps,
    Lock,
    Permit,
    Prompt,
    Recall,
    Resume,
    Start,
    Text,
)
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, DeviceClass, Status
from drivers.protocol.common_pb2 import NoSession
from tests.drivers.link.puppet import LOG, Puppet
from tests.drivers.link.stage import START, Journal, Stage, stage

KNOWN = {"newest": 9, "committed": 9}


def known(**hello: Any) -> tuple[Stage, Puppet]:
    return stage(Journal(log=LOG, newest=9, cards=4, last_key=20), {**KNOWN, "cards": 4, **hello})


def test_the_order_of_a_session() -> None:
    journal = Journal(log=LOG, newest=9, last_key=6, open_actions={5, 6})
    world, puppet = stage(journal, {"newest": 11, "committed": 9})
    world.want(Permit(3), Prompt("Deal", 0), Text(1, "hello"))
    world.reach("catching up")
    world.run(0.2)
    assert puppet.told == [Resume(10), Recall(5), Recall(6)]
    puppet.event(10, Cover(open=True))
    puppet.event(11, Cover(open=False))
    world.reach()
    world.run(0.1)
    assert puppet.told[3:] == [Prompt("Deal", 0), Text(1, "hello"), Arm(11), Permit(3)]
    assert [commit.number for commit in puppet.named("event_commit")][-1] == 11
    assert puppet.keys == sorted(puppet.keys)
    assert puppet.keys[0] == 7


def test_every_command_is_critical() -> None:
    world, puppet = known()
    world.reach()
    commands = [item for item in puppet.heard if getattr(item, "name", "") == "command"]
    assert commands
    assert all(isinstance(item, Received) and item.critical for item in commands)


def test_arm_waits_for_the_disk() -> None:
    world, puppet = stage(Journal(log=LOG, newest=9), {"newest": 10, "committed": 9}, disk=inf)
    world.reach("catching up")
    puppet.event(10, Cover(open=True))
    world.run(2)
    assert world.told(EventArrived)
    assert Arm(10) not in puppet.told
    world.host.commit(10)
    world.reach(seconds=1)


def test_a_stale_arm_is_repeated_when_more_is_on_disk() -> None:
    world, puppet = known()
    puppet.answers[Arm] = Status.STALE
    world.run(1)
    assert puppet.told[-1] == Arm(9)
    del puppet.answers[Arm]
    world.run(1)
    assert world.host.phase == "catching up"
    puppet.event(10, Cover(open=True))
    world.reach(seconds=1)
    assert puppet.told[-1] == Arm(10)


def test_an_arm_refused_otherwise_ends_the_session() -> None:
    world, puppet = known()
    puppet.answers[Arm] = Status.REFUSED
    world.reach("over")
    assert world.told(Down)[0].reason == "arm"


HISTORY_TO_5, HISTORY_TO_4 = [True, True, True, False], [True, True, False, False]
RELATIONS = [
    (Journal(), {"newest": 5, "committed": 2}, "new log", 3, HISTORY_TO_5),
    (Journal(log=b"OLD-LOG.", newest=77), {"newest": 5, "committed": 2}, "new log", 3, HISTORY_TO_5),
    (Journal(log=LOG, newest=2), {"newest": 5, "committed": 2}, "known", 3, [False] * 4),
    (Journal(log=LOG, newest=2), {"newest": 5, "committed": 1}, "known", 3, [False] * 4),
    (Journal(log=LOG, newest=2), {"newest": 5, "committed": 4}, "served elsewhere", 3, HISTORY_TO_4),
]  # fmt: skip


@pytest.mark.parametrize(("journal", "hello", "relation", "first", "history"), RELATIONS)
def test_relations(
    journal: Journal, hello: dict[str, Any], relation: str, first: int, history: list[bool]
) -> None:
    world, puppet = stage(journal, hello)
    world.reach("catching up")
    world.run(0.1)
    assert puppet.told[0] == Resume(first)
    for number in range(first, 7):
        puppet.event(number, Cover(open=True))
    world.reach()
    world.run(0.1)
    assert world.told(Up)[0].relation == relation
    assert [event.number for event in world.told(EventArrived)] == list(range(first, 7))
    assert [event.history for event in world.told(EventArrived)] == history


@pytest.mark.parametrize("committed", [4, 0])
def test_open_actions_of_a_device_that_is_not_ours_alone_are_unknown(committed: int) -> None:
    log = LOG if committed else b"OLD-LOG."
    journal = Journal(log=log, newest=2, last_key=8, open_actions={7, 8})
    world, puppet = stage(journal, {"newest": 4, "committed": committed})
    world.reach("catching up")
    world.run(0.1)
    assert not any(isinstance(record, Recall) for record in puppet.told)
    assert [(ended.key, ended.status) for ended in world.told(ActionEnded)] == [
        (7, Status.FORGOTTEN),
        (8, Status.FORGOTTEN),
    ]
    assert isinstance(world.seen[0], Up)


def test_events_come_once_and_in_order() -> None:
    world, puppet = known()
    world.reach()
    puppet.event(8, Cover(open=True))
    puppet.event(9, Cover(open=True))
    puppet.event(10, Cover(open=False))
    puppet.event(10, Cover(open=True))
    puppet.event(11, Cover(open=True))
    world.run(0.5)
    assert [(e.number, e.body) for e in world.told(EventArrived)] == [
        (10, Cover(open=False)),
        (11, Cover(open=True)),
    ]


def test_a_gap_ends_the_session() -> None:
    world, puppet = known()
    world.reach()
    puppet.event(11, Cover(open=True))
    world.run(0.1)
    assert world.told(Down) == [Down("gap", "event 11 came where 10 was due")]
    assert "gap" in str(puppet.heard[-1])
    assert not puppet.installed


@pytest.mark.parametrize(
    ("first", "last", "expected"), [(10, 12, 10), (3, 12, 10), (12, 12, None), (3, 9, 0)]
)
def test_lost_events_count_from_the_next_one(first: int, last: int, expected: int | None) -> None:
    world, puppet = known()
    world.reach()
    puppet.lost(first, last)
    world.run(0.1)
    if expected is None:
        assert world.told(Down)[0].reason == "gap"
    elif expected == 0:
        assert not world.told(EventsLost)
    else:
        assert world.told(EventsLost) == [EventsLost(LOG, expected, 12)]
        puppet.event(13, Cover(open=True))
        world.run(0.1)
        assert world.told(EventArrived)[-1].number == 13


def _unknown_event(number: int) -> bytes:
    """Event with a body of field 99 that nobody here knows."""
    frame = tsl.Frame()
    frame.event.number = number
    frame.event.boot = bytes(8)
    event = frame.event.SerializeToString() + bytes([0x9A, 0x06, 0x01, 0x00])
    return bytes([0x82, 0x01, len(event)]) + event


def test_an_unknown_event_keeps_its_number() -> None:
    world, puppet = known()
    world.reach()
    puppet.payload(Channel.EVENTS, _unknown_event(10), critical=False)
    puppet.event(11, Cover(open=True))
    world.run(0.1)
    unknown, cover = world.told(EventArrived)
    assert unknown.body == _unknown_event(10)
    assert not unknown.critical
    assert cover.number == 11
    assert world.host.phase == "running"


def test_a_critical_unknown_event_disarms_until_a_person_clears_it() -> None:
    world, puppet = known()
    world.reach()
    puppet.payload(Channel.EVENTS, _unknown_event(10), critical=True)
    world.run(0.1)
    world.want(Permit(7))
    world.run(1)
    assert world.told(EventArrived)[0].critical
    assert world.host.phase == "catching up"
    assert puppet.told[-1:] == [Disarm()]
    assert puppet.named("event_commit")[-1].number == 10
    puppet.vitals = Vitals(newest=10, cards=4)
    world.host_again(hold=True)
    world.run(1)
    assert world.host.phase == "catching up"
    assert puppet.told[-1:] == [Resume(11)]
    world.host_again()
    world.reach()


def test_a_critical_message_without_a_number_ends_the_session() -> None:
    world, puppet = known()
    world.reach()
    puppet.payload(Channel.EVENTS, bytes([0xBA, 0x06, 0x01, 0x00]), critical=True)
    world.run(0.1)
    assert world.told(Down)[0].reason == "unreadable"


def test_only_changes_are_sent_and_the_newest_wins() -> None:
    world, puppet = known()
    world.want(Prompt("one", 0), Prompt("two", 0), KeyLamps(1))
    world.reach()
    before = len(puppet.told)
    world.want(Prompt("two", 0), KeyLamps(1))
    world.want(KeyLamps(3), KeyLamps(3))
    world.run(0.1)
    assert Prompt("one", 0) not in puppet.told
    assert puppet.told[before:] == [KeyLamps(3)]


def test_permit_and_lock_are_one_wish() -> None:
    world, puppet = known()
    world.want(Permit(5), Lock())
    world.reach()
    world.run(0.1)
    assert Permit(5) not in puppet.told
    assert puppet.told[-1] == Lock()


def test_a_wish_in_flight_is_superseded_by_the_newest_only() -> None:
    world, puppet = known()
    world.reach()
    for up_to in range(1, 200):
        world.host.want(Permit(up_to))
    world.want(Permit(200))
    world.run(0.1)
    assert [record for record in puppet.told if isinstance(record, Permit)] == [Permit(200)]


def test_moments_are_told_once() -> None:
    world, puppet = known()
    world.reach()
    world.want(Buzz(100), Buzz(100))
    world.run(0.1)
    assert puppet.told.count(Buzz(100)) == 2


def test_lamps_are_leased_anew_in_time() -> None:
    hello = {"device_class": DeviceClass.SENSORS, **KNOWN}
    expected = Expected(DeviceClass.SENSORS, "SH-1")
    world, puppet = stage(Journal(log=LOG, newest=9), hello, expected=expected)
    lamps = Lamps(4000, bytes(54))
    world.want(lamps)
    world.reach()
    world.run(10.5)
    assert puppet.told.count(lamps) == 6
    other = Lamps(4000, bytes([1]) * 54)
    world.want(other)
    world.run(5)
    assert puppet.told.count(lamps) == 6
    assert puppet.told.count(other) == 3


@pytest.mark.parametrize(
    "status", [Status.RANGE, Status.REFUSED, Status.UNSUPPORTED, Status.FAILED, Status.BUSY]
)
def test_a_refused_wish_is_told(status: Status) -> None:
    world, puppet = known()
    puppet.answers[Permit] = status
    world.want(Permit(100))
    world.reach()
    world.run(0.1)
    assert world.told(CommandRefused) == [CommandRefused(Permit(100), status, "")]


def test_a_device_that_is_unarmed_behind_our_back_ends_the_session() -> None:
    world, puppet = known()
    world.reach()
    puppet.answers[Permit] = Status.UNARMED
    world.want(Permit(9))
    world.run(0.1)
    assert world.told(Down)[0].reason == "unarmed"


def test_actions_are_told_when_running_and_answered() -> None:
    world, puppet = known()
    key = world.act(Start(6))
    assert key == 21
    world.reach()
    world.run(0.1)
    assert puppet.told[-1] == Start(6)
    assert world.told(ActionEnded) == [ActionEnded(21, Status.DONE, "")]


def test_at_most_eight_actions_are_unanswered() -> None:
    world, puppet = known()
    puppet.answers[Start] = None
    world.reach()
    for _ in range(12):
        world.act(Start(6))
    world.run(0.1)
    assert puppet.told.count(Start(6)) == 8


def test_action_keys_must_grow() -> None:
    world, _puppet = known()
    with pytest.raises(Misuse, match="action key 20 is not above 20"):
        world.host.act(20, Start(6))


def test_an_action_that_this_session_recalls_is_not_sent() -> None:
    world, puppet = stage(Journal(log=LOG, newest=9, last_key=6, open_actions={6}), KNOWN)
    puppet.answers[Recall] = Status.NEVER
    world.host.act(6, Start(6))
    world.reach()
    world.run(0.1)
    assert Start(6) not in puppet.told
    assert world.told(ActionEnded) == [ActionEnded(6, Status.NEVER, "")]


@pytest.mark.parametrize("record", [Resume(10), Arm(9), Permit(3)])
def test_an_unanswered_command_ends_the_session(record: Any) -> None:
    puppet = Puppet(START, **KNOWN)
    puppet.answers[type(record)] = None
    world = Stage(puppet, Journal(log=LOG, newest=9), patience=Patience(answer=2.0))
    world.want(Permit(3))
    world.reach("over")
    [down] = world.told(Down)
    assert down.reason == "unanswered"
    assert str(record) in down.text
    assert START + 2 <= world.now < START + 2.5


def test_cards_that_no_event_told_of_are_missed_once() -> None:
    world, puppet = known()
    world.reach()
    puppet.event(10, CardDrawn(5, "Ts"))
    puppet.vitals = type(puppet.vitals)(newest=10, cards=7)
    world.run(3)
    assert world.told(CardsMissing) == [CardsMissing(7, 5)]


def test_cards_whose_events_are_under_way_are_not_missed() -> None:
    world, puppet = known()
    world.reach()
    puppet.vitals = type(puppet.vitals)(newest=11, cards=6)
    world.run(2)
    assert not world.told(CardsMissing)


def test_cards_of_a_new_log_are_counted_from_its_hello() -> None:
    world, _puppet = stage(Journal(), {"newest": 9, "committed": 9, "cards": 40})
    world.run(3)
    assert world.told(Running)
    assert not world.told(CardsMissing)


def test_no_session_counts_only_after_a_second_of_silence() -> None:
    world, puppet = known()
    world.reach()
    world.run(0.3)
    puppet.say(tsl.Frame(no_session=NoSession()))
    world.run(0.3)
    assert world.host.phase == "running"
    puppet.reboot()
    world.reach("over", seconds=2)
    assert world.told(Down)[0].reason == "no session"


def test_a_host_that_is_not_alive_lets_its_session_die() -> None:
    world, puppet = known()
    world.reach()
    world.alive = False
    world.run(4)
    assert not puppet.installed


def test_goodbyes() -> None:
    world, puppet = known()
    world.reach()
    world.host.close(world.now)
    world.run(0.1)
    assert not puppet.installed
    assert world.host.phase == "over"
    world.host_again()
    world.reach()
    puppet.leave(ByeReason.UPDATE)
    world.reach("over", seconds=1)
    assert world.told(Down)[-1].reason == "bye"


def test_a_late_heartbeat_is_told_before_the_session_is_lost() -> None:
    world, puppet = known()
    world.reach()
    for alive, told in ((False, [Late(True)]), (True, [Late(True), Late(False)])):
        puppet.vitals = replace(puppet.vitals, alive=alive)
        world.run(2.2)
        assert world.told(Late) == told
        assert world.host.late(world.now) is not alive
    assert world.host.phase == "running"
    assert world.host.counters.late_heartbeats == 1


def test_a_dead_wire_ends_the_session_after_three_seconds() -> None:
    world, _puppet = known()
    world.reach()
    world.up.cut = world.down.cut = True
    start = world.now
    world.reach("over", seconds=5)
    assert world.told(Down)[0].reason == "heartbeat"
    assert 2.5 <= world.now - start <= 3.6

"""A host takes events: each once and in order, with what the log says about them."""

from typing import Any

import pytest

from drivers.link.endpoint import Vitals
from drivers.link.reports import CardsMissing, DeviceEvent, DeviceRunning, DeviceUp, Down, EventsMissing
from drivers.messages import CardDrawn, Cover, Disarm, Permit, Resume
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel
from tests.drivers.link.puppet import LOG
from tests.fixtures.link_pair import LinkJournal, known_pair, link_pair

HISTORY_TO_5 = [True, True, True, False]
HISTORY_TO_4 = [True, True, False, False]
RELATIONS = [
    (LinkJournal(), {"newest": 5, "committed": 2}, "new log", 3, HISTORY_TO_5),
    (LinkJournal(log=b"OLD-LOG.", newest=77), {"newest": 5, "committed": 2}, "new log", 3, HISTORY_TO_5),
    (LinkJournal(log=LOG, newest=2), {"newest": 5, "committed": 2}, "known", 3, [False] * 4),
    (LinkJournal(log=LOG, newest=2), {"newest": 5, "committed": 1}, "known", 3, [False] * 4),
    (LinkJournal(log=LOG, newest=2), {"newest": 5, "committed": 4}, "served elsewhere", 3, HISTORY_TO_4),
]


@pytest.mark.parametrize(("journal", "hello", "relation", "first", "history"), RELATIONS)
def test_the_hello_and_the_journal_decide_how_the_log_is_continued(
    journal: LinkJournal, hello: dict[str, Any], relation: str, first: int, history: list[bool]
) -> None:
    world, puppet = link_pair(journal, hello)
    world.reach("catching up")
    world.run(0.1)
    assert puppet.commands[0] == Resume(first)
    for number in range(first, 7):
        puppet.event(number, Cover(open=True))
    world.reach()
    world.run(0.1)
    assert world.events_of(DeviceUp)[0].relation == relation
    assert [event.number for event in world.events_of(DeviceEvent)] == list(range(first, 7))
    assert [event.history for event in world.events_of(DeviceEvent)] == history


def test_events_come_once_and_in_order() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.event(8, Cover(open=True))
    puppet.event(9, Cover(open=True))
    puppet.event(10, Cover(open=False))
    puppet.event(10, Cover(open=True))
    puppet.event(11, Cover(open=True))
    world.run(0.5)
    assert world.host.counters.repeats == 3
    assert [(e.number, e.body) for e in world.events_of(DeviceEvent)] == [
        (10, Cover(open=False)),
        (11, Cover(open=True)),
    ]


def test_a_gap_ends_the_session() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.event(11, Cover(open=True))
    world.run(0.1)
    assert world.events_of(Down) == [Down("gap", "event 11 came, but 10 was due")]
    assert "gap" in str(puppet.heard[-1])
    assert not puppet.installed


@pytest.mark.parametrize(
    ("first", "last", "expected"), [(10, 12, 10), (3, 12, 10), (12, 12, None), (3, 9, 0)]
)
def test_lost_events_count_from_the_next_one(first: int, last: int, expected: int | None) -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.lost(first, last)
    world.run(0.6)
    if expected is None:
        assert world.events_of(Down)[0].reason == "gap"
    elif expected == 0:
        assert not world.events_of(EventsMissing)
    else:
        assert world.events_of(EventsMissing) == [EventsMissing("", LOG, expected, 12)]
        puppet.event(13, Cover(open=True))
        world.run(0.1)
        assert world.events_of(DeviceEvent)[-1].number == 13


def _unknown_event(number: int) -> bytes:
    """An event with a body of field 99, which nobody here knows."""
    frame = tsl.Frame()
    frame.event.number = number
    frame.event.boot = bytes(8)
    event = frame.event.SerializeToString() + bytes([0x9A, 0x06, 0x01, 0x00])
    return bytes([0x82, 0x01, len(event)]) + event


def test_an_unknown_event_keeps_its_number() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.payload(Channel.EVENTS, _unknown_event(10), critical=False)
    puppet.event(11, Cover(open=True))
    world.run(0.1)
    unknown, cover = world.events_of(DeviceEvent)
    assert unknown.body == _unknown_event(10)
    assert not unknown.critical
    assert world.host.counters.unknown == 1
    assert cover.number == 11
    assert world.host.phase == "running"


def test_a_critical_unknown_event_disarms_until_a_person_clears_it() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.payload(Channel.EVENTS, _unknown_event(10), critical=True)
    puppet.vitals = Vitals(newest=10, committed=9, cards=4)
    world.run(0.1)
    world.want(Permit(7))
    world.run(1)
    assert world.events_of(DeviceEvent)[0].critical
    assert world.host.phase == "catching up"
    assert puppet.commands[-1:] == [Disarm()]
    assert puppet.named("event_commit")[-1].number == 10
    puppet.vitals = Vitals(newest=10, committed=10, cards=4)
    world.host_again(hold=True)
    world.run(1)
    assert world.host.phase == "catching up"
    assert puppet.commands[-1:] == [Resume(11)]
    world.host_again()
    world.reach()


def test_an_unreadable_event_with_a_number_is_journaled_as_bytes() -> None:
    world, puppet = known_pair()
    world.reach()
    card = tsl.Frame(event={"number": 10, "uptime_us": 5, "card_drawn": {"count": 5, "card": "1s"}})
    puppet.payload(Channel.EVENTS, card.SerializeToString(), critical=True)
    puppet.event(11, Cover(open=True))
    world.run(0.1)
    unreadable, cover = world.events_of(DeviceEvent)
    assert (unreadable.number, unreadable.uptime_us, unreadable.critical) == (10, 5, True)
    assert unreadable.body == card.SerializeToString()
    assert (world.host.counters.message, world.host.counters.unknown) == (1, 0)
    assert cover.number == 11


def test_a_critical_message_without_a_number_ends_the_session() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.payload(Channel.EVENTS, bytes([0xBA, 0x06, 0x01, 0x00]), critical=True)
    world.run(0.1)
    assert world.events_of(Down)[0].reason == "unreadable"


def test_cards_that_no_event_told_of_are_missed_once() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.event(10, CardDrawn(5, "Ts"))
    puppet.vitals = Vitals(newest=10, committed=9, cards=7)
    world.run(3)
    assert world.events_of(CardsMissing) == [CardsMissing("", 7, 5)]


def test_cards_whose_events_are_under_way_are_not_missed() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.vitals = Vitals(newest=11, committed=9, cards=6)
    world.run(2)
    assert not world.events_of(CardsMissing)


def test_cards_of_a_new_log_are_counted_from_its_hello() -> None:
    world, _puppet = link_pair(LinkJournal(), {"newest": 49, "committed": 49, "cards": 40})
    world.run(3)
    assert world.events_of(DeviceRunning)
    assert not world.events_of(CardsMissing)

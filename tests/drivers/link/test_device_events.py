"""A device's events: in order from Resume on, kept until they are committed."""

import pytest

from drivers.link.frames import Deframer, WireFrame
from drivers.messages import Booted, CardUnpermitted, Cover, Empty, Loaded, Permit, Resume
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Mode, Status
from tests.drivers.link.bench import Bench


def test_events_come_in_order_from_resume_on_and_reading_is_not_destructive() -> None:
    bench = Bench()
    for _ in range(200):
        bench.card()
    for following in (1, 150, 201, 202):
        bench.begin(following)
        bench.exchange(3)
        assert list(bench.events()) == list(range(following, 202))


def test_nothing_is_sent_before_resume() -> None:
    bench = Bench()
    bench.shake()
    bench.card()
    bench.exchange(0.4)
    assert bench.events() == {}
    assert bench.say(Resume(2)) == Status.DONE
    bench.exchange()
    assert list(bench.events()) == [2]
    bench.card()
    bench.exchange()
    assert list(bench.events()) == [2, 3]


def test_the_resume_of_an_older_session_sends_nothing_in_a_new_one() -> None:
    bench = Bench()
    bench.begin()
    bench.exchange()
    bench.shake()
    bench.card()
    bench.exchange(0.4)
    assert bench.events() == {}


def test_card_events_and_tamper_are_critical_others_are_not() -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.device.record(CardUnpermitted(2, "Ah"), bench.now)
    bench.device.record(Loaded(8), bench.now)
    bench.device.record(Empty(), bench.now)
    sent = [item for item in Deframer().feed(bench.device.take(bench.now)) if isinstance(item, WireFrame)]
    flags = [frame.flags for frame in sent if frame.channel == Channel.EVENTS]
    assert flags == [Flag.CRITICAL, Flag.CRITICAL, 0, 0]


@pytest.mark.parametrize("over", ["commit", "heartbeat"])
def test_commits_below_and_above_change_nothing(over: str) -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.commit(1)
    assert bench.memory.committed == 1
    bench.commit(0)
    assert bench.memory.committed == 1
    if over == "commit":
        bench.commit(99)
    else:
        bench.committed = 99
        bench.exchange(0.6)
    assert bench.memory.committed == 1
    assert bench.device.counters.commit > 0


def test_heartbeats_repeat_the_commit() -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.committed = 2
    bench.exchange(0.6)
    assert bench.memory.committed == 2


def test_no_card_may_start_with_64_slots_left_and_the_heartbeat_says_so() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.exchange(0.6)
    while bench.memory.free > 65:
        bench.card()
    bench.say(Permit(bench.memory.cards + 10))
    assert bench.device.permitted == 10
    bench.card()
    assert bench.device.permitted == 0
    bench.exchange(0.6)
    assert bench.host.peer is not None
    assert (bench.host.peer.mode, bench.host.peer.free) == (Mode.RING_FULL, 64)
    bench.commit(bench.memory.newest)
    assert bench.device.permitted == 9


def test_every_boot_is_recorded() -> None:
    bench = Bench()
    bench.boot()
    bench.begin()
    bench.exchange()
    assert list(bench.events().values()) == [Booted(1), Booted(2)]


def test_uptime_and_boot_are_in_each_event() -> None:
    bench = Bench()
    bench.begin()
    bench.now += 1.5
    bench.device.record(Cover(True), bench.now)
    bench.exchange()
    [event] = [
        item.message
        for item in bench.heard
        if hasattr(item, "message") and isinstance(item.message, tsl.Event) and item.message.number == 2
    ]
    assert event.uptime_us == pytest.approx(1_500_000 + 20_000 * 1, abs=25_000)
    assert len(event.boot) == 8

"""A device that sends impossible numbers: the host names them, none of them reaches the journal, and a sound
device on the same journal runs at once."""

from typing import Any

import pytest

from drivers.errors import DeviceFault
from drivers.link.commands import CommandKeys
from drivers.link.endpoint import Vitals
from drivers.link.facts import Expected
from drivers.link.frames import WireFrame, encode
from drivers.link.limits import HIGHEST, STEP
from drivers.link.reports import ActionEnded, DeviceEvent, DeviceRefused, DeviceUp, Down, EventsMissing
from drivers.messages import Cover, Permit, Start
from drivers.protocol.codes import Channel, DeviceClass, Status
from drivers.sim.link.memory import Memory, MissingEvents
from tests.drivers.link.puppet import LOG
from tests.drivers.link.rig import Rig
from tests.fixtures.link_pair import START, LinkJournal, LinkPair, known_pair, link_pair

ONES = 2**64 - 1
"""The content of erased flash."""
TOP = 2**53 - 1
"""The greatest number that a message can carry."""
AT_ONCE = 2.0
IMPOSSIBLE = [
    ({"last_key": TOP}, f"last_key {TOP} is not possible"),
    ({"last_key": HIGHEST + 1}, f"last_key {HIGHEST + 1} is not possible"),
    ({"newest": TOP}, f"newest {TOP} is not possible"),
    ({"newest": 0}, "newest is 0, and Booted is event 1"),
    ({"newest": 9, "oldest": 11}, "oldest 11 does not fit newest 9"),
    ({"newest": 9, "oldest": 0}, "oldest 0 does not fit newest 9"),
    ({"newest": 1, "committed": 50}, "committed 50 is above newest 1"),
    ({"newest": 9, "cards": 9}, "cards 9 for newest 9, and each card is an event"),
]
SIZES = [
    ({"log": b"abc"}, "Hello.log has 3 bytes, must have 8"),
    ({"log": b""}, "log has 0 bytes, must have 8"),
    ({"log": bytes(9)}, "Hello.log has 9 bytes, must have 8"),
    ({"boot": b"abcdefg"}, "Hello.boot has 7 bytes, must have 8"),
    ({"boot": b""}, "boot has 0 bytes, must have 8"),
    ({"nonce": b"short"}, "Hello.nonce has 5 bytes, must have 16"),
    ({"nonce": b""}, "nonce has 0 bytes, must have 16"),
    ({"minor": 1, "schema": b""}, "schema has 0 bytes, must have 8"),
]


def _a_sound_device_runs_on(journal: LinkJournal, sound: Rig) -> LinkPair:
    world = LinkPair(sound, journal)
    world.reach(seconds=AT_ONCE)
    assert world.events_of(DeviceUp)
    return world


@pytest.mark.parametrize(("hello", "clause"), IMPOSSIBLE)
def test_a_hello_that_cannot_be_poisons_nothing(hello: dict[str, Any], clause: str) -> None:
    """The device is repaired, or replaced by a sound one with the same serial number."""
    sound = Rig(START)
    journal = _a_sound_device_runs_on(LinkJournal(), sound).journal
    before = journal.bookmark()
    world, puppet = link_pair(journal, hello)
    world.run(1.0)
    assert world.host_events == [
        DeviceRefused("hello", f"answers, but its Hello cannot be used: {clause}: format its memory")
    ]
    [refuse] = puppet.named("refuse")
    assert refuse.text == world.events_of(DeviceRefused)[0].text[:80]
    assert not puppet.named("proof")
    assert journal.bookmark() == before
    sound.boot(START)
    _a_sound_device_runs_on(journal, sound)


def test_a_device_of_all_ones_never_has_a_session() -> None:
    """A real device like the sound one; only its memory was erased."""
    bad = Rig(START)
    bad.memory.last_key = ONES
    world = LinkPair(bad)
    world.run(5.0)
    [refused] = world.host_events
    assert f"Hello.last_key {ONES} is above {TOP}: format its memory" in str(refused)
    assert (world.journal, bad.link.counters.sessions) == (LinkJournal(), 0)
    bad.memory.format()
    bad.boot(START)
    _a_sound_device_runs_on(world.journal, bad)


@pytest.mark.parametrize(("hello", "clause"), SIZES)
def test_a_hello_with_a_wrong_size_is_named(hello: dict[str, Any], clause: str) -> None:
    world, puppet = link_pair(hello=hello)
    world.run(1.0)
    text = f"answers, but its Hello cannot be used: {clause}: update its firmware"
    assert world.host_events == [DeviceRefused("hello", text)]
    assert not puppet.named("proof")


def test_a_hello_that_is_no_message_is_named() -> None:
    world, puppet = link_pair()
    puppet.silent.add("hello")
    world.run(0.01)
    world.up.put(encode(WireFrame(0, Channel.CONTROL, 0, 0, 0, b"\x0a\xff")), world.now)
    world.run(0.1)
    text = "answers, but its Hello cannot be used: a varint runs past the end: update its firmware"
    assert world.host_events == [DeviceRefused("hello", text)]


def test_cards_of_what_is_no_shoe_are_refused() -> None:
    display = {"device_class": DeviceClass.DISPLAY, "newest": 9, "cards": 3}
    world, _puppet = link_pair(hello=display)
    world.run(1.0)
    assert "cards 3, and it is not a shoe: format its memory" in str(world.host_events)


def test_a_loss_beyond_what_exists_moves_no_journal() -> None:
    """The host accepts the claim as far as the device's numbers go; the next heartbeat contradicts the
    rest."""
    world, puppet = known_pair(newest=12)
    world.reach("catching up")
    puppet.lost(1, TOP, exist=False)
    world.run(1.0)
    assert world.events_of(EventsMissing) == [EventsMissing("", LOG, 10, 12)]
    assert world.events_of(Down) == [Down("gap", f"its heartbeat says newest 12, after {TOP} was lost")]
    assert world.journal.newest == 12


class Forgetful(Memory):
    """Reports the loss of every event up to an impossible one."""

    def read(self, number: int) -> MissingEvents:
        return MissingEvents(number, TOP)


def test_a_device_that_loses_what_it_never_had_moves_no_journal() -> None:
    sound, bad = Rig(START), Rig(START)
    journal = _a_sound_device_runs_on(LinkJournal(), sound).journal
    before = journal.bookmark()
    bad.memory = Forgetful()
    bad.memory.log, bad.memory.committed = sound.memory.log, sound.memory.committed
    bad.memory.newest = sound.memory.newest - 1
    bad.boot(START)
    bad.event(Cover(open=True), START)
    world = LinkPair(bad, journal)
    world.retry = True
    world.run(5.0)
    assert {down.reason for down in world.events_of(Down)} == {"gap"}
    assert journal.events[-1] == EventsMissing("", sound.memory.log, before.newest + 1, bad.memory.newest)
    sound.memory.newest = journal.newest
    sound.boot(START)
    _a_sound_device_runs_on(journal, sound)


def test_a_loss_that_a_heartbeat_confirms_is_taken() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.lost(10, 12)
    assert not world.events_of(EventsMissing)
    puppet.lost(13, 14)
    world.run(0.6)
    assert world.events_of(EventsMissing) == [EventsMissing("", LOG, 10, 14)]
    assert world.journal.newest == 14


def test_a_loss_that_the_event_behind_it_confirms_is_taken() -> None:
    world, puppet = known_pair()
    world.reach()
    world.run(0.02)
    puppet.lost(10, 12)
    puppet.event(13, Cover(open=True))
    world.run(0.05)
    assert world.journal.events == [EventsMissing("", LOG, 10, 12), world.events_of(DeviceEvent)[0]]
    assert world.journal.newest == 13


@pytest.mark.parametrize("number", [11, 14, HIGHEST])
def test_an_event_that_gives_the_lie_to_a_loss_is_a_gap(number: int) -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.lost(10, 12, exist=False)
    puppet.event(number, Cover(open=True))
    world.run(0.05)
    assert world.events_of(Down) == [Down("gap", f"event {number} came, but 13 was due")]
    assert not world.journal.events


def test_no_event_is_far_above_what_existed() -> None:
    far = 9 + STEP
    world, puppet = known_pair()
    world.reach()
    puppet.lost(10, far, exist=False)
    puppet.event(far + 1, Cover(open=True))
    world.run(0.05)
    assert world.events_of(Down)[0].reason == "gap"


@pytest.mark.parametrize(("first", "last"), [(0, 12), (12, 10), (11, 12), (0, 0)])
def test_a_loss_out_of_order_is_a_gap(first: int, last: int) -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.lost(first, last)
    world.run(0.05)
    assert world.events_of(Down)[0].reason == "gap"
    assert not world.journal.events


HEARTBEATS = [
    (Vitals(newest=8, committed=9, cards=4), "newest 8, after 9"),
    (Vitals(newest=9, committed=8, cards=4), "committed 8, after 9"),
    (Vitals(newest=9, committed=9, cards=3), "cards 3, after 4"),
    (Vitals(newest=12, committed=13, cards=4), "committed 13, newest 12"),
    (Vitals(newest=12, committed=9, cards=12), "cards 12, newest 12: each card is an event"),
    (Vitals(newest=TOP, committed=9, cards=4), f"newest {TOP}, where at most {9 + STEP} is possible"),
]


@pytest.mark.parametrize(("vitals", "clause"), HEARTBEATS)
def test_a_heartbeat_that_contradicts_itself_ends_the_session(vitals: Vitals, clause: str) -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.vitals = vitals
    world.run(1.0)
    assert Down("gap", f"its heartbeat says {clause}") in world.host_events
    assert world.journal.newest == 9


def test_keys_far_above_what_a_device_has_seen_do_not_count() -> None:
    """The journal has the keys from a device that sent wrong numbers within the bounds; a sound device would
    refuse them."""
    sound = Rig(START, DeviceClass.SHUFFLER)
    journal = LinkJournal(last_key=2**51)
    world = LinkPair(sound, journal, expected=Expected(DeviceClass.SHUFFLER, "SH-1"))
    world.reach(seconds=AT_ONCE)
    key = world.act(Start(1))
    world.run(0.2)
    assert key < 10
    assert world.events_of(ActionEnded) == [ActionEnded("", key, Status.DONE, "")]


def test_keys_that_are_used_up_are_named() -> None:
    keys = CommandKeys(HIGHEST - 1)
    assert keys.next() == HIGHEST
    with pytest.raises(DeviceFault, match="its keys are used up: format its memory"):
        keys.next()


@pytest.mark.parametrize("last_key", [HIGHEST, HIGHEST - STEP + 1])
def test_a_device_whose_keys_are_used_up_is_named_before_anything_is_journaled(last_key: int) -> None:
    world, _puppet = link_pair(hello={"last_key": last_key})
    world.run(1.0)
    assert world.host_events == [Down("keys", "its keys are used up: format its memory")]
    assert world.journal == LinkJournal()


def test_a_device_with_just_enough_keys_runs() -> None:
    world, _puppet = known_pair(last_key=HIGHEST - STEP)
    world.reach()


def test_a_host_without_keys_ends_its_session_with_a_word() -> None:
    world, puppet = known_pair()
    world.reach()
    world.keys.skip_to(HIGHEST)
    world.want(Permit(7))
    world.run(0.1)
    assert world.events_of(Down) == [Down("keys", "its keys are used up: format its memory")]
    assert not puppet.installed

"""Sealed handshakes with somebody in the middle, replays, reflections, other keys and clones: a session with
the right device or none, and a refusal that says what to do."""

from dataclasses import dataclass
from typing import Any

import pytest

from drivers.link.frames import Deframer, WireFrame
from drivers.link.reports import DeviceRefused, DeviceUp
from drivers.messages import Tamper
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import SCHEMA, DeviceClass, Seal, Side
from tests.drivers.link.middle import Change, Middle, rewriting, untouched
from tests.drivers.link.puppet import LOG, Puppet
from tests.drivers.link.rig import KEY, Rig
from tests.fixtures.link_pair import START, LinkJournal, LinkPair

OTHER = bytes(reversed(KEY))
ADVICE = ("update", "provision", "check cables", "unplug", "format", "set seal")
"""Every refusal contains one of these: what to do."""
HOST_HELLO: list[tuple[str, Any, str]] = [
    ("side", Side.DEVICE, ""),
    ("major", 2, "version"),
    ("minor", 3, ""),
    ("schema", bytes(8), "schema"),
    ("seal", Seal.NONE, "seal"),
    ("seal", 0, "seal"),
    ("nonce", bytes(16), ""),
    ("nonce", b"short", ""),
    ("id", "SH-2", ""),
    ("cards", 9, ""),
]
DEVICE_HELLO: list[tuple[str, Any, str]] = [
    ("side", Side.HOST, ""),
    ("major", 2, "version"),
    ("minor", 3, ""),
    ("schema", bytes(8), "schema"),
    ("seal", Seal.NONE, "seal"),
    ("nonce", bytes(16), ""),
    ("echo", bytes(16), ""),
    ("boot", bytes(8), ""),
    ("id", "SH-2", "identity"),
    ("device_class", DeviceClass.DISPLAY, "identity"),
    ("hardware", "x", ""),
    ("firmware", "0.1", ""),
    ("reset", 5, ""),
    ("log", bytes(8), ""),
    ("oldest", 7, "hello"),
    ("newest", 900, ""),
    ("committed", 900, "hello"),
    ("last_key", 900, ""),
    ("cards", 900, "hello"),
]
PROOFS: list[tuple[str, Any]] = [
    ("side", 3),
    ("transcript", bytes(8)),
    ("mac", bytes(32)),
    ("mac", b""),
    ("share", b""),
    ("share", b"\7" * 31),
    ("share", b"\7" * 32),
    ("share", bytes(32)),
]


@dataclass
class Meeting:
    """Both real ends, sealed, with an attacker between them."""

    stage: LinkPair
    rig: Rig
    down: Middle
    up: Middle

    def leave(self) -> None:
        """The attacker only listens from now on."""
        self.down.change = self.up.change = untouched


def middle(down: Change = untouched, up: Change = untouched, **options: Any) -> Meeting:
    rig = Rig(START)
    stage = LinkPair(rig, **options)
    meeting = Meeting(stage, rig, Middle(down), Middle(up))
    stage.down, stage.up = meeting.down, meeting.up
    return meeting


def outcome(meeting: Meeting, reason: str) -> None:
    """No session while the attacker is there; a refusal with this name where one is due; all is well
    afterwards."""
    stage, rig = meeting.stage, meeting.rig
    for _ in range(6):
        stage.run(0.5)
        assert stage.host.phase not in ("catching up", "running")
        if stage.host.phase == "over":
            stage.host_again()
    refusals = stage.events_of(DeviceRefused)
    assert bool(refusals) == bool(reason)
    assert {refused.reason for refused in refusals} <= {reason}
    assert all(any(advice in refused.text for advice in ADVICE) for refused in refusals)
    assert not rig.body.done
    meeting.leave()
    stage.retry = True
    stage.reach(seconds=10)


@pytest.mark.parametrize(("field", "value", "reason"), HOST_HELLO)
def test_one_field_of_the_host_s_hello_is_changed(field: str, value: Any, reason: str) -> None:
    outcome(middle(down=rewriting("hello", field, value)), reason)


@pytest.mark.parametrize(("field", "value", "reason"), DEVICE_HELLO)
def test_one_field_of_the_device_s_hello_is_changed(field: str, value: Any, reason: str) -> None:
    outcome(middle(up=rewriting("hello", field, value)), reason)


def _reason_of(field: str, value: Any) -> str:
    """A share of another size is dropped like a Proof of another transcript; one of the right size makes the
    mac wrong."""
    return "proof" if field == "mac" or (field == "share" and len(value) == 32) else ""


@pytest.mark.parametrize(("field", "value"), PROOFS)
def test_the_host_s_proof_is_changed(field: str, value: Any) -> None:
    outcome(middle(down=rewriting("proof", field, value)), _reason_of(field, value))


@pytest.mark.parametrize(("field", "value"), PROOFS)
def test_the_device_s_proof_is_changed(field: str, value: Any) -> None:
    """The device has its session, and loses it to the next proved one."""
    outcome(middle(up=rewriting("proof", field, value)), _reason_of(field, value))


def test_an_old_conversation_is_played_to_a_device() -> None:
    """Its Hello gets an answer with a new nonce, its Proof none: no session begins, and none ends."""
    meeting = middle()
    stage, rig = meeting.stage, meeting.rig
    stage.reach()
    old = [b"\0" + run + b"\0" for run in meeting.down.seen]
    stage.host_again()
    stage.reach()
    sessions, before = rig.link.counters.sessions, rig.link.counters.handshake
    for run in old * 3:
        rig.link.feed(run, stage.now)
        rig.link.take(stage.now)
    assert rig.link.counters.sessions == sessions
    assert rig.link.counters.handshake - before == 3
    assert rig.link.armed
    rig.boot(stage.now)
    for run in old * 3:
        rig.link.feed(run, stage.now)
    assert not rig.link.installed


def test_an_old_conversation_is_played_to_a_host() -> None:
    meeting = middle()
    stage, rig = meeting.stage, meeting.rig
    stage.reach()
    old = [b"\0" + run + b"\0" for run in meeting.up.seen]
    meeting.down.change = lambda _: None
    stage.host_again()
    for _ in range(8):
        for run in old:
            assert stage.host.feed(run, stage.now) == []
        stage.run(0.25)
    assert stage.host.phase == "hello"
    assert stage.host.counters.handshake == 8 * len(old)
    meeting.leave()
    stage.reach()
    assert rig.link.installed


@pytest.mark.parametrize("phase", ["hello", "proof", "running"])
def test_who_hears_himself_takes_no_word_of_it(phase: str) -> None:
    meeting = middle()
    stage, rig = meeting.stage, meeting.rig
    stage.reach(phase)
    stage.run(0.001)
    for line, feed in ((meeting.down, stage.host.feed), (meeting.up, rig.link.feed)):
        for run in line.seen * 2:
            feed(b"\0" + run + b"\0", stage.now)
    assert not stage.events_of(DeviceRefused)
    stage.reach(seconds=10)
    assert len(stage.events_of(DeviceUp)) == 1


def test_a_device_with_another_key_is_refused() -> None:
    meeting = middle(key=OTHER)
    stage, rig = meeting.stage, meeting.rig
    stage.reach("over")
    [refused] = stage.events_of(DeviceRefused)
    assert refused.reason == "proof"
    assert "provision both with one key" in refused.text
    assert not rig.link.installed
    stage.host_again(key=KEY)
    stage.reach()
    assert Tamper(2, 1) in [event.body for event in stage.host_events if hasattr(event, "body")]


def test_a_device_without_the_key_cannot_answer_the_proof() -> None:
    """It sends what a sealed device sends, but its proof is not of our key."""
    puppet = Puppet(START, seal=Seal.SEALED)
    stage = LinkPair(puppet, key=KEY)
    stage.reach("over")
    [refused] = stage.events_of(DeviceRefused)
    assert refused.reason == "proof"
    assert "provision it again" in refused.text


def test_a_device_that_offers_no_seal_to_a_table_that_seals() -> None:
    stage = LinkPair(Puppet(START), key=KEY)
    stage.reach("over")
    [refused] = stage.events_of(DeviceRefused)
    assert refused.reason == "seal"
    assert "provision both" in refused.text


def test_a_table_that_offers_no_seal_to_a_device_with_a_key() -> None:
    meeting = middle(key=b"")
    stage, rig = meeting.stage, meeting.rig
    stage.reach("over")
    [refused] = stage.events_of(DeviceRefused)
    assert refused.reason == "seal"
    assert any(advice in refused.text for advice in ADVICE)
    assert not rig.link.installed


def test_a_clone_on_a_second_port_is_refused_and_both_ports_are_named() -> None:
    meeting = middle()
    stage, rig = meeting.stage, meeting.rig
    stage.reach()
    clone = Rig(START)
    clone.memory.log, clone.memory.newest = rig.memory.log, rig.memory.newest
    second = LinkPair(clone, other_ports=lambda serial: f"on ports A and B as {serial}")
    second.reach("over")
    [refused] = second.events_of(DeviceRefused)
    assert (refused.reason, "on ports A and B" in refused.text) == ("duplicate", True)
    assert refused.proved
    assert not clone.link.armed


def test_a_clone_that_comes_later_has_the_memory_of_before() -> None:
    journal = LinkJournal(log=LOG, newest=40)
    clone = Rig(START)
    clone.memory.log = LOG
    stage = LinkPair(clone, journal)
    stage.reach("over")
    [refused] = stage.events_of(DeviceRefused)
    assert refused.reason == "memory"
    assert "rolled back" in refused.text


def test_the_schema_is_compared_only_within_a_minor_version() -> None:
    """Nobody in the middle can talk both ends into an older version: it is in the transcript."""
    outcome(middle(down=rewriting("hello", "minor", 1), up=rewriting("hello", "schema", SCHEMA)), "")


def test_no_handshake_message_tells_a_key() -> None:
    meeting = middle()
    meeting.stage.reach()
    traffic = b"".join([*meeting.down.seen, *meeting.up.seen])
    runs = [item for item in Deframer().feed(b"\0".join([traffic, b""])) if isinstance(item, WireFrame)]
    assert KEY not in traffic
    assert all(KEY not in run.payload for run in runs)
    assert {tsl.Frame.FromString(decoded).WhichOneof("message") for decoded in _payloads(meeting)} == {
        "hello",
        "proof",
    }


def _payloads(meeting: Meeting) -> list[bytes]:
    seen = [*meeting.down.seen, *meeting.up.seen]
    frames = Deframer().feed(b"\0" + b"\0".join(seen) + b"\0")
    return [frame.payload for frame in frames if isinstance(frame, WireFrame)]

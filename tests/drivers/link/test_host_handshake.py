"""The host's half of the handshake: repeats, what it drops, whom it declines and with which words."""

from typing import Any

import pytest

from drivers.link.reports import DeviceRefused, DeviceRunning, DeviceUp, Down
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, RefuseReason, Seal, Side
from tests.drivers.link.puppet import LOG
from tests.fixtures.link_pair import LinkJournal, link_pair


def test_a_silent_line_gets_eight_hellos_a_nonce() -> None:
    world, puppet = link_pair()
    puppet.silent.add("hello")
    world.run(4.1)
    nonces = [hello.nonce for hello in puppet.named("hello")]
    assert nonces == [nonces[0]] * 8 + [nonces[8]] * 8 + [nonces[16]]
    assert len(set(nonces)) == 3


def test_silence_ends_the_attempt() -> None:
    world, puppet = link_pair()
    puppet.silent.add("hello")
    world.reach("over", seconds=11)
    assert world.events_of(Down) == [Down("silent", "no answer for 10 s")]


def test_host_says_who_it_is() -> None:
    world, puppet = link_pair()
    world.reach()
    hello = puppet.named("hello")[0]
    assert (hello.side, hello.major, hello.seal, len(hello.nonce)) == (Side.HOST, 1, Seal.NONE, 16)
    assert not hello.id
    assert not hello.log


@pytest.mark.parametrize(
    "fields",
    [
        {"echo": bytes(16)},
        {"side": Side.HOST},
    ],
)
def test_a_hello_that_is_not_for_us_is_dropped(fields: dict[str, Any]) -> None:
    world, puppet = link_pair(hello=fields)
    world.run(0.9)
    assert world.host.phase == "hello"
    assert not puppet.named("proof")
    assert world.host_events == []
    assert world.host.counters.handshake == len(puppet.named("hello")) == 4


def test_our_own_words_echoed_by_a_loop_plug_are_dropped() -> None:
    world, puppet = link_pair()
    puppet.silent.add("hello")
    world.run(0.01)
    echo = tsl.Frame(hello=puppet.named("hello")[0])
    puppet.say(echo)
    world.run(0.5)
    assert world.host.phase == "hello"


@pytest.mark.parametrize("step", ["hello", "proof"])
def test_a_lost_answer_is_asked_for_again(step: str) -> None:
    world, puppet = link_pair()
    puppet.silent.add(step)
    world.run(0.6)
    assert len(puppet.named(step)) == 3
    puppet.silent.clear()
    world.reach(seconds=1)
    assert len(puppet.named(step)) == 4


def test_eight_proofs_in_vain_start_all_over() -> None:
    world, puppet = link_pair()
    puppet.silent.add("proof")
    world.run(2.2)
    assert len(puppet.named("proof")) in (8, 9)
    assert puppet.named("hello")[0].nonce != puppet.named("hello")[1].nonce
    puppet.silent.clear()
    world.reach(seconds=1)


def test_a_proof_of_another_transcript_is_dropped() -> None:
    world, puppet = link_pair()
    puppet.proof = {"transcript": bytes(8)}
    world.run(0.9)
    assert world.host.phase == "proof"
    assert world.host.counters.handshake == len(puppet.named("proof")) == 4


def test_a_wrong_proof_is_refused() -> None:
    world, puppet = link_pair()
    puppet.proof = {"mac": bytes(32)}
    world.run(0.1)
    assert world.events_of(DeviceRefused)[0].reason == "proof"
    assert puppet.named("refuse")[0].reason == RefuseReason.PROOF


REFUSALS: list[tuple[dict[str, Any], RefuseReason, str]] = [
    ({"major": 2}, RefuseReason.VERSION, "speaks TSL/2, we TSL/1: update the older of the two"),
    ({"schema": bytes(8)}, RefuseReason.SCHEMA, "update its firmware"),
    ({"seal": Seal.SEALED}, RefuseReason.SEAL, "set seal and key"),
    ({"id": "SH-9"}, RefuseReason.IDENTITY, "says it is shoe SH-9, expected shoe SH-1: check cables"),
    (
        {"device_class": DeviceClass.CONSOLE},
        RefuseReason.IDENTITY,
        "says it is console SH-1, expected shoe SH-1",
    ),
    ({"device_class": 77}, RefuseReason.IDENTITY, "says it is class 77 SH-1"),
    ({"newest": 0}, RefuseReason.HELLO, "newest is 0, and Booted is event 1"),
]
"""What is refused before the proof."""
ORDER: tuple[dict[str, Any], ...] = (
    {"major": 2},
    {"schema": bytes(8)},
    {"seal": Seal.SEALED},
    {"committed": 50},
    {"id": "SH-9"},
)
"""What is wrong before the proof, in the order in which it is found."""


@pytest.mark.parametrize(("fields", "reason", "words"), REFUSALS)
def test_who_is_not_welcome_is_told_why(fields: dict[str, Any], reason: RefuseReason, words: str) -> None:
    world, puppet = link_pair(LinkJournal(log=LOG, newest=9), {"newest": 9, **fields})
    world.run(0.1)
    [refused] = world.events_of(DeviceRefused)
    assert refused.reason == reason.name.lower()
    assert words in refused.text
    [refuse] = puppet.named("refuse")
    assert refuse.reason == reason
    assert refuse.echo == puppet.greet(b"").hello.nonce[:15] + b"\x01"
    assert refused.text.startswith(refuse.text)
    assert world.host.phase == "over"
    assert not refused.proved
    assert not puppet.named("proof")


def test_the_first_of_several_findings_before_the_proof_is_the_reason() -> None:
    reasons = []
    for first in range(len(ORDER)):
        wrong = {name: value for fields in ORDER[first:] for name, value in fields.items()}
        world, _puppet = link_pair(other_ports=lambda _serial: "on a and on b", hello=wrong)
        world.run(0.1)
        reasons += [refused.reason for refused in world.events_of(DeviceRefused)]
    assert reasons == ["version", "schema", "seal", "hello", "identity"]


def test_a_memory_older_than_the_journal_is_refused_after_the_proof() -> None:
    world, puppet = link_pair(LinkJournal(log=LOG, newest=9), {"newest": 8})
    world.run(0.1)
    [refused] = world.events_of(DeviceRefused)
    assert (refused.reason, refused.proved) == ("memory", True)
    assert "memory ends at 8, journal at 9" in refused.text
    assert len(puppet.named("proof")) == 1
    assert puppet.named("refuse")[0].reason == RefuseReason.MEMORY
    assert not world.events_of(DeviceUp)


def test_a_duplicate_is_found_before_an_old_memory() -> None:
    world, _puppet = link_pair(
        LinkJournal(log=LOG, newest=9), {"newest": 8}, other_ports=lambda _serial: "on a and on b"
    )
    world.run(0.1)
    assert [refused.reason for refused in world.events_of(DeviceRefused)] == ["duplicate"]


@pytest.mark.parametrize("reason", [RefuseReason.VERSION, RefuseReason.PROOF, RefuseReason.MEMORY])
def test_what_a_device_refuses_is_never_proved(reason: RefuseReason) -> None:
    world, puppet = link_pair()
    puppet.silent.add("hello")
    world.run(0.01)
    puppet.say(tsl.Frame(refuse=common.Refuse(echo=puppet.named("hello")[0].nonce, reason=reason)))
    world.run(0.01)
    assert [refused.proved for refused in world.events_of(DeviceRefused)] == [False]


def test_the_words_fit_the_wire() -> None:
    world, puppet = link_pair(hello={"id": "S" * 24, "device_class": DeviceClass.SHUFFLER})
    world.run(0.1)
    assert len(puppet.named("refuse")[0].text) <= 80
    assert world.events_of(DeviceRefused)[0].text.endswith("check cables")


def test_a_serial_number_connected_elsewhere_names_both_ports() -> None:
    world, puppet = link_pair(other_ports=lambda serial: f"on a and on b ({serial})")
    world.run(0.1)
    assert world.events_of(DeviceRefused)[0].reason == "duplicate"
    assert puppet.named("refuse")[0].reason == RefuseReason.DUPLICATE
    assert "on a and on b (SH-1)" in world.events_of(DeviceRefused)[0].text
    assert world.events_of(DeviceRefused)[0].proved


def test_another_minor_version_is_spoken_with_whatever_its_schema() -> None:
    world, _puppet = link_pair(hello={"minor": 5, "schema": bytes(8)})
    world.reach()


def test_a_refusal_of_the_device_ends_the_attempt() -> None:
    world, puppet = link_pair()
    puppet.silent.add("hello")
    world.run(0.01)
    nonce = puppet.named("hello")[0].nonce
    puppet.say(tsl.Frame(refuse=common.Refuse(echo=bytes(16), reason=RefuseReason.SEAL, text="not ours")))
    world.run(0.01)
    assert world.host.phase == "hello"
    assert world.host.counters.handshake == 1
    puppet.say(tsl.Frame(refuse=common.Refuse(echo=nonce, reason=RefuseReason.SEAL, text="I have a key")))
    world.run(0.01)
    assert world.events_of(DeviceRefused) == [
        DeviceRefused("seal", "the device refuses us: I have a key: provision both with one key")
    ]


def test_facts_are_those_of_the_hello() -> None:
    world, _puppet = link_pair(
        hello={"newest": 7, "committed": 3, "last_key": 4, "cards": 5, "firmware": "9"}
    )
    world.run_until(lambda: bool(world.events_of(DeviceUp)))
    facts = world.events_of(DeviceUp)[0].facts
    assert (facts.serial, facts.firmware, facts.newest, facts.committed) == ("SH-1", "9", 7, 3)
    assert (facts.last_key, facts.cards, facts.insecure) == (4, 5, True)
    assert not world.events_of(DeviceRunning)

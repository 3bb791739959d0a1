"""Messages against the vectors: which can be read, which cannot, and how each is written."""

import re
from collections.abc import Callable

from google.protobuf.message import Message

from drivers.link import codec
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import KEYS

from .vectors import Vector, built, load, shown, trimmed

MESSAGES = load("messages")
STRANGE = load("strange")
RULE = re.compile(r"Rule (\d)")
ALLOWED = {"varint-padded", "tag-padded", "unknown-twice"}
"""Payloads that name a rule because they are readable by it."""


def test_payloads_decode_to_the_stated_messages() -> None:
    assert _by_name(MESSAGES, _read) == _by_name(MESSAGES, lambda vector: trimmed(vector["message"]))


def test_messages_encode_to_the_stated_payloads() -> None:
    written = _by_name(MESSAGES, lambda vector: built(vector["message"]).SerializeToString().hex())
    assert written == _by_name(MESSAGES, lambda vector: vector["payload"])


def test_strange_payloads_are_told_apart() -> None:
    assert _by_name(STRANGE, _read) == _by_name(
        STRANGE, lambda vector: vector.get("is") or trimmed(vector["message"])
    )


def test_an_unreadable_payload_breaks_the_rule_that_its_vector_names() -> None:
    named = {vector["name"]: int(found[1]) for vector in STRANGE if (found := RULE.match(vector["shows"]))}
    rules = {name: rule for name, rule in named.items() if name not in ALLOWED}
    broken = {vector["name"]: _rule(vector) for vector in STRANGE}
    assert rules == {name: broken[name] for name in rules}
    assert set(rules.values()) == {1, 2, 3, 4, 5}
    assert {name: broken[name] for name in ALLOWED} == dict.fromkeys(ALLOWED, 0)
    assert named.keys() > ALLOWED


def test_every_message_has_a_vector() -> None:
    stated = {name for vector in MESSAGES for name in vector["message"]}
    assert stated == {field.name for field in tsl.Frame.DESCRIPTOR.fields}
    for holder, known in (("event", tsl.Event), ("command", tsl.Command)):
        bodies = {name for vector in MESSAGES for name in vector["message"].get(holder, {})}
        assert bodies >= {field.name for field in known.DESCRIPTOR.oneofs_by_name["body"].fields}


def test_every_key_of_the_console_has_a_vector() -> None:
    events = [vector["message"]["event"] for vector in MESSAGES if "event" in vector["message"]]
    assert {event["key"]["action"] for event in events if "key" in event} == set(KEYS)


def _by_name(vectors: list[Vector], made: Callable[[Vector], object]) -> dict[str, object]:
    return {vector["name"]: made(vector) for vector in vectors}


def _read(vector: Vector) -> Vector | str:
    """The message of a payload with its body, or "unknown" or "unreadable"."""
    read = codec.parse(bytes.fromhex(vector["payload"]))
    if isinstance(read, codec.Unreadable):
        return _word(read)
    name, message = read
    body = _body(message)
    return _word(body) if isinstance(body, codec.Unreadable) else {name: shown(message)}


def _rule(vector: Vector) -> int:
    """The rule that a payload breaks; 0 if it is readable."""
    read = codec.parse(bytes.fromhex(vector["payload"]))
    return read.rule if isinstance(read, codec.Unreadable) else 0


def _word(fault: codec.Unreadable) -> str:
    return "unknown" if fault.unknown else "unreadable"


def _body(message: Message) -> object:
    """The content of an event or command."""
    if isinstance(message, tsl.Event):
        return codec.event_body(message)
    if isinstance(message, tsl.Command):
        return codec.command_body(message)
    return message

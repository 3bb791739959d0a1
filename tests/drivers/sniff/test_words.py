"""Every message is described in words that cannot move a cursor."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from hypothesis import given
from hypothesis import strategies as st

from drivers.link.routes import BOTH, DEVICE, HOST
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Side
from drivers.sniff.message_text import describe

VECTORS = Path(__file__).parents[3] / "firmware-protocol" / "vectors" / "messages.jsonl"


def payload(**message: Any) -> bytes:
    return ParseDict(message, tsl.Frame()).SerializeToString()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            {"event": {"number": 17, "uptime_us": 2500000, "card_drawn": {"count": 3, "card": "Ts"}}},
            "event: card drawn (number 17, uptime 2.500000 s, count 3, card Ts)",
        ),
        ({"command": {"key": 12, "permit": {"up_to": 34}}}, "command: permit (key 12, up to 34)"),
        ({"command": {"key": 12, "lock": {}}}, "command: lock (key 12)"),
        ({"result": {"key": 12, "status": 3}}, "result (key 12, status unarmed)"),
        ({"result": {"key": 12, "status": 99}}, "result (key 12, status unknown 99)"),
        ({"bye": {"reason": 1, "text": "the end"}}, 'bye (reason stopping, text "the end")'),
        ({"command": {"key_lamps": {"mask": 5}}}, "command: key lamps (mask hit double)"),
        ({"heartbeat": {"armed": True, "celsius": -3}}, "heartbeat (armed yes, celsius -3)"),
        ({"no_session": {}}, "no session"),
    ],
)
def test_each_message_is_described_in_words(message: dict[str, Any], said: str) -> None:
    assert describe(payload(**message)).text == said


def test_lamps_are_described_by_their_counts() -> None:
    frame = tsl.Frame()
    frame.command.lamps.lamps = bytes([1, 1, 2, *bytes(51)])
    assert describe(frame.SerializeToString()).text == "command: lamps (lamps 51 off, 2 open, 1 no bets)"


def test_a_mac_is_never_shown_whole() -> None:
    frame = tsl.Frame()
    frame.proof.side, frame.proof.mac = Side.HOST, bytes(range(32))
    words = describe(frame.SerializeToString())
    assert words.text == "proof (side host, mac 00010203..)"
    assert words.sides == HOST


@pytest.mark.parametrize(
    ("message", "sides"),
    [
        ({"event": {"booted": {}}}, DEVICE),
        ({"command": {"lock": {}}}, HOST),
        ({"heartbeat": {}}, BOTH),
        ({"hello": {"side": 2}}, DEVICE),
        ({"hello": {"side": 9}}, BOTH),
    ],
)
def test_each_message_names_the_sides_that_may_send_it(
    message: dict[str, Any], sides: frozenset[Side]
) -> None:
    assert describe(payload(**message)).sides == sides


def test_a_message_of_a_later_version_is_described() -> None:
    assert describe(payload(event={"number": 4})).text == "event: of a later version (number 4)"
    assert describe(b"\xf8\x7f\x01").text == "unreadable, unknown message: f87f01"


def test_a_device_can_not_write_on_the_terminal() -> None:
    words = describe(payload(result={"text": "\x1b[2Jgone\n"}))
    assert words.text == 'result (text "?[2Jgone?")'


def test_every_message_of_the_vectors_is_told() -> None:
    kinds = set()
    for line in VECTORS.read_text().splitlines():
        words = describe(bytes.fromhex(json.loads(line)["payload"]))
        assert words.text.startswith(words.kind)
        kinds.add(words.kind)
    assert "unreadable" not in kinds
    assert len(kinds) > 40


@given(st.binary(max_size=240))
def test_no_payload_raises_or_moves_the_cursor(data: bytes) -> None:
    assert describe(data).text.isprintable()

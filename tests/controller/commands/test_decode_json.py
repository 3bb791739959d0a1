"""`tableside device decode --json`: one event a line, as docs/adapters.md lists them; every byte belongs to
one event."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from controller.commands.app import app
from controller.commands.handlers.decode import EVENTS
from drivers.adapters.angel_eye.frames import ENQ, bcc
from drivers.adapters.capture import JsonEvent
from drivers.link.frames import WireFrame, encode
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag
from tests.drivers.adapters.test_noise import PIECES

CAPTURES = Path(__file__).parents[3] / "firmware-protocol" / "captures"
DUPLICATE = {"event": "duplicate"}
Piece = tuple[bytes, JsonEvent]


def decode(*words: str, stdin: bytes = b"") -> tuple[int, list[JsonEvent]]:
    done = CliRunner().invoke(app, ["decode", "--json", *words], input=stdin)
    assert done.stderr == ""
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def events(adapter: str, data: bytes) -> list[JsonEvent]:
    return [each.event for each in EVENTS[adapter](data)]


def framed(body: str) -> bytes:
    """A message of an Angel Eye from the hexadecimal digits of sequence, code and data."""
    checked = bytes.fromhex(body) + b"\x03"
    return b"\x05" + checked + bcc(checked)


def rejected(data: bytes, why: str) -> Piece:
    return data, {"event": "rejected", "why": why, "bytes": data.hex()}


def noise(data: bytes) -> Piece:
    return data, {"event": "noise", "bytes": data.hex()}


ANGEL_EYE: Sequence[Piece] = [
    (framed("31 53"), {"event": "started"}),
    (framed("32 50"), {"event": "standby"}),
    (framed("33 43"), {"event": "cut_card"}),
    (framed("34 44 81 b8"), {"event": "card_drawn", "card": "8s", "context": "game"}),
    (framed("34 44 91 ca"), {"event": "card_drawn", "card": "Th", "context": "game"}),
    (framed("35 64 00 91"), {"event": "card_drawn", "card": "Ad", "context": "lock"}),
    (framed("36 64 11 a2"), {"event": "card_drawn", "card": "2c", "context": "error"}),
    (framed("37 64 20 cd"), {"event": "card_drawn", "card": "Kh", "context": "setting"}),
    (framed("38 64 30 cd"), {"event": "card_drawn", "card": "Kh"}),
    (framed("39 44 81 b0"), {"event": "card_unreadable"}),
    (framed("30 45 47"), {"event": "device_error", "code": 7}),
    (framed("31 65 46"), {"event": "error_cleared", "code": 6}),
    (framed("32 4c 01"), {"event": "lock", "locked": True}),
    (framed("33 4c 00"), {"event": "lock", "locked": False}),
    (framed("34 4d 303330303432"), {"event": "preset", "address": "03", "value": "0042"}),
    (b"\x06", {"event": "command_ok"}),
    (b"\x1521", {"event": "command_refused", "code": "21"}),
    (b"\x15\xff", {"event": "command_refused", "code": "FF"}),
    rejected(framed("34 44 81 b8")[:-1] + b"9", "check"),
    rejected(framed("35 45 03")[:-2] + b"zz", "check"),
    rejected(framed("35 44 81"), "length"),
    rejected(framed("35 45 01 01 01"), "length"),
    rejected(framed("35 5a 01"), "format"),
    rejected(b"\x1544", "format"),
    noise(b"\xff\xfe"),
    noise(b"zz"),
]
BEE_TEK: Sequence[Piece] = [
    (b" [Game]<Card:4S> ", {"event": "card_drawn", "card": "4s"}),
    (b" [Game]<Card:10C> ", {"event": "card_drawn", "card": "Tc"}),
    (b" [Game]<Game> ", {"event": "card_unreadable"}),
    (b" [GameAlarm]<Alarm:E3 Card Not Read> ", {"event": "device_error", "code": "E3"}),
    rejected(b" [Game]<Card:H3> ", "format"),
    rejected(b"<W0xzz>", "format"),
    noise(b"\r\n"),
    noise(b"\xff\xfe"),
]
WITH_WHY: Sequence[tuple[str, bytes, str]] = [
    ("angel-eye-2ex", framed("38 52 81 ad"), "needs_supervisor"),
    ("angel-eye-2ex", framed("31 47 81"), "ignored"),
    ("bee-tek", b"<W0x01>", "ignored"),
]
REPEATED: Mapping[str, bool] = {"angel-eye-2ex": True, "bee-tek": False}
"""Whether a line repeats messages, so that the same bytes are a duplicate."""


def expected(adapter: str, pieces: Sequence[Piece]) -> list[JsonEvent]:
    """The expected events of the pieces in their order."""
    found: list[JsonEvent] = []
    message = b""
    for data, event in pieces:
        if event["event"] == "noise" and found and found[-1]["event"] == "noise":
            found[-1] = {"event": "noise", "bytes": f"{found[-1]['bytes']}{event['bytes']}"}
        elif data == message:
            found.append(DUPLICATE)
        else:
            found.append(event)
        if REPEATED[adapter] and data[0] == ENQ and event["event"] != "rejected":
            message = data
    return found


@pytest.mark.parametrize(("adapter", "pieces"), [("angel-eye-2ex", ANGEL_EYE), ("bee-tek", BEE_TEK)])
@given(data=st.data())
def test_each_message_is_the_event_of_the_notation(
    adapter: str, pieces: Sequence[Piece], data: st.DataObject
) -> None:
    drawn = data.draw(st.lists(st.sampled_from(pieces), max_size=20))
    assert events(adapter, b"".join(piece for piece, _ in drawn)) == expected(adapter, drawn)


@pytest.mark.parametrize(("adapter", "data", "kind"), WITH_WHY)
def test_what_is_not_for_the_table_says_why(adapter: str, data: bytes, kind: str) -> None:
    [event] = events(adapter, data)
    assert event.keys() == {"event", "why"}
    assert event["event"] == kind
    assert isinstance(event["why"], str)
    assert event["why"]


def test_the_same_number_after_a_start_is_another_card() -> None:
    card, start = framed("31 44 81 b8"), framed("31 53")
    found = events("angel-eye-2ex", card * 3 + start * 2 + card)
    eight = {"event": "card_drawn", "card": "8s", "context": "game"}
    assert found == [eight, DUPLICATE, DUPLICATE, {"event": "started"}, DUPLICATE, eight]


LOCK = tsl.Frame()
LOCK.command.key = 7
LOCK.command.lock.SetInParent()
CARD = tsl.Frame()
CARD.event.number = 2**53 - 1
CARD.event.card_unpermitted.count = 3
CARD.event.card_unpermitted.card = "Ts"
DONE = tsl.Frame()
DONE.result.key, DONE.result.status = 7, 1
BUSY = tsl.Frame()
BUSY.result.key, BUSY.result.status = 7, 6
FAULT = tsl.Frame()
FAULT.event.fault.code, FAULT.event.fault.on = 4, True
WRONG = tsl.Frame()
WRONG.event.card_drawn.card = "Zz"
LATER = tsl.Frame()
LATER.event.number = 1
HEARTBEAT = tsl.Frame()
HEARTBEAT.heartbeat.mode, HEARTBEAT.heartbeat.armed = 1, True


def frame(message: tsl.Frame | None, channel: Channel, flags: int = 0, sequence: int = 1) -> bytes:
    payload = message.SerializeToString() if message else b""
    return encode(WireFrame(flags, channel, sequence, 0, 0, payload))


SEALED = encode(WireFrame(Flag.SEALED, Channel.EVENTS, 1, 0, 0, bytes([9, 0, 0, 0]) + bytes(20)))
CARD_LINE = {"event": "card_drawn", "card": "Ts", "context": "lock", "count": "3", "number": str(2**53 - 1)}
TSL: Sequence[tuple[bytes, JsonEvent]] = [
    (frame(CARD, Channel.EVENTS), CARD_LINE),
    (frame(FAULT, Channel.EVENTS), {"event": "device_error", "code": 4}),
    (frame(DONE, Channel.COMMANDS), {"event": "command_ok", "key": "7"}),
    (frame(BUSY, Channel.COMMANDS), {"event": "command_refused", "code": "busy", "key": "7"}),
    (frame(LOCK, Channel.COMMANDS), {"event": "message", "message": "command", "body": "lock", "key": "7"}),
    (
        frame(HEARTBEAT, Channel.CONTROL),
        {"event": "message", "message": "heartbeat", "armed": True, "mode": "ready", "celsius": 0},
    ),
    (frame(LATER, Channel.EVENTS), {"event": "ignored"}),
    (frame(None, Channel.CONTROL), {"event": "acknowledgement"}),
    (frame(None, Channel.CONTROL, Flag.NAK), {"event": "nak"}),
    (SEALED, {"event": "sealed", "size": 4, "counter": 9}),
    (frame(WRONG, Channel.EVENTS), {"event": "rejected", "why": "format"}),
    (b"\0\x01\0", {"event": "rejected", "why": "length"}),
    (b"\0" + b"\x01" * 300 + b"\0", {"event": "rejected", "why": "length"}),
    (b"\0\x09\x01\0", {"event": "rejected", "why": "format"}),
    (frame(LOCK, Channel.COMMANDS)[:-2] + b"\x77\0", {"event": "rejected", "why": "check"}),
    (b"\x01\x02\0", {"event": "noise", "bytes": "010200"}),
    (frame(LOCK, Channel.COMMANDS)[:-1], {"event": "incomplete"}),
    (b"\0", {"event": "incomplete"}),
]


@pytest.mark.parametrize(("data", "event"), TSL)
def test_a_frame_of_our_own_link_is_an_event(data: bytes, event: JsonEvent) -> None:
    [found] = events("tsl", data)
    assert event.items() <= found.items()


def test_a_frame_that_is_sent_again_is_a_duplicate_once_it_has_come() -> None:
    first, again = (frame(LOCK, Channel.COMMANDS, flags, 9) for flags in (0, Flag.RETRANSMIT))
    assert [each["event"] for each in events("tsl", first + again)] == ["message", "duplicate"]
    assert [each["event"] for each in events("tsl", again + again)] == ["message", "duplicate"]


STREAMS = {**PIECES, "tsl": (*(data for data, _ in TSL), b"\0\0", b"\xff")}


@pytest.mark.parametrize("adapter", STREAMS)
@given(data=st.data())
def test_every_byte_belongs_to_exactly_one_event(adapter: str, data: st.DataObject) -> None:
    piece = st.sampled_from(STREAMS[adapter]) | st.binary(max_size=12)
    stream = b"".join(data.draw(st.lists(piece, max_size=12)))
    lines = EVENTS[adapter](stream)
    assert b"".join(line.raw for line in lines) == stream
    assert all(line.raw for line in lines)
    assert all(line.event["bytes"] == line.raw.hex() for line in lines if "bytes" in line.event)
    assert all(line.event["event"] != "incomplete" for line in lines[:-1])
    assert all(json.loads(json.dumps(line.event)) == line.event for line in lines)


@pytest.mark.parametrize("name", ["angel-eye-2ex.hex", "bee-tek.txt", "tsl.hex"])
def test_the_example_captures_decode_to_json_events(name: str) -> None:
    status, found = decode("--adapter", name.rpartition(".")[0], str(CAPTURES / name))
    assert status == 1
    assert [each["event"] for each in found].count("rejected") == 1


@pytest.mark.parametrize(
    ("data", "status", "kinds"),
    [
        (b"", 0, []),
        (framed("31 53"), 0, ["started"]),
        (b"zz\x06", 0, ["noise", "command_ok"]),
        (framed("31 53") + b"\x05\x32", 0, ["started", "incomplete"]),
        (framed("31 5a"), 1, ["rejected"]),
    ],
)
def test_the_status_is_1_if_a_message_was_rejected(data: bytes, status: int, kinds: list[str]) -> None:
    found = decode("--adapter", "angel-eye-2ex", stdin=data)
    assert (found[0], [each["event"] for each in found[1]]) == (status, kinds)


def test_hex_text_can_be_forced_and_turned_off() -> None:
    assert decode("--adapter", "angel-eye-2ex", "--hex", stdin=b"# remark\n06\n# end") == (
        0,
        [{"event": "command_ok"}],
    )
    raw = [{"event": "noise", "bytes": b"30".hex()}]
    assert decode("--adapter", "angel-eye-2ex", "--raw", stdin=b"30") == (0, raw)
    assert decode("--adapter", "bee-tek", stdin=b" ") == (0, [{"event": "incomplete"}])
    done = CliRunner().invoke(app, ["decode", "--adapter", "tsl", "--hex"], input=b"\x06")
    why = (
        "tableside: the capture is not hex text: only pairs of digits, white space and remarks are allowed\n"
    )
    assert (done.exit_code, done.stderr) == (1, why)

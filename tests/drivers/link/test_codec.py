"""Records and messages survive encoding and decoding; sizes; real cards."""

import pytest

from drivers import messages as m
from drivers.link import codec
from drivers.protocol import tsl_pb2 as tsl

EVENTS: list[m.EventBody] = [
    m.Booted(2),
    m.Tamper(2, 5),
    m.Fault(3, True, "fan"),
    m.Door(1, True),
    m.CardDrawn(7, "Ts"),
    m.CardUnreadable(8),
    m.CardUnpermitted(9, "Ah"),
    m.CardInterrupted(10),
    m.CutCard(400),
    m.Cover(True),
    m.Loaded(8),
    m.Empty(),
    m.ShoeJam(True),
    m.ShufflerState(2, 50),
    m.DeckCheck(8, bytes(range(52)), 1),
    m.ShufflerJam(False),
    m.Wager(9, 5, True, 2500),
    m.SensorFault(1, 0, True),
    m.Key("stand", 3, 0),
]
COMMANDS: list[m.CommandBody] = [
    m.Resume(1),
    m.Arm(44),
    m.Disarm(),
    m.Recall(12),
    m.UpdateBegin(7, 400, bytes(32), bytes(64)),
    m.UpdateApply(),
    m.UpdateConfirm(),
    m.MakerKey(1, bytes(32), bytes(64)),
    m.Permit(60),
    m.Lock(),
    m.Start(8),
    m.Eject(),
    m.Stop(),
    m.Lamps(10_000, bytes(54)),
    m.Level(1, 1234500, 2),
    m.Celebrate(1, 5000, 9),
    m.Text(1, "é" * 32),
    m.Prompt("x" * 120, 7),
    m.KeyLamps(513),
    m.Buzz(200),
]

LATER_FIELD = b"\xba\x3e\x01x"
"""Field 999, one byte: a message or a field of a later version."""


def test_every_record_is_in_the_codec() -> None:
    assert {type(body) for body in EVENTS} == set(m.EVENTS.values())
    assert {type(body) for body in COMMANDS} == set(m.COMMANDS.values())


@pytest.mark.parametrize("body", EVENTS, ids=lambda body: type(body).__name__)
def test_events_survive_encoding_and_decoding(body: m.EventBody) -> None:
    payload = codec.event_message(2**53 - 1, 2**53 - 1, b"bootboot", body).SerializeToString()
    assert len(payload) <= codec.LONGEST_MESSAGE
    read = codec.parse(payload)
    assert not isinstance(read, codec.Unreadable)
    name, message = read
    assert isinstance(message, tsl.Event)
    assert (name, codec.event_body(message)) == ("event", body)


@pytest.mark.parametrize("body", COMMANDS, ids=lambda body: type(body).__name__)
def test_commands_survive_encoding_and_decoding(body: m.CommandBody) -> None:
    frame = tsl.Frame.FromString(codec.command_message(9, body).SerializeToString())
    assert (frame.command.key, codec.command_body(frame.command)) == (9, body)


@pytest.mark.parametrize("card", ["", "T", "1s", "ts", "TS", "T ", "sT", "T\0"])
def test_a_card_is_a_real_card(card: str) -> None:
    frame = tsl.Frame(event={"number": 1, "card_drawn": {"count": 1, "card": card}})
    assert _reason(frame) == "CardDrawn.card is not a card"
    with pytest.raises(ValueError, match="not a card"):
        codec.event_message(1, 1, b"", m.CardUnpermitted(1, card))


def test_sizes_are_counted_in_bytes() -> None:
    frame = tsl.Frame(command={"key": 1, "text": {"text": "é" * 33}})
    assert _reason(frame) == "Text.text has 66 bytes, at most 64"
    with pytest.raises(ValueError, match=r"Lamps\.lamps has 55 bytes, must have 54"):
        codec.command_message(1, m.Lamps(1, bytes(55)))


def test_a_value_above_its_type_is_not_written() -> None:
    with pytest.raises(ValueError, match=f"Permit.up_to {2**53} is above {2**53 - 1}"):
        codec.command_message(1, m.Permit(2**53))


def test_the_frame_s_own_messages_are_measured_too() -> None:
    frame = tsl.Frame(hello={"nonce": bytes(17)})
    assert _reason(frame) == "Hello.nonce has 17 bytes, must have 16"


def test_the_number_of_an_unreadable_event_is_kept() -> None:
    frame = tsl.Frame(event={"number": 7, "uptime_us": 9, "boot": b"bootboot", "card_drawn": {"card": "?"}})
    read = codec.parse(frame.SerializeToString())
    assert isinstance(read, codec.Unreadable)
    assert read.event == tsl.Event(number=7, uptime_us=9, boot=b"bootboot")


@pytest.mark.parametrize(
    "frame",
    [
        tsl.Frame(event={"number": 2**53, "card_drawn": {"card": "?"}}),
        tsl.Frame(event={"card_drawn": {"card": "?"}}),
        tsl.Frame(command={"key": 7, "text": {"text": "x" * 65}}),
    ],
)
def test_what_has_no_readable_event_number_has_no_event(frame: tsl.Frame) -> None:
    read = codec.parse(frame.SerializeToString())
    assert isinstance(read, codec.Unreadable)
    assert read.event is None


def test_tags_of_any_length_are_read() -> None:
    """The protobuf library alone refuses tags of more than five bytes."""
    commit, padded = b"\x08\x05", b"\x88\x80\x80\x80\x80\x80\x80\x80\x80\x00\x05"
    short, long = b"\x32\x02" + commit, b"\xb2\x80\x80\x80\x80\x00\x0b" + padded + LATER_FIELD
    assert codec.parse(long) == codec.parse(short)


@pytest.mark.parametrize("payload", [b"\xff", b"\x0a\x05a", b"\x82\x01\x02\x0a\x05", bytes(210)])
def test_bytes_that_are_not_a_message_are_unreadable(payload: bytes) -> None:
    found = codec.parse(payload)
    assert isinstance(found, codec.Unreadable)
    assert not found.unknown


def test_unknown_messages_bodies_and_fields_are_kept_apart() -> None:
    assert codec.parse(LATER_FIELD) == codec.UNKNOWN
    assert codec.event_body(tsl.Event(number=3)) == codec.UNKNOWN
    command = tsl.Command.FromString(codec.command_message(4, m.Permit(9)).command.SerializeToString())
    permit = command.permit.SerializeToString() + LATER_FIELD
    command.permit.MergeFromString(permit)
    assert codec.command_body(command) == m.Permit(9)


def _reason(frame: tsl.Frame) -> str:
    read = codec.parse(frame.SerializeToString())
    assert isinstance(read, codec.Unreadable)
    return read.reason

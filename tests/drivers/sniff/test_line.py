"""The traffic of a line as text: frames, sealed ones, noise; any split gives the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.link.frames import WireFrame, encode
from drivers.link.seal import Sealer
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag
from drivers.sniff.frame_text import Direction, FrameReader, KindCounts, LineEntry

SECRET = b"card Ts, of which nobody may know"
LOCK = tsl.Frame()
LOCK.command.key = 7
LOCK.command.lock.SetInParent()


def line(flags: int, channel: int, payload: bytes, sequence: int = 12) -> bytes:
    return encode(WireFrame(flags, channel, sequence, 7, 8, payload))


def seen(data: bytes, direction: Direction = "unknown") -> list[LineEntry]:
    return FrameReader(direction).feed(data)


def test_a_frame_is_described_in_words() -> None:
    (frame,) = seen(line(Flag.CRITICAL, Channel.COMMANDS, LOCK.SerializeToString()))
    assert frame == LineEntry(
        "to device", "command: lock", "> commands  --C-    12     7+8   command: lock (key 7)"
    )


def test_a_message_that_both_sides_send_has_no_known_direction() -> None:
    beat = line(0, 0, b"\x2a\x00", 0)
    assert seen(beat)[0].direction == "unknown"
    assert seen(beat, "to host")[0].text.startswith("< control")


@pytest.mark.parametrize(("flags", "kind"), [(0, "acknowledgement"), (Flag.NAK, "nak")])
def test_empty_frames_have_their_kind(flags: int, kind: str) -> None:
    assert seen(line(flags, 0, b"", 0))[0].kind == kind


def test_a_sealed_payload_is_its_length_and_counter() -> None:
    payload = Sealer(bytes(range(32)), counter=77).seal(bytes(8), SECRET)
    (frame,) = seen(line(Flag.SEALED, Channel.EVENTS, payload), "to host")
    assert frame.text == f"< events    S---    12     7+8   sealed: {len(SECRET)} bytes, counter 77"
    assert payload[4:].hex() not in frame.text


def test_a_sealed_payload_that_is_too_short_is_named() -> None:
    assert seen(line(Flag.SEALED, 1, b"\x01\x02"))[0].text.endswith("sealed, too short: 2 bytes")


def test_noise_is_described_by_kind_and_bytes() -> None:
    (noise,) = seen(b"AT+GCAP\r\n\x00", "to host")
    assert (noise.kind, noise.direction) == ("noise: cobs", "to host")
    assert noise.text == "< noise     cobs, 9 bytes: 41 54 2b 47 43 41 50 0d 0a"
    (long,) = seen(b"\xff" * 2000 + b"\x00")
    assert long.text == f"  noise     too long, 2000 bytes: {'ff ' * 16}..".replace(" ..", "..")


def test_unknown_channels_are_numbers() -> None:
    assert "channel 9" in seen(line(0, 9, LOCK.SerializeToString()))[0].text


def test_a_tally_has_the_most_frequent_first() -> None:
    tally = KindCounts()
    for item in seen(line(0, 0, b"", 0) * 2 + b"x\x00"):
        tally.add(item)
    assert tally.lines() == ["      2 acknowledgement", "      1 noise: cobs"]


@given(st.binary(max_size=600), st.lists(st.integers(1, 50), max_size=40))
def test_any_split_gives_the_same(junk: bytes, sizes: list[int]) -> None:
    data = junk + line(0, Channel.COMMANDS, LOCK.SerializeToString()) + junk + b"\x00"
    reader, pieces, rest = FrameReader(), list[LineEntry](), data
    for size in sizes:
        pieces += reader.feed(rest[:size])
        rest = rest[size:]
    assert [*pieces, *reader.feed(rest)] == seen(data)


def test_what_was_begun_is_told_at_the_end() -> None:
    reader = FrameReader("to host")
    whole = line(0, 0, b"", 0)
    assert [seen.kind for seen in (*reader.feed(whole[:-1]), *reader.flush())] == ["acknowledgement"]
    assert [seen.kind for seen in (*reader.feed(b"ab"), *reader.flush())] == ["noise: cobs"]
    assert reader.flush() == []

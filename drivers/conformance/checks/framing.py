"""Frames: what the device must drop, and what it must understand. Section 3."""

from functools import partial

from drivers import messages as m
from drivers.conformance.bad_frames import (
    Spoil,
    behind_junk,
    damaged_payload,
    past_the_end,
    truncated,
    version_two,
    wrong_crc,
    wrong_length,
)
from drivers.conformance.check import Check, Need
from drivers.conformance.matchers import in_session, says
from drivers.conformance.probe import Probe
from drivers.link.codec import LONGEST_MESSAGE
from drivers.link.frames import encode

NOISE = bytes.fromhex("41542b474d490d0a ff7f01 00 00 10 0203 00 ffffff 00 05aa 00")
"""What lines bring: a modem command, bytes at a wrong baud rate, zeros."""
OVERRUNS = (242, 243, 255, 256, 257)
"""Bytes at which a buffer of 242 bytes, or of a round number, is full or has just overflowed."""
PADDING_TAG = b"\xa2\x3f"
"""Field 1012 of `Command`, bytes: unknown, and so ignored."""


async def _dropped(p: Probe, spoil: Spoil, what: str) -> None:
    """A damaged command is neither answered nor accepted. Intact, under the same sequence, it is."""
    await p.open()
    key = p.key()
    payload = p.payload(m.Disarm(), key)
    p.link.raw(spoil(p.link.sealed(p.draft(payload))), what)
    await p.never(f"answer to a frame of which {what}", says("result", key=key))
    p.launch(payload)
    await p.result(key)


async def _cobs(p: Probe) -> None:
    await _dropped(p, past_the_end, "the last COBS block reaches past the end")


async def _length(p: Probe) -> None:
    await _dropped(p, wrong_length, "n is one more than there is, with a right CRC")


async def _short(p: Probe) -> None:
    await _dropped(p, truncated, "only 11 bytes came, the last 4 a right CRC")


async def _crc(p: Probe) -> None:
    await _dropped(p, wrong_crc, "one bit of the CRC is wrong")
    await _dropped(p, damaged_payload, "one bit of the payload is wrong")


async def _version(p: Probe) -> None:
    await _dropped(p, version_two, "the version is 2, with a right CRC")


async def _too_long(p: Probe) -> None:
    for size in OVERRUNS:
        await _dropped(
            p, partial(behind_junk, size=size), f"{size} other bytes stand before it without a zero"
        )


async def _longest(p: Probe) -> None:
    await p.open()
    key = p.key()
    p.launch(_padded(p, key, LONGEST_MESSAGE), note="209 bytes of message")
    await p.result(key)


async def _over_long(p: Probe) -> None:
    await p.open()
    key = p.key()
    p.launch(_padded(p, key, LONGEST_MESSAGE + 1), note="210 bytes of message")
    await p.never("answer to a message of 210 bytes", says("result", key=key))
    await p.alive()


async def _noise(p: Probe) -> None:
    await p.open()
    p.link.raw(NOISE, "noise")
    await p.alive()
    for byte in NOISE.replace(b"\0", b""):
        p.link.raw(bytes([byte]), "a stray byte")
        await p.alive()


async def _split(p: Probe) -> None:
    await p.open()
    key = p.key()
    frame = p.link.sealed(p.draft(p.payload(m.Disarm(), key)))
    p.session.sequence += 1
    p.duties.beats = False
    for byte in encode(frame):
        p.link.raw(bytes([byte]), "one byte of a command")
        await p.wait(0.002)
    await p.result(key)


async def _merged(p: Probe) -> None:
    await p.open()
    await p.room(3)
    keys = [p.key() for _ in range(3)]
    frames = []
    for key in keys:
        frames.append(encode(p.link.sealed(p.draft(p.payload(m.Disarm(), key)))))
        p.session.sequence += 1
    p.link.raw(b"".join(frames), "three commands in one write")
    for key in keys:
        await p.result(key)


async def _channel(p: Probe) -> None:
    await p.open()
    for number in (5, 200):
        key = p.key()
        unknown = p.link.frame(p.payload(m.Disarm(), key), number, flags=4, sequence=p.session.sequence)
        p.link.send(unknown, "an unknown channel")
        await p.never(f"answer to a command on channel {number}", says("result", key=key))
    await p.alive()


async def _control_sequence(p: Probe) -> None:
    await p.open()
    unknown = p.link.frame(UNKNOWN_CONTROL, 0, flags=4, sequence=1)
    p.link.send(unknown, "an unknown critical message on channel 0, with sequence 1")
    await p.never("Bye for a frame on channel 0 whose sequence is not 0", says("bye"))
    await p.alive()


async def _silent(p: Probe) -> None:
    await p.wait(4.0 if await p.next_frame(in_session, 0.6) else 0.0)
    await p.never("byte of a device that nobody has spoken to", lambda _: True, 0.7)


UNKNOWN_CONTROL = b"\xfa\x01\x00"
"""Field 31 of `Frame`, empty: a message of a later version."""


def _padded(p: Probe, key: int, size: int) -> bytes:
    """A command that an unknown field makes `size` bytes long."""
    plain = p.payload(m.Disarm(), key)
    inner = plain[3:] if len(plain) > 3 else b""
    room = size - 4 - len(inner) - 4
    body = inner + PADDING_TAG + bytes([room % 128 | 128, room // 128]) + b"\x55" * room
    return plain[:2] + bytes([len(body) % 128 | 128, len(body) // 128]) + body


_LOOK_CHECKS = "the order of the checks in section 3: what fails one is dropped before anything of it is used"
CHECKS = (
    Check(
        "frames.silent",
        "6",
        "A device says nothing until it is spoken to.",
        "a boot banner, debug output or a heartbeat before a session",
        _silent,
        session=False,
    ),
    Check(
        "frames.cobs",
        "3",
        "A run whose COBS block reaches past the end is dropped.",
        "the COBS decoder: a block longer than what is left is an error",
        _cobs,
    ),
    Check(
        "frames.length",
        "3",
        "A frame whose length byte is wrong is dropped.",
        "the comparison of byte 7 with the decoded length - 12, before the payload is used",
        _length,
    ),
    Check(
        "frames.short",
        "3",
        "A frame of fewer than 12 bytes is dropped.",
        "the lower bound of the decoded length",
        _short,
    ),
    Check(
        "frames.crc",
        "3",
        "A frame with a wrong CRC is dropped, and uses up no sequence.",
        "whether the CRC is compared, all four bytes of it, over header and payload",
        _crc,
    ),
    Check(
        "frames.version",
        "3",
        "A frame of another version is dropped.",
        "the high nibble of byte 0; it is compared, not masked away",
        _version,
    ),
    Check(
        "frames.too-long",
        "3",
        "More than 242 bytes without a zero are dropped up to the next zero.",
        "the deframer after an overflow: it must wait for a zero, not start again in the middle",
        _too_long,
    ),
    Check(
        "frames.longest",
        "3",
        "A message of 209 bytes is read.",
        "sizes of receive buffers: 242 encoded, 241 decoded, 209 of message",
        _longest,
    ),
    Check(
        "frames.over-long",
        "3",
        "A message of 210 bytes is acknowledged and not carried out.",
        "the limit of 209 bytes on a message",
        _over_long,
        (Need.CLEAR,),
    ),
    Check(
        "frames.noise",
        "3",
        "Noise and zeros between frames harm no frame after them.",
        "the deframer: every zero ends a run and begins one",
        _noise,
    ),
    Check(
        "frames.split",
        "2",
        "A frame is understood however its bytes are spread over reads.",
        "state of the deframer between two reads; time-outs inside a frame are not allowed",
        _split,
    ),
    Check(
        "frames.merged",
        "2",
        "Several frames in one read are all understood.",
        "the loop over received bytes: it must not stop after the first frame",
        _merged,
    ),
    Check(
        "frames.channel",
        "3",
        "A frame on an unknown channel is ignored and uses no sequence.",
        _LOOK_CHECKS,
        _channel,
    ),
    Check(
        "frames.control-sequence",
        "3",
        "A frame on channel 0 whose sequence is not 0 is dropped.",
        _LOOK_CHECKS,
        _control_sequence,
    ),
)
"""In the order in which they run."""

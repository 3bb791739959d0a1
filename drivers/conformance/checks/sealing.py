"""Sealed sessions: counters, tags, keys. Section 7."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from drivers import messages as m
from drivers.conformance.bad_frames import flipped
from drivers.conformance.check import TRIES, Check, Need
from drivers.conformance.matchers import is_bare, says
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.link.frames import WireFrame
from drivers.link.seal import LAPS, LOW, TAG
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, Flag, TamperCause

SEALED = (Need.SEALED,)
RETRANSMITTED = int(Flag.CRITICAL | Flag.RETRANSMIT)
JUMP = 1000
AHEAD = LAPS // 4
BAD_TAGS = 5
Forge = Callable[[bytes], bytes]


async def _first(p: Probe) -> None:
    await p.open()
    first = await p.expect_frame("the first frame of the session", lambda entry: entry.nth == 1, 0.5)
    if first.name != "heartbeat" or first.frame.payload[:LOW] != bytes(LOW):
        raise CheckFailed("a sealed Heartbeat under counter 0 as the first frame of the session")


async def _counters(p: Probe) -> None:
    await p.open()
    p.duties.acknowledges = False
    p.command(m.Disarm())
    what = "the Result, again and again while it is not acknowledged"
    sent = [await p.expect_frame(what, _on_commands, 1.0) for _ in range(3)]
    counters = {entry.frame.payload[:LOW] for entry in sent}
    if len(counters) < len(sent) or any(entry.clear is None for entry in sent):
        raise CheckFailed("a fresh counter, and a tag made with it, in each transmission of the Result")


def _on_commands(entry: TraceEntry) -> bool:
    return entry.nth > 0 and entry.frame.channel == Channel.COMMANDS


async def _replay(p: Probe) -> None:
    await p.open()
    p.duties.beats = p.duties.acknowledges = False
    key = p.key()
    clear = p.draft(p.payload(m.Disarm(), key))
    frame = p.launch(clear.payload)
    await p.result(key)
    await _send_ignored(p, frame, clear, "the last frame again: a replay")
    p.duties.beats = p.duties.acknowledges = True
    await p.alive()
    await p.wait(0.1)
    await _send_ignored(p, frame, clear, "an older frame again: a replay")
    again = p.link.frame(clear.payload, Channel.COMMANDS, flags=RETRANSMITTED)
    p.link.send(again, "the same message under a fresh counter: a retransmission")
    await p.expect_frame("an acknowledgement of a retransmission", is_bare, 0.1)
    await p.alive()


async def _send_ignored(p: Probe, frame: WireFrame, clear: WireFrame, note: str) -> None:
    """Not even an acknowledgement comes, however often it is sent."""
    for _ in range(BAD_TAGS + 1):
        p.link.put(frame, clear, note)
    await p.never("acknowledgement of a replay", is_bare, 0.1)


async def _jump(p: Probe) -> None:
    await p.open()
    for _ in range(JUMP):
        p.link.sealed(p.link.frame(b""))
    await p.alive()


async def _forged(p: Probe, forge: Forge, note: str) -> None:
    """A command whose payload was changed is not carried out; the next one is."""
    key = p.key()
    clear = p.draft(p.payload(m.Disarm(), key))
    good = p.link.sealed(clear)
    p.link.put(replace(good, payload=forge(good.payload)), clear, f"forged: {note}")
    await p.never(f"answer to a frame with a bad tag ({note})", says("result", key=key))
    await p.alive()


async def _bad_tags(p: Probe) -> None:
    for place, note in ((-1, "last byte of the tag"), (-TAG, "first byte of the tag"), (LOW, "ciphertext")):
        await p.open()
        await _forged(p, partial(flipped, place=place), f"one bit of the {note} is wrong")


async def _far_ahead(p: Probe) -> None:
    await p.open()
    await _forged(p, lambda payload: AHEAD.to_bytes(LOW, "little") + payload[LOW:], "a counter far ahead")


async def _short_tag(p: Probe) -> None:
    await p.open()
    await _forged(p, lambda payload: payload[:-TAG], "no tag")
    await p.open()
    await _forged(p, lambda payload: payload[:-1], "a tag of 15 bytes")
    await _forged(p, lambda payload: payload[:LOW], "the counter alone")
    await _forged(p, lambda _: b"", "an empty payload")


async def _header(p: Probe) -> None:
    await p.open()
    key = p.key()
    payload = p.payload(m.Disarm(), key)
    sealed = p.link.sealed(p.draft(payload, flags=0))
    for changed in (
        replace(sealed, flags=sealed.flags | Flag.CRITICAL),
        replace(sealed, credit=1),
    ):
        p.link.put(changed, p.draft(payload), "the header was changed after it was sealed, the CRC is right")
    await p.never("answer to a frame whose header was changed", says("result", key=key))
    await p.alive()


async def _reflection(p: Probe) -> None:
    await p.open()
    beat = await p.expect_frame("a Heartbeat", says("heartbeat"), 0.6)
    await p.alive()
    p.link.put(replace(beat.frame, payload=beat.frame.payload), beat.frame, "the device's own frame")
    await p.never("acknowledgement or end after a frame of the device's own", says("bye"))
    await p.alive()


async def _five(p: Probe) -> None:
    hello = await p.open()
    for number in range(BAD_TAGS):
        if number == 3:
            await p.alive()  # good frames do not start the count over
        good = p.link.sealed(p.link.frame(b""))
        p.link.put(replace(good, payload=flipped(good.payload, -1)), p.link.frame(b""), "a bad tag")
    await p.expect(
        "Bye(3 TAGS) after five bad tags in ten seconds", says("bye", reason=int(ByeReason.TAGS)), 0.3
    )
    await p.over("five bad tags")
    again = await p.open()
    beat = await p.heartbeat()
    tampers = [
        entry.message
        for entry in await p.events(max(hello.oldest, hello.newest - 100), again.newest)
        if isinstance(entry.message, tsl.Event) and entry.message.HasField("tamper")
    ]
    if not any(_recent(event, beat, again.boot) for event in tampers):
        raise CheckFailed("a Tamper(what 1) event in the last 60 s, after five bad tags")


def _recent(event: tsl.Event, beat: common.Heartbeat, boot: bytes) -> bool:
    young = beat.now_us - event.uptime_us < 62_000_000
    return event.boot == boot and event.tamper.what == TamperCause.TAGS and young


async def _clear(p: Probe) -> None:
    await p.open()
    key = p.key()
    clear = p.draft(p.payload(m.Disarm(), key))
    bye = p.link.frame(tsl.Frame(bye=common.Bye(reason=ByeReason.STOPPING)).SerializeToString())
    for frame in (clear, bye, p.link.frame(UNKNOWN_CONTROL, flags=4)):
        p.link.put(frame, frame, "clear in a sealed session")
    await p.never(
        "answer to clear frames in a sealed session",
        lambda entry: says("result", key=key)(entry) or entry.name == "bye",
    )
    await p.alive()


async def _hidden(p: Probe) -> None:
    await p.open()
    hello = tsl.Frame(hello=p.host_hello()).SerializeToString()
    for _ in range(BAD_TAGS + 1):
        p.link.send(p.link.frame(hello), "a Hello inside a sealed frame")
    await p.never("answer to a handshake message in a sealed frame", says("hello"))
    await p.alive()


async def _sealed(p: Probe) -> None:
    await p.open()
    key = p.key()
    clear = p.draft(p.payload(m.Disarm(), key))
    p.link.put(replace(clear, flags=clear.flags | Flag.SEALED), clear, "SEALED in a session that is not")
    await p.never("answer to a frame with SEALED in a clear session", says("result", key=key))
    await p.alive()


async def _old_keys(p: Probe) -> None:
    await p.open()
    old = [p.link.sealed(p.draft(p.payload(m.Disarm(), p.key()))) for _ in range(3)]
    theirs = await p.expect_frame("a Heartbeat", says("heartbeat"), 0.6)
    await p.open()
    first = await p.expect_frame("the first frame of the session", lambda entry: entry.nth == 1, 0.5)
    if first.clear is None:
        raise CheckFailed(
            "the first frame of a new session sealed under its own key, not the one of the session before"
        )
    if first.frame.payload[LOW : LOW + TAG] == theirs.frame.payload[LOW : LOW + TAG]:
        raise CheckFailed("another key stream in another session")
    for frame in old:
        p.link.put(frame, frame, "sealed in the session before")
    await p.never("answer to a command of the session before", says("result"))
    await p.alive()


UNKNOWN_CONTROL = b"\xfa\x01\x00"
"""Field 31 of `Frame`, empty: a message of a later version."""
CHECKS = (
    Check(
        "sealing.first",
        "7",
        "The first frame of a session is a sealed heartbeat under counter 0.",
        "where the send counter is set to 0, and what is sent first",
        _first,
        SEALED,
    ),
    Check(
        "sealing.counters",
        "7",
        "A retransmission takes a fresh counter.",
        "seal at the moment of sending: a retransmission with its old counter gives the key stream away",
        _counters,
        SEALED,
    ),
    Check(
        "sealing.replay",
        "7",
        "Replays are dropped without an answer, and however many come, they end nothing.",
        "d = low 32 - last; 0 or from 2^31 on is a replay, and is not counted as a bad tag",
        _replay,
        SEALED,
        tries=TRIES,
    ),
    Check(
        "sealing.jump",
        "7",
        "A counter may jump ahead: frames get lost on the line.",
        "the comparison of counters: above the last good one, not the next one",
        _jump,
        SEALED,
    ),
    Check(
        "sealing.bad-tag",
        "7",
        "A frame with a bad tag is dropped.",
        "the comparison of all 16 bytes of the tag, over the header as associated data",
        _bad_tags,
        SEALED,
    ),
    Check(
        "sealing.far-ahead",
        "7",
        "A forged counter is not kept.",
        "when the counter is kept: only after the tag was good, or one forged frame shuts the line",
        _far_ahead,
        SEALED,
    ),
    Check(
        "sealing.short-tag",
        "7",
        "A payload that is too short for counter and tag is dropped.",
        "the length before the tag is looked for: at least 20 bytes",
        _short_tag,
        SEALED,
    ),
    Check(
        "sealing.header",
        "7",
        "The header belongs to the tag: changed, the frame is dropped.",
        "the associated data: the 8 header bytes as they are on the line",
        _header,
        SEALED,
    ),
    Check(
        "sealing.reflection",
        "7",
        "A frame of the device's own is dropped.",
        "one key for each direction, and which info belongs to which",
        _reflection,
        SEALED,
    ),
    Check(
        "sealing.five-bad-tags",
        "7",
        "Five bad tags in ten seconds end the session, with Bye(TAGS) and a Tamper event.",
        "the count of bad tags, and what is recorded when the session ends",
        _five,
        SEALED,
    ),
    Check(
        "sealing.clear-dropped",
        "7",
        "In a sealed session clear frames are dropped, Bye included.",
        "the check of SEALED against the session, before the message is read",
        _clear,
        SEALED,
    ),
    Check(
        "sealing.hidden-hello",
        "7",
        "A handshake message inside a sealed frame is dropped and does not count as a bad tag.",
        "whether SEALED is looked at before the first byte of the payload is taken for a Hello",
        _hidden,
        SEALED,
    ),
    Check(
        "sealing.sealed-dropped",
        "3",
        "In a clear session frames with SEALED are dropped.",
        "the check of SEALED against the session, before the message is read",
        _sealed,
        (Need.CLEAR,),
    ),
    Check(
        "sealing.keys",
        "7",
        "Each session has keys of its own: what an older one sealed is dropped.",
        "HKDF with T of this very handshake as salt",
        _old_keys,
        SEALED,
    ),
)
"""In the order in which they run."""

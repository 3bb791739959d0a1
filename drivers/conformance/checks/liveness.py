"""Heartbeats, time, and what happens when one side falls silent. Sections 10 and 11."""

from itertools import pairwise

from drivers import messages as m
from drivers.conformance.check import TRIES, Check
from drivers.conformance.manual_steps import FREEZE, perform
from drivers.conformance.matchers import says
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.link.session import MICROSECONDS
from drivers.protocol.codes import ByeReason, Channel

BEATS = 6
PERIOD = 0.5
LOST = 3.0
DRIFT = 0.005
"""How wrong a device's clock may be. Most are a hundred times better."""
IGNORED = b"\xc2\x01\x00"
"""A command without a known body: a frame that is not a heartbeat."""


async def _next_heartbeats(p: Probe, beats: int) -> list[TraceEntry]:
    return [
        await p.expect_frame("a Heartbeat every 500 ms", says("heartbeat"), PERIOD + 0.1, fresh=True)
        for _ in range(beats)
    ]


async def _period(p: Probe) -> None:
    await p.open()
    beats = await _next_heartbeats(p, BEATS)
    waits = [after.at - before.at for before, after in pairwise(beats)]
    middle = sum(waits) / len(waits)
    if not PERIOD * 0.9 <= middle <= PERIOD * 1.1 + 0.01:
        raise CheckFailed(f"a Heartbeat every 500 ms; they came every {middle * 1000:.0f} ms")


async def _clock(p: Probe) -> None:
    await p.open()
    beats = await _next_heartbeats(p, BEATS)
    behind = [beat.at - _field(beat.message, "now_us") / MICROSECONDS for beat in beats]
    half = len(behind) // 2
    drift = min(behind[half:]) - min(behind[:half])
    if abs(drift) > DRIFT * PERIOD * len(beats) + p.subject.margin:
        raise CheckFailed(
            f"now_us that goes on as time does; in {half} heartbeats it fell behind {drift:.3f} s"
        )
    late = [_late_by(p, beat) for beat in beats[1:]]
    if min(late) < -0.002 or min(late) > p.subject.margin:
        raise CheckFailed(
            "held_us: how long ago our heartbeat came; with it, theirs took"
            f" {min(late):.3f} to {max(late):.3f} s there and back"
        )


def _late_by(p: Probe, beat: TraceEntry) -> float:
    """What question and answer took, minus the time that the device says it held the question."""
    sent = _said_at(p, _field(beat.message, "echo_us"))
    if sent is None:
        raise CheckFailed("echo_us: now_us of a heartbeat of ours, the last one that came")
    return beat.at - sent - _field(beat.message, "held_us") / MICROSECONDS


def _field(message: object, name: str) -> int:
    value: int = getattr(message, name)
    return value


def _said_at(p: Probe, now_us: int) -> float | None:
    ours = (entry for entry in p.trace.entries if entry.ours and entry.name == "heartbeat")
    return next((entry.at for entry in ours if _field(entry.message, "now_us") == now_us), None)


async def _lost(p: Probe) -> None:
    await p.armed()
    p.link.beat()
    p.duties.beats = False
    began = p.wire.now()
    while p.wire.now() < began + LOST - 0.5:
        p.launch(IGNORED, flags=0, note="no heartbeat, but a frame")
        if await p.next_frame(says("bye"), 0.2, fresh=True):
            raise CheckFailed("a session that lasts 3 s without a heartbeat")
    await p.alive()
    await p.wait(0.4)
    await p.over("3 s without a heartbeat, whatever else came,")
    await p.open()
    if (await p.heartbeat()).armed:
        raise CheckFailed("a Heartbeat with armed false after the session was lost")


async def _late(p: Probe) -> None:
    await p.open()
    p.duties.beats = False
    for _ in range(2):
        await p.wait(LOST - 0.3)
        p.link.beat()
        await p.alive()


async def _slept(p: Probe) -> None:
    await p.armed()
    await perform(p, FREEZE)
    key = p.command(m.Disarm())
    what = "Bye or silence of a device that did not run for 3 s: the session ends before it reads what waited"
    bye = await p.next_frame(lambda entry: entry.name in ("bye", "result"), 5.0, fresh=True)
    if bye is not None and bye.name == "result":
        raise CheckFailed(f"{what}; the Result for key {key} came")
    if bye is not None and getattr(bye.message, "reason", 0) != ByeReason.SLEPT:
        raise CheckFailed("Bye(7 SLEPT)")
    await p.over("own sleep")


async def _telemetry(p: Probe) -> None:
    await p.open()
    frame = p.link.frame(p.payload(m.Disarm()), Channel.TELEMETRY)
    p.link.send(frame, "a command on channel 4")
    await p.never("answer to a command on channel 4", says("result"))
    await p.alive()


CHECKS = (
    Check(
        "heartbeat.period",
        "10",
        "Heartbeats come every 500 ms.",
        "the timer of the heartbeat; it must not be restarted by other frames",
        _period,
        tries=TRIES,
    ),
    Check(
        "heartbeat.clock",
        "10",
        "now_us is an uptime in us, echo_us and held_us belong to our last heartbeat.",
        "units (microseconds, 64 bits), and when the time of arrival is taken",
        _clock,
        tries=TRIES,
    ),
    Check(
        "heartbeat.late",
        "10",
        "Heartbeats that are late, but come within 3 s, keep the session.",
        "the limit of 3 s, counted from the last heartbeat that came",
        _late,
        tries=TRIES,
    ),
    Check(
        "heartbeat.lost",
        "10",
        "After 3 s without a heartbeat the session is over, whatever else comes.",
        "what restarts the 3 s: a heartbeat, and no other frame",
        _lost,
        tries=TRIES,
    ),
    Check(
        "heartbeat.own-sleep",
        "6.2",
        "A device that did not run for 3 s ends the session before it reads what waited.",
        "the order in the main loop: first how long it did not run, then the input",
        _slept,
    ),
    Check(
        "messages.telemetry",
        "5",
        "A command on channel 4 is dropped.",
        "the table of channels in section 3",
        _telemetry,
    ),
)
"""In the order in which they run."""

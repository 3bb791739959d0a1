"""How the device sends: window, credit, retransmission. Section 4."""

from itertools import pairwise

from drivers import messages as m
from drivers.conformance.check import TRIES, Check
from drivers.conformance.matchers import says
from drivers.conformance.outcome import CheckFailed, NotRun
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.link.limits import Timing
from drivers.protocol.codes import ByeReason, Flag

TIMING = Timing()
NAK = int(Flag.NAK)
NAK_PAUSE = 0.003
"""Seconds between two NAKs, so that the device answers each of them by itself."""
TIMEOUTS = (TIMING.first_timeout, *[TIMING.most_timeout] * 3)
MANY = 12
WINDOW = 8


def _sent(entry: TraceEntry) -> bool:
    """Any transmission on channel 2."""
    return entry.clear is not None and entry.session > 0 and entry.clear.channel == 2


async def _unacknowledged(p: Probe, commands: int, credit: int = WINDOW) -> None:
    """That many results are on their way, as far as the device has room, and none of them is acknowledged."""
    await p.open()
    await p.wait(0.05)
    p.duties.acknowledges = False
    p.duties.credit = credit
    for _ in range(commands):
        if not await p.room(1):
            return
        p.command(m.Disarm())


async def _again(p: Probe) -> None:
    await _unacknowledged(p, 1)
    sent = [await p.expect_frame("a Result, again and again", _sent, 0.7) for _ in range(5)]
    if any(not entry.frame.flags & Flag.RETRANSMIT for entry in sent[1:]):
        raise CheckFailed("RETRANSMIT on each frame that is sent again")
    waits = [after.at - before.at for before, after in pairwise(sent)]
    late = p.subject.line_time(len(sent[0].payload), 3) + p.subject.margin
    waits_ms = ", ".join(f"{wait * 1000:.0f}" for wait in waits)
    for wait, due in zip(waits, TIMEOUTS, strict=True):
        if not due * 0.9 - p.subject.margin <= wait <= due + late:
            raise CheckFailed(
                "a time-out of 200 ms and line time at first, as nothing was measured, then of 400 ms;"
                f" the waits were {waits_ms} ms"
            )


async def _gives_up(p: Probe) -> None:
    await _unacknowledged(p, 1)
    sends, bye = 0, None
    while bye is None and sends <= 2 * TIMING.most_sends:
        entry = await p.expect_frame(
            "the Result 9 times, then Bye(2 LINK)", lambda entry: _sent(entry) or entry.name == "bye", 0.7
        )
        bye = entry if entry.name == "bye" else None
        sends += bye is None
    if sends != TIMING.most_sends or bye is None or getattr(bye.message, "reason", 0) != ByeReason.LINK:
        raise CheckFailed(
            f"Bye(2 LINK) after {TIMING.most_sends} transmissions of a frame; {sends} were heard"
        )
    await p.over("a frame that was sent 9 times in vain")


async def _by_nak(p: Probe) -> None:
    await _unacknowledged(p, 3)
    first = [await p.expect_frame("three Results", _sent, 0.5) for _ in range(3)]
    p.link.send(p.link.frame(b"", flags=NAK), "a NAK")
    again = [
        await p.expect_frame("all that is not acknowledged, again and in order", _sent, 0.02)
        for _ in range(3)
    ]
    wanted = [(entry.frame.sequence, entry.payload) for entry in first]
    if [(entry.frame.sequence, entry.payload) for entry in again] != wanted:
        raise CheckFailed(
            f"sequences {[sequence for sequence, _ in wanted]} again, in order, with the same messages"
        )
    if any(not entry.frame.flags & Flag.RETRANSMIT for entry in again):
        raise CheckFailed("RETRANSMIT on each frame that is sent again")


async def _nak_burst(p: Probe) -> None:
    fit = int(TIMING.nak_interval * 0.8 / (NAK_PAUSE + p.subject.line_time(0)))
    if fit < 2:
        raise NotRun("the line is too slow for two NAKs in 25 ms")
    await _unacknowledged(p, 1)
    await p.expect_frame("a Result", _sent, 0.5)
    for _ in range(fit):
        p.link.send(p.link.frame(b"", flags=NAK), "a NAK")
        await p.wait(NAK_PAUSE)
    await p.wait(0.1)
    sends = sum(_sent(entry) for entry in p.trace.entries if not entry.ours)
    if sends != 2:
        raise CheckFailed(f"one resend for {fit} NAKs within 25 ms; the Result came {sends} times")


async def _nak_next(p: Probe) -> None:
    await _unacknowledged(p, 3)
    first = [await p.expect_frame("three Results", _sent, 0.5) for _ in range(3)]
    for missing in range(3):
        p.session.acknowledged = first[missing].frame.sequence
        p.link.send(p.link.frame(b"", flags=NAK), f"a NAK for Result {missing + 1}")
        for wanted in first[missing:]:
            again = await p.expect_frame("the missing Result and those after it, at once", _sent, 0.02)
            if again.frame.sequence != wanted.frame.sequence:
                raise CheckFailed(f"sequence {wanted.frame.sequence} again; {again.frame.sequence} came")


async def _of_the_moment(p: Probe) -> None:
    await _unacknowledged(p, 1)
    first = await p.expect_frame("a Result", _sent, 0.5)
    p.command(m.Disarm())
    p.link.send(p.link.frame(b"", flags=NAK), "a NAK")
    again = await p.expect_frame(
        "the first Result again", lambda entry: _sent(entry) and entry.repeat, 0.5, fresh=True
    )
    if (
        again.clear is None
        or first.clear is None
        or again.clear.acknowledgement == first.clear.acknowledgement
    ):
        raise CheckFailed(
            "the acknowledgement of the moment in a retransmission: one more command has come since"
        )


async def _flying(p: Probe, most: int, what: str) -> None:
    """Exactly that many different frames come."""
    await p.wait(0.3 + p.subject.line_time(20, MANY))
    theirs = [entry for entry in p.trace.entries if not entry.ours and entry.session == p.session.number]
    came = {entry.frame.sequence for entry in theirs if _sent(entry)}
    if len(came) != most:
        raise CheckFailed(f"{most} frames in flight: {what}; sequences {sorted(came)} came")
    p.trace.step_done()


async def _window(p: Probe) -> None:
    await _unacknowledged(p, MANY)
    await _flying(p, WINDOW, f"{MANY} Results wait, none is acknowledged, the window is 8")


async def _credit(p: Probe) -> None:
    p.duties.credit = 3
    await _unacknowledged(p, MANY, 3)
    await _flying(p, 3, "the credit is 3")
    await p.wait(0.0)


async def _zero(p: Probe) -> None:
    p.duties.credit = 1
    await _unacknowledged(p, 4, 1)
    await _flying(p, 1, "the credit is 1")
    p.session.acknowledged, p.duties.credit = 1, 0
    p.link.send(p.link.frame(b""), "all is acknowledged, and there is no more room")
    await _flying(p, 1, "the credit is 0")
    p.duties.credit = WINDOW
    p.link.send(p.link.frame(b""), "the credit rises from 0")
    for _ in range(3):
        await p.expect_frame("the Results that waited for credit", says("result"), 0.1)


async def _resumed(p: Probe) -> None:
    await _unacknowledged(p, MANY)
    await _flying(p, WINDOW, "none is acknowledged")
    p.duties.acknowledges = True
    p.session.acknowledged = p.session.expected
    p.link.send(p.link.frame(b""), "all of them are acknowledged")
    for _ in range(MANY - WINDOW):
        if p.session.sequence < MANY and await p.room(1):
            p.command(m.Disarm())
        await p.expect_frame("the Results that waited for room", _fresh, 0.5)


def _fresh(entry: TraceEntry) -> bool:
    return _sent(entry) and not entry.repeat


CHECKS = (
    Check(
        "link.retransmission",
        "4",
        "What is not acknowledged is sent again with RETRANSMIT, later each time.",
        "the time-out: from 25 to 400 ms plus line time, doubled by each time-out",
        _again,
        tries=TRIES,
    ),
    Check(
        "link.gives-up",
        "4",
        "A frame that was sent 9 times in vain ends the session with Bye(LINK).",
        "the count of transmissions, the first one included",
        _gives_up,
    ),
    Check(
        "link.nak-heeded",
        "4",
        "A NAK has all frames that are not acknowledged sent again, in order.",
        "what a NAK does: everything in flight goes out again, with RETRANSMIT",
        _by_nak,
        tries=TRIES,
    ),
    Check(
        "link.nak-burst",
        "4",
        "A NAK that comes within 25 ms of a resend is not heeded.",
        "the time of the last resend, whatever caused it",
        _nak_burst,
        tries=TRIES,
    ),
    Check(
        "link.nak-next",
        "4",
        "A NAK that acknowledges something new is heeded at once, also soon after a resend.",
        "what an acknowledgement does to the time of the last resend",
        _nak_next,
        tries=TRIES,
    ),
    Check(
        "link.of-the-moment",
        "4",
        "A retransmission carries the acknowledgement of the moment.",
        "headers that are kept with a frame in flight instead of being made when it is sent",
        _of_the_moment,
    ),
    Check(
        "link.window",
        "4",
        "Not more than 8 frames are in flight.",
        "the window: 8 frames from the acknowledged one on",
        _window,
    ),
    Check(
        "link.credit",
        "4",
        "Not more frames are in flight than the credit allows.",
        "the credit of the last frame, counted from its acknowledgement",
        _credit,
    ),
    Check(
        "link.credit-zero",
        "4",
        "With credit 0 nothing new is sent; when it rises, sending goes on at once.",
        "what wakes the sender: any frame that brings credit",
        _zero,
        tries=TRIES,
    ),
    Check(
        "link.window-moves",
        "4",
        "Acknowledged frames make room for the next ones.",
        "what an acknowledgement of several frames at once removes from the window",
        _resumed,
        tries=TRIES,
    ),
)
"""In the order in which they run."""

"""How the device handles sequences, and when it acknowledges. Section 4."""

from statistics import median

from drivers import messages as m
from drivers.conformance.check import TRIES, Check, Need
from drivers.conformance.matchers import acknowledges, is_bare, is_nak, says
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.link.frames import SEQUENCES

IGNORED = b"\xc2\x01\x00"
"""A `Command` without a known body: acknowledged, and without CRITICAL not answered."""
ACKNOWLEDGEMENT = 0.005
JITTER = 0.020
"""Seconds, of this computer and of a device's main loop."""
SAMPLES = 9
BURST = 8


async def _acknowledged(p: Probe, sequence: int, within: float = 0.1) -> TraceEntry:
    return await p.expect_frame(
        f"an acknowledgement of {sequence} (the next sequence expected)",
        acknowledges(sequence),
        within,
        fresh=True,
    )


async def _prompt(p: Probe) -> None:
    """Compares with Results, which leave at once: both contain what the line adds."""
    await p.open()
    acknowledged, answered = [], []
    for _ in range(SAMPLES):
        sent = p.wire.now()
        p.launch(IGNORED, flags=0, note="nothing to answer, only to acknowledge")
        acknowledged.append((await _acknowledged(p, p.session.sequence)).at - sent)
        sent = p.wire.now()
        await p.alive()
        answered.append(p.wire.now() - sent)
        await p.wait(0.02 + p.subject.line_time(0))  # our own acknowledgement leaves first
    alone, answer = median(acknowledged), median(answered)
    if alone > ACKNOWLEDGEMENT + p.subject.line_time(0) + min(p.subject.margin, answer + JITTER):
        raise CheckFailed(
            "an acknowledgement within 5 ms, even if nothing else is to be said; a Result was back after"
            f" {answer * 1000:.0f} ms, an acknowledgement alone after {alone * 1000:.0f} ms (medians)"
        )


async def _nak(p: Probe) -> None:
    await p.open()
    skipped = p.payload(m.Disarm())
    await _gap(p, 1, 0)
    clear = p.link.frame(skipped, 2, flags=4, sequence=2)
    p.link.send(clear, "another frame too early")
    await p.never("second NAK for the same expected sequence", is_nak)
    p.launch(skipped)
    await _acknowledged(p, 1)
    await _gap(p, 4, 1)
    await p.alive()


async def _gap(p: Probe, sequence: int, expected: int) -> None:
    key = p.key()
    early = p.link.frame(p.payload(m.Disarm(), key), 2, flags=4, sequence=sequence)
    p.link.send(early, f"sequence {sequence} where {expected} is expected")
    nak = await p.expect_frame(f"a NAK that acknowledges {expected}", is_nak, 0.1)
    if nak.clear is None or nak.clear.acknowledgement != expected:
        raise CheckFailed(f"a NAK that acknowledges {expected}")
    await p.never("answer to a frame that came too early", says("result", key=key))


async def _duplicate(p: Probe) -> None:
    await p.open()
    key = p.key()
    clear = p.draft(p.payload(m.Disarm(), key))
    p.launch(clear.payload)
    await p.result(key)
    await p.wait(0.05)
    p.link.send(p.link.frame(clear.payload, 2, flags=6, sequence=0), "the same sequence again")
    await p.expect_frame("an acknowledgement of a repeat", is_bare, 0.1, fresh=True)
    await p.never("second answer to a command that was repeated", says("result", key=key))
    await p.alive()


async def _old(p: Probe) -> None:
    await p.open()
    await p.alive()
    clear = p.link.frame(p.payload(m.Disarm()), 2, flags=4, sequence=SEQUENCES // 2 + 2)
    p.link.send(clear, "a sequence in the half of the numbers before the expected one")
    await p.never("NAK for an old sequence", is_nak)
    await p.alive()


async def _bad_acknowledgement(p: Probe) -> None:
    await p.open()
    for far in (1, 9, SEQUENCES - 1):
        known = p.session.acknowledged
        key = p.key()
        payload = p.payload(m.Disarm(), key)
        strange = p.link.frame(
            payload, 2, flags=4, sequence=p.session.sequence, acknowledgement=(known + far) % SEQUENCES
        )
        p.link.send(strange, "an acknowledgement of what was never sent")
        await p.never("answer to a frame that acknowledges what was never sent", says("result", key=key))
        p.launch(payload)
        await p.result(key)
        await p.wait(0.02)


async def _wrap(p: Probe) -> None:
    await p.open()
    while p.session.sequence < SEQUENCES - BURST:
        for _ in range(BURST):
            await p.room(1)
            p.launch(IGNORED, flags=0)
        await _acknowledged(p, p.session.sequence, 1.0)
        p.trace.clear()
    for _ in range(2 * BURST):
        await p.alive()


async def _order(p: Probe) -> None:
    await p.open()
    await p.room(BURST)
    keys = [p.command(m.Disarm()) for _ in range(BURST) if await p.room(1)]
    got = [(await p.expect("a Result for each command", says("result"), 1.0)).key for _ in keys]
    if got != keys:
        raise CheckFailed(f"Results in the order of the commands, {keys}; the keys came as {got}")


CHECKS = (
    Check(
        "link.acknowledgement",
        "4",
        "An acknowledgement leaves within 5 ms, even if nothing else is to be said.",
        "what sends an empty frame on channel 0 when no other frame goes out",
        _prompt,
        tries=TRIES,
    ),
    Check(
        "link.nak",
        "4",
        "A gap gets one NAK for each expected sequence; the frame behind the gap is dropped.",
        "the table of sequences in section 4, and how long a NAK is remembered",
        _nak,
        tries=TRIES,
    ),
    Check(
        "link.duplicate",
        "4",
        "An older sequence is acknowledged again and carried out no second time.",
        "the table of sequences in section 4: older",
        _duplicate,
        tries=TRIES,
    ),
    Check(
        "link.old",
        "4",
        "Older is the half of the numbers before the expected one.",
        "the comparison modulo 65,536",
        _old,
    ),
    Check(
        "link.bad-acknowledgement",
        "3",
        "A frame that acknowledges what was never sent is dropped.",
        "check 8 of section 3, before sequence and message",
        _bad_acknowledgement,
    ),
    Check(
        "link.order",
        "9",
        "Commands are carried out in order, one Result each.",
        "the queue between the link and what carries commands out",
        _order,
    ),
    Check(
        "link.wrap",
        "4",
        "After sequence 65,535 comes 0.",
        "16-bit arithmetic of sequences",
        _wrap,
        (Need.LONG,),
    ),
)
"""In the order in which they run."""

"""Events: stored, sent, committed, never used twice. Section 8."""

from typing import Any

from drivers import messages as m
from drivers.conformance.check import Check, Need
from drivers.conformance.manual_steps import EVENT_ACTIONS, REVERSE_ACTIONS, perform, reboot
from drivers.conformance.matchers import is_event, numbers
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Mode, Status

LATEST = 40
"""Events that are compared."""
RESERVE = 64
STALE_BEATS = 3


async def _from_the_first(p: Probe) -> None:
    hello = await p.open()
    found = await p.events(1, hello.newest)
    held = [numbers(entry)[0] for entry in found if entry.name == "event"]
    if held and held[0] != hello.oldest:
        raise CheckFailed(
            f"event {hello.oldest} as the first one held, as oldest of the Hello says; it is {held[0]}"
        )


async def _from_the_middle(p: Probe) -> None:
    hello = await p.open()
    middle = (hello.oldest + hello.newest + 1) // 2
    await p.events(middle, hello.newest)
    await p.events(hello.newest, hello.newest)


async def _none(p: Probe) -> None:
    hello = await p.open()
    await p.never("event before Resume", is_event, 0.3)
    await p.order(m.Resume(hello.newest + 1))
    await p.never("event that is older than Resume asks for", is_event, 0.3, fresh=False)


async def _range(p: Probe) -> None:
    hello = await p.open()
    await p.order(m.Resume(hello.newest + 2), Status.RANGE)


async def _same_bytes(p: Probe) -> None:
    await _compared(p, await _latest_events(p), await p.open())


async def _latest_events(p: Probe) -> list[TraceEntry]:
    hello = await p.open()
    return await p.events(max(hello.oldest, hello.newest - LATEST), hello.newest)


async def _compared(p: Probe, before: list[TraceEntry], hello: common.Hello) -> None:
    """The same events have the same payloads, except those that are gone."""
    first, last = numbers(before[0])[0], numbers(before[-1])[1]
    again = {numbers(entry)[0]: entry for entry in await p.events(first, last)}
    for entry in before:
        number = numbers(entry)[0]
        later = again.get(number)
        if later is None or later.name != "event" or number < hello.oldest:
            continue
        if later.payload != entry.payload:
            raise CheckFailed(f"event {number} with the same bytes as before: {entry.payload.hex()}")


async def _booted(p: Probe) -> None:
    hello = await p.open()
    found = await p.events(max(hello.oldest, hello.newest - LATEST), hello.newest)
    boots = [entry.message for entry in found if _is(entry, "booted")]
    now: Any = [event for event in boots if event.boot == hello.boot]
    if boots and len(now) != 1:
        raise CheckFailed(
            f"one Booted event whose boot is that of the Hello, {hello.boot.hex()}; {len(now)} came"
        )
    if now and now[0].booted.reset != hello.reset:
        raise CheckFailed(f"Booted(reset {hello.reset}), as the Hello says")


def _is(entry: TraceEntry, body: str) -> bool:
    return isinstance(entry.message, tsl.Event) and entry.message.WhichOneof("body") == body


async def _commit(p: Probe) -> None:
    hello = await p.open()
    p.link.send(p.link.frame(_event_commit(hello.newest + 1000)), "a commit of events that do not exist")
    await _committed(p, hello.committed, "a commit above the newest event is dropped")
    middle = (hello.committed + hello.newest + 1) // 2
    p.link.send(p.link.frame(_event_commit(middle)))
    await _committed(p, middle, "EventCommit")
    p.duties.committed = hello.newest
    p.link.beat()
    await _committed(p, hello.newest, "committed of a heartbeat is a commit too")
    p.duties.committed = 0
    p.link.send(p.link.frame(_event_commit(middle)), "a lower commit")
    await _committed(p, hello.newest, "a commit never goes back")
    if (await p.open()).committed < hello.newest:
        raise CheckFailed(f"committed {hello.newest} in the next Hello")


def _event_commit(number: int) -> bytes:
    return tsl.Frame(event_commit=common.EventCommit(number=number)).SerializeToString()


async def _committed(p: Probe, number: int, why: str) -> None:
    """By one of the next heartbeats: the first ones may have been on their way."""
    await p.wait(0.05 + p.subject.margin)
    reported = []
    for _ in range(STALE_BEATS):
        reported.append((await p.heartbeat()).committed)
        if reported[-1] == number:
            return
    raise CheckFailed(f"committed {number} in a Heartbeat: {why}; it is {reported[-1]}")


async def _not_destructive(p: Probe) -> None:
    before = await _latest_events(p)
    hello = await p.armed()
    after = await p.events(numbers(before[0])[0], hello.newest)
    gone = {numbers(entry) for entry in before[-8:] if entry.name == "event"} - {
        numbers(entry) for entry in after if entry.name == "event"
    }
    if gone:
        raise CheckFailed(f"event {min(gone)[0]} again: a commit alone does not overwrite it")


async def _reboot(p: Probe) -> None:
    before = await _latest_events(p)
    was = p.hello
    hello = await reboot(p)
    for so, text in (
        (hello.log == was.log, f"log {was.log.hex()} as before the reboot"),
        (hello.newest > was.newest, f"newest above {was.newest}: each boot records Booted"),
        (hello.committed == was.committed, f"committed {was.committed} as before the reboot"),
        (hello.last_key >= was.last_key, f"last_key not below {was.last_key}"),
        (hello.cards >= was.cards, f"cards not below {was.cards}"),
    ):
        if not so:
            raise CheckFailed(text)
    await _compared(p, before, hello)
    await p.events(was.newest + 1, hello.newest)


async def _new(p: Probe) -> None:
    hello = await p.armed()
    await perform(p, EVENT_ACTIONS[p.subject.device_class])
    await p.expect(
        f"an Event with number {hello.newest + 1}, when something happens",
        lambda entry: is_event(entry) and numbers(entry)[0] == hello.newest + 1,
        5.0,
    )
    if p.subject.device_class in REVERSE_ACTIONS:
        await perform(p, REVERSE_ACTIONS[p.subject.device_class])
    await p.order(m.Disarm())


async def _silent_link(p: Probe) -> None:
    """What happens without a host is sent to the next one."""
    was = await p.open()
    p.bye()
    await perform(p, EVENT_ACTIONS[p.subject.device_class])
    await p.wait(0.5)
    if p.subject.device_class in REVERSE_ACTIONS:
        await perform(p, REVERSE_ACTIONS[p.subject.device_class])
    await p.wait(0.5)
    hello = await p.open()
    if hello.newest <= was.newest:
        raise CheckFailed(f"newest above {was.newest}: what happens without a session is stored")
    await p.events(was.newest + 1, hello.newest)


async def _full(p: Probe) -> None:
    """When 64 slots are left, minor events use up their numbers but are not stored."""
    hello = await p.armed()
    free = (await p.heartbeat()).free
    while free > RESERVE:
        for _ in range((free - RESERVE + 1) // 2):
            await _toggled(p)
        before, free = free, (await p.heartbeat()).free
        if free >= before:
            raise CheckFailed(
                f"fewer free slots than {before} in a Heartbeat after more events; {free} are free"
            )
    if free < RESERVE:
        raise CheckFailed(f"{RESERVE} free slots that minor events leave alone; {free} are free")
    await _toggled(p)
    full = await p.open()
    if (await p.heartbeat()).mode not in (Mode.FAULT, Mode.RING_FULL):
        raise CheckFailed("mode 4 (ring full) in a Heartbeat")
    lost = await p.events(full.newest - 1, full.newest)
    if lost[-1].name != "events_lost":
        raise CheckFailed(f"EventsLost in place of event {full.newest}, for which the ring had no slot")
    await p.events(hello.newest + 1, full.newest)
    p.link.send(p.link.frame(_event_commit(full.newest)))
    await _committed(p, full.newest, "EventCommit")


async def _toggled(p: Probe) -> None:
    await perform(p, EVENT_ACTIONS[DeviceClass.SHOE])
    await perform(p, REVERSE_ACTIONS[DeviceClass.SHOE])


_HAPPENING = frozenset(EVENT_ACTIONS)
CHECKS = (
    Check(
        "events.resume-first",
        "8",
        "Resume(1) brings all numbers without a gap, as Event or EventsLost.",
        "what is sent for numbers that the ring does not hold, and oldest of the Hello",
        _from_the_first,
    ),
    Check(
        "events.resume-middle",
        "8",
        "Resume brings events from the number asked for on, and no older ones.",
        "where sending begins after Resume",
        _from_the_middle,
    ),
    Check(
        "events.resume-needed",
        "6.3",
        "Before Resume no event is sent, and none that is older than it asks for.",
        "what starts the sending of events: Resume, in each session again",
        _none,
    ),
    Check(
        "events.resume-range",
        "8",
        "Resume above the next number is answered with RANGE.",
        "the bounds of next: at most newest + 1",
        _range,
    ),
    Check(
        "events.same-bytes",
        "8",
        "A stored event is sent with the same bytes again.",
        "what is stored: number, uptime and boot of when it happened",
        _same_bytes,
    ),
    Check(
        "events.booted",
        "8",
        "Each boot records one Booted event, under the boot of the Hello.",
        "when boot is drawn (at every start, once) and when Booted is recorded",
        _booted,
    ),
    Check(
        "events.commit",
        "8",
        "A commit counts, whichever way it comes; it never goes back, and never above newest.",
        "EventCommit, committed of heartbeats: both cumulative, both bounded by newest",
        _commit,
    ),
    Check(
        "events.kept",
        "8",
        "A committed event can still be read.",
        "what a commit does: it allows a slot to be used again, and erases nothing",
        _not_destructive,
    ),
    Check(
        "events.new",
        "8",
        "What happens is sent as the next number.",
        "how an event comes from the ring to the link while a session is up",
        _new,
        classes=_HAPPENING,
    ),
    Check(
        "events.without-host",
        "8",
        "What happens without a session is stored and sent to the next host.",
        "recording must not depend on a session",
        _silent_link,
        classes=_HAPPENING,
    ),
    Check(
        "events.reboot",
        "8",
        "Log, events, commits and counts outlive a reboot; Booted is added.",
        "what is kept in non-volatile memory, and what is drawn again: boot, and nothing else",
        _reboot,
    ),
    Check(
        "events.ring-full",
        "8",
        "With 64 slots left, minor events are reported as EventsLost.",
        "the reserve of the ring; numbers that were used up and not kept",
        _full,
        (Need.TIRELESS,),
        classes=frozenset({DeviceClass.SHOE}),
    ),
)
"""In the order in which they run."""

"""The features that a profile declares are there, and no others. Section 20."""

from collections.abc import Callable
from typing import cast

from drivers import messages as m
from drivers.conformance.check import Check, Need
from drivers.conformance.manual_steps import perform, reboot, restarted
from drivers.conformance.operator import OperatorAction
from drivers.conformance.outcome import CheckFailed, NotRun
from drivers.conformance.probe import Probe
from drivers.conformance.profile import DeviceProfile
from drivers.conformance.trace import TraceEntry
from drivers.link.frames import WireFrame
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Status, TamperCause

OPEN_DOOR = OperatorAction("Open a door that has a sensor", {"do": "door", "open": True})
CLOSE_DOOR = OperatorAction("Close that door", {"do": "door", "open": False})
OPEN_CASE = OperatorAction("Open the case", {"do": "case"})
REWIND = OperatorAction(
    "Copy the provisioning record back as it was before the last start, and switch the device off and on",
    {"do": "rewind"},
)
PROMPT = 5.0
"""Seconds until the event of something that a person did."""


def _profile(p: Probe) -> DeviceProfile:
    """The profile; a check with Need.PROFILE runs only with one."""
    if p.subject.profile is None:
        raise CheckFailed("a profile")
    return p.subject.profile


async def _update(p: Probe) -> None:
    await p.open()
    for body in (m.UpdateApply(), m.UpdateConfirm(), m.MakerKey(1, bytes(32), bytes(64))):
        found = Status((await p.order(body, None)).status)
        if _profile(p).update == (found is Status.UNSUPPORTED):
            wanted = "another status than UNSUPPORTED" if _profile(p).update else "UNSUPPORTED"
            raise CheckFailed(f"{wanted} for {type(body).__name__}, by the profile; it is {found.name}")


async def _ring(p: Probe) -> None:
    await p.armed()
    beat = await p.heartbeat()
    await p.order(m.Disarm())
    waiting = beat.newest - beat.committed
    if beat.free + waiting != _profile(p).ring:
        raise CheckFailed(
            f"free {_profile(p).ring - waiting} in a Heartbeat, as the profile declares a ring of"
            f" {_profile(p).ring} slots; it is {beat.free}"
        )


async def _window(p: Probe) -> None:
    await p.open()
    await p.heartbeat()
    frames = [entry.clear for entry in p.trace.entries if entry.session and not entry.ours]
    found = max(frame.credit for frame in frames if isinstance(frame, WireFrame))
    if found != _profile(p).window:
        raise CheckFailed(f"a credit of {_profile(p).window}, as the profile declares; it is {found}")


async def _doors(p: Probe) -> None:
    if not _profile(p).doors:
        raise NotRun("the profile declares no doors")
    await _resumed(p)
    await perform(p, OPEN_DOOR)
    opened = await _event(p, "door", lambda event: event.door.open)
    which, hello = opened.door.which, await reboot(p)
    if not any(_is_open(entry, which) for entry in await p.events(opened.number + 1, hello.newest)):
        raise CheckFailed(f"Door(which {which}, open true) again after the Booted of a reboot")
    await perform(p, CLOSE_DOOR)
    await _event(p, "door", lambda event: event.door.which == which and not event.door.open)


async def _case(p: Probe) -> None:
    if not _profile(p).case:
        raise NotRun("the profile does not declare that the case is watched")
    await _resumed(p)
    await perform(p, OPEN_CASE)
    await _event(p, "tamper", lambda event: event.tamper.what == TamperCause.CASE)


async def _trng(p: Probe) -> None:
    """The boot id depends on the record and on random bits of the hardware only."""
    await p.open()
    was = await reboot(p)
    p.session.over = True
    await perform(p, REWIND)
    again = await restarted(p, lambda hello: hello.newest > was.newest)
    if _profile(p).trng and again.boot == was.boot:
        raise CheckFailed(f"another boot than {was.boot.hex()} from the same record: its hardware draws bits")
    if not _profile(p).trng and again.boot != was.boot:
        raise CheckFailed(
            f"boot {was.boot.hex()} again from the same record, without random bits; it is {again.boot.hex()}"
        )


async def _resumed(p: Probe) -> None:
    """A session in which each new event is sent."""
    hello = await p.open()
    await p.order(m.Resume(hello.newest + 1))


async def _event(p: Probe, body: str, fits: Callable[[tsl.Event], bool]) -> tsl.Event:
    def is_it(entry: TraceEntry) -> bool:
        event = entry.message
        return isinstance(event, tsl.Event) and event.WhichOneof("body") == body and fits(event)

    return cast("tsl.Event", await p.expect(f"an Event {body} of what was done", is_it, PROMPT))


def _is_open(entry: TraceEntry, which: int) -> bool:
    event = entry.message
    return (
        isinstance(event, tsl.Event)
        and event.WhichOneof("body") == "door"
        and event.door.which == which
        and event.door.open
    )


CHECKS = (
    Check(
        "features.update",
        "20",
        "A device that declares updates has the actions of an update; any other answers UNSUPPORTED.",
        "which of the four actions of section 12 the firmware knows",
        _update,
        needs=(Need.PROFILE,),
    ),
    Check(
        "features.ring",
        "20",
        "The ring has as many slots as declared: all are free when everything is committed.",
        "free counts the slots without an uncommitted event",
        _ring,
        needs=(Need.PROFILE,),
    ),
    Check(
        "features.window",
        "20",
        "The device announces room for as many frames as declared.",
        "the credit in each frame of a session",
        _window,
        needs=(Need.PROFILE,),
    ),
    Check(
        "features.doors",
        "13.1",
        "A declared door is reported when it opens, again after a boot while it is open, and when it closes.",
        "the sensor of the door, and what is reported after Booted",
        _doors,
        needs=(Need.PROFILE,),
    ),
    Check(
        "features.case",
        "13.1",
        "A declared watch over the case reports Tamper(case) when the case is opened.",
        "the switch in the case",
        _case,
        needs=(Need.PROFILE,),
    ),
    Check(
        "features.trng",
        "7.1",
        "From the same provisioning record, random bits make another boot id; without them it is the same.",
        "r32 and r16 of section 7.1: fresh bits of the hardware for each draw, zeros if it has none",
        _trng,
        needs=(Need.PROFILE,),
    ),
)
"""In the order in which they run."""

"""The features that a profile declares are there, and no others. Section 20."""

from drivers import messages as m
from drivers.conformance.check import Check, Need
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.profile import DeviceProfile
from drivers.link.frames import WireFrame
from drivers.protocol.codes import Status


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
)
"""In the order in which they run."""

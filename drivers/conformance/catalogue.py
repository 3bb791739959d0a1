"""All checks, in the order in which they run."""

from drivers.conformance.check import Check
from drivers.conformance.checks import (
    arming,
    delivery,
    events,
    framing,
    greeting,
    liveness,
    messages,
    other_devices,
    proving,
    sealing,
    sending,
    shoe,
    updating,
)
from drivers.protocol.codes import DeviceClass

CHECKS: tuple[Check, ...] = (
    framing.CHECKS[0], *greeting.CHECKS[:1], *proving.CHECKS[:1],
    *framing.CHECKS[1:], *greeting.CHECKS[1:], *proving.CHECKS[1:],
    *sealing.CHECKS, *delivery.CHECKS, *sending.CHECKS, *messages.CHECKS, *events.CHECKS[:-1],
    *arming.CHECKS, *liveness.CHECKS, *shoe.CHECKS, *other_devices.CHECKS, *updating.CHECKS,
    *events.CHECKS[-1:],
)  # fmt: skip
"""Silence is checked before anything is said, a session is opened before much is made of one, and the ring is
filled last."""


def checks_of(device_class: DeviceClass) -> tuple[Check, ...]:
    """Those that a class of device is put through."""
    return tuple(check for check in CHECKS if device_class in check.classes)

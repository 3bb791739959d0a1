"""All checks, in the order in which they run."""

from drivers.conformance.check import Check
from drivers.conformance.checks import (
    arming,
    delivery,
    events,
    features,
    framing,
    greeting,
    liveness,
    messages,
    other_devices,
    proving,
    sealing,
    sending,
    shoe,
    strict,
    updating,
)
from drivers.protocol.codes import DeviceClass

CHECKS: tuple[Check, ...] = (
    framing.CHECKS[0],
    *greeting.CHECKS[:1],
    *proving.CHECKS[:1],
    *framing.CHECKS[1:],
    *greeting.CHECKS[1:],
    *proving.CHECKS[1:],
    *sealing.CHECKS,
    *delivery.CHECKS,
    *sending.CHECKS,
    *messages.CHECKS,
    *strict.CHECKS,
    *events.CHECKS[:-1],
    *arming.CHECKS,
    *liveness.CHECKS,
    *shoe.CHECKS,
    *other_devices.CHECKS,
    *updating.CHECKS,
    *features.CHECKS,
    *events.CHECKS[-1:],
)
"""Silence is checked first, before the device hears anything. Opening a session comes before the checks
that need one. The check that fills the ring comes last."""


def checks_of(device_class: DeviceClass) -> tuple[Check, ...]:
    return tuple(check for check in CHECKS if device_class in check.classes)

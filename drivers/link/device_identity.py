"""What a device says of itself in its Hello."""

from dataclasses import dataclass

from drivers.link.memory import Memory
from drivers.protocol import common_pb2 as common
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, DeviceClass, Reset, Side


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """Who a device says it is."""

    device_class: DeviceClass
    serial: str
    hardware: str = "sim"
    firmware: str = "1.0"


def describe(
    identity: DeviceIdentity, memory: Memory, boot: bytes, reset: Reset, *, test_slot: bool
) -> common.Hello:
    """All that a device knows of itself; what belongs to the handshake is left out."""
    return common.Hello(
        side=Side.DEVICE,
        major=MAJOR,
        minor=MINOR,
        schema=SCHEMA,
        boot=boot,
        id=identity.serial,
        device_class=identity.device_class,
        hardware=identity.hardware,
        firmware=identity.firmware,
        reset=reset,
        log=memory.log,
        oldest=memory.oldest,
        newest=memory.newest,
        committed=memory.committed,
        last_key=memory.last_key,
        cards=memory.cards,
        test_slot=test_slot,
    )

"""What the host knows of a device: from the configuration, from the journal, and from the device itself."""

from dataclasses import dataclass

from drivers.protocol.codes import DeviceClass

SIMULATOR_HARDWARE = "sim"
"""The `hardware` of the only devices that may speak unsealed."""

ON_TRIAL = "its new firmware is on trial: confirm the update, or wait 120 s until it reverts"


@dataclass(frozen=True, slots=True)
class Expected:
    """The device that the configuration names on this port."""

    device_class: DeviceClass
    serial: str
    name: str = ""
    """Its name in the configuration. Reports carry it; a link that serves no table needs none."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What the journal knows of a device. An empty `log`: nothing."""

    log: bytes = b""
    newest: int = 0
    """The last event of this log that is on disk."""
    last_key: int = 0
    cards: int = 0
    """The shoe's count of cards at that event."""
    open_actions: tuple[int, ...] = ()
    """Keys of actions without a known result."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What a device said of itself in the handshake that it proved."""

    device_class: DeviceClass
    serial: str
    hardware: str
    firmware: str
    boot: bytes
    reset: int
    log: bytes
    oldest: int
    newest: int
    committed: int
    last_key: int
    cards: int
    insecure: bool
    """Its sessions are not sealed, so nobody can know who speaks."""
    test_slot: bool = False
    """Firmware on trial runs. It reverts unless the host confirms it."""

    @property
    def distrust_reason(self) -> str:
        """A clause that says why the device is refused although it proved itself; else empty. Only a
        simulator may speak unsealed."""
        clear = self.insecure and self.hardware != SIMULATOR_HARDWARE
        return f"hardware {self.hardware!r} must be sealed: provision a key" if clear else ""

    @property
    def unfit_reason(self) -> str:
        """A sentence that says why the device is not armed although a session is up; else empty."""
        return ON_TRIAL if self.test_slot else ""
